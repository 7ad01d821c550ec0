"""What speaks for and against a cluster being a name, as a set of named facts that a linear model weighs.

A feature is a word such as ``model method .9`` or ``proposal dataset``. Numbers are cut into bins, so that every
weight can be read and every decision explained by the few features that made it. Features that start with ``model``
come from the trained tagger; without it the others decide, by weights of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from string import ascii_letters

import numpy as np

from sotagraph import lexicon
from sotagraph.extract.clauses import Clauses
from sotagraph.extract.clusters import Cluster
from sotagraph.extract.encoding import KINDS, RELATION_LABELS, ROLE_LABELS
from sotagraph.extract.nouns import linked_before, linked_behind, list_members, noun_facts
from sotagraph.extract.parts import names_in
from sotagraph.extract.reading import Reading
from sotagraph.extract.shapes import HEADS, is_capitalised_word, looks_named
from sotagraph.extract.tagger import Array
from sotagraph.extract.titles import is_titled
from sotagraph.variants import parents

__all__ = ["View", "kind_features", "role_features"]

_EDGES = (0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.96, 0.985)
# Each branch begins with a letter, for which the engine looks fast; whether a word begins there is asked behind it.
_BEFORE = {
    "compare": r"compared (?:to|with)|in comparison (?:to|with)|comparable to|on par with|relative to",
    "than": r"\bthan\b",
    "outperform": r"outperform\w*|surpass\w*|exceed\w*|beat(?:s|ing)?|superior to|improv\w+ (?:up)?on|over\b",
    "unlike": r"unlike|in contrast to|as opposed to|instead of|rather than|alternative to|existing|prior|previous"
    r"|baselines?|state-of-the-art",
    "such as": r"such as|including|e\.g\.|like\b|namely",
    "use": r"u(?<=\bu)s(?:e|es|ing)\b|leverag\w+|adopt\w*|employ\w*|appl(?:y|ies|ying)\b"
    r"|incorporat\w+|integrat\w+|combin\w+|adapt\w*|utiliz\w+",
    "built on": r"b(?:ased|uilt|uild\w*) (?:up)?on|rel(?:y|ies|ying) (?:up)?on|extend\w*|inspired by"
    r"|fine-?tun\w+|train\w*|initiali[sz]ed from|via\b|with\b|through\b",
    "evaluate": r"evaluat\w+|experiments?|validat\w+|test(?:ed|s|ing)?|benchmark\w*|results?|performance"
    r"|achiev\w+|score\w*",
    "on": r"o(?<=\bo)n(?: the| both)?$|o(?<=\bo)n (?:[\w-]+ ){0,3}$|a(?<=\ba)cross\b",
    "dataset": r"datasets?|benchmarks?|corpora|corpus|suites?",
    "propose": r"propos\w+|introduc\w+|present\w*|develop\w*|releas\w+|construct\w*|curat\w+",
    "called": r"called|named|termed|dubbed|denoted",
    "our": r"\bour\b",
    "consist": r"consist\w*|compris\w+|compos\w+|contain\w*|components?|modules?|featur\w+|equipped with",
    "measure": r"in terms of|measured by|metrics?|improv\w+|reduc\w+|increas\w+|higher|lower|better",
    "problem": r"address\w*|tackl\w+|tasks?|problems?|for\b|solv\w+",
    "variant": r"variants? of|versions? of|special cases?|generali[sz]\w+|recover\w*|subsum\w+|unif\w+",
}
#: A run of letters that stands in whatever the pattern of the same name matches: few windows hold one for a pattern.
_CUES = {
    "compare": r"compar|^par$|relative",
    "than": r"^than$",
    "outperform": r"outperform|surpass|exceed|beat|superior|improv|over$",
    "unlike": r"unlike|contrast|opposed|instead|rather|alternative|existing|prior|previous|baseline|state$",
    "such as": r"such$|including|e$|like$|namely",
    "use": r"^us|leverag|adopt|employ|appl|incorporat|integrat|combin|adapt|utiliz",
    "built on": r"based|built|build|rel(?:y|ies|ying)$|extend|inspired|tun|train|initiali|via$|with$|through$",
    "evaluate": r"evaluat|experiment|validat|test|benchmark|result|performance|achiev|score",
    "on": r"^on$|^across$",
    "dataset": r"dataset|benchmark|corpora|corpus|suite",
    "propose": r"propos|introduc|present|develop|releas|construct|curat",
    "called": r"called|named|termed|dubbed|denoted",
    "our": r"^our$",
    "consist": r"consist|compris|compos|contain|component|module|featur|equipped",
    "measure": r"terms$|measured|metric|improv|reduc|increas|higher|lower|better",
    "problem": r"address|tackl|task|problem|for$|solv",
    "variant": r"variant|version|special|generali|recover|subsum|unif",
}
#: These are matched right behind a name.
_AFTER = {
    "head": r"[\s\-]*(?:[\w-]+ )?(?P<head>" + "|".join(sorted(HEADS, key=len, reverse=True)) + r")\b",
    "wins": r"[^.;]{0,40}?\b(?:outperform|surpass|achiev|improv|reduc|exceed|attain|yield|demonstrat"
    r"|enabl|consist|provid|leverag|introduc|employ|us)\w*",
    "is a": r"[\s,]*(?:\([^)]*\)\s*)?(?:,| is| are| -)\s+(?:an?|the|our)\b",
    "bracket number": r"\s*\(\s*[+-]?\d",
    "number": r"[\s:(]*[+-]?\d",
    "based": r"-(?:based|style|like|trained|guided|driven|powered)",
}
# They are matched against lower-case text: ignoring case would take the engine thrice as long.
_BEFORE_RE = {name: re.compile(pattern) for name, pattern in _BEFORE.items()}
_CUES_RE = {name: re.compile(pattern) for name, pattern in _CUES.items()}
_LETTERS = re.compile(r"[a-z]+")
_AFTER_RE = {name: re.compile(pattern) for name, pattern in _AFTER.items()}
#: Letters before a name that count as near.
_NEAR = 28
_CUT_WORD = re.compile(r"\w\w")
_RESULT = 0.5
#: From this on a name that the model reads as proposed counts as the paper's own.
_OWN = 0.5
_GAPS = (6, 15, 30, 60, 120)
#: Places of a name that are looked at; what stands around the later ones adds little.
_MOST_PLACES = 8
_SPLIT = re.compile(r"[\s-]+")
#: Parts of coined names that tell their kind wherever they stand.
_TELLING_PARTS = ("bench", "qa", "net", "former", "gpt", "llm", "eval", "rl", "po", "arena", "vl")
#: Letters beside a name in which the word beside it is looked for.
_WORD = 30
_WORD_BEHIND = re.compile(r"\s*([A-Za-z]+|[^\w\s])")
#: The plural of an acronym: CVIs.
_ACRONYMS = re.compile(r"[A-Z]s$")
#: Shorter words of a long form may be small in a title.
_LEAST_LETTERS = 3
_SIZE = re.compile(r"-?\d+(?:\.\d+)?[BMK]\b")


def _bin(value: float) -> int:
    """The step that a probability reaches: 0 to the number of `_EDGES`."""
    return bisect_right(_EDGES, value)


#: What the model says of each kind, by the step that a figure reaches: asked for every name, so spelt once.
_KIND_STEPS = tuple(
    tuple([f"model {kind} {what} {step}" for step in range(len(_EDGES) + 1)] for what in ("max", "mean", "optional"))
    for kind in KINDS
)
#: The same for roles and relations, where a figure is said as all the steps that it reaches.
_ROLE_STEPS = tuple(
    tuple(
        tuple([f"model {label} {what} >={step}" for step in range(1, len(_EDGES) + 1)] for what in ("max", "mean"))
        for label in labels
    )
    for labels in (ROLE_LABELS, RELATION_LABELS)
)


class View:
    """One reading with its tagger's figures laid out for looking up by offset.

    `spans` are the model's own names as half-open ranges with their kinds.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        prediction = reading.prediction
        self.prediction = prediction
        self.shared: dict[tuple[tuple[int, int], ...], frozenset[str]] = {}
        self.spans: dict[tuple[int, int], str] = {}
        if prediction is not None:
            words = prediction.encoded.words
            self._starts = [w.start for w in words]
            #: (words, core kinds then optional kinds)
            self._kinds = np.concatenate([prediction.core(), prediction.optional()], axis=1)
            # A number that is a result, by the model: neither nothing nor optional.
            told = prediction.numbers[:, 1:-1].sum(axis=1).tolist()
            sure = [i for i in prediction.encoded.numbers if told[i] > _RESULT]
            self._results = [words[i].start for i in sure]
            # Cut as candidates are: what the model reads as "F1 score" is the name F1.
            self.spans = {
                name: span.kind
                for span in prediction.spans()
                for name in names_in(words[span.first].start, words[span.last - 1].end, reading.text)
            }
        self._begins, self._finishes = self._known()
        self._places = sorted({*self.spans, *((hit.start, hit.end) for hit in reading.hits)})
        self._end_of, self._begin_of = dict(self._places), {end: start for start, end in reversed(self._places)}

    def _known(self) -> tuple[dict[int, set[str]], dict[int, set[str]]]:
        """What the lexicon and the model know without doubt, by where it begins and by where it ends."""
        begins: dict[int, set[str]] = {}
        finishes: dict[int, set[str]] = {}
        found = [((start, end), f"model {kind}") for (start, end), kind in self.spans.items()]
        for hit in self.reading.hits:
            kinds = {e.kind for e in hit.entries if not (e.context or e.generic)}
            if len(kinds) == 1:
                found.append(((hit.start, hit.end), f"lexicon {min(kinds)}"))
        for (start, end), what in found:
            begins.setdefault(start, set()).add(what)
            finishes.setdefault(end, set()).add(what)
        return begins, finishes

    @cached_property
    def clauses(self) -> Clauses:
        """The sentences, with what is likely a name and what the paper likely proposes."""
        reading = self.reading
        own = {(p.start, p.end) for p in reading.proposals}
        if self.prediction is not None:
            column = ROLE_LABELS.index("proposed")
            chances = self.prediction.roles[:, column]
            own.update(span for span in self.spans if chances[self.words(*span)[0]] > _OWN)
        return Clauses(reading.text, reading.bounds, known=self._places, own=own)

    def beside(self, start: int, end: int) -> Iterator[str]:
        """Facts about the names before and behind a place in a list."""
        text = self.reading.text
        before, behind = linked_before(start, text), linked_behind(end, text)
        right = set() if behind is None else self._begins.get(behind, set())
        left = set() if before is None else self._finishes.get(before, set())
        yield from (f"beside {what}" for what in right | left)
        yield from (f"between {what}" for what in right & left)

    def nouns(self, start: int, end: int) -> Iterator[str]:
        """Facts about the nouns beside a place and beside the list it stands in."""
        text, bounds = self.reading.text, self.reading.bounds
        members = list_members(start, end, text, self._end_of, self._begin_of)
        yield from noun_facts(start, end, text, bounds[self.reading.sentence_of(start)], members)

    def is_titled(self, cluster: Cluster) -> bool:
        """Whether the title of the paper begins with a form of the name."""
        return is_titled(self.reading.document.title, cluster.surfaces)

    def words(self, start: int, end: int) -> tuple[int, int]:
        """Half-open range of the words that lie in a range of the plain text."""
        first = bisect_left(self._starts, start)
        return first, max(first + 1, bisect_left(self._starts, end))

    def kinds(self, places: Sequence[tuple[int, int]]) -> list[list[float]]:
        """For each place the probabilities of the core kinds, then of the optional ones: the mean over its words."""
        out: list[list[float]] = []
        for start, end in places:
            a, b = self.words(start, end)
            if a < len(self._kinds):
                # A mean costs far more than a look-up, and most names are one word.
                row = self._kinds[a] if b == a + 1 else self._kinds[a:b].sum(axis=0) / (b - a)
                out.append(row.tolist())
        return out

    def first_rows(self, values: Array, places: Sequence[tuple[int, int]]) -> list[list[float]]:
        """For each place the row of its first word."""
        first = [a for start, end in places if (a := self.words(start, end)[0]) < len(values)]
        rows: list[list[float]] = values[first].tolist()
        return rows

    def gap(self, start: int, end: int) -> int:
        """Characters between a place and the nearest number that is a result, in a bin of `_GAPS`."""
        at = bisect_left(self._results, start)
        near = [abs(end - r) if r >= end else start - r for r in self._results[max(0, at - 1) : at + 1]]
        return bisect_right(_GAPS, min(near, default=1 << 20))


