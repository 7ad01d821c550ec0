"""The spaCy pipeline that reads one document, a component for each step.

The spaCy `Doc` holds the plain text (markup seen through), so that spaCy's own tools work on it; what the components
find stands in ``doc._.reading``, and names that fall on token borders also in ``doc.ents``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import compile_suffix_regex, filter_spans

from sotagraph import __version__, lexicon
from sotagraph.extract.abbreviations import abbreviations
from sotagraph.extract.calibrate import calibrate, load_tables
from sotagraph.extract.candidates import GLUED_RATE
from sotagraph.extract.decide import Decided, decide, score_forms
from sotagraph.extract.known import LexiconMatcher
from sotagraph.extract.parts import is_measure
from sotagraph.extract.pointing import number_hints, slot_hints
from sotagraph.extract.proposals import proposals
from sotagraph.extract.reading import Reading, Stretch, read_document
from sotagraph.extract.relations import statements
from sotagraph.extract.result_slots import SLOT_HINT_WEIGHTS
from sotagraph.extract.results import find_results
from sotagraph.extract.tagger import Tagger, load_tagger
from sotagraph.extract.urls import urls
from sotagraph.model import Document, DocumentEntity, Extraction, Mention

if TYPE_CHECKING:
    from thinc.types import Ints2d

__all__ = ["COMPONENTS", "Extractor", "build_pipeline", "read_doc"]

#: Names of the components, in the order in which they run.
COMPONENTS = (
    "sotagraph_sentences",
    "sotagraph_abbreviations",
    "sotagraph_proposals",
    "sotagraph_urls",
    "sotagraph_lexicon",
    "sotagraph_tagger",
    "sotagraph_entities",
    "sotagraph_relations",
    "sotagraph_results",
    "sotagraph_confidence",
)
Component = Callable[[Doc], Doc]
#: Documents of a stream that are read together.
BATCH = 16
#: Spellings whose tokens spaCy keeps. Its own limit is spent on the names of the lexicon before a document is read.
_TOKENIZED = 1 << 16

if not Doc.has_extension("reading"):
    Doc.set_extension("reading", default=None)
if not Doc.has_extension("decided"):
    Doc.set_extension("decided", default=())
if not Doc.has_extension("unsure"):
    Doc.set_extension("unsure", default=())
if not Doc.has_extension("unsure_entities"):
    Doc.set_extension("unsure_entities", default=())


@Language.component("sotagraph_sentences")
def _sentences(doc: Doc) -> Doc:
    starts = {0, *(start for start, _ in doc._.reading.bounds)}
    # All at once: setting it token by token checks the whole document each time.
    marks = np.array([1 if at in starts else -1 for at in doc.to_array("IDX").tolist()])
    return doc.from_array(["SENT_START"], cast("Ints2d", marks[:, None].astype(np.uint64)))


@Language.component("sotagraph_abbreviations")
def _abbreviations(doc: Doc) -> Doc:
    reading: Reading = doc._.reading
    reading.abbreviations = abbreviations(reading.text)
    return doc


@Language.component("sotagraph_proposals")
def _proposals(doc: Doc) -> Doc:
    reading: Reading = doc._.reading
    reading.proposals = proposals(reading.text, reading.bounds, reading.abbreviations)
    return doc


@Language.component("sotagraph_urls")
def _urls(doc: Doc) -> Doc:
    reading: Reading = doc._.reading
    reading.urls = [Stretch(start, end, "url") for start, end in urls(reading.text)]
    return doc


@Language.factory("sotagraph_lexicon")
def _lexicon(nlp: Language, name: str) -> Component:  # noqa: ARG001 (spaCy passes both to every factory)
    matcher = LexiconMatcher(lexicon.load())

    def run(doc: Doc) -> Doc:
        doc._.reading.hits = matcher(doc)
        return doc

    return run


class _Tagging:
    """The trained tagger as a component.

    Of a stream it reads a batch at once, since a run of the network leaves nothing else in the caches of the processor:
    what the other components look up would be cold for every single document.
    """

    def __init__(self, tagger: Tagger | None) -> None:
        self._tagger = tagger

    def __call__(self, doc: Doc) -> Doc:
        if self._tagger is not None:
            doc._.reading.prediction = self._tagger.predict(doc._.reading.document.text)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int) -> Iterator[Doc]:
        rest = iter(stream)
        while docs := [self(doc) for doc in islice(rest, batch_size)]:
            yield from docs


@Language.factory("sotagraph_tagger", default_config={"enabled": True})
def _tagger(nlp: Language, name: str, enabled: bool) -> Component:  # noqa: ARG001 (as above)
    return _Tagging(load_tagger() if enabled else None)


@Language.component("sotagraph_entities")
def _entities(doc: Doc) -> Doc:
    reading: Reading = doc._.reading
    doc._.decided, doc._.unsure = decide(reading)
    reading.entities, doc._.unsure_entities = document_entities(reading, doc._.decided, doc._.unsure)
    places = [(a, b, d.kind) for d in doc._.decided for a, b in d.places]
    spans = [doc.char_span(a, b, label=kind) for a, b, kind in places]
    doc.ents = filter_spans([span for span in spans if span is not None])
    return doc


@Language.component("sotagraph_relations")
def _relations(doc: Doc) -> Doc:
    doc._.reading.statements = statements(doc._.reading, doc._.decided)
    return doc


@Language.component("sotagraph_results")
def _results(doc: Doc) -> Doc:
    reading: Reading = doc._.reading
    bounds = [reading.original(start, end) for start, end in reading.bounds]
    seen = reading.prediction
    # A quantity is a metric of the paper where a result hangs on it (guideline 7): unsure ones stay if one does.
    unsure = doc._.unsure_entities
    offered = (*reading.entities, *unsure)
    reading.results = find_results(
        reading.document,
        bounds,
        offered,
        lexicon=lexicon.load(),
        number_hints=number_hints(seen) if seen is not None else None,
        slot_hints=slot_hints(seen, offered, SLOT_HINT_WEIGHTS) if seen is not None else None,
    )
    measured = {result.metric for result in reading.results}
    reading.entities = (*reading.entities, *(entity for entity in unsure if entity.name in measured))
    return doc


@Language.component("sotagraph_confidence")
def _confidence(doc: Doc) -> Doc:
    """Last, since what decides compares raw figures."""
    reading: Reading = doc._.reading
    tables = load_tables(model=reading.prediction is not None)
    reading.entities, reading.statements, reading.results = calibrate(
        reading.entities, reading.statements, reading.results, tables
    )
    return doc


def document_entities(
    reading: Reading, decided: Sequence[Decided], unsure: Sequence[Decided]
) -> tuple[tuple[DocumentEntity, ...], tuple[DocumentEntity, ...]]:
    """Decided names as entities of the document: the sure ones, and metrics that only a result would make sure."""
    forms = {reading.text[a:b] for d in (*decided, *unsure) for a, b in d.places}
    sure = tuple(_entity(reading, d, _measure_words(d, decided) | _scores(reading, d, forms)) for d in decided)
    taken = {form for entity in sure for form in (entity.name, *entity.aliases)}
    return sure, tuple(_entity(reading, d, _scores(reading, d, forms)) for d in unsure if d.name not in taken)


def _scores(reading: Reading, decided: Decided, taken: set[str]) -> set[str]:
    """The forms of a metric with "score" behind it, where the document writes it so: "F1 score" for F1.

    A form that is `taken` is a name of its own.
    """
    if decided.kind != "metric":
        return set()
    return set(score_forms(decided.places, reading.text)) - taken


def _measure_words(decided: Decided, others: Iterable[Decided]) -> set[str]:
    """The known measure at the end of a metric's modified name (the accuracy of "forecasting accuracy").

    It is another form of the name while the document has no second metric that ends with it; of a measure that is known
    by its whole name (mean average precision, word error rate) it is none.
    """
    if decided.kind != "metric":
        return set()
    out: set[str] = set()
    rival = [d.name.lower() for d in others if d.kind == "metric" and d is not decided]
    for surface in decided.cluster.surfaces:
        if is_measure(surface):
            continue
        words = surface.split()
        tails = (" ".join(words[i:]) for i in range(1, len(words)))
        out |= {t for t in tails if is_measure(t) and not any(r.endswith(t.lower()) for r in rival)}
    return out


def _entity(reading: Reading, decided: Decided, more: set[str]) -> DocumentEntity:
    text = reading.document.text
    mentions = []
    for start, end in decided.places:
        a, b = reading.original(start, end)
        mentions.append(
            Mention(
                text=text[a:b],
                kind=decided.kind,
                start=a,
                end=b,
                role=decided.role,
                confidence=decided.confidence,
                rule=_rule(decided),
            )
        )
    forms = {reading.text[a:b] for a, b in decided.places} | more
    long = decided.cluster.long if decided.cluster.short else ""
    return DocumentEntity(
        name=decided.name,
        kind=decided.kind,
        aliases=tuple(sorted(forms - {decided.name})),
        long_form=long if long in forms else "",
        role=decided.role,
        confidence=decided.confidence,
        mentions=tuple(mentions),
    )


def _rule(decided: Decided) -> str:
    """The sources that proposed a name, the surest first, and those of one construction last."""
    order = ("proposal", "short form", "long form", "lexicon", "emphasis", "model", "quotes", "shape")
    seen = {source for source, _ in decided.cluster.sources}
    return " + ".join([*(source for source in order if source in seen), *sorted(seen.difference(order))])


@cache
def build_pipeline(*, model: bool = True) -> Language:
    """The composed pipeline, made once a process; `model` False leaves the trained tagger out.

    >>> nlp = build_pipeline(model=False)
    >>> tuple(nlp.pipe_names) == COMPONENTS
    True
    """
    nlp = spacy.blank("en")
    tokenizer = cast("Any", nlp.tokenizer)
    tokenizer.max_cache_size = _TOKENIZED
    # The fps of "40fps" is a token, as other units are.
    tokenizer.suffix_search = compile_suffix_regex([*(nlp.Defaults.suffixes or ()), GLUED_RATE]).search
    for name in COMPONENTS:
        nlp.add_pipe(name, config={"enabled": model} if name == "sotagraph_tagger" else {})
    return nlp


def read_doc(document: Document, nlp: Language) -> Doc:
    """Run a pipeline on one document and return the spaCy `Doc` with its reading."""
    return nlp(_unread(document, nlp))


def _unread(document: Document, nlp: Language) -> Doc:
    """A document as the first component takes it."""
    reading = read_document(document)
    doc = nlp.make_doc(reading.text)
    doc._.reading = reading
    return doc


class Extractor:
    """Documents in, extractions out: one document at a time, the same bytes every time.

    >>> paper = Document(id="a", text="We propose FooNet, a novel network for image captioning.")
    >>> one = Extractor(model=False).extract(paper)
    >>> [(e.name, e.kind, e.role) for e in one.entities if e.role == "proposed"]
    [('FooNet', 'method', 'proposed')]
    """

    def __init__(self, *, model: bool = True) -> None:
        self._nlp = build_pipeline(model=model)
        tagger = load_tagger() if model else None
        digest = tagger.version if tagger else "rules"
        self.version = f"sotagraph {__version__} ({digest}; {_digest()})"

    def read(self, document: Document) -> Doc:
        """The spaCy `Doc` of one document, with ``doc._.reading`` and ``doc._.decided`` for a closer look."""
        return read_doc(document, self._nlp)

    def extract(self, document: Document) -> Extraction:
        """All that one document says."""
        return self._told(self.read(document))

    def pipe(self, documents: Iterable[Document]) -> Iterator[Extraction]:
        """Extractions in the order of the documents, of which some are read ahead; faster than one by one."""
        unread = (_unread(document, self._nlp) for document in documents)
        return map(self._told, self._nlp.pipe(unread, batch_size=BATCH))

    def _told(self, doc: Doc) -> Extraction:
        reading: Reading = doc._.reading
        return Extraction(
            document=reading.document,
            entities=reading.entities,
            statements=reading.statements,
            results=reading.results,
            extractor=self.version,
        )


@cache
def _digest() -> str:
    """Digest of weights, lexicon and rules: a build extracts anew when any of them changes."""
    import hashlib
    from importlib import resources

    home = resources.files("sotagraph")
    data = ("decision-model.json", "decision-rules.json", "results.json", "calibration.json", "lexicon.tsv")
    rules = sorted(path.name for path in home.joinpath("extract").iterdir() if path.name.endswith(".py"))
    files = [*(home.joinpath("data", name) for name in data), *(home.joinpath("extract", name) for name in rules)]
    whole = hashlib.sha256()
    for path in (*files, home.joinpath("names.py")):
        # Line ends differ between checkouts, what they say does not.
        whole.update(path.read_bytes().replace(b"\r\n", b"\n") if path.is_file() else b"")
    return whole.hexdigest()[:8]
