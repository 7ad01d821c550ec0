"""Names of the lexicon in a text.

Long or many-word names are found in any case; acronyms, capitalised words and names that are also ordinary words only
as the lexicon spells them ("MATH" is a benchmark, "math" is not).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Doc
from spacy.util import filter_spans

from sotagraph.extract.reading import LexiconHit
from sotagraph.lexicon import Lexicon, LexiconEntry

__all__ = ["LexiconMatcher"]

_SHORT = 6
#: So many first letters tell how long a name may be, and so many of a name that is shorter than that.
_START = 4
_SHORT_START = 2


class LexiconMatcher:
    """Find the entries of a lexicon in documents, by the letters between borders of tokens.

    spaCy's ``PhraseMatcher`` would have every name tokenized first: a third of all loading.

    >>> import spacy
    >>> from sotagraph.lexicon import load
    >>> doc = spacy.blank("en")("Trained on ImageNet, tested on natural language inference.")
    >>> [doc.text[hit.start : hit.end] for hit in LexiconMatcher(load())(doc)]
    ['ImageNet', 'natural language inference']
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
        self._names = _Names(exact, folded)

    def __call__(self, doc: Doc) -> list[LexiconHit]:
        """Hits of a document, none inside a longer one, by place."""
        # Offsets as an array: a Token object for each word would cost more than all the rest.
        starts, lengths = doc.to_array(["IDX", "LENGTH"]).astype(int).T
        places = self._names.places(doc.text, starts.tolist(), (starts + lengths).tolist())
        spans = [doc[first:end] for first, end in places]
        return [
            LexiconHit(span.start_char, span.end_char, entries)
            for span in filter_spans(spans)
            if (entries := self._of(span.text)) and not _glued(doc, span.start, span.end)
        ]

    def _of(self, text: str) -> tuple[LexiconEntry, ...]:
        found = [e for name in _readings(text) for e in self._entries.get(name, ())]
        return tuple(dict.fromkeys(found))


class _Names:
    """Names to be found as they are, and names in small letters to be found in any."""

    def __init__(self, exact: Iterable[str], folded: Iterable[str]) -> None:
        self._exact, self._folded = frozenset(exact), frozenset(folded)
        #: First letters, made small → the length of the longest name that begins so.
        self._longest: dict[str, int] = {}
        for name in self._exact | self._folded:
            start = _small(name)[: _START if len(name) >= _START else _SHORT_START]
            self._longest[start] = max(len(name), self._longest.get(start, 0))

    def places(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> Iterator[tuple[int, int]]:
        """First token and token behind the last of each name, given where all tokens start and end."""
        small, longest = _small(text), self._longest
        for first, start in enumerate(starts):
            length = longest.get(small[start : start + _START]) or longest.get(small[start : start + _SHORT_START])
            if length:
                for last in range(first, len(ends)):
                    end = ends[last]
                    if end > start + length:
                        break
                    if small[start:end] in self._folded or text[start:end] in self._exact:
                        yield first, last + 1


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


def _glued(doc: Doc, start: int, end: int) -> bool:
    """Whether a dash ties the tokens to another word: the CoT of Uni-CoT, the LLaVA of LLaVA-NeXT, "full-precision"."""
    if start >= 2 and doc[start - 1].text == "-" and not doc[start - 2].whitespace_ and not doc[start - 1].whitespace_:
        return any(c.isupper() for c in doc[start - 2].text) or doc[start:end].text.islower()
    if end + 1 < len(doc) and doc[end].text == "-" and not doc[end - 1].whitespace_ and not doc[end].whitespace_:
        return doc[end + 1].text[:1].isupper() or doc[end + 1].text[:1].isdigit()
    return False
