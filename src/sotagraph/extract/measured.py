"""Quantities named beside a printed change: "reduces token usage by 45%", "a 30% drop in latency", "2x higher speed".

The words between a verb of change and its number name what was measured, whether or not a lexicon knows the metric.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sotagraph.extract.parts import is_measure

__all__ = ["fewer", "measured"]

#: It begins with a digit, which the engine looks for fast where a pattern begins with it.
_AMOUNT = r"\d[\d.,]*(?:\s*(?:-|to\s)\s*\d[\d.,]*)?\s*(?:%\+?|x\b|×|-?fold\b|times\b|points?\b|pp\b)"
_NUMBER = rf"[~≈<>]?\s*[+\-±]?{_AMOUNT}"
_HEDGE = (
    r"(?:(?:up to|at least|at most|about|around|over|more than|less than|nearly|almost|approximately|roughly|"
    r"an average of|on average|as much as|as high as|as low as|a factor of|a|an|another|only|just|merely|below|"
    r"under)\s+)*"
)
_WORD = r"[A-Za-z][\w@/+-]*"
_PHRASE = rf"(?P<what>{_WORD}(?:\s+(?:of\s+)?{_WORD}){{0,3}}?)(?!\w)"
_SKIP = (
    r"(?:(?:the|its|their|our|average|overall|total|both|downstream|relative|absolute|model|corresponding|"
    r"[A-Z][\w.-]*['’]s)\s+)*"
)
#: What may follow the phrase, so that it is not cut in the middle.
_END = (
    r"(?=\s*(?:[.,;:)(]|and\b|or\b|while|with|over|compared|relative|on\b|across|for\b|when|by\b|at\b|in\b|from\b|"
    r"respectively\b|versus|vs|without|than|under|against|to\b|$))"
)
_CHANGING = (
    r"(?:reduc|improv|increas|decreas|lower|boost|cut|enhanc|rais|shorten|degrad|accelerat|minimi[sz]|slash|trim|drop|lift|"
    r"speed)\w*\s+"
)
#: How much it changed: "by 5%", "up to 5%", "from 3 to 4", "to just 4", "(e.g., from 3 to 4)", "in half".
_CHANGE = (
    rf"(?:\(?by\s+{_HEDGE}{_NUMBER}|up\s+to\s+{_NUMBER}|\(?(?:e\.g\.,?\s+)?from\s+\d|to\s+{_HEDGE}[~≈<>]?\d|"
    r"(?:in|by)\s+half\b)"
)
_BY = re.compile(rf"\b{_CHANGING}{_SKIP}{_PHRASE}\s+{_CHANGE}", re.IGNORECASE)
#: The end of `_BY`, which most texts do not have and which costs little to look for.
_BY_TAIL = re.compile(rf"\s{_CHANGE}", re.IGNORECASE)
#: The second quantity of one verb: "reduces A by 2x, B by 3x and C by 4x".
_ALSO = re.compile(
    rf"(?:,|\band)\s+(?:and\s+)?(?!{_CHANGING}|(?:and|while|thus|thereby|which|that|it)\b){_SKIP}{_PHRASE}"
    rf"\s+{_CHANGE}",
    re.IGNORECASE,
)
_BEFORE_CHANGE = re.compile(
    rf"{_AMOUNT}\s+{_SKIP}{_PHRASE}\s+"
    rf"(?:reduction|improvement|increase|decrease|drop|gain|boost|decline|savings?|speed-?up)s?\b",
    re.IGNORECASE,
)
#: What a number in percent may be of by itself.
_SCORED = re.compile(
    r"\d\s*%\s+(?P<what>(?:[a-z][\w-]*\s+){1,2}(?:rates?|scores?|accuracy|efficacy|compliance|progress|coverage|agreement|"
    r"consistency|coherence|fidelity|robustness|similarity|completion|success(?!\s+rate)|utilization|precision|recall|"
    r"usage|overhead|performance|quality))\b",
)
#: A word of a quantity where nothing but its clause says where it begins.
_PLAIN = r"(?!(?:the|its|their|our|and|that|while|when|whose|in|on|for|of|by|with)\b)[A-Za-z][\w@/+-]*"
#: What changes by itself or is changed: ", and memory is reduced by 45%", "the error drops from 5 to 3".
_CHANGED_BY = re.compile(
    rf"(?:^|[.;:,(]\s+|\b(?:the|its|their|our|and|that|while|when|whose|average|overall)\s+)"
    rf"(?P<what>{_PLAIN}(?:\s+{_PLAIN}){{0,2}}?)\s+"
    r"(?:(?:is|are|was|were|has\s+been|have\s+been|can\s+be)\s+)?(?:(?:significantly|substantially|further)\s+)?"
    rf"(?:reduced|improved|increased|decreased|lowered|boosted|increases|improves|decreases|drops|rises|falls|fell|rose|"
    rf"dropped|dropping|rising|increasing|decreasing)\s+{_CHANGE}",
    re.IGNORECASE,
)
_IN = re.compile(
    rf"{_AMOUNT}\s+(?:(?:relative|absolute|average|overall|further|additional|mean)\s+)?"
    rf"(?:reduction|improvement|increase|decrease|drop|gain|boost|decline|savings?|rise|cut)s?\s+"
    rf"(?:in|of)\s+{_SKIP}{_PHRASE}{_END}",
    re.IGNORECASE,
)
#: "Gains of up to 25 points in X".
_GAIN_OF = re.compile(
    rf"{_AMOUNT}\s+(?:(?:absolute|relative|more\s+\w+)\s+)?in\s+(?:terms\s+of\s+)?{_SKIP}{_PHRASE}{_END}",
    re.IGNORECASE,
)
#: "A reduction in X by 50%": what changes stands before its number.
_IN_BY = re.compile(
    rf"\b(?:reduction|improvement|increase|decrease|drop|gain|boost|decline|saving)s?\s+in\s+{_SKIP}{_PHRASE}\s+"
    rf"(?:by|of)\s+{_HEDGE}{_NUMBER}",
    re.IGNORECASE,
)
_HIGHER = re.compile(
    rf"{_AMOUNT}\s+(?:higher|lower|better|greater|fewer|less|more|reduced|increased|improved|"
    rf"smaller|shorter|larger|longer|faster|stronger|cheaper)\s+{_SKIP}{_PHRASE}{_END}",
    re.IGNORECASE,
)
#: "760x fewer parameters", also where the text has lost the sign: "5.5 fewer parameters".
_FEWER = re.compile(
    rf"\d[\d.,]*\s*(?:%|[x×]|-?fold\b|times\b)?\s+(?:fewer|less)\s+{_SKIP}{_PHRASE}{_END}", re.IGNORECASE
)
#: "Saves 40% of training time", "saving 99% and 66% energy".
_SAVED = re.compile(
    rf"\bsav(?:e|es|ed|ing)\s+{_HEDGE}{_NUMBER}(?:\s*(?:,|and|,\s+and)\s+{_NUMBER})*\s+"
    rf"(?:of\s+)?{_SKIP}{_PHRASE}(?=\s*during\b|{_END[3:]}",
    re.IGNORECASE,
)
#: What stands between a quantity and how much of it there is: "a success rate exceeding 28%".
_AMOUNTING = r"(?:of|reaches|reaching|at|exceeding|exceeds|surpassing|ranging\s+from)"
_OF = re.compile(
    rf"\b(?:an?|the)\s+(?:(?:average|overall|mean|final|new|high|state-of-the-art)\s+)*"
    rf"(?P<what>{_WORD}(?:\s+{_WORD}){{0,2}})\s+{_AMOUNTING}\s+{_HEDGE}[~≈<>]?\d",
    re.IGNORECASE,
)
#: The end of `_OF`, which most texts do not have and which costs little to look for.
_OF_TAIL = re.compile(rf"\s{_AMOUNTING}\s+{_HEDGE}[~≈<>]?\d", re.IGNORECASE)
#: Patterns that match only where an amount stands, which half of all texts do not have.
_WITH_AMOUNT = (_IN, _IN_BY, _GAIN_OF, _HIGHER, _BEFORE_CHANGE, _SCORED)
_ANY_AMOUNT = re.compile(_AMOUNT, re.IGNORECASE)
#: A verb and its quantity take no more letters than this.
_REACH = 120
#: "A and B" are two quantities; of "in-domain and out-of-domain accuracy" only what stands last is one.
_AND = re.compile(r"\s+(?:and|or)\s+")
#: How much of a quantity there is does not belong to its name, nor what joins it to what stands before: "28% higher
#: success rates", "a maximum error of 3", "and a dramatic drop of accuracy".
_DEGREE = re.compile(
    r"(?:(?:and|or|also|then|(?:in\s+)?terms\s+of|an?|the|"
    r"higher|lower|better|greater|fewer|less|more|stronger|faster|slower|smaller|larger|"
    r"maximum|minimum|top|best|dramatic|significant|substantial|notable|consistent|remarkable|clear|sharp|massive|drastic)"
    r"\s+)+(?=[A-Za-z])",
    re.IGNORECASE,
)
#: What stands before the last verb of change is whose change it is: ", LVR improves accuracy by 5%".
_CHANGED = re.compile(rf".*\s{_CHANGING}", re.IGNORECASE)
#: Whose quantity it is: "the harmonic mean of CoOp".
_OF_NAME = re.compile(r"\s+of\s+[A-Z].*$")
_NOT = frozenset(
    "it them this that these which performance results result method methods model models number baseline "
    "baselines total gain gains drop drops increase improvement reduction maximum minimum effective efficient accurate "
    "reliable robust likely often".split()
)
#: A generalization gap and a harmonic mean are measured; these words by themselves are said of any number.
_NOT_ALONE = frozenset("gap gaps mean average".split())
#: What no name of a quantity has in it.
_NO_PART = frozenset("is are was were in".split())
#: What opens the next clause instead of a quantity: "by 40% while maintaining accuracy gains".
_NOT_FIRST = frozenset(
    "and or while when with without where which that as at by for from in into of on over than to via using under "
    "compared relative respectively thus thereby whereas but yet".split()
)


def measured(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of the quantities that stand beside a change.

    >>> text = "LVR reduces token usage by 45% and shows a 12% drop in peak memory."
    >>> [text[a:b] for a, b in measured(text)]
    ['token usage', 'peak memory']
    >>> text = "It reduces FLOPs and KV-cache by nearly 50%."
    >>> [text[a:b] for a, b in measured(text)]
    ['FLOPs', 'KV-cache']
    """
    patterns: list[re.Pattern[str]] = [*_WITH_AMOUNT] if _ANY_AMOUNT.search(text) else []
    patterns += [_OF] if _OF_TAIL.search(text) else []
    stretches = {m.span("what") for pattern in patterns for m in pattern.finditer(text)}
    for tail in _BY_TAIL.finditer(text):
        first = max(0, tail.start() - _REACH)
        stretches.update(
            m.span("what") for pattern in (_BY, _ALSO, _CHANGED_BY) for m in pattern.finditer(text, first, tail.end())
        )
    found = {part for stretch in stretches for part in _parts(*stretch, text)}
    return sorted((a, b) for a, b in found if _says_what(text[a:b].lower().split()))


