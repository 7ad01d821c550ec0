"""The pages of the server: the editor, and a page for each thing. All text of the graph is escaped here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from sotagraph.graph import Graph
from sotagraph.query import named_queries
from sotagraph.terms import BASE, iri_of

__all__ = ["HTML", "asset", "editor", "plain", "thing"]

HTML = "text/html; charset=utf-8"
_EXAMPLE = """SELECT ?paper ?label ?proposes
WHERE {
  ?paper a sg:Paper ; rdfs:label ?label .
  OPTIONAL { ?paper sg:proposes/rdfs:label ?proposes }
}
ORDER BY ?label
LIMIT 50"""


@cache
def asset(name: str) -> bytes:
    """One of the files beside this module."""
    return (Path(__file__).with_name("assets") / name).read_bytes()


def _document(title: str, body: str, script: str = "") -> bytes:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f'<link rel="stylesheet" href="/editor.css">\n<link rel="icon" href="data:,">\n{script}</head>\n<body>\n'
        '<nav><a href="/">Query</a> <a href="/graph">Graph</a> <a href="/ns">Ontology</a></nav>\n'
        f"{body}\n</body>\n</html>\n"
    ).encode("utf-8", "replace")


def editor(graph: Graph) -> bytes:
    """The query editor, with the named queries as a menu."""
    options = "".join(
        f'<option value="{escape(q.name)}">{escape(q.name)}: {escape(q.description)}</option>'
        for q in named_queries().values()
    )
    body = (
        "<h1>SPARQL</h1>\n"
        f"<p>{len(graph)} nodes, {graph.number_of_edges()} edges. Prefixes such as <code>sg:</code> and "
        "<code>method:</code> need not be declared.</p>\n"
        f'<p><label>Named query <select id="named"><option value="">none</option>{options}</select></label></p>\n'
        '<div id="parameters"></div>\n'
        f'<form id="form"><textarea id="query" rows="14" spellcheck="false">{escape(_EXAMPLE)}</textarea>\n'
        '<p><button type="submit">Run</button> <kbd>Ctrl+Enter</kbd> <span id="status" role="status"></span> '
        '<a id="download" hidden>CSV</a></p></form>\n'
        '<div id="answer"></div>'
    )
    return _document("SPARQL over papers", body, '<script src="/editor.js" defer></script>\n')


def thing(graph: Graph, node: str) -> bytes:
    """What the graph knows of one node: its attributes, and its edges both ways, each with its sentence."""
    data = graph.nodes[node]
    rows = "".join(f"<tr><th>{escape(k)}</th><td>{_value(k, v)}</td></tr>" for k, v in data.items() if k != "label")
    out = sorted(
        ((d["predicate"], target, d) for _, target, d in graph.out_edges(node, data=True)), key=lambda edge: edge[:2]
    )
    back = sorted(
        ((d["predicate"], source, d) for source, _, d in graph.in_edges(node, data=True)), key=lambda edge: edge[:2]
    )
    body = (
        f"<h1>{escape(data['label'])}</h1>\n<p class=kind>{escape(data['kind'])} <code>{escape(node)}</code> "
        + " ".join(f'<a href="{_address(node)}?format={f}">{f}</a>' for f in ("ttl", "jsonld", "nt", "rdfxml"))
        + f"</p>\n<table>{rows}</table>\n"
        + _edges(graph, "What it says", out)
        + _edges(graph, "What is said of it", back)
    )
    return _document(data["label"], body)


def plain(node: str, triples: str) -> bytes:
    """A statement, sentence or text: its triples, as they are."""
    return _document(node, f"<h1>{escape(node)}</h1>\n<pre>{escape(triples)}</pre>")


def _edges(graph: Graph, title: str, edges: Iterable[tuple[str, str, dict[str, Any]]]) -> str:
    items = "".join(
        f"<li><b>{escape(predicate)}</b> {_link(graph, other)}"
        + (f"<blockquote>{escape(data['sentence'])}</blockquote>" if "sentence" in data else "")
        + (f"<small>{_link(graph, data['paper'])}, {escape(data.get('rule', ''))}, {data.get('confidence', '')}</small>"
           if data.get("paper") in graph else "")
        + "</li>\n"
        for predicate, other, data in edges
    )  # fmt: skip
    return f"<h2>{title}</h2>\n<ul>\n{items}</ul>\n" if items else ""


def _address(node: str) -> str:
    return "/id/" + escape(iri_of(node).removeprefix(BASE))


def _link(graph: Graph, node: str) -> str:
    return f'<a href="{_address(node)}">{escape(graph.nodes[node]["label"])}</a>'


def _value(name: str, value: Any) -> str:
    text = str(value)
    if name in ("aliases", "links", "reasons", "identifiers"):
        found = json.loads(text)
        items = [f"{k}: {v}" for k, v in found.items()] if isinstance(found, dict) else map(_flat, found)
        return "<br>".join(escape(item) for item in items)
    if name == "url" and text.startswith(("https://", "http://")):
        return f'<a href="{escape(text)}" rel="noreferrer noopener">{escape(text)}</a>'
    return escape(text)


def _flat(item: object) -> str:
    if isinstance(item, dict):
        return ", ".join(f"{k} {v}" for k, v in item.items())
    return " ".join(map(str, item)) if isinstance(item, list) else str(item)
