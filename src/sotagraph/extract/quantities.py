r"""Printed numbers: where they stand, and what they say by themselves (value, range, unit, bound, sign).

Works on text whose markup has been seen through (`sotagraph.names.plain`), so that ``$1.8 \times$`` and ``1.8×`` are
one case. A number that is part of a name (``GPT-4``, ``3D``, ``8-bit``), of an address, a dimension (``256×256``),
a year, a citation or an enumeration is no quantity. Whether a quantity is a result is not decided here.

All offsets are half-open character ranges into the text that was passed in. Each rule is linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from sotagraph.names import scan

__all__ = ["Quantity", "find_quantities"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One printed number or range; ``text[start:end]`` shows it with its sign and its unit."""

    start: int
    end: int
    #: Offset of the first digit (of the first letter, for a number in words).
    head: int
    value: Decimal
    value_max: Decimal | None = None
    #: ``%``, ``points``, ``x`` or ``s``; None for a bare number and for other units, which `measure` holds.
    unit: str | None = None
    #: A unit of measurement outside the four, such as ``dB``, or a magnitude such as ``k`` and ``billion``.
    measure: str = ""
    bound: str | None = None
    #: ``+``, ``-``, ``±`` or empty.
    sign: str = ""
    #: Whether the number is written in words.
    words: bool = False


_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,12})?|\.\d{1,12}"
_UNIT = (
    r"(?P<points>\s?\\?%\s?-?(?:age\s)?(?:points?|pts?|p)\b|\s?percentage[-\s]points?\b|\s?-?(?:points?|pts?)\b|\s?pp\b|\s?p\.p\."
    r"|\s?ppts?\b|\s?-?percent(?:age)?-points?\b|\s(?:absolute|relative)\s(?:percentage\s)?points?\b)"
    r"|(?P<percent>\s?\\?%|\s?-?per\s?cent\b)"
    r"|(?P<times>\s?[×✕](?!\s?\d)|\s?[xX](?![A-Za-z0-9×])(?!\s\d)|\s?-?times\b(?!\s(?:a|per|each)\b)|\s?-?fold\b(?!\scross))"
    r"|(?P<seconds>\s?(?:s|secs?|seconds?)\b(?![-']))"
    r"|(?P<measure>\s?(?:dB|ms|milliseconds?|µs|μs|microseconds?|minutes?|mins?|hours?|hrs?|days?|GB|MB|TB|KB|GiB|MiB|FPS|fps"
    r"|GFLOPs?|TFLOPs?|PFLOPs?|FLOPs|kWh|kg|km|cm|mm|nm|m|Hz|kHz|MHz|GHz|bits?|bpp|kbps|mAh|USD|eV|meV|K|k|M|B|T"
    r"|million|billion|trillion|thousand|hundred)(?![A-Za-z0-9])(?!-))"
)
_NUMBER = re.compile(
    rf"(?P<sign>[+±]\s?|(?<![\w)\]%])-)?(?P<digits>{_DIGITS})(?P<more>\+(?=%))?(?:{_UNIT})?(?P<plus>\+(?![\d.]))?"
)
#: What every match of `_NUMBER` begins with.
_NUMBER_SIGN = re.compile(r"[+±\d.-]")
_JOIN = re.compile(r"\s?(?:-|~|～|∼)\s?\+?|\sto\s(?:a\s|about\s|around\s|over\s|nearly\s)?\+?|\sand\s")
_DEVIATION = re.compile(rf"\s?±\s?(?:{_DIGITS})\s?%?")
_URL = re.compile(r"(?:https?://|www\.)\S+|\b[\w-]{1,40}(?:\.[\w-]{1,40}){0,3}\.(?:com|org|io|net|ai|science|edu)/\S*")
_DIMENSION = re.compile(r"(?<![\d.])\d{1,6}\s?[×xX✕]\s?\d[\d,]*(?:\s?[×xX✕]\s?\d[\d,]*)*(?![\d.]*\s?%)")

