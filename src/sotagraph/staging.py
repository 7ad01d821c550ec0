"""A build directory that survives SIGKILL: one writer, a journal of what was extracted, and files that change together.

While a build runs, everything it makes lies in ``DIR/.sotagraph``::

    lock            held by the one build that may write; the system lets go of it when the process dies
    journal.jsonl   extractions as they are finished, flushed to the disk batch by batch
    next/           the new files, complete but not yet in place
    commit          names of the files in next/; from its appearance on the new files are the build

A process that dies before ``commit`` appears leaves the former files untouched. One that dies after it leaves a list of
renames that whoever opens the directory next carries out. At the end the whole of ``.sotagraph`` is removed.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from sotagraph import records
from sotagraph.errors import BuildError, InputError
from sotagraph.model import Extraction
from sotagraph.pieces import encoded

__all__ = ["Journal", "Writer", "commit", "lock", "recover", "write_file"]

#: The directory inside a build that exists only while one is being made.
WORK = ".sotagraph"

#: Writes a file to a path and sees to it that it is on the disk.
Writer = Callable[[Path], None]

#: How long a reader waits for a build that is just renaming its files, in seconds.
PATIENCE = 10.0


def write_file(path: Path, text: str | bytes) -> None:
    r"""Write so that `path` holds either what it held or all of `text`, at any moment; UTF-8, ``\n`` line ends.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     write_file(Path(directory, "a.txt"), "α\n")
    ...     [p.name for p in Path(directory).iterdir()], Path(directory, "a.txt").read_bytes()
    (['a.txt'], b'\xce\xb1\n')
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        _write(temporary, text)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _write(path: Path, text: str | bytes) -> None:
    data = encoded(text) if isinstance(text, str) else text
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(directory: Path) -> None:
    """Make renames inside a directory last through a power cut, where the system lets a directory be opened."""
    if os.name == "nt":
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def lock(directory: Path) -> Iterator[Path]:
    """Hold the right to write to a build directory, making it if need be; gives its work directory.

    Raises:
        BuildError: another process holds it, or the directory cannot be made.
    """
    made = not directory.exists()
    work = directory / WORK
    handle = _acquire(work / "lock", directory)
    try:
        if (work / "commit").exists():
            _finish(directory)
        yield work
    finally:
        _release(handle, work)
        if made:
            _try(directory.rmdir)  # only where nothing was written


def _acquire(path: Path, directory: Path) -> int:
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:  # a build that just ended removed the directory between the two calls
            continue
        except OSError as error:
            raise BuildError(f"cannot write to {directory}: {error.strerror}; choose another directory") from error
        if not _try_lock(handle):
            os.close(handle)
            raise BuildError(f"another build is writing to {directory}; wait for it, or choose another directory")
        # The build that held the lock before may have removed the file that was locked here.
        if _same_file(handle, path):
            return handle
        os.close(handle)


def _release(handle: int, work: Path) -> None:
    """Remove what has no further use, and only then let go; a journal stays for the next build."""
    if not (work / "commit").exists():
        shutil.rmtree(work / "next", ignore_errors=True)
    if os.name == "nt":  # an open file cannot be removed there
        os.close(handle)
        _try((work / "lock").unlink)
    else:
        _try((work / "lock").unlink)
        os.close(handle)
    _try(work.rmdir)


def _try(action: Callable[[], None]) -> None:
    with suppress(OSError):
        action()


def _same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _try_lock(handle: int) -> bool:
    """Whether this process now holds the lock; file systems without locks are taken to be used by one process."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True


class Journal:
    """Extractions on disk as they are finished, one JSON line each; a line cut off by a crash does not count."""

    def __init__(self, work: Path) -> None:
        self._path = work / "journal.jsonl"

    def read(self) -> Iterator[Extraction]:
        """What earlier, unfinished builds extracted; the torn end of the file is cut off first."""
        if not self._path.exists():
            return
        with self._path.open("r+b") as file:
            data = file.read()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                file.truncate(whole)
        for line in data[:whole].split(b"\n"):
            try:
                yield records.loads(line.decode("utf-8"))
            except (InputError, UnicodeDecodeError):
                continue  # blank, or zeros that a power cut left; the document is extracted again

    def clear(self) -> None:
        """Remove it: what it holds is in place, or wanted no more."""
        self._path.unlink(missing_ok=True)

    def append(self, extractions: Iterable[Extraction]) -> None:
        """Add a batch and return when it is on the disk."""
        lines = "".join(records.dumps(extraction) + "\n" for extraction in extractions)
        with self._path.open("ab") as file:
            file.write(lines.encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())


def commit(
    directory: Path,
    files: Mapping[str, Callable[[], str | Writer]],
    *,
    step: Callable[[str], None] | None = None,
) -> None:
    """Make all files and put them in place together; to be called under `lock`.

    Args:
        directory: the build directory.
        files: name → function that gives the file's text, or what writes it to a path; called in the order of the
            mapping.
        step: told each name before its file is made.
    """
    work = directory / WORK
    following = work / "next"
    shutil.rmtree(following, ignore_errors=True)
    following.mkdir(parents=True)
    for name, text in files.items():
        if step:
            step(name)
        made, path = text(), following / name
        path.parent.mkdir(exist_ok=True)
        if callable(made):
            made(path)
        else:
            _write(path, made)
    _sync(following)
    _write(work / "commit.tmp", json.dumps(list(files)))
    (work / "commit.tmp").replace(work / "commit")
    _sync(work)
    _finish(directory)


def _finish(directory: Path) -> None:
    """Carry out the renames that ``commit`` lists; what is already renamed is passed over."""
    work = directory / WORK
    for name in json.loads((work / "commit").read_text(encoding="utf-8")):
        try:
            (directory / name).parent.mkdir(exist_ok=True)
            (work / "next" / name).replace(directory / name)
        except FileNotFoundError:
            continue
    _sync(directory)
    # The journal goes first: its extractions are in place now. The marker goes last: until then this can be repeated.
    (work / "journal.jsonl").unlink(missing_ok=True)
    shutil.rmtree(work / "next", ignore_errors=True)
    (work / "commit").unlink(missing_ok=True)


def recover(directory: Path) -> None:
    """Complete a build that died while it was renaming its files; does nothing to a directory at rest.

    Raises:
        BuildError: the directory needs completing and cannot be written to, or its build does not come to an end.
    """
    deadline = time.monotonic() + PATIENCE
    while (directory / WORK / "commit").exists():
        try:
            with lock(directory):  # completes it
                return
        except BuildError:
            # Whoever holds the lock has complete files and only renames them: a matter of milliseconds.
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        except OSError as error:
            raise BuildError(
                f"{directory} was cut off while it was written and cannot be completed: {error.strerror}; "
                "make it writable, or build it again elsewhere"
            ) from error
