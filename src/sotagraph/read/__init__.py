"""Reading: from files and directories to documents, whatever the format.

``base`` says what a reader is, ``registry`` knows them all, ``walk`` finds files, ``documents`` makes documents of
records. Each format has a file of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from sotagraph.errors import InputError
from sotagraph.model import Document
from sotagraph.read.base import Reader, Record, Source, Warn
from sotagraph.read.decode import decode
from sotagraph.read.documents import Found, content_id, document, once
from sotagraph.read.jsons import is_extraction_record
from sotagraph.read.known import Known
from sotagraph.read.registry import choose, is_own, readers, suffixes
from sotagraph.read.walk import files

__all__ = ["Known", "Reader", "Record", "Source", "Warn", "content_id", "is_extraction_record", "read_paths", "readers"]


def read_paths(
    paths: Iterable[str | Path], *, warn: Warn, verbose: bool = False, known: Known | None = None
) -> Iterator[Document]:
    """The papers of files and directories, each once, in the order of the paths and sorted within a directory.

    A paper keeps the id that its file gives it; else it is called by its arXiv, DOI, OpenReview or ACL identifier, else
    by a hash of its text. A paper that several files hold is read once, and what one file does not say of it is taken
    from the others.

    Args:
        paths: files and directories.
        warn: told each thing that is left out or mended, as ``file:line: message``.
        verbose: whether files of a directory that are passed over are told too.
        known: what files gave before; looked up, and filled.

    Raises:
        InputError: a path is missing, cannot be read, or gives no paper.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "my.jsonl"
    >>> _ = file.write_text('{"id": "a", "abstract": "We do."}', encoding="utf-8")
    >>> [document.id for document in read_paths([file], warn=print)]
    ['a']
    """
    return once(list(_all(paths, warn=warn, verbose=verbose, known=Known() if known is None else known)), warn=warn)


def _all(paths: Iterable[str | Path], *, warn: Warn, verbose: bool, known: Known) -> Iterator[Found]:
    seen: set[Path] = set()
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(f"{path.as_posix()}: no such file or directory")
        if path.is_dir():
            found = _directory(path, seen, warn=warn, verbose=verbose, known=known)
        else:
            found = _file(path, warn=warn, known=known) if path.resolve() not in seen else None
            seen.add(path.resolve())
        if found is not None and not found:
            raise InputError(f"{path.as_posix()}: no paper found; want {_wanted()}")
        yield from found or ()


def _wanted() -> str:
    return f"files with abstracts ({', '.join(sorted(suffixes()))})"


def _directory(root: Path, seen: set[Path], *, warn: Warn, verbose: bool, known: Known) -> list[Found] | None:
    """The documents below a directory; None where all its files were read before."""
    paths = list(files(root, suffixes=suffixes(), warn=warn, verbose=verbose))
    new = [path for path in paths if path.resolve() not in seen]
    if paths and not new:
        return None
    found: list[Found] = []
    for path in new:
        seen.add(path.resolve())
        try:
            documents = _file(path, warn=warn, known=known)
        except InputError as error:
            warn(f"{error}; the file is left out")
            continue
        if not documents:
            warn(f"{path.as_posix()}: no paper found in it")
        found += documents
    return found


def _file(path: Path, *, warn: Warn, known: Known) -> list[Found]:
    name = path.as_posix()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror or error})") from error
    if not data.strip():
        raise InputError(f"{name}: the file is empty")
    if (given := known.get(name, data)) is not None:
        found, complaints = given
        for complaint in complaints:
            warn(complaint)
        return found
    complaints = []

    def complain(message: str) -> None:
        complaints.append(message)
        warn(message)

    source = Source(name=name, text=decode(data, name=name, warn=complain), warn=complain)
    reader = choose(path.suffix, source.text)
    found = [one for record in reader.read(source) if (one := document(record, source)) is not None]
    if is_own(reader):
        known.put(name, data, found, complaints)
    else:
        known.certain = False
    return found
