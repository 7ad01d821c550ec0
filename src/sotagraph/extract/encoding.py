"""From a text to what the trained model reads: pieces, shapes and emphasis, window by window, and back to offsets.

Training and prediction both go through `encode`, so that they cannot drift apart.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from operator import attrgetter

from sotagraph.extract.emphasis import emphases
from sotagraph.extract.sentences import sentences
from sotagraph.extract.wordpiece import EMPHASES, SHAPES, Word, pieces, shape, windows, words
from sotagraph.names import Plain, plain
from sotagraph.schema import ENTITY_KINDS

__all__ = [
    "KINDS",
    "MAX_PIECES",
    "NUMBERS",
    "RELATION_LABELS",
    "ROLE_LABELS",
    "SLOTS",
    "TAGS",
    "Encoded",
    "Window",
    "encode",
]

#: The order is that of the labels of the trained model; its card is checked against them.
KINDS = ENTITY_KINDS
#: Outside, then begin and inside of each kind: first as a core name, then as one that annotators call optional.
TAGS = ("O", *(f"{bi}-{kind}{mark}" for mark in ("", "?") for kind in KINDS for bi in "BI"))
ROLE_LABELS = ("none", "proposed", "used", "compared", "mentioned", "introduced", "evaluated")
#: What the paper's own thing, or the paper, does to the object; partOf and variantOf are read the other way round.
RELATION_LABELS = (
    "proposes", "introduces", "uses", "evaluatedOn", "addresses", "outperforms", "comparedWith", "generalizes",
    "variantOf", "partOf",
)  # fmt: skip
#: What a printed number is.
NUMBERS = ("none", "absolute", "gain", "speedup", "reduction", "baseline", "optional")
SLOTS = ("method", "dataset", "metric", "baseline")

_SHAPE_IDS = {name: number for number, name in enumerate(SHAPES)}
#: The encoder has 512 positions, two of them for [CLS] and [SEP].
MAX_PIECES = 510


@dataclass(frozen=True, slots=True)
class Window:
    """Words ``[first, last)`` of a text with their pieces, each list as long as the pieces with [CLS] and [SEP]."""

    first: int
    last: int
    ids: list[int]
    shapes: list[int]
    emphases: list[int]
    #: For each word, the index of its first piece.
    heads: list[int]


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text as words over its plain form; `plain` leads back to original offsets."""

    plain: Plain
    words: list[Word]
    #: For each word, the number of its sentence.
    sentence: list[int]
    windows: list[Window]
    #: Indices of the words that begin with a digit.
    numbers: list[int]

    def word_at(self, start: int) -> int | None:
        """The index of the word that begins at an offset of the plain text, None where none does."""
        index = bisect_left(self.words, start, key=attrgetter("start"))
        return index if index < len(self.words) and self.words[index].start == start else None

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Original half-open character range of words ``[first, last)``."""
        return self.plain.span(self.words[first].start, self.words[last - 1].end)


def _emphasis_ids(text: str, seen: Plain, all_words: list[Word]) -> list[int]:
    found = emphases(text)
    if not found:
        return [0] * len(all_words)
    marks = [0] * len(text)
    for emphasis in found:
        marks[emphasis.start : emphasis.end] = [EMPHASES.index(emphasis.style)] * (emphasis.end - emphasis.start)
    return [marks[seen.offsets[word.start]] if seen.offsets[word.start] < len(text) else 0 for word in all_words]


def _sentence_ids(text: str, seen: Plain, all_words: list[Word]) -> list[int]:
    bounds = sentences(text)
    out: list[int] = []
    at = 0
    for word in all_words:
        offset = seen.offsets[word.start]
        while at + 1 < len(bounds) and offset >= bounds[at + 1][0]:
            at += 1
        out.append(at)
    return out


def encode(text: str, vocabulary: Mapping[str, int]) -> Encoded:
    """Encode one document.

    >>> e = encode("We *win*.", {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "we": 3, "win": 4, ".": 5})
    >>> e.windows[0].ids, e.windows[0].emphases, e.span(1, 2)
    ([1, 3, 4, 5, 2], [0, 0, 1, 0, 0], (4, 7))
    """
    seen = plain(text)
    all_words = words(seen.text)
    sentence = _sentence_ids(text, seen, all_words)
    marks = _emphasis_ids(text, seen, all_words)
    known = {spelling: pieces(spelling, vocabulary) for spelling in {word.text for word in all_words}}
    spelt = [known[word.text] for word in all_words]
    numbers = [index for index, word in enumerate(all_words) if word.text[0].isdigit()]
    breaks = [i for i in range(1, len(all_words)) if sentence[i] != sentence[i - 1]]
    cuts = windows([len(p) for p in spelt], MAX_PIECES, breaks)
    made = [_window(first, last, all_words, spelt, marks, vocabulary) for first, last in cuts]
    return Encoded(seen, all_words, sentence, made, numbers)


def _window(
    first: int,
    last: int,
    all_words: list[Word],
    spelt: list[list[int]],
    marks: list[int],
    vocabulary: Mapping[str, int],
) -> Window:
    outside = SHAPES.index("punctuation")
    spelt = spelt[first:last]
    sizes = [len(its_pieces) for its_pieces in spelt]
    shapes = [_SHAPE_IDS[shape(word.text)] for word in all_words[first:last]]
    return Window(
        first,
        last,
        ids=[vocabulary["[CLS]"], *chain.from_iterable(spelt), vocabulary["[SEP]"]],
        shapes=[outside, *_each_piece(shapes, sizes), outside],
        emphases=[0, *_each_piece(marks[first:last], sizes), 0],
        heads=list(accumulate(sizes[:-1], initial=1)),
    )


def _each_piece(values: list[int], sizes: list[int]) -> Iterator[int]:
    """What is true of a word for each of its pieces."""
    return chain.from_iterable(map(repeat, values, sizes))
