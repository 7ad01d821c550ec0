from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import birdpapers
from sotagraph.errors import ConfigError, NotFoundError, QueryError
from sotagraph.graph import to_graph
from sotagraph.query import bind, named_queries, named_query, parse
from sotagraph.resolve import Names
from sotagraph.resources import ontology_directory
from sotagraph.rows import Cell
from sotagraph.store import Solutions, Store, to_rows

GRAPH = to_graph(birdpapers.birds())
NAMES = Names.of(GRAPH)


@pytest.fixture(scope="module")
def store() -> Store:
    return Store.of_graph(GRAPH)


def _ask(store: Store, name: str, **values: object) -> list[Mapping[str, Cell]]:
    answer = store.query(bind(named_query(name), values, NAMES))
    assert isinstance(answer, Solutions)
    return list(to_rows(answer))


#: Query, parameters, columns looked at, rows: what each query must answer on the invented papers.
EXPECTED: list[tuple[str, dict[str, object], tuple[str, ...], list[tuple[object, ...]]]] = [
    (
        "leaderboard",
        {"dataset": "bird-bench"},
        ("method", "printed", "metric", "baseline"),
        [("Falcon-7B", "92.5 to 93.0%", "accuracy", None), ("Falcon", "90.4%", "accuracy", "Owl")],
    ),
    ("leaderboard", {"dataset": "NestQA", "limit": 1}, ("printed",), [("4.50",)]),
    ("gains", {"dataset": "NestQA"}, ("kind", "printed", "metric"), [("reduction", "12", "error")]),
    ("papers-using", {"method": "Falcon"}, ("paper", "year"), [("paper/p3", 2025)]),
    ("papers-using", {"method": "owl"}, ("paper", "sentence"), [("paper/p1", birdpapers.P1)]),
    (
        "built-on",
        {"method": "Owl"},
        ("thing", "kind"),
        [
            ("method/falcon", "Method"),
            ("method/falcon7b", "Method"),
            (birdpapers.HERON_BIRD, "Method"),
            ("paper/p1", "Paper"),
            ("paper/p3", "Paper"),
        ],
    ),
    ("builds-on", {"method": "Falcon-7B"}, ("label",), [("Falcon",), ("Owl",)]),
    ("outperforms", {}, ("better", "worse", "papers"), [("Falcon", "Owl", 1), ("Falcon-7B", "Owl", 1)]),
    (
        "outperforming",
        {"method": "Owl"},
        ("better",),
        [("method/falcon",), ("paper/p1",), ("paper/2501.00001",), ("method/falcon7b",)],
    ),
    (
        "shared-benchmarks",
        {},
        ("paper", "other", "shared", "datasets"),
        [
            ("Falcon at scale", "Falcon", 1, "BirdBench"),
            ("Falcon at scale", "HERON (wading-bird detector)", 1, "NestQA"),
        ],
    ),
    ("shared-benchmarks", {"least": 2}, ("paper",), []),
    ("most-used-datasets", {}, ("label", "papers"), [("BirdBench", 2), ("NestQA", 2)]),
    ("most-used-methods", {}, ("label", "papers"), [("Falcon", 1), ("Owl", 1)]),
    ("most-used-metrics", {}, ("label", "papers", "results"), [("accuracy", 2, 2), ("error", 1, 3)]),
    ("variants", {}, ("label", "ofLabel"), [("Falcon-7B", "Falcon")]),
    ("written", {"subject": "Falcon"}, ("written", "times", "papers"), [("Falcon", 3, 3)]),
    ("parts", {"whole": "Falcon"}, ("label", "sentence"), [("BeakNet", birdpapers.P1_PART)]),
    ("homonyms", {}, ("name", "one", "other"), [("HERON", birdpapers.HERON_BIRD, birdpapers.HERON_RIVER)]),
    ("code", {}, ("paper", "address"), [("paper/p1", "https://github.com/example/falcon")]),
    (
        "evidence",
        {"subject": "Falcon", "object": "Owl"},
        ("predicate", "sentence", "begin", "end", "rule"),
        [
            ("outperforms", birdpapers.P1_SCORE, 69, 134, "against"),
            ("uses", birdpapers.P1, 0, 68, "built-on"),
        ],
    ),
    (
        "about-paper",
        {"paper": "p4"},
        ("subject", "predicate", "object"),
        [
            ("HERON (theorem)", "proposes", "HERON (theorem)"),
            ("HERON (theorem)", "generalizes", "Delta rule"),
            ("HERON (theorem)", "mentions", "Delta rule"),
        ],
    ),
    ("papers-on-task", {"task": "bird counting"}, ("paper", "proposes"), [("paper/2501.00001", "Falcon-7B")]),
    ("benchmarks-of", {"subject": "p2"}, ("label",), [("BirdBench",), ("NestQA",)]),
    ("scores-of", {"method": "Falcon-7B"}, ("kind", "printed"), [("speedup", "1.8x"), ("absolute", "92.5 to 93.0%")]),
    ("introduced", {}, ("label",), []),
    ("generalizations", {}, ("general", "special"), [("HERON (theorem)", "Delta rule")]),
    ("compared-with", {"method": "Falcon"}, ("relation", "label"), [("better than", "Owl")]),
    (
        "compared-with",
        {"method": "Owl"},
        ("relation", "other"),
        [
            ("compared with", "paper/2501.00001"),
            ("worse than", "method/falcon"),
            ("worse than", "paper/p1"),
            ("worse than", "paper/2501.00001"),
            ("worse than", "method/falcon7b"),
        ],
    ),
    (
        "papers-by-year",
        {},
        ("year", "papers", "methods", "results"),
        [(None, 1, 0, 0), (2023, 1, 1, 0), (2024, 1, 2, 1), (2025, 2, 2, 5)],
    ),
    ("doubtful", {"below": "0.35"}, ("rule",), [("invented",), ("invented",)]),
    ("contradictions", {}, ("one",), []),
    ("picked-up", {}, ("label", "proposedIn", "papers"), [("Falcon", "Falcon", 1)]),
    (
        "find",
        {"text": "HERON", "limit": 10},
        ("thing",),
        [(birdpapers.HERON_RIVER,), (birdpapers.HERON_BIRD,), ("paper/p4",), ("paper/p3",)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "values", "columns", "rows"), EXPECTED, ids=[f"{n}-{i}" for i, (n, *_) in enumerate(EXPECTED)]
)
def test_named_queries_answer(
    store: Store, name: str, values: dict[str, object], columns: tuple[str, ...], rows: list[tuple[object, ...]]
) -> None:
    assert [tuple(row[column] for column in columns) for row in _ask(store, name, **values)] == rows


def test_every_named_query_is_expected_to_answer_something() -> None:
    tested = {name for name, *_ in EXPECTED} | {"counts", "neighbourhood"}
    assert tested == set(named_queries())
    assert len(tested) >= 22


def test_counts_agree_with_the_graph(store: Store) -> None:
    for row in _ask(store, "counts"):
        nodes = [kind for _, kind in GRAPH.nodes(data="kind") if kind == row["kind"]]
        assert row["count"] == len(nodes) or row["kind"] == "Statement"


def test_the_neighbourhood_is_rdf(store: Store) -> None:
    answer = store.query(bind(named_query("neighbourhood"), {"thing": "Falcon-7B"}, NAMES))
    assert isinstance(answer, tuple)
    subjects = {str(subject).rpartition("/id/")[2] for subject, _, _ in answer}
    assert {"method/falcon7b", "paper/2501.00001"} <= subjects


@pytest.mark.parametrize("name", named_queries())
def test_files_explain_themselves(name: str) -> None:
    query = named_query(name)
    assert query.description.endswith(".")
    assert all(parameter.description for parameter in query.parameters)
    assert "LIMIT" not in query.text or "$limit" in query.text
    assert "\t" not in query.text
    file: Path = ontology_directory() / "queries" / f"{name}.rq"
    assert max(map(len, file.read_text(encoding="utf-8").splitlines())) <= 150


@pytest.mark.parametrize("text", ['x"', "x\\", "x' } #", '""")', "\n", "} DROP ALL", "$limit", "?label"])
def test_texts_are_bound_as_terms(store: Store, text: str) -> None:
    assert _ask(store, "find", text=text) == []


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("find", {}, "needs text: part of a name"),
        ("find", {"text": "a", "colour": "red"}, "no parameter 'colour'; it takes text, limit"),
        ("find", {"text": "a", "limit": "5 } #"}, "give a whole number"),
        ("find", {"text": "a", "limit": "-1"}, "give a whole number"),
        ("find", {"text": "a", "limit": "99999999999999999999"}, "at most nine digits"),
        ("doubtful", {"below": "a"}, "give a number such as 0.5"),
        ("doubtful", {"below": "1e9"}, "give a number such as 0.5"),
        ("homonyms", {"a": 1}, "it takes none"),
    ],
)
def test_wrong_parameters_are_refused(name: str, values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        bind(named_query(name), values, NAMES)


def test_unknown_names_say_what_is_near() -> None:
    with pytest.raises(NotFoundError, match="no method is called 'Falkon'; near are Falcon"):
        bind(named_query("papers-using"), {"method": "Falkon"}, NAMES)
    with pytest.raises(NotFoundError, match="no named query 'leaderbord'; there are about-paper, "):
        named_query("leaderbord")


def test_a_name_of_several_things_stands_for_all() -> None:
    text = bind(named_query("papers-using"), {"method": "HERON"}, NAMES)
    assert text.count("/id/method/heron@") == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT * {}", "does not begin with '# description"),
        ("# description: D.\n# parm x: text = y\nASK {}", "wanted is '# param"),
        ("# description: D.\n# param x: colour = y\nASK { ?s ?p $x }", "wanted is '# param"),
        ("# description: D.\n# param x: text = y\nASK {}", "does not declare so"),
        ("# description: D.\nASK { ?s ?p $x }", r"uses \['x'\] as parameters"),
    ],
)
def test_files_of_another_form_are_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse("test", text)


def test_a_dollar_inside_a_string_is_no_parameter(store: Store) -> None:
    query = parse("test", "# description: D.\n# param x: text = y\nASK { FILTER('$x' = $x) }")
    assert store.query(bind(query, {"x": "$x"}, NAMES)) is True
    with pytest.raises(QueryError, match="refused"):
        store.query(bind(parse("t", "# description: D.\nASK { SERVICE <a:b> {} }"), {}, NAMES))
