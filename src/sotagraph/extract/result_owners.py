"""Names that stand so close to a number that they can belong to no other: "91.2 % on A", "B (84.1)", "an F1 of 0.9".

What a name is tied to keeps it from every other number of the sentence, which distance alone does not.
"""

from __future__ import annotations

from functools import lru_cache

from sotagraph.extract.result_constructions import run_of
from sotagraph.extract.result_context import EXCEEDS, Line, cue, stem, stems

__all__ = ["governor", "groups", "owners"]

_SEPARATORS = stems(", and or / & - +")
_SKIP = stems(
    "the a an our its their proposed standard strong state-of-the-art sota existing previous prior best "
    "vanilla original "

    "challenging popular average model models baseline baselines method methods competitive recent base")  # fmt: skip
_COMPARING = stems("than over against vs versus") | EXCEEDS
_COMPARED = stems("compared comparison relative respect contrast comparable")
_PLACING = stems("on in for across under at within")
_SMALL = stems(
    "up to over about around approximately nearly only just a an the average of more than ~ + ≈ score scores"
)
_NEAR = 8


@lru_cache(maxsize=32)
def groups(line: Line, kind: str) -> list[list[int]]:
    """Positions of the names of one kind, as parallel lists: "A, B and C" is one list of three."""
    out: list[list[int]] = []
    for position in line.names(kind):
        if out and _parallel(line, out[-1][-1], position):
            out[-1].append(position)
        else:
            out.append([position])
    return out


def _parallel(line: Line, first: int, second: int) -> bool:
    between = line.items[first + 1 : second]
    if len(between) > 6 or any(item.kind == "number" for item in between):
        return False
    texts = [item.text for item in between]
    return (not texts or bool(set(texts) & _SEPARATORS)) and all(
        text in _SEPARATORS or text in _SKIP or text in "()" or line.depth[first + 1 + i]
        for i, text in enumerate(texts)
    )


@lru_cache(maxsize=256)
def governor(line: Line, place: int) -> tuple[str, str, int]:
    """The word that governs a name (for a name in a list, the one before the list), its class and its position.

    Classes: ``versus`` (than, over, compared to), ``in`` (on, for, across) and those of `result_context.CUES`.
    """
    group = next((g for g in groups(line, line.text(place).lower()) if place in g), [place])
    position = group[0] - 1
    while position > 0 and (line.text(position) in _SKIP or line.text(position) in "(\"'") and group[0] - position <= 6:
        position -= 1
    word, earlier = line.text(position), line.text(position - 1)
    if word in _COMPARING or (word in ("to", "with") and earlier in _COMPARED):
        return word, "versus", position
    return word, "in" if word in _PLACING else cue(word), position


@lru_cache(maxsize=256)
def owners(line: Line, place: int) -> frozenset[int]:
    """Indices of the numbers that a name is tied to; empty for a name that stands free."""
    after = _number_after(line, place)
    if after is not None:
        return frozenset((after,))
    kind = line.text(place)
    if kind == "METRIC" and (before := _number_before(line, place - 1, 4, strict=True)) is not None:
        return _run(line, before)
    _, governed, position = governor(line, place)
    if governed == "in" or (governed == "versus" and kind == "METHOD"):
        start = position - 2 if line.text(position) in ("to", "with") and governed == "versus" else position - 1
        before = _number_before(line, start, _NEAR, strict=False)
        if before is not None:
            return _run(line, before)
    return frozenset()


def _run(line: Line, index: int) -> frozenset[int]:
    return frozenset(run_of(line, index))


def _number_after(line: Line, place: int) -> int | None:
    """The number right after a name: in brackets, or behind "of" for a metric."""
    position = place + 1
    opened = line.text(position) == "("
    if not opened and not (line.text(place) == "METRIC" and line.text(position) in ("of", "=", ":", "score")):
        return None
    for later in range(position + 1, min(position + 6, len(line.items))):
        item = line.items[later]
        if item.kind == "number":
            return item.quantity
        if item.text not in _SMALL and item.text not in ("+", "="):
            return None
    return None


def _number_before(line: Line, start: int, reach: int, *, strict: bool) -> int | None:
    """The nearest number to the left, unless a clause ends between; `strict` allows no preposition either."""
    for position in range(start, max(-1, start - reach), -1):
        item = line.items[position]
        if item.kind == "number":
            return item.quantity
        if item.text in (",", ";", "and", "—", ":", stem("while")) or item.participle:
            return None
        if strict and (
            item.text in _PLACING or item.text in ("(", ")", "to", "by", "with", "than") or item.kind == "name"
        ):
            return None
    return None
