"""The subjects of a graph's RDF, each with its piece of every file: what changed with some nodes and edges, and how.

What a subject's triples are depends on few nodes and edges: those of a node on it and the edges that leave it, those of
a statement on one edge, those of a sentence on what its paper says. So from the nodes and edges that changed follow the
subjects that may have, and only their triples are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sotagraph.content import Content, Cut, Edge, places
from sotagraph.pieces import Pieces, Section
from sotagraph.serialize import (
    JSONLD_JOINT,
    JSONLD_TAIL,
    Names,
    jsonld_block,
    jsonld_head,
    nt_block,
    prefixes,
    turtle_block,
)
from sotagraph.splice import spliced
from sotagraph.terms import BASE, Triple, grouped
from sotagraph.triples import owned
from sotagraph.void import Summary, description, digest

__all__ = ["Subjects", "Turning", "turned"]

#: What sorts the lines of N-Triples: behind a subject stands this.
_END = ">"
_ABOUT = f"{BASE}graph/"


@dataclass(slots=True)
class Subjects:
    """All subjects of some files, in the order of Turtle and JSON-LD and in that of N-Triples."""

    names: list[str]
    lines: list[str]
    #: By name: number of triples, bits of the prefixes that Turtle uses, sixteen bytes of a digest.
    counts: npt.NDArray[np.int64]
    prefixes: npt.NDArray[np.int64]
    digests: npt.NDArray[np.uint8]

    @classmethod
    def none(cls) -> Subjects:
        """Before anything is written."""
        empty = np.zeros(0, dtype=np.int64)
        return cls([], [], empty, empty, np.zeros((0, 16), dtype=np.uint8))


@dataclass(frozen=True, slots=True)
class _Turtle:
    """One subject in Turtle, the bits of its prefixes, and the digest of its triples."""

    text: str
    prefixes: int
    digest: bytes


@dataclass(slots=True)
class Turning:
    """Subjects before and after a change, and the pieces that are new."""

    subjects: Subjects
    cuts: Sequence[Cut]
    lines: Sequence[Cut]
    groups: dict[str, list[Triple]]
    turtles: dict[str, _Turtle]
    based: bool

    def turtle(self) -> Pieces:
        """``graph.ttl``."""
        used = int(np.bitwise_or.reduce(self.subjects.prefixes)) if len(self.subjects.prefixes) else 0
        new = [Cut(start, end, [self.turtles[name].text for name in some]) for start, end, some in self.cuts]
        return Pieces([Section(prefixes(used) + "\n", new, "\n")], based=self.based)

    def ntriples(self) -> Pieces:
        """``graph.nt``."""
        new = [Cut(start, end, [nt_block(self.groups[name]) for name in some]) for start, end, some in self.lines]
        return Pieces([Section("", new)], based=self.based)

    def jsonld(self) -> Pieces:
        """``graph.jsonld``."""
        new = [Cut(start, end, [jsonld_block(self.groups[name]) for name in some]) for start, end, some in self.cuts]
        return Pieces([Section(jsonld_head(), new, JSONLD_JOINT)], JSONLD_TAIL, self.based)


def turned(
    content: Content,
    nodes: Iterable[str] | None = None,
    edges: Iterable[Edge] | None = None,
    *,
    before: Content | None = None,
    subjects: Subjects | None = None,
) -> Turning:
    """The subjects of a content.

    Args:
        content: what is there now.
        nodes: those that came, went or changed; None for all.
        edges: likewise.
        before: what was there before, where `nodes` and `edges` are given.
        subjects: and its subjects.

    Raises:
        BuildError: a node or an edge has an attribute, kind or predicate that the schema does not know.
    """
    old = subjects or Subjects.none()
    if before is None or nodes is None or edges is None:
        groups = grouped(triple for _, found in owned(content) for triple in found)
        gone: set[str] = set()
    else:
        gone, groups = _changed(before, content, set(nodes), set(edges))
    gone |= set(_about(old.names))
    names = Names()
    turtles = {subject: _turtle(group, names) for subject, group in groups.items()}
    first = _after(old, places(old.names, gone, groups), groups, turtles)
    about = grouped(description(content, Summary(int(first.counts.sum()), first.digests.tobytes())))
    groups = {**groups, **about}
    turtles |= {subject: _turtle(group, names) for subject, group in about.items()}
    cuts = places(old.names, gone, groups)
    lines = places(old.lines, gone, groups, ending=_END)
    made = _after(old, cuts, groups, turtles)
    made.lines = spliced(old.lines, lines)
    return Turning(made, cuts, lines, groups, turtles, subjects is not None)


def _turtle(group: list[Triple], names: Names) -> _Turtle:
    text, bits = turtle_block(group, names)
    return _Turtle(text, bits, digest(group))


def _about(names: Sequence[str]) -> Iterable[str]:
    """The subjects of the description of a dataset."""
    [cut] = places(names, set(), [_ABOUT])
    for name in names[cut.start :]:
        if not name.startswith(_ABOUT):
            break
        yield name


def _after(
    old: Subjects, cuts: Sequence[Cut], groups: Mapping[str, list[Triple]], turtles: Mapping[str, _Turtle]
) -> Subjects:
    """The subjects after some cuts, without their order in N-Triples."""
    counts: list[npt.NDArray[np.int64]] = []
    used: list[npt.NDArray[np.int64]] = []
    digests: list[npt.NDArray[np.uint8]] = []
    at = 0
    for start, end, some in [*cuts, Cut(len(old.names), len(old.names), [])]:
        counts += (old.counts[at:start], np.array([len(groups[name]) for name in some], dtype=np.int64))
        used += (old.prefixes[at:start], np.array([turtles[name].prefixes for name in some], dtype=np.int64))
        data = b"".join(turtles[name].digest for name in some)
        digests += (old.digests[at:start], np.frombuffer(data, dtype=np.uint8).reshape(-1, 16))
        at = end
    return Subjects(spliced(old.names, cuts), [], np.concatenate(counts), np.concatenate(used), np.concatenate(digests))


def _changed(
    before: Content, after: Content, nodes: set[str], edges: set[Edge]
) -> tuple[set[str], dict[str, list[Triple]]]:
    """The subjects whose triples may have changed: those that are gone, and the triples of the others."""
    sources = nodes | {edge[0] for edge in edges}
    # What an edge comes to depends on what it leaves.
    edges = edges | {edge for content in (before, after) for edge in content.edges if edge[0] in nodes}
    touched: set[str] = set()
    papers: set[str] = set()
    for content in (before, after):
        some = [node for node in nodes if node in content.nodes]
        links = [edge for edge in edges if edge in content.edges]
        touched |= {triple[0] for _, found in owned(content, some, links) for triple in found}
        papers |= {content.nodes[node].get("paper", node) for node in some}
        papers |= {content.edges[edge].get("paper", "") for edge in links}
    papers.discard("")
    near = [node for node, data in after.nodes.items() if node in sources or _of(data, papers) or node in papers]
    around = [edge for edge, data in after.edges.items() if edge[0] in sources or _of(data, papers)]
    made = grouped(triple for _, found in owned(after, near, around) for triple in found if triple[0] in touched)
    return touched - set(made), made


def _of(data: dict[str, Any], papers: Set[str]) -> bool:
    return data.get("paper") in papers
