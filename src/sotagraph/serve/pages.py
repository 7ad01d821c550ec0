"""The pages of the server: the editor, and a page for each thing. All text of the graph is escaped here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from sotagraph.graph import Graph
from sotagraph.query import named_queries
from sotagraph.terms import BASE, Term, curie, id_of, iri_of

__all__ = ["HTML", "asset", "editor", "plain", "thing"]

#: Attributes that a page shows in its own way.
_SHOWN_ELSEWHERE = ("kind", "label", "text", "phrases")
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
    rows = "".join(
        f"<tr><th>{escape(k)}</th><td>{_value(k, v)}</td></tr>" for k, v in data.items() if k not in _SHOWN_ELSEWHERE
    )
    out = sorted(
        ((d["predicate"], target, d) for _, target, d in graph.out_edges(node, data=True)), key=lambda edge: edge[:2]
    )
    back = sorted(
        ((d["predicate"], source, d) for source, _, d in graph.in_edges(node, data=True)), key=lambda edge: edge[:2]
    )
    body = (
        f"<h1>{escape(data['label'])}</h1>\n{_kind(data['kind'], node)}\n"
        + (f"<p class=text>{_marked(graph, data)}</p>\n" if "text" in data else "")
        + f"<table>{rows}</table>\n"
        + _edges(graph, "What it says", out, back=False)
        + _edges(graph, "What is said of it", back, back=True)
    )
    return _document(data["label"], body)


def plain(node: str, out: Iterable[tuple[Term, Term]], back: Iterable[tuple[Term, Term]]) -> bytes:
    """A statement, sentence, phrase or text: its properties with their values, and what points at it."""

    def table(title: str, rows: Iterable[tuple[Term, Term]]) -> str:
        lines = "".join(f"<tr><th>{_term(one)}</th><td>{_term(other)}</td></tr>" for one, other in rows)
        return f"<h2>{title}</h2>\n<table>{lines}</table>\n" if lines else ""

    kind = node.partition("/")[0].capitalize()
    body = f"<h1>{escape(node)}</h1>\n{_kind(kind, node)}\n" + table("What it says", out)
    return _document(node, body + table("What points at it", back))


def _kind(kind: str, node: str) -> str:
    forms = " ".join(f'<a href="{_address(node)}?format={f}">{f}</a>' for f in ("ttl", "jsonld", "nt", "rdfxml"))
    return f"<p class=kind>{escape(kind)} <code>{escape(node)}</code> {forms}</p>"


def _marked(graph: Graph, data: Mapping[str, Any]) -> str:
    """The text of a paper, each phrase that names a thing as a link to it; of two that overlap the first."""
    text, parts, last = data["text"], [], 0
    for start, end, node in json.loads(data.get("phrases", "[]")):
        if start >= last and node in graph:
            parts += [escape(text[last:start]), f'<a href="{_address(node)}">{escape(text[start:end])}</a>']
            last = end
    return "".join([*parts, escape(text[last:])])


def _term(term: Term) -> str:
    if isinstance(term, str) and term.startswith(BASE):
        return f'<a href="{_address(id_of(term))}">{escape(id_of(term))}</a>'
    return escape(curie(term) if isinstance(term, str) else term.lexical)


def _edges(graph: Graph, title: str, edges: Iterable[tuple[str, str, dict[str, Any]]], *, back: bool) -> str:
    items = "".join(
        f"<li>{_told(graph, predicate, other, back=back)}"
        + (f"<blockquote>{escape(data['sentence'])}</blockquote>" if "sentence" in data else "")
        + (f"<small>{_link(graph, data['paper'])}, {escape(data.get('rule', ''))}, {data.get('confidence', '')}</small>"
           if data.get("paper") in graph else "")
        + "</li>\n"
        for predicate, other, data in edges
    )  # fmt: skip
    return f"<h2>{title}</h2>\n<ul>\n{items}</ul>\n" if items else ""


def _told(graph: Graph, predicate: str, other: str, *, back: bool) -> str:
    """An edge in the order in which it reads; the kind tells a paper from the method by whose name it goes."""
    link = f"{_link(graph, other)} <small>{escape(graph.nodes[other]['kind'])}</small>"
    return f"{link} <b>{escape(predicate)}</b> this" if back else f"<b>{escape(predicate)}</b> {link}"


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
