"""The command as a user runs it: a process of its own, with bytes on both streams."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The graph of the seeds as it is committed; what only asks it needs no build.
OUTPUT = ROOT / "output"
SEEDS = ROOT / "seeds"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def sotagraph(
    *arguments: str | Path,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    python: Sequence[str] = (),
    timeout: float = 300,
) -> Ran:
    """Run ``sotagraph`` with some arguments; output must be UTF-8 with plain line ends, whatever the environment."""
    run = subprocess.run(
        [sys.executable, *python, "-m", "sotagraph", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=stdin.encode("utf-8"),
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    assert b"\r" not in run.stdout
    return Ran(run.returncode, run.stdout.decode("utf-8"), run.stderr.decode("utf-8"))


def complains(ran: Ran, code: int = 1) -> str:
    """The one line that a failing command says; anything else fails the test."""
    assert ran.code == code, ran
    assert ran.out == ""
    assert "Traceback" not in ran.err
    lines = ran.err.splitlines()
    assert len(lines) == 1, ran.err
    assert lines[0].startswith("sotagraph: ")
    return lines[0]
