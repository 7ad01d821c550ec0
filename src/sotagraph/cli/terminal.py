"""What a verb says to the person: results on standard output, all else on standard error."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sotagraph.api import Progress
from sotagraph.rows import Rows, render
from sotagraph.staging import write_file

__all__ = ["Terminal"]


class Terminal:
    """Standard output and error as one command uses them."""

    def __init__(self, *, quiet: bool, verbose: bool) -> None:
        self._quiet = quiet
        self._verbose = verbose

    def warn(self, message: str) -> None:
        """One line to standard error, unless quiet."""
        if not self._quiet:
            print(f"sotagraph: {' '.join(message.split())}", file=sys.stderr)

    def step(self, message: str) -> None:
        """One line to standard error where ``-v`` asks for it."""
        if self._verbose:
            self.warn(message)

    def print(self, text: str) -> None:
        """Text to standard output as it is, with a line end if it has none."""
        sys.stdout.write(text if text.endswith("\n") or not text else f"{text}\n")

    def rows(self, rows: Rows, form: str) -> None:
        """Rows to standard output; a table is wrapped to fit a terminal, and is left whole for a pipe or a file."""
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        self.print(render(rows, form, width=width))

    def save(self, data: str | bytes, output: str | None) -> None:
        """Text to a file, whole or not at all, or to standard output."""
        if output is None:
            sys.stdout.write(data if isinstance(data, str) else data.decode("utf-8"))
        else:
            write_file(Path(output), data)

    @contextmanager
    def progress(self, what: str) -> Iterator[Progress]:
        """A bar on standard error where that is a terminal, else nothing."""
        if self._quiet or not sys.stderr.isatty():
            yield lambda *_: None
            return
        from tqdm import tqdm

        # Some terminals do not tell their size; tqdm would then draw nothing.
        size = shutil.get_terminal_size()
        with tqdm(desc=what, unit="doc", leave=False, ncols=size.columns, nrows=size.lines) as bar:

            def update(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            yield update
