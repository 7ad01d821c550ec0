from __future__ import annotations

import gzip
import itertools
import re
from collections.abc import Callable
from typing import Any

import networkx as nx
import pyoxigraph
import pytest
import rdflib
from rdflib.compare import isomorphic

import birdpapers
from sotagraph.errors import BuildError, ConfigError
from sotagraph.graph import Graph, to_graph
from sotagraph.rdf import FORMATS, dumps, format_of, from_rdf, to_jsonld, to_ntriples, to_rdf, to_trig, to_turtle
from sotagraph.schema import NAMESPACES, expand
from sotagraph.terms import IRI, Literal, curie, id_of, iri_of, ntriples
from sotagraph.triples import to_named_graphs, to_triples

# rdflib's own readers of JSON-LD and TriG use what rdflib itself calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:.*is deprecated.*:DeprecationWarning:rdflib")

CORPORA = {"birds": birdpapers.birds, "hostile": birdpapers.hostile}
RDFLIB_NAMES = {"turtle": "turtle", "ntriples": "nt", "jsonld": "json-ld", "trig": "trig", "rdfxml": "xml"}
OXIGRAPH_FORMATS = {
    "turtle": pyoxigraph.RdfFormat.TURTLE,
    "ntriples": pyoxigraph.RdfFormat.N_TRIPLES,
    "jsonld": pyoxigraph.RdfFormat.JSON_LD,
    "trig": pyoxigraph.RdfFormat.TRIG,
    "rdfxml": pyoxigraph.RdfFormat.RDF_XML,
}


@pytest.fixture(params=CORPORA)
def graph(request: pytest.FixtureRequest) -> Graph:
    return to_graph(CORPORA[request.param]())


@pytest.fixture
def birds() -> Graph:
    return to_graph(birdpapers.birds())


def _read_with_rdflib(text: str, form: str) -> rdflib.Graph:
    if form == "trig":
        dataset = rdflib.Dataset()
        dataset.parse(data=text, format="trig")
        union = rdflib.Graph()
        for s, p, o, _ in dataset.quads():
            union.add((s, p, o))
        return union
    graph = rdflib.Graph()
    graph.parse(data=text, format=RDFLIB_NAMES[form])
    return graph


def test_rdf_reads_back_to_an_equal_graph(graph: Graph) -> None:
    assert nx.utils.graphs_equal(from_rdf(to_rdf(graph)), graph)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_reads_back_by_rdflib_to_an_equal_graph(graph: Graph, form: str) -> None:
    rdf = _read_with_rdflib(FORMATS[form][1](graph), form)
    assert len(rdf) == len(to_triples(graph))
    assert nx.utils.graphs_equal(from_rdf(rdf), graph)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_reads_by_oxigraph_to_the_same_triples(graph: Graph, form: str) -> None:
    quads = pyoxigraph.parse(FORMATS[form][1](graph).encode(), OXIGRAPH_FORMATS[form])
    found = {(str(q.subject), str(q.predicate), str(q.object)) for q in quads}
    expected = pyoxigraph.parse(to_ntriples(graph).encode(), pyoxigraph.RdfFormat.N_TRIPLES)
    assert found == {(str(q.subject), str(q.predicate), str(q.object)) for q in expected}


@pytest.mark.parametrize("pair", list(itertools.pairwise(FORMATS)), ids="-".join)
def test_formats_are_isomorphic(birds: Graph, pair: tuple[str, str]) -> None:
    one, other = (_read_with_rdflib(FORMATS[form][1](birds), form) for form in pair)
    assert isomorphic(one, other)


@pytest.mark.parametrize("form", FORMATS)
def test_bytes_are_the_same_again_and_end_in_one_line_feed(graph: Graph, form: str) -> None:
    text = FORMATS[form][1](graph)
    assert text == FORMATS[form][1](from_rdf(to_rdf(graph)))
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_triples_are_sorted_and_the_named_graphs_hold_the_same(graph: Graph) -> None:
    triples = to_triples(graph)
    assert triples == sorted(triples, key=lambda t: (t[0], t[1], ntriples(t[2])))
    assert len(set(triples)) == len(triples)
    named = to_named_graphs(graph)
    assert set().union(*named.values()) == set(triples)
    for found in named.values():
        assert found == [triple for triple in triples if triple in set(found)]


def test_no_blank_node_and_only_safe_iris(graph: Graph) -> None:
    for subject, predicate, thing in to_triples(graph):
        for term in (subject, predicate, thing):
            if isinstance(term, str):
                assert term.isascii()
                pyoxigraph.NamedNode(term)  # raises on an invalid IRI
                assert term.startswith(("http://", "https://"))


