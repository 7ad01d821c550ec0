"""Work in a forked process beside this one, where that is safe; in this one where it is not.

What is done beside knows all that this process knows, is asked by a pipe, and answers by another. Whatever goes wrong
there, there is no answer; who asked then does the work itself, so that it gives the same, or fails in the same way,
wherever it is done.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress

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
    """A piece of work that a process of its own prepares, is asked for by `ask`, and gives by `result`.

    >>> def prepare() -> Callable[[bytes], bytes]:
    ...     return bytes.upper
    >>> with Beside(prepare) as work:
    ...     work.ask(b"done")
    ...     work.result() in (b"DONE", None)
    True
    """

    def __init__(self, prepare: Callable[[], Callable[[bytes], bytes]]) -> None:
        """Begin to prepare, where `can_fork` says so; `prepare` gives what makes an answer of what is asked."""
        self._child = 0
        #: Where answers come from and what is asked goes to; negative once closed.
        self._ends = [-1, -1]
        if can_fork():
            self._fork(prepare)

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def _fork(self, prepare: Callable[[], Callable[[bytes], bytes]]) -> None:
        answers, answering = os.pipe()
        asked, asking = os.pipe()
        child = -1
        with warnings.catch_warnings(), suppress(OSError):  # no memory, or too many processes
            # Python counts threads of numeric libraries too, which see to forks by themselves.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            _be_the_child(prepare, asked, answering)
        os.close(answering)
        os.close(asked)
        self._ends = [answers, asking]
        self._child = child
        if child < 0:
            self.drop()

    def ask(self, what: bytes) -> None:
        """Say what is wanted; to be called once."""
        if self._child > 0:
            # Where nobody reads it, there will be no answer either.
            with suppress(OSError), os.fdopen(self._ends[1], "wb") as pipe:
                self._ends[1] = -1
                pipe.write(what)

    def result(self) -> bytes | None:
        """The answer, waited for; None where it has to be made in this process."""
        if self._child <= 0:
            return None
        with os.fdopen(self._ends[0], "rb") as pipe:
            self._ends[0] = -1
            data = pipe.read()
        child, self._child = self._child, 0
        return data if _status(child) == 0 else None

    def drop(self) -> None:
        """End what is not wanted any more."""
        for end in self._ends:
            if end >= 0:
                os.close(end)
        self._ends = [-1, -1]
        if self._child > 0:
            os.kill(self._child, signal.SIGKILL)
            _status(self._child)
        self._child = 0


def _status(child: int) -> int:
    """How a child ended; 1 where somebody else was told."""
    try:
        return os.waitpid(child, 0)[1]
    except ChildProcessError:
        return 1


def _be_the_child(prepare: Callable[[], Callable[[bytes], bytes]], asked: int, answering: int) -> None:
    """Do the work and end, whatever happens, without what Python does at the end of a process."""
    status = 1
    try:
        # Above all the lock of the build directory: it must go when the parent goes.
        low, high = sorted((asked, answering))
        for first, behind in ((3, low), (low + 1, high), (high + 1, os.sysconf("SC_OPEN_MAX"))):
            os.closerange(first, behind)
        # What it complains of, its parent will say when it does the work itself.
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        gc.disable()  # it ends soon
        work = prepare()
        with os.fdopen(asked, "rb") as pipe:
            what = pipe.read()
        with os.fdopen(answering, "wb") as pipe:
            pipe.write(work(what))
        status = 0
    finally:
        os._exit(status)
