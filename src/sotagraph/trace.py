"""Ways through the graph: what a thing descends from, what descends from it, and how two things hang together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sotagraph.content import Attributes
from sotagraph.errors import NotFoundError
from sotagraph.graph import Graph
from sotagraph.resolve import Names

__all__ = ["Hop", "Lineage", "Step", "lineage", "path"]

#: An edge by one of these leads from a thing to what it is built on.
DESCENT = ("uses", "variantOf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A thing in a line of descent, and the edge by which it came in."""

    id: str
    label: str
    kind: str
    #: How many edges lie between it and the thing that was asked for.
    depth: int
    predicate: str
    #: The thing at the other end of the edge, one step nearer.
    via: str
    paper: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """What a thing is built on (`ancestors`) and what is built on it (`descendants`), nearest first."""

    id: str
    label: str
    ancestors: tuple[Step, ...]
    descendants: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One edge of a way; `forward` tells whether it is walked from its subject to its object."""

    source: str
    source_label: str
    predicate: str
    target: str
    target_label: str
    forward: bool
    paper: str
    sentence: str


def lineage(graph: Graph, name: str, *, names: Names | None = None) -> Lineage:
    """The line of descent of a method, dataset, metric or task, at any depth.

    Papers stand in it only where they propose no method of their own, since else their method does.

    Raises:
        NotFoundError: nothing, or more than one thing, is called so.
    """
    root = (names or Names.of(graph)).one(name, ("Method", "Dataset", "Metric", "Task"))
    return Lineage(
        id=root,
        label=graph.nodes[root]["label"],
        ancestors=tuple(_walk(graph, root, graph.out_edges)),
        descendants=tuple(_walk(graph, root, graph.in_edges)),
    )


def _walk(graph: Graph, root: str, edges: Callable[..., Iterable[tuple[str, str, Attributes]]]) -> Iterator[Step]:
    seen, queue = {root}, deque([(root, 0)])
    while queue:
        here, depth = queue.popleft()
        nearby: dict[str, Attributes] = {}
        for source, target, data in edges(here, data=True):
            there = target if source == here else source
            if data["predicate"] in DESCENT and there not in seen and not _stands_for_its_method(graph, there):
                nearby.setdefault(there, data)
        for there in sorted(nearby, key=lambda node: (graph.nodes[node]["label"], node)):
            seen.add(there)
            queue.append((there, depth + 1))
            yield _step(graph, there, here, depth + 1, nearby[there])


def _stands_for_its_method(graph: Graph, node: str) -> bool:
    if graph.nodes[node]["kind"] != "Paper":
        return False
    return any(data["predicate"] == "proposes" for _, _, data in graph.out_edges(node, data=True))


def _step(graph: Graph, node: str, via: str, depth: int, data: Attributes) -> Step:
    return Step(
        id=node,
        label=graph.nodes[node]["label"],
        kind=graph.nodes[node]["kind"],
        depth=depth,
        predicate=data["predicate"],
        via=via,
        paper=data.get("paper", ""),
        sentence=data.get("sentence", ""),
    )


def path(graph: Graph, one: str, other: str, *, names: Names | None = None) -> tuple[Hop, ...]:
    """A shortest way between two nodes, walked along or against the edges; venues and authors are not walked through.

    Raises:
        NotFoundError: a name means nothing or several things, or no way leads from one to the other.
    """
    names = names or Names.of(graph)
    start, goal = names.one(one), names.one(other)
    came: dict[str, Hop] = {}
    queue, seen = deque([start]), {start}
    while queue and goal not in seen:
        here = queue.popleft()
        for hop in sorted(_hops(graph, here), key=lambda hop: (hop.target, hop.predicate, not hop.forward, hop.paper)):
            if hop.target not in seen and (
                hop.target == goal or graph.nodes[hop.target]["kind"] not in ("Venue", "Author")
            ):
                seen.add(hop.target)
                came[hop.target] = hop
                queue.append(hop.target)
    if goal not in seen:
        raise NotFoundError(f"no way leads from {start} to {goal}; no paper ties them, nor what they are tied to")
    hops: list[Hop] = []
    while goal != start:
        hops.append(came[goal])
        goal = hops[-1].source
    return tuple(reversed(hops))


def _hops(graph: Graph, here: str) -> Iterator[Hop]:
    for source, target, data in (*graph.out_edges(here, data=True), *graph.in_edges(here, data=True)):
        if data["predicate"] == "differentFrom":
            continue
        there = target if source == here else source
        yield Hop(
            source=here,
            source_label=graph.nodes[here]["label"],
            predicate=data["predicate"],
            target=there,
            target_label=graph.nodes[there]["label"],
            forward=source == here,
            paper=data.get("paper", ""),
            sentence=data.get("sentence", ""),
        )
