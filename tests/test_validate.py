from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest
import rdflib
from rdflib.namespace import RDF, SH

import birdpapers
from sotagraph.errors import ConfigError
from sotagraph.graph import to_graph
from sotagraph.resources import ontology_text
from sotagraph.schema import NODE_KINDS, RELATIONS, STRUCTURE, expand
from sotagraph.terms import IRI, RDF_TYPE, XSD, Literal, Term, Triple, iri, iri_of
from sotagraph.triples import to_triples
from sotagraph.validate import SMALL, Finding, checks, summary, validate, validate_triples

# pySHACL and rdflib use what rdflib itself calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

Spoil = Callable[[list[Triple]], object]


@cache
def _birds() -> tuple[Triple, ...]:
    return tuple(to_triples(to_graph(birdpapers.birds())))


def _some(triples: list[Triple], class_: str) -> IRI:
    return max(s for s, p, o in triples if p == RDF_TYPE and o == iri(class_))


def _drop(class_: str, predicate: str) -> Spoil:
    def spoil(triples: list[Triple]) -> None:
        node = _some(triples, class_)
        triples[:] = [t for t in triples if not (t[0] == node and t[1] == iri(predicate))]

    return spoil


def _put(class_: str, predicate: str, value: Term, *, replace: bool = True) -> Spoil:
    def spoil(triples: list[Triple]) -> None:
        node = _some(triples, class_)
        if replace:
            triples[:] = [t for t in triples if not (t[0] == node and t[1] == iri(predicate))]
        triples.append((node, iri(predicate), value))

    return spoil


def _add(*added: tuple[str, str, str]) -> Spoil:
    def spoil(triples: list[Triple]) -> None:
        triples.extend((iri_of(s), iri(p), iri_of(o)) for s, p, o in added)

    return spoil


def _unassert(triples: list[Triple]) -> None:
    triples.remove((iri_of("method/falcon"), iri("sg:uses"), iri_of("method/owl")))


def _own_baseline(triples: list[Triple]) -> None:
    result = next(s for s, p, o in triples if p == iri("sg:ofMethod") and o == iri_of("method/falcon"))
    triples.append((result, iri("sg:againstBaseline"), iri_of("method/falcon")))


def _forget_homonyms(triples: list[Triple]) -> None:
    triples[:] = [t for t in triples if t[1] != iri("owl:differentFrom")]


def _blank(triples: list[Triple]) -> None:
    blank = IRI("_:b1")
    triples += [
        (blank, RDF_TYPE, iri("sg:Venue")),
        (blank, iri("rdfs:label"), Literal("x")),
        (blank, iri("skos:prefLabel"), Literal("x")),
    ]


DECIMAL = XSD + "decimal"
INDEX = XSD + "nonNegativeInteger"

