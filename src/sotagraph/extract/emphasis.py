r"""Stretches that the authors set apart: ``**name**``, ``*name*``, ``\textbf{name}``, ``\emph{name}``, ``"name"``.

Authors of abstracts emphasise the names of their own things far more often than anything else, so emphasis is a hint of
a proposed name. Partly emphasised words (**L**atent **V**isual) spell out an acronym; they are joined into one stretch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Emphasis", "emphases"]

_MARKUP = re.compile(
    r"\\(?:textbf|textit|textsc|texttt|textsf|emph|underline)\s*\{(?P<latex>(?:[^{}]|\{[^{}]*\}){1,120})\}"
    r"|\{\\(?:bf|it|sc|tt|em)\s+(?P<old>[^{}]{1,120})\}"
    r"|\*{1,3}(?P<stars>[^*\s](?:[^*\n]{0,118}[^*\s])?)\*{1,3}"
    r"|(?<![\w\\])_(?P<under>[^_\s](?:[^_\n]{0,80}[^_\s])?)_(?!\w)"
)
_QUOTES = re.compile(r"``(?P<tex>[^`'\n]{1,80})''|“(?P<curly>[^“”\n]{1,80})”|\"(?P<straight>[^\"\n]{1,80})\"")


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Half-open range of the emphasised text itself, without its markers; `style` is ``markup`` or ``quotes``."""

    start: int
    end: int
    style: str


# Reading and tagging ask for the same document, with the rest of its batch between.
@lru_cache(maxsize=1 << 6)
def emphases(text: str) -> tuple[Emphasis, ...]:
    r"""Every emphasised or quoted stretch of `text`, by offset.

    >>> text = r"We present **LVR** and \textit{Tinker}."
    >>> [text[e.start:e.end] for e in emphases(text)]
    ['LVR', 'Tinker']
    """
    found: list[Emphasis] = []
    # Most texts have no markup, and a search for these characters costs far less than one for the patterns.
    if any(sign in text for sign in "\\{*_"):
        found += [_emphasis(match, "markup") for match in _MARKUP.finditer(text)]
    if any(sign in text for sign in '`“"'):
        found += [_emphasis(match, "quotes") for match in _QUOTES.finditer(text)]
    return tuple(sorted(found, key=lambda e: (e.start, e.end)))


def _emphasis(match: re.Match[str], style: str) -> Emphasis:
    name = match.lastgroup or ""
    return Emphasis(match.start(name), match.end(name), style)
