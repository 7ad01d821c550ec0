"""Whatever way a query comes in, nothing goes out: a listener and a file that must stay untouched."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

import birdpapers
import command
from sotagraph.api import KnowledgeGraph
from sotagraph.errors import QueryError
from sotagraph.graph import to_graph

OUTPUT = Path(__file__).parent.parent / "output"
QUERIES = (
    "SELECT * {{ SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "SELECT * {{ \\u0053ERVICE <{0}> {{ ?s ?p ?o }} }}",
    "SELECT * FROM <{0}> {{ ?s ?p ?o }}",
    "SELECT * FROM NAMED <{0}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
    "LOAD <{0}>",
)


class _Canary(BaseHTTPRequestHandler):
    touched: list[str]

    def do_GET(self) -> None:
        self.touched.append(self.path)

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


@pytest.fixture
def secret(tmp_path: Path) -> str:
    file = tmp_path / "secret.ttl"
    file.write_text("<x:secret> <x:is> 'told' .\n", encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("timeout", [None, 30.0])
def test_from_python(canary: tuple[str, list[str]], secret: str, timeout: float | None) -> None:
    kg = KnowledgeGraph(to_graph(birdpapers.birds()))
    for sparql in QUERIES:
        for target in (canary[0], secret):
            with pytest.raises(QueryError, match="refused"):
                kg.query(sparql.format(target), timeout=timeout)
    assert canary[1] == []


@pytest.mark.skipif(not (OUTPUT / "graph.json").exists(), reason="output/ holds no build in this checkout")
@pytest.mark.parametrize("sparql", QUERIES)
def test_from_the_command_line(canary: tuple[str, list[str]], secret: str, sparql: str) -> None:
    for target in (canary[0], secret):
        ran = command.sotagraph("query", str(OUTPUT), sparql.format(target))
        assert ran.code != 0
        assert "refused" in ran.err
        assert "told" not in ran.out
    assert canary[1] == []