def kind_features(cluster: Cluster, view: View) -> set[str]:
    """Facts about whether, and as what kind, a cluster is a name."""
    facts = {"bias", *_shared(cluster, view), *_wording(cluster, view)}
    facts.update(fact for place in cluster.places[:_MOST_PLACES] for fact in view.nouns(*place))
    if view.prediction is not None:
        facts.update(_model_kind(cluster, view, facts))
    return facts


def _own(cluster: Cluster) -> Iterator[str]:
    """Facts about the name itself and what proposed it."""
    surface = cluster.short or max(cluster.surfaces, key=lambda s: (cluster.surfaces[s], s))
    shape, facts = _spelling(surface)
    yield from facts
    for source, kind in cluster.sources:
        if source != "model":
            yield f"from {source}"
            if kind:
                yield f"from {source} {kind}"
    yield from (f"rule {rule}" for rule in cluster.rules)
    if cluster.short and cluster.long:
        yield "defined"
        yield from (f"defined long head {kind}" for kind in _heads(cluster.long))
        yield from _definition(cluster)
    elif all(_ACRONYMS.search(s) for s in cluster.surfaces):
        yield "only plural"
    yield from (f"head {kind}" for s in cluster.surfaces for kind in _heads(s))
    kinds = {e.kind for e in cluster.entries}
    strong = {e.kind for e in cluster.entries if not e.context}
    if surface.partition("@")[0].lower() in _cut_measures() and "@" in surface:
        kinds, strong = kinds | {"metric"}, strong | {"metric"}
    for kind in kinds:
        yield f"lexicon {kind}{'' if kind in strong else ' context'}"
    if any(e.generic for e in cluster.entries):
        yield "lexicon generic"
    if not kinds:
        yield "lexicon none"
        yield f"lexicon none shape {shape}"
        yield from (fact for one in sorted(cluster.surfaces) for fact in _akin(one))
    yield f"count {min(sum(cluster.surfaces.values()), 5)}"


