from __future__ import annotations

import csv
import http.client
import io
import json
import random
import socket
import threading
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import quote, urlencode, urlsplit

import pyoxigraph
import pytest
import rdflib

import birdpapers
from sotagraph.errors import ConfigError
from sotagraph.graph import to_graph
from sotagraph.query import named_queries
from sotagraph.serve import Server, protocol
from sotagraph.serve.protocol import ProblemError, negotiate, parameters, types_for
from sotagraph.store import RESULT_TYPES, TRIPLE_TYPES
from sotagraph.terms import iri_of

GRAPH = to_graph(birdpapers.birds())
PAGE = b"<!doctype html><title>graph</title>"
SELECT = "SELECT ?label { method:falcon rdfs:label ?label }"
CONSTRUCT = "CONSTRUCT WHERE { ?x sg:variantOf ?y }"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def type(self) -> str:
        return protocol.media_type(self.headers.get("Content-Type", ""))


class Client:
    """Requests to one server, each on a connection of its own."""

    def __init__(self, server: Server) -> None:
        self.port = urlsplit(server.address).port or 0

    def ask(self, method: str, target: str, body: str | bytes | None = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, target, body, named)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def query(self, sparql: str, **headers: str) -> Answer:
        return self.ask("GET", "/sparql?" + urlencode({"query": sparql}), **headers)


@contextmanager
def _running(server: Server) -> Iterator[Client]:
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield Client(server)
    finally:
        server.stop()
        thread.join()
        server.close()


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with _running(Server(GRAPH, port=0, page=PAGE, seconds=20)) as made:
        yield made


def test_the_three_ways_to_ask(client: Client) -> None:
    form = urlencode({"query": SELECT})
    answers = [
        client.query(SELECT),
        client.ask("POST", "/sparql", form, Content_Type="application/x-www-form-urlencoded"),
        client.ask("POST", "/sparql", SELECT, Content_Type="application/sparql-query; charset=UTF-8"),
    ]
    for answer in answers:
        assert (answer.status, answer.type) == (200, "application/sparql-results+json")
        found = json.loads(answer.body)
        assert found["head"]["vars"] == ["label"]
        assert found["results"]["bindings"] == [{"label": {"type": "literal", "value": "Falcon"}}]


@pytest.mark.parametrize("kind", RESULT_TYPES)
def test_rows_in_every_format(client: Client, kind: str) -> None:
    answer = client.query(SELECT, Accept=kind)
    assert (answer.status, answer.type) == (200, kind)
    text = answer.body.decode("utf-8")
    xml = "{http://www.w3.org/2005/sparql-results#}literal"
    read: dict[str, Callable[[], list[str | None]]] = {
        "JSON": lambda: [b["label"]["value"] for b in json.loads(text)["results"]["bindings"]],
        "XML": lambda: [element.text for element in ElementTree.fromstring(text).iter(xml)],
        "CSV": lambda: [row["label"] for row in csv.DictReader(io.StringIO(text))],
        "TSV": lambda: [line.strip('"') for line in text.splitlines()[1:]],
    }
    assert read[RESULT_TYPES[kind]]() == ["Falcon"]


@pytest.mark.parametrize("kind", TRIPLE_TYPES)
def test_triples_in_every_format(client: Client, kind: str) -> None:
    answer = client.query(CONSTRUCT, Accept=kind)
    assert (answer.status, answer.type) == (200, kind)
    form = getattr(pyoxigraph.RdfFormat, TRIPLE_TYPES[kind])
    (quad,) = pyoxigraph.parse(answer.body, form)
    assert str(quad.object) == f"<{iri_of('method/falcon')}>"


@pytest.mark.parametrize("kind", ["application/sparql-results+json", "application/sparql-results+xml"])
def test_truth_in_both_formats(client: Client, kind: str) -> None:
    body = client.query("ASK { ?x a sg:Paper }", Accept=kind).body
    assert b"true" in body
    assert client.query("ASK { ?x a sg:Bird }", Accept=kind).body == body.replace(b"true", b"false")


