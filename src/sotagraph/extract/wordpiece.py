"""Words and word pieces of a text, with offsets: what the trained model reads.

The pieces are those of BERT's uncased vocabulary (Devlin et al. 2019; greedy longest match first, Wu et al. 2016).
Since that vocabulary forgets case and markup, which say most about names ("MATH" is a benchmark, "math" is not),
every word carries a *shape* and an *emphasis* beside its pieces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

__all__ = ["EMPHASES", "SHAPES", "Word", "pieces", "shape", "words"]

SHAPES = ("lower", "initial", "upper", "mixed", "alphanumeric", "digits", "punctuation", "capital")
EMPHASES = ("none", "markup", "quotes")

_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
_MAX_LETTERS = 60


class Word(NamedTuple):
    """A run of letters and digits, or one other character: ``text == whole[start:end]``."""

    # Not a frozen dataclass: a document has hundreds of words, and that takes longer to make.

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """Split at white space and around every character that is neither letter nor digit.

    >>> [w.text for w in words("Qwen2.5-VL wins.")]
    ['Qwen2', '.', '5', '-', 'VL', 'wins', '.']
    """
    return [Word(m.group(), m.start(), m.end()) for m in _WORD.finditer(text)]


@lru_cache(maxsize=1 << 14)
def shape(word: str) -> str:
    """Which of `SHAPES` a word has.

    >>> [shape(w) for w in ("math", "Math", "MATH", "MiniF", "F2F", "12", "-", "A")]
    ['lower', 'initial', 'upper', 'mixed', 'alphanumeric', 'digits', 'punctuation', 'capital']
    """
    if not word.isalnum():
        return "punctuation"
    if word.isdigit():
        return "digits"
    if any(c.isdigit() for c in word):
        return "alphanumeric"
    if word.islower() or not any(c.isupper() for c in word):
        return "lower"
    if len(word) == 1:
        return "capital"
    if word.isupper():
        return "upper"
    return "initial" if word[0].isupper() and word[1:].islower() else "mixed"


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in decomposed if unicodedata.category(c) != "Mn")


def pieces(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    """Ids of the word pieces of one word; the id of ``[UNK]`` where the vocabulary cannot spell it.

    >>> pieces("Playing", {"[UNK]": 0, "play": 1, "##ing": 2})
    [1, 2]
    """
    text = _fold(word)
    if text in vocabulary and len(text) <= _MAX_LETTERS:
        return [vocabulary[text]]
    unknown = [vocabulary["[UNK]"]]
    if not text or len(text) > _MAX_LETTERS:
        return unknown
    out: list[int] = []
    start = 0
    while start < len(text):
        for end in range(len(text), start, -1):
            piece = text[start:end] if start == 0 else "##" + text[start:end]
            if piece in vocabulary:
                out.append(vocabulary[piece])
                start = end
                break
        else:
            return unknown
    return out


def windows(lengths: Sequence[int], limit: int, breaks: Sequence[int]) -> list[tuple[int, int]]:
    """Cut words into half-open ranges whose pieces fit into `limit`, at one of `breaks` (word indices) where possible.

    >>> windows([1, 1, 1, 1, 1], 3, [2])
    [(0, 2), (2, 5)]
    """
    out: list[tuple[int, int]] = []
    start = total = 0
    allowed = set(breaks)
    last_break = 0
    for index, length in enumerate(lengths):
        if index in allowed:
            last_break = index
        if total + length > limit and index > start:
            cut = last_break if last_break > start else index
            out.append((start, cut))
            total = sum(lengths[cut:index])
            start = cut
        total += length
    if start < len(lengths):
        out.append((start, len(lengths)))
    return out
