"""How large and how quick the page is, beside what pyvis writes for the same graph.

Run ``python benchmarks/page.py [--raw] [--papers 100 2000]`` with the system's Chromium; prints one Markdown table.
Times are of software rendering (no GPU), which is the slowest that a reader meets. `--raw` adds pyvis as it comes: its
``from_nx``, its physics, its page, with the files that it would load from outside blocked.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
from playwright.sync_api import Browser, sync_playwright
from pyvis.network import Network

from sotagraph.view import to_html
from sotagraph.view.sample import corpus

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
#: pyvis takes its loading bar away when its physics has come to rest.
SETTLED = """() => {
  const bar = document.getElementById('loadingBar');
  const gone = !bar || bar.style.display === 'none' || bar.style.opacity === '0';
  return window.network && network.physics.stabilized !== false && gone;
}"""
WATCH = """() => {
  window.drawings = [];
  sotagraph.network().on('afterDrawing', () => drawings.push(performance.now()));
}"""


def drag(page: Any) -> float:
    """Median time between two drawings of the canvas, in ms, while it is dragged about without a pause."""
    page.evaluate(WATCH)
    page.mouse.move(300, 300)
    page.mouse.down()
    end = time.monotonic() + 2.4
    step = 0
    while time.monotonic() < end:
        step += 1
        page.mouse.move(300 + 40 * (step % 9), 300 + 25 * (step % 7))
    page.mouse.up()
    drawings = page.evaluate("drawings")
    return statistics.median(later - earlier for earlier, later in pairwise(drawings))


def ours(browser: Browser, graph: nx.MultiDiGraph[str], folder: Path, fragment: str) -> dict[str, str]:
    """The page of `graph`, opened with `fragment`."""
    start = time.perf_counter()
    html = to_html(graph, title="Benchmark")
    made = time.perf_counter() - start
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8", newline="\n")
    page = browser.new_page(viewport={"width": 1440, "height": 860})
    page.goto(f"file://{path}{fragment}")
    page.wait_for_selector("html[data-drawn]", state="attached", timeout=120_000)
    drawn = int(page.evaluate("document.documentElement.dataset.drawn"))
    shown = page.evaluate("sotagraph.shown().length")
    page.wait_for_timeout(500)
    row = {
        "made": f"{made:.1f} s",
        "size": f"{path.stat().st_size / 1e6:.2f} MB",
        "drawn": f"{drawn / 1000:.2f} s",
        "shown": str(shown),
        "frame": f"{drag(page):.0f} ms",
    }
    page.close()
    return row


def raw(browser: Browser, graph: nx.MultiDiGraph[str], folder: Path) -> dict[str, str]:
    """What pyvis makes of the same graph by itself; two minutes are the limit."""
    start = time.perf_counter()
    network = Network(directed=True, cdn_resources="in_line", height="750px")
    plain = nx.MultiDiGraph()
    plain.add_nodes_from(
        (node, {"label": data["label"], "title": data["label"]}) for node, data in graph.nodes(data=True)
    )
    plain.add_edges_from(
        (source, target, {"title": data["predicate"]}) for source, target, data in graph.edges(data=True)
    )
    network.from_nx(plain)
    html = network.generate_html()
    made = time.perf_counter() - start
    path = folder / "raw.html"
    path.write_text(html, encoding="utf-8")
    page = browser.new_page(viewport={"width": 1440, "height": 860})
    asked: list[str] = []
    page.route(
        "**/*",
        lambda route: (
            (asked.append(route.request.url), route.abort())[1]
            if not route.request.url.startswith("file:")
            else route.continue_()
        ),
    )
    page.goto(f"file://{path}", wait_until="commit", timeout=120_000)
    start = time.perf_counter()
    try:
        page.wait_for_function(
            SETTLED,
            timeout=120_000,
        )
        drawn = f"{time.perf_counter() - start:.1f} s"
    except Exception as error:  # noqa: BLE001 - whatever ends the wait is the measurement
        drawn = f"not within 120 s ({type(error).__name__})"
    row = {
        "made": f"{made:.1f} s",
        "size": f"{path.stat().st_size / 1e6:.2f} MB",
        "drawn": drawn,
        "shown": str(len(graph)),
        "frame": "–",
    }
    row["asked"] = str(len(asked))
    page.screenshot(path=str(folder / "raw.png"), timeout=120_000)
    page.close()
    return row


def show(label: str, page: str, row: dict[str, str]) -> None:
    """Print one line of the table as soon as it is known."""
    cells = (label, page, *(row[key] for key in ("made", "size", "drawn", "shown", "frame", "asked")))
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--papers",
        type=int,
        nargs="+",
        default=[92, 1850],
        help="corpus sizes; 92 papers make 500 nodes, 1850 make 10,000",
    )
    parser.add_argument("--raw", action="store_true", help="also measure pyvis as it comes")
    options = parser.parse_args()
    print(
        "| graph | page | written in | size | first drawing | nodes drawn | frame while dragging | requests outside |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for papers in options.papers:
            graph = corpus(papers)
            label = f"{len(graph):,} nodes, {graph.number_of_edges():,} edges"
            runs = [("sotagraph", "")] + ([("sotagraph, all shown", "#all=1")] if len(graph) > 2500 else [])
            for page, fragment in runs:
                show(label, page, ours(browser, graph, Path(name), fragment) | {"asked": "0"})
            if options.raw:
                show(label, "pyvis as it comes", raw(browser, graph, Path(name)))
        browser.close()


if __name__ == "__main__":
    main()
