"""Triples as text: N-Triples, Turtle, TriG, JSON-LD and RDF/XML, each sorted, so that equal graphs give equal bytes.

Written here rather than by a library, so that the committed output does not change when a library's layout does, no
lexical form is changed on the way, and a million triples take seconds.
"""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from sotagraph.errors import BuildError
from sotagraph.resources import ontology_text
from sotagraph.schema import NAMESPACES
from sotagraph.terms import IRI, RDF_TYPE, XSD, Literal, Term, Triple, curie, ntriples, quoted, short

__all__ = ["compress", "jsonld", "nt", "rdfxml", "trig", "turtle"]

_STRING = XSD + "string"
#: Datatype → the lexical forms of which Turtle need not name it.
_PLAIN_IN_TURTLE = {
    XSD + "integer": re.compile(r"[+-]?[0-9]+"),
    XSD + "boolean": re.compile("true|false"),
    XSD + "decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
}
#: Datatype → the lexical forms that JSON-LD keeps as they are when they are written as JSON's own values.
_NATIVE = {
    XSD + "boolean": re.compile("true|false"),
    **dict.fromkeys((XSD + "integer", XSD + "nonNegativeInteger"), re.compile(r"-?[1-9][0-9]{0,14}|0")),
}


def nt(triples: Iterable[Triple]) -> str:
    r"""Canonical N-Triples, one sorted line a triple: two files of shards merge by ``sort -u``.

    >>> from sotagraph.terms import iri
    >>> nt([(iri("method:a"), iri("rdfs:label"), Literal("A"))])
    '<https://w3id.org/sotagraph/id/method/a> <http://www.w3.org/2000/01/rdf-schema#label> "A" .\n'
    """
    # In the order given, which is nearly the order wanted: sorting what is sorted takes no time.
    lines = dict.fromkeys(f"{ntriples(s)} <{p}> {ntriples(o)} .\n" for s, p, o in triples)
    return "".join(sorted(lines))


def turtle(triples: Sequence[Triple]) -> str:
    """Turtle grouped by subject, with the prefixes that are used; `triples` as sorted by ``to_triples``.

    >>> from sotagraph.terms import iri
    >>> a = iri("method:a")
    >>> print(turtle([(a, RDF_TYPE, iri("sg:Method")), (a, iri("rdfs:label"), Literal("A"))]))
    @prefix method: <https://w3id.org/sotagraph/id/method/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix sg: <https://w3id.org/sotagraph/ns#> .
    <BLANKLINE>
    method:a a sg:Method ;
      rdfs:label "A" .
    <BLANKLINE>
    """
    blocks, used = _blocks(triples, "", Names())
    return prefixes(used) + "\n" + "\n".join(blocks)


def trig(named: Mapping[IRI | None, Sequence[Triple]]) -> str:
    """TriG with one named graph per paper, named by the paper; what belongs to no one paper is in the default graph.

    >>> from sotagraph.terms import iri
    >>> said = (iri("paper:p"), iri("sg:uses"), iri("method:a"))
    >>> print(trig({iri("paper:p"): [said]}))
    @prefix method: <https://w3id.org/sotagraph/id/method/> .
    @prefix paper: <https://w3id.org/sotagraph/id/paper/> .
    @prefix sg: <https://w3id.org/sotagraph/ns#> .
    <BLANKLINE>
    paper:p {
      paper:p sg:uses method:a .
    }
    <BLANKLINE>
    """
    names = Names()
    parts, used = _blocks(named.get(None, ()), "", names)
    for paper in sorted(paper for paper in named if paper is not None):
        blocks, bits = _blocks(named[paper], "  ", names)
        name, bit = names[paper]
        parts.append(f"{name} {{\n" + "".join(blocks) + "}\n")
        used |= bits | bit
    return "\n".join([prefixes(used), *parts])


def jsonld(triples: Sequence[Triple]) -> str:
    """JSON-LD compacted with ``ontology/context.jsonld``, which stands in the file; one line a subject.

    >>> from sotagraph.terms import iri
    >>> text = jsonld([(iri("method:a"), iri("rdfs:label"), Literal("A"))])
    >>> json.loads(text)["@graph"]
    [{'id': 'method:a', 'label': 'A'}]
    """
    nodes = (jsonld_block(group) for _, group in groupby(triples, key=itemgetter(0)))
    return jsonld_head() + JSONLD_JOINT.join(nodes) + JSONLD_TAIL