#: What is done to a sound graph, and the checks that must find it (others may, where one fault is another's cause).
FAULTS: list[tuple[Spoil, str]] = [
    (_drop("sg:Task", "rdfs:label"), "label"),
    (_put("sg:Task", "rdfs:label", Literal("")), "label"),
    (_put("sg:Task", "rdfs:label", Literal("second"), replace=False), "label"),
    (_drop("sg:Metric", "skos:prefLabel"), "name"),
    (_put("sg:Metric", "skos:prefLabel", Literal("zz"), replace=False), "name"),
    (_drop("sg:Paper", "sg:documentId"), "document"),
    (_drop("sg:Paper", "sg:hasText"), "text"),
    (_drop("sg:Statement", "sg:statedIn"), "stated-in"),
    (_put("sg:Statement", "sg:statedIn", iri_of("paper/p3"), replace=False), "stated-in"),
    (_put("sg:Statement", "sg:statedIn", iri_of("method/owl")), "stated-in"),
    (_drop("sg:Result", "sg:reportedIn"), "reported-in"),
    (_drop("sg:Result", "sg:evidence"), "evidence"),
    (_put("sg:Statement", "sg:evidence", iri_of("method/owl")), "evidence"),
    (_drop("sg:Statement", "sg:rule"), "rule"),
    (_put("sg:Result", "sg:rule", Literal("")), "rule"),
    (_put("sg:Statement", "sg:confidence", Literal("1.5", DECIMAL)), "confidence"),
    (_put("sg:Statement", "sg:confidence", Literal("-0.1", DECIMAL)), "confidence"),
    (_put("sg:Result", "sg:value", Literal("1")), "value"),
    (_drop("sg:Result", "sg:value"), "value"),
    (_drop("sg:Result", "sg:valueText"), "value-text"),
    (_put("sg:Result", "sg:resultKind", iri("sg:higher")), "result-kind"),
    (_unassert, "asserted"),
    (_put("nif:Sentence", "nif:endIndex", Literal("9999", INDEX)), "offsets"),
    (_put("nif:Sentence", "nif:beginIndex", Literal("9998", INDEX)), "offsets"),
    (_put("nif:Sentence", "nif:anchorOf", Literal("Something else.")), "quote"),
    (_put("nif:Sentence", "nif:beginIndex", Literal("1", INDEX)), "quote"),
    (_put("nif:Phrase", "nif:endIndex", Literal("9999", INDEX)), "offsets"),
    (_put("nif:Phrase", "nif:anchorOf", Literal("Heron")), "quote"),
    (_drop("nif:Phrase", "itsrdf:taIdentRef"), "phrase"),
    (_put("nif:Phrase", "itsrdf:taIdentRef", iri_of("paper/p1"), replace=False), "phrase"),
    (_own_baseline, "baseline"),
    (_add(("method/falcon", "sg:partOf", "method/beaknet")), "acyclic"),
    (_add(("method/falcon", "sg:variantOf", "method/falcon")), "acyclic"),
    (_add(("method/falcon", "sg:uses", "method/falcon")), "self"),
    (_forget_homonyms, "homonyms"),
    (_blank, "blank-nodes"),
    (_add(("method/falcon", "sg:proposes", "method/owl")), "domain"),
    (_add(("task/birdcounting", "sg:uses", "method/owl")), "domain"),
    (_add(("paper/p1", "sg:evaluatedOn", "method/owl")), "range"),
    (_add(("paper/p1", "sg:uses", "venue/icbs2024")), "range"),
    (_add(("paper/p1", "sg:uses", "method/nowhere")), "range"),
]


def _percent(triples: list[Triple]) -> None:
    _result_with(triples, "90.4", "sg:value", "190.4")


def _turned_range(triples: list[Triple]) -> None:
    _result_with(triples, "92.5", "sg:value", "95")


def _result_with(triples: list[Triple], old: str, predicate: str, new: str) -> None:
    place = next(i for i, t in enumerate(triples) if t[1] == iri(predicate) and t[2] == Literal(old, DECIMAL))
    triples[place] = (triples[place][0], triples[place][1], Literal(new, DECIMAL))


FAULTS += [(_percent, "percent"), (_turned_range, "range-order")]


@pytest.mark.parametrize("corpus", [birdpapers.birds, birdpapers.hostile])
def test_what_the_program_makes_has_no_fault(corpus: Callable[[], object]) -> None:
    graph = to_graph(corpus())  # type: ignore[arg-type]
    assert validate(graph, engine="sparql") == ()
    assert validate(graph, engine="shacl") == ()


@pytest.mark.parametrize(("spoil", "check"), FAULTS, ids=[f"{i}-{c}" for i, (_, c) in enumerate(FAULTS)])
def test_each_fault_is_found(spoil: Spoil, check: str) -> None:
    triples = list(_birds())
    spoil(triples)
    assert check in {finding.check for finding in validate_triples(triples, engine="sparql")}


def test_every_check_has_its_fault() -> None:
    assert {check for _, check in FAULTS} == set(checks())
    assert len(checks()) >= 16


