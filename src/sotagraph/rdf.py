"""The graph as RDF: an ``rdflib.Graph`` for programs, text in five formats for files. The border to rdflib.

rdflib is imported by `to_rdf` and `from_rdf` alone, since writing files does not need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sotagraph import serialize
from sotagraph.errors import ConfigError
from sotagraph.graph import Graph
from sotagraph.schema import NAMESPACES
from sotagraph.terms import IRI, Literal, Term, Triple
from sotagraph.triples import to_named_graphs, to_triples
from sotagraph.untriples import from_triples

if TYPE_CHECKING:
    import rdflib

__all__ = [
    "FORMATS",
    "dumps",
    "format_of",
    "from_rdf",
    "to_jsonld",
    "to_ntriples",
    "to_rdf",
    "to_rdflib",
    "to_rdfxml",
    "to_trig",
    "to_turtle",
]


def to_rdf(graph: Graph) -> rdflib.Graph:
    """The graph as an ``rdflib.Graph`` with our prefixes bound.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(); graph.add_node("method/a", kind="Method", label="A", name="A")
    >>> rdf = to_rdf(graph)
    >>> [str(name) for name in rdf.objects(predicate=rdf.namespace_manager.expand_curie("skos:prefLabel"))]
    ['A']
    """
    return to_rdflib(to_triples(graph))


def from_rdf(rdf: rdflib.Graph) -> Graph:
    """The graph behind `to_rdf`, or behind one of our files that rdflib has read.

    Raises:
        BuildError: a term of ours holds what `to_rdf` does not write.

    >>> import networkx as nx
    >>> graph = nx.MultiDiGraph(schema="1"); graph.add_node("method/a", kind="Method", label="A", name="A")
    >>> nx.utils.graphs_equal(from_rdf(to_rdf(graph)), graph)
    True
    """
    return from_triples(_from_rdflib(rdf))


def to_turtle(graph: Graph) -> str:
    """Turtle, sorted and grouped by subject."""
    return serialize.turtle(to_triples(graph))


def to_ntriples(graph: Graph) -> str:
    """N-Triples, one sorted line a triple."""
    return serialize.nt(to_triples(graph))


def to_jsonld(graph: Graph) -> str:
    """JSON-LD with our context inside, so that nothing is fetched to read it."""
    return serialize.jsonld(to_triples(graph))


def to_rdfxml(graph: Graph) -> str:
    """RDF/XML, one description a subject."""
    return serialize.rdfxml(to_triples(graph))


def to_trig(graph: Graph) -> str:
    """TriG, one named graph a paper."""
    return serialize.trig(to_named_graphs(graph))


#: Name of a format → its suffixes and its writer.
FORMATS = {
    "turtle": ((".ttl",), to_turtle),
    "ntriples": ((".nt",), to_ntriples),
    "jsonld": ((".jsonld",), to_jsonld),
    "trig": ((".trig",), to_trig),
    "rdfxml": ((".rdf", ".owl"), to_rdfxml),
}


def format_of(name: str) -> str:
    """The format that a file's name asks for; ``.gz`` at its end is no part of it.

    Raises:
        ConfigError: the suffix belongs to no format.

    >>> format_of("out/graph.nt.gz")
    'ntriples'
    """
    bare = name.removesuffix(".gz").lower()
    for form, (suffixes, _) in FORMATS.items():
        if bare.endswith(suffixes):
            return form
    known = ", ".join(suffix for suffixes, _ in FORMATS.values() for suffix in suffixes)
    raise ConfigError(f"{name!r} has none of the suffixes {known} (each also with .gz); rename it or name a format")


def dumps(graph: Graph, name: str) -> bytes:
    """The bytes of an RDF file by its name: the format by its suffix, gzipped where it ends in ``.gz``.

    Raises:
        ConfigError: the suffix belongs to no format.
    """
    return serialize.compress(FORMATS[format_of(name)][1](graph), name)


def to_rdflib(triples: Iterable[Triple]) -> rdflib.Graph:
    """Any triples, such as those of a CONSTRUCT, as an ``rdflib.Graph`` with our prefixes bound."""
    import rdflib

    made: dict[str, rdflib.URIRef | rdflib.BNode] = {}

    def resource(term: str) -> rdflib.URIRef | rdflib.BNode:
        if term not in made:
            made[term] = rdflib.BNode(term[2:]) if term.startswith("_:") else rdflib.URIRef(term)
        return made[term]

    def thing(term: Term) -> rdflib.URIRef | rdflib.BNode | rdflib.Literal:
        if isinstance(term, str):
            return resource(term)
        if term.datatype == NAMESPACES["xsd"] + "string":
            return rdflib.Literal(term.lexical)
        # Not normalised: 90 stays 90 and does not become 90.0.
        return rdflib.Literal(term.lexical, datatype=rdflib.URIRef(term.datatype), normalize=False)

    rdf = rdflib.Graph(bind_namespaces="none")
    for prefix, namespace in NAMESPACES.items():
        if prefix:
            rdf.bind(prefix, namespace)
    for subject, predicate, value in triples:
        rdf.add((resource(subject), rdflib.URIRef(predicate), thing(value)))
    return rdf


def _from_rdflib(rdf: rdflib.Graph) -> Iterator[Triple]:
    import rdflib

    def literal(term: Any) -> Literal:
        return Literal(str(term), str(term.datatype)) if term.datatype else Literal(str(term))

    for subject, predicate, value in rdf:
        if isinstance(subject, rdflib.URIRef):
            thing = literal(value) if isinstance(value, rdflib.Literal) else IRI(value)
            yield IRI(subject), IRI(predicate), thing