def _definition(cluster: Cluster) -> Iterator[str]:
    """How a long form is written: classes of things are defined in lower case and in the plural, names as titles."""
    words = [word for word in cluster.long.split() if word.isalpha() and len(word) > _LEAST_LETTERS]
    capitals = sum(word[0].isupper() for word in words)
    opens = capitals == 1 and len(words) > 1 and words[0][0].isupper()
    case = "lower" if not capitals or opens else "title" if capitals == len(words) else "mixed"
    number = "plural" if _ACRONYMS.search(cluster.short) or cluster.long.endswith("s") else "single"
    shape = "lexicon" if cluster.entries else "new"
    yield f"defined {case}"
    yield f"defined {number}"
    yield f"defined {case} {number} {shape}"


@lru_cache(maxsize=1 << 14)
def _akin(surface: str) -> tuple[str, ...]:
    """What the lexicon has by another spelling (Llama, BLIP2), or as what the name is a variant of (Gemma2-9B)."""
    if not any(c.isupper() or c.isdigit() for c in surface):
        return ()
    if found := {entry.kind for entry in lexicon.load().lookup(surface)}:
        return tuple(f"lexicon spelling {kind}" for kind in sorted(found))
    bases = {base.name for kind in ("method", "dataset") for level in parents(surface, kind) for base in level}
    found = {entry.kind for base in bases for entry in lexicon.load().lookup(base)}
    return tuple(f"lexicon variant {kind}" for kind in sorted(found))


