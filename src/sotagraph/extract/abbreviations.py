"""Short forms and the long forms that define them, in both directions.

The pairing of letters is the algorithm of Schwartz and Hearst (2003, "A simple algorithm for identifying abbreviation
definitions in biomedical text"): from the right, each letter of the short form is found in the long form, and the
first one must begin a word. Added here: exact initials before that (RaR is "Rubrics as Rewards", not "Rewards"),
digits that stand for letters (S2ST, RA3, SD^2), "SF (long form)", "SF, a long form" and "long form, named SF", the
plural s of short forms, and the demand that most words of the long form take part, since abstracts of machine learning
put almost anything into brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Abbreviation", "abbreviations", "capitals", "initials", "match_long_form", "spells"]

_BRACKET = re.compile(r"\(([^()]{2,160})\)")
_SHORT = re.compile(r"[^\W_][\w+*/.@&^-]{0,19}(?: [A-Z0-9][\w+-]{0,9})?$")
_SKIPPED = frozenset("a an the of for and in on with to by from via as at or using through over under into".split())
_LAST_WORD = re.compile(r"([^\s()—]+)\s*$")
#: Characters before a bracket in which its short form stands, whole or as a piece too long to be one.
_REACH = 60
_WORDS = re.compile(r"[^\s]+")
_PARTS = re.compile(r"[\s\-–/]+")
_REPEATED = re.compile(r"([a-z])\^?([2-4])(?!\d)")
#: What an x stands for; one of them at a time, since the "trans" of "cross-lingual transfer" is none.
_CROSSED = tuple(re.compile(rf"\b{start}(?=\w|-| |$)") for start in ("cross", "trans", "ex"))
_TITLE = re.compile(
    r"(?<![\w-])((?:[A-Z][\w-]*)(?:\s+(?:(?:of|for|in|the|with|on|to|and|via|at|by|from|as)\s+)?[A-Z][\w-]*){2,})$"
)
_NAMED = re.compile(
    r"(?:\s(?:approach|framework|method|algorithm|model|architecture|benchmark|dataset|pipeline|system))?,?\s"
    r"(?:named|namely|called|dubbed|termed|coined|abbreviated as|denoted as|or)\s(?P<short>[A-Z][\w^+-]*[\w+])"
)
#: The end of `_NAMED`, which most texts do not have and which costs little to look for.
_NAMED_TAIL = re.compile(r"(?:named|namely|called|dubbed|termed|coined|abbreviated as|denoted as|or)\s[A-Z]")
_COINED = re.compile(r"[A-Z][\w-]*$")
_CAPITALS = _TITLE.pattern.replace("{2,}", "+")
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
    >>> match_long_form("Learn2PD", "Learning to Parallel Decode")
    0
    """
    for letters in _spelt(short):
        for low in _crossed(text.lower()) if "x" in letters else (text.lower(),):
            if (at := _from_the_right(letters, low)) is not None:
                return _word_start(text, at)
    return None


