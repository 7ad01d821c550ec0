"""Candidates of one document gathered into names: every spelling, short and long form of one thing together.

Joined are spellings with one key (`group_key`: case, dashes, plural, generic heads), a short form with the long form
that defines it, and two forms of one lexicon entry. For each cluster all its places in the text are found, so that a
name seen once is seen everywhere.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sotagraph.extract.abbreviations import capitals, initials, spells
from sotagraph.extract.candidates import Candidate
from sotagraph.extract.parts import names_in
from sotagraph.extract.reading import Reading
from sotagraph.extract.shapes import strip_heads
from sotagraph.lexicon import LexiconEntry
from sotagraph.names import form

__all__ = ["Cluster", "clusters", "group_key"]

_TAIL = re.compile(r" (?:tasks?|problems?|settings?|datasets?|benchmarks?|metrics?|scores?|algorithms?)$")


@dataclass(slots=True)
class Cluster:
    """One possible name: its surfaces with their counts, its places, and what proposed it."""

    surfaces: Counter[str] = field(default_factory=Counter)
    #: Half-open ranges of the plain text, sorted, none twice.
    places: list[tuple[int, int]] = field(default_factory=list)
    #: (source, kind) of every candidate.
    sources: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    entries: tuple[LexiconEntry, ...] = ()
    short: str = ""
    long: str = ""
    rules: set[str] = field(default_factory=set)


_AGGREGATE = re.compile(
    r"^(?:average|mean|overall|total|relative|absolute|final|median|higher|lower|better|improved|downstream) (?=\w)"
)


_SPACES = str.maketrans("\n\t\r\u00a0", "    ")


#: The plural of an acronym, whose s is never of the word: CVIs, MoEs.
_ACRONYMS = re.compile(r"(\b[\w-]*[A-Z])s$")


#: Two letters have too many readings.
_LEAST_INITIALS = 3


@lru_cache(maxsize=1 << 14)
def group_key(surface: str) -> str:
    """What spellings of one name in one document share.

    >>> group_key("the GRPO algorithm") == group_key("GRPO"), group_key("large language models")
    (True, 'large language model')
    >>> group_key("CVIs") == group_key("CVI")
    True
    """
    text = form(strip_heads(_ACRONYMS.sub(r"\1", surface)))
    if not any(c.isupper() for c in surface[1:]):
        text = _AGGREGATE.sub("", _TAIL.sub("", text))
    if text.endswith("ies") and len(text) > 5:
        text = text[:-3] + "y"
    elif len(text) > 3 and text.endswith("s") and not text.endswith(("ss", "us", "is")):
        text = text[:-1]
    return text.replace(" ", "") if any(c.isdigit() for c in text) else text


class _Union:
    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, item: str) -> str:
        while (parent := self._parent.setdefault(item, item)) != item:
            item = parent
        return item

    def join(self, a: str, b: str) -> None:
        a, b = sorted((self.find(a), self.find(b)))
        self._parent[b] = a


def clusters(reading: Reading, found: Iterable[Candidate]) -> list[Cluster]:
    """Clusters in the order of their first places."""
    text = reading.text
    union = _Union()
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in found:
        groups[group_key(text[candidate.start : candidate.end])].append(candidate)
    for a in reading.abbreviations:
        union.join(group_key(text[a.short_start : a.short_end]), group_key(text[a.long_start : a.long_end]))
    _join_by_lexicon(reading, groups, union)
    _join_measures(reading, groups, union)
    _join_initials(reading, groups, union)
    merged: dict[str, list[Candidate]] = defaultdict(list)
    for name, items in groups.items():
        if name:
            merged[union.find(name)].extend(items)
    # Line ends inside a name are spaces to a reader; the length stays, and with it the offsets.
    flat = text.translate(_SPACES)
    # The lexicon marks "BLEU score", whose name is BLEU.
    known = [({(h.start, h.end), *names_in(h.start, h.end, text)}, h.entries) for h in reading.hits]
    made = [_cluster(items, reading, flat, known) for items in merged.values()]
    return sorted((c for c in made if c.places), key=lambda c: (c.places[0], min(c.surfaces)))


def _join_by_lexicon(reading: Reading, groups: dict[str, list[Candidate]], union: _Union) -> None:
    first: dict[int, str] = {}
    for hit in reading.hits:
        name = group_key(reading.text[hit.start : hit.end])
        for entry in hit.entries:
            # Context names are ordinary words; a form of theirs elsewhere proves nothing.
            if not entry.context and name in groups:
                union.join(first.setdefault(id(entry), name), name)


def _join_measures(reading: Reading, groups: dict[str, list[Candidate]], union: _Union) -> None:
    """Join "accuracy" with its one modified form in the document ("forecasting accuracy"); with two, all stay apart.

    A form that the lexicon has as a metric of its own is another one (joint goal accuracy).
    """
    own = {
        group_key(reading.text[hit.start : hit.end])
        for hit in reading.hits
        if any(e.kind == "metric" and " " in e.name for e in hit.entries)
    }
    measures = {
        group_key(reading.text[hit.start : hit.end])
        for hit in reading.hits
        if any(e.kind == "metric" for e in hit.entries) and reading.text[hit.start : hit.end].islower()
    }
    for measure in sorted(measures & set(groups)):
        modified = [name for name in groups if name.endswith(" " + measure)]
        if len(modified) == 1 and modified[0] not in own:
            union.join(measure, modified[0])


def _join_initials(reading: Reading, groups: dict[str, list[Candidate]], union: _Union) -> None:
    """Join an acronym with the one phrase of the document that it stands for, though no bracket says so.

    Of any phrase it must have the initials (MTBO); of a capitalised one its capitals are the initials and the other
    letters come from within (QuestA). WordNet is no short form of Word Sense Disambiguation.
    """
    surfaces = {name: reading.text[items[0].start : items[0].end] for name, items in groups.items()}
    phrases = {name: initials(surface) for name, surface in surfaces.items() if " " in surface}
    titles = {name: surfaces[name] for name in phrases if all(w[0].isupper() for w in surfaces[name].split())}
    for name, surface in surfaces.items():
        short = _ACRONYMS.sub(r"\1", surface)
        if name in phrases or not short[0].isupper() or not short.replace("-", "").isalpha():
            continue
        if short.isupper() and len(short) >= _LEAST_INITIALS:
            told = [phrase for phrase, letters in phrases.items() if short.lower() in letters]
        elif sum(map(str.isupper, short)) > 1 and len(short) > _LEAST_INITIALS:
            told = [
                phrase
                for phrase, title in titles.items()
                if capitals(title) == capitals(short) and spells(title, short)
            ]
        else:
            continue
        if len(told) == 1:
            union.join(name, *told)


Known = Sequence[tuple[set[tuple[int, int]], tuple[LexiconEntry, ...]]]


def _cluster(items: list[Candidate], reading: Reading, flat: str, known: Known) -> Cluster:
    text = reading.text
    cluster = Cluster()
    spans = {(c.start, c.end) for c in items}
    for surface in {flat[a:b] for a, b in spans}:
        spans.update(_occurrences(surface, flat))
    cluster.places = sorted(spans)
    cluster.surfaces = Counter(text[a:b] for a, b in cluster.places)
    cluster.sources = Counter((c.source, c.kind) for c in items)
    for names, entries in known:
        if not spans.isdisjoint(names):
            cluster.entries = tuple(dict.fromkeys((*cluster.entries, *entries)))
    for a in reading.abbreviations:
        if (a.short_start, a.short_end) in spans or (a.long_start, a.long_end) in spans:
            cluster.short = cluster.short or text[a.short_start : a.short_end]
            cluster.long = cluster.long or text[a.long_start : a.long_end]
    cluster.rules = {p.rule for p in reading.proposals if (p.start, p.end) in spans}
    return cluster


def _occurrences(surface: str, text: str) -> list[tuple[int, int]]:
    """Places of a surface as a whole name: not inside a longer word, nor before "-7B" or after "Uni-"."""
    # A phrase without capitals also stands at the head of a sentence.
    spellings = {surface, surface[0].upper() + surface[1:]} if surface.islower() else {surface}
    found = []
    for spelling in spellings:
        at = text.find(spelling)
        while at >= 0:
            if _whole(text, at, at + len(spelling)):
                found.append((at, at + len(spelling)))
            at = text.find(spelling, at + 1)
    return found


def _whole(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 2]
    if before.isalnum() or before == "_" or after[:1].isalnum() or after[:1] in ("_", "+", "*"):
        return False
    if after[:1] == "-" and (after[1:].isupper() or after[1:].isdigit()):
        return False
    if after[:1] == "." and after[1:].isdigit():
        return False
    return before != "-" or not _inside_compound(text, start)


def _inside_compound(text: str, start: int) -> bool:
    """Whether a dash joins the place to a coined word before it (the CoT of Uni-CoT)."""
    before = re.search(r"([\w.]+)-$", text[:start][-40:])
    return before is not None and any(c.isupper() for c in before[1])