@pytest.mark.parametrize("part", range(4))
def test_shacl_and_sparql_find_the_same(part: int) -> None:
    # Several faults at once, since SHACL takes seconds; each quarter mixes faults that do not undo each other.
    triples = list(_birds())
    for spoil, _ in FAULTS[part::4]:
        spoil(triples)
    found = validate_triples(triples, engine="shacl")
    assert found == validate_triples(triples, engine="sparql")
    assert {check for _, check in FAULTS[part::4]} - {finding.check for finding in found} <= {"stated-in", "evidence"}


def test_faults_come_before_warnings_and_name_the_node() -> None:
    triples = list(_birds())
    _percent(triples)
    _unassert(triples)
    findings = validate_triples(triples)
    assert [finding.severity for finding in findings] == ["violation", "warning"]
    assert findings[0].node.startswith("statement/p1-")
    assert findings[1].node.startswith("result/p1-")


def test_small_graphs_go_through_shacl(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    for name in ("shacl", "sparql"):
        monkeypatch.setattr(f"sotagraph.validate._by_{name}", lambda triples, name=name: used.append(name))
    validate_triples(_birds())
    validate_triples(list(_birds()) * (SMALL // len(_birds()) + 1))
    assert used == ["shacl", "sparql"]


def test_unknown_engines_are_refused() -> None:
    with pytest.raises(ConfigError, match="auto, shacl, sparql"):
        validate_triples([], engine="magic")


def test_the_summary_counts() -> None:
    findings = [Finding("violation", "label", f"method/{i}", "No label.") for i in range(5)]
    assert summary(findings) == (
        "violation  label: No label. (5: method/0, method/1, method/2, …)\n5 violations, 0 warnings"
    )
    assert summary([]) == "0 violations, 0 warnings"


@cache
def _shapes() -> rdflib.Graph:
    return rdflib.Graph().parse(data=ontology_text("shapes.ttl"), format="turtle")


def test_shapes_and_checks_are_twins() -> None:
    shapes = _shapes()
    prefix = "https://w3id.org/sotagraph/shapes#"
    names = {}
    for shape in shapes.subjects(SH.severity):
        name = str(shape).removeprefix(prefix).partition("-of-")[0]
        names[name] = (str(shapes.value(shape, SH.message)), str(shapes.value(shape, SH.severity)))
    assert names == {check.name: (check.message, str(SH[check.severity.capitalize()])) for check in checks().values()}


def test_targets_in_sparql_are_the_queries_of_the_checks() -> None:
    shapes = _shapes()
    compared = 0
    for target in shapes.subjects(RDF.type, SH.SPARQLTarget):
        (shape,) = shapes.subjects(SH.target, target)
        name = str(shape).rpartition("#")[2]
        select = str(shapes.value(target, SH.select)).replace("?this", "?focus")
        assert " ".join(select.split()) == " ".join(checks()[name].query.split())
        compared += 1
    assert compared >= 7


@pytest.mark.parametrize("name", [n for n in RELATIONS | STRUCTURE if n != "differentFrom"])
def test_domains_and_ranges_are_those_of_the_schema(name: str) -> None:
    relation = (RELATIONS | STRUCTURE)[name]
    classes = {kind.key: kind.name for kind in NODE_KINDS.values()}
    for check, kinds in (("domain", relation.domain), ("range", relation.range)):
        expected = {f"sg:{classes[kind]}" for kind in kinds}
        query = checks()[check].query
        assert set(re.findall(rf"\(sg:{name} (sg:\w+)\)", query)) == expected
        shape = rdflib.URIRef(f"https://w3id.org/sotagraph/shapes#{check}-of-{name}")
        shapes = _shapes()
        said = set(shapes.objects(shape, SH["class"]))
        for part in shapes.objects(shape, SH["or"]):
            said |= {of for item in shapes.items(part) for of in shapes.objects(item, SH["class"])}
        assert {str(term) for term in said} == {expand(curie) for curie in expected}
