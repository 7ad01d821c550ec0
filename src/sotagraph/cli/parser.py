"""Verbs and options; knows nothing of what they do, so that ``--help`` needs none of the libraries."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from sotagraph import __version__

__all__ = ["make_parser", "parse"]

_FORMATS = ("table", "csv", "json", "md")

#: Names that `sotagraph export --format` takes; checked against `sotagraph.formats` by a test.
EXPORTS = (
    "json", "turtle", "ntriples", "jsonld", "graphml", "gexf", "nodes", "edges", "html", "report", "trig", "rdfxml",
)  # fmt: skip


#: Actions of `sotagraph correct`; checked against `sotagraph.corrections` by a test.
ACTIONS = (
    "merge",
    "split",
    "rename",
    "retype",
    "reject",
    "reject-statement",
    "add-statement",
    "reject-result",
    "set-result",
)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong on one line and points to the help, instead of printing the whole usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"sotagraph: {message}; see {self.prog} --help\n")


def _name(text: str) -> str:
    """An argument that is a name, not a path: UTF-8 also where the locale made Python read it as ASCII."""
    return os.fsencode(text).decode("utf-8", "replace")


def _count(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")


def _port(text: str) -> int:
    if text.isdecimal() and int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if 0.0 <= value <= 1.0:
        return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = _name(text).partition("=")
    if equals and name:
        return name, value
    raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; ``args.verb`` names the verb."""
    parser = _Parser(prog="sotagraph", description="Research papers in, knowledge graph out.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"sotagraph {__version__}")
    parser.set_defaults(verbose=False, quiet=False)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)
    for add in (
        _build,
        _extract,
        _query,
        _leaderboard,
        _paper,
        _explain,
        _duplicates,
        _correct,
        _validate,
        _view,
        _export,
        _serve,
    ):
        add(_Verbs(verbs))
    return parser


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The arguments of a command line, options and positional ones in any order.

    argparse itself gives up where what may be left out follows an option: ``query DIR --format csv SPARQL``.

    >>> parse(["build", "a.txt", "-o", "out", "b.txt"]).paths
    ['a.txt', 'b.txt']
    """
    parser = make_parser()
    args, rest = parser.parse_known_args(argv)
    unknown = [argument for argument in rest if argument.startswith("-")]
    last = _LAST.get(args.verb, "")
    given = getattr(args, last, "")
    if isinstance(given, list):
        given.extend(map(_name, rest) if last == "names" else rest)
    elif given is None and len(rest) == 1:
        setattr(args, last, _name(rest[0]))
    else:
        unknown += rest
    if unknown:
        parser.error(f"unknown argument {unknown[0]!r}")
    return args


#: The argument of each verb that may be left out or repeated.
_LAST = {"build": "paths", "extract": "paths", "query": "sparql", "explain": "other", "correct": "names"}


class _Verbs:
    """Adds one verb with the options that all have."""

    def __init__(self, verbs: Any) -> None:
        self._verbs = verbs

    def __call__(
        self, name: str, summary: str, *, example: str, more: str = "", directory: bool = True
    ) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = self._verbs.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}. {more}".rstrip(),
            epilog=f"Example: {example}",
            allow_abbrev=False,
        )
        loud = parser.add_mutually_exclusive_group()
        loud.add_argument(
            "-v", "--verbose", action="store_true", help="say each step; show tracebacks of internal errors"
        )
        loud.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
        if directory:
            parser.add_argument("directory", metavar="DIR", help="a directory that 'sotagraph build' wrote")
        return parser


_Add = Callable[[_Verbs], None]


def _work_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="files or directories: text, Markdown, JSON lines, CSV"
    )
    parser.add_argument("--workers", type=_count, default=1, metavar="N", help="processes to extract with (default: 1)")
    parser.add_argument(
        "--min-confidence",
        type=_share,
        default=0.0,
        metavar="X",
        help="leave out what is less certain, from 0 to 1 (default: 0)",
    )


def _format_option(parser: argparse.ArgumentParser, *formats: str) -> None:
    parser.add_argument(
        "--format", choices=formats, default=formats[0], help=f"how it is written (default: {formats[0]})"
    )


def _build(add: _Verbs) -> None:
    parser = add(
        "build",
        "papers to a knowledge graph",
        example="sotagraph build papers/ more.jsonl -o output",
        more="Builds into an existing directory extract only what is new or changed; a build that was cut off resumes.",
        directory=False,
    )
    _work_options(parser)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="directory for the graph in all its forms")
    parser.add_argument(
        "--corrections",
        metavar="FILE",
        help="corrections to apply (default: the corrections file in DIR, where there is one)",
    )


def _extract(add: _Verbs) -> None:
    parser = add(
        "extract",
        "what each paper says, one JSON object a line",
        example="sotagraph extract paper.txt --explain",
        more="Nothing is linked between papers.",
        directory=False,
    )
    _work_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of to standard output")
    parser.add_argument(
        "--explain", action="store_true", help="for reading: every mention with the rule or score behind it"
    )


def _query(add: _Verbs) -> None:
    parser = add(
        "query",
        "ask the graph in SPARQL, or with a named query",
        example="sotagraph query output --name most-used-datasets",
        more="The usual prefixes are known.",
        directory=False,
    )
    parser.add_argument("directory", metavar="DIR", nargs="?", help="a directory that 'sotagraph build' wrote")
    parser.add_argument(
        "sparql", metavar="SPARQL", nargs="?", type=_name, help="a query, or @FILE to read it from a file"
    )
    parser.add_argument("--name", metavar="NAME", type=_name, help="run a named query instead")
    parser.add_argument(
        "--param",
        metavar="NAME=VALUE",
        type=_pair,
        action="append",
        default=[],
        help="a parameter of the named query; repeatable",
    )
    parser.add_argument(
        "--timeout", type=_count, default=60, metavar="SECONDS", help="give a query up after this time (default: 60)"
    )
    parser.add_argument("--list", action="store_true", help="list the named queries with their parameters")
    _format_option(parser, *_FORMATS)


def _leaderboard(add: _Verbs) -> None:
    parser = add(
        "leaderboard",
        "scores on a dataset, best first",
        example="sotagraph leaderboard output MiniF2F",
        more="Each with its sentence.",
    )
    parser.add_argument("dataset", metavar="DATASET", type=_name, help="name of the dataset")
    parser.add_argument("--metric", metavar="METRIC", type=_name, help="only scores by this metric")
    _format_option(parser, "text", *_FORMATS)


def _paper(add: _Verbs) -> None:
    parser = add(
        "paper",
        "one paper: what it proposes, uses, measures and scores",
        example="sotagraph paper output LVR",
    )
    parser.add_argument(
        "paper", metavar="ID|NAME", type=_name, help="id of the paper, its title, or a name that it proposes"
    )
    _format_option(parser, "text", "json")


def _explain(add: _Verbs) -> None:
    parser = add(
        "explain",
        "why a node is as it is, or how two are tied: every join, split, edge and score",
        example="sotagraph explain output GRPO",
    )
    parser.add_argument("name", metavar="NAME", type=_name, help="name or id")
    parser.add_argument(
        "other", metavar="NAME", nargs="?", type=_name, help="a second name: only what lies between the two"
    )
    _format_option(parser, "text", "json")


def _duplicates(add: _Verbs) -> None:
    parser = add(
        "duplicates",
        "names that look alike but were kept apart, best first, and names that stayed ambiguous",
        example="sotagraph duplicates output",
    )
    parser.add_argument("--limit", type=_count, metavar="N", help="only the N likeliest pairs (default: all)")
    _format_option(parser, "text", "json")


def _correct(add: _Verbs) -> None:
    parser = add(
        "correct",
        "add a correction, which every later build applies",
        example='sotagraph correct output merge GRPO "Group Relative Policy Optimization" --comment "same thing"',
        more="What each action needs is described in docs/corrections.md.",
    )
    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS))
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="+",
        type=_name,
        help="the names it is about; of a statement subject, predicate, object; of a result its number",
    )
    parser.add_argument("--to", metavar="TEXT", type=_name, default="", help="the new name, kind or filler of a slot")
    parser.add_argument(
        "--kind", metavar="KIND", default="", help="only things of this kind: method, dataset, metric, task"
    )
    parser.add_argument(
        "--paper", metavar="ID", type=_name, action="append", default=[], help="only in this paper; repeatable"
    )
    parser.add_argument(
        "--quote", metavar="TEXT", type=_name, default="", help="where the paper says an added statement"
    )
    parser.add_argument("--comment", metavar="TEXT", type=_name, default="", help="why, for whoever reads the file")
    parser.add_argument("--corrections", metavar="FILE", help="file to add to (default: the corrections file in DIR)")


def _validate(add: _Verbs) -> None:
    parser = add(
        "validate",
        "check the graph against its shapes",
        example="sotagraph validate output",
        more="Exit code 1 where a shape is violated.",
    )
    _format_option(parser, "text", "json")


def _view(add: _Verbs) -> None:
    parser = add(
        "view",
        "write the page of the graph and open it",
        example="sotagraph view output",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write there (default: index.html in DIR)")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")


def _export(add: _Verbs) -> None:
    parser = add(
        "export",
        "the graph in another format",
        example="sotagraph export output -o graph.trig.gz",
    )
    parser.add_argument("--format", choices=EXPORTS, metavar="FORMAT", help=f"{', '.join(EXPORTS)} (default: by FILE)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there instead of to standard output; gzipped where it ends in .gz"
    )


def _serve(add: _Verbs) -> None:
    parser = add(
        "serve",
        "answer SPARQL over HTTP on this machine until interrupted",
        example="sotagraph serve output --port 8000",
    )
    parser.add_argument("--host", default="127.0.0.1", metavar="HOST", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=_port, default=7878, metavar="PORT", help="port to listen on; 0 takes a free one (default: 7878)"
    )
    parser.add_argument(
        "--timeout", type=_count, default=30, metavar="SECONDS", help="time limit of a query (default: 30)"
    )
    parser.add_argument("--cors", metavar="ORIGIN", help="a site whose pages may ask too, or * (default: none)")
