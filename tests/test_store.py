from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pyoxigraph
import pytest

import birdpapers
from sotagraph.errors import BuildError, ConfigError, QueryError
from sotagraph.graph import to_graph
from sotagraph.rdf import to_ntriples
from sotagraph.sparql_text import with_prefixes
from sotagraph.store import RESULT_TYPES, TRIPLE_TYPES, Solutions, Store, to_rows
from sotagraph.triples import to_triples

GRAPH = to_graph(birdpapers.birds())


@pytest.fixture(scope="module")
def store() -> Store:
    return Store.of_graph(GRAPH)


def test_every_triple_is_loaded(store: Store) -> None:
    assert len(store) == len(to_triples(GRAPH))
    assert len(Store.of_ntriples(to_ntriples(GRAPH).encode())) == len(store)


def test_hostile_names_are_loaded_whole() -> None:
    graph = to_graph(birdpapers.hostile())
    assert len(Store.of_graph(graph)) == len(to_triples(graph))


def test_broken_ntriples_are_refused() -> None:
    with pytest.raises(BuildError, match="not N-Triples"):
        Store.of_ntriples(b"<a> <b>")


def test_select_gives_plain_values(store: Store) -> None:
    answer = store.query(
        "SELECT ?result ?value ?better ?year ?nothing WHERE {"
        " ?result sg:value ?value ; sg:byMetric/sg:higherIsBetter ?better ; sg:reportedIn/dcterms:issued ?year"
        " FILTER(?value > 90.4) }"
    )
    assert isinstance(answer, Solutions)
    (row,) = to_rows(answer)
    assert row["value"] == Decimal("92.5")
    assert (row["better"], row["year"], row["nothing"]) == (True, 2025, None)
    assert str(row["result"]).startswith("result/2501.00001-")


def test_ask_construct_and_describe(store: Store) -> None:
    assert store.query("ASK { method:falcon7b sg:variantOf method:falcon }") is True
    assert store.query("ASK { method:falcon sg:variantOf method:falcon7b }") is False
    triples = store.query("CONSTRUCT { ?y sg:variantOf ?x } WHERE { ?x sg:variantOf ?y }")
    assert triples == (
        (
            "https://w3id.org/sotagraph/id/method/falcon",
            "https://w3id.org/sotagraph/ns#variantOf",
            "https://w3id.org/sotagraph/id/method/falcon7b",
        ),
    )
    described = store.query("DESCRIBE method:owl")
    assert isinstance(described, tuple)
    assert {subject for subject, _, _ in described} == {"https://w3id.org/sotagraph/id/method/owl"}


def test_prefixes_are_implied_and_can_be_declared_otherwise(store: Store) -> None:
    assert store.query("ASK { ?x :uses ?y . ?y a sg:Method ; skos:prefLabel 'Owl' }") is True
    assert store.query("PREFIX sg: <http://example.org/> ASK { ?x sg:uses ?y }") is False


@pytest.mark.parametrize(
    ("sparql", "line", "column", "said"),
    [
        ("SELECT ?x WHERE { ?x foo ?y }", 1, 22, "?foo"),
        ("SELECT ?x\nWHERE {\n  ?x a foo }", 3, 8, "foo"),
        ("SELECT ?x { ?x zz:a ?y }", 1, 16, '"zz:" is not declared'),
        ("SELECT ?x {\n ?x a ?y", 1, 11, "never closed"),
        ("SELECT ?x { ?x a ?y ) }", 1, 21, "closes nothing"),
        ("SELECT ?x { ?x a 'abc }", 1, 18, "does not end"),
        ("SELECT ?x { ?x sg:uses }", 1, 24, "did not expect"),
        ("ASK { ?x sg:uses ?y }\nLIMIT LIMIT", 2, 7, "LIMIT"),
        ("SELECT * { ?x a <Method> }", 1, 17, "relative"),
        ("SELECT ?x { ?x sg:uses }", 1, 24, "a variable (?x), a name (sg:uses), an IRI"),
        ("ASK { ?x ?y ?z BIND(1 AS 2) }", 1, 26, "wanted was a variable"),
        ("ASK { ?x ?y ?z .\n FILTER(?y > ) }", 2, 14, 'a value between ">" and ")"'),
        ("ASK { ?x ?y ?z FILTER ?y }", 1, 23, "FILTER(?y > 1)"),
        ("SELECT { ?x ?y ?z }", 1, 8, "the variables to show"),
        ("SELECT * { ?x ?y ?z } ORDER ?x", 1, 29, "BY, as in ORDER BY ?x"),
        ("SELECT * { ?x ?y ?z } LIMIT ?x", 1, 29, "a whole number"),
        ("SELECT * { ?x ?y ?z } OFFSET", 1, 23, "a whole number"),
    ],
)
def test_mistakes_are_placed(store: Store, sparql: str, line: int, column: int, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        store.query(sparql)
    assert said in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column), caught.value
    assert f"line {line}, column {column}: " in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_query_says_what_to_write(store: Store) -> None:
    with pytest.raises(QueryError, match="empty; ask with SELECT"):
        store.query("  # nothing\n")


