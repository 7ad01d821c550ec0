"""Names that are something else than the name tells, seen from what stands around them: half of a pair, a unit."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sotagraph.link.atoms import Atom
from sotagraph.link.definitions import SPELT, USUAL

__all__ = ["part_lists", "part_marks", "part_pairs"]


def part_pairs(atoms: Iterable[Atom]) -> None:
    """See that a name is a corpus, though the lexicon knows another thing by it: the CNN of CNN/Daily Mail.

    Some papers have to write it before a slash and another corpus; others may then write it alone.
    """
    papers: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        if atom.kind == "dataset" and not atom.proposed:
            papers[atom.document.id].append(atom)
    pairs: Counter[str] = Counter()
    halves: list[Atom] = []
    for found in papers.values():
        starts = {m.start for atom in found if not _is_otherwise_known(atom) for m in atom.entity.mentions}
        for atom in found:
            if _is_otherwise_known(atom) and not atom.long_key:
                halves.append(atom)
                ends = (_SLASH.match(atom.document.text, mention.end) for mention in atom.entity.mentions)
                pairs[atom.normal.key] += any(gap and gap.end() in starts for gap in ends)
    for atom in halves:
        atom.apart = "half-of-pair" if pairs[atom.normal.key] >= SPELT else ""


_SLASH = re.compile(r"\s?/\s?")


def _is_otherwise_known(atom: Atom) -> bool:
    """Whether the lexicon knows the name, and not as a thing of the atom's kind."""
    return bool(atom.entries) and all(entry.kind != atom.kind for entry in atom.entries)


def part_lists(atoms: Sequence[Atom]) -> None:
    """See that a short form is a data set, since it stands between data sets, whatever else it may abbreviate.

    *GAP, DPR and WNLI* are data to test on; the DPR of other papers retrieves passages.
    """
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    meant: dict[str, set[str]] = defaultdict(set)
    papers: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        kinds[atom.normal.key][atom.kind] += 1
        papers[atom.document.id].append(atom)
        if atom.long_key:
            meant[atom.short] |= {atom.kind, *(entry.kind for entry in atom.long_entries)}
        meant[atom.normal.key] |= {entry.kind for entry in atom.entries}
    for found in papers.values():
        sure = [atom for atom in found if atom.kind == "dataset" and _is_surely_data(atom, kinds)]
        starts = {mention.start for atom in sure for mention in atom.entity.mentions}
        ends = {mention.end for atom in sure for mention in atom.entity.mentions}
        for atom in found:
            name = atom.entity.name
            if atom.kind != "dataset" or atom.proposed or atom.long_key or not name.isupper() or atom in sure:
                continue
            counts = kinds[atom.normal.key]
            if (
                not meant[atom.normal.key]
                or "dataset" in meant[atom.normal.key]
                or 2 * counts["dataset"] > counts.total()
            ):
                continue
            sides = [_sides(atom.document.text, m.start, m.end, starts, ends) for m in atom.entity.mentions]
            if max(sides, default=0) > bool(atom.entries):
                atom.apart = "listed"


def _is_surely_data(atom: Atom, kinds: Mapping[str, Counter[str]]) -> bool:
    """Whether the lexicon knows a name as a data set and nothing else, or nearly all papers that use it do."""
    if atom.entries:
        return all(entry.kind == "dataset" and not entry.context for entry in atom.entries)
    return _is_mostly_data(kinds[atom.normal.key])


def _is_mostly_data(kinds: Counter[str]) -> bool:
    return kinds["dataset"] >= USUAL * (kinds.total() - kinds["dataset"])


def _sides(text: str, start: int, end: int, starts: set[int], ends: set[int]) -> int:
    """On how many of its sides a name in a list stands beside what is surely a data set."""
    after, before = _NEXT.match(text, end), _NEXT_BEFORE.search(text[max(0, start - 8) : start])
    return (after is not None and after.end() in starts) + (before is not None and start - len(before[0]) in ends)


_NEXT = re.compile(r",? and |, |/")
_NEXT_BEFORE = re.compile(r"(?:,? and |, |/)$")
_UNITS = frozenset(("kb", "mb", "gb", "tb"))
#: What stands before the precision of numbers, which is no share of right answers.
_DIGITS = re.compile(
    r"\b(?:floating[- ]point|half|single|double|full|mixed|numerical|arithmetic|\d+[- ]?bit)[- ]$", re.I
)


def part_marks(atoms: Iterable[Atom]) -> None:
    """See that a name is a unit behind a number (1.7 KB), or a token in square brackets ([CLS]), wherever it stands.

    Floating-point precision is told so where it is first named.
    """
    for atom in atoms:
        text, places = atom.document.text, [(m.start, m.end) for m in atom.entity.mentions]
        if atom.long_key or atom.apart or not places:
            continue
        if atom.normal.key in _UNITS and all(re.search(r"\d\s?$", text[max(0, a - 3) : a]) for a, _ in places):
            atom.apart = "unit"
        elif atom.normal.key == "precision" and _DIGITS.search(text[: places[0][0]][-20:]):
            atom.apart = "digits"
        elif all("[" in text[max(0, a - 1) : a + 1] and text[b : b + 1] == "]" for a, b in places):
            atom.apart = "token"
