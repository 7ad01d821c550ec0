"""SPARQL under a time limit: queries run in processes that can be killed, since an engine cannot be told to stop.

A worker is started as ``python -m sotagraph.limited FILE``, so that a program that uses this needs no guard around its
main part. It loads the N-Triples of the file, takes one query at a time from its standard input and gives back the
answer, or the error, pickled. When a query is over its limit, or Ctrl-C is pressed, the worker is killed and another
takes its place.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import queue
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import IO, Any

from sotagraph.errors import ConfigError, QueryError, QueryTimeoutError
from sotagraph.store import Answer, Store

__all__ = ["BusyError", "Workers", "run"]

#: Most bytes of an answer that is written out, and of memory that a worker may take, in bytes.
ANSWER_LIMIT = 256 * 1024 * 1024
MEMORY_LIMIT = 8 * 1024 * 1024 * 1024

_LENGTH = struct.Struct(">Q")


class BusyError(QueryError):
    """Every worker was at work for as long as the query was allowed to take."""


def run(ntriples: bytes, sparql: str, *, seconds: float) -> Answer:
    """The answer to one query within a time limit, from a process that is gone afterwards.

    Raises:
        QueryTimeoutError: the query took longer.
        QueryError: the query does not parse, is an update, or would read beside the graph.
    """
    with Workers(ntriples, count=1) as workers:
        return workers.query(sparql, seconds=seconds)


class Workers:
    """Processes that answer queries to one graph; safe to use from several threads.

    >>> with Workers(b"<x:a> <x:b> <x:c> .", count=1) as workers:
    ...     workers.query("ASK { <x:a> ?p ?o }", seconds=30)
    True
    """

    def __init__(self, ntriples: bytes, *, count: int = 2) -> None:
        if count < 1:
            raise ConfigError(f"{count} workers; give 1 or more")
        self._directory = tempfile.TemporaryDirectory(prefix="sotagraph-")
        self._path = Path(self._directory.name) / "graph.nt"
        self._path.write_bytes(ntriples)
        self._idle: queue.Queue[_Worker] = queue.Queue()
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._closed = False
        for _ in range(count):
            self._start()

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes and remove their file."""
        with self._lock:
            self._closed = True
            workers, self._all = self._all, set()
        for worker in workers:
            worker.end()
        self._directory.cleanup()

    def query(self, sparql: str, *, seconds: float) -> Answer:
        """The answer to a query, as `Store.query` gives it.

        Raises:
            QueryTimeoutError: the query took longer.
            BusyError: no worker was free in that time.
            QueryError: the query does not parse, is an update, or would read beside the graph.
        """
        answer: Answer = self._ask((sparql, None), seconds)
        return answer

    def serialized(self, sparql: str, result_type: str, triple_type: str, *, seconds: float) -> tuple[str, bytes]:
        """The answer as media type and bytes, as `Store.serialized` gives it.

        Raises:
            QueryTimeoutError: the query took longer.
            BusyError: no worker was free in that time.
            QueryError: the query does not parse, is an update, would read beside the graph, or its answer is too long.
        """
        answer: tuple[str, bytes] = self._ask((sparql, (result_type, triple_type)), seconds)
        return answer

    def _ask(self, request: tuple[str, tuple[str, str] | None], seconds: float) -> Any:
        until = monotonic() + seconds
        try:
            worker = self._idle.get(timeout=seconds)
        except queue.Empty:
            raise BusyError(f"every worker was busy for {seconds:g} s; ask again, or start more workers") from None
        try:
            reply = worker.ask(request, max(until - monotonic(), 0.001))
        except BaseException:
            # Over its limit, dead, or interrupted in the middle: its pipe cannot be trusted any more.
            self._replace(worker)
            raise
        self._idle.put(worker)
        if isinstance(reply, QueryError):
            raise reply
        return reply

    def _start(self) -> None:
        worker = _Worker(self._path)
        with self._lock:
            closed = self._closed
            if not closed:
                self._all.add(worker)
        if closed:
            worker.end()
        else:
            self._idle.put(worker)

    def _replace(self, worker: _Worker) -> None:
        worker.end()
        with self._lock:
            self._all.discard(worker)
        self._start()


class _Worker:
    """One process, and a thread that waits for what it says."""

    def __init__(self, path: Path) -> None:
        root = str(Path(__file__).resolve().parent.parent)
        paths = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "sotagraph.limited", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": paths},
        )
        self._replies: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        while (message := _read(self._process.stdout)) is not None:
            self._replies.put(pickle.loads(message))
        self._replies.put(None)

    def ask(self, request: object, seconds: float) -> Any:
        assert self._process.stdin is not None
        try:
            _write(self._process.stdin, pickle.dumps(request))
            reply = self._replies.get(timeout=seconds)
        except queue.Empty:
            message = f"the query was cut after {seconds:.3g} s; ask for less, or allow it more time"
            raise QueryTimeoutError(message) from None
        except OSError as error:
            raise QueryError(f"the process of the query is gone ({error}); ask again") from error
        if reply is None:
            raise QueryError("the process of the query died, most likely for want of memory; ask for less")
        return reply

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _read(pipe: IO[bytes]) -> bytes | None:
    """One message of a pipe; None where it ends."""
    try:
        head = pipe.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack(head)
        data = pipe.read(length)
    except (OSError, ValueError):
        return None
    return data if len(data) == length else None


def _write(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def _limit_memory() -> None:
    """Let a query that wants everything die alone; where the system cannot limit memory, the time limit must do."""
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


def _die_with(parent: int) -> None:
    """End this process, whatever it is doing, when its parent is gone."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)


def _requests(pipe: IO[bytes]) -> Iterator[tuple[str, tuple[str, str] | None]]:
    while (message := _read(pipe)) is not None:
        yield pickle.loads(message)


def _serve(path: Path, source: IO[bytes], target: IO[bytes]) -> None:
    """The worker's own loop; it ends when its parent closes the pipe, or is gone."""
    store = Store.of_ntriples(path.read_bytes())
    for sparql, types in _requests(source):
        reply: object
        try:
            reply = store.query(sparql) if types is None else store.serialized(sparql, *types, limit=ANSWER_LIMIT)
        except QueryError as error:
            reply = error
        _write(target, pickle.dumps(reply))


def main() -> int:
    """The worker: ``python -m sotagraph.limited FILE``."""
    import signal

    # Ctrl-C goes to every process of a terminal; the parent decides what it means here.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with, args=(os.getppid(),), daemon=True).start()
    _limit_memory()
    out = sys.stdout.buffer
    sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    _serve(Path(sys.argv[1]), sys.stdin.buffer, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
