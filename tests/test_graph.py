from __future__ import annotations

import csv
import dataclasses
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import pytest

import birdpapers
from sotagraph.errors import BuildError
from sotagraph.graph import (
    Graph,
    from_json,
    to_edges_csv,
    to_gexf,
    to_graph,
    to_graphml,
    to_json,
    to_nodes_csv,
)
from sotagraph.model import Document, Entity, Evidence, Knowledge, Statement
from sotagraph.schema import NODE_KINDS, RELATIONS, STRUCTURE

CORPORA: dict[str, Callable[[], Knowledge]] = {
    "birds": birdpapers.birds,
    "hostile": birdpapers.hostile,
    "empty": Knowledge,
}


@pytest.fixture(params=CORPORA)
def graph(request: pytest.FixtureRequest) -> Graph:
    return to_graph(CORPORA[request.param]())


@pytest.fixture
def birds() -> Graph:
    return to_graph(birdpapers.birds())


def test_every_attribute_is_a_scalar_and_every_edge_says_its_rule(graph: Graph) -> None:
    for node, data in graph.nodes(data=True):
        assert data["kind"] in NODE_KINDS
        assert node.startswith(NODE_KINDS[data["kind"]].key + "/")
        assert data["label"] or data["kind"] == "Paper", node
        assert all(type(value) in (str, int, float, bool) for value in data.values())
    for _source, _target, key, data in graph.edges(keys=True, data=True):
        assert data["predicate"] in RELATIONS | STRUCTURE
        assert {"rule", "confidence"} <= set(data)
        assert key.startswith(f"{data['predicate']}|{data.get('paper', '')}")
        assert all(type(value) in (str, int, float, bool) for value in data.values())


def test_ends_have_the_kinds_of_the_schema(graph: Graph) -> None:
    for source, target, data in graph.edges(data=True):
        predicate = data["predicate"]
        relation = (RELATIONS | STRUCTURE)[predicate]
        assert NODE_KINDS[graph.nodes[source]["kind"]].key in relation.domain, (source, predicate, target)
        assert NODE_KINDS[graph.nodes[target]["kind"]].key in relation.range, (source, predicate, target)


def test_sentences_are_slices_of_the_text(graph: Graph) -> None:
    sentences = 0
    for *_ends, data in graph.edges(data=True):
        if "sentence" in data:
            assert graph.nodes[data["paper"]]["text"][data["start"] : data["end"]] == data["sentence"]
            sentences += 1
    assert sentences or not graph


def test_no_node_hangs_loose(birds: Graph) -> None:
    assert [node for node in birds if birds.degree(node) == 0] == ["paper/p5"]


@pytest.mark.parametrize(
    ("node", "label"),
    [
        ("paper/p1", "Falcon"),  # what it proposes, the module left out
        ("paper/2501.00001", "Falcon at scale"),  # its title
        ("paper/p3", "HERON (wading-bird detector)"),
        ("paper/p5", "A study of birds without any name. It…"),
    ],
)
def test_labels_of_papers(birds: Graph, node: str, label: str) -> None:
    assert birds.nodes[node]["label"] == label


def test_two_sentences_for_one_statement_are_two_edges(birds: Graph) -> None:
    edges = birds["paper/2501.00001"]["dataset/nestqa"]
    assert list(edges) == ["evaluatedOn|paper/2501.00001", "evaluatedOn|paper/2501.00001|2"]
    assert [edge["rule"] for edge in edges.values()] == ["we-test", "list"]


def test_homonyms_point_at_each_other(birds: Graph) -> None:
    for one, other in (
        (birdpapers.HERON_BIRD, birdpapers.HERON_RIVER),
        (birdpapers.HERON_RIVER, birdpapers.HERON_BIRD),
    ):
        assert birds[one][other] == {
            "differentFrom|": {"predicate": "differentFrom", "rule": "homonym", "confidence": 1.0}
        }