@pytest.mark.parametrize(
    ("accept", "sparql", "kind"),
    [
        ("", SELECT, "application/sparql-results+json"),
        ("*/*", SELECT, "application/sparql-results+json"),
        ("application/json", SELECT, "application/sparql-results+json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", SELECT, "application/sparql-results+xml"),
        ("text/csv;q=0.5, text/tab-separated-values", SELECT, "text/tab-separated-values"),
        ("text/*", SELECT, "text/csv"),
        ("text/turtle", "# SELECT\n DESCRIBE method:owl", "text/turtle"),
        ("*/*", CONSTRUCT, "text/turtle"),
        ("application/sparql-results+json;q=0, */*;q=0.1", SELECT, "application/sparql-results+xml"),
    ],
)
def test_negotiation(client: Client, accept: str, sparql: str, kind: str) -> None:
    answer = client.query(sparql, Accept=accept)
    assert (answer.status, answer.type) == (200, kind)


@pytest.mark.parametrize(
    ("sparql", "named", "kind"),
    [
        (SELECT, "format=tsv&format=text/tab-separated-values&output=tsv&output=x", "text/tab-separated-values"),
        (SELECT, "format=application/sparql-results%2Bxml&results=xml", "application/sparql-results+xml"),
        (CONSTRUCT, "format=turtle&output=turtle&results=turtle", "text/turtle"),
        (CONSTRUCT, "format=n3", "text/turtle"),
        (CONSTRUCT, "format=rdf%2Bxml&format=application/rdf%2Bxml", "application/rdf+xml"),
        (CONSTRUCT, "format=json-ld&format=application/ld%2Bjson%2Capplication/x-json%2Bld", "application/ld+json"),
        (CONSTRUCT, "format=rdf", "application/rdf+xml"),
    ],
)
def test_what_clients_add_of_their_own_is_understood(client: Client, sparql: str, named: str, kind: str) -> None:
    """What SPARQLWrapper 2 sends for each of its formats, in the address and as a form."""
    text = urlencode({"query": sparql}) + "&" + named
    for answer in (client.ask("GET", f"/sparql?{text}"), client.ask("POST", "/sparql", text, Content_Type=FORM)):
        assert (answer.status, answer.type) == (200, kind), answer.body


def test_a_format_can_be_named(client: Client) -> None:
    answer = client.ask("GET", "/sparql?" + urlencode({"query": SELECT, "format": "csv"}))
    assert answer.body == b"label\r\nFalcon\r\n"
    assert client.ask("GET", "/sparql?" + urlencode({"query": SELECT, "format": "ttl"})).status == 400


