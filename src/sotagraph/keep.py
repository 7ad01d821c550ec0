"""What a build leaves in its directory for the next one: the graph as it was, and where the pieces of its files are.

It lies in ``DIR/.cache`` and may be deleted at any time. A cache that is torn, of another version, or of other files
than those that lie there counts for nothing: what it would have saved is then made anew.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
import zlib
from collections.abc import Mapping, Sequence, Set
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from sotagraph.content import Columns, Content, Edge
from sotagraph.splice import Index
from sotagraph.subjects import Subjects

__all__ = ["CACHE", "Kept", "Stamp", "packed", "read", "stamp", "to_bytes"]

#: The cache, below the build directory.
CACHE = ".cache/build"
_MAGIC = b"sotagraph cache\n"

#: Size and time of the last change in nanoseconds: what tells whether a file is the one that a build wrote.
Stamp = tuple[int, int]
_PARTS = ("content", "columns", "subjects", "documents", "sources", "answers", "grounds", "indexes")


class Kept:
    """What is known of the former build; a part is unpacked when it is first asked for."""

    def __init__(
        self,
        head: Mapping[str, Any] | None = None,
        parts: Mapping[str, memoryview] | None = None,
        *,
        sources: dict[str, Any] | None = None,
        grounds: dict[str, Any] | None = None,
    ) -> None:
        head = head or {}
        if sources is not None:
            self.sources = sources
        if grounds is not None:
            self.grounds = grounds
        self._parts = parts or {}
        #: All that had a say in what was built, as `sotagraph.again` notes it.
        self.request: Any = head.get("request")
        #: The extractor's version, and `sotagraph.engine.shipped` where it is the one that ships.
        self.extractor: tuple[str, str] = head.get("extractor", ("", ""))
        #: What linking complained of, in its order.
        self.complaints: list[str] = head.get("complaints", [])
        #: The least confidence that was asked for.
        self.least: float = head.get("least", 0.0)
        #: By the name of each file of the build.
        self.stamps: dict[str, Stamp] = head.get("stamps", {})

    def _part(self, name: str, default: Any) -> Any:
        return marshal.loads(self._parts[name]) if name in self._parts else default

    @cached_property
    def content(self) -> Content:
        """The graph."""
        return Content(*self._part("content", ({}, {}, {})))

    @cached_property
    def columns(self) -> tuple[Columns, Columns]:
        """The attributes of nodes and of edges."""
        nodes, edges = self._part("columns", ({}, {}))
        return Columns(nodes), Columns(edges)

    @cached_property
    def subjects(self) -> Subjects:
        """The subjects of the RDF files."""
        names, lines, *arrays, digests = self._part("subjects", ([], [], b"", b"", b""))
        counts, prefixes = map(_unpacked, arrays)
        return Subjects(names, lines, counts, prefixes, np.frombuffer(digests, dtype=np.uint8).reshape(-1, 16))

    @cached_property
    def documents(self) -> list[str]:
        """Ids of the documents, in their order."""
        found: list[str] = self._part("documents", [])
        return found

    @cached_property
    def sources(self) -> dict[str, Any]:
        """What the files of the input gave."""
        found: dict[str, Any] = self._part("sources", {})
        return found

    @cached_property
    def answers(self) -> dict[str, dict[Any, Any]]:
        """What `sotagraph.memo` remembers."""
        found: dict[str, dict[Any, Any]] = self._part("answers", {})
        return found

    @cached_property
    def grounds(self) -> dict[str, Any]:
        """What the graph's part of each document rests on, as `sotagraph.link.grounds` noted it."""
        found: dict[str, Any] = self._part("grounds", {})
        return found

    @cached_property
    def indexes(self) -> dict[str, Index]:
        """Where the pieces of each file are."""
        return {
            name: Index(heads, joints, [_unpacked(lengths) for lengths in some])
            for name, (heads, joints, some) in self._part("indexes", {}).items()
        }

    def unpack(self) -> None:
        """Unpack all parts now, while something else is waited for."""
        for name in _PARTS:
            getattr(self, name)

    def index(self, directory: Path, name: str) -> Index | None:
        """Where the pieces of a file are, if the file is as it was written."""
        return self.indexes.get(name) if self.is_as_written(directory, name) else None

    def is_as_written(self, directory: Path, name: str) -> bool:
        """Whether a file is there as it was written."""
        return name in self.stamps and self.stamps[name] == stamp(directory / name)

    def is_whole(self, directory: Path, names: Set[str]) -> bool:
        """Whether the files of these names are all that were written, each as it was."""
        return self.stamps.keys() == names and all(self.is_as_written(directory, name) for name in names)

    def changes(self, content: Content) -> tuple[set[str], set[Edge]]:
        """The nodes and edges that came, went or changed."""
        return _differing(self.content.nodes, content.nodes), _differing(self.content.edges, content.edges)


def _differing(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> set[Any]:
    # What was taken over is the same object.
    found = {key for key, data in new.items() if (former := old.get(key)) is not data and former != data}
    return found | (old.keys() - new.keys())


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def packed(kept: Kept) -> list[bytes]:
    """All but the head of the cache; this takes a second of a large build, and needs no stamps."""
    subjects = kept.subjects
    arrays = [_packed(array) for array in (subjects.counts, subjects.prefixes, subjects.digests)]
    values: dict[str, Any] = {
        "content": (kept.content.attributes, kept.content.nodes, kept.content.edges),
        "columns": tuple(dict(columns.counts) for columns in kept.columns),
        "subjects": (subjects.names, subjects.lines, *arrays),
        "documents": kept.documents,
        "sources": kept.sources,
        "answers": kept.answers,
        "grounds": kept.grounds,
        "indexes": {
            name: (i.heads, i.joints, [_packed(lengths) for lengths in i.lengths]) for name, i in kept.indexes.items()
        },
    }
    return [marshal.dumps(values[name]) for name in _PARTS]


def to_bytes(kept: Kept, parts: Sequence[bytes]) -> bytes:
    """The cache's bytes: a line that says what it is, the version, a checksum, and plain values in parts."""
    head = marshal.dumps(
        {
            "request": kept.request,
            "extractor": kept.extractor,
            "complaints": kept.complaints,
            "least": kept.least,
            "stamps": kept.stamps,
            "sizes": [len(part) for part in parts],
        }
    )
    body = [len(head).to_bytes(8, "big"), head, *parts]
    checksum = 0
    for part in body:
        checksum = zlib.crc32(part, checksum)
    return b"".join((_MAGIC, version(), checksum.to_bytes(4, "big"), *body))


def read(directory: Path) -> Kept | None:
    """What the former build left, if it is whole and of this version."""
    try:
        data = (directory / CACHE).read_bytes()
    except OSError:
        return None
    start = _MAGIC + version()
    body = memoryview(data)[len(start) + 4 :]
    if not data.startswith(start) or zlib.crc32(body).to_bytes(4, "big") != data[len(start) : len(start) + 4]:
        return None
    at = 8 + int.from_bytes(body[:8], "big")
    head = marshal.loads(body[8:at])
    parts = {}
    for name, size in zip(_PARTS, head["sizes"], strict=True):
        parts[name] = body[at : at + size]
        at += size
    return Kept(head, parts)


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