def test_a_mention_is_an_edge_only_where_nothing_stronger_is(birds: Graph) -> None:
    mentioned = {(s, t) for s, t, data in birds.edges(data=True) if data["predicate"] == "mentions"}
    assert ("paper/p1", "method/falcon") not in mentioned
    assert ("paper/p1", "metric/accuracy") in mentioned
    edge = birds["paper/p1"]["metric/accuracy"]["mentions|paper/p1"]
    assert edge["sentence"] == birdpapers.P1_SCORE


def test_a_paper_keeps_every_place_that_names_a_thing(graph: Graph) -> None:
    named = 0
    for _, data in graph.nodes(data=True):
        phrases = json.loads(data.get("phrases", "[]"))
        assert phrases == sorted(phrases)
        for start, end, thing in phrases:
            assert 0 <= start < end <= len(data["text"])
            assert graph.nodes[thing]["kind"] in ("Method", "Dataset", "Metric", "Task")
            named += 1
    assert named >= 7 or not graph


def test_results_carry_numbers_as_text_and_hang_on_what_they_measure(birds: Graph) -> None:
    (node,) = [n for n, d in birds.nodes(data=True) if d.get("value") == "90.4"]
    data = birds.nodes[node]
    assert {k: data[k] for k in ("value_text", "unit", "result_kind", "baseline_value", "direction", "paper")} == {
        "value_text": "90.4%",
        "unit": "%",
        "result_kind": "absolute",
        "baseline_value": "88",
        "direction": "higher",
        "paper": "paper/p1",
    }
    assert "value_max" not in data
    assert data["label"] == "90.4% accuracy on BirdBench"
    ends = {data["predicate"]: target for _, target, data in birds.out_edges(node, data=True)}
    assert ends == {
        "ofMethod": "method/falcon",
        "onDataset": "dataset/birdbench",
        "byMetric": "metric/accuracy",
        "againstBaseline": "method/owl",
        "reportedIn": "paper/p1",
    }


def test_a_result_keeps_its_id_when_another_is_added(birds: Graph) -> None:
    knowledge = birdpapers.birds()
    fewer = to_graph(dataclasses.replace(knowledge, results=knowledge.results[1:]))
    assert {n for n in fewer if n.startswith("result/")} < set(birds)


def test_a_thing_is_not_tied_to_itself() -> None:
    knowledge = birdpapers.birds()
    own = dataclasses.replace(knowledge.statements[3], object="method/falcon")
    result = dataclasses.replace(knowledge.results[0], baseline="method/falcon")
    graph = to_graph(dataclasses.replace(knowledge, statements=(own,), results=(result,)))
    assert not graph.has_edge("method/falcon", "method/falcon")
    (node,) = [n for n in graph if n.startswith("result/")]
    assert "againstBaseline" not in {data["predicate"] for *_, data in graph.out_edges(node, data=True)}
    assert graph.nodes[node]["baseline_value"] == "88"


def test_order_of_the_input_does_not_matter(birds: Graph) -> None:
    knowledge = birdpapers.birds()
    turned = dataclasses.replace(
        knowledge,
        documents=knowledge.documents[::-1],
        entities=knowledge.entities[::-1],
        occurrences=knowledge.occurrences[::-1],
        statements=knowledge.statements[::-1],
        results=knowledge.results[::-1],
        different=tuple((b, a) for a, b in knowledge.different),
    )
    assert to_json(to_graph(turned)) == to_json(birds)


