"""From named fields, as JSON objects, table rows and BibTeX entries have them, to a record: one list of known names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sotagraph.read.base import Record

__all__ = ["TEXT_FIELDS", "known_field", "record"]

#: Field names by what they say, best first; lower case, with nothing but letters and digits.
_NAMES = {
    "text": ("abstract", "text", "abstracttext", "paperabstract", "summary"),
    "title": ("title", "papertitle"),
    "id": ("id", "paperid", "documentid", "docid", "corpusid"),
    "year": ("year", "publicationyear", "published", "publicationdate", "date", "updatedate", "cdate"),
    "venue": ("venue", "conference", "journal", "booktitle", "publicationvenue", "series", "journalref"),
    "authors": ("authors", "author", "authorlist"),
    "url": ("url", "link", "paperurl", "pageurl", "pdf", "pdfurl", "urlabs"),
}
TEXT_FIELDS = _NAMES["text"]
_SCHEMES = {
    "arxiv": ("arxivid", "arxiv", "eprint"),
    "doi": ("doi",),
    "openreview": ("openreviewid", "openreview", "forum"),
    "acl": ("aclid", "acl", "anthologyid"),
}
_KNOWN = frozenset(name for names in (*_NAMES.values(), *_SCHEMES.values()) for name in names)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def known_field(name: str) -> bool:
    """Whether a field of this name is read.

    >>> known_field("arXiv_id"), known_field("Abstract"), known_field("price")
    (True, True, False)
    """
    return _plain(name) in _KNOWN


def record(values: Mapping[str, object], *, line: int = 0) -> Record | None:
    """The record behind named fields, or None where none of them holds a text.

    Fields may stand one level down: under ``content`` (``{"content": {"abstract": {"value": …}}}``), and identifiers
    under ``identifiers`` or ``externalIds``.

    >>> found = record({"Paper ID": 7, "Abstract": "We do.", "authors": "A. Ai and B. Bo", "published": "2024-03-01"})
    >>> found.id, found.text, found.authors, found.year
    ('7', 'We do.', ('A. Ai', 'B. Bo'), 2024)
    >>> record({"title": "Nothing else"}) is None
    True
    """
    flat = _flat(values)
    text = _first(flat, "text")
    if not text:
        return None
    return Record(
        text=text,
        line=line,
        id=_first(flat, "id"),
        title=_first(flat, "title"),
        year=_year(_first(flat, "year")),
        venue=_first(flat, "venue"),
        authors=tuple(_authors(next((flat[name] for name in _NAMES["authors"] if flat.get(name)), None))),
        url=_first(flat, "url"),
        identifiers=tuple(_identifiers(flat)),
    )


def _flat(values: Mapping[str, object]) -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in values.items():
        inner = _plain(name)
        if inner in ("content", "identifiers", "externalids") and isinstance(value, Mapping):
            for deeper, found in value.items():
                flat.setdefault(_plain(deeper), _value(found))
        else:
            flat[inner] = _value(value)
    return flat


def _value(found: object) -> object:
    return found["value"] if isinstance(found, Mapping) and "value" in found else found


def _first(flat: Mapping[str, object], what: str) -> str:
    return next((text for name in _NAMES[what] if (text := _text(flat.get(name)))), "")


def _text(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Mapping) and isinstance(value.get("name"), str):
        return str(value["name"]).strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _year(text: str) -> int | None:
    match = re.search(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)", text)
    return int(match[1]) if match else None


def _authors(value: object) -> Iterator[str]:
    if isinstance(value, str):
        separator = r"\s+and\s+|\s*;\s*" if re.search(r"\sand\s|;", value) else r"\s*,\s*"
        yield from filter(None, re.split(separator, value.strip()))
    elif isinstance(value, list | tuple):
        for one in value:
            if isinstance(one, Mapping) and not one.get("name"):
                yield " ".join(filter(None, (_text(one.get("first")), _text(one.get("last")))))
            elif name := _text(one):
                yield name


def _identifiers(flat: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for scheme, fields in _SCHEMES.items():
        if value := next((text for name in fields if (text := _text(flat.get(name)))), ""):
            yield scheme, value
