from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

import birdpapers
from sotagraph.analyze import compare, leaderboard, lineage, paper_card, path, trend
from sotagraph.errors import NotFoundError
from sotagraph.graph import Graph, to_graph
from sotagraph.model import Knowledge, Result

BIRDS = birdpapers.birds()


@pytest.fixture(scope="module")
def graph() -> Graph:
    return to_graph(BIRDS)


@pytest.mark.parametrize("name", ["BirdBench", "birdbench", "Bird-Bench", "BirdBench test", "dataset/birdbench"])
def test_a_leaderboard_is_found_by_every_name(graph: Graph, name: str) -> None:
    board = leaderboard(graph, name)
    assert (board.id, board.label) == ("dataset/birdbench", "BirdBench")
    assert [(s.rank, s.method, s.value_text) for s in board.scores] == [
        (1, "Falcon-7B", "92.5 to 93.0%"),
        (2, "Falcon", "90.4%"),
    ]


def test_a_row_says_everything(graph: Graph) -> None:
    first, second = leaderboard(graph, "BirdBench").scores
    assert (first.value, first.value_max, first.unit) == (Decimal("92.5"), Decimal(93), "%")
    assert (first.condition, first.metric, first.year) == ('pass@32, "hard" mode', "accuracy", 2025)
    assert (first.paper, first.paper_id, first.sentence) == ("Falcon at scale", "paper/2501.00001", birdpapers.P2)
    assert (second.baseline, second.baseline_value, second.kind) == ("Owl", Decimal(88), "absolute")


def test_lower_is_better_where_the_metric_says_so_and_gains_stand_apart(graph: Graph) -> None:
    board = leaderboard(graph, "NestQA")
    assert [(s.rank, s.method, s.value) for s in board.scores] == [
        (1, "HERON (wading-bird detector)", Decimal("4.5")),  # a result of a paper is called by the paper
        (2, "Owl", Decimal(7)),
    ]
    assert [(s.kind, s.value_text, s.bound, s.rank) for s in board.gains] == [("reduction", "12", "up to", None)]


def _scored(values: list[tuple[str, str]], metric: str | None = "metric/accuracy") -> Graph:
    evidence = BIRDS.results[0].evidence
    results = tuple(
        Result(value=Decimal(value), value_text=value, kind="absolute", method=method, dataset="dataset/nestqa",
               metric=metric, evidence=dataclasses.replace(evidence, start=place))
        for place, (method, value) in enumerate(values)
    )  # fmt: skip
    return to_graph(dataclasses.replace(BIRDS, results=results))


def test_equal_values_share_a_rank_and_the_next_one_is_skipped() -> None:
    graph = _scored(
        [("method/owl", "50"), ("method/falcon", "50.0"), ("method/beaknet", "49"), ("method/falcon7b", "51")]
    )
    assert [(s.rank, s.method) for s in leaderboard(graph, "NestQA").scores] == [
        (1, "Falcon-7B"),
        (2, "Falcon"),
        (2, "Owl"),
        (4, "BeakNet"),
    ]


def test_without_a_direction_higher_comes_first() -> None:
    scores = leaderboard(_scored([("method/owl", "9"), ("method/falcon", "10")], metric=None), "NestQA").scores
    assert [s.value_text for s in scores] == ["10", "9"]
    assert [s.direction for s in scores] == [None, None]


def test_one_metric_can_be_asked_for(graph: Graph) -> None:
    assert leaderboard(graph, "BirdBench", metric="Accuracy").scores == leaderboard(graph, "BirdBench").scores
    assert leaderboard(graph, "BirdBench", metric="error").scores == ()
    with pytest.raises(NotFoundError, match="no metric is called 'speed'"):
        leaderboard(graph, "BirdBench", metric="speed")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("BirdBanch", "no dataset is called 'BirdBanch'; near are BirdBench"),
        ("Falcon", "no dataset is called 'Falcon'; there are 2: BirdBench, NestQA"),
        ("", "no dataset is called ''"),
    ],
)
def test_unknown_datasets_say_what_is_near(graph: Graph, name: str, message: str) -> None:
    with pytest.raises(NotFoundError, match=message):
        leaderboard(graph, name)


def test_an_empty_graph_says_so() -> None:
    with pytest.raises(NotFoundError, match="the graph holds none"):
        leaderboard(to_graph(Knowledge()), "BirdBench")


@pytest.mark.parametrize(
    "name", ["p2", "paper/2501.00001", "2501.00001v2", "10.1000/ABC", "Falcon at scale", "Falcon-7B"]
)
def test_a_paper_is_found_by_id_identifier_title_and_proposal(graph: Graph, name: str) -> None:
    assert paper_card(graph, name).id == "paper/2501.00001"


