"""The graph in the forms that other tools open: node-link JSON, GraphML, GEXF and two CSV tables, piece by piece.

All are written here rather than by networkx: its writers leave carriage returns to be changed by the next reader, order
attributes by their first appearance, and stop at parallel edges in GEXF. A form says how one node and one edge are
written, so that a build writes anew only those that changed.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from sotagraph.content import Columns, Content, Cut, content_of
from sotagraph.pieces import Pieces, Section, text

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["FORMS", "Form", "Plan", "pieces", "to_edges_csv", "to_gexf", "to_graphml", "to_json", "to_nodes_csv"]

#: Python type → the type's name, which GraphML and GEXF share.
_TYPES = {"bool": "boolean", "int": "long", "float": "double", "str": "string"}
#: What a text must hold for escaping to change it; most hold none of it.
_UNQUOTABLE = re.compile(r"[&<>\"\r\t\n]")
_ESCAPES = {"\r": "&#13;", "\t": "&#9;", "\n": "&#10;"}
#: Made once; ``json.dumps`` would make one a call.
_ENCODER = json.JSONEncoder(ensure_ascii=False)

Types = Mapping[str, str]
#: How one node is written, from its id, its attributes and the types of all attributes of nodes.
NodeWriter = Callable[[str, Mapping[str, Any], Types], str]
#: The same of an edge, from its source, target, key and attributes.
EdgeWriter = Callable[[str, str, str, Mapping[str, Any], Types], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One format: what stands before, between and behind nodes and edges, and how each of them is written."""

    head: Callable[[Mapping[str, Any], Types, Types], str]
    node: NodeWriter | None = None
    between: Callable[[Types], str] = lambda _: ""
    edge: EdgeWriter | None = None
    tail: str = ""
    joint: str = ""
    #: What precedes the text of an edge, with its place among all edges.
    number: str = ""
    #: Whether nodes and edges are written otherwise where there are other attributes.
    tabular: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A content on its way into files: the cuts that lead to it from the content before, and its attributes' types."""

    content: Content
    nodes: Sequence[Cut]
    edges: Sequence[Cut]
    node_types: Types
    edge_types: Types
    #: Whether there is a content before.
    based: bool = False

    @classmethod
    def anew(cls, content: Content) -> Plan:
        """A plan that owes nothing to a content before."""
        return cls(
            content,
            [Cut(0, 0, list(content.nodes))],
            [Cut(0, 0, list(content.edges))],
            Columns().add(content.nodes.values()).types(),
            Columns().add(content.edges.values()).types(),
        )


def pieces(form: Form, plan: Plan) -> Pieces:
    """A file of a form, by the cuts of a plan."""
    content = plan.content
    sections = []
    if form.node is not None:
        write, types = form.node, plan.node_types
        new = [
            Cut(start, end, [write(node, content.nodes[node], types) for node in some])
            for start, end, some in plan.nodes
        ]
        sections.append(Section(form.head(content.attributes, types, plan.edge_types), new, form.joint))
    if form.edge is not None:
        write_edge, types = form.edge, plan.edge_types
        new = [
            Cut(start, end, [write_edge(s, t, k, content.edges[s, t, k], types) for s, t, k in some])
            for start, end, some in plan.edges
        ]
        head = form.between(types) if sections else form.head(content.attributes, plan.node_types, types)
        sections.append(Section(head, new, form.joint, form.number))
    return Pieces(sections, form.tail, plan.based)


def to_json(graph: nx.MultiDiGraph[str]) -> str:
    """Node-link JSON, one node or edge a line, in the graph's order; reads back to an equal graph.

    >>> import networkx as nx
    >>> from sotagraph.graph import from_json
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", kind="Method", label="A", name="A")
    >>> nx.utils.graphs_equal(graph, from_json(to_json(graph)))
    True
    """
    return _text("json", graph)


def to_graphml(graph: nx.MultiDiGraph[str]) -> str:
    """GraphML with typed attributes; ``networkx.read_graphml`` gives the same nodes, edges and values back.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", label="A & B")
    >>> '<data key="node_label">A &amp; B</data>' in to_graphml(graph)
    True
    """
    return _text("graphml", graph)


def to_gexf(graph: nx.MultiDiGraph[str]) -> str:
    """GEXF 1.3 for Gephi; parallel edges are told apart by number and labelled by predicate.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", label="A")
    >>> '<node id="method/a" label="A">' in to_gexf(graph)
    True
    """
    return _text("gexf", graph)


def to_nodes_csv(graph: nx.MultiDiGraph[str]) -> str:
    """One row a node: id, kind, label, then every other attribute in alphabetical order.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", label="A", kind="Method", name="A")
    >>> to_nodes_csv(graph).splitlines()
    ['id,kind,label,name', 'method/a,Method,A,A']
    """
    return _text("nodes", graph)


def to_edges_csv(graph: nx.MultiDiGraph[str]) -> str:
    """One row an edge: source, predicate, target, key, then every other attribute in alphabetical order.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph()
    >>> key = graph.add_edge("paper/p", "method/a", key="uses|paper/p", predicate="uses")
    >>> to_edges_csv(graph).splitlines()
    ['source,predicate,target,key', 'paper/p,uses,method/a,uses|paper/p']
    """
    return _text("edges", graph)


def _text(name: str, graph: nx.MultiDiGraph[str]) -> str:
    return text(pieces(FORMS[name], Plan.anew(content_of(graph))))


def _json_head(attributes: Mapping[str, Any], _nodes: Types, _edges: Types) -> str:
    head = '{"directed": true, "multigraph": true,\n"graph": '
    return f'{head}{_ENCODER.encode(dict(attributes))},\n"nodes": [\n'


