"""Markdown: one paper a heading, or one a file, with an optional block of fields before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sotagraph.read.base import Reader, Record, Source
from sotagraph.read.fields import record as record_of
from sotagraph.read.plain import heading
from sotagraph.read.plain import records as plain_records

__all__ = ["READER"]

_HEAD = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
#: Characters of a heading; a longer line is prose.
_LONGEST_HEAD = 500
_ABSTRACT = re.compile(r"abstract|summary", re.IGNORECASE)
_FIELD = re.compile(r"([A-Za-z][\w -]*?)\s*:\s+(.+)")


@dataclass(slots=True)
class _Section:
    level: int
    title: str
    line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()

    @property
    def is_abstract(self) -> bool:
        return bool(_ABSTRACT.fullmatch(self.title))


def _sections(lines: list[tuple[int, str]]) -> list[_Section]:
    """Headings with what stands below each; what stands before the first has level 0. Fenced code holds no headings."""
    sections = [_Section(0, "", 1)]
    fence = ""
    for number, line in lines:
        stripped = line.strip()
        if fence or stripped.startswith(("```", "~~~")):
            fence = "" if fence and stripped.startswith(fence) else fence or stripped[:3]
        elif len(stripped) <= _LONGEST_HEAD and (match := _HEAD.fullmatch(stripped)):
            sections.append(_Section(len(match[1]), match[2], number))
            continue
        sections[-1].lines.append(line.rstrip())
    return sections


def _front_matter(lines: list[tuple[int, str]]) -> tuple[dict[str, str], list[tuple[int, str]]]:
    """The ``name: value`` lines between two lines ``---`` at the top, and the lines after them."""
    if not lines or lines[0][1].strip() != "---":
        return {}, lines
    end = next((i for i, (_, line) in enumerate(lines[1:], 1) if line.strip() == "---"), None)
    if end is None:
        return {}, lines
    matches = (_FIELD.fullmatch(line.strip()) for _, line in lines[1:end])
    return {match[1]: match[2].strip("\"'[]") for match in matches if match}, lines[end + 1 :]


def read(source: Source) -> Iterator[Record]:
    r"""The papers of a Markdown file.

    Headings of the highest level that has text below are titles; a heading "Abstract" below one holds its text, and
    other headings below it are not read. A first heading such as ``# ICLR 2026`` gives venue and year to all.

    >>> text = "# ICLR 2026 papers\n\n## On A\n\nWe do **A**.\n\n## On B\n\nWe do B.\n"
    >>> [(r.title, r.text, r.year) for r in read(Source(name="a.md", text=text, warn=print))]
    [('On A', 'We do **A**.', 2026), ('On B', 'We do B.', 2026)]
    """
    front, lines = _front_matter(list(source.lines()))
    sections = _sections(lines)
    if len(sections) == 1:
        before = "\n" * (lines[0][0] - 1 if lines else 0)
        found = plain_records(replace(source, text=before + "\n".join(line for _, line in lines)))
    else:
        found = _papers(sections, source)
    for number, record in enumerate(found):
        yield record if number or not front else _with_front(record, front)


def _with_front(record: Record, front: dict[str, str]) -> Record:
    said = record_of({**front, "text": record.text}, line=record.line)
    if said is None:
        return record
    return replace(
        said, title=said.title or record.title, venue=said.venue or record.venue, year=said.year or record.year
    )


def _papers(sections: list[_Section], source: Source) -> Iterator[Record]:
    intro, *rest = sections
    head = heading(rest[0].title) if len(rest) > 1 else None
    if intro.text:
        source.complain(intro.line, "text before the first heading is not read")
    for paper, below in _grouped(rest[1:] if head else rest, source):
        abstract = next((section for section in below if section.is_abstract), None)
        unread = [section.title for section in below if section is not abstract]
        if unread:
            source.complain(paper.line, f"below this heading only the abstract is read, not: {', '.join(unread)[:100]}")
        title = "" if paper.is_abstract else paper.title
        record = Record(text=abstract.text if abstract else paper.text, title=title, line=paper.line)
        yield replace(record, venue=head.venue, year=head.year) if head else record


def _title_level(sections: list[_Section]) -> int:
    """The highest level at which some heading has text, or an abstract right below it."""
    following = [*sections[1:], None]
    levels = [
        section.level
        for section, after in zip(sections, following, strict=True)
        if not section.is_abstract and (section.text or (after and after.is_abstract))
    ]
    return min(levels or [section.level for section in sections])


def _grouped(sections: list[_Section], source: Source) -> Iterator[tuple[_Section, list[_Section]]]:
    """Each paper's section with those that belong to it; headings above the level of titles only sort the papers."""
    level = _title_level(sections)
    paper: _Section | None = None
    below: list[_Section] = []
    for section in sections:
        if paper and (section.level > level or section.is_abstract):
            below.append(section)
            continue
        if paper:
            yield paper, below
        paper, below = (section if section.level == level or section.is_abstract else None), []
        if not paper and section.text:
            source.complain(section.line, f"the text below {section.title[:60]!r} belongs to no paper; it is left out")
    if paper:
        yield paper, below


READER = Reader(
    name="Markdown",
    suffixes=(".md", ".markdown"),
    read=read,
    looks_like=lambda text: bool(re.match(r"\s*(?:---\n|#{1,6} )", text)),
)
