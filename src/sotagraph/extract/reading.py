"""One document as the rules see it: its plain text, and what each component has found so far.

Offsets here are into the plain text (`Reading.text`), where LaTeX and Markdown are seen through; `Reading.original`
leads back to offsets of the document. Components fill a reading in the order of the pipeline; none looks ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sotagraph.extract.abbreviations import Abbreviation
from sotagraph.extract.emphasis import emphases
from sotagraph.extract.proposals import Proposal
from sotagraph.extract.sentences import sentences
from sotagraph.extract.tagger import Prediction
from sotagraph.lexicon import LexiconEntry
from sotagraph.model import Document, DocumentEntity, Result, Statement
from sotagraph.names import Plain, plain

__all__ = ["LexiconHit", "Reading", "Stretch", "read_document"]


@dataclass(frozen=True, slots=True, order=True)
class Stretch:
    """A half-open range of the plain text, and what set it apart."""

    start: int
    end: int
    what: str


@dataclass(frozen=True, slots=True)
class LexiconHit:
    """A known name in the plain text, with every entry of the lexicon that has it."""

    start: int
    end: int
    entries: tuple[LexiconEntry, ...]


@dataclass(slots=True)
class Reading:
    """A document with what the components found in it."""

    document: Document
    plain: Plain
    #: Half-open ranges of sentences in the plain text.
    bounds: list[tuple[int, int]]
    emphasised: list[Stretch]
    abbreviations: list[Abbreviation] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    hits: list[LexiconHit] = field(default_factory=list)
    urls: list[Stretch] = field(default_factory=list)
    prediction: Prediction | None = None
    entities: tuple[DocumentEntity, ...] = ()
    statements: tuple[Statement, ...] = ()
    results: tuple[Result, ...] = ()

    @property
    def text(self) -> str:
        """The plain text."""
        return self.plain.text

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Half-open range of the document's own text behind a range of the plain text."""
        return self.plain.span(start, end)

    def sentence_of(self, at: int) -> int:
        """Number of the sentence in which a plain offset lies."""
        for number, (_, end) in enumerate(self.bounds):
            if at < end:
                return number
        return max(0, len(self.bounds) - 1)


def read_document(document: Document) -> Reading:
    """A reading with sentences and emphasis.

    >>> reading = read_document(Document(id="a", text="We propose **LVR**. It wins."))
    >>> reading.text, reading.bounds, reading.emphasised
    ('We propose LVR. It wins.', [(0, 15), (16, 24)], [Stretch(start=11, end=14, what='markup')])
    """
    seen = plain(document.text)
    bounds = [(seen.position(a), seen.position(b)) for a, b in sentences(document.text)]
    marks = [Stretch(seen.position(e.start), seen.position(e.end), e.style) for e in emphases(document.text)]
    return Reading(document, seen, bounds, [mark for mark in marks if mark.start < mark.end])
