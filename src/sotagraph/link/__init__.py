"""From the names of single papers to the things of a corpus: joins, splits and variants, each with its reason.

Order of trust: a correction, a definition in some paper, the lexicon, the paper that coins a name, the context of a
bare name. Names are never joined because they look alike; what looks alike and was kept apart is listed by
`sotagraph.duplicates`. The outcome depends on the papers and corrections alone, not on their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from sotagraph.corrections import Correction
from sotagraph.link.atoms import Lexicon, atoms_of, papers
from sotagraph.link.correct import correct_senses, correct_statements
from sotagraph.link.correct_results import correct_results
from sotagraph.link.entities import to_entities
from sotagraph.link.family import families
from sotagraph.link.lift import Names, names_of, occurrences, results, statements, told_things, wider_ids
from sotagraph.link.narrower import part_phrases
from sotagraph.link.prepare import prepare
from sotagraph.link.senses import assign
from sotagraph.link.things import things_of
from sotagraph.model import PAPER, Extraction, Knowledge, Result, Statement

__all__ = ["Lexicon", "link"]


def link(
    extractions: Iterable[Extraction],
    *,
    lexicon: Lexicon,
    corrections: Sequence[Correction] = (),
    warn: Callable[[str], None] | None = None,
) -> Knowledge:
    """The linked corpus of some papers, the same for every order of the papers.

    `warn` is told of papers that are there twice and of corrections that no longer match anything.

    >>> from sotagraph.model import Document, DocumentEntity
    >>> class Nothing:
    ...     def lookup(self, name: str) -> tuple[()]: return ()
    >>> def paper(key: str, name: str) -> Extraction:
    ...     entity = DocumentEntity(name=name, kind="dataset")
    ...     return Extraction(document=Document(id=key, text=name), entities=(entity,))
    >>> knowledge = link([paper("a", "MiniF2F"), paper("b", "miniF2F")], lexicon=Nothing())
    >>> [(e.id, e.name, e.aliases) for e in knowledge.entities]
    [('dataset/minif2f', 'MiniF2F', ('miniF2F',))]
    """
    corpus = papers(extractions)
    tell = warn or _silent
    for left, kept in corpus.shadowed:
        tell(f"{left}: the same paper as {kept} by its identifiers; {kept} stands for both")
    parted = part_phrases(corpus.extractions, lexicon)
    corpus.extractions = parted.extractions
    atoms = atoms_of(corpus.extractions, lexicon)
    prepare(atoms)
    senses = assign(atoms)
    things = things_of(senses)
    if corrections:
        correct_senses(senses, things, corrections, tell)
        things = things_of(senses)
    names = names_of(things)
    said: list[Statement] = []
    scored: list[Result] = []
    tasks: dict[str, str] = {}
    nothing: Names = {}
    for extraction in corpus.extractions:
        own = names.get(extraction.document.id, nothing)
        said += statements(extraction, own)
        scored += results(extraction, own)
        if task := _task(extraction):
            tasks[extraction.document.id] = task
    documents = {e.document.id: e.document for e in corpus.extractions}
    wider = wider_ids(parted.wider, names)
    said = correct_statements(said, things, documents, corrections, tell, wider=wider)
    scored = correct_results(scored, things, documents, corrections, tell)
    spoken = {(s.subject, s.object) for s in said if s.predicate == "variantOf"}
    variants, implied = families(things, spoken, _sentences(corpus.extractions), told=told_things(parted.told, names))
    things += implied
    entities, different = to_entities(things, senses, tasks)
    return Knowledge(
        documents=tuple(extraction.document for extraction in corpus.extractions),
        entities=tuple(sorted(entities, key=lambda entity: entity.id)),
        occurrences=tuple(occurrences(things)),
        statements=tuple(said + variants),
        results=tuple(scored),
        different=tuple(different),
        ambiguous=tuple(sorted(r for e in entities for r in e.reasons if r.action == "ambiguous")),
    )


def _silent(message: str) -> None:
    """Tell nobody."""


def _task(extraction: Extraction) -> str:
    """What a paper says that it addresses, the first task of its text."""
    said = [s for s in extraction.statements if s.subject == PAPER and s.predicate == "addresses"]
    return min(said, key=lambda s: (s.evidence.start, s.object)).object if said else ""


def _sentences(extractions: Iterable[Extraction]) -> dict[str, list[tuple[int, int]]]:
    """The sentences that evidence names, by document."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for extraction in extractions:
        places = [said.evidence for said in extraction.statements] + [score.evidence for score in extraction.results]
        found[extraction.document.id] += [(place.start, place.end) for place in places]
    return found
