"""The only border to pyvis: its network holds what is drawn, its package holds the drawing library.

pyvis writes its own page with files from outside, unescaped names and physics that never ends; and its ``add_node`` and
``add_edge`` look through all earlier ones. So its lists are filled directly, the options are plain, and the page around
it is ours (`sotagraph.view.page`).
"""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import Any

from pyvis.network import Network

from sotagraph.view.data import KINDS, PREDICATES, Payload
from sotagraph.view.layout import Ints, layout, satellites

__all__ = ["OUTSIDE", "SHAPES", "library", "to_network"]

#: The shape of each kind; the legend draws the same ones.
SHAPES = {
    "Paper": "square", "Method": "dot", "Dataset": "diamond", "Metric": "triangle", "Task": "hexagon", "Result": "star",
    "Repository": "triangleDown", "Venue": "square", "Author": "dot",
}  # fmt: skip

#: Kinds that take no part in the layout and start hidden: a venue or an author would pull all its papers into a ball,
#: and a result is the petal of its method.
OUTSIDE = ("Result", "Venue", "Author")

#: A metric of more methods than this takes no part in the layout either; it stands in their middle.
_COMMON = 8

#: Which end of a node outside the layout it stands beside.
_HOSTS = {"ofMethod": 0, "onDataset": 1, "reportedIn": 2}

_OPTIONS: dict[str, Any] = {
    "autoResize": True,
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "edges": {"smooth": False, "selectionWidth": 0, "hoverWidth": 0},
    "nodes": {"borderWidth": 1, "labelHighlightBold": False},
    "interaction": {
        "hideEdgesOnDrag": True,
        "hideEdgesOnZoom": True,
        "selectConnectedEdges": False,
        "multiselect": False,
    },
    "groups": {kind: {"shape": shape} for kind, shape in SHAPES.items()},
}


def to_network(payload: Payload, *, seed: int = 0) -> Network:
    """The pyvis network of the rows, each node with its place; positions are its ids.

    Edges carry under ``p`` the position of their predicate, and ``own`` where they only repeat what the method says.

    >>> from sotagraph.view.data import payload
    >>> from sotagraph.view.sample import small
    >>> network = to_network(payload(small()))
    >>> network.nodes[0]["label"], sorted(network.nodes[0])
    ('GRPO', ['group', 'id', 'label', 'value', 'x', 'y'])
    """
    network = Network(directed=True)
    degree = [0] * len(payload.ids)
    for edge in payload.edges:
        if not edge.own:
            degree[edge.source] += 1
            degree[edge.target] += 1
    places = _places(payload, seed)
    network.nodes = [
        {"id": index, "label": label, "group": KINDS[kind], "x": int(x), "y": int(y), "value": weight}
        for index, (label, kind, weight, (x, y)) in enumerate(
            zip(payload.labels, payload.kinds, degree, places, strict=True)
        )
    ]
    network.edges = [
        {"from": edge.source, "to": edge.target, "p": edge.predicate, **({"own": 1} if edge.own and edge.facts else {})}
        for edge in payload.edges
    ]
    network.options = _OPTIONS
    return network


def _places(payload: Payload, seed: int) -> Ints:
    """The layout of what is laid out, and the rest around it."""
    common = _common_metrics(payload)
    inside = [i for i, kind in enumerate(payload.kinds) if KINDS[kind] not in OUTSIDE and i not in common]
    local = {index: position for position, index in enumerate(inside)}
    edges = [(local[e.source], local[e.target]) for e in payload.edges if e.source in local and e.target in local]
    placed = layout(len(inside), edges, seed=seed)
    outside = [index for index in range(len(payload.ids)) if index not in local]
    hosts: dict[int, list[tuple[int, int]]] = {index: [] for index in outside}
    for edge in payload.edges:
        for node, other in ((edge.source, edge.target), (edge.target, edge.source)):
            if node in hosts and other in local:
                hosts[node].append((_HOSTS.get(PREDICATES[edge.predicate], 3), local[other]))
    around = satellites([_nearest(hosts[index]) for index in outside], placed)
    result: Ints = placed[[local.get(index, 0) for index in range(len(payload.ids))]] if inside else around.copy()
    result[outside] = around
    return result


def _common_metrics(payload: Payload) -> set[int]:
    """Metrics that measure so much (accuracy) that they would pull unrelated work together."""
    measured = PREDICATES.index("measuredBy")
    counts = Counter(edge.target for edge in payload.edges if edge.predicate == measured)
    return {metric for metric, count in counts.items() if count > _COMMON}


def _nearest(hosts: list[tuple[int, int]]) -> list[int]:
    """The hosts of the best kind: a result stands by its method alone, a venue amid all its papers."""
    best = min((rank for rank, _ in hosts), default=0)
    return [host for rank, host in sorted(hosts) if rank == best]


def library() -> str:
    """The source of vis-network as pyvis ships it (Apache-2.0 or MIT, its notice is in the text).

    Raises:
        FileNotFoundError: this pyvis ships no vis-network.
    """
    folder = files("pyvis").joinpath("lib")
    found = sorted((entry.name for entry in folder.iterdir() if entry.name.startswith("vis-")), reverse=True)
    for name in found:
        script = folder.joinpath(name, "vis-network.min.js")
        if script.is_file():
            return script.read_text(encoding="utf-8").replace("\r\n", "\n").strip("\n")
    raise FileNotFoundError("pyvis ships no lib/vis-*/vis-network.min.js; install pyvis 0.3.2")