_SMALL = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "a": 1, "an": 1, "several": 0,
}  # fmt: skip
_WORDS = re.compile(
    r"\b(?:(?P<small>one|two|three|four|five|six|seven|eight|nine|ten)(?P<unit>[-\s]?fold(?!\scross)|\stimes|\spercentage\spoints?|\spoints?"
    r"|\sseconds?|\spercent)"
    r"|(?P<power>an?|one|two|three|four|five)\sorders?\sof\smagnitude|(?P<order>orders?[-\s]of[-\s]magnitude)"
    r"|(?P<double>twice|doubl(?:e|es|ed|ing))|(?P<triple>tripl(?:e|es|ed|ing))|(?P<half>half|halv(?:e|es|ed|ing))"
    r"|(?P<tenth>one[-\s]tenth)|(?P<third>(?:one|a)[-\s]third)|(?P<quarter>(?:one|a)[-\s]quarter))\b",
    re.IGNORECASE,
)
#: One of these stands in every number in words.
_WORD_SIGNS = (
    *("fold", " times", "-times", " point", " percent", " second", "magnitude"),
    *("twice", "doubl", "tripl", "half", "halv", "tenth", "third", "quarter"),
)
_WORD_VALUES = {
    "double": ("2", "x"), "triple": ("3", "x"), "half": ("50", "%"), "order": ("10", "x"), "tenth": ("10", "x"),
    "third": ("0.33", None), "quarter": ("0.25", None),
}  # fmt: skip

#: What stands before the second number of "24.5:1", but not the "R@1:" of a score.
_RATIO = re.compile(r"(?<![\w@.-])\d[\d.]*:$")

#: "18/13/53%", one sign for all, and "0.58/0.81", where a slash elsewhere makes a fraction or a date.
_SLASHED_SCORES = re.compile(
    r"(?<![\d/.])(?:\d{1,3}(?:\.\d+)?(?:/\d{1,3}(?:\.\d+)?)+\s?%|\d{1,3}\.\d+(?:/\d{1,3}\.\d+)+(?![\d/.]*\d))"
)

_BOUNDS = {
    phrase: bound
    for bound, phrases in {
        "up to": (
            "up to,as much as,as many as,as high as,as low as,at most,less than,lower than,under,no more than,not "
            "more than,below,"
            "fewer than,smaller than,within,a maximum of,maximum of,not exceeding,≤,<,±,up-to,upto"
        ),
        "at least": "at least,≥,no less than,not less than,a minimum of,minimum of",
        "about": (
            "about,around,approximately,approx.,nearly,roughly,almost,close to,~,∼,≈,～,approaching,circa,an estimated"
        ),
        "over": (
            "over,more than,above,exceeding,exceeds,exceed,greater than,higher than,larger than,beyond,surpassing,>"
        ),
    }.items()
    for phrase in phrases.split(",")
}
_SYMBOLS = frozenset("≤<±≥~∼≈～>")
#: Words that may stand between a bound and its number: "up to an additional 12 %".
_FILLERS = frozenset(
    word
    for row in (
        "just only even an a the by average of impressive remarkable",
        "additional further relative absolute another",
    )
    for word in row.split()
)


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """All quantities of a text without markup, in reading order and without overlap.

    >>> [(str(q.value), q.unit, q.bound) for q in find_quantities("GPT-4 gains up to 12.5%, runs 1.8× faster in 2024.")]
    [('12.5', '%', 'up to'), ('1.8', 'x', None)]
    >>> q, = find_quantities("speedups of 2.2x to 4.3x"); str(q.value), str(q.value_max)
    ('2.2', '4.3')
    """
    # An address holds a slash; looking for one first saves most texts a slow search.
    patterns = (_URL, _DIMENSION) if "/" in text or "www." in text else (_DIMENSION,)
    blocked = sorted((m.start(), m.end()) for pattern in patterns for m in pattern.finditer(text))
    found = sorted([*_merged(text, list(_numbers(text, blocked))), *_in_words(text)], key=lambda q: (q.start, -q.end))
    out: list[Quantity] = []
    for quantity in found:
        if not out or quantity.start >= out[-1].end:
            out.append(quantity)
    return tuple(_with_bound(text, quantity) for quantity in out)


