"""The named queries, on the graph of the seeds that the repository holds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from sotagraph.analyze import leaderboard, paper_card
from sotagraph.graph import Graph, from_json
from sotagraph.query import bind, named_queries, named_query
from sotagraph.resolve import Names
from sotagraph.rows import Cell
from sotagraph.store import Solutions, Store, to_rows
from sotagraph.triples import to_triples
from sotagraph.untriples import from_triples
from sotagraph.validate import validate

OUTPUT = Path(__file__).parent.parent / "output" / "graph.json"

pytestmark = pytest.mark.skipif(not OUTPUT.exists(), reason="output/ holds no graph of the seeds in this checkout")


@cache
def _graph() -> Graph:
    return from_json(OUTPUT.read_text(encoding="utf-8"))


@cache
def _names() -> Names:
    return Names.of(_graph())


@cache
def _store() -> Store:
    return Store.of_graph(_graph())


def _ask(name: str, **values: object) -> list[Mapping[str, Cell]]:
    answer = _store().query(bind(named_query(name), values, _names()))
    assert isinstance(answer, Solutions)
    return list(to_rows(answer))


#: Values for parameters that must be given, by type.
VALUES = {
    "dataset": "MiniF2F", "method": "GRPO", "metric": "pass@32", "paper": "s000-01", "thing": "LVR", "text": "prover",
}  # fmt: skip

#: Query, parameters, columns, rows that must be among the answer, all of them said by the papers themselves.
MUST: list[tuple[str, dict[str, object], tuple[str, ...], list[tuple[object, ...]]]] = [
    ("leaderboard", {"dataset": "MiniF2F"}, ("printed",), [("90.4%",), ("84.6%",)]),
    ("leaderboard", {"dataset": "MMVP"}, ("method", "printed", "baseline"), [("LVR", "71.67%", "Qwen2.5-VL")]),
    ("papers-using", {"method": "GRPO"}, ("paper",), [("paper/s000-01",), ("paper/s000-12",)]),
    ("built-on", {"method": "GRPO"}, ("thing",), [("method/lvr",), ("method/papo",)]),
    ("builds-on", {"method": "LVR"}, ("label",), [("GRPO",)]),
    ("outperforms", {}, ("better", "worse"), [("LVR", "Qwen2.5-VL")]),
    ("outperforming", {"method": "Qwen2.5-VL"}, ("better",), [("method/lvr",)]),
    ("homonyms", {}, ("name",), [("FACT",)]),
    ("code", {}, ("address",), [("https://github.com/Goedel-LM/Goedel-Prover-V2",), ("https://github.com/zhh6425/CalibRL",)]),
    ("introduced", {}, ("label",), [("PuzzleWorld",)]),
    ("evidence", {"subject": "LVR", "object": "GRPO"}, ("predicate",), [("uses",)]),
    ("counts", {}, ("kind", "count"), [("Paper", 38)]),
    ("most-used-methods", {"limit": 10}, ("label",), [("GRPO",)]),
    ("about-paper", {"paper": "s000-01"}, ("predicate", "object"), [("proposes", "LVR")]),
    ("papers-by-year", {}, ("papers",), [(38,)]),
    ("written", {"subject": "LVR"}, ("written", "papers"), [("LVR", 1), ("Latent Visual Reasoning", 1)]),
    ("find", {"text": "goedel"}, ("kind", "label"), [("Method", "Goedel-Prover-V2")]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "columns", "rows"), MUST)
def test_what_the_papers_say_is_answered(
    name: str, values: dict[str, object], columns: tuple[str, ...], rows: list[tuple[object, ...]]
) -> None:
    answer = [tuple(row[column] for column in columns) for row in _ask(name, **values)]
    assert [row for row in rows if row not in answer] == []


SIZES: list[tuple[str, dict[str, object], tuple[str, ...], list[tuple[object, ...]]]] = [
    ("leaderboard", {"dataset": "mini-f2f"}, ("method", "printed"), [
        ("Goedel-Prover-V2-32B", "90.4%"), ("Goedel-Prover-V2-32B", "88.1%"), ("Goedel-Prover-V2-8B", "84.6%")]),
    ("variants", {}, ("label", "ofLabel"), [
        ("Goedel-Prover-V2-32B", "Goedel-Prover-V2"), ("Goedel-Prover-V2-8B", "Goedel-Prover-V2")]),
    ("papers-using", {"method": "GRPO"}, ("paper",), [("paper/s000-01",), ("paper/s000-12",), ("paper/s004-09",)]),
    ("introduced", {}, ("label",), [("UniST",)]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "columns", "rows"), SIZES)
def test_sizes_users_and_new_datasets(
    name: str, values: dict[str, object], columns: tuple[str, ...], rows: list[tuple[object, ...]]
) -> None:
    test_what_the_papers_say_is_answered(name, values, columns, rows)


@pytest.mark.parametrize("name", named_queries())
def test_every_named_query_runs(name: str) -> None:
    query = named_query(name)
    datasets = sorted(n for n, data in _graph().nodes(data=True) if data["kind"] == "Task")
    values = {
        p.name: VALUES.get(p.type, datasets[0] if datasets else "") for p in query.parameters if p.default is None
    }
    answer = _store().query(bind(query, values, _names()))
    assert isinstance(answer, (Solutions, tuple))


def test_the_graph_has_no_violation() -> None:
    assert [finding for finding in validate(_graph()) if finding.severity == "violation"] == []


def test_rdf_reads_back_to_the_same_graph() -> None:
    assert nx.utils.graphs_equal(from_triples(to_triples(_graph())), _graph())


def test_sentences_stand_behind_scores() -> None:
    for score in leaderboard(_graph(), "MiniF2F").scores:
        assert score.value_text.rstrip("%") in score.sentence.replace("\\", "")
    assert paper_card(_graph(), "LVR").id == "paper/s000-01"
