from __future__ import annotations

import hashlib
import itertools
import random
import time

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from sotagraph.view.data import PREDICATES, payload
from sotagraph.view.layout import EXACT, Ints, layout, satellites
from sotagraph.view.network import OUTSIDE, to_network
from sotagraph.view.sample import corpus, small

Edges = list[tuple[int, int]]


def web(count: int, extra: int, seed: int = 3) -> Edges:
    """A connected random graph."""
    random_ = random.Random(seed)
    tree = [(node, random_.randrange(node)) for node in range(1, count)]
    return tree + [(random_.randrange(count), random_.randrange(count)) for _ in range(extra)]


SHAPES: dict[str, tuple[int, Edges]] = {
    "nothing": (0, []),
    "one": (1, []),
    "two apart": (2, []),
    "pair": (2, [(0, 1)]),
    "chain": (7, [(i, i + 1) for i in range(6)]),
    "ring": (9, [(i, (i + 1) % 9) for i in range(9)]),
    "star": (40, [(0, i) for i in range(1, 40)]),
    "complete": (12, list(itertools.combinations(range(12), 2))),
    "loops and repeats": (3, [(0, 0), (0, 1), (0, 1), (1, 0), (2, 2)]),
    "islands": (90, [(3 * i, 3 * i + 1) for i in range(30)]),
    "web": (300, web(300, 200)),
    "large web": (EXACT + 200, web(EXACT + 200, 600)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_node_has_a_place_of_its_own(name: str) -> None:
    count, edges = SHAPES[name]
    places = layout(count, edges)
    assert places.shape == (count, 2)
    if count > 1:
        assert pdist(places).min() > 18, "nodes are drawn up to 24 wide"


@pytest.mark.parametrize("name", SHAPES)
def test_the_same_graph_gives_the_same_places(name: str) -> None:
    count, edges = SHAPES[name]
    assert np.array_equal(layout(count, edges), layout(count, edges))


def test_another_seed_gives_another_layout() -> None:
    count, edges = SHAPES["web"]
    assert not np.array_equal(layout(count, edges, seed=0), layout(count, edges, seed=1))


#: What small graphs came to when this was written: their arithmetic has one right answer on every machine.
GOLDEN = {"chain": "a8a123dd", "star": "09882996", "web": "5e41a822"}


@pytest.mark.parametrize("name", GOLDEN)
def test_places_are_the_same_on_every_machine(name: str) -> None:
    places = layout(*SHAPES[name])
    assert hashlib.sha256(places.astype("<i8").tobytes()).hexdigest()[:8] == GOLDEN[name]


def box(places: Ints) -> tuple[int, int, int, int]:
    (left, top), (right, bottom) = places.min(axis=0), places.max(axis=0)
    return int(left), int(top), int(right), int(bottom)


def test_components_stand_apart() -> None:
    count = 60
    edges = web(20, 10) + [(20 + a, 20 + b) for a, b in web(15, 4, seed=5)] + [(i, i + 1) for i in range(35, 50, 2)]
    places = layout(count, edges)
    parts = [range(20), range(20, 35), *[(i, i + 1) for i in range(35, 50, 2)], *[(i,) for i in range(51, 60)]]
    boxes = [box(places[list(part)]) for part in parts]
    for (l1, t1, r1, b1), (l2, t2, r2, b2) in itertools.combinations(boxes, 2):
        assert l1 > r2 or l2 > r1 or t1 > b2 or t2 > b1


@pytest.mark.parametrize("name", ["web", "large web", "islands", "star"])
def test_the_whole_fits_a_window(name: str) -> None:
    left, top, right, bottom = box(layout(*SHAPES[name]))
    assert 0.8 < (right - left) / (bottom - top) < 2.4
    assert abs(left + right) <= 2
    assert abs(top + bottom) <= 2


@pytest.mark.parametrize("name", ["ring", "web", "large web"])
def test_neighbours_are_nearer_than_strangers(name: str) -> None:
    count, edges = SHAPES[name]
    places = layout(count, edges)
    tied = np.mean([np.hypot(*(places[a] - places[b])) for a, b in edges if a != b])
    assert tied < 0.6 * pdist(places).mean()


def test_the_mainland_stays_large_beside_many_islands() -> None:
    main = web(500, 300)
    edges = main + [(500 + 3 * i, 501 + 3 * i) for i in range(100)]
    places = layout(800, edges)
    _, top, _, bottom = box(places)
    _, first, _, last = box(places[:500])
    assert (last - first) / (bottom - top) > 0.6


def test_satellites_gather_round_their_host() -> None:
    places = np.array([[0, 0], [500, 0]])
    found = satellites([[0]] * 12 + [[0, 1]] + [[]], places)
    ring = np.hypot(found[:12, 0], found[:12, 1])
    assert ring.min() > 30
    assert ring.max() < 70
    assert pdist(found[:12]).min() > 10
    assert np.hypot(*(found[12] - [250, 0])) < 50


def test_results_and_venues_stand_beside_what_they_belong_to() -> None:
    rows = payload(small())
    network = to_network(rows)
    at = {rows.ids[node["id"]]: (node["x"], node["y"]) for node in network.nodes}
    for edge in rows.edges:
        if PREDICATES[edge.predicate] == "ofMethod":
            result, method = at[rows.ids[edge.source]], at[rows.ids[edge.target]]
            assert np.hypot(result[0] - method[0], result[1] - method[1]) < 60


def test_a_metric_of_everything_pulls_nothing_together() -> None:
    graph = corpus(60)
    rows = payload(graph)
    places = {rows.ids[node["id"]]: (node["x"], node["y"]) for node in to_network(rows).nodes}
    for edge in [e for e in graph.edges(keys=True) if e[2].startswith("byMetric")]:
        graph.remove_edge(*edge)
    without = payload(graph)
    again = {without.ids[node["id"]]: (node["x"], node["y"]) for node in to_network(without).nodes}
    kinds = {node: graph.nodes[node]["kind"] for node in graph}
    moved = [node for node in graph if kinds[node] not in (*OUTSIDE, "Metric") and places[node] != again[node]]
    assert len(moved) < len(graph), "only the packing of the lone metrics may differ"


def test_ten_thousand_nodes_within_fifteen_seconds() -> None:
    rows = payload(corpus(1850))
    assert len(rows.ids) >= 10_000
    start = time.perf_counter()
    to_network(rows)
    assert time.perf_counter() - start < 15