def _numbers(text: str, blocked: list[tuple[int, int]]) -> Iterator[Quantity]:
    at, last_end = 0, -1
    for match in scan(_NUMBER, _NUMBER_SIGN, text):
        while at < len(blocked) and blocked[at][1] <= match.start("digits"):
            at += 1
        if at < len(blocked) and blocked[at][0] <= match.start("digits"):
            continue
        # The dash after another number makes a range, not a name.
        follows = text[match.start() - 1 : match.start()] == "-" and last_end == match.start() - 1
        quantity = _number(text, match, " " if follows else text[max(0, match.start() - 2) : match.start()])
        if quantity is not None:
            last_end = quantity.end
            yield quantity


def _number(text: str, match: re.Match[str], before: str) -> Quantity | None:
    after = text[match.end() : match.end() + 2]
    unit, measure = _unit(match)
    digits = match["digits"]
    if _inside_name(before, unit) or _continued(after, unit, measure, text[match.end() - 1].isalpha()):
        return None
    if unit is None and not measure and not match["sign"] and _is_label(text, match):
        return None
    end, bound = match.end(), None
    if match["plus"] or match["more"]:
        bound = "over"
    if deviation := _DEVIATION.match(text, end):
        end = deviation.end()
        unit = "%" if unit is None and deviation[0].endswith("%") else unit
    sign = (match["sign"] or "").strip()
    # A multiplication sign in front is a factor: "×2 faster".
    start = match.start()
    if (unit is None and not measure and before[-1:] == "×") or before in ("× ", "x "):
        unit, start = "x", start - (1 if before[-1:] == "×" else 2)
    return Quantity(
        start=start,
        end=end,
        head=match.start("digits"),
        value=Decimal(digits.replace(",", "")),
        unit=unit,
        measure=measure,
        bound=bound,
        sign=sign,
    )


def _unit(match: re.Match[str]) -> tuple[str | None, str]:
    if match["points"]:
        return "points", ""
    if match["percent"]:
        return "%", ""
    if match["times"]:
        return "x", ""
    if match["seconds"]:
        return "s", ""
    return None, (match["measure"] or "").strip()


def _inside_name(before: str, unit: str | None) -> bool:
    """Whether the characters before a number make it a part of a word, a power or a decimal."""
    last = before[-1:]
    if last.isalnum() and not (last in "xX" and not before[:1].isalnum()):
        return True
    if last and last in "_^@#\\'’":
        return True
    if last == "." and (len(before) < 2 or before[0].isalnum()):
        return True
    # "GPT-4" is a name; "Chamfer-15%" is a fall of 15 %.
    return last == "-" and before[:1].isalnum() and unit not in ("%", "x", "points")


def _continued(after: str, unit: str | None, measure: str, text_ends_in_letter: bool) -> bool:
    """Whether what follows makes the number a part of a word: ``3D``, ``8-bit``, ``4.5.1``, ``1st``."""
    first, second = after[:1], after[1:2]
    if unit in ("%", "points") or (unit == "x" and not text_ends_in_letter):
        return False
    if first.isalpha() or first in ("_", "^"):
        return True
    if first == "-" and second.isalpha():
        return unit != "x" and not measure
    return first in ".," and second.isdigit()


def _is_label(text: str, match: re.Match[str]) -> bool:
    """Years, enumeration marks, citations, fractions and "step 3 of" numbers without a unit."""
    digits, start, end = match["digits"], match.start(), match.end()
    before, after = text[start - 1 : start], text[end : end + 1]
    if "." not in digits:
        if len(digits) == 4 and digits[:2] in ("19", "20"):
            return True
        if after == ")" and (before in ("(", " ", "") or before == "\n") and len(digits) == 1:
            return True
        if before == "[" or (after == "]" and len(digits) <= 3):
            return True
    if any(m.start() <= start < m.end() for m in _SLASHED_SCORES.finditer(text, max(0, start - 30), end + 30)):
        return False
    if (after == ":" and text[end + 1 : end + 2].isdigit()) or _RATIO.search(text, max(0, start - 20), start):
        return True
    return (before == "/" and text[start - 2 : start - 1].isdigit()) or (
        after == "/" and text[end + 1 : end + 2].isdigit()
    )


