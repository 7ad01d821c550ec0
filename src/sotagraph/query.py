"""Named queries: the files of ``ontology/queries``, with parameters that are bound as terms and never pasted as text.

A file begins with comment lines that say what it answers and what it takes::

    # description: Papers that use a method.
    # param method: method = the method, by any of its names
    # param limit: integer 20 = how many rows at most

A parameter has a name, a type, an optional default, and a meaning. It stands in the query as ``$name``, and nothing
else there may begin with ``$``. Types: ``integer``, ``decimal``, ``text``, and what names nodes: ``thing``, ``paper``,
``method``, ``dataset``, ``metric``, ``task``. A name that means several nodes stands for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from sotagraph.errors import ConfigError, NotFoundError
from sotagraph.resolve import ASKABLE, Names
from sotagraph.resources import ontology_directory
from sotagraph.schema import NODE_KINDS
from sotagraph.sparql_text import tokens
from sotagraph.terms import XSD, Literal, iri_of, ntriples

__all__ = ["NamedQuery", "Parameter", "bind", "named_queries", "named_query", "parse"]

_DESCRIPTION = re.compile(r"# description: (.+)")
_PARAMETER = re.compile(r"# param (\w+): (\w+)(?: (\S+))? = (.+)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a named query takes."""

    name: str
    type: str
    #: As written in the file; None where the parameter must be given.
    default: str | None
    description: str


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query of the library."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    text: str


@cache
def named_queries() -> Mapping[str, NamedQuery]:
    """Every named query by its name, in alphabetical order.

    >>> "leaderboard" in named_queries()
    True
    """
    files = sorted((ontology_directory() / "queries").glob("*.rq"))
    return {file.stem: parse(file.stem, file.read_text(encoding="utf-8")) for file in files}


def named_query(name: str) -> NamedQuery:
    """The named query.

    Raises:
        NotFoundError: there is none of that name; the message lists them.
    """
    try:
        return named_queries()[name]
    except KeyError:
        raise NotFoundError(f"no named query {name!r}; there are {', '.join(named_queries())}") from None


def parse(name: str, text: str) -> NamedQuery:
    r"""A named query from the text of its file.

    Raises:
        ConfigError: the head does not have the form of the module's description, or a parameter is not declared.

    >>> text = "# description: All.\n# param limit: integer 5 = rows\nSELECT * { ?s ?p ?o } LIMIT $limit"
    >>> parse("all", text).parameters
    (Parameter(name='limit', type='integer', default='5', description='rows'),)
    """
    head = [line for line in text.splitlines() if line.startswith("#")]
    found = [_DESCRIPTION.fullmatch(line) for line in head[:1]]
    if not found or found[0] is None:
        raise ConfigError(f"the query {name!r} does not begin with '# description: …'; write what it answers")
    parameters = []
    for line in head[1:]:
        match = _PARAMETER.fullmatch(line)
        if match is None or match[2] not in _BINDERS:
            raise ConfigError(
                f"the query {name!r} has the line {line!r}; wanted is '# param name: type [default] = meaning'"
            )
        parameters.append(Parameter(match[1], match[2], match[3], match[4]))
    used = {token.text[1:] for token in tokens(text) if token.text.startswith("$")}
    if used != {parameter.name for parameter in parameters}:
        raise ConfigError(f"the query {name!r} uses {sorted(used)} as parameters, which its head does not declare so")
    return NamedQuery(name, found[0][1], tuple(parameters), "\n".join(text.splitlines()[len(head) :]) + "\n")


def bind(query: NamedQuery, values: Mapping[str, object], names: Names) -> str:
    r"""The query with its parameters bound.

    Args:
        query: the query.
        values: parameter → value; what is left out takes its default.
        names: finds the nodes that a value names.

    Raises:
        ConfigError: a parameter is unknown, missing, or not of its type.
        NotFoundError: nothing has the name that is given.

    >>> query = parse("find", '# description: D.\n# param text: text = part of a name\nASK { ?x ?y $text }')
    >>> bind(query, {"text": 'a" }'}, Names([]))
    'ASK { ?x ?y "a\\" }" }\n'
    """
    known = {parameter.name: parameter for parameter in query.parameters}
    if unknown := sorted(set(values) - set(known)):
        takes = ", ".join(known) or "none"
        raise ConfigError(f"the query {query.name!r} has no parameter {unknown[0]!r}; it takes {takes}")
    bound: dict[str, str] = {}
    for parameter in query.parameters:
        value = values.get(parameter.name, parameter.default)
        if value is None:
            raise ConfigError(f"the query {query.name!r} needs {parameter.name}: {parameter.description}")
        bound[parameter.name] = _BINDERS[parameter.type](str(value), parameter, names)
    parts, last = [], 0
    for token in tokens(query.text):
        if token.text.startswith("$"):
            parts += [query.text[last : token.start], bound[token.text[1:]]]
            last = token.start + len(token.text)
    return "".join([*parts, query.text[last:]])


def _integer(value: str, parameter: Parameter, _: Names) -> str:
    if not re.fullmatch(r"\d{1,9}", value):
        raise ConfigError(f"{parameter.name} is {value!r}; give a whole number of at most nine digits")
    return value


def _number(value: str, parameter: Parameter, _: Names) -> str:
    if not re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", value):
        raise ConfigError(f"{parameter.name} is {value!r}; give a number such as 0.5")
    return ntriples(Literal(value, XSD + "decimal"))


def _text(value: str, _: Parameter, __: Names) -> str:
    return ntriples(Literal(value))


def _nodes(*kinds: str) -> Callable[[str, Parameter, Names], str]:
    def binder(value: str, _: Parameter, names: Names) -> str:
        return " ".join(ntriples(iri_of(node)) for node in names.find(value, kinds))

    return binder


_BINDERS: dict[str, Callable[[str, Parameter, Names], str]] = {
    "integer": _integer,
    "decimal": _number,
    "text": _text,
    "thing": _nodes(*ASKABLE),
    **{kind.key: _nodes(kind.name) for kind in NODE_KINDS.values() if kind.name in ASKABLE},
}
