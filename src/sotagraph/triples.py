"""The graph as RDF triples and back, losing nothing. Knows the vocabulary, and no RDF library.

- Every node has our class and one borrowed class. Attributes follow the table `sotagraph.schema.ATTRIBUTES`.
- A statement is the plain triple and, for each place where a paper says it, a ``sg:Statement`` with the paper, the
  sentence, the rule and the confidence. Edges of a result, and edges that the input or linking gives, are plain triples
  alone: what they rest on stands at their subject.
- Sentences are NIF strings inside the paper's text. No blank nodes and no clocks: each IRI comes from content.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from sotagraph.errors import BuildError
from sotagraph.graph import Attributes, Ends, Graph, arrange, result_edges
from sotagraph.schema import ATTRIBUTES, LINKS, NODE_KINDS, RELATIONS, STRUCTURE, Attribute
from sotagraph.terms import BASE, IRI, RDF_TYPE, XSD, Literal, Term, Triple, id_of, iri, iri_of, ntriples

__all__ = ["Quad", "from_triples", "to_quads", "to_triples"]

#: A triple and the paper that it rests on; None where it belongs to the corpus as a whole.
Quad: TypeAlias = tuple[IRI, IRI, Term, IRI | None]

_BY_KIND: dict[str, dict[str, Attribute]] = {
    kind: {attribute.name: attribute for attribute in ATTRIBUTES if kind in attribute.kinds} for kind in NODE_KINDS
}
#: Attributes that have their own form in RDF.
_SPECIAL = frozenset(
    ("kind", "identifiers", "text", "links", "reasons", "paper", "sentence", "start", "end", "rule", "confidence")
)
_PREDICATES = {
    name: iri("owl:differentFrom" if name == "differentFrom" else f"sg:{name}") for name in RELATIONS | STRUCTURE
}
_PREDICATE_NAMES = {term: name for name, term in _PREDICATES.items()}
_CLASSES = {iri(f"sg:{kind}"): kind for kind in NODE_KINDS}
_REASON_FIELDS = {
    "action": "sg:action",
    "rule": "sg:rule",
    "other": "sg:other",
    "document_id": "sg:documentId",
    "detail": "sg:detail",
}


class _Names(NamedTuple):
    """Terms that stand in many triples, made once."""

    label: IRI = iri("rdfs:label")
    identifier: IRI = iri("dcterms:identifier")
    arxiv: IRI = iri("fabio:hasArXivId")
    has_text: IRI = iri("sg:hasText")
    string: IRI = iri("nif:isString")
    begin: IRI = iri("nif:beginIndex")
    end: IRI = iri("nif:endIndex")
    anchor: IRI = iri("nif:anchorOf")
    context: IRI = iri("nif:referenceContext")
    subject: IRI = iri("rdf:subject")
    predicate: IRI = iri("rdf:predicate")
    object: IRI = iri("rdf:object")
    stated_in: IRI = iri("sg:statedIn")
    evidence: IRI = iri("sg:evidence")
    confidence: IRI = iri("sg:confidence")
    rule: IRI = iri("sg:rule")
    about: IRI = iri("sg:decidesOn")
    notes: IRI = iri("sg:buildNotes")
    schema_version: IRI = iri("sg:schemaVersion")
    reported_in: IRI = _PREDICATES["reportedIn"]


_N = _Names()
#: Made once; ``json.dumps`` would make one a call.
_CANONICAL = json.JSONEncoder(ensure_ascii=True, sort_keys=True)


def to_triples(graph: Graph) -> list[Triple]:
    """Every triple of the graph once, sorted, with its VoID description.

    Raises:
        BuildError: a node or an edge has an attribute, kind or predicate that the schema does not know.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", kind="Method", label="A", name="A")
    >>> [ntriples(o) for s, p, o in to_triples(graph) if p.endswith("prefLabel")]
    ['"A"']
    """
    triples = _sorted((s, p, o) for s, p, o, _ in _content(graph))
    description = _sorted(_description(graph, triples))
    # Its subjects stand together, and no other subject begins as they do.
    place = bisect_left(triples, description[0][0], key=itemgetter(0))
    triples[place:place] = description
    return triples


def to_quads(graph: Graph) -> Iterator[Quad]:
    """Triples with the paper that each rests on; a triple of several papers comes once for each.

    Raises:
        BuildError: a node or an edge has an attribute, kind or predicate that the schema does not know.
    """
    quads = list(_content(graph))
    yield from quads
    content = _sorted((s, p, o) for s, p, o, _ in quads)
    yield from ((s, p, o, None) for s, p, o in _description(graph, content))


def _sorted(triples: Iterable[Triple]) -> list[Triple]:
    """Each triple once, by subject, predicate and object as it is written; many short sorts outrun a long one."""
    by_subject: dict[IRI, set[tuple[IRI, Term]]] = defaultdict(set)
    for subject, predicate, thing in triples:
        by_subject[subject].add((predicate, thing))
    return [
        (subject, predicate, thing)
        for subject in sorted(by_subject)
        for predicate, thing in sorted(by_subject[subject], key=_place)
    ]


def _place(said: tuple[IRI, Term]) -> tuple[IRI, str]:
    return said[0], ntriples(said[1])


def _content(graph: Graph) -> Iterator[Quad]:
    seen: set[IRI] = set()
    for node, data in graph.nodes(data=True):
        kind = data.get("kind")
        if kind not in NODE_KINDS:
            raise BuildError(f"node {node!r} has kind {kind!r}; known are {', '.join(NODE_KINDS)}")
        owner = _owner(node, data)
        for triple in _node(node, kind, data):
            yield (*triple, owner)
        if kind == "Result":
            yield from _evidence(iri_of(node), data, seen)
    for source, target, data in graph.edges(data=True):
        yield from _edge(graph, source, target, data, seen)


def _owner(node: str, data: Mapping[str, Any]) -> IRI | None:
    if data["kind"] == "Paper":
        return iri_of(node)
    return iri_of(data["paper"]) if "paper" in data else None


def _node(node: str, kind: str, data: Mapping[str, Any]) -> Iterator[Triple]:
    subject = iri_of(node)
    yield subject, RDF_TYPE, iri(f"sg:{kind}")
    yield subject, RDF_TYPE, iri(NODE_KINDS[kind].borrowed)
    known = _BY_KIND[kind]
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
        yield subject, _N.identifier, Literal(f"{quote(scheme, safe='')}:{value}")
        if scheme == "arxiv":
            yield subject, _N.arxiv, Literal(value)
    if "text" in data:
        text = _text_iri(node)
        yield subject, _N.has_text, text
        yield text, RDF_TYPE, iri("nif:Context")
        yield text, _N.string, Literal(data["text"])
        yield text, _N.begin, _index(0)
        yield text, _N.end, _index(len(data["text"]))


def _reason(node: str, subject: IRI, reason: dict[str, str]) -> Iterator[Triple]:
    kind, _, key = node.partition("/")
    decision = iri_of(f"reason/{kind}-{key}-{_digest(reason)}")
    yield decision, RDF_TYPE, iri("sg:Decision")
    yield decision, RDF_TYPE, iri("prov:Activity")
    yield decision, _N.about, subject
    for name, value in reason.items():
        yield decision, iri(_REASON_FIELDS[name]), Literal(value)


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


def _edge(graph: Graph, source: str, target: str, data: Mapping[str, Any], seen: set[IRI]) -> Iterator[Quad]:
    name = data.get("predicate", "")
    if name not in _PREDICATES:
        raise BuildError(f"the edge {source} → {target} has predicate {name!r}, which the schema does not know")
    subject, predicate, thing = iri_of(source), _PREDICATES[name], iri_of(target)
    yield subject, predicate, thing, iri_of(data["paper"]) if "paper" in data else None
    if data == _implied(name, source, graph.nodes[source]):
        return
    place = [source, name, target, data.get("start"), data.get("end"), data.get("rule")]
    paper = data.get("paper", "").partition("/")[2]
    statement = iri_of(f"statement/{paper}-{_digest(place)}")
    owner = iri_of(data["paper"]) if "paper" in data else None
    yield statement, RDF_TYPE, iri("sg:Statement"), owner
    yield statement, RDF_TYPE, iri("rdf:Statement"), owner
    yield statement, _N.subject, subject, owner
    yield statement, _N.predicate, predicate, owner
    yield statement, _N.object, thing, owner
    if owner is not None:
        yield statement, _N.stated_in, owner, owner
    yield from _evidence(statement, data, seen)


def _implied(name: str, source: str, subject: Mapping[str, Any]) -> Attributes | None:
    """What an edge of this predicate holds if it rests on its subject, on the input or on linking alone."""
    if name == "differentFrom":
        return {"predicate": name, "rule": "homonym", "confidence": 1.0}
    if name in ("publishedIn", "writtenBy"):
        return {"predicate": name, "paper": source, "rule": "metadata", "confidence": 1.0}
    if STRUCTURE.get(name) and STRUCTURE[name].domain == ("result",):
        return {"predicate": name, **result_edges(subject)}
    return None


def _evidence(subject: IRI, data: Mapping[str, Any], seen: set[IRI]) -> Iterator[Quad]:
    paper = data.get("paper")
    owner = None if paper is None else iri_of(paper)
    if "rule" in data:
        yield subject, _N.rule, Literal(data["rule"]), owner
    if "confidence" in data:
        yield subject, _N.confidence, Literal(_decimal(data["confidence"]), XSD + "decimal"), owner
    if paper is None or "sentence" not in data:
        return
    key, start, end = paper.partition("/")[2], data["start"], data["end"]
    sentence = iri_of(f"sentence/{key}-{start}-{end}")
    yield subject, _N.evidence, sentence, owner
    if sentence not in seen:
        seen.add(sentence)
        yield sentence, RDF_TYPE, iri("nif:Sentence"), owner
        yield sentence, _N.anchor, Literal(data["sentence"]), owner
        yield sentence, _N.begin, _index(start), owner
        yield sentence, _N.end, _index(end), owner
        yield sentence, _N.context, _text_iri(paper), owner


def _text_iri(paper: str) -> IRI:
    return iri_of("text/" + paper.partition("/")[2])


def _index(offset: int) -> Literal:
    return Literal(str(offset), XSD + "nonNegativeInteger")


def _decimal(number: float) -> str:
    text = format(Decimal(repr(float(number))), "f")
    return text.removesuffix(".0")


def _digest(content: object) -> str:
    return hashlib.sha256(_CANONICAL.encode(content).encode("ascii")).hexdigest()[:12]


def _description(graph: Graph, content: list[Triple]) -> list[Triple]:
    """VoID: what this dataset is, in which terms, and how much of each; named by a hash of what it describes."""
    digest = hashlib.sha256()
    for start in range(0, len(content), 1024):
        lines = (f"{s} {p} {o if isinstance(o, str) else o.lexical}\n" for s, p, o in content[start : start + 1024])
        digest.update("".join(lines).encode("utf-8", "surrogatepass"))
    name = f"graph/{digest.hexdigest()[:16]}"
    dataset = iri_of(name)
    counts = dict.fromkeys(NODE_KINDS, 0)
    for kind in (data["kind"] for data in graph.nodes.values()):
        counts[kind] += 1
    triples: list[Triple] = [
        (dataset, RDF_TYPE, iri("void:Dataset")),
        (dataset, iri("dcterms:title"), Literal(f"Knowledge graph of {counts['Paper']} papers")),
        (dataset, iri("dcterms:conformsTo"), IRI(iri("sg:").removesuffix("#"))),
        (dataset, iri("void:vocabulary"), iri("sg:")),
        (dataset, iri("void:uriSpace"), Literal(BASE)),
        (dataset, iri("void:entities"), Literal(str(len(graph)), XSD + "integer")),
    ]
    if "schema" in graph.graph:
        triples.append((dataset, _N.schema_version, Literal(graph.graph["schema"])))
    if notes := {key: value for key, value in sorted(graph.graph.items()) if key != "schema"}:
        triples.append((dataset, _N.notes, Literal(json.dumps(notes, ensure_ascii=False))))
    for kind, count in counts.items():
        part = iri_of(f"{name}-{kind.lower()}")
        triples.append((dataset, iri("void:classPartition"), part))
        triples.append((part, iri("void:class"), iri(f"sg:{kind}")))
        triples.append((part, iri("void:entities"), Literal(str(count), XSD + "integer")))
    total = len(content) + len(triples) + 1
    triples.append((dataset, iri("void:triples"), Literal(str(total), XSD + "integer")))
    return triples


_Index: TypeAlias = Mapping[str, Mapping[str, list[Term]]]


def from_triples(triples: Iterable[Triple]) -> Graph:
    """The graph behind `to_triples`; triples in other terms are passed over.

    Raises:
        BuildError: a term of ours holds what `to_triples` does not write.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(schema="1"); graph.add_node("method/a", kind="Method", label="A", name="A")
    >>> nx.utils.graphs_equal(graph, from_triples(to_triples(graph)))
    True
    """
    index: dict[str, dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, thing in triples:
        index[subject][predicate].append(thing)
    frozen: _Index = {subject: dict(found) for subject, found in index.items()}
    try:
        return _Reading(frozen).graph()
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise BuildError(f"not the RDF of a graph ({type(error).__name__}: {error}); write it again") from error


class _Reading:
    """Reads one index of triples back into nodes and edges."""

    def __init__(self, index: _Index) -> None:
        self.index = index
        self.nodes: dict[str, Attributes] = {}
        self.edges: dict[Ends, list[Attributes]] = defaultdict(list)

    def graph(self) -> Graph:
        for subject, found in self.index.items():
            for kind in (_CLASSES[t] for t in found.get(RDF_TYPE, ()) if isinstance(t, str) and t in _CLASSES):
                self.nodes[id_of(subject)] = self._node(subject, kind)
        self._reasons()
        stated = self._statements()
        for subject, found in self.index.items():
            if id_of(subject) in self.nodes:
                self._plain(id_of(subject), found, stated)
        graph = arrange(self.nodes, self.edges)
        graph.graph |= self._notes()
        return graph

    def _one(self, subject: str, predicate: str) -> str:
        term = self.index[subject][predicate][0]
        return term if isinstance(term, str) else term.lexical

    def _node(self, subject: str, kind: str) -> Attributes:
        found = self.index[subject]
        attributes: Attributes = {"kind": kind}
        for attribute in _BY_KIND[kind].values():
            if terms := found.get(iri(attribute.iri)):
                attributes[attribute.name] = _value(attribute, terms)
        links = [
            [name, str(t)] for name, curie in LINKS.items() for t in found.get(iri(curie), ()) if isinstance(t, str)
        ]
        if links:
            attributes["links"] = json.dumps(sorted(links), ensure_ascii=False)
        if kind == "Paper":
            pairs = sorted(
                t.lexical.partition(":")[::2] for t in found.get(_N.identifier, ()) if isinstance(t, Literal)
            )
            if pairs:
                known = sorted((unquote(scheme), value) for scheme, value in pairs)
                attributes["identifiers"] = json.dumps(dict(known), ensure_ascii=False)
            if _N.has_text in found:
                attributes["text"] = self._one(self._one(subject, _N.has_text), _N.string)
        if kind == "Result":
            attributes |= self._evidence(subject, found[_N.reported_in][0])
        return attributes

    def _evidence(self, subject: str, paper: Term | None) -> Attributes:
        found = self.index[subject]
        data: Attributes = {}
        if isinstance(paper, str):
            data["paper"] = id_of(paper)
        if _N.evidence in found:
            sentence = self._one(subject, _N.evidence)
            data["sentence"] = self._one(sentence, _N.anchor)
            data["start"], data["end"] = int(self._one(sentence, _N.begin)), int(self._one(sentence, _N.end))
        if _N.rule in found:
            data["rule"] = self._one(subject, _N.rule)
        if _N.confidence in found:
            data["confidence"] = float(self._one(subject, _N.confidence))
        return data

    def _reasons(self) -> None:
        reasons: dict[str, list[dict[str, str]]] = defaultdict(list)
        for subject, found in self.index.items():
            if _N.about in found:
                fields = {name: self._one(subject, iri(c)) for name, c in _REASON_FIELDS.items() if iri(c) in found}
                reasons[id_of(self._one(subject, _N.about))].append(fields)
        for node, found_reasons in reasons.items():
            found_reasons.sort(key=lambda fields: [fields.get(name, "") for name in _REASON_FIELDS])
            self.nodes[node]["reasons"] = json.dumps(found_reasons, ensure_ascii=False)

    def _statements(self) -> set[tuple[str, str, str]]:
        stated: set[tuple[str, str, str]] = set()
        statement = iri("sg:Statement")
        for subject, found in self.index.items():
            if statement in found.get(RDF_TYPE, ()):
                name = _PREDICATE_NAMES[IRI(self._one(subject, _N.predicate))]
                ends = (id_of(self._one(subject, _N.subject)), id_of(self._one(subject, _N.object)), name)
                paper = found[_N.stated_in][0] if _N.stated_in in found else None
                self.edges[ends].append({"predicate": name, **self._evidence(subject, paper)})
                stated.add(ends)
        return stated

    def _plain(self, source: str, found: Mapping[str, list[Term]], stated: set[tuple[str, str, str]]) -> None:
        for predicate, things in found.items():
            name = _PREDICATE_NAMES.get(IRI(predicate))
            for thing in things if name else ():
                ends = (source, id_of(str(thing)), name or "")
                if ends not in stated:
                    self.edges[ends].append(_implied(ends[2], source, self.nodes[source]) or {"predicate": ends[2]})

    def _notes(self) -> Attributes:
        notes: Attributes = {}
        for found in self.index.values():
            for term in found.get(_N.notes, ()):
                notes |= json.loads(term.lexical) if isinstance(term, Literal) else {}
        return notes


def _value(attribute: Attribute, terms: list[Term]) -> Any:
    texts = sorted(term if isinstance(term, str) else term.lexical for term in terms)
    if attribute.values is not None:
        names = {iri(curie): value for value, curie in attribute.values.items()}
        return names[IRI(texts[0])]
    if attribute.type == "list":
        return json.dumps(texts, ensure_ascii=False)
    if attribute.type == "boolean":
        return texts[0] in ("true", "1")
    return int(texts[0]) if attribute.type == "gYear" else texts[0]