def _merged(text: str, numbers: list[Quantity]) -> Iterator[Quantity]:
    """Join the two ends of a range; hand a unit back to the first of "8 and 4 points" and "7.1 / 8.2 %"."""
    index = 0
    while index < len(numbers):
        first = numbers[index]
        second = numbers[index + 1] if index + 1 < len(numbers) else None
        if second is not None and _is_range(text, first, second):
            yield replace(
                first,
                end=second.end,
                value_max=second.value,
                unit=second.unit or first.unit,
                measure=second.measure or first.measure,
            )
            index += 2
            continue
        yield first
        index += 1


#: What a number without its dash is not of: the label before it ("Claude 3.5 86%"), another number behind it.
_LABEL, _NEXT_NUMBER = re.compile(r"(?:\d|\b[A-Z][\w-]*|\b(?:version|v|table|section)) $"), re.compile(r",? \d")
#: How many times its lower end the upper end of such a range may be.
_WIDEST = 5
_RANGE_CUE = re.compile(
    r"\b(?:rang(?:e|es|ed|ing)|var(?:y|ies|ied|ying)|span(?:s|ned|ning)?|anywhere|between|values?)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s(?:[\w~≈-]+\s){0,2}[~≈]?$")


def _is_range(text: str, first: Quantity, second: Quantity) -> bool:
    if second.value <= first.value or first.value_max is not None or not _same_unit(first, second):
        return False
    gap, sign = text[first.end : second.start], second.sign
    if gap == " " and not sign:
        return _lost_dash(text, first, second)
    if _JOIN.fullmatch(gap + ("-" if sign == "-" and not gap.strip() else "")) is None:
        return False
    before = text[max(0, first.start - 60) : first.start]
    if " and " in gap:
        return re.search(r"\bbetween\s\+?$", before) is not None
    if " to " in gap and (_FROM.search(before) or before.endswith("(")):
        return _RANGE_CUE.search(before) is not None
    return True


def _lost_dash(text: str, first: Quantity, second: Quantity) -> bool:
    """Whether only a dash or tilde that the text has lost can have stood between two numbers: "1.9 2.9x faster".

    Alone in brackets they are the two ends of a change, whose arrow is lost: "(91.1 92.7)".
    """
    printed = text[first.start : second.end]
    alone = text[first.start - 1 : first.start] == "(" and text[second.end : second.end + 1] == ")"
    told = "." in printed or second.unit in ("%", "x")
    beside = _LABEL.search(text, max(0, first.start - 20), first.start) or _NEXT_NUMBER.match(text, second.end)
    return told and not alone and not beside and second.value <= _WIDEST * first.value


def _same_unit(first: Quantity, second: Quantity) -> bool:
    if first.unit == second.unit and first.measure == second.measure:
        return True
    return first.unit is None and not first.measure


def _in_words(text: str) -> Iterator[Quantity]:
    lower = text.casefold()
    if not any(sign in lower for sign in _WORD_SIGNS):
        return
    for match in _WORDS.finditer(text):
        if match["small"]:
            unit = {"fold": "x", "times": "x", "percent": "%"}.get(match["unit"].strip(" -").casefold())
            if unit is None:
                unit = "s" if "second" in match["unit"].casefold() else "points"
            value = str(_SMALL[match["small"].casefold()])
        elif match["power"]:
            value, unit = str(10 ** _SMALL[match["power"].casefold()]), "x"
        else:
            value, unit = _WORD_VALUES[match.lastgroup or "order"]
        yield Quantity(
            start=match.start(), end=match.end(), head=match.start(), value=Decimal(value), unit=unit, words=True
        )


def _with_bound(text: str, quantity: Quantity) -> Quantity:
    if quantity.bound:
        return quantity
    if quantity.sign == "±":
        return replace(quantity, bound="up to")
    bound = _bound_before(text[max(0, quantity.start - 48) : quantity.start])
    return replace(quantity, bound=bound) if bound else quantity


def _bound_before(left: str) -> str | None:
    """The bound that the words right before a number give it."""
    if left[-1:] in _SYMBOLS and left:
        return _BOUNDS[left[-1]]
    words = left.casefold().split()
    for _ in range(4):
        for length in (3, 2, 1):
            phrase = " ".join(words[-length:]).lstrip("([")
            if len(words) >= length and phrase in _BOUNDS:
                return _BOUNDS[phrase]
        if not words or words[-1] not in _FILLERS:
            return None
        words.pop()
    return None
