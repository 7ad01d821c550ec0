from __future__ import annotations

import json
import re
import runpy
from functools import cache
from pathlib import Path

import pytest
import rdflib
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS, SKOS

import birdpapers
from sotagraph.graph import to_graph
from sotagraph.resources import ontology_directory, ontology_text
from sotagraph.schema import ATTRIBUTES, LINKS, NAMESPACES, NODE_KINDS, RELATIONS, STRUCTURE, VERSION, expand
from sotagraph.triples import to_triples

NS = NAMESPACES["sg"]
THIS = rdflib.URIRef(NS.removesuffix("#"))
KINDS_OF_TERM = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.NamedIndividual)


@cache
def _ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(data=ontology_text("sotagraph.ttl"), format="turtle")


@cache
def _borrowed() -> dict[str, str]:
    """IRI → what it is borrowed as."""
    rows = (line.split("\t") for line in ontology_text("borrowed.tsv").splitlines()[1:])
    return {iri: kind for kind, iri, _ in rows}


def _terms() -> list[rdflib.URIRef]:
    return sorted(
        {s for kind in KINDS_OF_TERM for s in _ontology().subjects(RDF.type, kind) if isinstance(s, rdflib.URIRef)}
    )


@pytest.mark.parametrize("term", _terms(), ids=lambda term: str(term).removeprefix(NS))
def test_every_term_has_label_definition_and_example(term: rdflib.URIRef) -> None:
    ontology = _ontology()
    assert str(term).startswith(NS)
    for annotation in (RDFS.label, SKOS.definition, SKOS.example):
        (text,) = ontology.objects(term, annotation)
        assert isinstance(text, rdflib.Literal)
        assert text.language == "en"
        assert str(text)
    assert ontology.value(term, RDFS.isDefinedBy) == THIS
    assert str(ontology.value(term, SKOS.definition)).endswith(".")


@pytest.mark.parametrize("property_", [t for t in _terms() if (t, RDF.type, OWL.NamedIndividual) not in _ontology()])
def test_every_property_has_a_domain_and_a_range(property_: rdflib.URIRef) -> None:
    ontology = _ontology()
    if (property_, RDF.type, OWL.Class) in ontology:
        return
    assert ontology.value(property_, RDFS.domain) is not None
    assert ontology.value(property_, RDFS.range) is not None or property_ == rdflib.URIRef(NS + "decidesOn")


def test_the_ontology_has_a_version_and_names_itself() -> None:
    assert _ontology().value(THIS, OWL.versionIRI) == rdflib.URIRef(f"{THIS}/{VERSION}")
    assert str(_ontology().value(THIS, OWL.versionInfo)) == VERSION


@pytest.mark.parametrize("corpus", [birdpapers.birds, birdpapers.hostile])
def test_nothing_undeclared_is_emitted(corpus: object) -> None:
    graph = to_graph(corpus())  # type: ignore[operator]
    graph.graph["extractor"] = "capitals 1"
    declared = {str(term) for term in _terms()}
    for _, predicate, thing in to_triples(graph):
        terms = [str(predicate)]
        if predicate == RDF.type.toPython():
            terms.append(str(thing))
        if isinstance(thing, str) and thing.startswith(NS) and thing != NS:
            terms.append(thing)
        if not isinstance(thing, str):
            terms.append(thing.datatype)
        for term in terms:
            assert term in declared or term in _borrowed(), term


def test_everything_that_the_schema_can_emit_is_declared() -> None:
    emitted = {expand(f"sg:{kind}") for kind in NODE_KINDS} | {expand(kind.borrowed) for kind in NODE_KINDS.values()}
    emitted |= {expand(f"sg:{name}") for name in RELATIONS | STRUCTURE if name != "differentFrom"}
    emitted |= {expand(attribute.iri) for attribute in ATTRIBUTES} | {expand(curie) for curie in LINKS.values()}
    emitted |= {expand(curie) for attribute in ATTRIBUTES for curie in (attribute.values or {}).values()}
    declared = {str(term) for term in _terms()} | set(_borrowed())
    assert emitted <= declared


