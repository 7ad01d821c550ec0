"""Accessibility by axe-core, which axe-playwright-python carries, and what it cannot see: focus and order."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import chromium
from chromium import Watched
from sotagraph.view import to_html
from sotagraph.view.sample import corpus, small


def axe() -> str:
    """The source of axe-core."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or not found.submodule_search_locations:
        pytest.skip("axe-core is not installed: pip install axe-playwright-python")
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with chromium.browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def html() -> str:
    return to_html(small(), title="Small corpus")


VIEWS = {
    "graph": "#",
    "a node": "#node=method/larch&quotes=1",
    "a paper": "#node=paper/larch&only=1",
    "around": "#node=method/grpo&around=2",
    "path": "#node=method/dconvblock&to=method/larch",
    "leaderboards": "#view=leaderboards",
    "leaderboards with a node": "#view=leaderboards&node=dataset/minif2f",
    "lineage": "#view=lineage&root=method/larch",
    "papers": "#view=papers&node=paper/larch",
}


#: What has the focus, and whether one can see that; past the last control nothing has it.
FOCUS = """() => {
  const e = document.activeElement, style = getComputedStyle(e);
  const name = e.id || e.getAttribute('aria-label') || e.textContent.trim().slice(0, 30);
  return [name, e === document.body || style.outlineStyle !== 'none' || style.boxShadow !== 'none'];
}"""


def faults(page: Watched) -> list[str]:
    """Violations of WCAG A and AA and of best practice that are serious or critical, one line each."""
    page.page.evaluate(axe())
    found: dict[str, Any] = page.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{fault['impact']} {fault['id']}: {fault['help']}: {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical", "moderate")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_no_serious_fault(started: Browser, html: str, tmp_path: Path, view: str, theme: str) -> None:
    with chromium.opened(started, html, tmp_path) as page:
        page.open(f"{VIEWS[view]}&theme={theme}")
        page.page.wait_for_timeout(200)
        assert faults(page) == []


def test_no_serious_fault_on_a_phone(started: Browser, html: str, tmp_path: Path) -> None:
    with chromium.opened(started, html, tmp_path, width=390, height=844) as page:
        for fragment in VIEWS.values():
            page.open(fragment)
            page.page.wait_for_timeout(100)
            assert faults(page) == [], fragment


def test_no_serious_fault_with_lists_open(started: Browser, tmp_path: Path) -> None:
    with chromium.opened(started, to_html(corpus(40)), tmp_path) as page:
        page.open("#node=paper/p00003").drawn()
        page.page.locator(".relations summary").click()
        page.page.locator("#search").fill("net")
        expect(page.page.locator("#search-list")).to_be_visible()
        assert faults(page) == []


def test_every_control_is_reached_by_the_tab_key_and_shows_it(started: Browser, html: str, tmp_path: Path) -> None:
    with chromium.opened(started, html, tmp_path) as page:
        page.open("#node=method/grpo").drawn()
        seen: list[str] = []
        for _ in range(60):
            page.page.keyboard.press("Tab")
            name, visible = page.page.evaluate(FOCUS)
            assert visible, f"{name} has focus and does not show it"
            seen.append(name)
        for wanted in ("skip", "Leaderboards", "search", "theme", "Close details", "Zoom in"):
            assert wanted in seen, seen


def test_focus_stays_where_it_was_when_the_view_is_redrawn(started: Browser, html: str, tmp_path: Path) -> None:
    with chromium.opened(started, html, tmp_path) as page:
        page.open().drawn()
        kind = page.page.locator('[data-key="kind-Task"]')
        kind.focus()
        page.page.keyboard.press("Space")
        expect(page.page.locator('[data-key="kind-Task"]')).to_be_focused()
        page.open("#view=leaderboards")
        page.page.locator('[data-key="sort-method"]').focus()
        page.page.keyboard.press("Enter")
        expect(page.page.locator('[data-key="sort-method"]')).to_be_focused()


def test_the_view_is_named_for_screen_readers(started: Browser, html: str, tmp_path: Path) -> None:
    with chromium.opened(started, html, tmp_path) as page:
        page.open("#view=papers")
        expect(page.page.locator("h1")).to_have_text("Small corpus: Papers")
        assert page.page.locator("[aria-current=page]").inner_text() == "Papers"
