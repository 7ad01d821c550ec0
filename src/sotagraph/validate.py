"""Does a graph hold what the ontology promises? By SHACL where it is small, by the same checks in SPARQL where not.

``ontology/shapes.ttl`` is the measure, and anybody's SHACL engine can apply it. pySHACL takes minutes for a large
graph, so each shape has a twin in ``ontology/checks``: a query that finds the same nodes; tests compare the two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sotagraph.errors import ConfigError
from sotagraph.graph import Graph
from sotagraph.rdf import to_rdflib
from sotagraph.resources import ontology_directory, ontology_text
from sotagraph.store import Solutions, Store
from sotagraph.terms import Triple, id_of
from sotagraph.triples import to_triples

__all__ = ["ENGINES", "SMALL", "Check", "Finding", "checks", "summary", "validate", "validate_triples"]

#: Graphs of at most so many triples are validated by SHACL itself: about five seconds.
SMALL = 5_000

ENGINES = ("auto", "shacl", "sparql")

_HEAD = re.compile(r"# description: (?P<message>.+)\n# severity: (?P<severity>violation|warning)\n")
_SHAPES = "https://w3id.org/sotagraph/shapes#"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A node that fails a check."""

    #: ``violation`` or ``warning``; in this order when sorted.
    severity: str
    check: str
    #: The node's id, or the id of a statement or sentence.
    node: str
    message: str


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a graph must hold, and the query for the nodes that do not."""

    name: str
    severity: str
    message: str
    query: str


@cache
def checks() -> Mapping[str, Check]:
    """Every check by its name.

    >>> checks()["percent"].severity
    'warning'
    """
    found: dict[str, Check] = {}
    for file in sorted((ontology_directory() / "checks").glob("*.rq")):
        text = file.read_text(encoding="utf-8")
        head = _HEAD.match(text)
        if head is None:
            raise ConfigError(f"{file.name} does not begin with its description and severity; install sotagraph again")
        found[file.stem] = Check(file.stem, head["severity"], head["message"], text[head.end() :])
    return found


def validate(graph: Graph, *, engine: str = "auto") -> tuple[Finding, ...]:
    """What is wrong with a graph: violations first, then warnings, each sorted.

    Args:
        graph: the graph.
        engine: ``shacl`` for pySHACL, ``sparql`` for the queries, ``auto`` for the first up to `SMALL` triples.

    Raises:
        ConfigError: there is no such engine.
        BuildError: the graph cannot be written as RDF.
    """
    return validate_triples(to_triples(graph), engine=engine)


def validate_triples(triples: Sequence[Triple], *, engine: str = "auto") -> tuple[Finding, ...]:
    """The same for triples.

    >>> from sotagraph.terms import RDF_TYPE, iri
    >>> for finding in validate_triples([(iri("venue:x"), RDF_TYPE, iri("sg:Venue"))], engine="sparql"):
    ...     print(finding.check, finding.node)
    label venue/x
    name venue/x
    """
    if engine not in ENGINES:
        raise ConfigError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    if engine == "shacl" or (engine == "auto" and len(triples) <= SMALL):
        return _by_shacl(triples)
    return _by_sparql(triples)


def summary(findings: Iterable[Finding]) -> str:
    """The findings for a person: a line a check, with its first nodes.

    >>> print(summary([Finding("warning", "percent", "result/a", "A score in per cent lies between 0 and 100.")]))
    warning    percent: A score in per cent lies between 0 and 100. (1: result/a)
    0 violations, 1 warning
    """
    nodes: dict[tuple[str, str, str], list[str]] = {}
    for finding in findings:
        nodes.setdefault((finding.severity, finding.check, finding.message), []).append(finding.node)
    lines = [
        f"{severity:10} {check}: {message} ({len(found)}: {', '.join(found[:3])}{', …' if len(found) > 3 else ''})"
        for (severity, check, message), found in nodes.items()
    ]
    count: Counter[str] = Counter()
    for (severity, _, _), found in nodes.items():
        count[severity] += len(found)
    total = [f"{count[name]} {name}{'' if count[name] == 1 else 's'}" for name in ("violation", "warning")]
    return "\n".join([*lines, ", ".join(total)])


def _by_sparql(triples: Sequence[Triple]) -> tuple[Finding, ...]:
    store = Store.of(triples)
    found: set[Finding] = set()
    for check in checks().values():
        answer = store.query(check.query)
        for (focus,) in answer.rows if isinstance(answer, Solutions) else ():
            found.add(Finding(check.severity, check.name, _name(str(focus)), check.message))
    return tuple(sorted(found))


def _by_shacl(triples: Sequence[Triple]) -> tuple[Finding, ...]:
    import pyshacl
    import rdflib
    from rdflib.namespace import RDF, SH

    _, report, _ = pyshacl.validate(
        to_rdflib(triples),
        shacl_graph=rdflib.Graph().parse(data=ontology_text("shapes.ttl"), format="turtle"),
        inplace=True,
        advanced=True,  # targets in SPARQL
        do_owl_imports=False,
    )
    found: set[Finding] = set()
    for result in report.subjects(RDF.type, SH.ValidationResult):
        shape = str(report.value(result, SH.sourceShape)).removeprefix(_SHAPES)
        check = checks()[shape.partition("-of-")[0]]
        focus = report.value(result, SH.focusNode)
        name = f"_:{focus}" if isinstance(focus, rdflib.BNode) else str(focus)
        found.add(Finding(check.severity, check.name, _name(name), check.message))
    return tuple(sorted(found))


def _name(term: str) -> str:
    # Names of blank nodes differ from one engine to the next.
    return "a blank node" if term.startswith("_:") else id_of(term)
