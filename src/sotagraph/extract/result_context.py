"""What the rules for results look at: each sentence as a line of words, marks, numbers and names.

A `Page` is one document seen that way. Positions in a `Line` are indices of its items, so that "three words before the
number" means the same whatever the length of the names between. Offsets are those of the text without markup.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from sotagraph.extract.quantities import Quantity, find_quantities
from sotagraph.model import Document, DocumentEntity
from sotagraph.names import Plain, plain

__all__ = ["CUES", "EXCEEDS", "Item", "Line", "Page", "cue", "stem", "stems"]

#: Stems of words that tell what a number near them says.
CUES: dict[str, str] = {
    word: name
    for name, row in {
        "gain": (
            "improv increas boost rais rising enhanc gain outperform surpass exceed better higher greater "
            "stronger uplift lift beat rise "
            "growth superior ahead advantag larger longer richer add grow more incr elevat aug amplif lead advanc"
        ),
        "reduction": (
            "reduc reduct decreas drop lower less fewer smaller cut save saved saving declin degrad shrink minimi "
            "compress fall lose losing losses diminish "
            "prun eliminat worse slash lighter shorter cheaper remov deteriorat loss cuts cutt dropp decay"
        ),
        "speedup": "speedup speed-up speed-ups speedups faster accelerat acceler quicker speed",
        "absolute": (
            "achiev reach attain obtain scor yield record deliver solv hit get maintain retain preserv accuraci "
            "accurac rate"
        ),
        "versus": "compar versu vs than over relativ against baselin",
        "size": (
            "dataset sampl exampl paramet token imag pair question task languag layer step hour gpu instanc "
            "domain categori "
            "particip class user benchmark model scenario problem languages document video subject annotat train "
            "budget epoch million billion"
        ),
    }.items()
    for word in row.split()
}  # fmt: skip
#: A sentence with more numbers is a table, which these rules do not read.
_MOST_NUMBERS = 60
_TOKEN = re.compile(r"[A-Za-zÀ-ɏΑ-ω][A-Za-zÀ-ɏΑ-ω'’-]*|\d[\d.,]*|[^\sA-Za-z\d]")
_SUFFIX = re.compile(r"(?<=\w{4})(?:e?ments?|ations?|ings?|ions?|ed|es|e|s|ies|y)$")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word in lower case without its most common endings, of which four letters stay.

    >>> stem("Improvements"), stem("reducing"), stem("gain"), stem("the")
    ('improv', 'reduc', 'gain', 'the')
    """
    word = word.casefold()
    return word if len(word) < 5 else _SUFFIX.sub("", word)


def stems(words: str) -> frozenset[str]:
    """The stems of words parted by spaces: how the rules write their lists.

    >>> sorted(stems("improves improvement ,"))
    [',', 'improv']
    """
    return frozenset(stem(word) for word in words.split())


#: Who does it is better than what follows.
EXCEEDS = stems("exceeds surpasses outperforms beats")


def cue(text: str) -> str:
    """The class of `CUES` that a stem belongs to, or nothing.

    >>> cue("outperform"), cue("cat")
    ('gain', '')
    """
    return CUES.get(text, "")