@lru_cache(maxsize=1 << 14)
def _spelling(surface: str) -> tuple[str, tuple[str, ...]]:
    """The shape of a name, and the facts that its letters alone tell."""
    tokens = surface.split()
    coined = sum(looks_named(t) for t in tokens)
    shape = (
        "coined"
        if coined == len(tokens)
        else "part"
        if coined
        else "capital"
        if is_capitalised_word(tokens[0])
        else "lower"
    )
    facts = [f"shape {shape} {min(len(tokens), 4)}", f"shape {shape}"]
    if _SIZE.search(surface):
        facts.append("shape size")
    if any(c.isdigit() for c in surface):
        facts.append("shape digit")
    if surface.isupper():
        facts.append(f"shape upper {min(len(surface), 6)}")
    if tokens[-1].lower() in _measures():
        facts.append("tail measure")
    return shape, tuple(facts)


def _wording(cluster: Cluster, view: View) -> Iterator[str]:
    """The words and letters that kinds of names begin and end with, and the words beside a name."""
    for surface in cluster.surfaces:
        yield from _letters(surface.lower())
    text = view.reading.text
    for start, end in cluster.places[:_MOST_PLACES]:
        if before := _word_before(text[max(0, start - _WORD) : start]):
            yield f"word before {before}"
        if behind := _WORD_BEHIND.match(text, end, end + _WORD):
            yield f"word behind {behind[1].lower()}"


