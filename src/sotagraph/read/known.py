"""What files gave when they were read before, so that only those that changed are parsed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import astuple, fields
from typing import Any

from sotagraph.model import Document
from sotagraph.read.documents import Found

__all__ = ["Known"]

_FIELDS = tuple(field.name for field in fields(Document))


class Known:
    """By name and content of a file, its documents and what was complained of; plain values go in and out.

    >>> known = Known()
    >>> known.put("a.txt", b"We do.", [Found(document=Document(id="a", text="We do."), own_id=False)], ["a.txt: hm"])
    >>> found, complaints = Known(known.used).get("a.txt", b"We do.")
    >>> found[0].document.text, complaints, Known(known.used).get("a.txt", b"We did."), known.fresh()
    ('We do.', ['a.txt: hm'], None, {'a'})
    """

    def __init__(self, values: dict[str, Any] | None = None) -> None:
        self._values = values or {}
        #: What was asked for, to be kept for the next time.
        self.used: dict[str, Any] = {}
        #: Whether all that was read came from files and readers that give the same again.
        self.certain = True

    @property
    def trace(self) -> list[tuple[str, bytes]]:
        """The files that were read, in their order, each with the digest of its bytes."""
        return [(name, value[0]) for name, value in self.used.items()]

    def fresh(self) -> set[str]:
        """Ids in files that gave something else before, or nothing; those that stand there as they did left out."""
        return {
            row[0]
            for name, value in self.used.items()
            if value is not (former := self._values.get(name))
            for row in {row for _, row in value[1]} - {row for _, row in (former[1] if former else ())}
        }

    def get(self, name: str, data: bytes) -> tuple[list[Found], list[str]] | None:
        """What a file of this name and content gave."""
        value = self._values.get(name)
        if value is None or value[0] != hashlib.sha256(data).digest():
            return None
        self.used[name] = value
        _, rows, complaints = value
        found = [
            Found(document=Document(**dict(zip(_FIELDS, row, strict=True))), own_id=own_id) for own_id, row in rows
        ]
        return found, list(complaints)

    def put(self, name: str, data: bytes, found: Sequence[Found], complaints: Sequence[str]) -> None:
        """Note what a file gave."""
        rows = [(one.own_id, astuple(one.document)) for one in found]
        self.used[name] = hashlib.sha256(data).digest(), rows, list(complaints)
