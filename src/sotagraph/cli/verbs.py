"""What each verb does: one public call, then printing. Libraries are imported by the call, not by the parser."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from sotagraph import api, records
from sotagraph.cli.terminal import Terminal
from sotagraph.errors import ConfigError, InputError
from sotagraph.rows import Rows

__all__ = ["VERBS", "run"]


def run(args: argparse.Namespace) -> int:
    """Carry out the verb that was parsed and give its exit code."""
    return VERBS[args.verb](args, Terminal(quiet=args.quiet, verbose=args.verbose))


def _build(args: argparse.Namespace, terminal: Terminal) -> int:
    with terminal.progress("extracting") as progress:
        kg = api.build(
            args.paths,
            args.output,
            workers=args.workers,
            min_confidence=args.min_confidence,
            corrections=args.corrections,
            progress=progress,
            warn=terminal.warn,
            step=terminal.step,
        )
    if not args.quiet:
        terminal.print(f"{kg.summary()}; open {Path(args.output, 'index.html')}")
    return 0


def _extract(args: argparse.Namespace, terminal: Terminal) -> int:
    extractions = api.extract(args.paths, workers=args.workers, min_confidence=args.min_confidence, warn=terminal.warn)
    if args.explain:
        from sotagraph.describe import describe

        lines = map(describe, extractions)
    else:
        lines = map(records.dumps, extractions)
    if args.output is None:
        for line in lines:
            terminal.print(line)
    else:
        terminal.save("".join(f"{line}\n" for line in lines), args.output)
    return 0


def _query(args: argparse.Namespace, terminal: Terminal) -> int:
    chosen = sum((args.sparql is not None, args.name is not None, args.list))
    if chosen != 1:
        raise ConfigError("give one of: a SPARQL query, @FILE, --name NAME, --list")
    if args.param and not args.name:
        raise ConfigError("--param goes with --name")
    if args.list:
        terminal.rows(api.named_queries(), args.format)
        return 0
    kg = api.load(args.directory)
    if args.name:
        answer = kg.query(name=args.name, **dict(args.param))
    else:
        answer = kg.query(_query_text(args.sparql))
    if isinstance(answer, Rows):
        terminal.rows(answer, args.format)
    else:
        terminal.print(answer)
    return 0


def _query_text(argument: str) -> str:
    if not argument.startswith("@"):
        return argument
    try:
        return sys.stdin.read() if argument == "@-" else Path(argument[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{argument[1:]} cannot be read as a query: {error}") from error


def _leaderboard(args: argparse.Namespace, terminal: Terminal) -> int:
    terminal.rows(api.load(args.directory).leaderboard(args.dataset, metric=args.metric), args.format)
    return 0


VERBS: dict[str, Callable[[argparse.Namespace, Terminal], int]] = {
    "build": _build,
    "extract": _extract,
    "query": _query,
    "leaderboard": _leaderboard,
}
_ = json
