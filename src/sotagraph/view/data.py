"""What the page knows: the graph as compact rows that the page's script turns back into nodes, facts and sentences.

Rows point at each other by position. A fact is three numbers (sentence, rule, confidence in per cent) in the list of
its drawn edge; a sentence is three (paper, start, end). Offsets of the payload count UTF-16 units, as JavaScript does,
in the text as a reader sees it: LaTeX and Markdown are seen through (`sotagraph.names.plain`).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from sotagraph.content import Content, content_of
from sotagraph.errors import InputError
from sotagraph.names import Plain, plain

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["KINDS", "PREDICATES", "DrawnEdge", "Payload", "Read", "payload", "payload_of", "to_json"]

#: Kinds in the order of the legend.
KINDS = ("Paper", "Method", "Dataset", "Metric", "Task", "Result", "Repository", "Venue", "Author")

#: Predicates in the order of the panel; `measuredBy` stands for the results that tie a method to a metric.
PREDICATES = (
    "proposes", "introduces", "addresses", "uses", "evaluatedOn", "outperforms", "comparedWith", "variantOf", "partOf",
    "generalizes", "measuredBy", "hasCode", "mentions", "publishedIn", "writtenBy", "differentFrom", "ofMethod",
    "onDataset", "byMetric", "forTask", "againstBaseline", "reportedIn",
)  # fmt: skip

_NUMBER = {predicate: number for number, predicate in enumerate(PREDICATES)}

#: Attributes that go to the page as they are, under a short key.
_TEXTS = {
    "long_form": "long", "title": "title", "year": "year", "venue": "venue", "url": "url", "value": "value",
    "value_max": "max", "value_text": "text", "unit": "unit", "result_kind": "rk", "bound": "bound",
    "condition": "cond", "direction": "dir", "baseline_value": "base", "higher_is_better": "hib", "rule": "rule",
}  # fmt: skip
#: Those that are slices of an abstract and may carry its markup.
_MARKED = ("text", "cond")
#: Attributes that hold JSON, under a short key.
_JSON = {"aliases": "aliases", "links": "links", "identifiers": "ids"}
#: The page shows so many reasons of a node; the rest is in ``graph.json``.
_REASONS = 6


@dataclass(slots=True)
class DrawnEdge:
    """All facts of one predicate between two nodes, drawn as one line."""

    source: int
    target: int
    predicate: int
    #: Flat triples: sentence, rule, confidence in per cent.
    facts: list[int] = field(default_factory=list)
    #: Whether it only repeats, for the paper, what its method says.
    own: bool = True


@dataclass(slots=True)
class Payload:
    """The graph in rows, before the layout."""

    ids: list[str]
    labels: list[str]
    kinds: list[int]
    edges: list[DrawnEdge]
    #: One object a node with what is known of it beyond id, label and kind.
    more: list[dict[str, Any]]
    #: The same as JSON.
    written: list[str]
    #: Flat triples: paper, start, end.
    sentences: list[int]
    rules: list[str]
    #: The abstract of each paper, by the paper's position.
    texts: dict[int, str]


class _Text:
    """An abstract as a reader sees it, and the way from offsets of the graph to offsets of the page."""

    def __init__(self, text: str) -> None:
        #: None where nothing is marked up: every offset is then its own.
        self._plain: Plain | None = plain(text) if _MARKUP.search(text) else None
        self.shown = text if self._plain is None else self._plain.text
        wide = not self.shown.isascii() and max(self.shown) > "\uffff"
        self._units = [0, *accumulate(1 + (c > "\uffff") for c in self.shown)] if wide else None

    def offset(self, position: int) -> int:
        index = position if self._plain is None else bisect_left(self._plain.offsets, position)
        index = min(index, len(self.shown))
        return index if self._units is None else self._units[index]


#: Without any of these, `sotagraph.names.plain` changes nothing; most abstracts have none.
_MARKUP = re.compile(r"[\\~\u2014\u2010-\u2015\u2212{}$`*_]|--")


class Read:
    """What was read of the attributes of single nodes, to be taken over where a later content has the same ones."""

    def __init__(self, content: Content | None = None) -> None:
        self.texts: dict[str, _Text] = {}
        self.rows: dict[str, tuple[Mapping[str, Any], dict[str, Any], str]] = {}
        for node, attributes in content.nodes.items() if content else ():
            self.row(node, attributes)
            if attributes.get("kind") == "Paper":
                self.text(str(attributes.get("text", "")))

    def text(self, text: str) -> _Text:
        """An abstract as a reader sees it."""
        if text not in self.texts:
            self.texts[text] = _Text(text)
        return self.texts[text]

    def row(self, node: str, attributes: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """What is known of a node under the short keys, without what points at other rows; and the same as JSON."""
        former = self.rows.get(node)
        if former is None or former[0] is not attributes:
            row = _row(attributes)
            # A result points at its sentence, so it is not written yet.
            former = self.rows[node] = attributes, row, "" if attributes["kind"] == "Result" else to_json(row)
        return former[1:]


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def to_json(value: object) -> str:
    r"""JSON for a data block: one line, and no character that HTML reads as markup.

    >>> print(to_json(["<", 1]))
    ["\u003c",1]
    """
    text = _ENCODER.encode(value)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _row(attributes: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {short: attributes[name] for name, short in _TEXTS.items() if name in attributes}
    row |= {short: plain(row[short]).text for short in _MARKED if short in row}
    for name, short in _JSON.items():
        if name in attributes and (value := _parsed(attributes[name])):
            row[short] = value
    reasons = _parsed(attributes.get("reasons")) if "reasons" in attributes else None
    if isinstance(reasons, list) and reasons:
        row["why"] = [_reason(reason) for reason in reasons[:_REASONS]]
    return row


class _Builder:
    def __init__(self, content: Content, known: Read) -> None:
        self.known = known
        self.nodes = content.nodes
        self.position = {node: index for index, node in enumerate(content.nodes)}
        self.texts: dict[int, _Text] = {}
        self.sentences: dict[tuple[int, int, int], int] = {}
        #: The same by their places in the text as it was read.
        self.places: dict[tuple[str, int, int], int] = {}
        self.rules: dict[str, int] = {}
        self.edges: dict[tuple[int, int, int], DrawnEdge] = {}

    def sentence(self, attributes: Mapping[str, Any]) -> int:
        """The position of the sentence that `attributes` point at; -1 where they point at none."""
        if not attributes.get("end"):
            return -1
        place = attributes.get("paper", ""), attributes["start"], attributes["end"]
        known = self.places.get(place)
        if known is not None:
            return known
        paper = self.position.get(str(place[0]))
        text = None if paper is None else self.texts.get(paper)
        if paper is None or text is None:
            return -1
        row = (paper, text.offset(int(place[1])), text.offset(int(place[2])))
        number = self.places[place] = self.sentences.setdefault(row, len(self.sentences))
        return number

    def rule(self, name: str) -> int:
        return self.rules.setdefault(name, len(self.rules))

    def edge(self, source: int, target: int, predicate: str, attributes: Mapping[str, Any]) -> None:
        """Add a fact to the line between two nodes."""
        place = source, target, _NUMBER[predicate]
        drawn = self.edges.get(place)
        if drawn is None:
            drawn = self.edges[place] = DrawnEdge(*place)
        rule = str(attributes.get("rule") or "")
        drawn.own = drawn.own and rule.endswith("+own")
        sentence, number = self.sentence(attributes), self.rule(rule)
        # A result carries its own sentence; its edges need not repeat it.
        if predicate not in _OF_RESULT:
            drawn.facts += sentence, number, round(100 * float(attributes.get("confidence", 1.0)))

    def node(self, node: str) -> tuple[dict[str, Any], str]:
        """What is known of a node, under the short keys, and the same as JSON."""
        attributes = self.nodes[node]
        row, written = self.known.row(node, attributes)
        if attributes["kind"] == "Result":
            row = dict(row)
            row["s"] = self.sentence(attributes)
            row["p"] = self.position.get(str(attributes.get("paper", "")), -1)
            row["conf"] = round(100 * float(attributes.get("confidence", 1.0)))
            written = to_json(row)
        return row, written

    def measured(self, ends: Mapping[str, Mapping[str, str]]) -> None:
        """Tie each metric to what was measured by it, so that it does not hang loose while results are hidden.

        `ends` says, by result and predicate, what a result is about.
        """
        for result, attributes in self.nodes.items():
            if attributes["kind"] != "Result":
                continue
            about = ends.get(result, {})
            subject, metric = about.get("ofMethod", about.get("reportedIn")), about.get("byMetric")
            if subject is not None and metric is not None:
                self.edge(self.position[subject], self.position[metric], "measuredBy", attributes)


_OF_RESULT = frozenset(("ofMethod", "onDataset", "byMetric", "forTask", "againstBaseline", "reportedIn"))


def _parsed(text: object) -> Any:
    """The value of a JSON attribute; a plain string that is no JSON counts as a list of one."""
    if not isinstance(text, str) or not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return [text]


def _reason(reason: object) -> list[str]:
    if isinstance(reason, Mapping):
        return [str(reason.get(name) or "") for name in ("action", "rule", "other", "detail")]
    return ["", "", "", str(reason)]


def payload(graph: nx.MultiDiGraph[str]) -> Payload:
    """Turn a graph of the graph contract into rows.

    Raises:
        InputError: a node or an edge has a kind or predicate that the page does not know.

    >>> from sotagraph.view.sample import small
    >>> rows = payload(small())
    >>> rows.labels[:2], [PREDICATES[e.predicate] for e in rows.edges[:2]]
    (['GRPO', 'MiniF2F'], ['uses', 'addresses'])
    """
    return payload_of(content_of(graph))


def payload_of(content: Content, known: Read | None = None) -> Payload:
    """The same for the content of a graph; `known` is what was read of a former one.

    Raises:
        InputError: a node or an edge has a kind or predicate that the page does not know.
    """
    builder = _Builder(content, known or Read())
    kinds = []
    for index, (node, attributes) in enumerate(content.nodes.items()):
        kind = attributes.get("kind")
        if kind not in KINDS:
            raise InputError(f"node {node!r} has kind {kind!r}; the page knows {', '.join(KINDS)}")
        kinds.append(KINDS.index(kind))
        if kind == "Paper":
            builder.texts[index] = builder.known.text(str(attributes.get("text", "")))
    ends: dict[str, dict[str, str]] = defaultdict(dict)
    for (source, target, _), said in content.edges.items():
        predicate = said.get("predicate", "")
        if predicate not in _NUMBER:
            raise InputError(
                f"edge {source!r} → {target!r} has predicate {predicate!r}; the page knows {', '.join(PREDICATES)}"
            )
        builder.edge(builder.position[source], builder.position[target], predicate, said)
        if predicate in _OF_RESULT:
            ends[source][predicate] = target
    builder.measured(ends)
    found = [builder.node(node) for node in content.nodes]
    return Payload(
        ids=list(content.nodes),
        labels=[str(attributes.get("label") or node) for node, attributes in content.nodes.items()],
        kinds=kinds,
        edges=[builder.edges[key] for key in sorted(builder.edges)],
        more=[row for row, _ in found],
        written=[written for _, written in found],
        sentences=[number for row in builder.sentences for number in row],
        rules=list(builder.rules),
        texts={index: text.shown for index, text in builder.texts.items()},
    )
