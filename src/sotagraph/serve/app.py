"""What each address answers: the endpoint, the editor, the page of the graph, the named queries, every thing by name.

::

    /                     the query editor
    /sparql               SPARQL 1.1 Protocol: GET, POST form, POST application/sparql-query
    /graph                the page of the graph
    /queries              the named queries as JSON; /queries/NAME?param=… runs one
    /id/KIND/KEY          a thing, as a page or as RDF by Accept
    /ns                   the ontology;  /.well-known/void  the description of the data
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Protocol
from urllib.parse import quote

from sotagraph.errors import ConfigError, NotFoundError, QueryError, QueryTimeoutError, SotagraphError
from sotagraph.graph import Graph
from sotagraph.limited import BusyError
from sotagraph.query import bind, named_queries, named_query
from sotagraph.resolve import Names
from sotagraph.resources import ontology_text
from sotagraph.serve import pages
from sotagraph.serve.protocol import (
    ProblemError,
    Request,
    Response,
    named_type,
    negotiate,
    parameters,
    sparql_of,
    types_for,
)
from sotagraph.store import RESULT_TYPES, TRIPLE_TYPES
from sotagraph.terms import IRI, Literal, Term, iri_of, ntriples

__all__ = ["Application", "Engine"]

_SAFE_PAGE = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'",
    ),
    ("Referrer-Policy", "no-referrer"),
)
#: The page of the graph brings its scripts and styles inside, and needs nothing from anywhere.
_GRAPH_PAGE = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
        "font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("Referrer-Policy", "no-referrer"),
)
_VOID = """CONSTRUCT { ?s ?p ?o } WHERE {
  { ?s a void:Dataset ; ?p ?o } UNION { ?d void:classPartition|prov:wasGeneratedBy ?s . ?s ?p ?o }
}"""


class Engine(Protocol):
    """What answers queries; `sotagraph.limited.Workers` does."""

    def serialized(self, sparql: str, result_type: str, triple_type: str, *, seconds: float) -> tuple[str, bytes]:
        """The answer as media type and bytes."""


class Application:
    """Requests in, responses out; knows nothing of sockets.

    Args:
        graph: the graph.
        engine: answers its queries.
        page: the page of the graph, where there is one.
        seconds: time limit of a query.
        origin: the origin whose pages may ask too (CORS), ``*`` for all, None for none.
    """

    def __init__(
        self, graph: Graph, engine: Engine, *, page: bytes | None = None, seconds: float = 30, origin: str | None = None
    ) -> None:
        self._graph = graph
        self._engine = engine
        self._page = page
        self._seconds = seconds
        self._origin = origin
        self._names = Names.of(graph)

    def respond(self, request: Request) -> Response:
        """The response to any request; problems become their statuses, with one line of text."""
        try:
            response = self._route(request)
        except ProblemError as problem:
            response = _text(problem.status, str(problem), problem.headers)
        except QueryTimeoutError as error:
            response = _text(504, str(error))
        except BusyError as error:
            response = _text(503, str(error), (("Retry-After", "5"),))
        except NotFoundError as error:
            response = _text(404, str(error))
        except (QueryError, ConfigError) as error:
            response = _text(400, str(error))
        except SotagraphError as error:
            response = _text(500, str(error))
        return self._finished(request, response)

    def _finished(self, request: Request, response: Response) -> Response:
        headers = [*response.headers, ("X-Content-Type-Options", "nosniff"), ("Vary", "Accept, Origin")]
        origin = request.headers.get("origin")
        if self._origin is not None and origin is not None and self._origin in ("*", origin):
            headers.append(("Access-Control-Allow-Origin", self._origin))
            if request.method == "OPTIONS":
                headers += [
                    ("Access-Control-Allow-Methods", "GET, POST"),
                    ("Access-Control-Allow-Headers", "Accept, Content-Type"),
                ]
        return Response(status=response.status, type=response.type, body=response.body, headers=tuple(headers))

    def _route(self, request: Request) -> Response:
        path = request.path
        if path == "/sparql":
            if request.method == "OPTIONS":
                return _allowed("GET, HEAD, POST, OPTIONS")
            sparql, rest = sparql_of(request)
            return self._query(request, sparql, rest.get("format"))
        if request.method == "OPTIONS":
            return _allowed("GET, HEAD, OPTIONS")
        if request.method not in ("GET", "HEAD"):
            raise ProblemError(405, f"{request.method} is not for this address", (("Allow", "GET, HEAD, OPTIONS"),))
        fixed: dict[str, Callable[[], Response]] = {
            "/": lambda: _page(pages.editor(self._graph)),
            "/editor.js": lambda: _file("text/javascript", pages.asset("editor.js")),
            "/editor.css": lambda: _file("text/css", pages.asset("editor.css")),
            "/graph": self._graph_page,
            "/queries": _library,
            "/ns": lambda: _file("text/turtle", ontology_text("sotagraph.ttl").encode("utf-8")),
            "/.well-known/void": lambda: self._query(request, _VOID),
        }
        if path in fixed:
            return fixed[path]()
        if path.startswith("/queries/"):
            return self._named(request, path.removeprefix("/queries/"))
        if path.startswith("/id/"):
            return self._thing(request, path.removeprefix("/id/"))
        raise ProblemError(404, f"nothing is at {path[:200]!r}; there are /, /sparql, /graph, /queries, /id/…, /ns")

    def _query(self, request: Request, sparql: str, form: str | None = None) -> Response:
        types = types_for(sparql, request.headers.get("accept", ""), form)
        kind, body = self._engine.serialized(sparql, *types, seconds=self._seconds)
        return Response(
            status=200, type=kind if kind.startswith("application/") else f"{kind}; charset=utf-8", body=body
        )

    def _named(self, request: Request, name: str) -> Response:
        values: dict[str, str] = parameters(request.query)
        form = values.pop("format", None)
        return self._query(request, bind(named_query(name), dict(values), self._names), form)

    def _graph_page(self) -> Response:
        if self._page is None:
            raise ProblemError(404, "this build has no page; build the graph again to make one")
        return Response(status=200, type=pages.HTML, body=self._page, headers=_GRAPH_PAGE)

    def _thing(self, request: Request, rest: str) -> Response:
        kind, _, key = rest.partition("/")
        if not kind or not key:
            raise ProblemError(404, "a thing is at /id/<kind>/<key>, such as /id/method/grpo")
        node = f"{kind}/{key}"
        term = ntriples(iri_of(node))
        form = parameters(request.query).get("format")
        wanted = [pages.HTML.partition(";")[0], *TRIPLE_TYPES]
        chosen = named_type(form) if form else negotiate(request.headers.get("accept", ""), wanted)
        if chosen not in wanted:
            raise ProblemError(406, f"a thing can be had as {', '.join(wanted)}")
        self._must_be_there(node, term)
        about = f"CONSTRUCT {{ {term} ?p ?o . ?s ?q {term} }} WHERE {{ {{ {term} ?p ?o }} UNION {{ ?s ?q {term} }} }}"
        if chosen != wanted[0]:
            _, body = self._engine.serialized(about, next(iter(RESULT_TYPES)), chosen, seconds=self._seconds)
            typed = chosen if chosen.startswith("application/") else f"{chosen}; charset=utf-8"
            return Response(status=200, type=typed, body=body)
        if node in self._graph:
            return _page(pages.thing(self._graph, node))
        out = self._pairs(f"SELECT ?p ?o {{ {term} ?p ?o }} ORDER BY ?p ?o")
        back = self._pairs(f"SELECT ?s ?p {{ ?s ?p {term} }} ORDER BY ?p ?s")
        return _page(pages.plain(node, out, back))

    def _pairs(self, select: str) -> list[tuple[Term, Term]]:
        """The rows of a query for two terms."""
        kind = "application/sparql-results+json"
        _, body = self._engine.serialized(select, kind, "text/turtle", seconds=self._seconds)
        found = json.loads(body)
        one, other = found["head"]["vars"]
        return [(_json_term(row[one]), _json_term(row[other])) for row in found["results"]["bindings"]]

    def _must_be_there(self, node: str, term: str) -> None:
        """Refuse what is neither a node nor stands in a triple, as statements, sentences and texts do."""
        if node in self._graph:
            return
        ask = f"ASK {{ {{ {term} ?p ?o }} UNION {{ ?s ?q {term} }} }}"
        if self._engine.serialized(ask, "text/csv", "text/turtle", seconds=self._seconds)[1] != b"true\n":
            raise ProblemError(404, f"the graph holds no {node[:200]!r}")


def _json_term(value: dict[str, str]) -> Term:
    """A term of the JSON results format."""
    return IRI(value["value"]) if value["type"] == "uri" else Literal(value["value"])


def _page(body: bytes) -> Response:
    return Response(status=200, type=pages.HTML, body=body, headers=_SAFE_PAGE)


def _file(kind: str, body: bytes) -> Response:
    return Response(status=200, type=f"{kind}; charset=utf-8", body=body)


def _library() -> Response:
    listed = [
        {
            "name": query.name,
            "description": query.description,
            "parameters": [
                {"name": p.name, "type": p.type, "default": p.default, "description": p.description}
                for p in query.parameters
            ],
            "text": query.text,
            "href": f"/queries/{quote(query.name)}",
        }
        for query in named_queries().values()
    ]
    return Response(status=200, type="application/json", body=json.dumps(listed, ensure_ascii=False).encode())


def _allowed(methods: str) -> Response:
    return Response(status=204, type="text/plain; charset=utf-8", body=b"", headers=(("Allow", methods),))


def _text(status: int, message: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    body = (" ".join(message.split()) + "\n").encode("utf-8", "replace")
    return Response(status=status, type="text/plain; charset=utf-8", body=body, headers=headers)