UPDATES = [
    "INSERT DATA { <a:a> <a:b> <a:c> }",
    "DELETE WHERE { ?s ?p ?o }",
    "LOAD <file:///etc/passwd>",
    "CLEAR ALL",
    "DROP DEFAULT",
    "PREFIX x: <a:b> INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }",
    "WITH <a:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "COPY DEFAULT TO <a:g>",
]


@pytest.mark.parametrize("sparql", UPDATES)
def test_updates_are_refused(store: Store, sparql: str) -> None:
    before = len(store)
    with pytest.raises(QueryError, match="is refused: the graph is read-only"):
        store.query(sparql)
    assert len(store) == before


@pytest.mark.parametrize("result_type", RESULT_TYPES)
def test_solutions_in_every_format_of_the_protocol(store: Store, result_type: str) -> None:
    sparql = "SELECT ?label ?none { method:falcon rdfs:label ?label }"
    kind, data = store.serialized(sparql, result_type, "text/turtle")
    assert kind == result_type
    form = getattr(pyoxigraph.QueryResultsFormat, RESULT_TYPES[result_type])
    if RESULT_TYPES[result_type] == "CSV":  # a format that forgets what is a literal
        assert data == b"label,none\r\nFalcon,\r\n"
        return
    answer = pyoxigraph.parse_query_results(data, form)
    assert isinstance(answer, pyoxigraph.QuerySolutions)
    assert [row["label"] for row in answer] == [pyoxigraph.Literal("Falcon")]


@pytest.mark.parametrize("triple_type", TRIPLE_TYPES)
def test_triples_in_every_format_of_the_protocol(store: Store, triple_type: str) -> None:
    kind, data = store.serialized("CONSTRUCT WHERE { ?x sg:variantOf ?y }", "text/csv", triple_type)
    assert kind == triple_type
    quads = list(pyoxigraph.parse(data, getattr(pyoxigraph.RdfFormat, TRIPLE_TYPES[triple_type])))
    assert [quad.subject for quad in quads] == [pyoxigraph.NamedNode("https://w3id.org/sotagraph/id/method/falcon7b")]


def test_triples_are_written_as_our_files_are(store: Store) -> None:
    """Only the prefixes that are used, sorted; the engine itself names them all, in an order of its own."""
    data = store.serialized("CONSTRUCT WHERE { ?x sg:variantOf ?y }", "text/csv", "text/turtle")[1]
    assert data.decode() == (
        "@prefix method: <https://w3id.org/sotagraph/id/method/> .\n@prefix sg: <https://w3id.org/sotagraph/ns#> .\n\n"
        "method:falcon7b sg:variantOf method:falcon .\n"
    )
    jsonld = json.loads(store.serialized("DESCRIBE method:falcon7b", "text/csv", "application/ld+json")[1])
    assert jsonld["@graph"][0]["variantOf"] == "method:falcon"


ODD = (
    '"a"@en', "[]", '"x"^^<http://www.w3.org/2001/XMLSchema#integer>', "007", "+1", "1.", "true", '"1"^^xsd:boolean',
    '"-0"^^xsd:integer', "1e3", '"a\\"\\n"', "<foo:bar>", '"99999999999999999999"^^xsd:integer', "-7",
)  # fmt: skip


@pytest.mark.parametrize("triple_type", TRIPLE_TYPES)
@pytest.mark.parametrize("value", ODD)
@pytest.mark.parametrize("predicate", ["void:entities", "sg:higherIsBetter", "sg:value"])
def test_odd_terms_of_a_query_come_out_as_they_are(triple_type: str, value: str, predicate: str) -> None:
    construct = f"CONSTRUCT {{ <foo:s> {predicate} {value} }} WHERE {{}}"
    if value == "1.":
        construct = construct.replace("1.", '"1."^^xsd:decimal')
    empty = Store.of([])
    (expected,) = pyoxigraph.Store().query(with_prefixes(construct))  # type: ignore[misc]
    data = empty.serialized(construct, "text/csv", triple_type)[1]
    (found,) = pyoxigraph.parse(data, getattr(pyoxigraph.RdfFormat, TRIPLE_TYPES[triple_type]))
    if not isinstance(expected.object, pyoxigraph.BlankNode):
        assert found.triple == expected


