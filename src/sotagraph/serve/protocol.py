"""The SPARQL 1.1 Protocol without sockets: what a request asks for, and in which media type it is to be answered.

Sources: SPARQL 1.1 Protocol (operations and parameters of section 2), RFC 9110 (content negotiation, section 12.5).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from sotagraph.sparql_text import tokens
from sotagraph.store import RESULT_TYPES, TRIPLE_TYPES

__all__ = [
    "FORMATS",
    "ProblemError",
    "Request",
    "Response",
    "media_type",
    "named_type",
    "negotiate",
    "parameters",
    "sparql_of",
]

#: Most bytes that a request may bring.
BODY_LIMIT = 1024 * 1024

#: Parameters of the endpoint of which there is one; clients repeat others, and those that it does not know are no harm.
_ONCE = ("query", "update")

#: Short names for the parameter ``format``, as links and curl like them.
FORMATS = {
    "json": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "ttl": "text/turtle",
    "nt": "application/n-triples",
    "jsonld": "application/ld+json",
    "rdfxml": "application/rdf+xml",
}

#: Names that clients add to their requests on their own, SPARQLWrapper for one.
_OTHER_NAMES = {
    "turtle": "text/turtle",
    "n3": "text/turtle",
    "ntriples": "application/n-triples",
    "json-ld": "application/ld+json",
    "rdf": "application/rdf+xml",
    "rdf+xml": "application/rdf+xml",
}

#: Other names under which clients ask for a type.
_ALIASES = {
    "application/json": "application/sparql-results+json",
    "application/xml": "application/sparql-results+xml",
    "text/json": "application/sparql-results+json",
    "text/xml": "application/sparql-results+xml",
    "application/x-turtle": "text/turtle",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What came, with header names in lower case; `path` is decoded, `query` is not."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What goes back."""

    status: int
    type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


class ProblemError(Exception):
    """A request that cannot be answered, with the status that says why."""

    def __init__(self, status: int, message: str, headers: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


def parameters(text: str, *, once: Collection[str] | None = None) -> dict[str, str]:
    """The parameters of a query string or form.

    Args:
        text: the query string or form.
        once: names that may come once; None for all. Of any other the first one counts.

    Raises:
        ProblemError: 400 where the text is no form, is not UTF-8, or such a parameter comes twice.

    >>> parameters("query=ASK+%7B%7D")
    {'query': 'ASK {}'}
    """
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict", max_num_fields=100)
    except ValueError as error:
        raise ProblemError(400, f"the parameters cannot be read: {error}") from error
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found and (once is None or name in once):
            raise ProblemError(400, f"the parameter {name[:40]!r} is given twice; give it once")
        found.setdefault(name, value)
    return found


def sparql_of(request: Request) -> tuple[str, dict[str, str]]:
    """The query of a request to the endpoint, and its other parameters.

    Raises:
        ProblemError: 400, 403, 405, 413 or 415, as the protocol has it.
    """
    if request.method in ("GET", "HEAD"):
        values = parameters(request.query, once=_ONCE)
    elif request.method == "POST":
        values = _posted(request)
    else:
        raise ProblemError(405, f"{request.method} is not for this address", (("Allow", "GET, HEAD, POST, OPTIONS"),))
    if "update" in values:
        raise ProblemError(403, "updates are refused: the graph is read-only")
    for name in ("default-graph-uri", "named-graph-uri"):
        if name in values:
            raise ProblemError(400, f"{name} is refused: there is one graph; leave it out")
    sparql = values.pop("query", None)
    if sparql is None:
        raise ProblemError(400, "no query: give ?query=… or a body of type application/sparql-query")
    return sparql, values


def _posted(request: Request) -> dict[str, str]:
    kind = media_type(request.headers.get("content-type", ""))
    if kind not in ("application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"):
        known = "application/sparql-query or application/x-www-form-urlencoded"
        raise ProblemError(415, f"the body has type {kind or 'unknown'}; send {known}")
    try:
        body = request.body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProblemError(400, f"the body is not UTF-8: {error}") from error
    if kind == "application/x-www-form-urlencoded":
        if request.query:
            raise ProblemError(400, "parameters stand in the address and in the body; put them into the body")
        return parameters(body, once=_ONCE)
    values = parameters(request.query, once=_ONCE)
    name = "query" if kind == "application/sparql-query" else "update"
    if name in values:
        raise ProblemError(400, f"{name} stands in the address and in the body; give it once")
    return values | {name: body}


def media_type(header: str) -> str:
    """The type of a Content-Type header without its parameters, in lower case.

    >>> media_type("Text/Turtle; charset=utf-8")
    'text/turtle'
    """
    return header.partition(";")[0].strip().lower()


def named_type(form: str) -> str | None:
    """The media type that a parameter ``format`` asks for by a short name or as it is, or None.

    >>> named_type("ttl"), named_type("text/csv"), named_type("png")
    ('text/turtle', 'text/csv', None)
    """
    known = FORMATS | _OTHER_NAMES
    return known.get(form) or (form if form in known.values() else None)


def negotiate(accept: str, available: Sequence[str]) -> str | None:
    """The best of the available types by an Accept header, or None; of equals the first available.

    >>> negotiate("text/turtle;q=0.5, application/*", ["text/turtle", "application/ld+json"])
    'application/ld+json'
    >>> negotiate("image/png", ["text/csv"]) is None
    True
    """
    if not accept.strip():
        return available[0]
    ranges = [_range(part) for part in accept.split(",") if part.strip()]

    def quality(kind: str) -> float:
        best = (-1, 0.0)
        for name, q in ranges:
            exact = name == kind or _ALIASES.get(name) == kind
            if exact or name == kind.partition("/")[0] + "/*" or name == "*/*":
                best = max(best, (2 if exact else 0 if name == "*/*" else 1, q))
        return best[1]

    chosen = max(available, key=quality)
    return chosen if quality(chosen) > 0 else None


def _range(part: str) -> tuple[str, float]:
    name, *rest = (piece.strip().lower() for piece in part.split(";"))
    for piece in rest:
        if piece.startswith("q="):
            try:
                return name, min(max(float(piece[2:]), 0.0), 1.0)
            except ValueError:
                return name, 0.0
    return name, 1.0


def types_for(sparql: str, accept: str, form: str | None) -> tuple[str, str]:
    """The media types to answer a query in: one for rows, one for triples.

    Raises:
        ProblemError: 400 for an unknown format, 406 where nothing that is accepted can be made.
    """
    forms = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
    kind = next((token.text.upper() for token in tokens(sparql) if token.text.upper() in forms), "")
    gives_triples = kind in ("CONSTRUCT", "DESCRIBE")
    available = list(TRIPLE_TYPES if gives_triples else RESULT_TYPES)
    if form is not None:
        chosen = named_type(form)
        if chosen not in available:
            names = ", ".join(name for name, known in FORMATS.items() if known in available)
            raise ProblemError(400, f"no format {form!r} for this query; there are {names}")
    else:
        chosen = negotiate(accept, available)
        if chosen is None:
            raise ProblemError(406, f"nothing that is accepted can be made; there are {', '.join(available)}")
    return (next(iter(RESULT_TYPES)), chosen) if gives_triples else (chosen, next(iter(TRIPLE_TYPES)))
