"""All readers: those of this package, and those that others offer."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from sotagraph.errors import ConfigError
from sotagraph.read import anthology, bibtex, jsons, markdown, plain, table
from sotagraph.read.base import Reader

__all__ = ["GROUP", "choose", "is_own", "readers", "suffixes"]

#: The entry point group of plug-ins; each names a `Reader`.
GROUP = "sotagraph.readers"

#: In the order in which they are asked what a text looks like; plain text is what is left.
_OWN = (jsons.JSONL, jsons.JSON, anthology.READER, bibtex.READER, table.READER, markdown.READER, plain.READER)
#: How much of a text is looked at to tell its format.
_LOOK = 4096


@cache
def readers() -> tuple[Reader, ...]:
    """Plug-ins by name, then the readers of this package.

    Raises:
        ConfigError: a plug-in cannot be loaded, or is no reader.
    """
    found = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        try:
            reader = point.load()
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"the reader plug-in {point.name} ({point.value}) cannot be loaded: {error}") from error
        if not isinstance(reader, Reader):
            raise ConfigError(f"the reader plug-in {point.name} ({point.value}) is no sotagraph.read.Reader")
        found.append(reader)
    return (*found, *_OWN)


def is_own(reader: Reader) -> bool:
    """Whether a reader is of this package, so that what it gives changes with the package's version alone."""
    return reader in _OWN


def suffixes() -> frozenset[str]:
    """All file name endings that some reader knows."""
    return frozenset(suffix for reader in readers() for suffix in reader.suffixes)


def choose(suffix: str, text: str) -> Reader:
    """The reader of a file: by its ending; plain text and unknown endings also by what the text looks like.

    >>> choose(".json", '{"abstract": "x"}').name, choose(".txt", '{"abstract": "x"}').name, choose("", "We do.").name
    ('JSON', 'JSON lines', 'text')
    """
    known = [reader for reader in readers() if suffix.lower() in reader.suffixes]
    if known and plain.READER not in known:
        return next((reader for reader in known if reader.looks_like(text[:_LOOK])), known[0])
    # Markdown in a .txt file is read as Markdown only if its first line says so; a table only if its head line does.
    return next((reader for reader in readers() if reader.looks_like(text[:_LOOK])), plain.READER)
