"""Writes docs/ontology.md from ontology/sotagraph.ttl and the schema: ``python docs/make_ontology.py``.

With ``--check`` it writes nothing and exits 1 if the page is not current.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import rdflib
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS, SKOS

from sotagraph.query import named_queries
from sotagraph.resources import ontology_text
from sotagraph.schema import NAMESPACES, NODE_KINDS, RELATIONS, STRUCTURE, VERSION
from sotagraph.validate import checks

PAGE = Path(__file__).with_name("ontology.md")
SG = NAMESPACES["sg"]
_EXTRA = {"mlso": "http://w3id.org/mlso/", "fair4ml": "https://w3id.org/fair4ml#"}


def page() -> str:
    """The text of the page."""
    ontology = rdflib.Graph().parse(data=ontology_text("sotagraph.ttl"), format="turtle")
    return "\n".join([*_intro(), *_diagram(), *_terms(ontology), *_lists()]) + "\n"


def _intro() -> Iterator[str]:
    yield "# The ontology"
    yield ""
    yield "<!-- Made by docs/make_ontology.py from ontology/sotagraph.ttl; change that, then run this again. -->"
    yield ""
    yield f"Terms: `{SG}` (prefix `sg:`), version {VERSION}."
    yield "Things: `https://w3id.org/sotagraph/id/<kind>/<key>`."
    yield "Source: [`ontology/sotagraph.ttl`](../ontology/sotagraph.ttl)."
    yield ""
    yield "A statement of a paper is in the data twice: as the plain triple, which any query can walk, and as an"
    yield "`sg:Statement` node for each place where a paper says it, with the paper, the sentence, the rule and the"
    yield "confidence. Results hang on what they measure and carry their evidence themselves."
    yield ""
    yield "```turtle"
    yield "method:falcon sg:uses method:owl ."
    yield ""
    yield "statement:p1-9f3c a sg:Statement, rdf:Statement ;"
    yield "  rdf:subject method:falcon ; rdf:predicate sg:uses ; rdf:object method:owl ;"
    yield '  sg:statedIn paper:p1 ; sg:evidence sentence:p1-0-68 ; sg:rule "built-on" ; sg:confidence 0.9 .'
    yield ""
    yield "sentence:p1-0-68 a nif:Sentence ;"
    yield "  nif:beginIndex 0 ; nif:endIndex 68 ; nif:referenceContext text:p1 ;"
    yield '  nif:anchorOf "We present Falcon, built on Owl." .'
    yield ""
    yield "phrase:p1-11-17 a nif:Phrase ;"
    yield "  nif:beginIndex 11 ; nif:endIndex 17 ; nif:referenceContext text:p1 ;"
    yield '  nif:anchorOf "Falcon" ; itsrdf:taIdentRef method:falcon .'
    yield "```"
    yield ""
    yield "A phrase is a place where the text names a thing. The description of the whole (`void:Dataset`) names the"
    yield "run that made it, a `prov:Activity` with the extractor's version; there is no clock in it."
    yield ""
    yield "Offsets count characters of the paper's text, from 0, half open. There are no blank nodes; every IRI comes"
    yield "from content, so that the N-Triples of two corpora merge by `sort -u`."
    yield ""


def _diagram() -> Iterator[str]:
    yield "## Diagram"
    yield ""
    yield "```mermaid"
    yield "graph LR"
    names = {kind.key: kind.name for kind in NODE_KINDS.values()}
    grouped: dict[tuple[str, str], list[str]] = {}
    for relation in (RELATIONS | STRUCTURE).values():
        for domain in relation.domain:
            for target in relation.range:
                # Mostly between things of one kind; the lists below have the rest.
                if relation.name in ("variantOf", "partOf", "differentFrom", "generalizes") and domain != target:
                    continue
                grouped.setdefault((names[domain], names[target]), []).append(relation.name)
    for (domain, target), relations in sorted(grouped.items()):
        yield f"  {domain} -- {'<br/>'.join(relations)} --> {target}"
    yield "  Statement -- statedIn --> Paper"
    yield "  Statement -- evidence --> Sentence"
    yield "  Result -- evidence --> Sentence"
    yield "  Sentence -- referenceContext --> Text"
    yield "  Paper -- hasText --> Text"
    yield "  Phrase -- referenceContext --> Text"
    yield "  Phrase -- taIdentRef --> Method"
    yield "```"
    yield ""


def _terms(ontology: rdflib.Graph) -> Iterator[str]:
    for title, kind in (
        ("Classes", OWL.Class),
        ("Relations", OWL.ObjectProperty),
        ("Values", OWL.DatatypeProperty),
        ("Individuals", OWL.NamedIndividual),
    ):
        yield f"## {title}"
        yield ""
        named = sorted(s for s in ontology.subjects(RDF.type, kind) if isinstance(s, rdflib.URIRef))
        for term in named:
            yield from _term(ontology, term)


def _term(ontology: rdflib.Graph, term: rdflib.URIRef) -> Iterator[str]:
    yield f"### `sg:{term.removeprefix(SG)}`"
    yield ""
    yield str(ontology.value(term, SKOS.definition))
    yield ""
    for title, predicate in (
        ("From", RDFS.domain),
        ("To", RDFS.range),
        ("Under", RDFS.subClassOf),
        ("Under", RDFS.subPropertyOf),
        ("Compare", SKOS.relatedMatch),
    ):
        if found := sorted(name for node in ontology.objects(term, predicate) for name in _names(ontology, node)):
            yield f"- {title}: {', '.join(f'`{name}`' for name in found)}"
    yield f"- Example: `{ontology.value(term, SKOS.example)}`"
    yield ""


def _names(ontology: rdflib.Graph, node: rdflib.term.Node) -> Iterator[str]:
    if union := ontology.value(node, OWL.unionOf):
        for item in Collection(ontology, union):
            yield from _names(ontology, item)
        return
    spaces = {namespace: prefix for prefix, namespace in (NAMESPACES | _EXTRA).items() if prefix}
    cut = max(str(node).rfind("#"), str(node).rfind("/")) + 1
    yield f"{spaces[str(node)[:cut]]}:{str(node)[cut:]}"


def _lists() -> Iterator[str]:
    yield "## Checks"
    yield ""
    yield "`sotagraph validate` applies them; [`ontology/shapes.ttl`](../ontology/shapes.ttl) holds them as SHACL."
    yield ""
    yield "| check | what must hold | if not |"
    yield "| --- | --- | --- |"
    for check in checks().values():
        yield f"| {check.name} | {check.message} | {check.severity} |"
    yield ""
    yield "## Named queries"
    yield ""
    yield "`sotagraph query DIR --name NAME --param k=v`; the files are in `ontology/queries/`."
    yield ""
    yield "| query | what it answers | parameters |"
    yield "| --- | --- | --- |"
    for query in named_queries().values():
        takes = ", ".join(f"`{p.name}`" + (f" = {p.default}" if p.default else "") for p in query.parameters)
        yield f"| {query.name} | {query.description} | {takes} |"
    yield ""
    yield "## Vocabularies that are borrowed from"
    yield ""
    yield "Every borrowed term is listed in [`ontology/borrowed.tsv`](../ontology/borrowed.tsv) with its documentation."
    yield ""
    yield "| prefix | namespace |"
    yield "| --- | --- |"
    for prefix, namespace in sorted((NAMESPACES | _EXTRA).items()):
        if prefix and not namespace.startswith("https://w3id.org/sotagraph/"):
            yield f"| `{prefix}:` | {namespace} |"


def main(arguments: list[str]) -> int:
    """Write the page, or check it."""
    text = page()
    if arguments == ["--check"]:
        return int(PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
