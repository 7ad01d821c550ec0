from __future__ import annotations

import json

import networkx as nx
import pytest

import birdpapers
from sotagraph.graph import Graph, to_graph
from sotagraph.report import report


@pytest.fixture
def birds() -> Graph:
    return to_graph(birdpapers.birds())


def sections(text: str) -> list[str]:
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]


def test_counts_are_those_of_the_graph(birds: Graph) -> None:
    text = report(birds)
    for kind in {data["kind"] for _, data in birds.nodes(data=True)}:
        count = sum(data["kind"] == kind for _, data in birds.nodes(data=True))
        assert f"| {kind} | {count} |\n" in text


def test_what_there_is_none_of_has_no_section() -> None:
    assert sections(report(nx.MultiDiGraph())) == ["Counts"]


def test_leaderboards_have_the_best_first(birds: Graph) -> None:
    text = report(birds)
    assert "## Leaderboards in short" in text
    assert "BirdBench" in text


def test_warnings_of_the_build_are_listed(birds: Graph) -> None:
    birds.graph["warnings"] = json.dumps(["p.jsonl:2: not JSON", "<script>alert(1)</script>"])
    text = report(birds)
    assert "- p.jsonl:2: not JSON\n" in text
    assert "<script" not in text


def test_homonyms_are_told_once(birds: Graph) -> None:
    pairs = [line for line in report(birds).splitlines() if "≠" in line]
    different = sum(data["predicate"] == "differentFrom" for *_, data in birds.edges(data=True))
    assert len(pairs) == different / 2


@pytest.mark.parametrize("corpus", [birdpapers.birds, birdpapers.hostile])
def test_every_row_of_a_table_has_the_cells_of_its_head(corpus: object) -> None:
    graph = to_graph(corpus())  # type: ignore[operator]
    width = 0
    for line in report(graph).splitlines():
        cells = line.replace("\\|", "").count("|")
        if not line.startswith("|"):
            width = 0
        elif width:
            assert cells == width, line
        else:
            width = cells


def test_a_lower_score_is_better_where_the_metric_says_so() -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("dataset/d", kind="Dataset", label="D")
    graph.add_node("metric/fid", kind="Metric", label="FID")
    for value in ("2.5", "1.3", "10"):
        node = f"result/{value}"
        graph.add_node(node, kind="Result", label=value, value=value, result_kind="absolute", direction="lower")
        graph.add_edge(node, "dataset/d", predicate="onDataset", paper="paper/p")
        graph.add_edge(node, "metric/fid", predicate="byMetric", paper="paper/p")
    text = report(graph)
    assert text.index("| 1.3 |") < text.index("| 2.5 |") < text.index("| 10 |")
