"""Why a node is as it is, and what ties two: every join, split, edge and score, with sentence, rule and confidence.

All that is told stands in the graph; nothing is worked out anew. A graph from `sotagraph.load` explains itself as well
as one that was just built.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sotagraph.graph import Graph, to_graph
from sotagraph.model import Knowledge
from sotagraph.resolve import Names

__all__ = ["Explanation", "Fact", "explain", "render"]

#: What is said of a reason, by its action.
_DONE = {
    "join": "joined",
    "split": "kept apart from",
    "variant": "variants",
    "corrected": "corrected",
    "ambiguous": "may be",
}
#: What each rule of linking goes by, for readers.
RULES = {
    "definition": "a paper defines the short form",
    "long-form": "some paper abbreviates this form",
    "only-definition": "the one thing that a paper defines by this name",
    "same-paper": "the paper says elsewhere what it means",
    "only-proposer": "the one paper that coins the name",
    "lexicon-alias": "the lexicon has it as one name of this",
    "context": "other names that the papers share",
    "usual-sense": "what most papers mean by it",
    "half-of-pair": "papers write it beside another dataset, with a slash",
    "listed": "its paper lists it among datasets",
    "token": "written in square brackets, as a token",
    "unit": "a unit behind a number",
    "word-form": "another form of the same words",
    "word-order": "the same words in another order",
    "earlier": "older than the papers that coin the name",
    "same-key": "case, dashes and spaces do not count",
    "plural": "plural",
    "possessive": "possessive",
    "pair": "two ways to write a pair of languages",
    "verb": "a verb and its object for the name of the task",
    "spelling": "British and American spelling",
    "head-word": "a generic word beside the name",
    "space": "a space that the text lost",
    "spelt-out": "an abbreviation in the name is written out",
    "year-form": "two ways to write a year",
    "lexicon-kind": "the lexicon knows the kind",
    "proposer-kind": "the paper that coins it knows the kind",
    "majority-kind": "most papers take it for this kind",
    "long-forms": "different long forms",
    "proposers": "different papers coin it",
    "kinds": "different kinds of thing",
    "senses": "known as different things",
    "no-fit": "the paper does not show which is meant",
    "family": "no paper uses the family's name alone",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that speaks for a node, or for what ties two."""

    #: ``join``, ``split``, ``variant``, ``corrected``, ``ambiguous``, ``edge`` or ``score``.
    what: str
    #: What it says, in words: a spelling, another thing, a statement or a score.
    text: str
    rule: str
    #: Ids of the nodes that it speaks of.
    nodes: tuple[str, ...] = ()
    detail: str = ""
    #: The id of the paper that says so, its sentence, and how sure the extraction is; empty and None for reasons.
    paper: str = ""
    sentence: str = ""
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A node, or two, with all that speaks for it or for what ties them."""

    id: str
    kind: str
    label: str
    aliases: tuple[str, ...] = ()
    long_form: str = ""
    links: tuple[tuple[str, str], ...] = ()
    facts: tuple[Fact, ...] = ()
    #: The second node, where the tie between two is asked for.
    other: str = ""
    other_label: str = ""


def explain(source: Knowledge | Graph, name: str, other: str | None = None) -> tuple[Explanation, ...]:
    """Every fact behind the nodes that a name means, or between each of them and each that `other` means.

    Raises:
        NotFoundError: nothing is called so; the message lists what is near.

    >>> from sotagraph.model import Entity, Reason
    >>> join = Reason(action="join", rule="plural", other="GANs", document_id="p1")
    >>> gan = Entity(id="method/gan", kind="method", name="GAN", label="GAN", aliases=("GANs",), reasons=(join,))
    >>> [fact.rule for fact in explain(Knowledge(entities=(gan,)), "gans")[0].facts]
    ['plural']
    """
    graph = to_graph(source) if isinstance(source, Knowledge) else source
    names = Names.of(graph)
    found = names.find(name)
    if other is None:
        return tuple(_one(graph, node) for node in found)
    return tuple(_between(graph, node, second) for node in found for second in names.find(other))


def _one(graph: Graph, node: str) -> Explanation:
    data = graph.nodes[node]
    return Explanation(
        id=node,
        kind=data["kind"],
        label=data["label"],
        aliases=tuple(json.loads(data.get("aliases", "[]"))),
        long_form=data.get("long_form", ""),
        links=tuple((name, iri) for name, iri in json.loads(data.get("links", "[]"))),
        facts=(*_reasons(graph, node), *_scores(graph, node), *_edges(graph, node)),
    )


def _between(graph: Graph, node: str, other: str) -> Explanation:
    first, second = graph.nodes[node], graph.nodes[other]
    facts = [
        *(fact for fact in _reasons(graph, node) if other in fact.nodes or node == other),
        *(fact for fact in _reasons(graph, other) if node in fact.nodes and node != other),
        *(fact for fact in _scores(graph, node) if other in fact.nodes),
        *(fact for fact in _edges(graph, node) if other in fact.nodes),
    ]
    return Explanation(
        id=node,
        kind=first["kind"],
        label=first["label"],
        facts=tuple(dict.fromkeys(facts)),
        other=other,
        other_label=second["label"],
    )


def _reasons(graph: Graph, node: str) -> Iterator[Fact]:
    for reason in json.loads(graph.nodes[node].get("reasons", "[]")):
        target = reason.get("other", "")
        known = target in graph
        yield Fact(
            what=reason["action"],
            text=graph.nodes[target]["label"] if known else target,
            rule=reason["rule"],
            nodes=(node, target) if known else (node,),
            detail=reason.get("detail", ""),
            paper=reason.get("document_id", ""),
        )


def _edges(graph: Graph, node: str) -> Iterator[Fact]:
    """The statements at a node: those that it makes, then those about it."""
    outward = [(s, t, data) for s, t, data in graph.out_edges(node, data=True)]
    inward = [(s, t, data) for s, t, data in graph.in_edges(node, data=True) if s != t]
    for source, target, data in sorted([*outward, *inward], key=_order):
        if graph.nodes[source]["kind"] != "Result" and data["predicate"] != "differentFrom":
            yield _edge(graph, source, target, data)


def _order(edge: tuple[str, str, Mapping[str, Any]]) -> tuple[Any, ...]:
    source, target, data = edge
    return data["predicate"], source, target, data.get("paper", ""), data.get("start", -1), data["rule"]


def _edge(graph: Graph, source: str, target: str, data: Mapping[str, Any]) -> Fact:
    return Fact(
        what="edge",
        text=f"{graph.nodes[source]['label']} {data['predicate']} {graph.nodes[target]['label']}",
        rule=data["rule"],
        nodes=(source, target),
        paper=data.get("paper", ""),
        sentence=data.get("sentence", ""),
        confidence=data.get("confidence"),
    )


def _scores(graph: Graph, node: str) -> Iterator[Fact]:
    """The results that name a node in some slot, with all that they name."""
    results = sorted({source for source in graph.predecessors(node) if graph.nodes[source]["kind"] == "Result"})
    for result in results:
        data = graph.nodes[result]
        slots = sorted((d["predicate"], target) for _, target, d in graph.out_edges(result, data=True))
        words = [f"{name} {graph.nodes[target]['label']}" for name, target in slots if name != "reportedIn"]
        condition = [f"({data['condition']})"] if data.get("condition") else []
        yield Fact(
            what="score",
            text=" ".join([data.get("bound", ""), data["value_text"], *condition, *words]).strip(),
            rule=data["rule"],
            nodes=(result, *dict.fromkeys(target for _, target in slots)),
            detail=data["result_kind"],
            paper=data["paper"],
            sentence=data["sentence"],
            confidence=data["confidence"],
        )


def render(explanations: Iterable[Explanation]) -> str:
    """Explanations as text for a terminal, one block each, without a line end at the end.

    >>> print(render([Explanation(id="method/gan", kind="Method", label="GAN", aliases=("GANs",))]))
    GAN  method/gan  Method
      also written: GANs
      nothing else is known of it
    """
    return "\n\n".join("\n".join(_lines(explanation)) for explanation in explanations)


def _lines(explanation: Explanation) -> Iterator[str]:
    if explanation.other:
        yield f"{explanation.label}  {explanation.id}  and  {explanation.other_label}  {explanation.other}"
    else:
        yield f"{explanation.label}  {explanation.id}  {explanation.kind}"
    if explanation.long_form:
        yield f"  long form: {explanation.long_form}"
    if explanation.aliases:
        yield f"  also written: {', '.join(explanation.aliases)}"
    yield from (f"  {name}: {iri}" for name, iri in explanation.links)
    for fact in explanation.facts:
        yield from _fact_lines(fact)
    if not explanation.facts:
        yield "  nothing ties the two directly" if explanation.other else "  nothing else is known of it"


def _fact_lines(fact: Fact) -> Iterator[str]:
    sure = "" if fact.confidence is None else f", confidence {fact.confidence:.2f}"
    place = f", {fact.paper}" if fact.paper else ""
    if fact.what in _DONE:
        why = "; ".join(dict.fromkeys(RULES.get(rule, rule) for rule in fact.rule.split("+")))
        detail = f" ({fact.detail})" if fact.detail else ""
        yield f"  {_DONE[fact.what]} {fact.text}: {why}{detail}{place}"
        return
    detail = f" [{fact.detail}]" if fact.what == "score" else ""
    yield f"  {'score ' if fact.what == 'score' else ''}{fact.text}{detail}: {fact.rule}{sure}{place}"
    if fact.sentence:
        yield f"    “{' '.join(fact.sentence.split())}”"
