"""``docs/cli.md`` from the parser: ``python -m sotagraph.cli.reference > docs/cli.md``.

Written from the parser's actions and not from its help, which is laid out differently by each version of Python.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from sotagraph.cli.parser import make_parser

__all__ = ["reference"]

_HEAD = """\
# Command line

This page is made from the commands' own help: `python -m sotagraph.cli.reference > docs/cli.md`.

Results go to standard output in UTF-8, all else to standard error. Exit codes:

| code | meaning |
| --- | --- |
| 0 | done |
| 1 | it could not be done: unusable input, nothing of that name, a violated shape; one line says why |
| 2 | asked wrongly: an unknown option, a value out of range |
| 130 | ended by Ctrl-C |

A reader that closes the pipe early, such as `head`, is no error. `-v` says each step, `-q` nothing but errors; both go
with every verb. A progress bar is drawn only where standard error is a terminal.
"""


def reference() -> str:
    """The page as Markdown, one section a verb.

    >>> "## sotagraph build" in reference()
    True
    """
    return _HEAD + "".join(_section(verb) for verb in verbs(make_parser()).values())


def verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers of the verbs by name."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _section(parser: argparse.ArgumentParser) -> str:
    actions = [action for action in parser._actions if action.dest not in ("help", "verbose", "quiet")]
    example = (parser.epilog or "").removeprefix("Example: ")
    return (
        f"\n## {parser.prog}\n\n{parser.description}\n\n```sh\n{example}\n```\n\n| argument | |\n| --- | --- |\n"
        + "".join(f"| {_names(action)} | {_help(action)} |\n" for action in actions)
    )


def _names(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else _choices(action.choices)
    if not action.option_strings:
        return f"`{value}`" + {"+": " (one or more)", "*": " (any number)", "?": " (optional)"}.get(
            str(action.nargs), ""
        )
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    return names if action.nargs == 0 else f"{names} `{value}`"


def _choices(choices: Iterable[object] | None) -> str:
    return "{" + ",".join(map(str, choices or ())) + "}"


def _help(action: argparse.Action) -> str:
    return (action.help or "").replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    sys.stdout.write(reference())
