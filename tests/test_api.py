"""The library as its users see it, on a graph that a stand-in extracted and on the seeds' graph as committed."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

import birdpapers
import fakes
import sotagraph
from command import OUTPUT
from sotagraph import api, files
from sotagraph.corrections import Correction
from sotagraph.errors import BuildError, ConfigError, InputError, NotFoundError, QueryError
from sotagraph.graph import to_graph


@pytest.fixture(scope="module")
def birds() -> sotagraph.KnowledgeGraph:
    return sotagraph.KnowledgeGraph(to_graph(birdpapers.birds()))


@pytest.fixture(scope="module")
def seeds() -> sotagraph.KnowledgeGraph:
    return sotagraph.load(OUTPUT)


def test_a_graph_says_what_it_is(birds: sotagraph.KnowledgeGraph) -> None:
    assert "paper" in repr(birds)
    assert isinstance(birds.graph, nx.MultiDiGraph)
    assert birds.extractions == ()


def test_select_gives_rows(birds: sotagraph.KnowledgeGraph) -> None:
    rows = birds.query("SELECT ?name WHERE { ?m a sg:Method ; skos:prefLabel ?name } ORDER BY ?name")
    assert isinstance(rows, sotagraph.Rows)
    assert "Falcon" in [row["name"] for row in rows]


def test_ask_and_construct(birds: sotagraph.KnowledgeGraph) -> None:
    assert birds.query("ASK { ?m skos:prefLabel 'Falcon' }") is True
    made = birds.query("CONSTRUCT { ?m a sg:Method } WHERE { ?m a sg:Method }")
    assert not isinstance(made, bool | sotagraph.Rows)
    assert len(made) == sum(data["kind"] == "Method" for _, data in birds.graph.nodes(data=True))


def test_a_named_query_takes_parameters(birds: sotagraph.KnowledgeGraph) -> None:
    listed = sotagraph.named_queries()
    assert listed.columns == ("name", "parameters", "description")
    assert len(listed) >= 22
    rows = birds.query(name="leaderboard", dataset="BirdBench")
    assert isinstance(rows, sotagraph.Rows)
    assert len(rows) >= 2


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, ConfigError),
        ({"sparql": "ASK {}", "name": "counts"}, ConfigError),
        ({"sparql": "ASK {}", "method": "x"}, ConfigError),
        ({"sparql": "ASK"}, QueryError),
        ({"sparql": "INSERT DATA { <x:a> <x:b> <x:c> }"}, QueryError),
        ({"name": "no such"}, NotFoundError),
        ({"name": "leaderboard"}, ConfigError),
        ({"name": "leaderboard", "dataset": "Unheard Of"}, NotFoundError),
    ],
)
def test_bad_queries(birds: sotagraph.KnowledgeGraph, arguments: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        birds.query(**arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_a_query_is_cut_at_its_limit(birds: sotagraph.KnowledgeGraph) -> None:
    endless = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?c = ?i + ?l + 1) }"
    with pytest.raises(QueryError, match="cut after"):
        birds.query(endless, timeout=1)


def test_leaderboard_is_rows_with_sentences(birds: sotagraph.KnowledgeGraph) -> None:
    rows = birds.leaderboard("birdbench")
    assert {"method", "value", "metric", "condition", "baseline", "sentence", "paper"} <= set(rows.columns)
    assert all(row["sentence"] for row in rows)
    ranked = [row["value"] for row in rows if row["rank"] is not None]
    assert len(ranked) >= 2
    assert len(birds.board("BirdBench").scores) == len(ranked)
    with pytest.raises(NotFoundError, match="BirdBench"):
        birds.leaderboard("BirdBemch")


def test_paper_compare_lineage_trend(birds: sotagraph.KnowledgeGraph) -> None:
    assert "Falcon" in birds.paper("Falcon").objects("proposes")
    assert birds.compare("Falcon", "Owl").labels[0].startswith("Falcon")
    assert birds.lineage("Falcon").ancestors
    assert birds.trend("BirdBench")


def test_explain_and_duplicates(birds: sotagraph.KnowledgeGraph) -> None:
    assert birds.explain("Falcon")[0].facts
    assert birds.duplicates(limit=1).pairs[1:] == ()


def test_rdf_goes_there_and_back(birds: sotagraph.KnowledgeGraph) -> None:
    again = sotagraph.from_rdf(birds.to_rdf())
    assert nx.utils.graphs_equal(again.graph, birds.graph)


def test_validate_finds_what_is_wrong(birds: sotagraph.KnowledgeGraph) -> None:
    assert [finding for finding in birds.validate() if finding.severity == "violation"] == []
    broken = sotagraph.KnowledgeGraph(birds.graph.copy())
    del broken.graph.nodes["method/falcon"]["label"]
    assert any(finding.severity == "violation" for finding in broken.validate())


@pytest.mark.parametrize("form", files.FORMATS)
def test_every_format_is_exported_alike_twice(birds: sotagraph.KnowledgeGraph, form: str) -> None:
    data = birds.export(form)
    assert data == birds.export(form)
    # A carriage return may stand in a paper, but no line ends with one.
    assert not data.endswith(b"\r\n")
    assert not data.partition(b"\n")[0].endswith(b"\r")
    assert "Falcon" in data.decode("utf-8")


def test_formats_are_told_by_suffix() -> None:
    for form, file in files.FORMATS.items():
        assert files.format_of(f"some/where/{file.name}") == form
        assert files.format_of(f"{file.name}.gz") == form
    for name in ("x", "x.docx", "table.csv"):
        with pytest.raises(ConfigError, match="names no one format"):
            files.format_of(name)
    with pytest.raises(ConfigError, match="no format 'docx'"):
        sotagraph.KnowledgeGraph(nx.MultiDiGraph()).export("docx")


def test_view_is_the_page(birds: sotagraph.KnowledgeGraph, tmp_path: Path) -> None:
    page = birds.view()
    assert page._repr_html_().startswith("<iframe")
    path = page.write(tmp_path / "page.html")
    assert path.read_bytes() == birds.export("html")


def test_extract_gives_one_extraction_a_paper(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "b", "abstract": "We do."}\n{"id": "a", "abstract": "QAT and LVR."}\n', encoding="utf-8")
    made = list(api.extract(path, factory=fakes.Capitals))
    assert [one.document.id for one in made] == ["a", "b"]
    sure = list(api.extract([path], factory=fakes.Capitals, min_confidence=0.5))
    assert [entity.name for entity in sure[0].entities] == ["LVR"]
    with pytest.raises(ConfigError):
        list(api.extract(path, factory=fakes.Capitals, min_confidence=2))
    with pytest.raises(InputError):
        list(api.extract(tmp_path / "missing", factory=fakes.Capitals))


def test_the_graph_names_what_extracted_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("We present Falcon.", encoding="utf-8")
    kg = sotagraph.build([tmp_path / "a.txt"], factory=fakes.Capitals, warn=lambda _: None)
    assert kg.graph.graph["extractor"] == "capitals 1"


def test_warnings_go_to_standard_error_unless_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "a", "abstract": "We do it."}\n{broken\n', encoding="utf-8")
    sotagraph.build(path, factory=fakes.Capitals)
    assert capsys.readouterr().err.startswith("sotagraph: ")
    said: list[str] = []
    kg = sotagraph.build(path, factory=fakes.Capitals, warn=said.append)
    assert len(said) == 1
    assert capsys.readouterr().err == ""
    assert json.loads(kg.graph.graph["warnings"]) == said


def test_correct_needs_a_build_and_keeps_the_file(tmp_path: Path) -> None:
    correction = Correction(action="reject", names=("Falcon",))
    with pytest.raises(BuildError, match="is no build"):
        api.correct(tmp_path, correction)
    (tmp_path / files.GRAPH).write_text("{}", encoding="utf-8")
    first = api.correct(tmp_path, correction)
    assert first == tmp_path / "corrections.yaml"
    before = first.read_text(encoding="utf-8")
    api.correct(tmp_path, correction)
    assert first.read_text(encoding="utf-8").startswith(before)
    other = api.correct(tmp_path, correction, corrections=tmp_path / "mine.tsv")
    assert "Falcon" in other.read_text(encoding="utf-8")


def test_corrections_are_applied(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "a", "abstract": "QAT and LVR are there."}\n', encoding="utf-8")
    rules = tmp_path / "mine.yaml"
    rules.write_text("- reject: QAT\n- reject: GONE\n", encoding="utf-8")
    said: list[str] = []
    kg = sotagraph.build(path, factory=fakes.Capitals, corrections=rules, warn=said.append)
    assert "method/lvr" in kg.graph
    assert "method/qat" not in kg.graph
    assert any("mine.yaml:2" in line for line in said)


# The seeds.


def test_the_seeds_are_there(seeds: sotagraph.KnowledgeGraph) -> None:
    assert seeds.summary.startswith("38 papers, ")
    assert len(seeds.extractions) == 38
    assert [f for f in seeds.validate() if f.severity == "violation"] == []


def test_every_edge_of_the_seeds_stands_in_its_paper(seeds: sotagraph.KnowledgeGraph) -> None:
    nodes = seeds.graph.nodes
    quoted = 0
    for *_, data in seeds.graph.edges(data=True):
        if "sentence" in data:
            text = nodes[data["paper"]]["text"]
            assert text[data["start"] : data["end"]] == data["sentence"]
            quoted += 1
    assert quoted > 100


def test_nothing_in_the_seeds_is_invented(seeds: sotagraph.KnowledgeGraph) -> None:
    for extraction in seeds.extractions:
        text = extraction.document.text
        for entity in extraction.entities:
            for mention in entity.mentions:
                assert text[mention.start : mention.end] == mention.text
        for result in extraction.results:
            assert result.value_text in text