def test_turtle_is_grouped_and_readable(birds: Graph) -> None:
    text = to_turtle(birds)
    assert (
        "\nmethod:falcon7b a sg:Method, mls:InformationEntity ;\n"
        '  rdfs:label "Falcon-7B" ;\n'
        '  skos:prefLabel "Falcon-7B" ;\n'
        "  sg:outperforms method:owl ;\n"
        "  sg:variantOf method:falcon .\n"
    ) in text
    assert "sg:value 90.4 ;" in text
    assert 'sg:baselineValue "88"^^xsd:decimal ;' in text
    assert text.count("\n\nmethod:owl ") == 1


def test_the_description_counts_what_is_there(birds: Graph) -> None:
    rdf = to_rdf(birds)
    (dataset,) = rdf.subjects(rdflib.RDF.type, rdflib.URIRef(expand("void:Dataset")))
    assert int(str(rdf.value(dataset, rdflib.URIRef(expand("void:triples"))))) == len(rdf)
    assert int(str(rdf.value(dataset, rdflib.URIRef(expand("void:entities"))))) == len(birds)
    of_kind = {
        str(rdf.value(part, rdflib.URIRef(expand("void:class")))): int(
            str(rdf.value(part, rdflib.URIRef(expand("void:entities"))))
        )
        for part in rdf.objects(dataset, rdflib.URIRef(expand("void:classPartition")))
    }
    assert of_kind[expand("sg:Paper")] == 5
    assert of_kind[expand("sg:Result")] == 6


def test_trig_has_one_graph_a_paper_and_says_nothing_of_a_paper_elsewhere(birds: Graph) -> None:
    dataset = rdflib.Dataset()
    dataset.parse(data=to_trig(birds), format="trig")
    papers = {str(iri_of(node)) for node, data in birds.nodes(data=True) if data["kind"] == "Paper"}
    graphs = {str(g.identifier): g for g in dataset.graphs()}
    assert papers == set(graphs) - {"urn:x-rdflib:default"}
    for name, named in graphs.items():
        for statement, _, paper in named.triples((None, rdflib.URIRef(expand("sg:statedIn")), None)):
            assert str(paper) == name, statement


def test_a_statement_of_two_papers_is_one_triple_and_two_statements(birds: Graph) -> None:
    owl = rdflib.URIRef(iri_of("method/owl"))
    rdf = to_rdf(birds)
    beats = rdflib.URIRef(expand("sg:outperforms"))
    reified = [
        s
        for s in rdf.subjects(rdflib.RDF.object, owl)
        if (s, rdflib.RDF.predicate, beats) in rdf
    ]  # fmt: skip
    papers = {str(rdf.value(s, rdflib.URIRef(expand("sg:statedIn")))) for s in reified}
    assert len(reified) == 4
    assert len(papers) == 2
    for s in reified:
        assert (rdf.value(s, rdflib.RDF.subject), beats, owl) in rdf


def test_phrases_stand_where_the_text_names_a_thing(birds: Graph) -> None:
    rdf = to_rdf(birds)
    nif, names = rdflib.Namespace(NAMESPACES["nif"]), rdflib.URIRef(expand("itsrdf:taIdentRef"))
    found = {}
    for phrase in rdf.subjects(rdflib.RDF.type, nif.Phrase):
        start, end = (int(str(rdf.value(phrase, term))) for term in (nif.beginIndex, nif.endIndex))
        text = str(rdf.value(rdf.value(phrase, nif.referenceContext), nif.isString))
        assert text[start:end] == str(rdf.value(phrase, nif.anchorOf))
        found[id_of(str(phrase))] = (text[start:end], id_of(str(rdf.value(phrase, names))))
    assert found["phrase/p1-13-19"] == ("Falcon", "method/falcon")
    assert found["phrase/p4-52-62"] == ("Delta rule", "method/deltarule")
    assert len(found) == len(birdpapers.occurrences())


def test_one_phrase_may_name_two_things(birds: Graph) -> None:
    birds.nodes["paper/p1"]["phrases"] = '[[13, 19, "method/falcon"], [13, 19, "method/owl"]]'
    rdf = to_rdf(birds)
    phrase = rdflib.URIRef(iri_of("phrase/p1-13-19"))
    assert len(list(rdf.objects(phrase, rdflib.URIRef(expand("itsrdf:taIdentRef"))))) == 2
    assert nx.utils.graphs_equal(from_rdf(rdf), birds)