def _from_the_right(letters: str, low: str) -> int | None:
    at = len(low)
    for i in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and (low[at] != letters[i] or (i == 0 and at > 0 and low[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
    return at if letters else None


@lru_cache(maxsize=256)
def _spelt(short: str) -> tuple[str, ...]:
    """What a short form may spell, letter by letter: itself, "to" for a 2 and "for" for a 4, letters repeated.

    >>> _spelt("W2SD"), _spelt("RA3"), _spelt("A^2FM")
    (('w2sd', 'wtsd', 'wwsd'), ('ra3', 'raaa'), ('a2fm', 'atfm', 'aafm'))
    """
    low = short.lower()
    sounds = {"2": "t", "4": "f"}
    readings = [low, "".join(sounds.get(c, c) for c in low), _REPEATED.sub(lambda m: m[1] * int(m[2]), low)]
    return tuple(dict.fromkeys("".join(c for c in reading if c.isalnum()) for reading in readings))


def _crossed(text: str) -> list[str]:
    """A text as it is, and with x for cross-, trans- or ex-; the letters that go keep their places."""
    told = [p.sub(lambda m: "x".ljust(len(m.group()), "\0"), text) for p in _CROSSED]
    return [text, *(t for t in told if t != text)]


def initials(long: str) -> set[str]:
    """The first letters of all words of a long form, and those of its words that tell something.

    >>> sorted(initials("Chain of Thought"))
    ['cot', 'ct']
    """
    every = filter(None, _PARTS.split(long))
    return {"".join(map(_initial, words)).lower() for words in (every, _telling(long))}


def capitals(text: str) -> str:
    """The capital letters of a text, in order.

    >>> capitals("FullVQ")
    'FVQ'
    """
    return "".join(filter(str.isupper, text))


def _initial(word: str) -> str:
    # "3D" gives both of its letters.
    return word if word[0].isdigit() and len(word) < 4 else word[0]


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
    return [w for w in _PARTS.split(long) if w and w.lower() not in _SKIPPED]


def _fits(short: str, long: str) -> bool:
    """Whether a long form is one: the right number of words, most of whose first letters appear in the short form."""
    parts = _telling(long)
    size = sum(c.isalnum() for c in short)
    if not parts or len(long) <= len(short) or short.lower() in (w.lower() for w in re.split(r"[\s,]+", long)):
        return False
    if len(parts) > max(size + 3, 4) or not any(c.isalpha() for c in long):
        return False
    letters = set("".join(_spelt(short)))
    firsts = sum(any(w[0] in letters for w in (_crossed(p.lower()) if "x" in letters else (p.lower(),))) for p in parts)
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
    best = _by_initials(short, piece)
    if best is None:
        best = match_long_form(short, piece)
    if best is None or not _fits(short, piece[best:]):
        best = _title(short, piece)
    return None if best is None else (start + best, start + len(piece))


def _by_initials(short: str, text: str) -> int | None:
    """Where the last words of `text` begin whose first letters are all that `short` is made of.

    >>> _by_initials("RaR", "We introduce Rubrics as Rewards")
    13
    """
    spelt = set(_spelt(short))
    if max(map(len, spelt)) < 2:
        return None
    for word in reversed(list(_WORDS.finditer(text))):
        long = text[word.start() :]
        lead = len(long) - len(long.lstrip("([{\"'“‘*_"))
        if not spelt.isdisjoint(initials(long[lead:])):
            return word.start() + lead
    return None


def _title(short: str, text: str) -> int | None:
    """Where a title begins that `short` abbreviates more freely than letter by letter; None where there is none.

    Authors bend acronyms of their own names: ATLAS for Adaptive Transfer Scaling Law, PiCa for Parameter-efficient
    Fine-tuning with Column Space Projection. A run of three or more capitalised words right before the bracket is
    taken where it begins with the first letter of the short form (or holds it behind a dash: FLy for Training-Free
    Loosely Speculative Decoding) and either spells it in order, or has all its first letters in it and each letter of
    it somewhere; of a word like "Post-hoc" the first part counts.
    """
    run = _TITLE.search(text)
    if run is None or sum(c.isalnum() for c in short) < 3:
        return None
    for word in _WORDS.finditer(run[1]):
        if _bent(short, run[1][word.start() :]):
            return run.start(1) + word.start()
    return None


def _bent(short: str, long: str) -> bool:
    """Whether a run of capitalised words may be what `short` abbreviates freely."""
    letters = "".join(c for c in short.lower() if c.isalnum())
    words = [w for w in long.split() if w.lower() not in _SKIPPED]
    if len(_telling(long)) < 3 or not words:
        return False
    if not any(part[:1].lower() == letters[0] for part in _PARTS.split(words[0])):
        return False
    firsts = {part[0].lower() for word in words for part in _PARTS.split(word) if part[:1].isupper()}
    capitals = [c.lower() for c in short if c.isupper()]
    # Letters from anywhere spell nearly everything: the GAT of "Graph Neural Networks (GAT)" is no short form of it.
    spelt = match_long_form(short, long) == 0 and sum(c in firsts for c in capitals) >= 0.5 * len(capitals)
    return spelt or firsts <= set(letters) <= set(long.lower())


def spells(long: str, short: str) -> bool:
    """Whether all of `long` spells `short`, from its first word on.

    >>> spells("Question Augmentation", "QuestA"), spells("Graph Attention", "QuestA")
    (True, False)
    """
    if len(long) > len(short) > 1 and not initials(long).isdisjoint(_spelt(short)):
        return True
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
            if spells(long, match[1]) and sum(w[0].isupper() for w in long.split()) >= 2:
                found.append(Abbreviation(match.start(1), match.end(1), match.start(2), match.start(2) + len(long)))
                break
    return sorted({*found, *_named(text)})


def _named(text: str) -> Iterator[Abbreviation]:
    """Definitions without a bracket: "Circuit Program Evolution framework, namely CircuitEvo"."""
    for match in _NAMED.finditer(text) if _NAMED_TAIL.search(text) else ():
        before = text[max(0, match.start() - 160) : match.start()]
        for run in re.finditer(_CAPITALS, before):
            long = run[1]
            if spells(long, match["short"]) or _bent(match["short"], long):
                start = match.start() - len(before) + run.start(1)
                yield Abbreviation(match.start("short"), match.end("short"), start, start + len(long))


def _in_bracket(text: str, match: re.Match[str]) -> list[Abbreviation]:
    inside = match[1]
    head = re.split(r"[,;]", inside)[0].strip()
    offset = match.start(1) + len(inside) - len(inside.lstrip())
    if _is_short(head):
        long = _before(text, _singular(head), match.start())
        if long:
            return [Abbreviation(offset, offset + len(head), *long)]
    before = _LAST_WORD.search(text, max(0, match.start() - _REACH), match.start())
    if before and _is_short(before[1]):
        short = _singular(before[1])
        for spelt in (head, inside.strip()):
            if _defines(short, spelt):
                return [Abbreviation(before.start(1), before.end(1), offset, offset + len(spelt))]
    return []


def _defines(short: str, long: str) -> bool:
    """Whether a bracket behind a short form spells it out, in words or in one coined word (FVQ, FullVQ)."""
    if " " not in long:
        return short.isupper() and bool(_COINED.match(long)) and short == capitals(long) != long
    title = _TITLE.match(long)
    return spells(long, short) or (title is not None and title.end() == len(long) and _bent(short, long))
