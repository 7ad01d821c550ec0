"""The page as a reader uses it, by real clicks and keys in headless Chromium, with the network off."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import chromium
from chromium import Watched
from sotagraph.view import to_html
from sotagraph.view.sample import corpus, small

LARCH = "method/larch"


@pytest.fixture(scope="module")
def started() -> Iterator[Browser]:
    with chromium.browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def html() -> str:
    return to_html(small(), title="Small corpus")


@pytest.fixture
def page(started: Browser, html: str, tmp_path: Path) -> Iterator[Watched]:
    with chromium.opened(started, html, tmp_path) as watched:
        yield watched


#: How many pixels of the canvas are not of the most common colour, and how many colours there are.
PIXELS = """() => {
  const canvas = document.querySelector('#canvas canvas');
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const colour = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
    seen.set(colour, (seen.get(colour) || 0) + 1);
  }
  const counts = [...seen.values()].sort((a, b) => b - a);
  return [counts.slice(1).reduce((a, b) => a + b, 0), seen.size];
}"""


def test_it_opens_and_draws(page: Watched) -> None:
    page.open().drawn()
    inked, colours = page.page.evaluate(PIXELS)
    assert inked > 3000
    assert colours > 20
    assert page.page.title() == "Small corpus · sotagraph"
    assert len(page.page.evaluate("sotagraph.shown()")) == 21


def test_typing_finds_a_benchmark_and_shows_its_scores(page: Watched) -> None:
    page.open().drawn()
    page.page.keyboard.press("/")
    page.page.keyboard.type("minif2f")
    expect(page.page.locator("#search-list [role=option]").first).to_contain_text("MiniF2F")
    page.page.keyboard.press("Enter")
    panel = page.page.locator("#panel")
    expect(panel.locator("h2")).to_have_text("MiniF2F")
    figures = panel.locator(".score .figure b").all_inner_texts()
    assert figures == ["90.4%", "88.1%", "84.6%", "80.7%"]
    first = panel.locator(".score").first
    expect(first).to_contain_text("self-correction")
    first.locator("summary").click()
    expect(first.locator("blockquote")).to_contain_text("With self-correction, Larch-32B reaches 90.4% on miniF2F")
    assert "90.4" in first.locator("mark").all_inner_texts()
    assert page.state("node") == "dataset/minif2f"


def test_search_knows_aliases_and_tells_homonyms_apart(page: Watched) -> None:
    page.open()
    field = page.page.locator("#search")
    field.fill("group relative")
    expect(page.page.locator("#search-list .title").first).to_have_text("GRPO")
    field.fill("fact")
    titles = page.page.locator("#search-list .title").all_inner_texts()
    assert {"FACT (Features at Convergence)", "FACT (forecasting)"} <= set(titles)
    field.fill("xyzzy")
    expect(page.page.locator("#search-list")).to_contain_text("No name or alias matches")
    field.press("Escape")
    expect(page.page.locator("#search-list")).to_be_hidden()


def test_search_by_arrow_keys(page: Watched) -> None:
    page.open().drawn()
    page.page.locator("#search").fill("larch-")
    page.page.keyboard.press("ArrowDown")
    chosen = page.page.locator('#search-list [aria-selected="true"] .title').inner_text()
    page.page.keyboard.press("Enter")
    expect(page.page.locator("#panel h2")).to_have_text(chosen)


def test_facts_stand_in_groups_with_their_sentence(page: Watched) -> None:
    page.open(f"#node={LARCH}").drawn()
    panel = page.page.locator("#panel")
    groups = [text.split("\n")[0] for text in panel.locator(".group h3").all_inner_texts()]
    assert groups[:5] == ["Proposed by", "Uses", "Used by", "Evaluated on", "Variants"]
    uses = panel.locator(".group", has=page.page.locator("h3", has_text=re.compile("^Uses"))).first
    uses.locator(".why").first.click()
    expect(uses.locator("blockquote")).to_contain_text("We propose Larch, a prover built on GRPO")
    assert {"Larch", "GRPO"} <= set(uses.locator("mark").all_inner_texts())


def test_sentences_open_all_at_once(page: Watched) -> None:
    page.open(f"#node={LARCH}")
    assert page.page.locator("#panel blockquote:visible").count() == 0
    page.page.get_by_role("button", name="Sentences").click()
    assert page.page.locator("#panel blockquote:visible").count() > 4


def test_links_are_those_of_the_web(page: Watched) -> None:
    page.open("#node=paper/larch")
    links = page.page.locator("#panel .links a")
    assert links.evaluate_all("all => all.map(a => a.href)") == [
        "https://example.org/p/larch", "https://arxiv.org/abs/2509.00001", "https://example.org/larch",
    ]  # fmt: skip
    assert set(links.evaluate_all("all => all.map(a => a.rel)")) == {"noopener noreferrer"}


def test_click_and_double_click_on_the_canvas(page: Watched) -> None:
    page.open().drawn()
    page.click_node("method/grpo")
    expect(page.page.locator("#panel h2")).to_have_text("GRPO")
    page.click_node("method/grpo", times=2)
    expect(page.page.locator("#crumb")).to_contain_text("Around GRPO")
    near = set(page.page.evaluate("sotagraph.shown()"))
    assert "method/larch" in near
    assert "method/skerry" not in near
    page.page.get_by_role("button", name="2 steps").click()
    assert set(page.page.evaluate("sotagraph.shown()")) > near
    page.page.keyboard.press("Escape")
    assert page.state("around") == "0"
    assert "method/skerry" in page.page.evaluate("sotagraph.shown()")


def test_the_legend_is_the_filter(page: Watched) -> None:
    page.open().drawn()
    button = page.page.locator(".kind", has_text="Task")
    button.click()
    assert "task/theoremproving" not in page.page.evaluate("sotagraph.shown()")
    expect(page.page.locator(".kind", has_text="Task")).to_have_attribute("aria-pressed", "false")
    page.page.locator(".kind", has_text="Result").click()
    assert sum(i.startswith("result/") for i in page.page.evaluate("sotagraph.shown()")) == 6
    page.page.locator(".relations summary").click()
    lines = page.page.evaluate("sotagraph.network().body.data.edges.length")
    page.page.locator(".relation", has_text="Uses").click()
    assert page.page.evaluate("sotagraph.network().body.data.edges.length") < lines


def test_only_what_one_paper_says(page: Watched) -> None:
    page.open("#node=paper/oakum").drawn()
    page.page.get_by_role("button", name="Only this paper").click()
    shown = set(page.page.evaluate("sotagraph.shown()"))
    assert shown == {
        "paper/oakum",
        "method/oakum",
        "task/theoremproving",
        "dataset/minif2f",
        "metric/pass@32",
        "method/larchlight",
        "method/grpo",
    }


def test_the_path_between_two_nodes(page: Watched) -> None:
    page.open("#node=method/dconvblock").drawn()
    page.page.get_by_role("button", name="Path to…").click()
    page.page.locator("#path-to").fill("Larch")
    page.page.locator("#path-to-list [role=option]").first.click()
    steps = page.page.locator(".path li .step").all_inner_texts()
    assert [re.sub(r"\s+", " ", step) for step in steps] == [
        "DConvBlock is part of FACT (forecasting)", "FACT (forecasting) uses GRPO", "Larch uses GRPO",
    ]  # fmt: skip
    assert page.page.evaluate("sotagraph.shown().length") == 4
    expect(page.page.locator(".path blockquote").first).to_contain_text("FACT forecasts time series with DConvBlock")


def test_no_path_to_an_island(page: Watched) -> None:
    page.open("#node=method/dconvblock&to=method/skerry")
    expect(page.page.locator(".path")).to_contain_text("No facts connect the two")


def test_leaderboard_ranks_and_sorts_and_filters(page: Watched) -> None:
    page.open().drawn()
    page.page.get_by_role("button", name="Leaderboards").click()
    view = page.page.locator("#view-leaderboards")
    expect(view.locator("h2")).to_have_text("MiniF2F")
    assert view.locator("td.value b").all_inner_texts() == ["90.4%", "88.1%", "84.6%", "80.7%"]
    assert view.locator("tbody tr").first.locator("td.gain").inner_text() == "+9.7"
    view.get_by_role("button", name="Method").click()
    assert view.locator("td.method").all_inner_texts() == ["Larch-32B", "Larch-32B", "Larch-8B", "Oakum"]
    expect(view.locator("th.method")).to_have_attribute("aria-sort", "ascending")
    view.get_by_role("button", name="Year").click()
    view.get_by_role("button", name="Year").click()
    expect(view.locator("th.year")).to_have_attribute("aria-sort", "descending")
    view.locator("#row-find").press_sequentially("oak")
    assert view.locator("td.method").all_inner_texts() == ["Larch-32B", "Oakum"]
    assert view.locator("#row-find").evaluate("field => field === document.activeElement")


def test_leaderboard_has_a_chart_where_years_differ(page: Watched) -> None:
    page.open("#view=leaderboards&board=dataset/minif2f|metric/pass@32")
    chart = page.page.locator("svg.chart")
    expect(chart).to_be_visible()
    assert chart.locator(".name").evaluate_all("all => all.map(t => t.textContent)") == ["Oakum", "Larch-32B"]
    page.open("#view=leaderboards&board=dataset/tides|metric/accuracy")
    assert page.page.locator("svg.chart").count() == 0


def test_copy_as_markdown_csv_and_latex(page: Watched) -> None:
    page.open("#view=leaderboards")
    for kind in ("Markdown", "CSV", "LaTeX"):
        page.page.get_by_role("button", name=kind).click()
        expect(page.page.locator("#toast")).to_have_text(f"Copied as {kind}")
        text = page.page.evaluate("navigator.clipboard.readText()")
        if kind == "CSV":
            rows = list(csv.DictReader(io.StringIO(text)))
            assert (rows[0]["Method"], rows[0]["Score"], rows[0]["Gain"]) == ("Larch-32B", "90.4%", "+9.7")
            assert rows[0]["Condition"] == "pass@32, self-correction"
        elif kind == "Markdown":
            assert "| 1 | Larch-32B | 90.4% | pass@32, self-correction | Oakum | 80.7 | +9.7 |" in text
        else:
            assert r"1 & Larch-32B & 90.4\% & pass@32, self-correction & Oakum" in text


def test_conflicting_scores_are_flagged(started: Browser, tmp_path: Path) -> None:
    graph = small()
    first, second = sorted(node for node in graph if graph.nodes[node].get("value") in ("84.6", "88.1"))
    for edge in [e for e in graph.out_edges(first, keys=True) if e[2].startswith("ofMethod")]:
        graph.remove_edge(*edge)
    graph.add_edge(first, "method/larch32b", key="ofMethod|x", predicate="ofMethod", paper="paper/larch", rule="test")
    graph.nodes[first]["condition"] = graph.nodes[second]["condition"]
    with chromium.opened(started, to_html(graph), tmp_path) as page:
        page.open("#view=leaderboards")
        assert page.page.locator(".conflict").all_inner_texts() == ["also reported: 84.6%", "also reported: 88.1%"]


def test_lineage_in_layers(page: Watched) -> None:
    page.open().drawn()
    page.page.get_by_role("button", name="Lineage").first.click()
    view = page.page.locator("#view-lineage")
    view.locator("#lineage-root").fill("Larch")
    view.locator("#lineage-root-list [role=option]").first.click()
    columns = [column.all_inner_texts() for column in [view.locator(".column").nth(i).locator("bdi") for i in range(3)]]
    assert columns[0] == ["GRPO"]
    assert columns[1] == ["Larch"]
    assert set(columns[2]) == {"FACT (Features at Convergence)", "Larch-32B", "Larch-8B"}
    assert view.locator("svg.lines path").count() >= 8
    view.locator(".box", has_text="GRPO").dblclick()
    expect(view.locator("h2")).to_have_text("Lineage of GRPO")
    view.get_by_role("button", name="1", exact=True).click()
    assert page.state("depth") == "1"


def test_papers_and_their_filters(page: Watched) -> None:
    page.open().drawn()
    page.page.get_by_role("button", name="Papers").click()
    view = page.page.locator("#view-papers")
    assert view.locator(".card").count() == 5
    view.locator("select").nth(0).select_option("ICLR 2026")
    assert view.locator(".card").count() == 3
    view.locator("select").nth(1).select_option("2025")
    assert view.locator(".card h3").all_inner_texts() == ["Larch: proving with small teams", "FACT for forecasting"]
    assert view.locator("select").count() == 2  # one task is nothing to choose from
    view.get_by_role("button", name="Clear filters").click()
    view.locator("#paper-find").press_sequentially("dconv")
    assert view.locator(".card h3").all_inner_texts() == ["FACT for forecasting"]
    view.locator(".card .open").click()
    expect(page.page.locator("#panel h2")).to_have_text("FACT for forecasting")


def test_the_address_keeps_the_view(page: Watched) -> None:
    page.open(f"#node={LARCH}&around=1&hide=Task&theme=dark").drawn()
    assert page.page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(page.page.locator("#panel h2")).to_have_text("Larch")
    shown = page.page.evaluate("sotagraph.shown()")
    page.page.get_by_role("button", name="Papers").click()
    page.page.go_back()
    expect(page.page.locator("#view-graph")).to_be_visible()
    assert page.page.evaluate("sotagraph.shown()") == shown
    again = page.page.url.partition("#")[2]
    page.open("#" + again).drawn()
    assert page.page.evaluate("sotagraph.shown()") == shown


@pytest.mark.parametrize(
    "fragment",
    ["#view=nothing&node=no/such", "#around=99", "#%ff%00", "#board=a|b&view=leaderboards", "#depth=x&view=lineage"],
)
def test_a_broken_address_opens_all_the_same(page: Watched, fragment: str) -> None:
    page.open(fragment)
    assert page.page.locator(".view:visible").count() == 1


def test_dark_and_light(page: Watched) -> None:
    page.open().drawn()
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.page.evaluate(ground)
    page.page.get_by_role("button", name="Dark theme").click()
    assert page.page.evaluate(ground) != light
    assert "theme=dark" in page.page.url
    page.page.get_by_role("button", name="Light theme").click()
    assert page.page.evaluate(ground) == light


def test_the_system_theme_is_followed(page: Watched) -> None:
    page.page.emulate_media(color_scheme="dark")
    page.open().drawn()
    assert page.page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.page.emulate_media(color_scheme="light")
    expect(page.page.locator("html")).to_have_attribute("data-theme", "light")


def test_by_keyboard_alone(page: Watched) -> None:
    page.open().drawn()
    page.page.keyboard.press("Tab")
    expect(page.page.locator("#skip")).to_be_focused()
    page.page.locator(".vis-network").focus()
    page.page.keyboard.press("ArrowRight")
    first = page.state("node")
    page.page.keyboard.press("ArrowLeft")
    assert first
    assert page.state("node")
    page.page.keyboard.press("Enter")
    assert page.state("around") == "1"
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("Escape")
    assert page.state("node") == ""


def test_on_a_phone(started: Browser, html: str, tmp_path: Path) -> None:
    with chromium.opened(started, html, tmp_path, width=390, height=844) as page:
        for view in ("graph", "leaderboards", "lineage", "papers"):
            page.open(f"#view={view}")
            assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
        page.open().drawn()
        assert page.page.locator("#panel").is_hidden()
        page.page.locator("#search").fill("MiniF2F")
        page.page.keyboard.press("Enter")
        expect(page.page.locator("#panel h2")).to_be_visible()
        at = page.page.evaluate("sotagraph.where('dataset/minif2f')")
        top = page.page.locator("#panel").bounding_box()
        stage = page.page.locator("#stage").bounding_box()
        assert top is not None
        assert stage is not None
        assert at["y"] + stage["y"] < top["y"]
        page.page.get_by_role("button", name="Close details").click()
        assert page.page.locator("#panel").is_hidden()


def test_an_empty_graph(started: Browser, tmp_path: Path) -> None:
    import networkx as nx

    with chromium.opened(started, to_html(nx.MultiDiGraph()), tmp_path) as page:
        for view in ("graph", "leaderboards", "lineage", "papers"):
            page.open(f"#view={view}")
            assert page.page.locator(".view:visible").count() == 1


def test_a_large_graph_opens_on_an_overview(started: Browser, tmp_path: Path) -> None:
    graph = corpus(700)
    html = to_html(graph)
    with chromium.opened(started, html, tmp_path) as page:
        page.open().drawn()
        assert len(page.page.evaluate("sotagraph.shown()")) == 320
        expect(page.page.locator("#crumb")).to_contain_text("The 320 most connected of")
        page.page.get_by_role("button", name="Show all").click()
        assert page.page.evaluate("sotagraph.shown().length") > 2500
        box = page.page.evaluate("sotagraph.box()")
        assert (box["bottom"] - box["top"]) / box["height"] >= 0.6
        page.page.locator("#search").fill("p00123".replace("p00", "") + "zzz")
        page.page.keyboard.press("Escape")
        label = graph.nodes["paper/p00123"]["label"]
        page.page.locator("#search").fill(label)
        page.page.keyboard.press("Enter")
        expect(page.page.locator("#panel h2")).to_have_text(label)


def test_it_prints(page: Watched) -> None:
    page.open("#view=leaderboards")
    page.page.emulate_media(media="print")
    assert page.page.locator(".tabs").is_hidden()
    assert page.page.locator("table").is_visible()
