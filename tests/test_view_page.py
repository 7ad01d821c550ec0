from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from sotagraph.view import to_html, view
from sotagraph.view.network import SHAPES, library, to_network
from sotagraph.view.page import SCRIPTS
from sotagraph.view.sample import GraphBuilder, corpus, small

TEMPLATES = Path(sys.modules["sotagraph.view"].__file__ or "").parent / "templates"


class Tags(HTMLParser):
    """Every tag with its attributes, and the text inside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.raw.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem and self.raw:
            tag, attributes, text = self.raw[-1]
            self.raw[-1] = (tag, attributes, text + data)


@pytest.fixture(scope="module")
def page() -> str:
    return to_html(small(), title="Small")


@pytest.fixture(scope="module")
def tags(page: str) -> Tags:
    return Tags(page)


def data(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(body for _, attrs, body in Tags(text).raw if attrs.get("id") == "data"))
    return found


def policy(tags: Tags) -> dict[str, list[str]]:
    content = next(
        a["content"] for t, a in tags.tags if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    )
    assert content is not None
    return {part.split()[0]: part.split()[1:] for part in content.split(";")}


def test_the_policy_forbids_any_connection(tags: Tags) -> None:
    rules = policy(tags)
    assert rules["default-src"] == ["'none'"]
    assert rules["img-src"] == ["data:"]
    assert rules["base-uri"] == rules["form-action"] == ["'none'"]
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert all(source.startswith("'sha256-") for source in rules["script-src"] + rules["style-src"])


def test_the_hashes_are_those_of_the_scripts_and_styles(tags: Tags) -> None:
    rules = policy(tags)
    for tag, attributes, text in tags.raw:
        if attributes.get("type") == "application/json":
            continue
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in rules["script-src" if tag == "script" else "style-src"]


def test_nothing_is_loaded_from_anywhere(page: str, tags: Tags) -> None:
    for tag, attributes in tags.tags:
        assert not attributes.get("src"), tag
        assert tag != "link" or attributes["href"] == "data:,"
        assert not any(name.startswith("on") or name == "style" for name in attributes)
    assert "bootstrap" not in page
    assert "cdnjs" not in page
    assert not re.search(r"url\(\s*[\"']?https?:", page)


def test_no_line_of_the_pages_own_scripts_writes_markup() -> None:
    for name in SCRIPTS:
        text = (TEMPLATES / "js" / f"{name}.js").read_text(encoding="utf-8")
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "fetch(",
            "XMLHttpRequest",
        ):
            assert word not in text, f"{name}.js: {word}"


def test_every_script_of_the_folder_is_on_the_page() -> None:
    assert sorted(path.stem for path in (TEMPLATES / "js").glob("*.js")) == sorted(SCRIPTS)


def test_the_network_is_that_of_pyvis(page: str) -> None:
    from pyvis.network import Network

    from sotagraph.view.data import payload

    network = to_network(payload(small()))
    assert isinstance(network, Network)
    assert data(page)["nodes"] == network.nodes
    assert data(page)["edges"] == network.edges
    assert {group["shape"] for group in data(page)["options"]["groups"].values()} == set(SHAPES.values())


def test_the_library_is_the_one_that_pyvis_ships(page: str) -> None:
    assert "vis-network" in library()[:200]
    assert library() in page


def test_the_graph_is_not_changed() -> None:
    graph = small()
    to_html(graph)
    assert nx.utils.graphs_equal(graph, small())


def test_the_title_is_text() -> None:
    text = to_html(small(), title="</title><script>alert(1)</script>")
    assert len([tag for tag, _ in Tags(text).tags if tag == "script"]) == 3
    assert data(text)["title"] == "</title><script>alert(1)</script>"


def test_placeholders_in_the_input_stay_as_they_are() -> None:
    builder = GraphBuilder()
    builder.paper("p", "{{ script }} {{ data }} {{ nothing }}", title="{{ library }}")
    found = data(to_html(builder.graph, title="{{ style }}"))
    assert "library" not in found["texts"]["0"]
    assert found["nodes"][0]["label"] == "{{ library }}"
    assert found["title"] == "{{ style }}"


def test_a_lone_surrogate_becomes_a_mark_that_can_be_written() -> None:
    builder = GraphBuilder()
    builder.paper("p", "Half a pair \ud835 here.", title="\udc00")
    to_html(builder.graph, title="\ud800").encode("utf-8")


@pytest.mark.parametrize(
    "environment", [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "77", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}]
)
def test_the_same_bytes_in_any_process(page: str, environment: dict[str, str]) -> None:
    code = (
        "import hashlib; from sotagraph.view import to_html; from sotagraph.view.sample import small;"
        "print(hashlib.sha256(to_html(small(), title='Small').encode()).hexdigest())"
    )
    root = str(TEMPLATES.parents[2])
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment | {"PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == hashlib.sha256(page.encode()).hexdigest()


def test_ten_thousand_nodes_stay_below_five_megabytes() -> None:
    graph = corpus(1850)
    assert len(graph) >= 10_000
    assert len(to_html(graph).encode()) <= 5_000_000


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    shown = view(small(), title="Note", height=300)._repr_html_()
    ((tag, attributes),) = Tags(shown).tags
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts allow-popups"
    assert attributes["height"] == "300"
    assert attributes["srcdoc"] == to_html(small(), title="Note")
    assert "characters" in repr(view(small()))


def test_a_page_is_written_and_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    path = view(small()).open(tmp_path / "a.html")
    assert path.read_bytes() == to_html(small()).encode()
    assert opened == [path.as_uri()]
    assert [p.name for p in tmp_path.iterdir()] == ["a.html"]
