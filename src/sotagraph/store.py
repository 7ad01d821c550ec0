"""The graph in Oxigraph: load it, ask it in SPARQL. The only border to pyoxigraph, which is imported when it is needed.

A store answers queries and nothing else: there is no way to change it through a query, and `sparql_text.check` refuses
what would read beside it.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, TypeAlias

from sotagraph import serialize, sparql_text
from sotagraph.errors import BuildError, ConfigError, QueryError
from sotagraph.rows import Cell, Rows
from sotagraph.schema import NAMESPACES
from sotagraph.terms import BASE, IRI, XSD, Literal, Term, Triple, curie, id_of, in_order

if TYPE_CHECKING:
    import pyoxigraph
    from typing_extensions import Buffer

    from sotagraph.graph import Graph

__all__ = ["RESULT_TYPES", "TRIPLE_TYPES", "Answer", "Solutions", "Store", "to_cell", "to_rows"]

#: Media type → Oxigraph's name, for answers of SELECT and ASK and for those of CONSTRUCT and DESCRIBE.
RESULT_TYPES = {
    "application/sparql-results+json": "JSON",
    "application/sparql-results+xml": "XML",
    "text/csv": "CSV",
    "text/tab-separated-values": "TSV",
}
TRIPLE_TYPES = {
    "text/turtle": "TURTLE",
    "application/n-triples": "N_TRIPLES",
    "application/ld+json": "JSON_LD",
    "application/rdf+xml": "RDF_XML",
}


@dataclass(frozen=True, slots=True)
class Solutions:
    """The answer of a SELECT: variables without their question marks, and one tuple of terms a row."""

    variables: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]


#: SELECT gives `Solutions`, ASK a truth value, CONSTRUCT and DESCRIBE sorted triples.
Answer: TypeAlias = Solutions | bool | tuple[Triple, ...]


class Store:
    """A graph that answers SPARQL 1.1 queries.

    >>> from sotagraph.terms import iri
    >>> store = Store.of([(iri("method:a"), iri("sg:uses"), iri("method:b"))])
    >>> store.query("SELECT ?what { method:a sg:uses ?what }")
    Solutions(variables=('what',), rows=(('https://w3id.org/sotagraph/id/method/b',),))
    """

    def __init__(self, oxigraph: pyoxigraph.Store) -> None:
        self._oxigraph = oxigraph

    @classmethod
    def of(cls, triples: Iterable[Triple]) -> Store:
        """A store in memory that holds the triples."""
        return cls.of_ntriples(serialize.nt(triples).encode("utf-8"))

    @classmethod
    def of_graph(cls, graph: Graph) -> Store:
        """A store in memory that holds the RDF of a graph."""
        from sotagraph.triples import to_triples

        return cls.of(to_triples(graph))

    @classmethod
    def of_ntriples(cls, data: bytes) -> Store:
        """A store in memory that holds an N-Triples file.

        Raises:
            BuildError: the bytes are not N-Triples.
        """
        import pyoxigraph

        store = pyoxigraph.Store()
        try:
            store.bulk_load(data, pyoxigraph.RdfFormat.N_TRIPLES)
        except (SyntaxError, ValueError) as error:
            raise BuildError(f"not N-Triples: {error}; build the graph again") from error
        return cls(store)

    def __len__(self) -> int:
        """How many triples there are."""
        return len(self._oxigraph)

    def query(self, sparql: str) -> Answer:
        """The answer to a query; the prefixes of `sotagraph.schema.NAMESPACES` need not be declared.

        Raises:
            QueryError: the query does not parse, is an update, or would read beside the graph.
        """
        import pyoxigraph

        answer = self._ask(sparql)
        if isinstance(answer, pyoxigraph.QueryBoolean):
            return bool(answer)
        if isinstance(answer, pyoxigraph.QuerySolutions):
            names = tuple(variable.value for variable in answer.variables)
            return Solutions(names, tuple(tuple(_term(value) for value in row) for row in _run(answer)))
        return tuple(_sorted_triples(_run(answer)))

    def serialized(
        self, sparql: str, result_type: str, triple_type: str, *, limit: int | None = None
    ) -> tuple[str, bytes]:
        """The answer in a format of the SPARQL Protocol: its media type and its bytes.

        Args:
            sparql: the query.
            result_type: a key of `RESULT_TYPES`, taken if the query is a SELECT or ASK.
            triple_type: a key of `TRIPLE_TYPES`, taken if it is a CONSTRUCT or DESCRIBE.
            limit: most bytes that an answer may have.

        Raises:
            QueryError: the query does not parse, is an update, would read beside the graph, or has too long an answer.
            ConfigError: there is no such type.
        """
        import pyoxigraph

        if result_type not in RESULT_TYPES or triple_type not in TRIPLE_TYPES:
            known = ", ".join((*RESULT_TYPES, *TRIPLE_TYPES))
            raise ConfigError(f"no format {result_type!r} or {triple_type!r}; there are {known}")
        answer = self._ask(sparql)
        if isinstance(answer, pyoxigraph.QueryTriples):
            return triple_type, _written(set(_run(answer)), triple_type, limit)
        form = getattr(pyoxigraph.QueryResultsFormat, RESULT_TYPES[result_type])
        if isinstance(answer, pyoxigraph.QueryBoolean) and result_type in ("text/csv", "text/tab-separated-values"):
            # The two formats have no form for a truth value; this one every reader understands.
            return result_type, b"true\n" if answer else b"false\n"
        out = _Bounded(limit)
        try:
            answer.serialize(out, format=form)
        except (RuntimeError, OSError, ValueError) as error:
            raise QueryError(f"the query failed: {' '.join(str(error).split())}") from error
        return result_type, out.getvalue()

    def _ask(self, sparql: str) -> Any:
        sparql_text.check(sparql)
        full = sparql_text.with_prefixes(sparql)
        try:
            return self._oxigraph.query(full)
        except (SyntaxError, ValueError) as error:
            raise sparql_text.explain(str(error), sparql, len(full) - len(sparql)) from error
        except (RuntimeError, OSError) as error:
            raise QueryError(f"the query failed: {' '.join(str(error).split())}") from error


#: Media type → our own writer, which sorts, and names the prefixes that are used and no others.
_WRITERS = {
    "text/turtle": serialize.turtle,
    "application/n-triples": serialize.nt,
    "application/ld+json": serialize.jsonld,
}


def _written(found: Collection[Any], triple_type: str, limit: int | None) -> bytes:
    """Triples of the engine in a format; by the engine where they hold what our own terms cannot say."""
    import pyoxigraph

    out = _Bounded(limit)
    try:
        if triple_type in _WRITERS and all(_is_plain(triple) for triple in found):
            triples = in_order((IRI(t.subject.value), IRI(t.predicate.value), _known(t.object)) for t in found)
            out.write(_WRITERS[triple_type](triples).encode("utf-8"))
        else:
            form = getattr(pyoxigraph.RdfFormat, TRIPLE_TYPES[triple_type])
            pyoxigraph.serialize(sorted(found, key=str), out, format=form, prefixes=PREFIXES)
    except OSError as error:
        raise QueryError(f"the query failed: {error}") from error
    return out.getvalue()


def _is_plain(triple: Any) -> bool:
    """Whether a triple of the engine has neither blank nodes nor quoted triples nor texts with a language."""
    import pyoxigraph

    thing = triple.object
    return isinstance(triple.subject, pyoxigraph.NamedNode) and (
        isinstance(thing, pyoxigraph.NamedNode) or (isinstance(thing, pyoxigraph.Literal) and thing.language is None)
    )


class _Bounded(io.BytesIO):
    """Bytes up to a limit, so that an endless answer ends before memory does."""

    def __init__(self, limit: int | None) -> None:
        super().__init__()
        self._limit = limit

    def write(self, data: Buffer, /) -> int:
        if self._limit is not None and self.tell() + len(memoryview(data)) > self._limit:
            raise OSError(f"the answer is longer than {self._limit} bytes; ask for less, with LIMIT for instance")
        return super().write(data)


def to_rows(answer: Solutions) -> Rows:
    """The answer of a SELECT as rows of plain values.

    >>> print(list(to_rows(Solutions(("n",), ((Literal("2", XSD + "integer"),), (None,))))))
    [{'n': 2}, {'n': None}]
    """
    return Rows(answer.variables, [[to_cell(term) for term in row] for row in answer.rows])


def to_cell(term: Term | None) -> Cell:
    """A term as a plain value: a thing by the id of its node, a number as a number, else its text.

    >>> to_cell(IRI("https://w3id.org/sotagraph/id/method/grpo")), to_cell(Literal("90.4", XSD + "decimal"))
    ('method/grpo', Decimal('90.4'))
    """
    if term is None:
        return None
    if isinstance(term, str):
        return id_of(term) if term.startswith(BASE) else curie(term).strip("<>")
    lexical, datatype = term
    convert = _CELLS.get(datatype.removeprefix(XSD)) if datatype.startswith(XSD) else None
    try:
        return convert(lexical) if convert else lexical
    except (ValueError, InvalidOperation):
        return lexical  # such as an integer written as words: what is there, as it is there


_CELLS: dict[str, Any] = {
    "decimal": Decimal,
    "double": float,
    "float": float,
    "boolean": lambda text: text in ("true", "1"),
    **dict.fromkeys(("integer", "nonNegativeInteger", "int", "long", "gYear"), int),
}


def _run(answer: Iterable[Any]) -> Iterator[Any]:
    """What an answer gives, with the engine's complaints while it runs as ours."""
    try:
        yield from answer
    except (RuntimeError, OSError, ValueError) as error:
        raise QueryError(f"the query failed: {' '.join(str(error).split())}") from error


def _sorted_triples(triples: Iterable[Any]) -> list[Triple]:
    found = {(IRI(str(_known(t.subject))), IRI(t.predicate.value), _known(t.object)) for t in triples}
    return sorted(found, key=lambda triple: (triple[0], triple[1], str(triple[2])))


def _term(value: Any) -> Term | None:
    return None if value is None else _known(value)


def _known(value: Any) -> Term:
    import pyoxigraph

    if isinstance(value, pyoxigraph.Literal):
        return Literal(value.value, value.datatype.value)
    if isinstance(value, pyoxigraph.NamedNode):
        return IRI(value.value)
    # Blank nodes and quoted triples come from queries alone, since our data holds none.
    return IRI(str(value))


#: Prefixes that queries may use undeclared.
PREFIXES = {prefix: namespace for prefix, namespace in NAMESPACES.items() if prefix}
