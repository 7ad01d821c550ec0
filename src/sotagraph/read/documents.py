"""From records to documents: one place that checks texts, finds identifiers, gives ids and drops copies."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace

from sotagraph import names
from sotagraph.model import Document
from sotagraph.read.base import Record, Source, Warn
from sotagraph.read.decode import tidy

__all__ = ["LONGEST", "Found", "content_id", "document", "once"]

#: Characters; a longer text is no abstract, and would take minutes to read.
LONGEST = 100_000

#: Schemes that name a paper everywhere, best first.
_SCHEMES = ("arxiv", "doi", "openreview", "acl")
_ARXIV = r"(?:\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}|[a-z][a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
_IN_TEXT = (
    ("arxiv", re.compile(rf"(?:arxiv\.org/(?:abs|pdf|html)/|^arxiv:)({_ARXIV})", re.IGNORECASE)),
    ("arxiv", re.compile(rf"^({_ARXIV})$")),
    ("doi", re.compile(r"(?:doi\.org/|^doi:)(10\.\d{4,9}/\S+)", re.IGNORECASE)),
    ("doi", re.compile(r"^(10\.\d{4,9}/\S+)$")),
    ("openreview", re.compile(r"openreview\.net/(?:forum|pdf)\?id=([\w-]+)")),
    ("acl", re.compile(r"aclanthology\.org/((?:[A-Z]\d\d-\d{4}|\d{4}\.[a-z0-9]+-[a-z0-9]+\.\d+))(?:/|\.pdf|$)")),
    ("acl", re.compile(r"^([A-Z]\d\d-\d{4}|\d{4}\.[a-z0-9]+-[a-z0-9]+\.\d+)$")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A document, and whether its file gave it its id."""

    document: Document
    own_id: bool


def content_id(text: str) -> str:
    r"""An id from the text alone: ``p`` and 12 hexadecimal digits; white space and Unicode forms do not count.

    >>> content_id("We  do\nthis.") == content_id("We do this."), len(content_id("x"))
    (True, 13)
    """
    return "p" + hashlib.sha256(_normal(text).encode("utf-8", "replace")).hexdigest()[:12]


def _normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def document(record: Record, source: Source) -> Found | None:
    """The document of a record, or None, with a complaint, where its text is none.

    >>> here = Source(name="a.jsonl", text="", warn=print)
    >>> document(Record(text=" We do this. ", line=3, url="https://arxiv.org/abs/2405.00001v2"), here).document.id
    '2405.00001'
    >>> document(Record(text=" ", line=4), here)
    a.jsonl:4: no abstract; the record is left out
    """
    text, changed = tidy(record.text)
    text = text.strip()
    if not re.search(r"\w", text):
        source.complain(record.line, "no abstract; the record is left out")
        return None
    if len(text) > LONGEST:
        source.complain(record.line, f"{len(text)} characters are no abstract (at most {LONGEST}); it is left out")
        return None
    if changed:
        source.complain(record.line, f"{changed} characters that no format can carry were replaced")
    identifiers = _identifiers(record)
    known = dict(identifiers)
    own = _line(record.id)
    best = next((known[scheme] for scheme in _SCHEMES if scheme in known), "")
    return Found(
        own_id=bool(own),
        document=Document(
            id=own or best or content_id(text),
            text=text,
            title=_line(record.title),
            year=record.year,
            venue=_line(record.venue),
            authors=tuple(filter(None, map(_line, record.authors))),
            url=_line(record.url),
            identifiers=identifiers,
            source=f"{source.name}:{record.line}" if record.line else source.name,
        ),
    )


def _line(text: str) -> str:
    return " ".join(tidy(text)[0].split())


def _identifiers(record: Record) -> tuple[tuple[str, str], ...]:
    """Those that the record has, cleaned of addresses and prefixes, and those that its id and address show."""
    found: dict[str, str] = {}
    for scheme, value in record.identifiers:
        text = _line(value)
        shown = next(
            (match[1] for name, pattern in _IN_TEXT if name == scheme and (match := pattern.search(text))), text
        )
        if shown:
            found.setdefault(scheme.lower(), shown)
    for text in (_line(record.id), _line(record.url)):
        for scheme, pattern in _IN_TEXT:
            if match := pattern.search(text):
                found.setdefault(scheme, match[1].rstrip(".,;)"))
    if "arxiv" in found:
        found["arxiv"] = re.sub(r"v\d+$", "", found["arxiv"])
    if "doi" in found:
        found["doi"] = found["doi"].lower()
    return tuple(sorted(found.items()))


def once(found: Iterable[Found], *, warn: Warn) -> Iterator[Document]:
    """Each paper once: copies have the same text, and no two titles that differ.

    Of copies the first with an id of its own is kept, else the first; what it does not say (year, venue, …) is taken
    from the others. It stands where the first copy stood.
    """
    groups: dict[str, list[list[Found]]] = {}
    order: list[list[Found]] = []
    for item in found:
        of_text = groups.setdefault(_normal(item.document.text), [])
        group = next((group for group in of_text if _same_title(group, item)), None)
        if group is None:
            group = []
            of_text.append(group)
            order.append(group)
        group.append(item)
    copies = sum(len(group) - 1 for group in order)
    if copies:
        example = next(group for group in order if len(group) > 1)
        places = " and ".join(item.document.source for item in example[:2])
        warn(f"{copies} copies of papers are read once (such as {places})")
    for group in order:
        yield _merged(group)


def _same_title(group: list[Found], item: Found) -> bool:
    title = names.form(item.document.title)
    others = {names.form(other.document.title) for other in group} - {""}
    return not title or not others or title in others


def _merged(group: list[Found]) -> Document:
    if len(group) == 1:
        return group[0].document
    best = next((item for item in group if item.own_id), group[0]).document
    said = {}
    for one in fields(Document):
        if one.name not in ("id", "text", "source") and not getattr(best, one.name):
            values = (getattr(item.document, one.name) for item in group)
            said[one.name] = next((value for value in values if value), getattr(best, one.name))
    return replace(best, **said)
