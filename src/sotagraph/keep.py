"""What a build leaves in its directory for the next one: the graph as it was, and where the pieces of its files are.

It lies in ``DIR/.cache`` and may be deleted at any time. A cache that is torn, of another version, or of other files
than those that lie there counts for nothing: what it would have saved is then made anew.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from sotagraph.content import Columns, Content, Edge
from sotagraph.splice import Index
from sotagraph.subjects import Subjects

__all__ = ["CACHE", "Kept", "Stamp", "read", "stamp", "to_bytes"]

#: The cache, below the build directory.
CACHE = ".cache/build"
_MAGIC = b"sotagraph cache\n"

#: Size and time of the last change in nanoseconds: what tells whether a file is the one that a build wrote.
Stamp = tuple[int, int]


@dataclass(slots=True)
class Kept:
    """What is known of the former build."""

    content: Content = field(default_factory=Content)
    nodes: Columns = field(default_factory=Columns)
    edges: Columns = field(default_factory=Columns)
    subjects: Subjects = field(default_factory=Subjects.none)
    #: Ids of the documents, in their order.
    documents: list[str] = field(default_factory=list)
    #: What the files of the input gave.
    sources: dict[str, Any] = field(default_factory=dict)
    #: What `sotagraph.memo` remembers.
    answers: dict[str, dict[Any, Any]] = field(default_factory=dict)
    #: By the name of each file in pieces.
    stamps: dict[str, Stamp] = field(default_factory=dict)
    indexes: dict[str, Index] = field(default_factory=dict)

    def index(self, directory: Path, name: str) -> Index | None:
        """Where the pieces of a file are, if the file is as it was written."""
        return self.indexes.get(name) if self.stamps.get(name) == stamp(directory / name) else None

    def changes(self, content: Content) -> tuple[set[str], set[Edge]]:
        """The nodes and edges that came, went or changed."""
        return _differing(self.content.nodes, content.nodes), _differing(self.content.edges, content.edges)


def _differing(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> set[Any]:
    found = {key for key, data in new.items() if old.get(key) != data}
    return found | (old.keys() - new.keys())


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def to_bytes(kept: Kept) -> bytes:
    """The cache's bytes: a line that says what it is, the version, a checksum, and plain values."""
    subjects = kept.subjects
    values: Any = (
        (kept.content.attributes, kept.content.nodes, kept.content.edges),
        (dict(kept.nodes.counts), dict(kept.edges.counts)),
        (
            subjects.names,
            subjects.lines,
            _packed(subjects.counts),
            _packed(subjects.prefixes),
            _packed(subjects.digests),
        ),
        kept.documents,
        kept.sources,
        kept.answers,
        kept.stamps,
        {name: (i.heads, i.joints, [_packed(lengths) for lengths in i.lengths]) for name, i in kept.indexes.items()},
    )
    data = marshal.dumps(values)
    return b"".join((_MAGIC, version(), zlib.crc32(data).to_bytes(4, "big"), data))


def read(directory: Path) -> Kept | None:
    """What the former build left, if it is whole and of this version."""
    try:
        data = (directory / CACHE).read_bytes()
    except OSError:
        return None
    head = _MAGIC + version()
    body = memoryview(data)[len(head) + 4 :]
    if not data.startswith(head) or zlib.crc32(body).to_bytes(4, "big") != data[len(head) : len(head) + 4]:
        return None
    content, columns, subjects, documents, sources, answers, stamps, indexes = marshal.loads(body)
    return Kept(
        content=Content(*content),
        nodes=Columns(columns[0]),
        edges=Columns(columns[1]),
        subjects=Subjects(
            subjects[0],
            subjects[1],
            _unpacked(subjects[2]),
            _unpacked(subjects[3]),
            np.frombuffer(subjects[4], dtype=np.uint8).reshape(-1, 16),
        ),
        documents=documents,
        sources=sources,
        answers=answers,
        stamps=stamps,
        indexes={
            name: Index(heads, joints, [_unpacked(lengths) for lengths in some])
            for name, (heads, joints, some) in indexes.items()
        },
    )


def _packed(array: np.ndarray[Any, Any]) -> bytes:
    return array.tobytes()


def _unpacked(data: bytes) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.frombuffer(data, dtype=np.int64)


@cache
def version() -> bytes:
    """A digest of everything that has a say in what a build writes: Python, this package's code, and its data."""
    whole = hashlib.sha256(f"{sys.version} {sys.byteorder} {np.__version__}".encode())
    root = resources.files("sotagraph")
    home = Path(str(root))
    for path in sorted(home.rglob("*")):
        if path.suffix in (".py", ".html", ".css", ".js", ".tsv", ".jsonld") and path.is_file():
            whole.update(path.relative_to(home).as_posix().encode() + path.read_bytes())
    from sotagraph.resources import ontology_text

    whole.update(ontology_text("context.jsonld").encode("utf-8"))
    return whole.digest()
