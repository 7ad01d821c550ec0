"""The tables and terms that writing the graph as triples and reading it back have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sotagraph.content import Attributes
from sotagraph.graph import result_edges
from sotagraph.schema import ATTRIBUTES, NODE_KINDS, RELATIONS, STRUCTURE, Attribute
from sotagraph.terms import IRI, iri

__all__ = ["BY_KIND", "CLASSES", "PREDICATES", "PREDICATE_NAMES", "REASON_FIELDS", "TERMS", "implied"]

#: Kind → its attributes that are one literal or IRI each.
BY_KIND: dict[str, dict[str, Attribute]] = {
    kind: {attribute.name: attribute for attribute in ATTRIBUTES if kind in attribute.kinds} for kind in NODE_KINDS
}
#: Name of a relation → its term, and back.
PREDICATES = {
    name: iri("owl:differentFrom" if name == "differentFrom" else f"sg:{name}") for name in RELATIONS | STRUCTURE
}
PREDICATE_NAMES = {term: name for name, term in PREDICATES.items()}
CLASSES = {iri(f"sg:{kind}"): kind for kind in NODE_KINDS}
#: Field of a linking decision → its property.
REASON_FIELDS = {
    "action": "sg:action",
    "rule": "sg:rule",
    "other": "sg:other",
    "document_id": "sg:documentId",
    "detail": "sg:detail",
}


class _Terms(NamedTuple):
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
    statement: IRI = iri("sg:Statement")
    reified: IRI = iri("rdf:Statement")
    sentence: IRI = iri("nif:Sentence")
    phrase: IRI = iri("nif:Phrase")
    names: IRI = iri("itsrdf:taIdentRef")
    extractor: IRI = iri("sg:extractor")
    confidence: IRI = iri("sg:confidence")
    rule: IRI = iri("sg:rule")
    about: IRI = iri("sg:decidesOn")
    notes: IRI = iri("sg:buildNotes")
    schema_version: IRI = iri("sg:schemaVersion")
    reported_in: IRI = PREDICATES["reportedIn"]


TERMS = _Terms()


def implied(name: str, source: str, subject: Mapping[str, Any]) -> Attributes | None:
    """What an edge of this predicate holds if it rests on its subject, on the input or on linking alone."""
    if name == "differentFrom":
        return {"predicate": name, "rule": "homonym", "confidence": 1.0}
    if name in ("publishedIn", "writtenBy"):
        return {"predicate": name, "paper": source, "rule": "metadata", "confidence": 1.0}
    if STRUCTURE.get(name) and STRUCTURE[name].domain == ("result",):
        return {"predicate": name, **result_edges(subject)}
    return None
