"""Extraction on several processes of one thread each: ordered results, no orphans, a clear word when a worker dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from sotagraph.errors import BuildError
from sotagraph.model import Document, Extraction

if TYPE_CHECKING:
    from sotagraph.engine import Extracting, Factory

__all__ = ["run"]

#: Batches handed out ahead of the one that is waited for, per worker: keeps all busy, bounds the memory.
AHEAD = 4

#: How this process makes its extractor, and the extractor once it is made, where this process is a worker.
_factory: Factory | None = None
_extractor: Extracting | None = None


def run(
    batches: Sequence[Sequence[Document]],
    *,
    workers: int,
    factory: Factory,
    done: Callable[[Sequence[Extraction]], None] | None = None,
) -> Iterator[Extraction]:
    """Extractions in the order of the batches; `done` is told each batch as soon as its turn comes.

    Workers are spawned, not forked: the same on every system, and safe where the parent has threads.

    Raises:
        BuildError: a worker process died, as under a memory limit.
    """
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_start, initargs=(factory,))
    waiting: deque[Future[list[Extraction]]] = deque()
    rest = iter(batches)
    try:
        for batch in rest:
            waiting.append(executor.submit(_work, batch))
            if len(waiting) >= workers * AHEAD:
                break
        while waiting:
            finished = waiting.popleft().result()
            for batch in rest:
                waiting.append(executor.submit(_work, batch))
                break
            if done:
                done(finished)
            yield from finished
    except BrokenProcessPool as error:
        raise BuildError(
            f"one of {workers} worker processes died, most likely for want of memory; "
            "run the same command again, with fewer workers: what was finished is kept"
        ) from error
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _start(factory: Factory) -> None:
    """Prepare a worker: Ctrl-C is the parent's affair, and a vanished parent ends it."""
    global _factory
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _factory = factory


def _end_with_parent() -> None:
    """A parent killed with SIGKILL cannot tell its workers; without this they would wait for tasks for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(documents: Sequence[Document]) -> list[Extraction]:
    """Extract in a worker; its extractor is made with the first task, so that a failure reaches the caller as it is."""
    global _extractor
    if _extractor is None:
        if _factory is None:
            raise BuildError("a worker was given documents before it was started")
        _extractor = _factory()
    return list(_extractor.pipe(documents))
