r"""The page as one string: template, styles, scripts and data in a single document that may connect to nothing.

What comes from papers enters only inside a JSON data block, where ``<`` is written ``\u003c``, and in the document's
title, escaped. The Content-Security-Policy names the hashes of our own scripts and styles, so nothing else can run.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from sotagraph.content import Content, content_of
from sotagraph.view.data import KINDS, PREDICATES, Payload, Read, payload_of, to_json
from sotagraph.view.network import OUTSIDE, SHAPES, library, to_network

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["html_of", "to_html"]

#: Scripts in the order in which they build on each other.
SCRIPTS = (
    "base",
    "model",
    "state",
    "overlay",
    "graph",
    "search",
    "facts",
    "panel",
    "path",
    "boards",
    "chart",
    "lineage",
    "papers",
    "main",
)

_LONE = re.compile("[\ud800-\udfff]")


def to_html(graph: nx.MultiDiGraph[str], *, title: str = "", seed: int = 0) -> str:
    r"""The whole page for a graph of the graph contract; the same graph gives the same text.

    Write it with ``encoding="utf-8", newline="\n"``: the hashes in it are those of its scripts byte for byte.

    Raises:
        InputError: a node or an edge has a kind or predicate that the page does not know.

    >>> from sotagraph.view.sample import small
    >>> page = to_html(small(), title="A < B")
    >>> "<title>A &lt; B · sotagraph</title>" in page, "default-src 'none'" in page
    (True, True)
    """
    return html_of(content_of(graph), title=title, seed=seed)


def html_of(content: Content, *, title: str = "", seed: int = 0, known: Read | None = None) -> str:
    """The same for the content of a graph; `known` is what was read of a former one.

    Raises:
        InputError: a node or an edge has a kind or predicate that the page does not know.
    """
    rows = payload_of(content, known)
    network = to_network(rows, seed=seed)
    nodes, edges, *_, options = network.get_network_data()
    data = {"nodes": nodes, "edges": edges, "options": json.loads(options), **_facts(rows), "title": title}
    style, drawing, script = _text("page.css"), library(), _script()
    policy = (
        "default-src 'none'; "
        f"script-src {_hash(drawing)} {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "policy": policy,
        "title": html.escape(f"{title} · sotagraph" if title else "sotagraph"),
        "style": style,
        "library": drawing,
        "data": _data(data, rows),
        "script": script,
    }
    # One pass, so that nothing that was put in is looked at again.
    text = re.sub(r"\{\{ (\w+) \}\}", lambda match: parts[match[1]], _text("page.html"))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _LONE.sub("\ufffd", text)
    return text


def _facts(rows: Payload) -> dict[str, Any]:
    """What the network does not hold, aligned with its nodes and edges."""
    return {
        "kinds": KINDS,
        "shapes": SHAPES,
        "outside": OUTSIDE,
        "predicates": PREDICATES,
        "ids": rows.ids,
        "more": (),  # in its place; it is written already
        "facts": [edge.facts for edge in rows.edges],
        "sentences": rows.sentences,
        "rules": rows.rules,
        "texts": rows.texts,
    }


def _data(data: dict[str, Any], rows: Payload) -> str:
    """The data block."""
    more = f"[{','.join(rows.written)}]"
    parts = (f"{to_json(name)}:{more if name == 'more' else to_json(value)}" for name, value in data.items())
    return f"{{{','.join(parts)}}}"


def _script() -> str:
    """All scripts as one closed function."""
    parts = (_text(f"js/{name}.js") for name in SCRIPTS)
    return "(function () {\n'use strict';\n" + "\n".join(parts) + "\n})();"


def _text(name: str) -> str:
    text = files("sotagraph.view").joinpath("templates", name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n").strip("\n")


def _hash(content: str) -> str:
    """The source expression that lets exactly this inline content run."""
    digest = base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