FORM = "application/x-www-form-urlencoded"
PROBLEMS: list[tuple[str, str, str | bytes | None, dict[str, str], int, str]] = [
    ("GET", "/sparql", None, {}, 400, "no query"),
    ("GET", "/sparql?query=", None, {}, 400, "empty"),
    ("GET", "/sparql?query=SELECT", None, {}, 400, "line 1"),
    ("GET", "/sparql?query=ASK%20%7B%7D&query=ASK%20%7B%7D", None, {}, 400, "given twice"),
    ("GET", "/sparql?query=%FF", None, {}, 400, "cannot be read"),
    ("GET", "/sparql?query=ASK%7B%7D&default-graph-uri=http%3A%2F%2Fx%2F", None, {}, 400, "one graph"),
    ("GET", "/sparql?query=ASK%7B%7D&named-graph-uri=http%3A%2F%2Fx%2F", None, {}, 400, "one graph"),
    ("GET", "/sparql?update=CLEAR%20ALL", None, {}, 403, "read-only"),
    ("GET", "/sparql?" + urlencode({"query": "INSERT DATA { <a:a> <a:b> 1 }"}), None, {}, 400, "read-only"),
    ("POST", "/sparql", "update=CLEAR+ALL", {"Content-Type": FORM}, 403, "read-only"),
    ("POST", "/sparql", "CLEAR ALL", {"Content-Type": "application/sparql-update"}, 403, "read-only"),
    ("POST", "/sparql", "query=ASK+%7B%7D", {"Content-Type": "text/plain"}, 415, "application/sparql-query"),
    ("POST", "/sparql", "ASK {}", {}, 415, "unknown"),
    ("POST", "/sparql", b"ASK { \xff }", {"Content-Type": "application/sparql-query"}, 400, "not UTF-8"),
    ("POST", "/sparql?query=ASK%7B%7D", "ASK {}", {"Content-Type": "application/sparql-query"}, 400, "give it once"),
    ("POST", "/sparql?query=ASK%7B%7D", "a=b", {"Content-Type": FORM}, 400, "into the body"),
    ("POST", "/sparql", b"x" * (protocol.BODY_LIMIT + 1), {"Content-Type": FORM}, 413, "longer"),
    ("PUT", "/sparql", "x", {}, 405, "PUT"),
    ("DELETE", "/sparql?query=ASK%7B%7D", None, {}, 405, "DELETE"),
    ("POST", "/", "x", {}, 405, "POST"),
    ("BREW", "/", None, {}, 405, "BREW"),
    ("GET", "/nowhere", None, {}, 404, "/sparql"),
    ("GET", "/../../etc/passwd", None, {}, 404, "nothing is at"),
    ("GET", "/id/method/nothing", None, {}, 404, "holds no"),
    ("GET", "/id/method/nothing", None, {"Accept": "text/turtle"}, 404, "holds no"),
    ("GET", "/id/method/nothing", None, {"Accept": "application/ld+json"}, 404, "holds no"),
    ("GET", "/id/method/nothing?format=nt", None, {}, 404, "holds no"),
    ("GET", "/id/statement/nothing", None, {}, 404, "holds no"),
    ("GET", "/id/method", None, {}, 404, "/id/<kind>/<key>"),
    ("GET", "/id/method/owl", None, {"Accept": "image/png"}, 406, "text/turtle"),
    ("GET", "/queries/nothing", None, {}, 404, "there are about-paper"),
    ("GET", "/queries/papers-using", None, {}, 400, "needs method"),
    ("GET", "/queries/papers-using?method=Penguin", None, {}, 404, "no method is called"),
    ("GET", "/queries/find?text=a&limit=x", None, {}, 400, "whole number"),
    ("GET", "/queries/find?text=a&colour=red", None, {}, 400, "no parameter"),
    ("GET", "/sparql?" + urlencode({"query": SELECT}), None, {"Accept": "image/png"}, 406, "text/csv"),
    ("GET", "/sparql?" + urlencode({"query": "ASK { SERVICE <http://127.0.0.1/> {} }"}), None, {}, 400, "refused"),
    ("GET", "/sparql?" + urlencode({"query": "ASK FROM <file:///etc/passwd> {}"}), None, {}, 400, "refused"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "target", "body", "headers", "status", "said"), PROBLEMS)
def test_problems_have_their_status_and_one_line(
    client: Client, method: str, target: str, body: str | bytes | None, headers: dict[str, str], status: int, said: str
) -> None:
    answer = client.ask(method, target, body, **{name.replace("-", "_"): value for name, value in headers.items()})
    assert answer.status == status, answer.body
    assert answer.type == "text/plain"
    text = answer.body.decode()
    assert said in text
    assert text.count("\n") == 1
    assert "Traceback" not in text


