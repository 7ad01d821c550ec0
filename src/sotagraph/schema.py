"""The one table of what the graph may hold: kinds, relations with domain and range, roles, result kinds and units.

The graph, the RDF export, the ontology and the documentation are checked against it. The meaning of each relation is
that of the annotation guidelines summarised in ``docs/guidelines.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ATTRIBUTES", "BOUNDS", "BOUND_IRIS", "DIRECTION_IRIS", "ENTITY_KINDS", "LINKS", "NAMESPACES", "NODE_KINDS",
    "RELATIONS", "RESULT_KINDS", "RESULT_KIND_IRIS", "ROLES", "STRUCTURE", "UNITS", "UNIT_IRIS", "VERSION", "Attribute",
    "NodeKind", "Relation", "expand",
]  # fmt: skip

#: Version of the graph's form and of the ontology; a graph of another version is not read.
VERSION = "1"

#: What extraction finds in text, in the order in which ties are settled.
ENTITY_KINDS = ("method", "dataset", "metric", "task")

#: Roles that a paper gives to a thing, by kind; None is the role of a metric or task that it did not coin.
ROLES: dict[str, tuple[str, ...]] = {
    "method": ("proposed", "used", "compared", "mentioned"),
    "dataset": ("introduced", "evaluated", "mentioned"),
    "metric": ("introduced",),
    "task": ("introduced",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A predicate with the kinds that may stand at its ends."""

    name: str
    domain: tuple[str, ...]
    range: tuple[str, ...]
    definition: str


RELATIONS: dict[str, Relation] = {
    r.name: r
    for r in (
        Relation(
            name="proposes",
            domain=("paper",),
            range=("method",),
            definition="The paper puts the method forward as its own.",
        ),
        Relation(
            name="introduces",
            domain=("paper",),
            range=("dataset", "metric", "task"),
            definition="The paper makes the dataset, metric or task known for the first time.",
        ),
        Relation(
            name="uses",
            domain=("paper", "method", "dataset"),
            range=("method", "dataset", "metric", "task"),
            definition="The subject is built on, adapts, is combined with, is trained on or studies the object.",
        ),
        Relation(
            name="evaluatedOn",
            domain=("paper", "method"),
            range=("dataset",),
            definition="The subject is measured on the dataset.",
        ),
        Relation(
            name="comparedWith",
            domain=("paper", "method", "dataset"),
            range=("method", "dataset"),
            definition="The paper sets the subject beside the object without saying that it is better.",
        ),
        Relation(
            name="outperforms",
            domain=("paper", "method", "dataset"),
            range=("method", "dataset"),
            definition="The paper says that the subject is better or faster than the object.",
        ),
        Relation(
            name="variantOf",
            domain=("method", "dataset", "metric", "task"),
            range=("method", "dataset", "metric", "task"),
            definition="The subject is a size, version, split or modification of the object.",
        ),
        Relation(
            name="partOf",
            domain=("method", "dataset", "metric", "task"),
            range=("method", "dataset", "metric", "task"),
            definition="The subject is a module, loss, subset or other component of the object.",
        ),
        Relation(
            name="generalizes",
            domain=("paper", "method", "metric", "task"),
            range=("method", "metric", "task"),
            definition="The object is a special case of the subject, is recovered, subsumed or unified by it.",
        ),
        Relation(name="addresses", domain=("paper",), range=("task",), definition="The paper works on the task."),
        Relation(
            name="hasCode",
            domain=("paper",),
            range=("repository",),
            definition="Code, weights or data of the paper are said to be at the address.",
        ),
    )
}

#: What the number of a result says: a score as it stands, or a change.
RESULT_KINDS = ("absolute", "gain", "speedup", "reduction")

#: Units of results as written; None is a bare number.
UNITS = ("%", "points", "x", "s")

#: How a printed number limits the true one.
BOUNDS = ("up to", "at least", "about", "over")


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeKind:
    """A kind of node, with its class in our ontology and one class of a vocabulary that others already read."""

    name: str
    #: First part of the node's id: ``method`` of ``method/grpo``.
    key: str
    borrowed: str
    definition: str


