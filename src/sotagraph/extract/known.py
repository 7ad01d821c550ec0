"""Names of the lexicon in a text, by spaCy's PhraseMatcher.

Long or many-word names are found in any case; acronyms, capitalised words and names that are also ordinary words only
as the lexicon spells them ("MATH" is a benchmark, "math" is not).
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc
from spacy.util import filter_spans

from sotagraph.extract.reading import LexiconHit
from sotagraph.lexicon import Lexicon, LexiconEntry

__all__ = ["LexiconMatcher"]

_SHORT = 6


class LexiconMatcher:
    """Find the entries of a lexicon in documents of one spaCy vocabulary."""

    def __init__(self, nlp: Language, lexicon: Lexicon) -> None:
        self._entries: dict[str, list[LexiconEntry]] = {}
        self._exact = PhraseMatcher(nlp.vocab, attr="ORTH")
        self._folded = PhraseMatcher(nlp.vocab, attr="LOWER")
        exact: list[str] = []
        folded: list[str] = []
        for entry in lexicon.entries:
            for surface in entry.forms:
                strict = _as_spelt(surface, entry)
                self._entries.setdefault(surface if strict else surface.lower(), []).append(entry)
                (exact if strict else folded).extend(_spellings(surface))
        self._exact.add("exact", [nlp.make_doc(s) for s in dict.fromkeys(exact)])
        self._folded.add("folded", [nlp.make_doc(s) for s in dict.fromkeys(folded)])

    def __call__(self, doc: Doc) -> list[LexiconHit]:
        """Hits of a document, none inside a longer one, by place."""
        spans = [doc[start:end] for matcher in (self._exact, self._folded) for _, start, end in matcher(doc)]
        return [
            LexiconHit(span.start_char, span.end_char, entries)
            for span in filter_spans(spans)
            if (entries := self._of(span.text)) and not _glued(doc, span.start, span.end)
        ]

    def _of(self, text: str) -> tuple[LexiconEntry, ...]:
        found = [e for name in _readings(text) for e in self._entries.get(name, ())]
        return tuple(dict.fromkeys(found))


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
