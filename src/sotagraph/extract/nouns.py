"""What the noun that goes with a name, or with the whole list it stands in, says of its kind.

"MapBench, an open-source simulator" is data and "the datasets A, B and C" are three, however far C stands from the
noun. The features of `sotagraph.extract.features` look at sixty letters around a name; these follow the list and the
apposition.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from sotagraph.extract.shapes import HEADS, head_kind

__all__ = ["LINK_BEFORE", "LINK_ENDS", "linked_before", "linked_behind", "list_members", "noun_facts"]

Place = tuple[int, int]

#: What stands between two names of a list: a comma or "and", also behind a bracket.
_LINK = r"(?:\s?\([^()]{1,40}\))?(?:\s?[,;/]\s?(?:and |or )?|\s(?:and|or|&)\s)(?:the )?"
_LINK_BEHIND, LINK_BEFORE = re.compile(_LINK), re.compile(_LINK + "$")
#: What a text ends with if that links it to a name behind it: a pattern with many optional parts is sooner left out.
LINK_ENDS = (",", ";", "/", "and", "or", "&", "the")
_REACH = 60
#: What opens a list of examples behind the noun for them: "benchmarks such as", "metrics (", "models: ".
_OPENS = r"(?:,? ?\(?(?:such as|like|including|namely|e\.g\.,?|i\.e\.,?|especially)|\s?[(:—]|,|\s?--+)?"
_NOUN_BEFORE = re.compile(rf"(?<![A-Za-z])(?P<noun>[A-Za-z]+)\b(?P<opens>{_OPENS}) ?(?:the |both )?$")
_NOUN_BEHIND = re.compile(r"\s(?:[a-z][\w-]* ){0,2}?(?P<noun>[a-z]+)\b")
#: "NAME (Long Form), a fast simulator for", "NAME is the first database of".
_IS_A = re.compile(
    r"\s*(?:\([^()]{1,80}\)\s*)?(?:,|\s(?:is|are|as)\b|\s?[—:-]|\s--+)\s*(?:an?|the|our)\s(?P<what>[^.;]{3,120})"
)


def list_members(start: int, end: int, text: str, begins: Mapping[int, int], ends: Mapping[int, int]) -> list[Place]:
    """The other names of the list that a place stands in, in their order.

    `begins` leads from the start of each known name to its end, `ends` the other way round.

    >>> text = "on GSM8K, MATH and AIME."
    >>> list_members(10, 14, text, {3: 8, 19: 23}, {8: 3, 23: 19})
    [(3, 8), (19, 23)]
    """
    out: list[Place] = []
    at = start
    while (last := linked_before(at, text)) is not None and (before := ends.get(last)) is not None:
        out.insert(0, (before, last))
        at = before
    at = end
    while (first := linked_behind(at, text)) is not None and (behind := begins.get(first)) is not None:
        out.append((first, behind))
        at = behind
    return out


def linked_before(start: int, text: str) -> int | None:
    """Where what a comma or "and" links to a place from before ends; None where nothing is linked.

    >>> linked_before(9, "GSM8K or MATH"), linked_before(9, "GSM8K on MATH")
    (5, None)
    """
    said = text[max(0, start - _REACH) : start]
    link = LINK_BEFORE.search(said) if said.rstrip().endswith(LINK_ENDS) else None
    return start - len(link.group()) if link else None


def linked_behind(end: int, text: str) -> int | None:
    """Where what a comma or "and" links to a place from behind starts; None where nothing is linked.

    >>> linked_behind(5, "GSM8K (old) and MATH"), linked_behind(5, "GSM8K on MATH")
    (16, None)
    """
    link = _LINK_BEHIND.match(text, end, end + _REACH)
    return link.end() if link else None


def noun_facts(start: int, end: int, text: str, bounds: Place, members: Collection[Place]) -> Iterator[str]:
    """Facts about the nouns beside a place and its list; `bounds` are those of its sentence.

    >>> text = "On the datasets A1, B2 and C3 it wins."
    >>> sorted(noun_facts(27, 29, text, (0, 38), [(16, 18), (20, 22)]))
    ['list noun dataset', 'list noun word datasets']
    """
    low, high = bounds
    first = min((a for a, _ in members if a < start), default=start)
    last = max((b for _, b in members if b > end), default=end)
    listed = "list noun" if members else "noun"
    before = _NOUN_BEFORE.search(text, max(low, first - _REACH), first)
    if before and (before["opens"] or HEADS.get(before["noun"].lower())):
        yield from _told(listed, before["noun"].lower())
    if members and (behind := _NOUN_BEHIND.match(text, last, min(high, last + _REACH))):
        kind = HEADS.get(behind["noun"])
        if kind:
            yield f"list noun behind {kind}"
    if said := _IS_A.match(text, end, high):
        kind = head_kind(said["what"])
        yield f"is a {kind}"


def _told(what: str, noun: str) -> Iterator[str]:
    yield f"{what} word {noun}"
    if kind := HEADS.get(noun):
        yield f"{what} {kind}"