#: Prefixes of every vocabulary whose terms may be written; queries may use them undeclared.
NAMESPACES: dict[str, str] = {
    "": "https://w3id.org/sotagraph/ns#",
    "sg": "https://w3id.org/sotagraph/ns#",
    "paper": "https://w3id.org/sotagraph/id/paper/",
    "method": "https://w3id.org/sotagraph/id/method/",
    "dataset": "https://w3id.org/sotagraph/id/dataset/",
    "metric": "https://w3id.org/sotagraph/id/metric/",
    "task": "https://w3id.org/sotagraph/id/task/",
    "result": "https://w3id.org/sotagraph/id/result/",
    "repository": "https://w3id.org/sotagraph/id/repository/",
    "venue": "https://w3id.org/sotagraph/id/venue/",
    "author": "https://w3id.org/sotagraph/id/author/",
    "statement": "https://w3id.org/sotagraph/id/statement/",
    "sentence": "https://w3id.org/sotagraph/id/sentence/",
    "phrase": "https://w3id.org/sotagraph/id/phrase/",
    "text": "https://w3id.org/sotagraph/id/text/",
    "reason": "https://w3id.org/sotagraph/id/reason/",
    "graph": "https://w3id.org/sotagraph/id/graph/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "mls": "http://www.w3.org/ns/mls#",
    "fabio": "http://purl.org/spar/fabio/",
    "prov": "http://www.w3.org/ns/prov#",
    "qudt": "http://qudt.org/schema/qudt/",
    "unit": "http://qudt.org/vocab/unit/",
    "nif": "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#",
    "itsrdf": "http://www.w3.org/2005/11/its/rdf#",
    "void": "http://rdfs.org/ns/void#",
    "sh": "http://www.w3.org/ns/shacl#",
}

NODE_KINDS: dict[str, NodeKind] = {
    k.name: k
    for k in (
        NodeKind(
            name="Paper",
            key="paper",
            borrowed="schema:ScholarlyArticle",
            definition="A scientific paper whose abstract was read.",
        ),
        NodeKind(
            name="Method",
            key="method",
            borrowed="mls:InformationEntity",
            definition="A named model, algorithm, framework, module, loss, software or mathematical technique.",
        ),
        NodeKind(
            name="Dataset",
            key="dataset",
            borrowed="schema:Dataset",
            definition="A named dataset, benchmark, simulator or suite on which something is trained or measured.",
        ),
        NodeKind(
            name="Metric",
            key="metric",
            borrowed="mls:EvaluationMeasure",
            definition="A named measure of how good or how costly something is.",
        ),
        NodeKind(name="Task", key="task", borrowed="skos:Concept", definition="A named problem that papers work on."),
        NodeKind(
            name="Result",
            key="result",
            borrowed="mls:ModelEvaluation",
            definition="One number that a paper reports, with what was measured, on what and against what.",
        ),
        NodeKind(
            name="Repository",
            key="repository",
            borrowed="schema:SoftwareSourceCode",
            definition="An address at which code, weights or data of a paper are said to be.",
        ),
        NodeKind(
            name="Venue",
            key="venue",
            borrowed="schema:CreativeWorkSeries",
            definition="A conference, workshop or journal, with its year where the input gives one.",
        ),
        NodeKind(
            name="Author",
            key="author",
            borrowed="schema:Person",
            definition="A person whom a paper names as its author; one name is one node.",
        ),
    )
}

_ENTITIES = ("method", "dataset", "metric", "task")

#: Edges that extraction does not state: what hangs on a result, and what the input or linking gives.
STRUCTURE: dict[str, Relation] = {
    r.name: r
    for r in (
        Relation(
            name="ofMethod",
            domain=("result",),
            range=("paper", *_ENTITIES),
            definition="What the number belongs to; the paper itself where its method has no name.",
        ),
        Relation(
            name="onDataset", domain=("result",), range=("dataset",), definition="What the number was measured on."
        ),
        Relation(name="byMetric", domain=("result",), range=("metric",), definition="What the number measures."),
        Relation(
            name="forTask", domain=("result",), range=("task",), definition="The task at which the number was reached."
        ),
        Relation(
            name="againstBaseline",
            domain=("result",),
            range=("paper", *_ENTITIES),
            definition="What the number is compared with.",
        ),
        Relation(
            name="reportedIn", domain=("result",), range=("paper",), definition="The paper that reports the number."
        ),
        Relation(name="publishedIn", domain=("paper",), range=("venue",), definition="Where the paper appeared."),
        Relation(name="writtenBy", domain=("paper",), range=("author",), definition="Who wrote the paper."),
        Relation(
            name="mentions",
            domain=("paper",),
            range=_ENTITIES,
            definition="The paper names the object without a stronger statement about it.",
        ),
        Relation(
            name="differentFrom",
            domain=_ENTITIES,
            range=_ENTITIES,
            definition="Subject and object share a name and are not the same thing.",
        ),
    )
}

