"""Sentence boundaries of scientific prose, by rule, over the original text.

A full stop, question or exclamation mark ends a sentence when white space and something that can open one follow,
unless it belongs to an abbreviation ("et al.", "Fig. 3", "w.r.t."), a number ("0.5"), an initial, or a bracket still
open. Brackets are read because abstracts put whole remarks into them ("(e.g., A. B)"). A blank line always ends a
sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["sentences"]

_ABBREVIATION = re.compile(
    r"(?:\b(?:et\s+al|e\.g|i\.e|cf|vs|viz|etc|resp|approx|ca|Fig|Figs|Eq|Eqs|Sec|Secs|Tab|Ref|Refs|No|Nos|Vol|Ch|App|Appx|Dr|Prof|Mr|Mrs|Ms"
    r"|St|Inc|Ltd|Co|Corp|w\.r\.t|a\.k\.a|s\.t|i\.i\.d|a\.s|w\.h\.p|U\.S|Ph\.D)|\b[A-Z])\.$"
)
_END = re.compile(r"[.!?]+[\"'”’)\]}*_$]*(?=\s+|$)|\n\s*\n")
_OPENER = re.compile(r"[\s\"'“‘(\[{*_$\\]*(?:[A-Z0-9À-ÞΑ-Ω]|\\[A-Za-z]+\{|[a-z]+[A-Z0-9]|[^\x00-\x7f])")
# These end a sentence when a capital follows, and stand inside one otherwise.
_SOFT = re.compile(r"\b(?:etc|al|U\.S|Inc|Ltd|Co|Corp)\.$")
_LONGEST_REMARK = 400


# Reading and tagging ask for the same document, with the rest of its batch between.
@lru_cache(maxsize=1 << 6)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Half-open ranges of the sentences of `text`, in order, without the white space between them.

    Every character that is not white space lies in exactly one of them.

    >>> text = "We beat Smith et al. by 0.5. See Fig. 3. It works."
    >>> [text[a:b] for a, b in sentences(text)]
    ['We beat Smith et al. by 0.5.', 'See Fig. 3.', 'It works.']
    """
    out: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.group().isspace():
            start = _close(text, start, match.start(), out)
        elif _ends(text, start, match):
            start = _close(text, start, match.end(), out)
    _close(text, start, len(text), out)
    return tuple(out)


def _close(text: str, start: int, end: int, out: list[tuple[int, int]]) -> int:
    piece = text[start:end]
    if stripped := piece.strip():
        first = start + len(piece) - len(piece.lstrip())
        out.append((first, first + len(stripped)))
    return end


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    # Abbreviations are short: the last characters before the mark say all.
    before = text[max(start, match.start() - 12) : match.start() + 1]
    if _ABBREVIATION.search(before) and not (_SOFT.search(before) and _OPENER.match(text, match.end())):
        return False
    if _inside_bracket(text, start, match.end()):
        return False
    rest = match.end()
    return rest >= len(text) or _OPENER.match(text, rest) is not None


def _inside_bracket(text: str, start: int, end: int) -> bool:
    """Whether a round bracket opened in this sentence is still open; a bracket that never closes does not count."""
    piece = text[max(start, end - _LONGEST_REMARK) : end]
    if piece.count("(") <= piece.count(")"):
        return False
    closing = text.find(")", end, end + _LONGEST_REMARK)
    return closing >= 0 and text.count("(", end, closing) == 0
