"""The command line: parse, make one public call, print, give an exit code.

Exit codes: 0 done; 1 it could not be done (unusable input, nothing found, shapes violated); 2 used wrongly (an unknown
option, a bad value). Every error is one line on standard error that starts with ``sotagraph:``.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import sys
from collections.abc import Sequence

from sotagraph.cli.parser import parse
from sotagraph.errors import ConfigError, SotagraphError

__all__ = ["main"]

#: What a shell gives for a process that Ctrl-C ended.
INTERRUPTED = 128 + signal.SIGINT


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code; nothing escapes as a traceback unless ``-v`` asks for it.

    >>> main(["--version"])
    sotagraph 0.1.0
    0
    """
    _speak_utf8()
    verbose = False
    try:
        args = parse(argv)
        verbose = args.verbose
        code = _run(args)
        sys.stdout.flush()
    except SystemExit as stop:  # argparse has said what there is to say
        return stop.code if isinstance(stop.code, int) else 2
    except SotagraphError as error:
        _complain(error)
        return 2 if isinstance(error, ConfigError) else 1
    except KeyboardInterrupt:
        _complain("interrupted; a build that was under way resumes where it stopped")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return 0
    except Exception as error:  # noqa: BLE001  the last line of defence: a user sees one line, whatever it was
        return _unexpected(error, verbose=verbose)
    return code


def _run(args: argparse.Namespace) -> int:
    from sotagraph.cli import verbs

    return verbs.run(args)


def _speak_utf8() -> None:
    """Make both streams UTF-8 with plain line ends, whatever LANG or code page says."""
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors, newline="\n")


def _complain(message: object) -> None:
    line = " ".join(str(message).split())
    with contextlib.suppress(OSError):
        print(f"sotagraph: {line}", file=sys.stderr)


def _forget_stdout() -> None:
    """A reader such as ``head`` has gone: nothing more is written, not even by the interpreter as it ends."""
    with contextlib.suppress(OSError, io.UnsupportedOperation):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _unexpected(error: Exception, *, verbose: bool) -> int:
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        _complain(f"{where}{error.strerror or error}")
        return 1
    if verbose:
        import traceback

        traceback.print_exception(error)
    hint = "" if verbose else "; run it again with -v and report what it prints"
    _complain(f"internal error: {type(error).__name__}: {error}{hint}")
    return 1
