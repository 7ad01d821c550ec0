"""Triples back to the graph behind them: the other direction of `sotagraph.triples`, and it loses nothing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias
from urllib.parse import unquote

from sotagraph.content import Attributes
from sotagraph.errors import BuildError
from sotagraph.graph import Ends, Graph, arrange
from sotagraph.schema import LINKS, Attribute
from sotagraph.terms import IRI, RDF_TYPE, Literal, Term, Triple, id_of, iri
from sotagraph.vocabulary import BY_KIND, CLASSES, PREDICATE_NAMES, REASON_FIELDS, TERMS, implied

__all__ = ["from_triples"]

_Index: TypeAlias = Mapping[str, Mapping[str, list[Term]]]


def from_triples(triples: Iterable[Triple]) -> Graph:
    """The graph behind `to_triples`; triples in other terms are passed over.

    Raises:
        BuildError: a term of ours holds what `to_triples` does not write.

    >>> import networkx as nx
    >>> from sotagraph.triples import to_triples
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
            for kind in (CLASSES[t] for t in found.get(RDF_TYPE, ()) if isinstance(t, str) and t in CLASSES):
                self.nodes[id_of(subject)] = self._node(subject, kind)
        self._reasons()
        self._phrases()
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
        for attribute in BY_KIND[kind].values():
            if terms := found.get(iri(attribute.iri)):
                attributes[attribute.name] = _value(attribute, terms)
        links = [
            [name, str(t)] for name, curie in LINKS.items() for t in found.get(iri(curie), ()) if isinstance(t, str)
        ]
        if links:
            attributes["links"] = json.dumps(sorted(links), ensure_ascii=False)
        if kind == "Paper":
            pairs = sorted(
                t.lexical.partition(":")[::2] for t in found.get(TERMS.identifier, ()) if isinstance(t, Literal)
            )
            if pairs:
                known = sorted((unquote(scheme), value) for scheme, value in pairs)
                attributes["identifiers"] = json.dumps(dict(known), ensure_ascii=False)
            if TERMS.has_text in found:
                attributes["text"] = self._one(self._one(subject, TERMS.has_text), TERMS.string)
        if kind == "Result":
            attributes |= self._evidence(subject, found[TERMS.reported_in][0])
        return attributes

    def _evidence(self, subject: str, paper: Term | None) -> Attributes:
        found = self.index[subject]
        data: Attributes = {}
        if isinstance(paper, str):
            data["paper"] = id_of(paper)
        if TERMS.evidence in found:
            sentence = self._one(subject, TERMS.evidence)
            data["sentence"] = self._one(sentence, TERMS.anchor)
            data["start"], data["end"] = int(self._one(sentence, TERMS.begin)), int(self._one(sentence, TERMS.end))
        if TERMS.rule in found:
            data["rule"] = self._one(subject, TERMS.rule)
        if TERMS.confidence in found:
            data["confidence"] = float(self._one(subject, TERMS.confidence))
        return data

    def _reasons(self) -> None:
        reasons: dict[str, list[dict[str, str]]] = defaultdict(list)
        for subject, found in self.index.items():
            if TERMS.about in found:
                fields = {name: self._one(subject, iri(c)) for name, c in REASON_FIELDS.items() if iri(c) in found}
                reasons[id_of(self._one(subject, TERMS.about))].append(fields)
        for node, found_reasons in reasons.items():
            found_reasons.sort(key=lambda fields: [fields.get(name, "") for name in REASON_FIELDS])
            self.nodes[node]["reasons"] = json.dumps(found_reasons, ensure_ascii=False)

    def _phrases(self) -> None:
        phrases: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for subject, found in self.index.items():
            if TERMS.names in found:
                paper = "paper/" + id_of(self._one(subject, TERMS.context)).partition("/")[2]
                start, end = int(self._one(subject, TERMS.begin)), int(self._one(subject, TERMS.end))
                phrases[paper] += ((start, end, id_of(str(thing))) for thing in found[TERMS.names])
        for paper, found_phrases in phrases.items():
            self.nodes[paper]["phrases"] = json.dumps(sorted(found_phrases), ensure_ascii=False)

    def _statements(self) -> set[tuple[str, str, str]]:
        stated: set[tuple[str, str, str]] = set()
        statement = iri("sg:Statement")
        for subject, found in self.index.items():
            if statement in found.get(RDF_TYPE, ()):
                name = PREDICATE_NAMES[IRI(self._one(subject, TERMS.predicate))]
                ends = (id_of(self._one(subject, TERMS.subject)), id_of(self._one(subject, TERMS.object)), name)
                paper = found[TERMS.stated_in][0] if TERMS.stated_in in found else None
                self.edges[ends].append({"predicate": name, **self._evidence(subject, paper)})
                stated.add(ends)
        return stated

    def _plain(self, source: str, found: Mapping[str, list[Term]], stated: set[tuple[str, str, str]]) -> None:
        for predicate, things in found.items():
            name = PREDICATE_NAMES.get(IRI(predicate))
            for thing in things if name else ():
                ends = (source, id_of(str(thing)), name or "")
                if ends not in stated:
                    self.edges[ends].append(implied(ends[2], source, self.nodes[source]) or {"predicate": ends[2]})

    def _notes(self) -> Attributes:
        notes: Attributes = {}
        for found in self.index.values():
            for term in found.get(TERMS.notes, ()):
                notes |= json.loads(term.lexical) if isinstance(term, Literal) else {}
            for term in found.get(TERMS.extractor, ()):
                notes["extractor"] = term.lexical if isinstance(term, Literal) else term
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