def test_an_answer_over_the_limit_is_refused(store: Store) -> None:
    for sparql in ("SELECT * { ?s ?p ?o }", "CONSTRUCT WHERE { ?s ?p ?o }", 'CONSTRUCT { ?s ?p "a"@en } { ?s ?p ?o }'):
        with pytest.raises(QueryError, match="longer than 100 bytes"):
            store.serialized(sparql, "text/csv", "text/turtle", limit=100)


def test_truth_values(store: Store) -> None:
    kinds = {kind: store.serialized("ASK { ?x a sg:Paper }", kind, "text/turtle")[1] for kind in RESULT_TYPES}
    assert json.loads(kinds["application/sparql-results+json"])["boolean"] is True
    assert b"<boolean>true</boolean>" in kinds["application/sparql-results+xml"]
    assert kinds["text/csv"] == b"true\n"


def test_unknown_types_are_refused(store: Store) -> None:
    with pytest.raises(ConfigError, match="text/turtle"):
        store.serialized("ASK {}", "text/html", "text/turtle")


class _Canary(BaseHTTPRequestHandler):
    touched: list[str]

    def do_GET(self) -> None:
        self.touched.append(self.path)
        self.send_response(200)
        self.end_headers()

    do_POST = do_GET  # noqa: N815 - the name that the server looks for

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def canary() -> Iterator[tuple[str, list[str]]]:
    touched: list[str] = []
    server = HTTPServer(("127.0.0.1", 0), type("Canary", (_Canary,), {"touched": touched}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", touched
    server.shutdown()
    thread.join()
    server.server_close()


REACHING = [
    "SELECT * { SERVICE <%s> { ?s ?p ?o } }",
    "SELECT * { SERVICE SILENT <%s> { ?s ?p ?o } }",
    "SELECT * { service <%s> { ?s ?p ?o } }",
    "SELECT * { \\u0053ERVICE <%s> { ?s ?p ?o } }",
    "SELECT * { S\\U00000045RVICE <%s> { ?s ?p ?o } }",
    "SELECT * # a comment\nFROM <%s> { ?s ?p ?o }",
    "SELECT * FROM NAMED <%s> { GRAPH ?g { ?s ?p ?o } }",
    "BASE <%s> SELECT * FROM <x> { ?s ?p ?o }",
    "PREFIX x: <%s> SELECT * { BIND(x: AS ?g) SERVICE ?g { ?s ?p ?o } }",
    "SELECT * { { SELECT * { { SERVICE <%s> { ?s ?p ?o } } UNION { } } } }",
    "LOAD <%s>",
    "LOAD SILENT <%s> INTO GRAPH <a:g>",
    "SELECT * { ?s ?p '\\u0022' . SERVICE <%s> { ?s ?p '' } }",
    'SELECT * { ?s ?p "\\\\" . SERVICE <%s> { ?s ?p ?o } #" }',
    "SELECT * { ?s ?p '''a'b''' SERVICE <%s> { ?s ?p ?o } }",
    "ASK { ?s ?p <#> SERVICE <%s> { } }",
    "ASK { FILTER(1 <2) SERVICE <%s> { } FILTER(3> 2) }",
]


@pytest.mark.parametrize("sparql", REACHING)
def test_nothing_is_asked_of_the_network_or_of_files(
    store: Store, canary: tuple[str, list[str]], tmp_path: Path, sparql: str
) -> None:
    address, touched = canary
    secret = tmp_path / "secret.nt"
    secret.write_text("<a:secret> <a:b> <a:c> .\n", encoding="utf-8")
    for target in (address, secret.as_uri()):
        with pytest.raises(QueryError, match="refused"):
            store.query(sparql % target)
    assert touched == []


@pytest.mark.parametrize(
    "sparql",
    [
        "ASK { ?s ?p 'SERVICE <http://127.0.0.1/>' }",
        "ASK { ?s ?p 'FROM' } # FROM <x:y>",
        "PREFIX service: <a:b> ASK { ?s service:from ?from }",
        'ASK { ?s ?p """a " SERVICE """ }',
        "ASK { ?service a sg:Paper FILTER(?service != <http://x/SERVICE>) }",
        "ASK { ?s ?p 'x'@from }",
    ],
)
def test_words_that_only_look_like_reaching_out_are_let_through(store: Store, sparql: str) -> None:
    assert store.query(sparql) in (True, False)


def test_the_canary_sings_when_an_engine_is_asked_directly(canary: tuple[str, list[str]]) -> None:
    address, touched = canary
    with pytest.raises((RuntimeError, OSError, SyntaxError)):
        list(pyoxigraph.Store().query(f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}"))  # type: ignore[arg-type]
    assert touched
