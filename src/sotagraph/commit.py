"""The files of a build on their way to the disk: in pieces where the former build's are there, whole where not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sotagraph import keep, memo, records
from sotagraph.beside import Beside
from sotagraph.content import Content, Cut, applied, cuts, delta
from sotagraph.files import EXTRACTIONS, FILES, PAGE, Contents
from sotagraph.model import Extraction
from sotagraph.pieces import Pieces, Section, encoded
from sotagraph.splice import Index, write
from sotagraph.staging import Writer

if TYPE_CHECKING:
    from sotagraph.view.data import Read

__all__ = ["LARGE", "MANY", "Commit", "page_beside"]

#: From so many nodes, or documents of a former build, on, work beside is worth a process.
LARGE = 2000
MANY = 500


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
        page: Beside | None = None,
    ) -> None:
        """`known` holds the extractions of the former build by id, `kept` what it left; None where none is wanted.

        `following` is left for the next build, with what is known of this one so far; `page` is what `page_beside`
        began.
        """
        self.directory = directory
        self.extractions = extractions
        self.known = known
        self.kept = kept
        self.contents = Contents(content, self.kept)
        self._page = page
        self.next = following or keep.Kept()
        self.next.content = content
        self.next.indexes = {}
        self._parts: list[bytes] = []

    def __enter__(self) -> Commit:
        return self

    def __exit__(self, *_: object) -> None:
        if self._page:
            self._page.drop()

    def writers(self) -> dict[str, Callable[[], str | Writer]]:
        """Name of each file → what gives its text, or what writes it."""
        made: dict[str, Callable[[], str | Writer]] = {}
        made[EXTRACTIONS] = partial(self._writer, EXTRACTIONS, self._extractions)
        self._begin_page()
        # The page takes longest, so it is waited for when all else is done.
        for file in sorted(FILES, key=lambda file: file.name == PAGE):
            made[file.name] = partial(self._writer, file.name, file.make)
        if self.known is not None:
            made[keep.CACHE] = lambda: self._cache
        return made

    def _writer(self, name: str, make: Callable[[Contents], Pieces | str]) -> Writer:
        index = self.kept.index(self.directory, name) if self.kept else None
        if name == PAGE and self.known is not None:
            self._pack()
        made = self._answer(name) or make(self.contents if index else self.contents.whole)
        return partial(self._write, name, made, index)

    def _begin_page(self) -> None:
        """Say what has become of the former graph, or begin with this one where there is none."""
        if self._page:
            plan = self.contents.plan
            self._page.ask(delta(plan.content, plan.nodes, plan.edges))
        elif len(self.contents.content.nodes) >= LARGE:
            self._page = Beside(lambda: lambda _: encoded(_html(self.contents.content)))
            self._page.ask(b"")

    def _answer(self, name: str) -> str:
        """A file that was made beside."""
        answer = self._page.result() if self._page and name == PAGE else None
        return (answer or b"").decode("utf-8")

    def _write(self, name: str, made: Pieces | str, index: Index | None, path: Path) -> None:
        if isinstance(made, str):
            write(path, Pieces([], made))
        else:
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

    def _pack(self) -> None:
        """Make what the next build needs of all files that are written by now."""
        self.next.documents = [extraction.document.id for extraction in self.extractions]
        self.next.answers = memo.dump()
        self.next.columns = self.contents.columns
        self.next.subjects = self.contents.turning.subjects
        self._parts = keep.packed(self.next)

    def _cache(self, path: Path) -> None:
        path.write_bytes(keep.to_bytes(self.next, self._parts))


def page_beside(kept: keep.Kept) -> Beside | None:
    """The page, prepared in a process of its own from the former graph while this one finds out what is new in it."""

    def prepare() -> Callable[[bytes], bytes]:
        from sotagraph.view.data import Read

        former = kept.content
        known = Read(former)
        return lambda change: encoded(_html(applied(former, change), known))

    return Beside(prepare) if len(kept.documents) >= MANY else None


def _html(content: Content, known: Read | None = None) -> str:
    from sotagraph.view.page import html_of

    return html_of(content, known=known)


def _line(extraction: Extraction) -> str:
    return f"{records.dumps(extraction)}\n"
