"""The files of a build on their way to the disk: in pieces where the former build's are there, whole where not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from sotagraph import keep, memo, records
from sotagraph.beside import Beside
from sotagraph.content import Content, Cut, cuts
from sotagraph.files import EXTRACTIONS, FILES, Contents, File
from sotagraph.model import Extraction
from sotagraph.pieces import Pieces, Section, encoded
from sotagraph.splice import Index, write
from sotagraph.staging import Writer

__all__ = ["LARGE", "Commit"]

#: From so many nodes on, work beside is worth a process.
LARGE = 2000


class Commit:
    """One set of files; what is written is noted for the next build."""

    def __init__(
        self,
        directory: Path,
        content: Content,
        extractions: Sequence[Extraction],
        known: Mapping[str, Extraction] | None = None,
        kept: keep.Kept | None = None,
        following: keep.Kept | None = None,
    ) -> None:
        """`known` holds the extractions of the former build by id, `kept` what it left; None where none is wanted.

        `following` is left for the next build, with what is known of this one so far.
        """
        self.directory = directory
        self.extractions = extractions
        self.known = known
        self.kept = kept
        self.contents = Contents(content, self.kept)
        self._beside: dict[str, Beside] = {}
        self.next = following or keep.Kept()
        self.next.content = content
        self.next.indexes = {}

    def __enter__(self) -> Commit:
        return self

    def __exit__(self, *_: object) -> None:
        for work in self._beside.values():
            work.drop()

    def writers(self) -> dict[str, Callable[[], str | Writer]]:
        """Name of each file → what gives its text, or what writes it."""
        made: dict[str, Callable[[], str | Writer]] = {}
        made[EXTRACTIONS] = partial(self._writer, EXTRACTIONS, self._extractions)
        for file in FILES:
            if file.long and len(self.contents.content.nodes) >= LARGE:
                self._beside[file.name] = Beside(partial(_data, file, self.contents.whole))
            made[file.name] = partial(self._writer, file.name, file.make)
        if self.known is not None:
            made[keep.CACHE] = lambda: self._cache
        return made

    def _writer(self, name: str, make: Callable[[Contents], Pieces | str]) -> Writer:
        index = self.kept.index(self.directory, name) if self.kept else None
        work = self._beside.get(name)
        if work and work.is_apart:
            made: Pieces | str = work.result().decode("utf-8")
        else:
            made = make(self.contents if index else self.contents.whole)
        pieces = Pieces([Section(made, [])]) if isinstance(made, str) else made
        return partial(self._write, name, pieces, index)

    def _write(self, name: str, made: Pieces, index: Index | None, path: Path) -> None:
        self.next.indexes[name] = write(path, made, self.directory / name, index)
        if (stamp := keep.stamp(path)) is not None:
            self.next.stamps[name] = stamp

    def _extractions(self, contents: Contents) -> Pieces:
        ids = [extraction.document.id for extraction in self.extractions]
        if contents.kept is None or self.known is None:
            new = [Cut(0, 0, [_line(extraction) for extraction in self.extractions])]
            return Pieces([Section("", new)])
        kept = {one.document.id for one in self.extractions if self.known.get(one.document.id) is one}
        by_id = {extraction.document.id: extraction for extraction in self.extractions}
        new = [
            Cut(start, end, [_line(by_id[name]) for name in some])
            for start, end, some in cuts(contents.kept.documents, ids, kept)
        ]
        return Pieces([Section("", new)], based=True)

    def _cache(self, path: Path) -> None:
        self.next.documents = [extraction.document.id for extraction in self.extractions]
        self.next.answers = memo.dump()
        self.next.columns = self.contents.columns
        self.next.subjects = self.contents.turning.subjects
        path.write_bytes(keep.to_bytes(self.next))


def _data(file: File, contents: Contents) -> bytes:
    return encoded(file.text(contents))


def _line(extraction: Extraction) -> str:
    return f"{records.dumps(extraction)}\n"
