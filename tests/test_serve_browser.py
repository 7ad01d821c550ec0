"""The pages of the server in Chromium: they work, ask nothing of anyone else, and show hostile names as text."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request

import birdpapers
import chromium
from sotagraph.graph import Graph, to_graph
from sotagraph.serve import Server
from sotagraph.terms import iri_of
from sotagraph.view import to_html


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with chromium.browser() as browser:
        yield browser


@dataclass
class Visit:
    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.foreign.append(request.url)


@contextmanager
def visiting(browser: Browser, graph: Graph, page: bytes | None = None) -> Iterator[Visit]:
    with Server(graph, port=0, workers=1, page=page) as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        context = browser.new_context()
        try:
            visit = Visit(context.new_page(), server.address)
            visit.page.on("console", visit.console)
            visit.page.on("pageerror", lambda error: visit.errors.append(str(error)))
            visit.page.on("request", visit.request)
            yield visit
        finally:
            context.close()
            server.stop()
            thread.join()
    assert visit.foreign == []


def test_the_editor_asks_and_shows_rows(started: Browser) -> None:
    with visiting(started, to_graph(birdpapers.birds())) as visit:
        page = visit.page
        page.goto(visit.address)
        page.fill("#query", "SELECT ?x ?n { ?x sg:variantOf/rdfs:label ?n }")
        page.press("#query", "Control+Enter")
        page.wait_for_selector("#answer td")
        assert page.locator("#answer td").all_inner_texts() == ["method/falcon7b", "Falcon"]
        assert "1 row," in page.inner_text("#status")
        assert page.get_attribute("#download", "href") is not None
        page.click("#answer a")
        assert page.inner_text("h1") == "Falcon-7B"
        assert "a variant of Falcon" in page.inner_text("body")
        assert visit.errors == []


def test_a_mistake_is_shown_with_its_place(started: Browser) -> None:
    with visiting(started, to_graph(birdpapers.birds())) as visit:
        visit.page.goto(visit.address)
        visit.page.fill("#query", "SELECT * {\n ?s foo ?o }")
        visit.page.click("button")
        visit.page.wait_for_selector("#status.error")
        assert "line 2, column 5" in visit.page.inner_text("#status")


def test_a_named_query_runs_from_the_menu(started: Browser) -> None:
    with visiting(started, to_graph(birdpapers.birds())) as visit:
        page = visit.page
        page.goto(visit.address)
        page.wait_for_load_state("networkidle")
        page.select_option("#named", "leaderboard")
        page.fill("#parameters input[name=dataset]", "bird bench")
        page.click("button")
        page.wait_for_selector("#answer td")
        assert "92.5 to 93.0%" in page.inner_text("#answer")
        assert visit.errors == []


def test_the_page_of_the_graph_works_under_the_servers_policy(started: Browser) -> None:
    graph = to_graph(birdpapers.birds())
    with visiting(started, graph, to_html(graph).encode("utf-8")) as visit:
        visit.page.goto(visit.address + "graph")
        visit.page.wait_for_selector("html[data-ready]", state="attached")
        assert visit.errors == []


def test_hostile_names_do_nothing(started: Browser) -> None:
    graph = to_graph(birdpapers.hostile())
    with visiting(started, graph) as visit:
        dialogs: list[str] = []

        def dismiss(dialog: Dialog) -> None:
            dialogs.append(dialog.message)
            dialog.dismiss()

        visit.page.on("dialog", dismiss)
        node = next(n for n, d in graph.nodes(data=True) if d["kind"] == "Method" and "<script>" in d["name"])
        visit.page.goto(visit.address + iri_of(node).removeprefix("https://w3id.org/sotagraph/"))
        assert "<script>alert(1)</script>" in visit.page.inner_text("h1")
        visit.page.goto(visit.address)
        visit.page.fill("#query", "SELECT ?n { ?x skos:prefLabel ?n }")
        visit.page.click("button")
        visit.page.wait_for_selector("#answer td")
        assert "<script>alert(1)</script>" in visit.page.inner_text("#answer")
        assert dialogs == []
        assert visit.errors == []