def test_the_second_document_of_one_paper_adds_no_evidence() -> None:
    first = Document(id="a", text="We propose Ibis.", identifiers=(("arxiv", "2501.1v1"),))
    second = Document(id="b", text="Today we propose Ibis.", identifiers=(("arxiv", "2501.1v2"),))
    ibis = Entity(id="method/ibis", kind="method", name="Ibis", label="Ibis")
    said = tuple(
        Statement(
            subject="paper/2501.1",
            predicate="proposes",
            object="method/ibis",
            evidence=Evidence(document_id=document.id, start=0, end=len(document.text), rule="r"),
        )
        for document in (first, second)
    )
    graph = to_graph(Knowledge(documents=(first, second), entities=(ibis,), statements=said))
    assert graph.nodes["paper/2501.1"]["text"] == first.text
    assert graph.number_of_edges() == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"entities": ()}, "neither a paper nor an entity"),
        ({"documents": ()}, "which the corpus does not hold"),
        ({"entities": (Entity(id="bird/a", kind="bird", name="A", label="A"),)}, "has kind 'bird'"),
        ({"entities": (Entity(id="task/a", kind="task", name="A", label="A", links=(("likes", "x:y"),)),)}, "likes"),
    ],
)
def test_knowledge_that_does_not_hold_together_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(BuildError, match=message):
        to_graph(dataclasses.replace(birdpapers.birds(), **change))  # type: ignore[arg-type]


def test_node_link_json_reads_back_equal(graph: Graph) -> None:
    text = to_json(graph)
    again = from_json(text)
    assert nx.utils.graphs_equal(graph, again)
    assert to_json(again) == text
    # The same form that networkx itself reads.
    assert nx.utils.graphs_equal(graph, nx.node_link_graph(json.loads(text), edges="edges"))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"graph": {}, "nodes": [{}], "edges": []}', "null"])
def test_other_json_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BuildError) as caught:
        from_json(text)
    assert "\n" not in str(caught.value)


def test_json_of_another_version_is_refused() -> None:
    with pytest.raises(BuildError, match="schema '0'"):
        from_json('{"graph": {"schema": "0"}, "nodes": [], "edges": []}')


def test_graphml_reads_back_equal(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_text(to_graphml(graph), encoding="utf-8", newline="\n")
    again = nx.read_graphml(path, force_multigraph=True)
    again.graph.clear()
    expected = graph.copy()
    expected.graph.clear()
    assert nx.utils.graphs_equal(again, expected)


def test_gexf_is_xml_with_every_node_and_edge(graph: Graph) -> None:
    root = ElementTree.fromstring(to_gexf(graph))
    space = "{http://gexf.net/1.3}"
    nodes, edges = root.findall(f".//{space}node"), root.findall(f".//{space}edge")
    assert [node.get("id") for node in nodes] == list(graph)
    assert [node.get("label") for node in nodes] == list(nx.get_node_attributes(graph, "label").values())
    assert len({edge.get("id") for edge in edges}) == graph.number_of_edges()
    titles = {
        a.get("id"): a.get("title") for a in root.findall(f".//{space}attributes[@class='node']/{space}attribute")
    }
    for node in nodes:
        values = {titles[v.get("for")]: v.get("value") for v in node.findall(f".//{space}attvalue")}
        assert values.get("text") == graph.nodes[node.get("id", "")].get("text")


def test_csv_tables_hold_every_value(graph: Graph) -> None:
    nodes = list(csv.DictReader(io.StringIO(to_nodes_csv(graph), newline="")))
    assert [row["id"] for row in nodes] == list(graph)
    for row in nodes:
        for name, value in graph.nodes[row["id"]].items():
            assert row[name] == (str(value).lower() if isinstance(value, bool) else str(value))
    edges = list(csv.DictReader(io.StringIO(to_edges_csv(graph), newline="")))
    assert [(row["source"], row["target"], row["key"]) for row in edges] == list(graph.edges(keys=True))


@pytest.mark.parametrize("write", [to_json, to_graphml, to_gexf, to_nodes_csv, to_edges_csv])
@pytest.mark.parametrize("corpus", CORPORA)
def test_writers_leave_the_graph_alone_and_give_the_same_text_again(write: Callable[[Graph], str], corpus: str) -> None:
    graph = to_graph(CORPORA[corpus]())
    before = to_json(graph)
    assert write(graph) == write(to_graph(CORPORA[corpus]()))
    assert to_json(graph) == before
    write(graph).encode("utf-8")  # no lone surrogates