def _json_node(node: str, data: Mapping[str, Any], _types: Types) -> str:
    return _ENCODER.encode({"id": node, **data})


def _json_edge(source: str, target: str, key: str, data: Mapping[str, Any], _types: Types) -> str:
    return _ENCODER.encode({"source": source, "target": target, "key": key, **data})


def _cell(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _attribute(value: str) -> str:
    return quoteattr(value, _ESCAPES) if _UNQUOTABLE.search(value) else f'"{value}"'


def _inner(value: str) -> str:
    return escape(value, {"\r": "&#13;"}) if _UNQUOTABLE.search(value) else value


def _graphml_head(_attributes: Mapping[str, Any], nodes: Types, edges: Types) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [
        f'<key id="{scope}_{name}" for="{scope}" attr.name={_attribute(name)} attr.type="{_TYPES[kind]}"/>'
        for scope, types in (("node", nodes), ("edge", edges))
        for name, kind in types.items()
    ]
    return "\n".join([*lines, '<graph edgedefault="directed">', ""])


def _graphml_node(node: str, data: Mapping[str, Any], _types: Types) -> str:
    return f"<node id={_attribute(node)}>{_graphml_data('node', data)}</node>\n"


def _graphml_edge(source: str, target: str, key: str, data: Mapping[str, Any], _types: Types) -> str:
    ends = f"id={_attribute(key)} source={_attribute(source)} target={_attribute(target)}"
    return f"<edge {ends}>{_graphml_data('edge', data)}</edge>\n"


def _graphml_data(scope: str, data: Mapping[str, Any]) -> str:
    return "".join(f'<data key="{scope}_{name}">{_inner(_cell(data[name]))}</data>' for name in sorted(data))


def _gexf_head(_attributes: Mapping[str, Any], nodes: Types, edges: Types) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<gexf xmlns="http://gexf.net/1.3" version="1.3">',
        '<graph defaultedgetype="directed">',
        *_gexf_attributes("node", nodes),
        *_gexf_attributes("edge", edges),
        "<nodes>",
    ]
    return "\n".join([*lines, ""])


def _gexf_attributes(scope: str, types: Types) -> list[str]:
    lines = [
        f'<attribute id={_attribute(name)} title={_attribute(name)} type="{_TYPES[kind]}"/>'
        for name, kind in types.items()
    ]
    return [f'<attributes class="{scope}">', *lines, "</attributes>"] if lines else []


def _gexf_node(node: str, data: Mapping[str, Any], _types: Types) -> str:
    ends = f"id={_attribute(node)} label={_attribute(str(data.get('label', node)))}"
    return f"<node {ends}>{_gexf_values(data)}</node>\n"


def _gexf_edge(source: str, target: str, _key: str, data: Mapping[str, Any], _types: Types) -> str:
    predicate = _attribute(str(data.get("predicate", "")))
    # Gephi merges parallel edges of one kind, and keeps those of different kinds apart.
    ends = f"source={_attribute(source)} target={_attribute(target)} label={predicate} kind={predicate}"
    return f"{ends}>{_gexf_values(data)}</edge>\n"


def _gexf_values(data: Mapping[str, Any]) -> str:
    values = "".join(
        f"<attvalue for={_attribute(name)} value={_attribute(_cell(data[name]))}/>" for name in sorted(data)
    )
    return f"<attvalues>{values}</attvalues>" if values else ""


def _node_columns(types: Types) -> list[str]:
    first = [name for name in ("kind", "label") if name in types]
    return [*first, *(name for name in types if name not in first)]


def _edge_columns(types: Types) -> list[str]:
    return [name for name in types if name != "predicate"]


def _nodes_head(_attributes: Mapping[str, Any], nodes: Types, _edges: Types) -> str:
    return _row(("id", *_node_columns(nodes)))


def _nodes_row(node: str, data: Mapping[str, Any], types: Types) -> str:
    return _row((node, *_cells(data, _node_columns(types))))


def _edges_head(_attributes: Mapping[str, Any], _nodes: Types, edges: Types) -> str:
    return _row(("source", "predicate", "target", "key", *_edge_columns(edges)))


def _edges_row(source: str, target: str, key: str, data: Mapping[str, Any], types: Types) -> str:
    return _row((source, str(data.get("predicate", "")), target, key, *_cells(data, _edge_columns(types))))


def _cells(data: Mapping[str, Any], columns: Iterable[str]) -> list[str]:
    return [_cell(data[name]) if name in data else "" for name in columns]


class _Rows(list[str]):
    """Where the writer of CSV puts its rows, one a call."""

    write = list.append


_ROWS = _Rows()
_WRITER = csv.writer(_ROWS, lineterminator="\n")


def _row(cells: Sequence[str]) -> str:
    _WRITER.writerow(cells)
    return _ROWS.pop()


#: Name of a format → how it is written.
FORMS: Mapping[str, Form] = {
    "json": Form(
        head=_json_head,
        node=_json_node,
        between=lambda _: '\n],\n"edges": [\n',
        edge=_json_edge,
        tail="\n]}\n",
        joint=",\n",
    ),
    "graphml": Form(head=_graphml_head, node=_graphml_node, edge=_graphml_edge, tail="</graph>\n</graphml>\n"),
    "gexf": Form(
        head=_gexf_head,
        node=_gexf_node,
        between=lambda _: "</nodes>\n<edges>\n",
        edge=_gexf_edge,
        tail="</edges>\n</graph>\n</gexf>\n",
        number='<edge id="{}" ',
    ),
    "nodes": Form(head=_nodes_head, node=_nodes_row, tabular=True),
    "edges": Form(head=_edges_head, edge=_edges_row, tabular=True),
}
