"""Writing a file in pieces from the former one: what no cut touches is copied, by the kernel where it can.

How long each piece is stands in an `Index`; it is made when a file is written, and needed to write the next one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from sotagraph.content import Cut
from sotagraph.pieces import Pieces, Section, encoded, numbered

__all__ = ["Index", "spliced", "write"]

Ints = npt.NDArray[np.int64]
#: Below so many bytes, reading and writing is cheaper than asking the kernel.
_SMALL = 1 << 14
_CHUNK = 1 << 24
#: So many new pieces are encoded at once: all of a large file, as text and as bytes, would be in memory three times.
_BATCH = 1 << 12


@dataclass(frozen=True, slots=True)
class Index:
    """Where the pieces of a file are: for each section the length of its head, of its joint, and of each piece."""

    heads: list[int] = field(default_factory=list)
    joints: list[int] = field(default_factory=list)
    lengths: list[Ints] = field(default_factory=list)

    def starts(self) -> Iterator[Ints]:
        """By section, where each piece begins, and where a piece behind the last would."""
        at = 0
        for head, joint, lengths in zip(self.heads, self.joints, self.lengths, strict=True):
            ends = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths + joint)]) + at + head
            yield ends
            at = int(ends[-1]) - (joint if len(lengths) else 0)


def spliced(items: Sequence[str], cuts: Sequence[Cut]) -> list[str]:
    """A sequence after some cuts.

    >>> spliced(["a", "b", "c"], [Cut(1, 2, ["x", "y"])])
    ['a', 'x', 'y', 'c']
    """
    result: list[str] = []
    at = 0
    for cut in cuts:
        result += items[at : cut.start]
        result += cut.new
        at = cut.end
    result += items[at:]
    return result


def write(path: Path, pieces: Pieces, former: Path | None = None, index: Index | None = None) -> Index:
    """Write a file and give its index; `former` with its `index` is what the cuts are made in."""
    made = Index()
    old = former.open("rb", buffering=0) if former and index and pieces.based else None
    try:
        with path.open("wb") as out:
            starts = index.starts() if old and index else iter(())
            for number, section in enumerate(pieces.sections):
                head = encoded(section.head)
                out.write(head)
                made.heads.append(len(head))
                made.joints.append(len(encoded(section.joint)))
                lengths = index.lengths[number] if old and index else np.zeros(0, dtype=np.int64)
                begins = next(starts, np.zeros(1, dtype=np.int64))
                made.lengths.append(_Writer(out, old, begins, lengths, section).run())
            out.write(encoded(pieces.tail))
            out.flush()
            os.fsync(out.fileno())
    finally:
        if old:
            old.close()
    return made


class _Writer:
    """Writes one section."""

    def __init__(self, out: BinaryIO, old: BinaryIO | None, begins: Ints, lengths: Ints, section: Section) -> None:
        self.out, self.old, self.begins, self.lengths, self.section = out, old, begins, lengths, section
        self.joint = encoded(section.joint)
        self.made: list[Ints] = []
        self.count = 0

    def run(self) -> Ints:
        at = 0
        for cut in self.section.cuts:
            self._keep(at, cut.start)
            self._add(cut.new)
            at = cut.end
        self._keep(at, len(self.lengths))
        return np.concatenate(self.made) if self.made else np.zeros(0, dtype=np.int64)

    def _next(self, lengths: Ints) -> None:
        if self.count:
            self.out.write(self.joint)
        self.made.append(lengths)
        self.count += len(lengths)

    def _add(self, new: Sequence[str]) -> None:
        number = self.section.number
        for first in range(0, len(new), _BATCH):
            some = new[first : first + _BATCH]
            data = [encoded(piece) for piece in (numbered(number, self.count, some) if number else some)]
            self._next(np.fromiter(map(len, data), dtype=np.int64, count=len(data)))
            self.out.write(self.joint.join(data))

    def _keep(self, start: int, end: int) -> None:
        if end <= start or self.old is None:
            return
        begin, size = int(self.begins[start]), int(self.begins[end] - self.begins[start]) - len(self.joint)
        number = self.section.number
        if number and self.count != start:
            self._renumber(number, start, end, _read(self.old, begin, size))
            return
        self._next(self.lengths[start:end])
        _copy(self.old, self.out, begin, size)

    def _renumber(self, number: str, start: int, end: int, data: bytes) -> None:
        """Copy pieces whose position is another one than before."""
        pieces = []
        at, step = 0, len(self.joint)
        for position, length in enumerate(self.lengths[start:end].tolist(), start):
            pieces.append(data[at + len(number.format(position)) : at + length])
            at += length + step
        new = [b"%b%b" % (number.format(place).encode(), piece) for place, piece in enumerate(pieces, self.count)]
        self._next(np.fromiter(map(len, new), dtype=np.int64, count=len(new)))
        self.out.write(self.joint.join(new))


def _read(old: BinaryIO, begin: int, size: int) -> bytes:
    old.seek(begin)
    parts = []
    while size:
        data = old.read(min(size, _CHUNK))
        if not data:
            raise OSError("a file of the former build is shorter than it was")
        parts.append(data)
        size -= len(data)
    return b"".join(parts)


def _copy(old: BinaryIO, out: BinaryIO, begin: int, size: int) -> None:
    """Copy a range of one file to the end of another."""
    copying: Callable[..., int] | None = getattr(os, "copy_file_range", None)
    if size > _SMALL and copying:
        out.flush()
        try:
            while size:
                done = copying(old.fileno(), out.fileno(), size, begin)
                if not done:
                    break
                begin, size = begin + done, size - done
        except OSError:
            pass  # not between these file systems; what is left is read and written
    while size:
        data = _read(old, begin, min(size, _CHUNK))
        out.write(data)
        begin, size = begin + len(data), size - len(data)
