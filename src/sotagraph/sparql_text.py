"""SPARQL as text: what a query asks for before it runs, and where a mistake in it stands.

A query may read the one graph that it is put to. Whatever would reach beyond it (``SERVICE``, ``FROM``, updates) is
refused here, by its tokens, before any engine sees it: engines follow ``SERVICE`` to any address, this machine's own
among them, and some read ``FROM <file:…>``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from sotagraph.errors import QueryError
from sotagraph.schema import NAMESPACES

__all__ = ["Token", "check", "explain", "tokens", "with_prefixes"]

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n\r]*)
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    |(?P<string>\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    |(?P<variable>[?$]\w+)
    |(?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<name>(?:[^\W\d_][\w.-]*)?:(?:%[0-9A-Fa-f]{2}|\\.|[\w.:-])*|_:[\w.-]+)
    |(?P<word>[^\W\d_]\w*)
    |(?P<space>\s+)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_CODEPOINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_UPDATES = frozenset(("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"))
_FORMS = frozenset(("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"))
_POSITION = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)


class Token(NamedTuple):
    """A piece of a query: its kind, its text and its offset."""

    kind: str
    text: str
    start: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a query, comments and white space left out.

    >>> [token.text for token in tokens("SELECT ?x { ?x sg:uses <a:b> } # SERVICE")]
    ['SELECT', '?x', '{', '?x', 'sg:uses', '<a:b>', '}']
    """
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        if kind not in ("comment", "space"):
            yield Token(kind, match[0], match.start())


def check(text: str) -> None:
    """Refuse a query that would change the graph or read anything beside it.

    Raises:
        QueryError: the query has a SERVICE, FROM or FROM NAMED clause or is an update.

    >>> check("ASK { SERVICE <http://example.org/> { ?s ?p ?o } }")
    Traceback (most recent call last):
    ...
    sotagraph.errors.QueryError: line 1, column 7: SERVICE is refused: a query may read this graph alone; take it out
    """
    # Escapes may spell a keyword; an engine decodes them before it reads the query.
    decoded = _CODEPOINT.sub(_decode, text)
    if decoded != text and re.search(r"\b(?:SERVICE|FROM|LOAD)\b", decoded, re.IGNORECASE):
        raise QueryError(
            r"SERVICE, FROM and LOAD are refused, in a query with \u escapes even inside strings; take them out"
        )
    form = ""
    for token in tokens(text):
        word = token.text.upper() if token.kind == "word" else ""
        if word == "SERVICE":
            raise _refusal(text, token, "SERVICE is refused: a query may read this graph alone; take it out")
        if word == "FROM":
            raise _refusal(text, token, "FROM is refused: there is one graph, and it is read already; take it out")
        if not form and word in _UPDATES:
            raise _refusal(
                text, token, f"{word} is refused: the graph is read-only; ask with SELECT, ASK, CONSTRUCT or DESCRIBE"
            )
        form = form or (word if word in _FORMS else "")


def with_prefixes(text: str) -> str:
    """The query with the prefixes before it that it uses and does not declare, on its first line.

    >>> with_prefixes("ASK { ?x sg:uses ?y }")
    'PREFIX sg: <https://w3id.org/sotagraph/ns#> ASK { ?x sg:uses ?y }'
    """
    missing = _undeclared(text) & set(NAMESPACES)
    return "".join(f"PREFIX {prefix}: <{NAMESPACES[prefix]}> " for prefix in sorted(missing)) + text


def explain(message: str, text: str, shift: int = 0) -> QueryError:
    """The error that an engine's message about a query becomes: where, what stands there, what was wanted.

    Args:
        message: what the engine says, such as ``error at 2:17: expected OPTIONAL``.
        text: the query as the user wrote it.
        shift: characters that were put before its first line.

    >>> print(explain("error at 1:15: expected OPTIONAL", "ASK { ?x foo ?y }", 0))
    line 1, column 10: did not expect "foo"; is it a variable (?foo) or a name (sg:foo)?
    """
    if mistake := _mistake(text):
        return mistake
    found = _POSITION.match(message)
    if not found:
        return QueryError(f"the query cannot be read: {' '.join(message.split())}")
    line, column = int(found[1]), int(found[2])
    column -= shift if line == 1 else 0
    token = _token_at(text, _offset(text, line, column))
    if token is None:
        return _error(line, max(column, 1), f"the query cannot be read to its end: {_wanted(found[3])}")
    line, column = _place(text, token.start)
    shown = token.text if len(token.text) <= 40 else token.text[:40] + "…"
    return _error(line, column, f'did not expect "{" ".join(shown.split())}"; {_wanted(found[3])}')


