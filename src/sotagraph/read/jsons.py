"""JSON lines, JSON arrays, and this project's own extraction records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from sotagraph import records
from sotagraph.errors import InputError
from sotagraph.read.base import Reader, Record, Source
from sotagraph.read.fields import record

__all__ = ["JSON", "JSONL", "is_extraction_record"]

#: Where an object keeps its list of papers.
_LISTS = ("papers", "documents", "records", "data", "notes", "results")
_SPACE = re.compile(r"[\s,]*")


def is_extraction_record(value: object) -> bool:
    """Whether a JSON value is an extraction as `sotagraph extract` writes it, its document within.

    >>> is_extraction_record({"id": "a", "document": {"id": "a", "text": "x"}, "entities": [], "extractor": "v"})
    True
    >>> is_extraction_record({"id": "a", "abstract": "x"}), is_extraction_record([])
    (False, False)
    """
    if not isinstance(value, dict):
        return False
    inner = value.get("document")
    return (
        isinstance(inner, dict) and isinstance(inner.get("text"), str) and "entities" in value and "extractor" in value
    )


def _records(value: object, line: int, source: Source) -> Iterator[Record]:
    if is_extraction_record(value):
        yield from _extracted(value, line, source)
        return
    if not isinstance(value, dict):
        source.complain(line, f"want an object, got {_kind(value)}; it is left out")
        return
    found = record(value, line=line)
    if found is None:
        names = ", ".join(sorted(map(str, value))[:8]) or "none"
        source.complain(line, f"no abstract or text among the keys ({names}); the record is left out")
    else:
        yield found


def _extracted(value: Any, line: int, source: Source) -> Iterator[Record]:
    try:
        known = records.from_record(value).document
    except InputError as error:
        source.complain(line, f"{error}; it is left out")
        return
    said = {one.name: getattr(known, one.name) for one in fields(known) if one.name != "source"}
    yield Record(line=line, **said)


def _kind(value: object) -> str:
    kinds = {list: "an array", str: "a string", type(None): "null", bool: "true or false"}
    return kinds.get(type(value), "a number")


def _load(text: str) -> object:
    """Any JSON value; NaN and its like are none.

    Raises:
        ValueError: it is not JSON, or is nested too deep to be read.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


def read_lines(source: Source) -> Iterator[Record]:
    r"""One object a line; a line that is not JSON is told and left out.

    >>> lines = '{"abstract": "We do."}\n{"abstract"\n{"abstract": "They do."}'
    >>> [record.text for record in read_lines(Source(name="a.jsonl", text=lines, warn=print))]
    a.jsonl:2: not JSON (Expecting ':' delimiter at column 12); the line is left out
    ['We do.', 'They do.']
    """
    for number, line in source.lines():
        if line.strip():
            try:
                value = _load(line)
            except ValueError as error:
                source.complain(number, f"not JSON ({_reason(error)}); the line is left out")
                continue
            yield from _records(value, number, source)


def _reason(error: ValueError) -> str:
    return f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)


def read_json(source: Source) -> Iterator[Record]:
    """An array of objects, an object with such an array, or one object.

    Raises:
        InputError: the file is none of these.
    """
    text = source.text.lstrip()
    if text.startswith("["):
        yield from _array(source)
        return
    try:
        value = _load(text)
    except ValueError as error:
        if _is_lines(text):
            yield from read_lines(source)
            return
        raise InputError(f"{source.name}: not JSON ({error})") from error
    if isinstance(value, dict) and not is_extraction_record(value):
        for name in _LISTS:
            if isinstance(value.get(name), list):
                for item in value[name]:
                    yield from _records(item, 0, source)
                return
    yield from _records(value, 1, source)


def _array(source: Source) -> Iterator[Record]:
    """Items one by one, so that those before a fault are kept and each has its line."""
    text = source.text
    decoder = json.JSONDecoder()
    at = text.index("[") + 1
    line = 1 + text.count("\n", 0, at)
    while True:
        start = _skip(text, at)
        line += text.count("\n", at, start)
        if text[start : start + 1] == "]":
            return
        try:
            value, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            source.complain(line, f"not JSON ({reason}); the file is read up to here")
            return
        yield from _records(value, line, source)
        line += text.count("\n", start, at)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _is_lines(text: str) -> bool:
    return text.startswith("{") and bool(re.search(r"\}\s*\n\s*\{", text))


def _first_line_is_object(text: str) -> bool:
    first = text.lstrip().partition("\n")[0].strip()
    return first.startswith("{") and first.endswith("}")


JSONL = Reader(name="JSON lines", suffixes=(".jsonl", ".ndjson"), read=read_lines, looks_like=_first_line_is_object)
JSON = Reader(name="JSON", suffixes=(".json",), read=read_json, looks_like=lambda text: text.lstrip()[:1] in ("[", "{"))