def rdfxml(triples: Sequence[Triple]) -> str:
    """RDF/XML, one ``rdf:Description`` a subject.

    Raises:
        BuildError: a predicate's IRI does not end in a name that XML can carry.

    >>> from sotagraph.terms import iri
    >>> '<rdfs:label>A</rdfs:label>' in rdfxml([(iri("method:a"), iri("rdfs:label"), Literal("A"))])
    True
    """
    predicates = {predicate: _qname(predicate) for predicate in sorted({p for _, p, _ in triples})}
    used = sorted({"rdf", *(name.partition(":")[0] for name in predicates.values())})
    spaces = "".join(f"\n  xmlns:{prefix}={quoteattr(NAMESPACES[prefix])}" for prefix in used)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<rdf:RDF{spaces}>"]
    for subject, group in groupby(triples, key=itemgetter(0)):
        lines.append(f"<rdf:Description rdf:about={quoteattr(subject)}>")
        lines += (f"  {_property(predicates[predicate], thing)}" for _, predicate, thing in group)
        lines.append("</rdf:Description>")
    return "\n".join([*lines, "</rdf:RDF>", ""])


def compress(text: str, name: str) -> bytes:
    """The bytes of a file: UTF-8, gzipped where the name ends in ``.gz``, without a clock in the header.

    >>> compress("a", "x.nt"), gzip.decompress(compress("a", "x.nt.gz"))
    (b'a', b'a')
    """
    data = text.encode("utf-8")
    if not name.endswith(".gz"):
        return data
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as file:
        file.write(data)
    return out.getvalue()


class Names(dict[str, tuple[str, int]]):
    """IRI → the name that Turtle gives it, found when it is first asked for, and the bit of its prefix."""

    def __missing__(self, term: str) -> tuple[str, int]:
        name = curie(term)
        entry = self[term] = name, 0 if name.startswith("<") else 1 << _PREFIXES.index(name.partition(":")[0])
        return entry


_PREFIXES = tuple(sorted(NAMESPACES))


def prefixes(used: int) -> str:
    """The lines that declare some prefixes, told by their bits."""
    names = [prefix for bit, prefix in enumerate(_PREFIXES) if used >> bit & 1]
    return "".join(f"@prefix {prefix}: <{NAMESPACES[prefix]}> .\n" for prefix in names)


def _blocks(triples: Iterable[Triple], indent: str, names: Names) -> tuple[list[str], int]:
    blocks, used = [], 0
    for _, of_subject in groupby(triples, key=itemgetter(0)):
        text, bits = turtle_block(of_subject, names, indent)
        blocks.append(text)
        used |= bits
    return blocks, used


def turtle_block(of_subject: Iterable[Triple], names: Names, indent: str = "") -> tuple[str, int]:
    """The triples of one subject as Turtle, and the bits of the prefixes that they use."""
    classes: list[str] = []
    lines: list[str] = []
    used = 0
    subject = ""
    for predicate, group in groupby(of_subject, key=itemgetter(1)):
        things = []
        for subject, _, thing in group:  # noqa: B007 (it is the same in all)
            name, bit = names[thing] if isinstance(thing, str) else _turtle_literal(thing, names)
            things.append(name)
            used |= bit
        if predicate == RDF_TYPE:
            classes = sorted(things, key=lambda value: (not value.startswith("sg:"), value))
        else:
            name, bit = names[predicate]
            used |= bit
            lines.append(f"{name} {', '.join(things)}")
    # The class stands first, ours before the borrowed one, as readers of Turtle expect it.
    lines = ([f"a {', '.join(classes)}"] if classes else []) + lines
    name, bit = names[subject]
    return f"{indent}{name} " + f" ;\n{indent}  ".join(lines) + " .\n", used | bit


def nt_block(of_subject: Iterable[Triple]) -> str:
    """The triples of one subject as sorted lines."""
    return "".join(sorted(dict.fromkeys(f"{ntriples(s)} <{p}> {ntriples(o)} .\n" for s, p, o in of_subject)))


def jsonld_block(of_subject: Iterable[Triple]) -> str:
    """The triples of one subject as one line of JSON-LD."""
    return _ENCODER.encode(_jsonld_node(of_subject))


