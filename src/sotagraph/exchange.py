"""The graph in the forms that other tools open: GraphML, GEXF and two CSV tables. Pure functions from graph to text.

All are written here rather than by networkx: its writers leave carriage returns to be changed by the next reader, order
attributes by their first appearance, and stop at parallel edges in GEXF.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["to_edges_csv", "to_gexf", "to_graphml", "to_nodes_csv"]

#: Python type → the type's name, which GraphML and GEXF share.
_TYPES: dict[type, str] = {bool: "boolean", int: "long", float: "double", str: "string"}
#: What a text must hold for escaping to change it; most hold none of it.
_UNQUOTABLE = re.compile(r"[&<>\"\r\t\n]")
_ESCAPES = {"\r": "&#13;", "\t": "&#9;", "\n": "&#10;"}


def to_graphml(graph: nx.MultiDiGraph[str]) -> str:
    """GraphML with typed attributes; ``networkx.read_graphml`` gives the same nodes, edges and values back.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", label="A & B")
    >>> '<data key="node_label">A &amp; B</data>' in to_graphml(graph)
    True
    """
    nodes, edges = _columns(graph.nodes.values()), _columns(graph.edges.values())
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *_graphml_keys("node", nodes),
        *_graphml_keys("edge", edges),
        '<graph edgedefault="directed">',
    ]
    for node, data in graph.nodes(data=True):
        lines.append(f"<node id={_attribute(node)}>{_graphml_data('node', data, nodes)}</node>")
    for source, target, key, data in graph.edges(keys=True, data=True):
        ends = f"id={_attribute(str(key))} source={_attribute(source)} target={_attribute(target)}"
        lines.append(f"<edge {ends}>{_graphml_data('edge', data, edges)}</edge>")
    return "\n".join([*lines, "</graph>", "</graphml>", ""])


def to_gexf(graph: nx.MultiDiGraph[str]) -> str:
    """GEXF 1.3 for Gephi; parallel edges are told apart by number and labelled by predicate.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", label="A")
    >>> '<node id="method/a" label="A">' in to_gexf(graph)
    True
    """
    nodes, edges = _columns(graph.nodes.values()), _columns(graph.edges.values())
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<gexf xmlns="http://gexf.net/1.3" version="1.3">',
        '<graph defaultedgetype="directed">',
        *_gexf_attributes("node", nodes),
        *_gexf_attributes("edge", edges),
        "<nodes>",
    ]
    for node, data in graph.nodes(data=True):
        ends = f"id={_attribute(node)} label={_attribute(str(data.get('label', node)))}"
        lines.append(f"<node {ends}>{_gexf_values(data, nodes)}</node>")
    lines += ["</nodes>", "<edges>"]
    for number, (source, target, data) in enumerate(graph.edges(data=True)):
        predicate = str(data.get("predicate", ""))
        ends = f'id="{number}" source={_attribute(source)} target={_attribute(target)}'
        # Gephi merges parallel edges of one kind, and keeps those of different kinds apart.
        kind = f"label={_attribute(predicate)} kind={_attribute(predicate)}"
        lines.append(f"<edge {ends} {kind}>{_gexf_values(data, edges)}</edge>")
    return "\n".join([*lines, "</edges>", "</graph>", "</gexf>", ""])


def to_nodes_csv(graph: nx.MultiDiGraph[str]) -> str:
    """One row a node: id, kind, label, then every other attribute in alphabetical order.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", label="A", kind="Method", name="A")
    >>> to_nodes_csv(graph).splitlines()
    ['id,kind,label,name', 'method/a,Method,A,A']
    """
    columns = _first(("kind", "label"), _columns(graph.nodes.values()))
    return _csv(("id", *columns), ((node, *_cells(data, columns)) for node, data in graph.nodes(data=True)))


def to_edges_csv(graph: nx.MultiDiGraph[str]) -> str:
    """One row an edge: source, predicate, target, key, then every other attribute in alphabetical order.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph()
    >>> key = graph.add_edge("paper/p", "method/a", key="uses|paper/p", predicate="uses")
    >>> to_edges_csv(graph).splitlines()
    ['source,predicate,target,key', 'paper/p,uses,method/a,uses|paper/p']
    """
    columns = [c for c in _columns(graph.edges.values()) if c != "predicate"]
    rows = (
        (source, str(data.get("predicate", "")), target, str(key), *_cells(data, columns))
        for source, target, key, data in graph.edges(keys=True, data=True)
    )
    return _csv(("source", "predicate", "target", "key", *columns), rows)


def _columns(records: Iterable[Mapping[str, Any]]) -> dict[str, type]:
    """Every attribute with its type, in alphabetical order; int and float together are float."""
    found: dict[str, type] = {}
    for record in records:
        for name, value in record.items():
            kind = type(value)
            found[name] = float if {found.get(name, kind), kind} == {int, float} else found.get(name, kind)
    return dict(sorted(found.items()))


def _first(names: tuple[str, ...], columns: dict[str, type]) -> list[str]:
    return [*(name for name in names if name in columns), *(name for name in columns if name not in names)]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _attribute(text: str) -> str:
    return quoteattr(text, _ESCAPES) if _UNQUOTABLE.search(text) else f'"{text}"'


def _content(text: str) -> str:
    return escape(text, {"\r": "&#13;"}) if _UNQUOTABLE.search(text) else text


def _graphml_keys(scope: str, columns: dict[str, type]) -> list[str]:
    return [
        f'<key id="{scope}_{name}" for="{scope}" attr.name={_attribute(name)} attr.type="{_TYPES[kind]}"/>'
        for name, kind in columns.items()
    ]


def _graphml_data(scope: str, data: Mapping[str, Any], columns: dict[str, type]) -> str:
    return "".join(
        f'<data key="{scope}_{name}">{_content(_text(data[name]))}</data>' for name in columns if name in data
    )


def _gexf_attributes(scope: str, columns: dict[str, type]) -> list[str]:
    lines = [
        f'<attribute id={_attribute(name)} title={_attribute(name)} type="{_TYPES[kind]}"/>'
        for name, kind in columns.items()
    ]
    return [f'<attributes class="{scope}">', *lines, "</attributes>"] if lines else []


def _gexf_values(data: Mapping[str, Any], columns: dict[str, type]) -> str:
    values = "".join(
        f"<attvalue for={_attribute(name)} value={_attribute(_text(data[name]))}/>" for name in columns if name in data
    )
    return f"<attvalues>{values}</attvalues>" if values else ""


def _cells(data: Mapping[str, Any], columns: Iterable[str]) -> list[str]:
    return [_text(data[name]) if name in data else "" for name in columns]


def _csv(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
