"""The graph as RDF triples. Knows the vocabulary, and no RDF library; `sotagraph.untriples` reads them back.

- Every node has our class and one borrowed class. Attributes follow the table `sotagraph.schema.ATTRIBUTES`.
- A statement is the plain triple and, for each place where a paper says it, a ``sg:Statement`` with the paper, the
  sentence, the rule and the confidence. Edges of a result, and edges that the input or linking gives, are plain triples
  alone: what they rest on stands at their subject.
- Sentences, and the phrases that name a thing, are NIF strings inside the paper's text. No blank nodes and no clocks:
  each IRI comes from content.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import chain, groupby
from operator import itemgetter
from typing import Any
from urllib.parse import quote

from sotagraph.content import Content, Edge, content_of
from sotagraph.errors import BuildError
from sotagraph.graph import Graph
from sotagraph.schema import LINKS, NODE_KINDS, Attribute
from sotagraph.terms import IRI, RDF_TYPE, XSD, Literal, Term, Triple, grouped, in_order, iri, iri_of
from sotagraph.vocabulary import BY_KIND, PREDICATES, REASON_FIELDS, TERMS, implied
from sotagraph.void import Summary, description

__all__ = ["owned", "to_named_graphs", "to_triples"]

#: Attributes that have their own form in RDF.
_SPECIAL = frozenset(
    (
        "kind",
        "identifiers",
        "text",
        "phrases",
        "links",
        "reasons",
        "paper",
        "sentence",
        "start",
        "end",
        "rule",
        "confidence",
    )
)
_CANONICAL = json.JSONEncoder(ensure_ascii=True, sort_keys=True)


def to_triples(graph: Graph) -> list[Triple]:
    """Every triple of the graph once, sorted, with its VoID description.

    Raises:
        BuildError: a node or an edge has an attribute, kind or predicate that the schema does not know.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", kind="Method", label="A", name="A")
    >>> [o.lexical for s, p, o in to_triples(graph) if p.endswith("prefLabel")]
    ['A']
    """
    content = content_of(graph)
    triples = in_order(triple for _, found in owned(content) for triple in found)
    about = description(content, Summary.of(group for _, group in groupby(triples, key=itemgetter(0))))
    # Its subjects stand together, and no other subject begins as they do.
    place = bisect_left(triples, about[0][0], key=itemgetter(0))
    triples[place:place] = about
    return triples


def to_named_graphs(graph: Graph) -> dict[IRI | None, list[Triple]]:
    """The same triples by the paper that each rests on; those of the corpus as a whole stand under None.

    A triple of several papers is in the graph of each. The triples of a graph are sorted, the papers are not.

    Raises:
        BuildError: a node or an edge has an attribute, kind or predicate that the schema does not know.
    """
    named: dict[IRI | None, list[Triple]] = defaultdict(list)
    content = content_of(graph)
    for owner, found in owned(content):
        named[owner] += found
    named[None] += description(content, Summary.of(grouped(chain.from_iterable(named.values())).values()))
    return {owner: in_order(found) for owner, found in named.items()}


def owned(
    content: Content, nodes: Iterable[str] | None = None, edges: Iterable[Edge] | None = None
) -> Iterator[tuple[IRI | None, list[Triple]]]:
    """What each node and each edge, or some of them, come to, with the paper that it rests on; some triples repeat.

    Raises:
        BuildError: a node or an edge has an attribute, kind or predicate that the schema does not know.
    """
    seen: set[IRI] = set()
    for node in content.nodes if nodes is None else nodes:
        data = content.nodes[node]
        kind = data.get("kind")
        if kind not in NODE_KINDS:
            raise BuildError(f"node {node!r} has kind {kind!r}; known are {', '.join(NODE_KINDS)}")
        triples = [*_node(node, kind, data)]
        if kind == "Result":
            triples += _evidence(iri_of(node), data, seen)
        yield _owner(node, data), triples
    for edge in content.edges if edges is None else edges:
        data = content.edges[edge]
        yield _owner("", data), _edge(edge[0], edge[1], data, content.nodes[edge[0]], seen)


def _owner(node: str, data: Mapping[str, Any]) -> IRI | None:
    if data.get("kind") == "Paper":
        return iri_of(node)
    return iri_of(data["paper"]) if "paper" in data else None


def _node(node: str, kind: str, data: Mapping[str, Any]) -> Iterator[Triple]:
    subject = iri_of(node)
    yield subject, RDF_TYPE, iri(f"sg:{kind}")
    yield subject, RDF_TYPE, iri(NODE_KINDS[kind].borrowed)
    known = BY_KIND[kind]
    for name, value in data.items():
        if name in known:
            predicate = iri(known[name].iri)
            for term in _terms(known[name], value):
                yield subject, predicate, term
        elif name not in _SPECIAL:
            raise BuildError(f"node {node!r} has the attribute {name!r}, which the schema does not know for a {kind}")
    if kind == "Paper":
        yield from _paper(node, subject, data)
    for name, target in json.loads(data.get("links", "[]")):
        yield subject, iri(LINKS[name]), IRI(target)
    for reason in json.loads(data.get("reasons", "[]")):
        yield from _reason(node, subject, reason)


def _paper(node: str, subject: IRI, data: Mapping[str, Any]) -> Iterator[Triple]:
    for scheme, value in json.loads(data.get("identifiers", "{}")).items():
        yield subject, TERMS.identifier, Literal(f"{quote(scheme, safe='')}:{value}")
        if scheme == "arxiv":
            yield subject, TERMS.arxiv, Literal(value)
    if "text" in data:
        text = _text_iri(node)
        yield subject, TERMS.has_text, text
        yield text, RDF_TYPE, iri("nif:Context")
        yield text, TERMS.string, Literal(data["text"])
        yield text, TERMS.begin, _index(0)
        yield text, TERMS.end, _index(len(data["text"]))
        yield from _phrases(node, data)


def _phrases(node: str, data: Mapping[str, Any]) -> Iterator[Triple]:
    key, text = node.partition("/")[2], _text_iri(node)
    for start, end, thing in json.loads(data.get("phrases", "[]")):
        phrase = iri_of(f"phrase/{key}-{start}-{end}")
        yield phrase, RDF_TYPE, TERMS.phrase
        yield phrase, TERMS.anchor, Literal(data["text"][start:end])
        yield phrase, TERMS.begin, _index(start)
        yield phrase, TERMS.end, _index(end)
        yield phrase, TERMS.context, text
        yield phrase, TERMS.names, iri_of(thing)


def _reason(node: str, subject: IRI, reason: dict[str, str]) -> Iterator[Triple]:
    kind, _, key = node.partition("/")
    decision = iri_of(f"reason/{kind}-{key}-{_digest(reason)}")
    yield decision, RDF_TYPE, iri("sg:Decision")
    yield decision, RDF_TYPE, iri("prov:Activity")
    yield decision, TERMS.about, subject
    for name, value in reason.items():
        yield decision, iri(REASON_FIELDS[name]), Literal(value)


def _terms(attribute: Attribute, value: Any) -> Iterator[Term]:
    if attribute.values is not None:
        if value not in attribute.values:
            raise BuildError(f"{attribute.name} is {value!r}; known are {', '.join(attribute.values)}")
        yield iri(attribute.values[value])
    elif attribute.type == "list":
        yield from (Literal(item) for item in json.loads(value))
    elif attribute.type == "boolean":
        yield Literal("true" if value else "false", XSD + "boolean")
    elif attribute.type == "gYear":
        yield Literal(f"{value:04d}", XSD + "gYear")
    elif attribute.type == "decimal":
        yield Literal(value, XSD + "decimal")
    else:
        yield Literal(value)


def _edge(source: str, target: str, data: Mapping[str, Any], start: Mapping[str, Any], seen: set[IRI]) -> list[Triple]:
    name = data.get("predicate", "")
    if name not in PREDICATES:
        raise BuildError(f"the edge {source} → {target} has predicate {name!r}, which the schema does not know")
    subject, predicate, thing = iri_of(source), PREDICATES[name], iri_of(target)
    plain = (subject, predicate, thing)
    if data == implied(name, source, start):
        return [plain]
    place = [source, name, target, data.get("start"), data.get("end"), data.get("rule")]
    paper = data.get("paper", "")
    statement = iri_of(f"statement/{paper.partition('/')[2]}-{_digest(place)}")
    return [
        plain,
        (statement, RDF_TYPE, TERMS.statement),
        (statement, RDF_TYPE, TERMS.reified),
        (statement, TERMS.subject, subject),
        (statement, TERMS.predicate, predicate),
        (statement, TERMS.object, thing),
        *([(statement, TERMS.stated_in, iri_of(paper))] if paper else ()),
        *_evidence(statement, data, seen),
    ]


def _evidence(subject: IRI, data: Mapping[str, Any], seen: set[IRI]) -> Iterator[Triple]:
    if "rule" in data:
        yield subject, TERMS.rule, Literal(data["rule"])
    if "confidence" in data:
        yield subject, TERMS.confidence, Literal(_decimal(data["confidence"]), XSD + "decimal")
    if "paper" not in data or "sentence" not in data:
        return
    paper, start, end = data["paper"], data["start"], data["end"]
    sentence = iri_of(f"sentence/{paper.partition('/')[2]}-{start}-{end}")
    yield subject, TERMS.evidence, sentence
    if sentence not in seen:
        seen.add(sentence)
        yield sentence, RDF_TYPE, TERMS.sentence
        yield sentence, TERMS.anchor, Literal(data["sentence"])
        yield sentence, TERMS.begin, _index(start)
        yield sentence, TERMS.end, _index(end)
        yield sentence, TERMS.context, _text_iri(paper)


def _text_iri(paper: str) -> IRI:
    return iri_of("text/" + paper.partition("/")[2])


def _index(offset: int) -> Literal:
    return Literal(str(offset), XSD + "nonNegativeInteger")


def _decimal(number: float) -> str:
    text = format(Decimal(repr(float(number))), "f")
    return text.removesuffix(".0")


def _digest(content: object) -> str:
    text = _CANONICAL.encode(content)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:12]
