"""Whatever stands in the input is text: hostile strings in every field run nothing, load nothing and break nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest
from playwright.sync_api import Browser

import chromium
from sotagraph.names import plain
from sotagraph.view import to_html
from sotagraph.view.sample import GraphBuilder

CASES: list[str] = [
    "x" * 10_000 if case == "LONG" else case
    for case in json.loads((Path(__file__).parent / "cases" / "hostile.json").read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with chromium.browser() as browser:
        yield browser


def hostile() -> nx.MultiDiGraph[str]:
    """A graph in which every field that can be text is a hostile string, each string in a paper of its own."""
    b = GraphBuilder()
    before = ""
    for number, evil in enumerate(CASES):
        text = f"We propose {evil}. It gets {evil} on it."
        paper = b.paper(f"{number}{evil}", text, title=evil, venue=evil, url=evil, source=evil)
        b.graph.nodes[paper].update(
            identifiers=json.dumps({"arxiv": evil, evil: evil, "doi": evil}), year=2000 + number
        )
        common = {
            "long_form": evil,
            "reasons": json.dumps([{"action": evil, "rule": evil, "other": evil, "detail": evil}]),
        }
        things = {
            kind: b.thing(
                kind,
                evil,
                id=f"{kind}/{number}{evil}",
                aliases=(evil, evil * 2),
                links=json.dumps([["exactMatch", evil]]),
                **common,
            )
            for kind in ("Method", "Dataset", "Metric", "Task")
        }
        sentence = f"It gets {evil} on it."
        b.fact(paper, "proposes", things["Method"], f"We propose {evil}.", rule=evil)
        b.fact(things["Method"], "evaluatedOn", things["Dataset"], sentence, paper=paper, rule=evil)
        b.fact(paper, "addresses", things["Task"], sentence, rule=evil)
        b.fact(paper, "hasCode", b.thing("Repository", evil, id=f"repository/{number}{evil}", url=evil), sentence)
        ends = {kind.lower(): node for kind, node in things.items()}
        result = b.result(
            paper,
            sentence,
            value=str(number),
            unit=evil,
            condition=evil,
            bound=evil,
            direction=evil,
            baseline=things["Method"],
            baseline_value=evil,
            **ends,
        )
        b.graph.nodes[result].update(value_text=evil, label=evil)
        author = b.thing("Author", evil, id=f"author/{number}{evil}")
        b.graph.add_edge(paper, author, key="writtenBy", predicate="writtenBy", paper=paper, rule=evil)
        if before:
            b.fact(things["Method"], "uses", before, sentence, paper=paper)
        before = things["Method"]
    return b.graph


#: Select a node by the address, with all its sentences open.
VISIT = "node => { location.hash = new URLSearchParams({ view: 'lineage', node, quotes: 1, hide: '' }).toString(); }"


def test_there_are_forty_and_more() -> None:
    assert len(CASES) >= 40
    assert max(map(len, CASES)) == 10_000


def test_nothing_runs_and_nothing_breaks(started: Browser, tmp_path: Path) -> None:
    graph = hostile()
    with chromium.opened(started, to_html(graph, title=" ".join(CASES[:45])), tmp_path) as page:
        page.open("#hide=").drawn()
        assert len(page.page.evaluate("sotagraph.shown()")) == len(graph)
        for view in ("leaderboards", "lineage", "papers", "graph"):
            page.page.locator("#tabs").get_by_role("button", name=view.capitalize()).click()
            assert page.page.locator(f"#view-{view}").is_visible()
            assert page.page.evaluate("document.documentElement.scrollWidth") <= 1280, view
        # The panel of every node, all its sentences open, and whatever looks like a link under the pointer.
        for node in graph:
            page.page.evaluate(VISIT, node)
            page.page.wait_for_timeout(5)
        assert page.page.evaluate("window.pwned") is None
        assert (
            page.page.evaluate("document.querySelectorAll('script, style, iframe, base, object, embed, img').length")
            == 4
        )
        assert page.page.evaluate("'pwned' in Object.prototype || 'polluted' in {}") is False


def test_each_is_shown_as_it_is(started: Browser, tmp_path: Path) -> None:
    b = GraphBuilder()
    for number, evil in enumerate(CASES):
        paper = b.paper(f"p{number}", f"We propose {evil}!", title=f"T {evil}", url=evil)
        method = b.thing("Method", f"M {evil}", id=f"method/m{number}", aliases=(f"A {evil}",))
        b.fact(paper, "proposes", method, f"We propose {evil}!")
    with chromium.opened(started, to_html(b.graph), tmp_path) as page:
        page.open("#view=leaderboards&quotes=1")
        for number, evil in enumerate(CASES):
            page.page.evaluate("n => { location.hash = `view=leaderboards&quotes=1&node=method/m${n}`; }", number)
            panel = page.page.locator("#panel")
            panel.locator(".iri", has_text=re.compile(f"^method/m{number}$")).wait_for()
            title = panel.locator("h2").evaluate("e => e.textContent")
            assert title == (f"M {evil}".strip() if len(evil) < 300 else title), evil
            assert title.startswith(f"M {evil}".strip()[:398])
            quoted = panel.locator("blockquote p").first.evaluate("e => e.textContent")
            assert quoted == "“" + plain(f"We propose {evil}!").text + "”"
            page.page.evaluate("n => { location.hash = `view=leaderboards&node=paper/p${n}`; }", number)
            panel.locator(".iri", has_text=re.compile(f"^paper/p{number}$")).wait_for()
            for address in panel.locator("a").evaluate_all("all => all.map(a => a.getAttribute('href'))"):
                assert address.startswith(("https://", "http://"))
        assert page.page.evaluate("window.pwned") is None


@pytest.mark.parametrize(
    "evil", ["(((((.*+?^${}|[]\\/ not a pattern", "__proto__", '<img src=x onerror="window.pwned=6">']
)
def test_each_is_found_by_typing(started: Browser, tmp_path: Path, evil: str) -> None:
    assert evil in CASES
    with chromium.opened(started, to_html(hostile()), tmp_path) as page:
        page.open("#view=papers")
        page.page.locator("#search").fill(evil)
        assert page.page.locator("#search-list .title").first.inner_text() == evil


def test_copied_cells_cannot_become_formulas_or_commands(started: Browser, tmp_path: Path) -> None:
    b = GraphBuilder()
    paper = b.paper("p", "It gets 1 on D.")
    for number, evil in enumerate(CASES):
        if evil.strip() and len(evil) < 1000:
            b.result(
                paper,
                "It gets 1 on D.",
                value=str(number),
                method=b.thing("Method", evil, id=f"method/{number}"),
                dataset=b.thing("Dataset", "D"),
            )
    with chromium.opened(started, to_html(b.graph), tmp_path) as page:
        page.open("#view=leaderboards")
        texts = {}
        for kind in ("Markdown", "CSV", "LaTeX"):
            page.page.get_by_role("button", name=kind, exact=True).click()
            page.page.wait_for_timeout(50)
            texts[kind] = page.page.evaluate("navigator.clipboard.readText()")
        assert "\n=" not in texts["CSV"]
        assert ",=" not in texts["CSV"]
        assert "'=HYPERLINK" in texts["CSV"]
        assert r"\textbackslash{}input\{" in texts["LaTeX"]
        assert texts["LaTeX"].count(r"\end{tabular}") == 1
        rows = [line for line in texts["Markdown"].splitlines() if line]
        assert all(line.startswith("|") for line in rows)
        assert r"\| pipe \| in \| Markdown \|" in texts["Markdown"]
