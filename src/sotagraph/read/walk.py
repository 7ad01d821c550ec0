"""Which files of a directory are read, in an order that does not depend on the file system."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from sotagraph.read.base import Warn

__all__ = ["files"]

#: Names (without ending) of files that speak about a directory.
_NO_PAPERS = re.compile(
    r"(?:readme|licen[sc]e|notice|copying|changelog|changes|contributing|code_of_conduct|security|authors|citation"
    r"|requirements.*|cmakelists|package(?:-lock)?|tsconfig|makefile|todo)",
    re.IGNORECASE,
)
#: What a build directory holds; it is never input.
_BUILD = ("extractions.jsonl", "graph.json")


def files(root: Path, *, suffixes: Collection[str], warn: Warn, verbose: bool = False) -> Iterator[Path]:
    """The files below a directory that some reader knows by their ending, sorted by their path.

    Hidden ones, links to directories, files about the directory (README, LICENSE, …) and build directories are passed
    over; so are unknown endings. `verbose` tells each.
    """
    for path in sorted(_walk(root, warn), key=lambda path: path.relative_to(root).as_posix()):
        if _NO_PAPERS.fullmatch(path.stem):
            if verbose:
                warn(f"{path.as_posix()}: not read, since it is about the directory")
        elif path.suffix.lower() not in suffixes:
            if verbose:
                warn(f"{path.as_posix()}: not read, since no reader knows its ending")
        else:
            yield path


def _walk(root: Path, warn: Warn) -> Iterator[Path]:
    if all((root / name).is_file() for name in _BUILD):
        warn(f"{root.as_posix()}: a directory that a build wrote; it is not read")
        return
    try:
        entries = list(root.iterdir())
    except OSError as error:
        warn(f"{root.as_posix()}: cannot be read ({error.strerror or error})")
        return
    for path in entries:
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        if path.is_dir():
            if not path.is_symlink():
                yield from _walk(path, warn)
        elif path.is_file():
            yield path
