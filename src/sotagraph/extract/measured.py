"""Quantities named beside a printed change: "reduces token usage by 45%", "a 30% drop in latency", "2x higher speed".

The words between a verb of change and its number name what was measured, whether or not a lexicon knows the metric.
"""

from __future__ import annotations

import re

__all__ = ["measured"]

#: It begins with a digit, which the engine looks for fast where a pattern begins with it.
_AMOUNT = r"\d[\d.,]*\s*(?:%|x\b|×|-?fold\b|times\b|points?\b|pp\b)"
_NUMBER = rf"[~≈<>]?\s*[+\-±]?{_AMOUNT}"
_HEDGE = (
    r"(?:(?:up to|at least|at most|about|around|over|more than|less than|nearly|almost|approximately|roughly|"
    r"an average of|on average|as much as|a factor of|a|an|another)\s+)*"
)
_WORD = r"[A-Za-z][\w@/+-]*"
_PHRASE = rf"(?P<what>{_WORD}(?:\s+(?:of\s+)?{_WORD}){{0,3}}?)"
_SKIP = (
    r"(?:(?:the|its|their|our|average|overall|mean|total|both|downstream|relative|absolute|final|end-to-end|model|"
    r"corresponding)\s+)*"
)
#: What may follow the phrase, so that it is not cut in the middle.
_END = (
    r"(?=\s*(?:[.,;:)(]|and\b|or\b|while|with|over|compared|relative|on\b|across|for\b|when|by\b|at\b|in\b|from\b|"
    r"versus|vs|without|than|under|against|to\b|$))"
)
_BY = re.compile(
    rf"\b(?:reduc|improv|increas|decreas|lower|boost|cut|enhanc|rais|shorten|rais|degrad|"
    rf"accelerat|minimi[sz]|slash|trim|drop|lift|speed)\w*\s+{_SKIP}{_PHRASE}\s+by\s+{_HEDGE}{_NUMBER}",
    re.IGNORECASE,
)
#: The end of `_BY`, which most texts do not have and which costs little to look for.
_BY_TAIL = re.compile(rf"\sby\s+{_HEDGE}{_NUMBER}", re.IGNORECASE)
_IN = re.compile(
    rf"{_AMOUNT}\s+(?:(?:relative|absolute|average|overall|further|additional|mean)\s+)?"
    rf"(?:reduction|improvement|increase|decrease|drop|gain|boost|decline|savings?|rise|cut)s?\s+"
    rf"(?:in|of)\s+{_SKIP}{_PHRASE}{_END}",
    re.IGNORECASE,
)
_HIGHER = re.compile(
    rf"{_AMOUNT}\s+(?:higher|lower|better|greater|fewer|less|more|reduced|increased|improved|"
    rf"smaller|shorter|larger|longer)\s+{_SKIP}{_PHRASE}{_END}",
    re.IGNORECASE,
)
_OF = re.compile(
    rf"\b(?:an?|the)\s+(?:(?:average|overall|mean|final|new|high|state-of-the-art)\s+)*"
    rf"(?P<what>{_WORD}(?:\s+{_WORD}){{0,2}})\s+(?:of|reaches|reaching|at)\s+{_HEDGE}[~≈<>]?\d",
    re.IGNORECASE,
)
_NOT = frozenset(
    "it them this that these which performance results result method methods model models number baseline "
    "baselines total".split()
)


def measured(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of the quantities that stand beside a change.

    >>> text = "LVR reduces token usage by 45% and shows a 12% drop in peak memory."
    >>> [text[a:b] for a, b in measured(text)]
    ['token usage', 'peak memory']
    """
    patterns = (_BY, _IN, _HIGHER, _OF) if _BY_TAIL.search(text) else (_IN, _HIGHER, _OF)
    found = {m.span("what") for pattern in patterns for m in pattern.finditer(text)}
    return sorted((a, b) for a, b in found if text[a:b].split()[-1].lower() not in _NOT)