def jsonld_head() -> str:
    """What stands before the subjects of JSON-LD: the context."""
    context = json.dumps(_context(), ensure_ascii=False, separators=(",", ":"))
    return f'{{"@context":{context},\n"@graph":[\n'


#: What stands between the subjects of JSON-LD, and behind them.
JSONLD_JOINT, JSONLD_TAIL = ",\n", "\n]}\n"
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def _turtle_literal(literal: Literal, names: Names) -> tuple[str, int]:
    lexical, datatype = literal
    if datatype == _STRING:
        return quoted(lexical), 0
    if datatype in _PLAIN_IN_TURTLE and _PLAIN_IN_TURTLE[datatype].fullmatch(lexical):
        return lexical, 0
    name, bit = names[datatype]
    return f"{quoted(lexical)}^^{name}", bit


@cache
def _context() -> dict[str, Any]:
    context: dict[str, Any] = json.loads(ontology_text("context.jsonld"))["@context"]
    return context


@cache
def _context_terms() -> dict[str, tuple[str, str]]:
    """Property IRI → its term and the type that the term gives its values."""
    terms: dict[str, tuple[str, str]] = {}
    for term, definition in _context().items():
        if isinstance(definition, dict):
            prefix, _, local = str(definition["@id"]).partition(":")
            terms[NAMESPACES[prefix] + local] = (term, str(definition.get("@type", "")))
    return terms


def _jsonld_node(of_subject: Iterable[Triple]) -> dict[str, Any]:
    node: dict[str, Any] = {"id": ""}
    for predicate, group in groupby(of_subject, key=itemgetter(1)):
        things = []
        for subject, _, thing in group:
            node["id"] = node["id"] or _compact(subject)
            things.append(thing)
        if predicate == RDF_TYPE:
            node["type"] = [_compact(thing) for thing in things if isinstance(thing, str)]
            continue
        term, kind = _context_terms().get(predicate, (_compact(predicate), ""))
        values = [_jsonld_value(thing, kind) for thing in things]
        node[term] = values[0] if len(values) == 1 else values
    return node


def _compact(term: str) -> str:
    """A compact IRI: JSON-LD splits at the first colon, so any local part will do that does not begin with ``//``."""
    parts = short(term)
    return f"{parts[0]}:{parts[1]}" if parts and parts[1] else term


def _jsonld_value(term: Term, kind: str) -> Any:
    if isinstance(term, str):
        return _compact(term) if kind == "@id" else {"id": _compact(term)}
    lexical, datatype = term
    if datatype == XSD + "string":
        # A term with a type would give it to the string.
        return {"@value": lexical} if kind else lexical
    if kind and "@" not in kind and datatype == _expanded(kind):
        return _native(lexical, datatype)
    return {"@value": lexical, "@type": _compact(datatype)}


def _expanded(prefixed: str) -> str:
    prefix, _, local = prefixed.partition(":")
    return NAMESPACES[prefix] + local


def _native(lexical: str, datatype: str) -> Any:
    """JSON's own booleans and whole numbers; decimals stay text, since JSON-LD would make doubles of them."""
    return json.loads(lexical) if datatype in _NATIVE and _NATIVE[datatype].fullmatch(lexical) else lexical


def _qname(predicate: IRI) -> str:
    parts = short(predicate)
    if parts is None or not parts[1].replace("-", "").replace("_", "").isalnum() or not parts[1][0].isalpha():
        raise BuildError(f"the predicate <{predicate}> cannot be written in RDF/XML; choose another format")
    return f"{parts[0]}:{parts[1]}"


def _property(name: str, thing: Term) -> str:
    if isinstance(thing, str):
        return f"<{name} rdf:resource={quoteattr(thing)}/>"
    datatype = "" if thing.datatype == XSD + "string" else f" rdf:datatype={quoteattr(thing.datatype)}"
    # A bare carriage return would be read back as a line feed.
    return f"<{name}{datatype}>{escape(thing.lexical, {chr(13): '&#13;'})}</{name}>"


#: Name of a format → its writer from sorted triples.
WRITERS: Mapping[str, Callable[[Sequence[Triple]], str]] = {
    "turtle": turtle,
    "ntriples": nt,
    "jsonld": jsonld,
    "rdfxml": rdfxml,
}