def test_the_run_that_made_it_is_named_without_a_clock(birds: Graph) -> None:
    assert "prov:wasGeneratedBy" not in to_turtle(birds)
    birds.graph["extractor"] = "sotagraph 9 (model)"
    text = to_turtle(birds)
    (name,) = re.findall(r"\n  prov:wasGeneratedBy (graph:\w+-build) ;", text)
    assert f'\n{name} a prov:Activity ;\n  sg:extractor "sotagraph 9 (model)" .\n' in text
    assert nx.utils.graphs_equal(from_rdf(to_rdf(birds)), birds)
    birds.graph["extractor"] = "sotagraph 10"
    assert name not in to_turtle(birds)


def test_notes_of_the_build_survive(birds: Graph) -> None:
    birds.graph["warnings"] = '["line 3 is broken"]'
    birds.graph["min_confidence"] = 0.25
    assert nx.utils.graphs_equal(from_rdf(to_rdf(birds)), birds)


def test_an_edge_of_a_result_with_its_own_evidence_keeps_it(birds: Graph) -> None:
    source, target, key = next(edge for edge in birds.edges(keys=True) if edge[2].startswith("onDataset"))
    birds.edges[source, target, key]["rule"] = "by hand"
    assert nx.utils.graphs_equal(from_rdf(to_rdf(birds)), birds)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda g: g.add_node("method/x", kind="Method", label="X", colour="red"), "'colour'"),
        (lambda g: g.add_node("bird/x", kind="Bird", label="X"), "'Bird'"),
        (lambda g: g.add_node("x", label="X"), "kind None"),
        (lambda g: g.add_edge("method/owl", "method/falcon", predicate="eats"), "'eats'"),
        (lambda g: g.add_node("result/x", kind="Result", label="X", unit="parsec"), "'parsec'"),
    ],
)
def test_what_the_schema_does_not_know_is_refused(birds: Graph, spoil: Callable[[Graph], Any], message: str) -> None:
    spoil(birds)
    with pytest.raises(BuildError, match=message):
        to_rdf(birds)


def test_foreign_triples_are_passed_over_and_broken_ones_refused(birds: Graph) -> None:
    rdf = to_rdf(birds)
    rdf.parse(data="<http://x.org/a> <http://x.org/b> [ <http://x.org/c> 1 ] .", format="turtle")
    assert nx.utils.graphs_equal(from_rdf(rdf), birds)
    rdf.remove((None, rdflib.URIRef(expand("nif:anchorOf")), None))
    with pytest.raises(BuildError, match="not the RDF of a graph"):
        from_rdf(rdf)


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.ttl", "turtle"), ("a.nt.gz", "ntriples"), ("A.JSONLD", "jsonld"), ("a.trig.gz", "trig"), ("a.rdf", "rdfxml")],
)
def test_formats_by_suffix(birds: Graph, name: str, form: str) -> None:
    assert format_of(name) == form
    data = dumps(birds, name)
    text = gzip.decompress(data) if name.endswith(".gz") else data
    assert text.decode("utf-8") == FORMATS[form][1](birds)
    assert data == dumps(birds, name)


@pytest.mark.parametrize("name", ["a", "a.txt", "ttl", ".gz"])
def test_unknown_suffixes_are_refused(birds: Graph, name: str) -> None:
    with pytest.raises(ConfigError, match=r"\.ttl"):
        dumps(birds, name)


def test_jsonld_stays_readable_and_fetches_no_context(birds: Graph) -> None:
    text = to_jsonld(birds)
    assert '"@context":{' in text
    line = next(line for line in text.splitlines() if '"id": "method:falcon7b"' in line)
    assert '"variantOf": "method:falcon"' in line
    assert '"prefLabel": "Falcon-7B"' in line


@pytest.mark.parametrize("name", birdpapers.HOSTILE)
def test_ids_and_iris_are_one_to_one(name: str) -> None:
    node = f"paper/{name}"
    term = iri_of(node)
    assert term.isascii()
    assert id_of(term) == node
    assert curie(term)[0] in "<p"


@pytest.mark.parametrize("name", [n for n in birdpapers.HOSTILE if n.isprintable() or n.isascii()])
def test_literals_read_back_by_oxigraph(name: str) -> None:
    line = f"<x:s> <x:p> {ntriples(Literal(name))} ."
    (quad,) = pyoxigraph.parse(line.encode(), pyoxigraph.RdfFormat.N_TRIPLES)
    assert quad.object == pyoxigraph.Literal(name)
    assert ntriples(IRI("x:p")) == str(quad.predicate)
