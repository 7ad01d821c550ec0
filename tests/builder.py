"""A build in a process of its own that can be killed: ``python builder.py PAPERS OUT [STEP]``.

With a step it kills itself the moment that step is announced. The extractor is a stand-in that takes its time.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import fakes
from sotagraph import api, staging


def main() -> None:
    papers, out, *rest = sys.argv[1:]
    last = rest[0] if rest else ""

    def step(message: str) -> None:
        sys.stdout.write(f"{message}\n")
        sys.stdout.flush()
        if message == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def progress(done: int, _: int) -> None:
        step(f"extracted {done}")

    if last.startswith("rename "):
        _die_after_renames(int(last.split()[1]))
    api.build([papers], out, factory=fakes.Slow, warn=step, step=step, progress=progress)


def _die_after_renames(count: int) -> None:
    """Kill this process when so many files of the new build are in place."""
    finish = staging._finish
    real = Path.replace

    def dying(source: Path, target: Path) -> Path:
        nonlocal count
        if count == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        count -= 1
        return real(source, target)

    def wrapped(directory: Path) -> None:
        Path.replace = dying  # type: ignore[method-assign,assignment]
        finish(directory)

    staging._finish = wrapped


if __name__ == "__main__":
    main()