def _mistake(text: str) -> QueryError | None:
    """What is commonly wrong, found by tokens alone: engines name the place where they gave up, often much later."""
    open_brackets: list[Token] = []
    unknown = _undeclared(text) - set(NAMESPACES)
    found = list(tokens(text))
    based = any(token.text.upper() == "BASE" for token in found)
    if not found:
        return QueryError("the query is empty; ask with SELECT, ASK, CONSTRUCT or DESCRIBE")
    for token, following in zip_longest(found, found[1:]):
        prefix = token.text.partition(":")[0]
        if token.kind == "name" and prefix in unknown:
            message = f'the prefix "{prefix}:" is not declared; known without it are {_known()}'
            return _refusal(text, token, message)
        if token.kind == "iri" and ":" not in token.text and not based:
            return _refusal(text, token, f"{token.text} is relative; write the whole IRI, or a name such as sg:uses")
        if token.text in ('"', "'"):
            return _refusal(text, token, f"the string that begins here does not end; close it with {token.text}")
        if (
            token.kind == "word"
            and token.text.upper() not in _KEYWORDS
            and (following is None or following.text != "(")
        ):
            message = f'did not expect "{token.text}"; is it a variable (?{token.text}) or a name (sg:{token.text})?'
            return _refusal(text, token, message)
        if slip := _slip(token, following):
            return _refusal(text, following or token, slip)
        if token.text in _CLOSING.values():
            open_brackets.append(token)
        elif token.text in _CLOSING:
            if not open_brackets or open_brackets[-1].text != _CLOSING[token.text]:
                return _refusal(text, token, f'this "{token.text}" closes nothing; take it out or open it before')
            open_brackets.pop()
    if open_brackets:
        return _refusal(text, open_brackets[-1], f'this "{open_brackets[-1].text}" is never closed')
    return None


def _slip(token: Token, following: Token | None) -> str | None:
    """What is wrong with two neighbours whatever stands around them."""
    word, then = token.text.upper(), following.text if following else ""
    if word in ("ORDER", "GROUP") and token.kind == "word" and then.upper() != "BY":
        return f"wanted was BY, as in {word} BY ?x"
    if word in ("LIMIT", "OFFSET") and token.kind == "word" and not then.isdecimal():
        return f"wanted was a whole number, as in {word} 10"
    if word == "FILTER" and then[:1] in ("?", "$"):
        return f"wanted was a condition in brackets, as in FILTER({then} > 1)"
    if word == "SELECT" and then in ("{", "WHERE"):
        return "wanted were the variables to show, or * for all"
    if then == ")" and token.text in ("=", "<", ">", "&", "|", "/", ",", "!"):
        return f'wanted was a value between "{token.text}" and ")"'
    return None


def _decode(match: re.Match[str]) -> str:
    number = int(match[1] or match[2], 16)
    return chr(number) if number < 0x110000 else "\ufffd"


def _undeclared(text: str) -> set[str]:
    declared: set[str] = set()
    used: set[str] = set()
    before = ""
    for token in tokens(text):
        if token.kind == "name" and not token.text.startswith("_:"):
            prefix = token.text.partition(":")[0]
            (declared if before == "PREFIX" else used).add(prefix)
        before = token.text.upper() if token.kind == "word" else ""
    return used - declared


def _known() -> str:
    return ", ".join(f"{prefix}:" for prefix in NAMESPACES if prefix)


def _refusal(text: str, token: Token, message: str) -> QueryError:
    line, column = _place(text, token.start)
    return _error(line, column, message)


def _error(line: int, column: int, message: str) -> QueryError:
    error = QueryError(f"line {line}, column {column}: {message}")
    error.line, error.column = line, column
    return error


def _place(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def _offset(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    return sum(len(part) + 1 for part in lines[: line - 1]) + column - 1


def _token_at(text: str, offset: int) -> Token | None:
    """The token that an engine stumbled on: engines name the place behind what they last took."""
    for token in tokens(text):
        if token.start + len(token.text) > offset or (token.kind == "word" and token.start + len(token.text) == offset):
            return token
    return None


def _wanted(said: str) -> str:
    said = " ".join(said.split()).removeprefix("expected ").removeprefix("one of ").partition(", [")[0]
    if prose := re.search(r"\b[A-Z][a-z]* [A-Z]*\b.*", said):
        return prose[0][0].lower() + prose[0][1:] if prose[0].startswith("The ") else prose[0]
    words = sorted({one or other for one, other in re.findall(r'"([^"\\]+)"|\b([A-Z]{2,})\b', said)})
    for sign, meant in _SIGNS.items():
        if sign in words:
            return f"wanted was {meant}"
    some = "one of " if len(words) > 1 else ""
    return f"wanted was {some}{' '.join(words[:12])}" if words else "something else was wanted here"


#: What an engine lists among much else → what it means to a person, the first that fits.
_SIGNS = {
    "'": "a variable (?x), a name (sg:uses), an IRI in angle brackets, a text in quotes or a number",
    ":": "a variable (?x), a name (sg:uses) or an IRI in angle brackets",
    "$": "a variable (?x)",
    "STR": "a value: a variable (?x), a number, a text in quotes or a function",
    "LANG": "a value: a variable (?x), a number, a text in quotes or a function",
}

#: Closing bracket → the one that opens it.
_CLOSING = {")": "(", "}": "{", "]": "["}

#: Words of SPARQL that may stand without a bracket behind them; any name before a bracket is taken for a function.
_KEYWORDS = _UPDATES | _FORMS | frozenset(
    ("A", "AS", "ASC", "BASE", "BIND", "BY", "DATA", "DEFAULT", "DESC", "DISTINCT", "EXISTS", "FALSE",
     "FILTER", "FROM", "GRAPH", "GROUP", "HAVING", "IN", "INTO", "LIMIT", "MINUS", "NAMED", "NOT", "OFFSET",
     "OPTIONAL", "ORDER", "PREFIX", "REDUCED", "SEPARATOR", "SERVICE", "SILENT", "TRUE", "UNDEF", "UNION",
     "USING", "VALUES", "WHERE")
)  # fmt: skip
