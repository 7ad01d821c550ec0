"""The files of a build, one table: what each is called and how its text is made from the graph.

Each writer is a pure function of the graph; its library is imported when it is called.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sotagraph.content import Attributes, Columns, Content, Cut, Edge, content_of, cuts
from sotagraph.errors import BuildError, ConfigError

if TYPE_CHECKING:
    from sotagraph.exchange import Plan
    from sotagraph.graph import Graph
    from sotagraph.keep import Kept
    from sotagraph.pieces import Pieces
    from sotagraph.subjects import Turning
    from sotagraph.terms import Triple

__all__ = [
    "EXTRACTIONS",
    "FILES",
    "FORMATS",
    "GRAPH",
    "NAMES",
    "PAGE",
    "Contents",
    "File",
    "export",
    "format_of",
    "guard",
]

#: What linking starts from; also the cache of the next build.
EXTRACTIONS = "extractions.jsonl"
#: What everything that reads a build reads.
GRAPH = "graph.json"
#: What people look at.
PAGE = "index.html"


class Contents:
    """A graph on its way into files; its triples, which several of them write, are made once.

    With what is `kept` of the former build, only what has changed since is made.
    """

    def __init__(self, content: Content, kept: Kept | None = None) -> None:
        self.content = content
        self.kept = kept

    @cached_property
    def whole(self) -> Contents:
        """The same, owing nothing to a former build."""
        return Contents(self.content) if self.kept else self

    @cached_property
    def graph(self) -> Graph:
        """The graph itself."""
        from sotagraph.graph import graph_of

        return graph_of(self.content)

    @cached_property
    def _changes(self) -> tuple[set[str], set[Edge]] | None:
        return self.kept.changes(self.content) if self.kept else None

    @cached_property
    def columns(self) -> tuple[Columns, Columns]:
        """The attributes of nodes and of edges."""
        new = self.content
        if self.kept is None or self._changes is None:
            return Columns().add(new.nodes.values()), Columns().add(new.edges.values())
        old, (nodes, edges) = self.kept.content, self._changes
        return (
            _turned(self.kept.columns[0], old.nodes, new.nodes, nodes),
            _turned(self.kept.columns[1], old.edges, new.edges, edges),
        )

    @cached_property
    def plan(self) -> Plan:
        """Which nodes and edges are to be written."""
        from sotagraph.exchange import Plan

        node_types, edge_types = (columns.types() for columns in self.columns)
        if self.kept is None or self._changes is None:
            node_cuts, edge_cuts = [Cut(0, 0, list(self.content.nodes))], [Cut(0, 0, list(self.content.edges))]
        else:
            old, new, (nodes, edges) = self.kept.content, self.content, self._changes
            node_cuts = cuts(list(old.nodes), list(new.nodes), new.nodes.keys() - nodes)
            edge_cuts = cuts(list(old.edges), list(new.edges), new.edges.keys() - edges)
        return Plan(self.content, node_cuts, edge_cuts, node_types, edge_types, self.kept is not None)

    @cached_property
    def turning(self) -> Turning:
        """Which subjects are to be written."""
        from sotagraph.subjects import turned

        if self.kept is None or self._changes is None:
            return turned(self.content)
        before = self.kept
        return turned(self.content, *self._changes, before=before.content, subjects=before.subjects)

    @cached_property
    def triples(self) -> list[Triple]:
        """The graph's triples, sorted."""
        from sotagraph.triples import to_triples

        return to_triples(self.graph)

    def reshaped(self, *, edges: bool) -> bool:
        """Whether nodes, or edges, have other attributes than in the former build."""
        if self.kept is None:
            return True
        return self.kept.columns[edges].types() != self.columns[edges].types()


def _turned(
    columns: Columns, old: Mapping[_Key, Attributes], new: Mapping[_Key, Attributes], changed: Iterable[_Key]
) -> Columns:
    changed = list(changed)
    turned = Columns(columns.counts).add(new[key] for key in changed if key in new)
    return turned.add((old[key] for key in changed if key in old), -1)


_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of a build: the name of its format, its own name, and how it is made, in pieces or as one text."""

    format: str
    name: str
    make: Callable[[Contents], Pieces | str]

    def text(self, contents: Contents) -> str:
        """The whole text."""
        from sotagraph.pieces import text

        made = self.make(contents.whole)
        return made if isinstance(made, str) else text(made)


def _form(name: str) -> Callable[[Contents], Pieces]:
    def make(contents: Contents) -> Pieces:
        from sotagraph.exchange import FORMS, pieces

        form = FORMS[name]
        tables = [form.edge is not None] if form.tabular else []
        if any(contents.reshaped(edges=edges) for edges in tables):
            contents = contents.whole
        return pieces(form, contents.plan)

    return make


def _trig(contents: Contents) -> str:
    from sotagraph.rdf import to_trig

    return to_trig(contents.graph)


def _rdfxml(contents: Contents) -> str:
    from sotagraph.serialize import rdfxml

    return rdfxml(contents.triples)


def _html(contents: Contents) -> str:
    from sotagraph.view.page import html_of

    return html_of(contents.content)


def _report(contents: Contents) -> str:
    from sotagraph.report import report_of

    return report_of(contents.content)


FILES: tuple[File, ...] = (
    File(format="json", name=GRAPH, make=_form("json")),
    File(format="turtle", name="graph.ttl", make=lambda contents: contents.turning.turtle()),
    File(format="ntriples", name="graph.nt", make=lambda contents: contents.turning.ntriples()),
    File(format="jsonld", name="graph.jsonld", make=lambda contents: contents.turning.jsonld()),
    File(format="graphml", name="graph.graphml", make=_form("graphml")),
    File(format="gexf", name="graph.gexf", make=_form("gexf")),
    File(format="nodes", name="nodes.csv", make=_form("nodes")),
    File(format="edges", name="edges.csv", make=_form("edges")),
    File(format="html", name=PAGE, make=_html),
    File(format="report", name="report.md", make=_report),
)

#: The names of all files of a build.
NAMES = frozenset((EXTRACTIONS, *(file.name for file in FILES)))

#: Formats that a build does not write, but that can be asked for.
MORE: tuple[File, ...] = (
    File(format="trig", name="graph.trig", make=_trig),
    File(format="rdfxml", name="graph.rdf", make=_rdfxml),
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
    data = FORMATS[form].text(Contents(content_of(graph))).encode("utf-8", "replace")
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
