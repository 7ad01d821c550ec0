"""Plain text: abstracts between blank lines, with or without a heading for the whole file and titles of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sotagraph.read.base import Reader, Record, Source

__all__ = ["READER", "Heading", "heading", "records"]

_HEADING = re.compile(
    r"(?P<venue>[^\W\d].{0,60}?)[\s,('’-]*(?P<year>(?:19|20)\d\d)\)?(?P<rest>(?:\s+(?:accepted|oral|poster|spotlight))*"
    r"(?:\s+(?:papers?|abstracts?|proceedings|posters?|orals?|submissions?))?)\s*:?",
    re.IGNORECASE,
)
#: A venue without "papers" behind it must look like one: ICLR, NeurIPS, EMNLP Findings.
_ACRONYM = re.compile(r"[A-Z][\w&/.-]*[A-Z][\w&/.-]*(?: [A-Z]\w+)?")
_TITLE_LABEL = re.compile(r"title\s*[:.-]\s*", re.IGNORECASE)
_ABSTRACT_LABEL = re.compile(r"abstract\s*(?:[:.\u2014\u2013-]+\s*|\n\s*|$)", re.IGNORECASE)
#: Longer lines are prose.
_TITLE_LENGTH = 250


@dataclass(frozen=True, slots=True)
class Heading:
    """What the first line of a file says of all its papers."""

    venue: str
    year: int


def heading(line: str) -> Heading | None:
    """Venue and year of a line that heads a list of papers.

    >>> heading("ICLR 2026 Papers")
    Heading(venue='ICLR', year=2026)
    >>> heading("What changed after 2019 in parsing") is None, heading("A Robot Challenge 2019") is None
    (True, True)
    """
    match = _HEADING.fullmatch(line.strip())
    if not match:
        return None
    venue = match["venue"].strip(" ,-('’")
    if not match["rest"].strip() and not _ACRONYM.fullmatch(venue):
        return None
    return Heading(venue, int(match["year"]))


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines without a blank one between them."""

    text: str
    line: int

    @property
    def is_title(self) -> bool:
        """One short line that does not end as a sentence does."""
        return (
            "\n" not in self.text and len(self.text) <= _TITLE_LENGTH and not re.search(r"[.!;:,]['\"”)]*$", self.text)
        )


def _blocks(source: Source) -> Iterator[_Block]:
    lines: list[str] = []
    start = 0
    for number, line in [*source.lines(), (0, "")]:
        if line.strip():
            start = start if lines else number
            lines.append(line.strip())
        elif lines:
            yield _Block("\n".join(lines), start)
            lines = []


def _titled(block: _Block) -> tuple[str, str]:
    """Title and text of a block whose first line is a title: labelled so, or much shorter than the line below."""
    first, _, rest = block.text.partition("\n")
    if label := _TITLE_LABEL.match(first):
        return first[label.end() :], rest
    below = rest.partition("\n")[0]
    if _Block(first, 0).is_title and len(below) > 120 and len(below) > 1.5 * len(first):
        return first, rest
    return "", block.text


def records(source: Source) -> Iterator[Record]:
    r"""The papers of a plain text.

    A heading such as ``ICLR 2026 Papers`` gives all of them venue and year. A short line that is no sentence is the
    title of what follows it; without titles each block of lines is one abstract.

    >>> text = "ICLR 2026 Papers\n\nWe build A.\n\nWe test B."
    >>> [(r.line, r.text, r.year) for r in records(Source(name="a.txt", text=text, warn=print))]
    [(3, 'We build A.', 2026), (5, 'We test B.', 2026)]
    """
    blocks = list(_blocks(source))
    head = heading(blocks[0].text) if len(blocks) > 1 else None
    if head:
        blocks = blocks[1:]
    for record in _papers(blocks, source):
        yield replace(record, venue=head.venue, year=head.year) if head else record


def _papers(blocks: list[_Block], source: Source) -> Iterator[Record]:
    with_titles = len(blocks) > 1 and (blocks[0].is_title or bool(_titled(blocks[0])[0]))
    title, start = "", 0
    parts: list[str] = []
    for index, block in enumerate(blocks):
        name, text = _titled(block)
        # The last block is never a title: nothing follows that it could be the title of.
        if with_titles and not name and block.is_title and index + 1 < len(blocks):
            name, text = block.text, ""
        if _ABSTRACT_LABEL.fullmatch(name or text):
            continue
        if name and title and not parts:
            source.complain(block.line, f"a line between a title and its abstract is left out: {name[:60]!r}")
            continue
        if parts and (name or not with_titles):
            yield Record(text="\n\n".join(parts), title=title, line=start)
            title, parts = "", []
        start = start if title else block.line
        title = title or name
        if text:
            parts.append(_ABSTRACT_LABEL.sub("", text, count=1) if _ABSTRACT_LABEL.match(text) else text)
    if parts:
        yield Record(text="\n\n".join(parts), title=title, line=start)


READER = Reader(name="text", suffixes=(".txt", ".text"), read=records)
