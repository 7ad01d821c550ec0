"""BibTeX entries that carry an abstract."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sotagraph import names
from sotagraph.read.base import Reader, Record, Source
from sotagraph.read.fields import record

__all__ = ["READER"]

_ENTRY = re.compile(r"^[ \t]*@(\w+)\s*\{\s*([^\s,{}=]+)\s*,", re.MULTILINE)
_NAME = re.compile(r"[\s,]*([A-Za-z][\w-]*)\s*=\s*")
_BARE = re.compile(r"[^\s,{}\"#]+")
_JOIN = re.compile(r"\s*#\s*")
_NO_PAPERS = ("comment", "string", "preamble")


def read(source: Source) -> Iterator[Record]:
    r"""Entries with an ``abstract``; those without are counted in one complaint. Markup stays in the abstract.

    >>> text = "@article{ai24, title={On {A}}, year=2024, abstract={We do 5\\% better.}}"
    >>> [(r.id, r.title, r.text) for r in read(Source(name="a.bib", text=text, warn=print))]
    [('ai24', 'On A', 'We do 5\\% better.')]
    """
    without = 0
    line, at = 1, 0
    for match in _ENTRY.finditer(source.text):
        if match[1].casefold() in _NO_PAPERS:
            continue
        line, at = line + source.text.count("\n", at, match.start()), match.start()
        values, closed = _fields(source.text, match.end())
        if not closed:
            source.complain(line, f"the entry {match[2][:60]} does not end as BibTeX does; what could be read is kept")
        found = record({**values, "id": match[2]}, line=line)
        if found is None:
            without += 1
        else:
            yield replace(found, authors=tuple(map(_in_order, found.authors)))
    if without:
        source.complain(0, f"{without} entries have no abstract and are left out")


def _fields(text: str, at: int) -> tuple[dict[str, str], bool]:
    """The fields of the entry whose first field is at `at`, and whether the entry ends well."""
    values: dict[str, str] = {}
    while match := _NAME.match(text, at):
        parts, at = [], match.end()
        while True:
            part, end = _value(text, at)
            if end == at:
                return values, False
            parts.append(part)
            joined = _JOIN.match(text, end)
            at = joined.end() if joined else end
            if not joined:
                break
        name = match[1].casefold()
        whole = " ".join("".join(parts).split())
        values.setdefault(name, whole if name == "abstract" else _shown(whole))
    return values, bool(re.compile(r"[\s,]*\}").match(text, at))


def _in_order(author: str) -> str:
    """A name with the given names first, as all other formats have it.

    >>> _in_order("Finch, Ada"), _in_order("Ada Finch")
    ('Ada Finch', 'Ada Finch')
    """
    last, _, given = author.partition(",")
    return f"{given.strip()} {last.strip()}".strip()


def _shown(value: str) -> str:
    return names.clean(value) if re.search(r"[{}\\$]", value) else value


def _value(text: str, at: int) -> tuple[str, int]:
    """One value in braces, in quotes or bare, and the place after it; the same place where there is none."""
    if text[at : at + 1] not in ("{", '"'):
        bare = _BARE.match(text, at)
        return (bare[0], bare.end()) if bare else ("", at)
    closing = "}" if text[at] == "{" else '"'
    depth, index = 0, at + 1
    for found in re.compile(r"\\.|[{}\"]", re.DOTALL).finditer(text, index):
        mark = found[0]
        if depth == 0 and mark == closing:
            return text[index : found.start()], found.end()
        # An unclosed value must not swallow the next entry.
        depth += {"{": 1, "}": -1}.get(mark, 0)
        if depth < 0:
            break
    return "", at


READER = Reader(
    name="BibTeX",
    suffixes=(".bib", ".bibtex"),
    read=read,
    looks_like=lambda text: bool(re.match(r"\s*(?:%[^\n]*\n\s*)*@\w+\s*\{", text)),
)
