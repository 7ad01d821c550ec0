"""Work in a forked process beside this one, where that is safe; in this one where it is not.

What is done beside knows all that this process knows and gives bytes through a pipe. Whatever goes wrong there, the
work is done again here, so that it gives the same or fails in the same way wherever it is done.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable

__all__ = ["Beside", "can_fork"]


def can_fork() -> bool:
    """Whether this process may be forked and a second processor is there to gain by it.

    A fork copies locks that other threads hold, so there must be none; what numeric libraries keep for themselves they
    put to rest. macOS has system libraries that do not survive a fork, and Windows has no fork.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return False
    return len(os.sched_getaffinity(0)) > 1


class Beside:
    """A piece of work that gives bytes; begun when this is made, and given by `result`.

    >>> with Beside(lambda: b"done") as work:
    ...     work.result()
    b'done'
    """

    def __init__(self, work: Callable[[], bytes], *, forked: bool = True) -> None:
        """With `forked` it is done beside where `can_fork` says so."""
        self._work = work
        self._child = 0
        self._pipe = -1
        if forked and can_fork():
            self._fork()

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    @property
    def is_apart(self) -> bool:
        """Whether another process is at it."""
        return bool(self._child)

    def _fork(self) -> None:
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            # Python counts threads of numeric libraries too, which see to forks by themselves.
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                child = os.fork()
            except OSError:  # no memory, or too many processes
                os.close(reading)
                os.close(writing)
                return
        if child == 0:
            _be_the_child(self._work, writing)
        os.close(writing)
        self._child, self._pipe = child, reading

    def result(self) -> bytes:
        """What the work gives; waits for it."""
        if not self._child:
            return self._work()
        with os.fdopen(self._pipe, "rb") as pipe:
            self._pipe = -1
            data = pipe.read()
        child, self._child = self._child, 0
        return data if _status(child) == 0 else self._work()

    def drop(self) -> None:
        """End what is not wanted any more."""
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            _status(self._child)
            self._child = 0


def _status(child: int) -> int:
    """How a child ended; 1 where somebody else was told."""
    try:
        return os.waitpid(child, 0)[1]
    except ChildProcessError:
        return 1


def _be_the_child(work: Callable[[], bytes], writing: int) -> None:
    """Do the work and end, whatever happens, without what Python does at the end of a process."""
    status = 1
    try:
        # Above all the lock of the build directory: it must go when the parent goes.
        os.closerange(3, writing)
        os.closerange(writing + 1, os.sysconf("SC_OPEN_MAX"))
        # What it complains of, its parent will say when it does the work itself.
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(work())
        status = 0
    finally:
        os._exit(status)