class Item(NamedTuple):
    """One token of a line: ``word``, ``mark``, ``number`` or ``name``."""

    # Not a frozen dataclass, which takes thrice as long to make: a document has a hundred of them.

    kind: str
    #: Stem of a word, the mark itself, ``#`` for a number, the entity kind in capitals for a name.
    text: str
    start: int
    end: int
    #: Class of `CUES` of a word, or of the last word of a metric's name ("cost saving").
    cue: str = ""
    #: Whether a word has the ending of a participle: "outperforming" opens a new clause, "improvement" does not.
    participle: bool = False
    #: Index into `Line.quantities`, -1 where the item is no quantity.
    quantity: int = -1
    #: Indices into `Page.entities`; two for a name with an ellipsis ("AIME 2024/2025").
    entities: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Line:
    """One sentence as items; of a sentence without a number only the names. Two lines are equal if they are one."""

    index: int
    start: int
    end: int
    items: tuple[Item, ...]
    quantities: tuple[Quantity, ...]

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Positions of the quantities among the items."""
        return tuple(i for i, item in enumerate(self.items) if item.quantity >= 0)

    @cached_property
    def depth(self) -> tuple[int, ...]:
        """For each item the number of brackets open around it."""
        out, level = [], 0
        for item in self.items:
            if item.text in ")]":
                level = max(0, level - 1)
            out.append(level)
            if item.text in "([":
                level += 1
        return tuple(out)

    @cached_property
    def words(self) -> frozenset[str]:
        """All stems of the sentence."""
        return frozenset(item.text for item in self.items if item.kind == "word")

    @cached_property
    def _named(self) -> dict[str, tuple[int, ...]]:
        kinds = dict.fromkeys(item.text for item in self.items if item.kind == "name")
        return {kind: tuple(p for p, item in enumerate(self.items) if item.text == kind) for kind in kinds}

    def names(self, kind: str) -> tuple[int, ...]:
        """Positions of the names of a kind, such as ``dataset``."""
        return self._named.get(kind.upper(), ())

    def turns(self, kind: str) -> str:
        """How names of a kind (E) and numbers (N) take turns, runs counted once, at most four: ``ENEN``."""
        marked = sorted([*((p, "E") for p in self.names(kind)), *((p, "N") for p in self.numbers)])
        order = "".join(letter for i, (_, letter) in enumerate(marked) if not i or marked[i - 1][1] != letter)
        return order[:4]

    def text(self, position: int) -> str:
        """The text of an item, ``^`` before the first and ``$`` after the last."""
        if position < 0:
            return "^"
        return self.items[position].text if position < len(self.items) else "$"


@dataclass(frozen=True)
class Page:
    """One document, ready for the rules."""

    document: Document
    plain: Plain
    entities: tuple[DocumentEntity, ...]
    lines: tuple[Line, ...]
    #: For each entity, (line index, item position) of its mentions in reading order.
    places: tuple[tuple[tuple[int, int], ...], ...] = field(default=())

    @classmethod
    def read(cls, document: Document, sentences: Sequence[tuple[int, int]], entities: Sequence[DocumentEntity]) -> Page:
        """Split a document into lines; `sentences` and mentions have offsets into ``document.text``."""
        view = _plain(document.text)
        ranges = [(view.position(start), view.position(end)) for start, end in sentences]
        names = _names(view, entities)
        numbers = [q for q in find_quantities(view.text) if not _in_name(q, names)]
        lines = tuple(
            _line(i, view.text, start, end, _within(names, start, end), _quantities(numbers, start, end))
            for i, (start, end) in enumerate(ranges)
        )
        places: list[list[tuple[int, int]]] = [[] for _ in entities]
        for line in lines:
            for position, item in enumerate(line.items):
                for entity in item.entities:
                    places[entity].append((line.index, position))
        return cls(document, view, tuple(entities), lines, tuple(tuple(p) for p in places))

    @cached_property
    def counts(self) -> Counter[str]:
        """Number of entities of each kind."""
        return Counter(entity.kind for entity in self.entities)

    @cached_property
    def main(self) -> int | None:
        """Index of the main proposed method: the one named most, the earlier of two named equally often."""
        proposed = [i for i, e in enumerate(self.entities) if e.kind == "method" and e.role == "proposed"]
        if not proposed:
            return None
        return min(proposed, key=lambda i: (-len(self.places[i]), self.places[i][:1] or ((9999, 0),), i))


def _plain(text: str) -> Plain:
    """`names.plain`, with long dashes kept apart from hyphens: "gains—reducing" is two words."""
    view = plain(text)
    if "—" not in text and "--" not in text:
        return view
    letters = [
        "—" if letter == "-" and _is_long(text, at) else letter
        for letter, at in zip(view.text, view.offsets, strict=False)
    ]
    return Plain("".join(letters), view.offsets)


def _is_long(text: str, at: int) -> bool:
    """Whether the dash at `at` parts clauses; between digits even a long one makes a range."""
    if text[at] != "—" and text[at : at + 2] != "--":
        return False
    after = text[at : at + 4].lstrip("-—")[:1]
    return not (after.isdigit() and text[at - 1 : at].isdigit())


_Name = tuple[int, int, tuple[int, ...], str]


def _names(view: Plain, entities: Sequence[DocumentEntity]) -> list[_Name]:
    """Mentions as (start, end, entities, kind), without overlap: the longer of two wins, equal ones share a place."""
    raw = sorted(
        (view.position(m.start), view.position(m.end), index)
        for index, entity in enumerate(entities)
        for m in entity.mentions
    )
    raw.sort(key=lambda r: (r[0], -r[1], r[2]))
    out: list[_Name] = []
    for start, end, index in raw:
        if start >= end:
            continue
        if out and start < out[-1][1]:
            last = out[-1]
            if start == last[0] and entities[index].kind == last[3] and index not in last[2]:
                out[-1] = (last[0], last[1], (*last[2], index), last[3])
            continue
        out.append((start, end, (index,), entities[index].kind))
    return out


def _in_name(quantity: Quantity, names: list[_Name]) -> bool:
    at = bisect_right(names, quantity.head, key=lambda n: n[0]) - 1
    return at >= 0 and names[at][1] > quantity.head


def _within(names: list[_Name], start: int, end: int) -> list[_Name]:
    low = bisect_right(names, start - 1, key=lambda n: n[0])
    high = bisect_right(names, end - 1, key=lambda n: n[0])
    return names[low:high]


def _quantities(numbers: list[Quantity], start: int, end: int) -> list[Quantity]:
    low = bisect_right(numbers, start - 1, key=lambda q: q.start)
    high = bisect_right(numbers, end - 1, key=lambda q: q.start)
    return numbers[low:high]


def _line(index: int, text: str, start: int, end: int, names: list[_Name], numbers: list[Quantity]) -> Line:
    if len(numbers) > _MOST_NUMBERS:
        numbers = []
    marked = [
        Item("name", kind.upper(), a, b, cue=_last_cue(text[a:b]) if kind == "metric" else "", entities=ids)
        for a, b, ids, kind in names
    ]
    marked += [Item("number", "#", q.start, q.end, quantity=i) for i, q in enumerate(numbers)]
    if not numbers:
        return Line(index, start, end, tuple(marked), ())
    items: list[Item] = []
    at = start
    for item in sorted(marked, key=lambda m: (m.start, m.end)):
        items += _tokens(text, at, item.start)
        items.append(item)
        at = max(at, item.end)
    items += _tokens(text, at, end)
    return Line(index, start, end, tuple(items), tuple(numbers))


def _last_cue(name: str) -> str:
    found = [cue(stem(word)) for word in re.split(r"[\s-]+", name)[-2:]]
    return next((kind for kind in reversed(found) if kind in ("gain", "reduction", "speedup")), "")


def _tokens(text: str, start: int, end: int) -> list[Item]:
    if start >= end:
        return []
    return [_token(match) for match in _TOKEN.finditer(text, start, end)]


def _token(match: re.Match[str]) -> Item:
    spelt, (start, end) = match.group(), match.span()
    if spelt[0].isalpha():
        word = stem(spelt)
        return Item("word", word, start, end, cue=cue(word), participle=spelt.endswith("ing"))
    return Item("mark", "0" if spelt[0].isdigit() else spelt, start, end)