def _word_before(text: str) -> str:
    """The letters at the end of a text, or its last character if that is a sign; a pattern would try every place."""
    text = text.rstrip()
    if word := text[len(text.rstrip(ascii_letters)) :]:
        return word.lower()
    last = text[-1:]
    return "" if last.isalnum() or last == "_" else last


@lru_cache(maxsize=1 << 14)
def _letters(surface: str) -> tuple[str, ...]:
    words = _SPLIT.split(surface)
    facts = [f"last word {words[-1]}", f"ends in {surface[-3:]}", f"ends in {surface[-4:]}"]
    if len(words) > 1:
        facts.append(f"first word {words[0]}")
    return (*facts, *(f"holds {part}" for part in _TELLING_PARTS if part in surface))


def _lexicon_and_model(facts: Container[str], means: Sequence[int]) -> Iterator[str]:
    """What the lexicon says together with what the model reads: only a model that is unsure gives way.

    `means` are the steps that the mean probabilities of `KINDS` reach.
    """
    step = max(means)
    kind = KINDS[means.index(step)]
    sure = ("no", "little", "some", "much")[bisect_right((2, 5, 8), step)]
    told = [k for k in KINDS if f"lexicon {k}" in facts] or ["none"]
    yield from (f"lexicon {k} model {kind} {sure}" for k in told)


@cache
def _measures() -> frozenset[str]:
    """Last words of the metrics that the lexicon knows, also in the plural: rate, error, accuracies."""
    words = {form.split()[-1].lower() for e in lexicon.load().entries if e.kind == "metric" for form in e.forms}
    plural = {w[:-1] + "ies" if w.endswith("y") else w + "s" for w in words}
    return frozenset(w for w in words | plural if w.isalpha())


@cache
def _cut_measures() -> frozenset[str]:
    """What the lexicon knows with a cut-off: the pass of pass@1."""
    return frozenset(
        f.partition("@")[0].lower() for e in lexicon.load().entries if e.kind == "metric" for f in e.forms if "@" in f
    )


def _heads(surface: str) -> Iterator[str]:
    word = surface.split()[-1].lower()
    if kind := HEADS.get(word):
        yield kind


def _shared(cluster: Cluster, view: View) -> frozenset[str]:
    """Facts about a name itself and what stands around it; looked up once, since kind and role both ask."""
    key = tuple(cluster.places)
    if key not in view.shared:
        view.shared[key] = frozenset((*_own(cluster), *_around_places(key[:_MOST_PLACES], view)))
    return view.shared[key]


