"""The files of a build, one table: what each is called and how its text is made from the graph.

Each writer is a pure function of the graph; its library is imported when it is called.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sotagraph.errors import BuildError, ConfigError

if TYPE_CHECKING:
    from sotagraph.graph import Graph
    from sotagraph.terms import Triple

__all__ = ["EXTRACTIONS", "FILES", "FORMATS", "GRAPH", "Contents", "File", "export", "format_of", "guard"]

#: What linking starts from; also the cache of the next build.
EXTRACTIONS = "extractions.jsonl"
#: What everything that reads a build reads.
GRAPH = "graph.json"


class Contents:
    """A graph on its way into files; its triples, which several of them write, are made once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @cached_property
    def triples(self) -> list[Triple]:
        """The graph's triples, sorted."""
        from sotagraph.triples import to_triples

        return to_triples(self.graph)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of a build: the name of its format, its own name, and its writer."""

    format: str
    name: str
    text: Callable[[Contents], str]


def _json(contents: Contents) -> str:
    from sotagraph.graph import to_json

    return to_json(contents.graph)


def _turtle(contents: Contents) -> str:
    from sotagraph.serialize import turtle

    return turtle(contents.triples)


def _ntriples(contents: Contents) -> str:
    from sotagraph.serialize import nt

    return nt(contents.triples)


def _jsonld(contents: Contents) -> str:
    from sotagraph.serialize import jsonld

    return jsonld(contents.triples)


def _trig(contents: Contents) -> str:
    from sotagraph.rdf import to_trig

    return to_trig(contents.graph)


def _rdfxml(contents: Contents) -> str:
    from sotagraph.serialize import rdfxml

    return rdfxml(contents.triples)


def _graphml(contents: Contents) -> str:
    from sotagraph.exchange import to_graphml

    return to_graphml(contents.graph)


def _gexf(contents: Contents) -> str:
    from sotagraph.exchange import to_gexf

    return to_gexf(contents.graph)


def _html(contents: Contents) -> str:
    from sotagraph.view import to_html

    return to_html(contents.graph)


def _report(contents: Contents) -> str:
    from sotagraph.report import report

    return report(contents.graph)


def _nodes(contents: Contents) -> str:
    from sotagraph.exchange import to_nodes_csv

    return to_nodes_csv(contents.graph)


def _edges(contents: Contents) -> str:
    from sotagraph.exchange import to_edges_csv

    return to_edges_csv(contents.graph)


FILES: tuple[File, ...] = (
    File(format="json", name=GRAPH, text=_json),
    File(format="turtle", name="graph.ttl", text=_turtle),
    File(format="ntriples", name="graph.nt", text=_ntriples),
    File(format="jsonld", name="graph.jsonld", text=_jsonld),
    File(format="graphml", name="graph.graphml", text=_graphml),
    File(format="gexf", name="graph.gexf", text=_gexf),
    File(format="nodes", name="nodes.csv", text=_nodes),
    File(format="edges", name="edges.csv", text=_edges),
    File(format="html", name="index.html", text=_html),
    File(format="report", name="report.md", text=_report),
)


#: Formats that a build does not write, but that can be asked for.
MORE: tuple[File, ...] = (
    File(format="trig", name="graph.trig", text=_trig),
    File(format="rdfxml", name="graph.rdf", text=_rdfxml),
)

#: Name of a format → its file.
FORMATS: dict[str, File] = {file.format: file for file in (*FILES, *MORE)}


def format_of(name: str) -> str:
    """The format that a file's name asks for; ``.gz`` at its end is no part of it.

    Raises:
        ConfigError: the suffix belongs to no format, or to several.

    >>> format_of("out/mine.ttl.gz"), format_of("nodes.csv")
    ('turtle', 'nodes')
    """
    path = Path(name.removesuffix(".gz"))
    suffixed = [file.format for file in FORMATS.values() if Path(file.name).suffix == path.suffix.lower()]
    exact = [file.format for file in FORMATS.values() if file.name == path.name]
    if len(suffixed) == 1 or exact:
        return (exact or suffixed)[0]
    raise ConfigError(f"the suffix of {name!r} names no one format; give one of {', '.join(FORMATS)}")


def export(graph: Graph, form: str, *, compress: bool = False) -> bytes:
    """The graph in one of `FORMATS`, as UTF-8, gzipped on demand and then without a clock in its header.

    Raises:
        ConfigError: there is no such format.
    """
    if form not in FORMATS:
        raise ConfigError(f"no format {form!r}; there are {', '.join(FORMATS)}")
    data = FORMATS[form].text(Contents(graph)).encode("utf-8", "replace")
    return gzip.compress(data, mtime=0) if compress else data


def guard(directory: Path) -> None:
    """Refuse to write a build over files that are not one.

    Raises:
        BuildError: the path is a file, or the directory holds a file of the same name as one of ours but no build.
    """
    if directory.is_file():
        raise BuildError(f"{directory} is a file; the output must be a directory")
    if not directory.is_dir() or (directory / EXTRACTIONS).exists() or (directory / ".sotagraph").exists():
        return
    ours = sorted(file.name for file in FILES if (directory / file.name).exists())
    if ours:
        raise BuildError(
            f"{directory} holds {', '.join(ours)} but is no build of sotagraph; "
            "choose another directory, or move them away"
        )
