"""RDF terms of our own, the smallest that writing and reading need, and the way between node ids and IRIs.

They keep rdflib and Oxigraph out of everything that only writes files: a term is a string or a pair of strings, so that
a million triples are sorted and written in seconds, and no library changes a digit of a number on the way.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from sotagraph.schema import NAMESPACES, expand

__all__ = [
    "BASE",
    "IRI",
    "RDF_TYPE",
    "XSD",
    "Literal",
    "Term",
    "Triple",
    "curie",
    "grouped",
    "id_of",
    "in_order",
    "iri",
    "iri_of",
    "ntriples",
    "quoted",
    "short",
]

#: Things are named ``BASE + kind + "/" + key``.
BASE = "https://w3id.org/sotagraph/id/"
XSD = NAMESPACES["xsd"]
_STRING = XSD + "string"

_PREDICATE = itemgetter(1)
_SAFE = "+*@:~"
#: Keys that `quote` would leave as they are; most are, and it is slow.
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_.~+*@:-]*")
_ESCAPED = re.compile(r'[\x00-\x1f"\\\x7f]')
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_LOCAL = re.compile(r"(?:[A-Za-z0-9_]|%[0-9A-F]{2})(?:(?:[A-Za-z0-9_.-]|%[0-9A-F]{2})*(?:[A-Za-z0-9_-]|%[0-9A-F]{2}))?")


class IRI(str):
    """An absolute IRI."""

    __slots__ = ()


class Literal(NamedTuple):
    """A literal: its lexical form as it is to be written, and the IRI of its datatype."""

    lexical: str
    datatype: str = _STRING


Term: TypeAlias = IRI | Literal
Triple: TypeAlias = tuple[IRI, IRI, Term]

RDF_TYPE = IRI(expand("rdf:type"))


@lru_cache(maxsize=1 << 10)
def iri(prefixed: str) -> IRI:
    """The term for a prefixed name of `sotagraph.schema.NAMESPACES`.

    >>> iri("sg:uses")
    'https://w3id.org/sotagraph/ns#uses'
    """
    return IRI(expand(prefixed))


@lru_cache(maxsize=1 << 16)
def iri_of(node: str) -> IRI:
    """The IRI of a node; whatever an IRI may not hold is percent-encoded.

    >>> iri_of("dataset/humaneval+"), iri_of("paper/10.1/a>b")
    ('https://w3id.org/sotagraph/id/dataset/humaneval+', 'https://w3id.org/sotagraph/id/paper/10.1%2Fa%3Eb')
    """
    kind, _, key = node.partition("/")
    if not _PLAIN_KEY.fullmatch(key):
        key = quote(key, safe=_SAFE, errors="surrogatepass")
    return IRI(f"{BASE}{kind}/{key}")


def id_of(term: str) -> str:
    """The node that `iri_of` made the IRI from; any other IRI comes back as it is.

    >>> id_of(iri_of("paper/10.1/a>b"))
    'paper/10.1/a>b'
    """
    if not term.startswith(BASE):
        return term
    kind, _, key = term[len(BASE) :].partition("/")
    return f"{kind}/{unquote(key, errors='surrogatepass')}"


def ntriples(term: Term) -> str:
    r"""The term in canonical N-Triples.

    >>> print(ntriples(Literal('say "hi"\n')), ntriples(Literal("1", XSD + "integer")))
    "say \"hi\"\n" "1"^^<http://www.w3.org/2001/XMLSchema#integer>
    """
    if isinstance(term, str):
        # Our data has no blank nodes, but what is validated may be anybody's.
        return term if term.startswith("_:") else f"<{term}>"
    text = quoted(term.lexical)
    return text if term.datatype == _STRING else f"{text}^^<{term.datatype}>"


def quoted(text: str) -> str:
    r"""A string between quotes, as N-Triples, Turtle and SPARQL read it.

    >>> print(quoted("a\"b\n"))
    "a\"b\n"
    """
    if _ESCAPED.search(text):
        text = _ESCAPED.sub(lambda match: _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}", text)
    return f'"{text}"'


def in_order(triples: Iterable[Triple]) -> list[Triple]:
    """Each triple once, by subject, predicate and object in canonical N-Triples: the order of every file.

    >>> a, label = iri("method:a"), iri("rdfs:label")
    >>> [o.lexical for *_, o in in_order((a, label, Literal(name)) for name in "BAB")]
    ['A', 'B']
    """
    return list(chain.from_iterable(grouped(triples).values()))


def grouped(triples: Iterable[Triple]) -> dict[str, list[Triple]]:
    """The triples of each subject, subjects and triples in the same order; each triple once."""
    # Group by group, which is far cheaper than sorting all at once: IRIs of subjects begin alike, and an object need
    # not be written down where it stands alone.
    groups: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples:
        groups[triple[0]].append(triple)
    ordered: dict[str, list[Triple]] = {}
    for subject in sorted(groups):
        groups[subject].sort(key=_PREDICATE)
        group: list[Triple] = []
        for _, alike in groupby(groups[subject], key=_PREDICATE):
            first, *more = alike
            group += sorted({first, *more}, key=lambda triple: ntriples(triple[2])) if more else (first,)
        ordered[str(subject)] = group
    return ordered


_BY_NAMESPACE = {namespace: prefix for prefix, namespace in NAMESPACES.items() if prefix}


def short(term: str) -> tuple[str, str] | None:
    """Prefix and local name of an IRI in one of our namespaces, or None.

    >>> short("https://w3id.org/sotagraph/id/method/grpo"), short("https://example.org/")
    (('method', 'grpo'), None)
    """
    cut = max(term.rfind("#"), term.rfind("/")) + 1
    prefix = _BY_NAMESPACE.get(term[:cut])
    return None if prefix is None else (prefix, term[cut:])


def curie(term: str) -> str:
    """The prefixed name where Turtle and SPARQL can read it without escapes, else the IRI in angle brackets.

    >>> curie("https://w3id.org/sotagraph/id/method/grpo"), curie("https://w3id.org/sotagraph/id/dataset/humaneval+")
    ('method:grpo', '<https://w3id.org/sotagraph/id/dataset/humaneval+>')
    """
    parts = short(term)
    if parts and _LOCAL.fullmatch(parts[1]):
        return f"{parts[0]}:{parts[1]}"
    return f"<{term}>"
