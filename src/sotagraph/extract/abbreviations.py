"""Short forms and the long forms that define them, in both directions.

The pairing of letters is the algorithm of Schwartz and Hearst (2003, "A simple algorithm for identifying abbreviation
definitions in biomedical text"): from the right, each letter of the short form is found in the long form, and the first
one must begin a word. Added here: "SF (long form)" and "SF, a long form", the plural s of short forms, and the demand
that most words of the long form take part, since abstracts of machine learning put almost anything into brackets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Abbreviation", "abbreviations", "match_long_form"]

_BRACKET = re.compile(r"\(([^()]{2,160})\)")
_SHORT = re.compile(r"[^\W_][\w+*/.@&-]{0,19}(?: [A-Z0-9][\w+-]{0,9})?$")
_SKIPPED = frozenset("a an the of for and in on with to by from via as at or using through over under into".split())
_LAST_WORD = re.compile(r"([^\s()—]+)\s*$")
#: Characters before a bracket in which its short form stands, whole or as a piece too long to be one.
_REACH = 60
_WORDS = re.compile(r"[^\s]+")
_CROSSED = re.compile(r"\b(?:trans|cross|ex)(?=\w|-| )")
_TITLE = re.compile(
    r"(?<![\w-])((?:[A-Z][\w-]*)(?:\s+(?:(?:of|for|in|the|with|on|to|and|via|at|by|from|as)\s+)?[A-Z][\w-]*){2,})$"
)
_APPOSITION = re.compile(r"(?<![\w-])([A-Z][\w+-]*[A-Z0-9][\w+-]*), (?:an?|the|our) ([^,.;:()]{8,160})")


@dataclass(frozen=True, slots=True, order=True)
class Abbreviation:
    """Half-open ranges of a short form and of the long form that spells it out."""

    short_start: int
    short_end: int
    long_start: int
    long_end: int


def match_long_form(short: str, text: str) -> int | None:
    """Where in `text`, which must end with it, the long form of `short` begins; None where the letters do not fit.

    >>> match_long_form("LVR", "We introduce Latent Visual Reasoning")
    13
    """
    letters = [c for c in short.lower() if c.isalnum()]
    if not letters:
        return None
    low = text.lower()
    if "x" in letters:
        low = _crossed(low)
    at = len(low)
    for i in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and (low[at] != letters[i] or (i == 0 and at > 0 and low[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
    return _word_start(text, at)


def _crossed(text: str) -> str:
    """A text with x for trans-, cross- and ex-, as authors write them; the letters that go keep their places."""
    return _CROSSED.sub(lambda m: "x".ljust(len(m.group()), "\0"), text)


def _word_start(text: str, at: int) -> int:
    while at > 0 and not text[at - 1].isspace() and text[at - 1] not in "([{\"'“‘":
        at -= 1
    return at


def _is_short(text: str) -> bool:
    if not _SHORT.match(text) or not any(c.isalpha() for c in text) or text.isdigit():
        return False
    return any(c.isupper() for c in text) and len(text) >= 2


def _telling(long: str) -> list[str]:
    """The words of a long form that a short form takes letters of."""
    return [w for w in re.split(r"[\s\-/]+", long) if w and w.lower() not in _SKIPPED]


def _fits(short: str, long: str) -> bool:
    """Whether a long form is one: the right number of words, most of whose first letters appear in the short form."""
    parts = _telling(long)
    size = sum(c.isalnum() for c in short)
    if not parts or len(long) <= len(short) or short.lower() in (w.lower() for w in re.split(r"[\s,]+", long)):
        return False
    if len(parts) > max(size + 3, 4) or not any(c.isalpha() for c in long):
        return False
    if "x" in short.lower():
        parts = [_crossed(w.lower()) for w in parts]
    firsts = sum(w[0].lower() in short.lower() for w in parts)
    return firsts >= 0.6 * len(parts) and (len(parts) > 1 or len(long) >= 2 * size)


def _singular(short: str) -> str:
    return short[:-1] if len(short) > 2 and short.endswith("s") and short[-2].isupper() else short


def _before(text: str, short: str, bracket: int) -> tuple[int, int] | None:
    """Range of the long form that ends right before a bracket."""
    low = max(text.rfind(mark, 0, bracket) for mark in (". ", "; ", "(", ")", ": ")) + 1
    words = list(_WORDS.finditer(text, low, bracket))
    most = sum(c.isalnum() for c in short) * 2 + 4
    if not words:
        return None
    start = words[max(0, len(words) - most)].start()
    piece = text[start:bracket].rstrip()
    best = match_long_form(short, piece)
    if best is None or not _fits(short, piece[best:]):
        best = _title(short, piece)
    return None if best is None else (start + best, start + len(piece))


def _title(short: str, text: str) -> int | None:
    """Where a title begins that `short` abbreviates more freely than letter by letter; None where there is none.

    Authors bend acronyms of their own names: ATLAS for Adaptive Transfer Scaling Law, PiCa for Parameter-efficient
    Fine-tuning with Column Space Projection. A run of three or more capitalised words right before the bracket is
    taken where it begins with the first letter of the short form and either spells it in order, or has all its first
    letters in it and each letter of it somewhere.
    """
    letters = [c for c in short.lower() if c.isalnum()]
    run = _TITLE.search(text)
    if run is None or len(letters) < 3:
        return None
    words = list(_WORDS.finditer(run[1]))
    for word in words:
        long = run[1][word.start() :]
        firsts = [part[0].lower() for part in _telling(long)]
        if firsts[:1] != letters[:1] or len(firsts) < 3:
            continue
        bent = set(firsts) <= set(letters) and set(letters) <= set(long.lower())
        if match_long_form(short, long) == 0 or bent:
            return run.start(1) + word.start()
    return None


def _whole(short: str, long: str) -> bool:
    """Whether all of `long` spells `short`, from its first word on."""
    return match_long_form(short, long) == 0 and _fits(short, long)


def abbreviations(text: str) -> list[Abbreviation]:
    """All definitions in a text without markup, in order.

    >>> text = "We use FACT (Features at Convergence Theorem) and Large Language Models (LLMs)."
    >>> [(text[a.short_start:a.short_end], text[a.long_start:a.long_end]) for a in abbreviations(text)]
    [('FACT', 'Features at Convergence Theorem'), ('LLMs', 'Large Language Models')]
    """
    found: list[Abbreviation] = []
    for match in _BRACKET.finditer(text):
        found += _in_bracket(text, match)
    for match in _APPOSITION.finditer(text):
        words = list(_WORDS.finditer(match[2]))
        for stop in range(len(words), 1, -1):
            long = match[2][: words[stop - 1].end()]
            if _whole(match[1], long) and sum(w[0].isupper() for w in long.split()) >= 2:
                found.append(Abbreviation(match.start(1), match.end(1), match.start(2), match.start(2) + len(long)))
                break
    return sorted(set(found))


def _in_bracket(text: str, match: re.Match[str]) -> list[Abbreviation]:
    inside = match[1]
    head = re.split(r"[,;]", inside)[0].strip()
    offset = match.start(1) + len(inside) - len(inside.lstrip())
    if _is_short(head):
        long = _before(text, _singular(head), match.start())
        if long:
            return [Abbreviation(offset, offset + len(head), *long)]
    before = _LAST_WORD.search(text, max(0, match.start() - _REACH), match.start())
    if before and _is_short(before[1]) and " " in inside.strip():
        short = _singular(before[1])
        stripped = inside.strip()
        for spelt in (head, stripped):
            if _whole(short, spelt):
                return [Abbreviation(before.start(1), before.end(1), offset, offset + len(spelt))]
    return []
