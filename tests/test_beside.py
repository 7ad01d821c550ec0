"""Work beside a process: what `forked` plays through, and what is done where nothing may be forked."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sotagraph import beside
from sotagraph.beside import Beside

TESTS = Path(__file__).parent
#: Exit code of `forked` where a process cannot be forked, or has but one processor.
CANNOT = 77
SCENARIOS = ("answers", "failures", "dropped", "locks", "builds", "killed")


@pytest.mark.skipif(sys.platform != "linux", reason="work beside is for Linux")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_work_beside(scenario: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, str(TESTS / "forked.py"), scenario],
        cwd=TESTS,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode == CANNOT:
        pytest.skip("one processor, or threads from the start")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_all_scenarios_are_played() -> None:
    text = (TESTS / "forked.py").read_text(encoding="utf-8")
    assert f"for one in ({', '.join(SCENARIOS)})" in text


def test_nothing_is_forked_beside_threads_or_on_one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert not beside.can_fork()
    finally:
        end.set()
        thread.join()
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert not beside.can_fork()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not beside.can_fork()


def test_without_a_fork_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "can_fork", lambda: False)
    with Beside(lambda: bytes.upper) as work:
        work.ask(b"a")
        assert work.result() is None


def test_a_system_that_cannot_fork_now_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(beside, "can_fork", lambda: True)
    monkeypatch.setattr(os, "fork", refuse, raising=False)
    before = len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0
    with Beside(lambda: bytes.upper) as work:
        work.ask(b"a")
        assert work.result() is None
    if sys.platform == "linux":
        assert len(list(Path("/proc/self/fd").iterdir())) == before
