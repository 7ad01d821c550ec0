"""What a reader is: it turns the text of one file into records; everything after that is the same for all formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["Reader", "Record", "Source", "Warn"]

#: Takes one line that a person should see.
Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One paper as a file tells it, before it is checked and gets its id."""

    #: The abstract, markup and all.
    text: str
    #: Line of the file where the record begins, from 1; 0 where lines say nothing.
    line: int = 0
    #: The id that the file gives the paper; empty where it gives none.
    id: str = ""
    title: str = ""
    year: int | None = None
    venue: str = ""
    authors: tuple[str, ...] = ()
    url: str = ""
    #: (scheme, value) pairs such as ("arxiv", "2405.00001").
    identifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    r"""The decoded text of one file, with line ends as ``\n``, and a way to complain about one of its lines."""

    name: str
    text: str
    warn: Warn

    def complain(self, line: int, message: str) -> None:
        """Warn as ``file:line: message``; line 0 stands for the file as a whole."""
        self.warn(f"{self.name}:{line}: {message}" if line else f"{self.name}: {message}")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Lines with their numbers, from 1."""
        yield from enumerate(self.text.split("\n"), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One format; plug-ins offer one by the entry point group ``sotagraph.readers``.

    >>> shout = Reader(name="shout", suffixes=(".loud",), read=lambda source: iter([Record(text=source.text)]))
    >>> [record.text for record in shout.read(Source(name="a.loud", text="WE WIN.", warn=print))]
    ['WE WIN.']
    """

    name: str
    #: Lower-case file name endings, with their dots.
    suffixes: tuple[str, ...]
    #: Gives the records of a file in order. It complains through the source, and raises InputError only where the file
    #: as a whole is not of its format.
    read: Callable[[Source], Iterator[Record]]
    #: Whether a text looks like this format; asked where several readers share a suffix, or none knows it.
    looks_like: Callable[[str], bool] = lambda _text: False
