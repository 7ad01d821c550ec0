"""Names of the lexicon in a text.

Long or many-word names are found in any case; acronyms, capitalised words and names that are also ordinary words only
as the lexicon spells them ("MATH" is a benchmark, "math" is not).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from spacy.tokens import Doc

from sotagraph.extract.reading import LexiconHit
from sotagraph.lexicon import Lexicon, LexiconEntry

__all__ = ["LexiconMatcher"]

_SHORT = 6
#: Where a name of two words in one may be written as two: CNN/Daily Mail.
_APART = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{2})")
_RUN = re.compile(r"[^\W_]+")


class LexiconMatcher:
    """Find the entries of a lexicon in documents, by the letters between borders of tokens.

    spaCy's ``PhraseMatcher`` would have every name tokenized first: a third of all loading.

    >>> import spacy
    >>> from sotagraph.lexicon import load
    >>> doc = spacy.blank("en")("Trained on ImageNet, tested on natural language inference.")
    >>> [doc.text[hit.start : hit.end] for hit in LexiconMatcher(load())(doc)]
    ['ImageNet', 'natural language inference']
    >>> doc = spacy.blank("en")("It gains 2 points of ROUGE-L. It is at 40 mIoU. CNN/Daily Mail is harder.")
    >>> [doc.text[hit.start : hit.end] for hit in LexiconMatcher(load())(doc)]
    ['ROUGE-L', 'mIoU', 'CNN/Daily Mail']
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._entries: dict[str, list[LexiconEntry]] = {}
        exact: set[str] = set()
        folded: set[str] = set()
        for entry in lexicon.entries:
            for surface in entry.forms:
                strict = _as_spelt(surface, entry)
                self._entries.setdefault(surface if strict else surface.lower(), []).append(entry)
                names, spelt = (exact, surface) if strict else (folded, surface.lower())
                names.update(_spellings(spelt))
                if not entry.context and (apart := _APART.sub(" ", surface)) != surface:
                    self._entries.setdefault(apart, []).append(entry)
                    exact.add(apart)
        self._names = _Names(exact, folded)

    def __call__(self, doc: Doc) -> list[LexiconHit]:
        """Hits of a document, none inside a longer one, by place."""
        # Text and offsets are taken once: a Token or Span object for each word would cost more than all the rest.
        text = doc.text
        starts, lengths = doc.to_array(["IDX", "LENGTH"]).astype(int).T
        # A letter before the full stop is taken for an initial, and no name ends in a point: "2 points of ROUGE-L."
        places = [(start, start + length) for start, length in zip(starts.tolist(), lengths.tolist(), strict=True)]
        ends = [end - (end - start > 1 and text[end - 1] == ".") for start, end in places]
        tokens = _Tokens(text, starts.tolist(), ends)
        hits: list[LexiconHit] = []
        for first, last in _longest(self._names.places(tokens)):
            start, end = tokens.starts[first], tokens.ends[last - 1]
            if (entries := self._of(text[start:end])) and not _glued(tokens, first, last):
                hits.append(LexiconHit(start, end, entries))
        return hits

    def _of(self, text: str) -> tuple[LexiconEntry, ...]:
        found = [e for name in _readings(text) for e in self._entries.get(name, ())]
        return tuple(dict.fromkeys(found))


class _Tokens(NamedTuple):
    """A text and where its tokens start and end."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def token(self, index: int) -> str:
        return self.text[self.starts[index] : self.ends[index]]

    def joined(self, index: int) -> bool:
        """Whether nothing stands between a token and the one before it."""
        return self.ends[index - 1] == self.starts[index]


class _Names:
    """Names to be found as they are, and names in small letters to be found in any."""

    def __init__(self, exact: Iterable[str], folded: Iterable[str]) -> None:
        self._exact, self._folded = frozenset(exact), frozenset(folded)
        #: First run of letters and digits, made small → the length of the longest name that begins with it.
        self._longest: dict[str, int] = {}
        for name in self._exact | self._folded:
            head = _head(_small(name), 0)
            self._longest[head] = max(len(name), self._longest.get(head, 0))

    def places(self, tokens: _Tokens) -> Iterator[tuple[int, int]]:
        """First token and token behind the last of each name."""
        text, starts, ends = tokens
        small = _small(text)
        runs = {run.start(): run.group() for run in _RUN.finditer(small)}
        for first, start in enumerate(starts):
            head = runs.get(start) or _head(small, start)
            length = self._longest.get(head)
            if length is None:
                if ends[first] >= start + len(head):
                    continue  # most tokens
                length = len(head)  # a token that ends inside a run may be a name that is shorter than it
            reach = start + length
            for last in range(first, len(ends)):
                end = ends[last]
                if end > reach:
                    break
                if small[start:end] in self._folded or text[start:end] in self._exact:
                    yield first, last + 1


def _head(text: str, at: int) -> str:
    """The run of letters and digits that begins at a place, else the one character there."""
    run = _RUN.match(text, at)
    return run.group() if run else text[at : at + 1]


def _longest(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places of which none shares a token with a longer one, or with one as long before it; by place."""
    taken: set[int] = set()
    kept: list[tuple[int, int]] = []
    for first, last in sorted(places, key=lambda place: (place[0] - place[1], place[0])):
        # What was taken before is no shorter, so that it covers an end of what it shares a token with.
        if first not in taken and last - 1 not in taken:
            kept.append((first, last))
            taken.update(range(first, last))
    return sorted(kept)


def _small(text: str) -> str:
    """The text in small letters, each in its place: the small form of İ is two letters, which would move the rest."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _as_spelt(surface: str, entry: LexiconEntry) -> bool:
    if entry.context:
        return True
    if " " in surface or surface.islower():
        return surface.isupper()
    return len(surface) < _SHORT or surface[1:].islower()


def _spellings(surface: str) -> Iterator[str]:
    """The surface and, for a phrase, its plural."""
    yield surface
    if len(surface) > 2 and surface[-1].isalpha() and not surface.endswith("s"):
        yield surface[:-1] + "ies" if surface.endswith("y") and surface[-2] not in "aeiou" else surface + "s"


def _readings(text: str) -> Iterator[str]:
    for name in (text, text[:-3] + "y" if text.endswith("ies") else text.removesuffix("s")):
        yield name
        if name.lower() != name:
            yield name.lower()


def _glued(tokens: _Tokens, first: int, last: int) -> bool:
    """Whether a dash ties the tokens to another word: the CoT of Uni-CoT, the LLaVA of LLaVA-NeXT, "full-precision"."""
    if first >= 2 and tokens.token(first - 1) == "-" and tokens.joined(first - 1) and tokens.joined(first):
        name = tokens.text[tokens.starts[first] : tokens.ends[last - 1]]
        return any(c.isupper() for c in tokens.token(first - 2)) or name.islower()
    behind = last + 1
    if behind < len(tokens.ends) and tokens.token(last) == "-" and tokens.joined(last) and tokens.joined(behind):
        return tokens.token(behind)[:1].isupper() or tokens.token(behind)[:1].isdigit()
    return False
