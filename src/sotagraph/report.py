"""``report.md``: what a build found, for reading before anything is opened."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sotagraph.content import Content, content_of

if TYPE_CHECKING:
    from sotagraph.graph import Graph

__all__ = ["report", "report_of"]

#: Lines of each list; the graph itself has the rest.
TOP = 15
#: Results that a leaderboard must have to be printed, and how many leaderboards are.
LEAST_RESULTS = 2
BOARDS = 10


def report(graph: Graph) -> str:
    """The report of a graph as Markdown; equal graphs give equal text.

    What reading and linking complained of stands in the graph's own attribute ``warnings``, a JSON list of lines.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("paper/p", kind="Paper", label="Ours")
    >>> print(report(graph).splitlines()[0])
    # Graph of 1 paper
    """
    return report_of(content_of(graph))


def report_of(graph: Content) -> str:
    """The same for the content of a graph."""
    kinds = Counter(data["kind"] for data in graph.nodes.values())
    papers = kinds["Paper"]
    parts = [
        f"# Graph of {papers} paper{'' if papers == 1 else 's'}\n",
        _counts(graph, kinds),
        _listing("Warnings", json.loads(graph.attributes.get("warnings", "[]"))),
        _listing("Ambiguous names", _unsettled(graph)),
        _homonyms(graph),
        _most_used(graph),
        _boards(graph),
        _papers(graph),
    ]
    return "\n".join(part for part in parts if part)


def _counts(graph: Content, kinds: Counter[str]) -> str:
    predicates = Counter(data["predicate"] for data in graph.edges.values())
    return (
        "## Counts\n\n"
        + _table(("kind", "nodes"), sorted(kinds.items(), key=_most))
        + "\n"
        + _table(("relation", "edges"), sorted(predicates.items(), key=_most))
    )


def _most(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _table(head: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join("| " + " | ".join(_cell(cell) for cell in line) + " |\n" for line in lines)


def _cell(value: object) -> str:
    r"""A value as inert Markdown: no cell ends early, no tag or link comes alive.

    >>> _cell("a|b <i> [x](y)")
    'a\\|b &lt;i> \\[x](y)'
    """
    text = " ".join(str(value).split())
    return re.sub(r"([\\|\[`*_])", r"\\\1", text).replace("&", "&amp;").replace("<", "&lt;") if text != "---" else text


def _listing(title: str, lines: Iterable[str]) -> str:
    items = "".join(f"- {_cell(line)}\n" for line in lines)
    return f"## {title}\n\n{items}" if items else ""


def _label(graph: Content, node: str) -> str:
    return str(graph.nodes[node]["label"])


def _unsettled(graph: Content) -> Iterator[str]:
    """Names that linking could not settle; why stands in the reasons of their nodes."""
    candidates: dict[tuple[str, str], list[str]] = defaultdict(list)
    for data in graph.nodes.values():
        for reason in json.loads(data.get("reasons", "[]")):
            if reason["action"] == "ambiguous":
                candidates[reason.get("document_id", ""), reason.get("detail", data["label"])].append(reason["other"])
    for (document, name), others in sorted(candidates.items()):
        yield f"{name} in {document}: {', '.join(sorted(others))}"


def _homonyms(graph: Content) -> str:
    pairs = sorted(
        (source, target)
        for (source, target, _), data in graph.edges.items()
        if data["predicate"] == "differentFrom" and source < target
    )
    return _listing("One name, different things", (f"{_label(graph, a)} ≠ {_label(graph, b)}" for a, b in pairs))


def _most_used(graph: Content) -> str:
    """Methods and datasets by the number of papers that tie themselves or what they propose to them."""
    papers: dict[str, set[str]] = defaultdict(set)
    for (_, target, _), data in graph.edges.items():
        if data["predicate"] in ("uses", "evaluatedOn") and "paper" in data:
            papers[target].add(data["paper"])
    parts = []
    for kind, title in (("Dataset", "Most used datasets"), ("Method", "Most used methods")):
        found = [(_label(graph, node), len(by)) for node, by in papers.items() if graph.nodes[node]["kind"] == kind]
        if found:
            parts.append(f"## {title}\n\n" + _table((kind.lower(), "papers"), sorted(found, key=_most)[:TOP]))
    return "\n".join(parts)


def _boards(graph: Content) -> str:
    """The datasets with most absolute scores, each with its best lines."""
    boards: dict[tuple[str, str], list[tuple[Any, ...]]] = defaultdict(list)
    lower: set[tuple[str, str]] = set()
    about: dict[str, dict[str, str]] = defaultdict(dict)
    for (source, target, _), data in graph.edges.items():
        if graph.nodes[source]["kind"] == "Result":
            about[source][data["predicate"]] = target
    for node, data in graph.nodes.items():
        if data["kind"] != "Result" or data.get("result_kind") != "absolute":
            continue
        ends = about[node]
        if "onDataset" not in ends:
            continue
        board = (_label(graph, ends["onDataset"]), _label(graph, ends["byMetric"]) if "byMetric" in ends else "")
        method = _label(graph, ends["ofMethod"]) if "ofMethod" in ends else ""
        boards[board].append((Decimal(data["value"]), method, _score(data), data.get("condition", "")))
        if data.get("direction") == "lower":
            lower.add(board)
    chosen = sorted(
        (key for key in boards if len(boards[key]) >= LEAST_RESULTS), key=lambda key: (-len(boards[key]), key)
    )
    parts = []
    for board in chosen[:BOARDS]:
        sign = 1 if board in lower else -1
        rows = sorted(boards[board], key=lambda row: (sign * row[0], *row[1:]))[:TOP]
        title = " · ".join(part for part in board if part)
        parts.append(f"### {_cell(title)}\n\n" + _table(("method", "score", "condition"), [row[1:] for row in rows]))
    return "## Leaderboards in short\n\n" + "\n".join(parts) if parts else ""


def _score(data: dict[str, Any]) -> str:
    """A score for reading: bound, value or range, unit.

    >>> _score({"value": "6", "value_max": "27", "unit": "%", "bound": "up to"})
    'up to 6–27%'
    """
    unit = {"": "", "%": "%", "x": "×"}.get(data.get("unit", ""), f" {data.get('unit')}")
    number = data["value"] + (f"–{data['value_max']}" if "value_max" in data else "") + unit
    return " ".join(part for part in (data.get("bound", ""), number) if part)


def _papers(graph: Content) -> str:
    rows = []
    forward: dict[str, set[str]] = defaultdict(set)
    for (source, target, _), data in graph.edges.items():
        if data["predicate"] in ("proposes", "introduces"):
            forward[source].add(_label(graph, target))
    for node, data in graph.nodes.items():
        if data["kind"] == "Paper":
            own = forward.get(node, set())
            rows.append((data.get("document_id", node), data["label"], ", ".join(sorted(own))))
    return "## Papers\n\n" + _table(("id", "paper", "puts forward"), sorted(rows)) if rows else ""