def _around_places(places: Sequence[tuple[int, int]], view: View) -> Iterator[str]:
    text, bounds = view.reading.text, view.reading.bounds
    for start, end in places:
        low, high = bounds[view.reading.sentence_of(start)]
        before, after = text[max(low, start - 60) : start], text[end : min(high, end + 60)]
        cut = len(before) > _NEAR and _CUT_WORD.match(before, len(before) - _NEAR - 1) is not None
        near, before, after = before[-_NEAR:].lower(), before.lower(), after.lower()
        yield from view.beside(start, end)
        for name in _cued(before) | _cued(near) if cut else _cued(before):
            pattern = _BEFORE_RE[name]
            if pattern.search(before):
                yield f"before {name}" if pattern.search(near) else f"earlier {name}"
            elif cut and pattern.match(near):  # what `near` leaves of a word may look like another
                yield f"before {name}"
        for name, pattern in _AFTER_RE.items():
            if match := pattern.match(after):
                yield f"after {name}" if name != "head" else f"after head {HEADS[match['head']]}"
    first = places[0][0] / max(1, len(text))
    yield f"place {min(int(first * 5), 4)}"


def _cued(text: str) -> set[str]:
    """Names of the patterns of `_BEFORE` that may match in a text in small letters; the others cannot."""
    return {name for word in _LETTERS.findall(text) for name in _cued_by(word)}


@lru_cache(maxsize=1 << 14)
def _cued_by(word: str) -> tuple[str, ...]:
    return tuple(name for name, pattern in _CUES_RE.items() if pattern.search(word))


def _model_kind(cluster: Cluster, view: View, facts: Container[str]) -> Iterator[str]:
    """What the model says of the kind; `facts` are those of the other sources."""
    columns = list(zip(*view.kinds(cluster.places), strict=True))
    if not columns:
        return
    means: list[int] = []
    for steps, core, optional in zip(_KIND_STEPS, columns[: len(KINDS)], columns[len(KINDS) :], strict=True):
        highest, mean, weaker = steps
        means.append(_bin(sum(core) / len(core)))
        yield highest[_bin(max(core))]
        yield mean[means[-1]]
        yield weaker[_bin(max(optional))]
    yield from _lexicon_and_model(facts, means)
    exact = [view.spans.get(place) for place in cluster.places]
    for kind_seen in {k for k in exact if k}:
        yield f"model exact {kind_seen}"
    gap = min(view.gap(a, b) for a, b in cluster.places)
    yield f"model result gap {gap}"
    if "metric" in exact:
        yield f"model exact metric gap {gap}"
    share = sum(k is not None for k in exact) / len(exact)
    yield f"model exact share {int(share * 4)}"
    if not share:
        inside = any(a <= s and e <= b for s, e in cluster.places for a, b in view.spans)
        yield (
            "model inside a longer" if inside else "model around a shorter" if _around(cluster, view) else "model apart"
        )


def _around(cluster: Cluster, view: View) -> bool:
    return any(s <= a and b <= e for s, e in cluster.places for a, b in view.spans)


def role_features(cluster: Cluster, kind: str, view: View, *, proposes: bool) -> set[str]:
    """Facts about the role of a decided name; `proposes` says whether the paper proposes anything by a rule."""
    facts = {"bias", f"kind {kind}", f"proposes {proposes}", *_shared(cluster, view)}
    facts |= view.clauses.facts(cluster.places[:_MOST_PLACES])
    if view.prediction is not None:
        facts.update(_model_role(cluster, view))
    return facts


def _model_role(cluster: Cluster, view: View) -> Iterator[str]:
    """What the model says of the role, each figure as all the steps that it reaches.

    So the weights of neighbouring steps hold each other, and a step seldom seen says what those below it say.
    """
    assert view.prediction is not None
    exact = [place for place in cluster.places if place in view.spans] or cluster.places
    for steps, told in zip(_ROLE_STEPS, (view.prediction.roles, view.prediction.relations), strict=True):
        # Without a row there is no column, and nothing to say.
        for (highest, mean), values in zip(steps, zip(*view.first_rows(told, exact), strict=True), strict=False):
            yield from highest[: _bin(max(values))]
            yield from mean[: _bin(sum(values) / len(values))]
