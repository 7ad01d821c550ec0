"""Builds with work beside them, in a process of one thread as it needs one: ``python forked.py NAME``.

Each function is one scenario; it ends with an assertion that fails or with nothing. `test_beside` runs them all.
"""

from __future__ import annotations

import fcntl
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sotagraph import api, beside, commit, engine, memo
from sotagraph.beside import Beside
from test_incremental import CORRECTIONS, WORDS, Paper, Talking, built, write_papers


def echo(change: Callable[[bytes], bytes]) -> Beside:
    return Beside(lambda: change)


def answers() -> None:
    """More than a pipe holds goes both ways."""
    for size in (0, 1, 1 << 20):
        with echo(lambda data: data[::-1] + b"!") as work:
            work.ask(b"ab" * size)
            assert work.result() == b"ba" * size + b"!"
            assert work.result() is None


def failures() -> None:
    """Whatever befalls a child, there is no answer, no noise and no child left."""

    def fail(_: bytes) -> bytes:
        raise ValueError("beside")

    def half(_: bytes) -> bytes:
        os.write(max(int(path.name) for path in Path("/proc/self/fd").iterdir() if path.is_fifo()), b"half")
        os.kill(os.getpid(), signal.SIGKILL)
        return b""

    for change in (fail, half, lambda _: sys.exit(3)):
        with echo(change) as work:
            work.ask(b"x" * (1 << 20))
            assert work.result() is None

    def unprepared() -> Callable[[bytes], bytes]:
        raise KeyboardInterrupt

    with Beside(unprepared) as work:
        time.sleep(0.1)
        work.ask(b"x" * (1 << 20))  # to nobody
        assert work.result() is None
    assert_no_children()


def dropped() -> None:
    """What is not wanted any more ends at once."""
    begin = time.monotonic()
    with echo(lambda _: time.sleep(60) or b"") as work:  # type: ignore[func-returns-value]
        work.ask(b"")
    assert time.monotonic() - begin < 5
    assert_no_children()


def assert_no_children() -> None:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return
    raise AssertionError("a child is left")


def locks() -> None:
    """A child keeps no lock of its parent."""
    with tempfile.TemporaryDirectory() as home:
        path = Path(home, "lock")
        handle = os.open(path, os.O_RDWR | os.O_CREAT)
        fcntl.flock(handle, fcntl.LOCK_EX)
        with echo(lambda _: b"") as work:
            time.sleep(0.2)
            os.close(handle)
            again = os.open(path, os.O_RDWR)
            fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
            work.ask(b"")
            assert work.result() == b""


def builds() -> None:
    """Builds after builds, with page and extraction beside, leave the bytes of builds that have nothing beside them."""
    chosen = random.Random(3)
    engine.default_factory = Talking
    commit.LARGE = commit.MANY = 1
    pages: list[bool] = []
    read: list[int] = []
    count_answers(pages, read)
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        for number in range(12):
            write_papers(home / "papers.jsonl", some_papers(chosen))
            corrections = chosen.choice(CORRECTIONS)
            made = built(home / "papers.jsonl", home / "out", corrections)
            fork, beside.can_fork = beside.can_fork, lambda: False
            memo.restore({})
            expected = built(home / "papers.jsonl", home / f"alone-{number}", corrections)
            beside.can_fork = fork
            assert [name for name in expected if made.get(name) != expected[name]] == []
    assert sum(pages) >= 10, pages
    assert sum(read) >= 3, read
    assert_no_children()


def some_papers(chosen: random.Random) -> list[Paper]:
    ids = chosen.sample([f"p{n}" for n in range(9)], chosen.randint(2, 8))
    return [
        Paper(
            name,
            tuple(chosen.randrange(len(WORDS)) for _ in range(chosen.randint(1, 3))),
            chosen.choice([None, 2024]),
            chosen.choice(["", "ACL"]),
            ("Bo Li",) * chosen.randint(0, 1),
            chosen.choice(["", "On GRPO"]),
        )
        for name in ids
    ]


def count_answers(pages: list[bool], read: list[int]) -> None:
    """Note what came from beside, since equal bytes do not tell."""
    answer, begin = commit.Commit._answer, engine.Deferred.pipe

    def noting(self: commit.Commit, name: str) -> str:
        found = answer(self, name)
        if name == "index.html":
            pages.append(bool(found))
        return found

    def piping(self: engine.Deferred, documents: object) -> object:
        read.append(len(self._ready))
        return begin(self, documents)  # type: ignore[arg-type]

    commit.Commit._answer = noting  # type: ignore[method-assign]
    engine.Deferred.pipe = piping  # type: ignore[method-assign,assignment]


def killed() -> None:
    """A build that is killed while its page is made beside can be resumed at once."""
    commit.LARGE = commit.MANY = 1
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        write_papers(home / "papers.jsonl", some_papers(random.Random(1)))
        child = os.fork()
        if child == 0:
            commit._html = lambda *_: time.sleep(20) or ""  # type: ignore[func-returns-value]
            api.build(home / "papers.jsonl", home / "out", factory=Talking, warn=lambda _: None, step=die_at_the_end)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        made = built(home / "papers.jsonl", home / "out", "")
        assert made == built(home / "papers.jsonl", home / "alone", "")


def die_at_the_end(step: str) -> None:
    if step == "writing report.md":
        os.kill(os.getpid(), signal.SIGKILL)


SCENARIOS = {one.__name__: one for one in (answers, failures, dropped, locks, builds, killed)}

if __name__ == "__main__":
    if not beside.can_fork():
        sys.exit(77)
    SCENARIOS[sys.argv[1]]()