def _raw(port: int, data: bytes) -> bytes:
    """What the server says to bytes as they are; the sending side is then closed."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # turned away in the middle
        found = b""
        try:
            while part := connection.recv(65536):
                found += part
        except ConnectionResetError:
            pass
        return found


def test_malformed_requests_get_a_4xx_and_do_no_harm(client: Client) -> None:
    rng = random.Random(7)
    good = (
        f"GET /sparql?{urlencode({'query': SELECT})} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    )
    crafted = [
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTX/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nASK{}\r\n0\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: localhost\r\n\r\nquery=ASK{}",
        b"GET / HTTP/1.1\r\nHost: evil.example.org\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        b"GET /" + b"a" * 70000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 200 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"b" * 70000 + b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET \x00\xff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /sparql?query=%zz%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ]
    broken: list[bytes] = []
    while len(broken) < 190:
        data = bytearray(good)
        for _ in range(rng.randint(1, 12)):
            place = rng.randrange(len(data))
            choice = rng.random()
            if choice < 0.5:
                data[place] = rng.randrange(256)
            elif choice < 0.8:
                del data[place : place + rng.randint(1, 8)]
            else:
                data[place:place] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 8)))
        broken.append(bytes(data))
    statuses: dict[int, int] = {}
    for sent in (*crafted, *broken):
        head = _raw(client.port, sent)[:64].decode("latin-1")
        if not head:
            continue  # nothing that is a request line came
        # What begins like HTTP/0.9 is answered as that: a body alone.
        status = (
            int(head.split()[1])
            if head.startswith("HTTP/1.1 ")
            else int(head.split()[0])
            if head[:3].isdigit()
            else 200
        )
        statuses[status] = statuses.get(status, 0) + 1
        assert status == 200 or status == 505 or 400 <= status < 500, (status, sent)
    assert sum(statuses.values()) >= 200
    assert sum(count for status, count in statuses.items() if 400 <= status < 500) > 100
    assert client.query(SELECT).status == 200


@pytest.mark.parametrize("size", [2 * protocol.BODY_LIMIT, 12 * protocol.BODY_LIMIT])
def test_whoever_sends_too_much_still_reads_why(client: Client, size: int) -> None:
    for _ in range(3):
        answer = client.ask("POST", "/sparql", b"x" * size, Content_Type=FORM)
        assert answer.status == 413
        assert b"longer than" in answer.body


def test_a_foreign_host_is_turned_away(client: Client) -> None:
    """A page elsewhere whose name is made to point at this machine must not read the graph."""
    assert client.query(SELECT, Host="evil.example.org").status == 421
    for host in ("localhost", f"localhost:{client.port}", "127.0.0.1", "[::1]:80", "LOCALHOST"):
        assert client.query(SELECT, Host=host).status == 200


def test_cors_is_off_unless_asked(client: Client) -> None:
    for method in ("GET", "OPTIONS"):
        answer = client.ask(method, "/sparql?" + urlencode({"query": SELECT}), Origin="http://other.example.org")
        assert answer.headers.get("Access-Control-Allow-Origin") is None
    with _running(Server(GRAPH, port=0, origin="http://other.example.org", workers=1)) as client_:
        asked = client_.query(SELECT, Origin="http://other.example.org")
        assert asked.headers["Access-Control-Allow-Origin"] == "http://other.example.org"
        assert (
            client_.query(SELECT, Origin="http://third.example.org").headers.get("Access-Control-Allow-Origin") is None
        )
        preflight = client_.ask("OPTIONS", "/sparql", Origin="http://other.example.org")
        assert (preflight.status, preflight.body) == (204, b"")
        assert preflight.headers["Access-Control-Allow-Methods"] == "GET, POST"


def test_head_says_what_get_would(client: Client) -> None:
    for target in ("/", "/graph", "/id/method/owl", "/sparql?" + urlencode({"query": SELECT})):
        head, get = client.ask("HEAD", target), client.ask("GET", target)
        assert (head.status, head.body) == (200, b"")
        assert head.headers["Content-Length"] == get.headers["Content-Length"] == str(len(get.body))


def test_one_connection_serves_many_requests(client: Client) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
    for _ in range(3):
        connection.request("GET", "/sparql?" + urlencode({"query": SELECT}))
        assert Answer(connection.getresponse()).status == 200
        connection.request("GET", "/nowhere")
        assert Answer(connection.getresponse()).status == 404
    connection.close()


def test_an_endless_query_is_cut_while_others_are_served() -> None:
    with _running(Server(GRAPH, port=0, seconds=2, workers=2)) as client:
        assert client.query("ASK {}").status == 200
        slow: list[Answer] = []
        thread = threading.Thread(target=lambda: slow.append(client.query(ENDLESS)))
        began = time.monotonic()
        thread.start()
        quick = 0
        while thread.is_alive():
            assert client.query(SELECT).status == 200
            quick += 1
        took = time.monotonic() - began
        assert (slow[0].status, slow[0].type) == (504, "text/plain")
        assert b"was cut after" in slow[0].body
        assert took < 10
        assert quick > 3


def test_two_endless_queries_leave_the_third_a_clear_refusal() -> None:
    with _running(Server(GRAPH, port=0, seconds=2, workers=1)) as client:
        assert client.query("ASK {}").status == 200
        answers: list[Answer] = []
        threads = [threading.Thread(target=lambda: answers.append(client.query(ENDLESS))) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.status for answer in answers)[0] in (503, 504)
        assert client.query(SELECT).status == 200


def test_pages(client: Client) -> None:
    editor = client.ask("GET", "/")
    assert editor.type == "text/html"
    assert "default-src 'none'" in editor.headers["Content-Security-Policy"]
    assert b"http://" not in editor.body
    assert b"https://" not in editor.body
    assert b'value="leaderboard"' in editor.body
    assert client.ask("GET", "/graph").body == PAGE
    for asset in ("/editor.js", "/editor.css"):
        assert client.ask("GET", asset).status == 200
    assert client.ask("GET", "/ns").body.startswith(b"# The vocabulary")
    void = client.ask("GET", "/.well-known/void", Accept="application/n-triples")
    assert b"<http://rdfs.org/ns/void#triples>" in void.body
    with _running(Server(GRAPH, port=0, workers=1)) as without:
        assert without.ask("GET", "/graph").status == 404


def test_named_queries_are_a_menu_and_run(client: Client) -> None:
    listed = json.loads(client.ask("GET", "/queries").body)
    assert [query["name"] for query in listed] == list(named_queries())
    answer = client.ask("GET", "/queries/leaderboard?dataset=bird-bench&format=csv")
    assert [row["printed"] for row in csv.DictReader(io.StringIO(answer.body.decode()))] == ["92.5 to 93.0%", "90.4%"]


@pytest.mark.parametrize("node", list(GRAPH))
def test_every_thing_has_a_page_and_rdf(client: Client, node: str) -> None:
    address = "/" + iri_of(node).removeprefix("https://w3id.org/sotagraph/")
    page = client.ask("GET", address, Accept="text/html")
    assert (page.status, page.type) == (200, "text/html")
    turtle = client.ask("GET", address, Accept="text/turtle")
    rdf = rdflib.Graph().parse(data=turtle.body.decode(), format="turtle")
    assert (rdflib.URIRef(iri_of(node)), None, None) in rdf


def test_statements_and_sentences_can_be_followed(client: Client) -> None:
    found = json.loads(client.query("SELECT ?s ?e { ?s a sg:Statement ; sg:evidence ?e } LIMIT 1").body)
    for term in found["results"]["bindings"][0].values():
        page = client.ask("GET", "/" + term["value"].removeprefix("https://w3id.org/sotagraph/"))
        assert page.status == 200


def test_a_paper_shows_its_text_with_links_and_edges_read_in_their_order(client: Client) -> None:
    page = client.ask("GET", "/id/paper/p1").body.decode()
    assert 'We present **<a href="/id/method/falcon">Falcon</a>** (Fast' in page
    assert "[[" not in page
    falcon = client.ask("GET", "/id/method/falcon").body.decode()
    assert '<a href="/id/paper/p1">' in falcon
    assert "<small>Paper</small> <b>proposes</b> this" in falcon


def test_a_statement_shows_its_properties_and_a_sentence_what_rests_on_it(client: Client) -> None:
    (row,) = json.loads(client.query("SELECT ?s ?e { ?s a sg:Statement ; sg:evidence ?e } LIMIT 1").body)["results"][
        "bindings"
    ]
    statement, sentence = (row[name]["value"].removeprefix("https://w3id.org/sotagraph/") for name in ("s", "e"))
    shown = client.ask("GET", f"/{statement}").body.decode()
    assert "<tr><th>sg:evidence</th><td>" in shown
    assert f'href="/{sentence}"' in shown
    assert f'href="/{statement}"' in client.ask("GET", f"/{sentence}").body.decode()


def test_hostile_names_are_shown_as_text() -> None:
    graph = to_graph(birdpapers.hostile())
    with _running(Server(graph, port=0, workers=1)) as client:
        for node in graph:
            address = "/" + iri_of(node).removeprefix("https://w3id.org/sotagraph/")
            body = client.ask("GET", address).body
            assert body.startswith(b"<!doctype html>"), node
            assert b"<script>alert" not in body


class _Canary(BaseHTTPRequestHandler):
    touched: list[str]

    def do_GET(self) -> None:
        self.touched.append(self.path)

    do_POST = do_GET  # noqa: N815 - the name that the server looks for

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_no_request_leaves_the_server(client: Client) -> None:
    touched: list[str] = []
    canary = HTTPServer(("127.0.0.1", 0), type("Canary", (_Canary,), {"touched": touched}))
    thread = threading.Thread(target=canary.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    address = f"http://127.0.0.1:{canary.server_port}/"
    for sparql in (
        f"ASK {{ SERVICE <{address}> {{ ?s ?p ?o }} }}",
        f"ASK {{ \\u0053ERVICE <{address}> {{ ?s ?p ?o }} }}",
        f"ASK FROM <{address}> {{ ?s ?p ?o }}",
        f"LOAD <{address}>",
        f"DESCRIBE <{address}>",
    ):
        client.query(sparql)
        client.ask("POST", "/sparql", urlencode({"query": sparql, "update": sparql}), Content_Type=FORM)
        client.ask("GET", "/id/" + quote(address, safe=""))
    canary.shutdown()
    thread.join()
    canary.server_close()
    assert touched == []


def test_sparqlwrapper_reads_the_endpoint(client: Client) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper", reason="the independent client is not installed")
    sparql = wrapper.SPARQLWrapper(f"http://127.0.0.1:{client.port}/sparql")
    sparql.setQuery("PREFIX sg: <https://w3id.org/sotagraph/ns#> SELECT ?x { ?x sg:variantOf ?y }")
    for method in (wrapper.GET, wrapper.POST):
        sparql.setMethod(method)
        sparql.setReturnFormat(wrapper.JSON)
        found = sparql.query().convert()
        assert [b["x"]["value"] for b in found["results"]["bindings"]] == [iri_of("method/falcon7b")]
        for form in (wrapper.XML, wrapper.CSV, wrapper.TSV):
            sparql.setReturnFormat(form)
            assert b"falcon7b" in sparql.query().response.read()


def test_rdflib_reads_the_endpoint_as_a_remote_store(client: Client) -> None:
    from rdflib.plugins.stores.sparqlstore import SPARQLStore

    remote = rdflib.Graph(SPARQLStore(f"http://127.0.0.1:{client.port}/sparql", returnFormat="xml"))
    rows = list(remote.query("SELECT ?x WHERE { ?x <https://w3id.org/sotagraph/ns#variantOf> ?y }"))
    assert [str(row[0]) for row in rows] == [iri_of("method/falcon7b")]  # type: ignore[index]


@pytest.mark.parametrize("engine", ["rdflib", "oxigraph"])
def test_other_engines_may_ask_it_for_a_part_of_their_query(client: Client, engine: str) -> None:
    """Federation: SERVICE is refused by us, and others may name us in theirs."""
    service = f"SERVICE <http://127.0.0.1:{client.port}/sparql>"
    sparql = f"SELECT ?x WHERE {{ {service} {{ ?x <https://w3id.org/sotagraph/ns#variantOf> ?y }} }}"
    if engine == "rdflib":
        found = [str(row[0]) for row in rdflib.Graph().query(sparql)]  # type: ignore[index]
    else:
        solutions = pyoxigraph.Store().query(sparql)
        assert isinstance(solutions, pyoxigraph.QuerySolutions)
        found = [str(row["x"]).strip("<>") for row in solutions]
    assert found == [iri_of("method/falcon7b")]


def test_a_port_that_is_taken_is_said(client: Client) -> None:
    with pytest.raises(ConfigError, match="choose another port"):
        Server(GRAPH, port=client.port)
    with pytest.raises(ConfigError, match="more than 0"):
        Server(GRAPH, port=0, seconds=0)


@pytest.mark.parametrize("text", ["a=b&a=c", "%FF=1", "=&=", "a=%FF"])
def test_parameters_that_cannot_be_read(text: str) -> None:
    with pytest.raises(ProblemError) as caught:
        parameters(text)
    assert caught.value.status == 400


def test_pure_parts() -> None:
    assert negotiate("text/csv;q=x", ["text/csv"]) is None
    assert types_for("DESCRIBE <a:b>", "", "nt")[1] == "application/n-triples"
    with pytest.raises(ProblemError, match="no format 'png'"):
        types_for("ASK {}", "", "png")
