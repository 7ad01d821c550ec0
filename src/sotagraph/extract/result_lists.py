"""Lists that go together member by member: "97.8, 83.1 and 94.9 on A, B and C respectively".

The members of a list are counted as they are printed, whether or not they were found as names, so that one that was
missed, or was taken for something else, does not move the others to a neighbour's number.
"""

from __future__ import annotations

from functools import lru_cache

from sotagraph.extract.result_constructions import run_of
from sotagraph.extract.result_context import Line, Page, stem, stems

__all__ = ["RESPECTIVELY", "STRANGER", "counterpart"]

RESPECTIVELY = frozenset((stem("respectively"), stem("respective")))
#: The member that a number goes with is no name that was found.
STRANGER = -1
_BETWEEN = frozenset((",", "and", "or", "&", "/"))
#: What no member of a list has in it.
_OUTSIDE = stems(
    "on in for over across of to from by at than as that which where when while whereas but is are was were has have "
    "with under ; : . — respectively respective compared outperforming achieving outperforms achieves we our it its "
    "using namely"
)
#: A list of so many is hardly as long as another by chance.
_CLEAR = 3
#: What opens a remark on one member, which lasts until the next: "A with 1 label per class, B with 4".
_REMARK = stems("with under")
#: A member has no more words.
_LONGEST = 5


def counterpart(page: Page, line: Line, index: int, kind: str) -> int | None:
    """The entity that the `index`-th number of a line goes with, by its rank in a list as long as that of the numbers.

    Returns `STRANGER` if no name of the kind was found at that rank, and nothing if no such list says anything. Only a
    line that says "respectively" is read like this, and datasets where each number has its metric beside it: "7.3 AP
    and 9.6 VPQ on A and B". A line without a name of the kind takes the list of a line before it.
    """
    numbers = run_of(line, index)
    each = len(numbers) < 2 and kind == "dataset"
    if each:
        numbers = _measured(line, index)
    if len(numbers) < 2:
        return None
    rank = numbers.index(index)
    said = bool(RESPECTIVELY & line.words)
    lists = [members for members in _lists(line) if len(members) == len(numbers)]
    if not line.names(kind):
        return _before(page, line, kind, rank, len(numbers)) if not lists and (said or len(numbers) >= _CLEAR) else None
    lists = [members for members in lists if _is_of(line, members, kind)]
    if len(lists) != 1 or not (said or (each and all(_names(line, places, kind) for places in lists[0]))):
        return None
    names = _names(line, lists[0][rank], kind)
    if names:
        return names[0] if len(names) == 1 else None
    return STRANGER if len(numbers) >= _CLEAR else None


def _measured(line: Line, index: int) -> list[int]:
    """The numbers of a list, the `index`-th among them, of which a metric follows each."""
    found: list[list[int]] = [[]]
    for i, position in enumerate(line.numbers):
        if not any(line.text(p) == "METRIC" for p in range(position + 1, position + 3)):
            found.append([])
            continue
        between = line.items[line.numbers[i - 1] + 1 : position] if i else ()
        if not all(item.text == "METRIC" or item.text in _BETWEEN for item in between):
            found.append([])
        found[-1].append(i)
    return next((some for some in found if index in some), [index])


def _is_of(line: Line, members: list[tuple[int, ...]], kind: str) -> bool:
    """Whether half the members are names of the kind, and two are names at all: "A and outperforms B" is no list."""
    of_kind = [places for places in members if _names(line, places, kind)]
    named = [places for places in members if any(line.items[p].kind == "name" for p in places)]
    return 2 * len(of_kind) >= len(members) and len(named) > 1


def _before(page: Page, line: Line, kind: str, rank: int, length: int) -> int | None:
    """The entity of that rank in the nearest line before that names several of the kind, if it names `length`."""
    for earlier in reversed(page.lines[: line.index]):
        named = list(dict.fromkeys(e for p in earlier.names(kind) for e in earlier.items[p].entities))
        if len(named) > 1:
            return named[rank] if len(named) == length else None
    return None


def _names(line: Line, places: tuple[int, ...], kind: str) -> tuple[int, ...]:
    """The entities of a kind among the items of a member."""
    return tuple(e for p in places if line.text(p) == kind.upper() for e in line.items[p].entities)


def _counts(line: Line, position: int) -> bool:
    return position < len(line.items) and (line.items[position].kind == "number" or line.text(position) == "0")


@lru_cache(maxsize=16)
def _lists(line: Line) -> list[list[tuple[int, ...]]]:
    """The lists of a line that have a name in them: for each member the positions of its items."""
    out: list[list[tuple[int, ...]]] = []
    members: list[list[int]] = [[]]
    remark = False

    def close() -> None:
        nonlocal members, remark
        filled = [tuple(m) for m in members if m]
        if len(filled) > 1 and any(line.items[p].kind == "name" for m in filled for p in m):
            out.append(filled)
        members, remark = [[]], False

    for position, item in enumerate(line.items):
        if line.depth[position] or item.text == ")":
            continue
        if item.text in _BETWEEN:
            remark = False
            if members[-1]:
                members.append([])
        elif remark:
            continue
        elif item.text in _REMARK and _counts(line, position + 1):
            remark = bool(members[-1])
        elif item.kind == "number" or item.text in _OUTSIDE or item.participle:
            close()
        else:
            members[-1].append(position)
            if len(members[-1]) > _LONGEST:
                last = members[-1]
                close()
                members = [last]
    close()
    return out