def fewer(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of what there is so many times, or so many per cent, less of, or is saved.

    >>> text = "With 5.5 fewer parameters and 20% less memory, it is no less exact."
    >>> [text[a:b] for a, b in fewer(text)]
    ['parameters', 'memory']
    >>> text = "It saves up to 60% of annotation effort."
    >>> [text[a:b] for a, b in fewer(text)]
    ['annotation effort']
    """
    patterns = [_FEWER] if "fewer" in text or "less" in text else []
    patterns += [_SAVED] if "sav" in text else []
    found = {m.span("what") for pattern in patterns for m in pattern.finditer(text)}
    return sorted((a, b) for a, b in found if _says_what(text[a:b].lower().split()))


def _says_what(words: list[str]) -> bool:
    if not words or words[0] in _NOT_FIRST or (len(words) == 1 and words[0] in _NOT_ALONE):
        return False
    if _NO_PART & set(words):
        return False
    # How well it does is measured where a word says at what: "normalized performance".
    return words[-1] not in _NOT or (words[-1] == "performance" and len(words) > 1)


def _parts(start: int, end: int, text: str) -> Iterator[tuple[int, int]]:
    """The quantities of one stretch: those of a list apart, without whose they are."""
    if verb := _CHANGED.match(text, start, end):
        start = verb.end()
    if owner := _OF_NAME.search(text, start, end):
        end = owner.start()
    while True:
        if degree := _DEGREE.match(text, start, end):
            start = degree.end()
        both = _AND.search(text, start, end)
        if both is None:
            break
        first = text[start : both.start()]
        if any(c.isupper() for c in first) or is_measure(first):
            yield start, both.start()
        start = both.end()
    yield start, end