def test_borrowed_terms_are_those_that_are_used_and_exist() -> None:
    used = {str(term) for triple in _ontology() for term in triple if isinstance(term, rdflib.URIRef)}
    used |= {expand(attribute.iri) for attribute in ATTRIBUTES} | {expand(curie) for curie in LINKS.values()}
    used |= {expand(curie) for attribute in ATTRIBUTES for curie in (attribute.values or {}).values()}
    for corpus in (birdpapers.birds, birdpapers.hostile):
        graph = to_graph(corpus())
        graph.graph["extractor"] = "capitals 1"
        for _, predicate, thing in to_triples(graph):
            used |= {str(predicate), str(thing) if isinstance(thing, str) else thing.datatype}
    assert set(_borrowed()) <= used
    foreign = {
        t for t in used if not t.startswith((NS, str(THIS), "https://w3id.org/sotagraph/id/", "http://example.org/"))
    }
    pages = {str(o) for o in _ontology().objects(THIS)} | {"http://www.wikidata.org/entity/Q25222"}
    assert foreign - set(_borrowed()) - pages == set()


def test_borrowed_terms_exist_where_rdflib_knows_the_vocabulary() -> None:
    """rdflib ships closed namespaces of some of the vocabularies and raises on a term that is not in them."""
    known = {
        str(space): space for space in (rdflib.SKOS, rdflib.DCTERMS, rdflib.PROV, rdflib.VOID, rdflib.OWL, rdflib.RDFS)
    }
    checked = 0
    for iri in _borrowed():
        namespace = re.sub(r"[^/#]+$", "", iri)
        if namespace in known:
            assert known[namespace][iri.removeprefix(namespace)] == rdflib.URIRef(iri)
            checked += 1
    assert checked > 10


def _classes(node: rdflib.term.Node | None) -> set[str]:
    ontology = _ontology()
    if union := ontology.value(node, OWL.unionOf):
        return {str(item).removeprefix(NS) for item in Collection(ontology, union)}
    return {str(node).removeprefix(NS)}


@pytest.mark.parametrize("name", [name for name in RELATIONS | STRUCTURE if name != "differentFrom"])
def test_relations_say_what_the_schema_says(name: str) -> None:
    relation, term = (RELATIONS | STRUCTURE)[name], rdflib.URIRef(NS + name)
    classes = {kind.key: kind.name for kind in NODE_KINDS.values()}
    assert str(_ontology().value(term, SKOS.definition)) == relation.definition
    assert _classes(_ontology().value(term, RDFS.domain)) == {classes[kind] for kind in relation.domain}
    assert _classes(_ontology().value(term, RDFS.range)) == {classes[kind] for kind in relation.range}


@pytest.mark.parametrize("name", NODE_KINDS)
def test_classes_say_what_the_schema_says(name: str) -> None:
    kind, term = NODE_KINDS[name], rdflib.URIRef(NS + name)
    assert str(_ontology().value(term, SKOS.definition)) == kind.definition
    assert rdflib.URIRef(expand(kind.borrowed)) in set(_ontology().objects(term, RDFS.subClassOf))


def test_the_context_names_every_property_that_is_emitted() -> None:
    context = json.loads(ontology_text("context.jsonld"))["@context"]
    named = {expand(term["@id"]) for term in context.values() if isinstance(term, dict)}
    for corpus in (birdpapers.birds, birdpapers.hostile):
        graph = to_graph(corpus())
        graph.graph["extractor"] = "capitals 1"
        emitted = {str(predicate) for _, predicate, _ in to_triples(graph)}
        assert emitted - named <= {str(RDF.type)}
    prefixes = {name: term for name, term in context.items() if isinstance(term, str) and not term.startswith("@")}
    assert {name: NAMESPACES[name] for name in prefixes} == prefixes


def test_files_are_utf8_with_line_feeds() -> None:
    for file in sorted(ontology_directory().rglob("*.*")):
        data = file.read_bytes()
        assert b"\r" not in data
        assert data.endswith(b"\n")
        data.decode("utf-8")


def test_the_page_is_current() -> None:
    root = Path(__file__).parent.parent
    if not (root / "docs" / "make_ontology.py").exists():
        pytest.skip("the documentation is not in this checkout")
    made = runpy.run_path(str(root / "docs" / "make_ontology.py"))["page"]()
    current = (root / "docs" / "ontology.md").read_text(encoding="utf-8")
    assert made == current, "run python docs/make_ontology.py"
