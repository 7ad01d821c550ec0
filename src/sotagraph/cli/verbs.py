"""What each verb does: one public call, then printing. Libraries are imported by the call, not by the parser."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

from sotagraph import api, records
from sotagraph.cli.terminal import Terminal
from sotagraph.errors import ConfigError, InputError
from sotagraph.files import FORMATS, format_of
from sotagraph.present import board_text, card_text
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
        terminal.print(f"{kg.summary}; open {Path(args.output, 'index.html')}")
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
    if sum((args.sparql is not None, args.name is not None, args.list)) != 1:
        raise ConfigError("give one of: a SPARQL query, @FILE, --name NAME, --list; see sotagraph query --help")
    if args.param and not args.name:
        raise ConfigError("--param goes with --name")
    if args.list:
        terminal.rows(api.named_queries(), args.format)
        return 0
    if args.directory is None:
        raise ConfigError("give the directory of a build, DIR; see sotagraph query --help")
    kg = api.load(args.directory)
    sparql = "" if args.name else _query_text(args.sparql)
    answer = kg.query(sparql, name=args.name or "", timeout=args.timeout, **dict(args.param))
    if isinstance(answer, Rows):
        terminal.rows(answer, args.format)
    elif isinstance(answer, bool):
        terminal.print(str(answer).lower())
    else:
        terminal.print(answer.serialize(format="turtle"))
    return 0


def _query_text(argument: str) -> str:
    if not argument.startswith("@"):
        return argument
    try:
        return sys.stdin.read() if argument == "@-" else Path(argument[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{argument[1:]} cannot be read as a query: {error}") from error


def _leaderboard(args: argparse.Namespace, terminal: Terminal) -> int:
    kg = api.load(args.directory)
    if args.format == "text":
        terminal.print(board_text(kg.board(args.dataset, metric=args.metric)))
    else:
        terminal.rows(kg.leaderboard(args.dataset, metric=args.metric), args.format)
    return 0


def _paper(args: argparse.Namespace, terminal: Terminal) -> int:
    card = api.load(args.directory).paper(args.paper)
    terminal.print(card_text(card) if args.format == "text" else _dump(card))
    return 0


def _explain(args: argparse.Namespace, terminal: Terminal) -> int:
    from sotagraph.explain import render

    explanations = api.load(args.directory).explain(args.name, args.other)
    terminal.print(render(explanations) if args.format == "text" else _dump(explanations))
    return 0


def _duplicates(args: argparse.Namespace, terminal: Terminal) -> int:
    from sotagraph.duplicates import render

    found = api.load(args.directory).duplicates(limit=args.limit)
    terminal.print(render(found) if args.format == "text" else _dump(found))
    return 0


def _correct(args: argparse.Namespace, terminal: Terminal) -> int:
    from sotagraph.corrections import Correction

    correction = Correction(
        action=args.action,
        names=tuple(args.names),
        to=args.to,
        kind=args.kind,
        papers=tuple(args.paper),
        quote=args.quote,
        comment=args.comment,
    )
    path = api.correct(args.directory, correction, corrections=args.corrections)
    if not args.quiet:
        terminal.print(f"added to {path}; the next build into {args.directory} applies it")
    return 0


def _validate(args: argparse.Namespace, terminal: Terminal) -> int:
    from sotagraph.validate import summary

    findings = api.load(args.directory).validate()
    terminal.print(summary(findings) if args.format == "text" else _dump(findings))
    return int(any(finding.severity == "violation" for finding in findings))


def _view(args: argparse.Namespace, terminal: Terminal) -> int:
    page = api.load(args.directory).view()
    target = args.output or Path(args.directory, "index.html")
    path = page.write(target) if args.no_open else page.open(target)
    terminal.step(f"wrote {path}")
    return 0


def _serve(args: argparse.Namespace, terminal: Terminal) -> int:
    def ready(address: str) -> None:
        terminal.warn(f"serving {args.directory} at {address}; Ctrl-C ends it")

    api.load(args.directory).serve(
        ready=ready, host=args.host, port=args.port, seconds=args.timeout, origin=args.cors, log=terminal.step
    )
    return 0


def _export(args: argparse.Namespace, terminal: Terminal) -> int:
    if args.format is None and args.output is None:
        raise ConfigError(f"give --format or -o FILE; formats are {', '.join(FORMATS)}")
    form = args.format or format_of(args.output)
    data = api.load(args.directory).export(form, compress=bool(args.output) and args.output.endswith(".gz"))
    terminal.save(data, args.output)
    return 0


def _dump(value: object) -> str:
    """A dataclass, or several, as JSON; decimals become numbers."""

    def plain(item: object) -> object:
        if isinstance(item, Decimal):
            return int(item) if item == item.to_integral_value() else float(item)
        raise TypeError(f"{type(item).__name__} has no form in JSON")

    record = [asdict(one) for one in value] if isinstance(value, tuple) else asdict(cast("Any", value))
    return json.dumps(record, ensure_ascii=False, indent=2, default=plain)


VERBS: dict[str, Callable[[argparse.Namespace, Terminal], int]] = {
    "build": _build,
    "extract": _extract,
    "query": _query,
    "leaderboard": _leaderboard,
    "paper": _paper,
    "explain": _explain,
    "duplicates": _duplicates,
    "correct": _correct,
    "validate": _validate,
    "view": _view,
    "export": _export,
    "serve": _serve,
}
