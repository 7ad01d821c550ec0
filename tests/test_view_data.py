from __future__ import annotations

import json

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotagraph.content import content_of
from sotagraph.errors import InputError
from sotagraph.names import plain
from sotagraph.schema import NODE_KINDS, RELATIONS, STRUCTURE
from sotagraph.view.data import _MARKUP, KINDS, PREDICATES, Payload, Read, payload, payload_of
from sotagraph.view.page import html_of
from sotagraph.view.sample import GraphBuilder, corpus, small


def utf16(text: str, start: int, end: int) -> str:
    """A slice as JavaScript takes it."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def sentence(rows: Payload, number: int) -> str:
    paper, start, end = rows.sentences[3 * number : 3 * number + 3]
    return utf16(rows.texts[paper], start, end)


def edge(rows: Payload, source: str, predicate: str, target: str) -> list[tuple[str, str, int]]:
    """The facts of one drawn edge as (sentence, rule, confidence)."""
    wanted = (rows.ids.index(source), rows.ids.index(target), PREDICATES.index(predicate))
    found = [e for e in rows.edges if (e.source, e.target, e.predicate) == wanted]
    assert len(found) == 1
    facts = found[0].facts
    return [(sentence(rows, facts[i]), rows.rules[facts[i + 1]], facts[i + 2]) for i in range(0, len(facts), 3)]


def test_the_page_knows_all_kinds_and_predicates_of_the_schema() -> None:
    assert set(KINDS) == {kind.name for kind in NODE_KINDS.values()}
    assert set(PREDICATES) - {"measuredBy"} == {*RELATIONS, *STRUCTURE}


def test_rows_follow_the_graph() -> None:
    graph = small()
    rows = payload(graph)
    assert rows.ids == list(graph)
    assert [KINDS[kind] for kind in rows.kinds] == [graph.nodes[node]["kind"] for node in graph]
    assert len(rows.labels) == len(rows.more) == len(rows.ids)


@pytest.mark.parametrize("graph", [small(), corpus(30)], ids=["small", "corpus"])
def test_every_sentence_of_the_graph_is_on_the_page_as_it_reads(graph: nx.MultiDiGraph[str]) -> None:
    rows = payload(graph)
    shown = {sentence(rows, number) for number in range(len(rows.sentences) // 3)}
    said = {plain(data["sentence"]).text for *_, data in graph.edges(data=True) if "sentence" in data}
    assert shown == said


def test_offsets_count_as_javascript_does_and_see_through_markup() -> None:
    builder = GraphBuilder()
    said = (r"We propose \textbf{𝒟rift} 𝔽irst.", r"It gains $90\%$ on 𝒟ata.")
    paper = builder.paper("p", " ".join(said))
    drift = builder.thing("Method", "𝒟rift")
    builder.fact(paper, "proposes", drift, said[0])
    builder.fact(drift, "evaluatedOn", builder.thing("Dataset", "𝒟ata"), said[1], paper=paper)
    rows = payload(builder.graph)
    assert rows.texts[0] == "We propose 𝒟rift 𝔽irst. It gains 90% on 𝒟ata."
    assert [sentence(rows, i) for i in (0, 1)] == ["We propose 𝒟rift 𝔽irst.", "It gains 90% on 𝒟ata."]


def test_parallel_facts_share_one_line() -> None:
    builder = GraphBuilder()
    paper = builder.paper("p", "A uses B. Again A uses B.")
    a, b = builder.thing("Method", "A"), builder.thing("Method", "B")
    builder.fact(a, "uses", b, "A uses B.", paper=paper)
    builder.fact(a, "uses", b, "Again A uses B.", paper=paper, rule="again")
    assert edge(payload(builder.graph), a, "uses", b) == [("A uses B.", "sample", 90), ("Again A uses B.", "again", 90)]


def test_what_a_paper_only_repeats_is_marked() -> None:
    rows = payload(small())
    own = {(rows.ids[e.source], PREDICATES[e.predicate], rows.ids[e.target]) for e in rows.edges if e.own}
    assert own == {("paper/larch", "uses", "method/grpo")}


def test_a_metric_is_tied_to_what_it_measures() -> None:
    rows = payload(small())
    facts = edge(rows, "method/larch32b", "measuredBy", "metric/pass@32")
    assert len(facts) == 2
    assert facts[1][0].startswith("With self-correction")


def test_a_result_carries_its_figures_and_its_sentence() -> None:
    rows = payload(small())
    row = next(more for more in rows.more if more.get("value") == "90.4")
    assert (
        sentence(rows, row["s"]) == "With self-correction, Larch-32B reaches 90.4% on miniF2F, against 80.7% for Oakum."
    )
    assert (row["unit"], row["cond"], row["base"], row["dir"]) == ("%", "pass@32, self-correction", "80.7", "higher")


@pytest.mark.parametrize("broken", ["[not json", '"a"', "[1, 2]", "{}", "null"])
def test_attributes_that_are_no_json_do_not_stop_the_page(broken: str) -> None:
    graph = small()
    for name in ("aliases", "links", "reasons", "identifiers"):
        graph.nodes["method/grpo"][name] = broken
    assert len(payload(graph).ids) == len(graph)


def test_a_fact_without_a_sentence_has_none() -> None:
    graph = small()
    rows = payload(graph)
    found = next(e for e in rows.edges if PREDICATES[e.predicate] == "differentFrom")
    assert found.facts[0] == -1
    assert rows.rules[found.facts[1]] == "homonym"


def test_evidence_that_points_nowhere_is_none() -> None:
    graph = small()
    graph.add_edge(
        "method/grpo", "method/larch", key="x", predicate="uses", paper="paper/gone", start=0, end=4, rule="r"
    )
    rows = payload(graph)
    assert (-1, "r") in {(e.facts[0], rows.rules[e.facts[1]]) for e in rows.edges if e.facts}


def test_an_unknown_kind_is_refused() -> None:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node("x", kind="Recipe", label="x")
    with pytest.raises(InputError, match="kind 'Recipe'; the page knows Paper, Method"):
        payload(graph)


def test_an_unknown_predicate_is_refused() -> None:
    graph = small()
    graph.add_edge("method/grpo", "method/larch", key="likes", predicate="likes")
    with pytest.raises(InputError, match="predicate 'likes'"):
        payload(graph)


def test_the_rows_are_json() -> None:
    rows = payload(corpus(10))
    assert json.loads(json.dumps(rows.more)) == rows.more


@pytest.mark.parametrize("kept", [0, 40, 400])
def test_rows_of_a_former_graph_are_taken_over_where_nothing_changed(kept: int) -> None:
    """The first nodes are the same objects as before, others equal, changed or gone."""
    before, after = content_of(corpus(20)), content_of(corpus(30))
    for number, node in enumerate(list(before.nodes)):
        if number < kept and node in after.nodes:
            before.nodes[node] = after.nodes[node]
        elif number % 3 == 0:
            before.nodes[node] = {**before.nodes[node], "label": "changed", "name": "changed", "text": "changed"}
    known = Read(before)
    rows = payload_of(after, known)
    assert rows == payload_of(after)
    assert html_of(after, known=known) == html_of(after)
    assert [json.loads(text) for text in rows.written] == rows.more


@given(text=st.text("ab \\~—‐-―−{}$`*_%&#\n1.", max_size=12))
def test_only_what_has_markup_is_seen_through(text: str) -> None:
    assert _MARKUP.search(text) or plain(text).text == text