def test_a_card_holds_the_facts_in_the_order_of_the_text(graph: Graph) -> None:
    card = paper_card(graph, "p1")
    assert (card.label, card.year, card.venue, card.authors) == (
        "Falcon",
        2024,
        "ICBS 2024",
        ("Ada Example", "Bo Sample"),
    )
    assert card.text == birdpapers.TEXTS["p1"]
    assert card.objects("proposes") == ("Falcon", "BeakNet")
    assert card.objects("uses") == ("Owl",)
    assert card.objects("hasCode") == ("github.com/example/falcon",)
    assert card.objects("mentions") == ("accuracy",)
    places = [card.text.index(fact.sentence) for fact in card.facts]
    assert places == sorted(places)
    assert [result.value_text for result in card.results] == ["90.4%"]


def test_homonyms_ask_for_an_id(graph: Graph) -> None:
    with pytest.raises(NotFoundError, match=r"2 papers put 'HERON' forward.*paper/p3.*paper/p4"):
        paper_card(graph, "HERON")
    with pytest.raises(NotFoundError, match=r"name of 2 things.*method/heron@p3.*theorem"):
        lineage(graph, "HERON")
    assert paper_card(graph, "HERON (theorem)").id == "paper/p4"
    assert lineage(graph, "Falcon-S").id == birdpapers.HERON_BIRD


def test_names_without_a_paper_say_so(graph: Graph) -> None:
    with pytest.raises(NotFoundError, match="no paper proposes it"):
        paper_card(graph, "Owl")
    with pytest.raises(NotFoundError, match="no paper is called 'Penguin'"):
        paper_card(graph, "Penguin")


def test_lineage_goes_both_ways_at_any_depth(graph: Graph) -> None:
    line = lineage(graph, "Owl")
    assert line.ancestors == ()
    assert [(s.label, s.depth, s.predicate, s.via) for s in line.descendants] == [
        ("Falcon", 1, "uses", "method/owl"),
        ("Falcon-7B", 2, "variantOf", "method/falcon"),
        ("HERON (wading-bird detector)", 2, "uses", "method/falcon"),
    ]
    assert [(s.label, s.depth) for s in lineage(graph, "Falcon-7B").ancestors] == [("Falcon", 1), ("Owl", 2)]
    assert line.descendants[0].sentence == birdpapers.P1


def test_a_circle_ends() -> None:
    turned = dataclasses.replace(BIRDS.statements[3], subject="method/owl", object="method/falcon")
    graph = to_graph(dataclasses.replace(BIRDS, statements=(*BIRDS.statements, turned)))
    line = lineage(graph, "Owl")
    assert [s.id for s in line.ancestors] == ["method/falcon"]
    assert "method/owl" not in [s.id for s in line.descendants]


def test_a_way_leads_from_one_thing_to_another_with_sentences(graph: Graph) -> None:
    hops = path(graph, "Falcon-7B", "BeakNet")
    assert [(h.source, h.predicate, h.target, h.forward) for h in hops] == [
        ("method/falcon7b", "variantOf", "method/falcon", True),
        ("method/falcon", "partOf", "method/beaknet", False),
    ]
    assert all(h.sentence for h in hops)
    assert path(graph, "Owl", "Owl") == ()


def test_homonymy_is_no_way(graph: Graph) -> None:
    with pytest.raises(NotFoundError, match="no way leads from method/owl to method/deltarule"):
        path(graph, "Owl", "Delta rule")


def test_comparison_puts_scores_side_by_side(graph: Graph) -> None:
    comparison = (
        compare(graph, ["Falcon", "Falcon-7B", "method/owl"])
        if False
        else compare(graph, ["method/falcon", "Falcon-7B", "Owl"])
    )
    assert comparison.labels == ("Falcon", "Falcon-7B", "Owl")
    assert [(row.dataset, row.metric, row.values) for row in comparison.rows] == [
        ("BirdBench", "accuracy", ("90.4%", '92.5 to 93.0% (pass@32, "hard" mode)', None)),
        ("NestQA", "error", (None, None, "7")),
    ]
    said = {(fact.subject, fact.predicate, fact.id) for fact in comparison.statements}
    assert ("method/falcon7b", "variantOf", "method/falcon") in said
    assert ("method/falcon7b", "outperforms", "method/owl") in said


def test_trend_counts_papers_a_year(graph: Graph) -> None:
    points = trend(graph, "Owl")
    assert [(p.year, p.papers, p.by_predicate) for p in points] == [
        (2024, 1, (("outperforms", 1), ("uses", 1))),
        (2025, 1, (("comparedWith", 1), ("outperforms", 1))),
    ]