#: Properties by which an entity may point at other knowledge bases.
LINKS: dict[str, str] = {
    "exactMatch": "skos:exactMatch",
    "closeMatch": "skos:closeMatch",
    "broadMatch": "skos:broadMatch",
    "narrowMatch": "skos:narrowMatch",
    "relatedMatch": "skos:relatedMatch",
    "sameAs": "schema:sameAs",
    "seeAlso": "rdfs:seeAlso",
}

#: Printed unit → IRI. Points and multipliers have no unit of their own in QUDT.
UNIT_IRIS: dict[str, str] = {"%": "unit:PERCENT", "points": "sg:percentagePoint", "x": "sg:times", "s": "unit:SEC"}

#: Closed values of a result → the individual that stands for it.
RESULT_KIND_IRIS: dict[str, str] = {kind: f"sg:{kind}" for kind in RESULT_KINDS}
BOUND_IRIS: dict[str, str] = {"up to": "sg:upTo", "at least": "sg:atLeast", "about": "sg:about", "over": "sg:over"}
DIRECTION_IRIS: dict[str, str] = {"higher": "sg:higher", "lower": "sg:lower"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A node attribute that is one RDF literal or one IRI, with the way it is written."""

    name: str
    kinds: tuple[str, ...]
    iri: str
    #: ``string``, ``decimal``, ``integer``, ``boolean``, ``gYear``, or ``list`` for a JSON list of strings.
    type: str
    #: The individuals that stand for the closed values, where the values are closed.
    values: dict[str, str] | None = None


_NAMED = ("Method", "Dataset", "Metric", "Task")

#: Attributes that map one to one; the label, identifiers, links, reasons, text and evidence have their own forms.
ATTRIBUTES: tuple[Attribute, ...] = (
    Attribute(name="label", kinds=tuple(NODE_KINDS), iri="rdfs:label", type="string"),
    Attribute(name="document_id", kinds=("Paper",), iri="sg:documentId", type="string"),
    Attribute(name="title", kinds=("Paper",), iri="dcterms:title", type="string"),
    Attribute(name="year", kinds=("Paper",), iri="dcterms:issued", type="gYear"),
    Attribute(name="venue", kinds=("Paper",), iri="sg:venueName", type="string"),
    Attribute(name="url", kinds=("Paper", "Repository"), iri="sg:address", type="string"),
    Attribute(name="source", kinds=("Paper",), iri="dcterms:source", type="string"),
    Attribute(name="name", kinds=(*_NAMED, "Venue", "Author"), iri="skos:prefLabel", type="string"),
    Attribute(name="aliases", kinds=_NAMED, iri="skos:altLabel", type="list"),
    Attribute(name="long_form", kinds=_NAMED, iri="sg:longForm", type="string"),
    Attribute(name="higher_is_better", kinds=("Metric",), iri="sg:higherIsBetter", type="boolean"),
    Attribute(name="value", kinds=("Result",), iri="sg:value", type="decimal"),
    Attribute(name="value_max", kinds=("Result",), iri="sg:valueMax", type="decimal"),
    Attribute(name="value_text", kinds=("Result",), iri="sg:valueText", type="string"),
    Attribute(name="unit", kinds=("Result",), iri="qudt:hasUnit", type="string", values=UNIT_IRIS),
    Attribute(name="result_kind", kinds=("Result",), iri="sg:resultKind", type="string", values=RESULT_KIND_IRIS),
    Attribute(name="bound", kinds=("Result",), iri="sg:bound", type="string", values=BOUND_IRIS),
    Attribute(name="condition", kinds=("Result",), iri="sg:condition", type="string"),
    Attribute(name="direction", kinds=("Result",), iri="sg:direction", type="string", values=DIRECTION_IRIS),
    Attribute(name="baseline_value", kinds=("Result",), iri="sg:baselineValue", type="decimal"),
)


def expand(curie: str) -> str:
    """The IRI of a prefixed name.

    Raises:
        KeyError: the prefix is not in `NAMESPACES`.

    >>> expand("schema:Dataset"), expand(":uses")
    ('https://schema.org/Dataset', 'https://w3id.org/sotagraph/ns#uses')
    """
    prefix, _, local = curie.partition(":")
    return NAMESPACES[prefix] + local
