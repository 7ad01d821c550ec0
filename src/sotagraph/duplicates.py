"""What looks like one thing twice and was kept apart, best first, and names that could not be settled.

Linking never joins by likeness; this list is where likeness is shown, for people to judge and, with a corrections file,
to settle. Pairs come from blocks that hold names equal in some respect, so that the work grows with the number of names
and not with its square.
"""

from __future__ import annotations

import difflib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sotagraph.graph import Graph, to_graph
from sotagraph.link.forms import is_definition, stems
from sotagraph.model import Knowledge
from sotagraph.names import clean, key

__all__ = ["Duplicates", "Pair", "Unsettled", "find_duplicates", "render"]

#: Blocks larger than this hold a common form and tell nothing.
LARGEST = 25
#: Shorter keys are too easily a letter apart.
SHORTEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two nodes that look alike."""

    left: str
    right: str
    left_label: str
    right_label: str
    #: From 0 to 1: how likely the two are one; for the order, no probability.
    score: float
    #: In what they are alike.
    why: str
    #: Whether linking knows that they are different (their long forms, proposers or kinds differ).
    different: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsettled:
    """A name in one paper that might mean several things."""

    id: str
    name: str
    document_id: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """Pairs, the likeliest first, and unsettled names by paper."""

    pairs: tuple[Pair, ...] = ()
    unsettled: tuple[Unsettled, ...] = ()


def find_duplicates(source: Knowledge | Graph, *, limit: int | None = None) -> Duplicates:
    """Pairs that look alike and were kept apart, at most `limit` of them, and all names that stayed ambiguous.

    >>> from sotagraph.model import Entity
    >>> names = ("dense retrieval", "retrieval, dense", "sparse retrieval")
    >>> entities = tuple(Entity(id=f"task/{key(n)}", kind="task", name=n, label=n) for n in names)
    >>> [(pair.left_label, pair.right_label) for pair in find_duplicates(Knowledge(entities=entities)).pairs]
    [('dense retrieval', 'retrieval, dense')]
    """
    graph = to_graph(source) if isinstance(source, Knowledge) else source
    nodes = {node: data for node, data in graph.nodes(data=True) if "name" in data and data["kind"] in _KINDS}
    pairs = sorted(_pairs(graph, nodes), key=lambda pair: (pair.different, -pair.score, pair.left, pair.right))
    return Duplicates(pairs=tuple(pairs if limit is None else pairs[:limit]), unsettled=tuple(_unsettled(nodes)))


_KINDS = ("Method", "Dataset", "Metric", "Task")


def _words(name: str) -> str:
    return " ".join(sorted(stems(name)))


def _initials(name: str) -> str:
    words = re.findall(r"[^\W_]+", clean(name).casefold())
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _holes(name: str) -> set[str]:
    """The key and the key with each one letter left out: two keys share one of these if a letter sets them apart."""
    text = key(name)
    if len(text) < SHORTEST:
        return set()
    return {text} | {text[:i] + text[i + 1 :] for i in range(len(text)) if not text[i].isdigit()}


#: In what respect names are alike: what they share, and what that is worth.
_RESPECTS: tuple[tuple[str, float, Callable[[str], Iterable[str]]], ...] = (
    ("same name", 0.9, lambda name: [key(name)]),
    ("same words", 0.8, lambda name: [_words(name)] if len(stems(name)) > 1 else []),
    ("one letter apart", 0.5, _holes),
)


def _pairs(graph: Graph, nodes: Mapping[str, Mapping[str, Any]]) -> Iterator[Pair]:
    found: dict[tuple[str, str], tuple[float, str]] = {}
    for why, worth, shares in _RESPECTS:
        blocks: dict[str, list[str]] = defaultdict(list)
        for node in sorted(nodes):
            for share in sorted(set(shares(nodes[node]["name"]))):
                blocks[share].append(node)
        for one, other in _within(blocks):
            found.setdefault((one, other), (worth, why))
    for ends in _abbreviations(nodes):
        found.setdefault(ends, (0.6, "one may abbreviate the other"))
    for (one, other), (worth, why) in sorted(found.items()):
        if pair := _judge(graph, nodes, one, other, worth, why):
            yield pair


def _within(blocks: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    for share in sorted(blocks):
        block = sorted(set(blocks[share]))
        if share and len(block) <= LARGEST:
            yield from ((a, b) for i, a in enumerate(block) for b in block[i + 1 :])


def _abbreviations(nodes: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """A name of capitals and a phrase with these initials, which no paper ties."""
    phrases: dict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes):
        name = nodes[node]["name"]
        if (initials := _initials(name)) and " " in name:
            phrases[initials].append(node)
    for node in sorted(nodes):
        name = nodes[node]["name"]
        for phrase in phrases.get(key(name), ())[:LARGEST]:
            spelt_out = nodes[phrase]["name"]
            if phrase != node and is_definition(name, spelt_out) and not nodes[node].get("long_form"):
                yield (node, phrase) if node < phrase else (phrase, node)


def _judge(
    graph: Graph, nodes: Mapping[str, Mapping[str, Any]], one: str, other: str, worth: float, why: str
) -> Pair | None:
    left, right = nodes[one], nodes[other]
    same_kind = left["kind"] == right["kind"]
    if not same_kind and why != "same name":
        return None
    if why == "one letter apart" and re.findall(r"\d+|[+*]", left["name"]) != re.findall(r"\d+|[+*]", right["name"]):
        return None  # Numbers and signs tell versions apart.
    predicates = {
        d["predicate"] for a, b in ((one, other), (other, one)) for d in (graph.get_edge_data(a, b) or {}).values()
    }
    if predicates - {"differentFrom"}:
        return None  # A paper names both and says how they are related, or one is a variant of the other.
    if why == "one letter apart" and _papers(graph, one) & _papers(graph, other):
        return None  # Who writes both in one paper means two things.
    likeness = difflib.SequenceMatcher(None, key(left["name"]), key(right["name"]), autojunk=False).ratio()
    shared = _neighbours(graph, one) & _neighbours(graph, other)
    score = worth * (0.7 + 0.3 * likeness) * (1.0 if same_kind else 0.8) + min(0.1, 0.02 * len(shared))
    return Pair(
        left=one,
        right=other,
        left_label=left["label"],
        right_label=right["label"],
        score=round(min(score, 1.0), 3),
        why=why,
        different="differentFrom" in predicates,
    )


def _papers(graph: Graph, node: str) -> set[str]:
    return {source for source in graph.predecessors(node) if graph.nodes[source]["kind"] == "Paper"}


def _neighbours(graph: Graph, node: str) -> set[str]:
    near = {*graph.predecessors(node), *graph.successors(node)}
    return {other for other in near if graph.nodes[other]["kind"] in _KINDS}


def _unsettled(nodes: Mapping[str, Mapping[str, Any]]) -> Iterator[Unsettled]:
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for node, data in nodes.items():
        for reason in json.loads(data.get("reasons", "[]")):
            if reason["action"] == "ambiguous":
                found[reason.get("document_id", ""), node, reason.get("detail", "")].append(reason["other"])
    for (document, node, name), candidates in sorted(found.items()):
        yield Unsettled(id=node, name=name, document_id=document, candidates=tuple(sorted(candidates)))


def render(duplicates: Duplicates) -> str:
    """The list as text for a terminal, without a line end at the end.

    >>> print(render(Duplicates()))
    nothing looks like one thing twice, and every name is settled
    """
    lines = [
        f"{pair.score:.2f}  {pair.left_label} ({pair.left})  /  {pair.right_label} ({pair.right}): {pair.why}"
        + (", known to be different" if pair.different else "")
        for pair in duplicates.pairs
    ]
    if duplicates.unsettled:
        lines += ["", "names that could not be settled:"] if lines else ["names that could not be settled:"]
    for one in duplicates.unsettled:
        lines.append(f"  {one.name} in {one.document_id} ({one.id}): {', '.join(one.candidates)}")
    return "\n".join(lines) or "nothing looks like one thing twice, and every name is settled"
