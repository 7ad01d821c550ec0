"""How the sentences of a name tie it to the paper's own thing: who acts on whom, and before or after it is proposed.

The features of `sotagraph.extract.features` look at sixty letters around a name. These look at its whole sentence: the
nearest verb before it, skipping the other names of its list, and whether "we" or a proposed name stands before that
verb ("LVR outperforms X") or behind the name ("X, which LVR outperforms"); and at the order of sentences.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["Clauses", "list_head"]

#: What a verb or a phrase does to the name behind it; tried in this order at each place.
_ACTS = {
    "beats": r"(?:significantly |consistently |substantially |clearly )?(?:outperform|surpass|exceed|beat)\w*"
    r"|superior to|ahead of|advantages? over|state-of-the-art over|than",
    "over": r"(?:improv|gain|advanc|speed-?up|increas|boost|reduc|enhanc|superiorit)\w* (?:[\w%.,~×$-]+ ){0,6}?"
    r"(?:over|upon|on top of)|over|against|versus|vs\.?",
    "compared": r"compar(?:ed|ing|ison) (?:\w+ )?(?:to|with|against)|relative to|with respect to",
    "equals": r"compar\w+ (?:\w+ ){0,2}(?:to|with)|on par with|match(?:es|ing)?|rival(?:s|ing)?"
    r"|competitive (?:with|to|against)|equivalent to|similar to|close to|approach(?:es|ing)",
    "unlike": r"unlike|in contrast (?:to|with)|contrary to|as opposed to|instead of|rather than|alternatives? to"
    r"|replac\w+|without",
    "on models": r"(?:experiment|evaluat|validat|test|result|appl|demonstrat|instantiat|implement|verif)\w* "
    r"(?:[\w-]+ ){0,5}?(?:on|with|across|to|using)|across"
    r"|(?:models?|backbones?|architectures?|llms?|vlms?)(?:,| \(| like| such as| including| namely)+",
    "builds": r"(?:built|build|builds|building|based|bases|rel(?:y|ies|ying)|atop|top) (?:\w+ )?(?:up)?on|extend\w*"
    r"|inspired by|initiali[sz]\w+ (?:from|with)|adapt\w*|modif\w+|fine-?tun\w+|train\w*|distil\w+"
    r"|derived from|grounded in",
    "uses": r"us(?:e|es|ed|ing)|utili[sz]\w+|leverag\w+|employ\w*|adopt\w*|appl(?:y|ies|ied|ying)|exploit\w*"
    r"|harness\w*|via|through|by means of",
    "joins": r"combin\w+|integrat\w+|incorporat\w+|coupl\w+|augment\w*|equip\w*|merg\w+|fus\w+|unif\w+"
    r"|plugg\w+ into|compatible with",
    "has": r"consist\w*(?: of)?|compris\w+|compos\w+|contain\w*|includ\w+|featur\w+|components?|modules?|stages?",
    "studies": r"stud(?:y|ies|ied|ying)|analy[sz]\w+|investigat\w+|examin\w+|revisit\w*|understand\w*"
    r"|explor\w+|prov(?:e|es|ing)|show\w*|characteri[sz]\w+",
    "improves": r"improv\w+|enhanc\w+|accelerat\w+|boost\w*|enabl\w+|compress\w*|quanti[sz]\w+|increas\w+"
    r"|allow\w*",
    "proposes": r"propos\w+|introduc\w+|present\w*|develop\w*|design\w*|releas\w+|construct\w*|creat\w+"
    r"|call(?:ed)?|nam(?:e|ed)|term(?:ed)?|dubbed",
    "suffers": r"suffer\w*|struggl\w+|fail\w*|limit\w+|lack\w*|ignor\w+|existing|prior|previous|current|recent\w*"
    r"|conventional|traditional|popular|widely|successful?",
    "such as": r"such as|like|e\.g\.?,?|including|namely|as in",
    "generalizes": r"recover\w*|subsum\w+|generali[sz](?:e|es|ing)|special cases? of|variants? of|versions? of"
    r"|instances? of|extensions? of",
}
# Where a word begins is tested once, not by each alternative.
_KIND_OF_ACT = "|".join(rf"(?P<a{n}>(?:{p})(?![\w-]))" for n, p in enumerate(_ACTS.values()))
# Where a word begins is tested once, not by each alternative.
_ACT = re.compile(rf"\b(?=[a-z])(?:{_KIND_OF_ACT})")
_NAMES = tuple(_ACTS)
# Each branch begins with a letter, for which the engine looks fast; whether a word begins there is asked behind it.
_OWN = re.compile(
    r"(?:w(?<=\bw)e|o(?<=\bo)urs?|t(?<=\bt)h(?:is (?:paper|work)|e proposed)"
    r"|p(?<=\bp)roposed (?:method|approach|framework|model))\b"
)
#: What joins the names of a list, read backwards from the last; a word that may be a verb opens another clause.
_LISTED = re.compile(
    r"(?:\s?\([^()]{1,60}\))?(?:\s?[,;/]\s?(?:and |or )?|\s(?:and|or|&)\s)(?:(?!\w+(?:s|ed|ing) )\w+ )?$"
)
_WORD = re.compile(r"[A-Za-z][\w'-]*|[^\w\s]")
_OPENER = re.compile(
    r"(?:first|firstly|second|secondly|third|finally|furthermore|moreover|additionally|in addition|next|then|also|"
    r"further|specifically|in particular|to (?:\w+)|for \w+|based on|building on|at (?:its|the) core|central to|"
    r"experiment\w*|empirical\w*|extensive|results|notably|compared|unlike|in contrast|however|while|recent\w*|"
    r"existing|despite|although|we|our|this|these|it|here|on|across|when|by|with|using|the)\b"
)
_BEHIND, _NEAR, _LIST = 90, 12, 80
#: Sentences after the proposal are told apart up to this many.
_MOST_LATER = 3
Place = tuple[int, int]
#: Where a verb begins and ends in the text, and what it does.
Act = tuple[int, int, str]


class Clauses:
    """The sentences of one document, ready to be asked about its names.

    `known` are half-open ranges of likely names, `own` those of names that the paper likely proposes.

    >>> text = "We present LVR. LVR outperforms PPO and GRPO."
    >>> clauses = Clauses(text, [(0, 15), (16, 45)], known=[(11, 14), (16, 19), (32, 35), (40, 44)], own=[(11, 14)])
    >>> [fact for fact in sorted(clauses.facts([(40, 44)])) if "beats" in fact][:3]
    ['act beats', 'act beats & near True', 'act beats & own nowhere']
    """

    def __init__(self, text: str, bounds: Sequence[Place], *, known: Iterable[Place], own: Iterable[Place]) -> None:
        self._lower, self._bounds = text.lower(), bounds
        self._firsts = [start for start, _ in bounds]
        self._begin_of = {end: start for start, end in known}
        proposed = sorted(own)
        self._own = sorted({*proposed, *(m.span() for m in _OWN.finditer(self._lower))})
        self._proposed = self._sentence(proposed[0][0]) if proposed else None
        self._acts: dict[int, list[Act]] = {}

    def _sentence(self, at: int) -> int:
        return max(0, bisect_right(self._firsts, at) - 1)

    def _acts_of(self, number: int) -> list[Act]:
        if number not in self._acts:
            found = _ACT.finditer(self._lower, *self._bounds[number])
            self._acts[number] = [(m.start(), m.end(), _NAMES[int((m.lastgroup or "a0")[1:])]) for m in found]
        return self._acts[number]

    def facts(self, places: Sequence[Place]) -> set[str]:
        """Named facts about a name at these places."""
        numbers = [self._sentence(start) for start, _ in places]
        out = set(self._order(numbers))
        for (start, end), number in zip(places, numbers, strict=True):
            out.update(self._around(start, end, number))
        return out

    def _order(self, numbers: Sequence[int]) -> Iterator[str]:
        """Where a name stands among the sentences: background comes before the proposal, experiments last."""
        yield f"sentences {min(len(set(numbers)), 3)}"
        if max(numbers, default=0) >= len(self._bounds) - 2:
            yield "in last sentences"
        if self._proposed is None:
            return
        when = {"before" if n < self._proposed else "with" if n == self._proposed else "after" for n in numbers}
        yield from (f"stands {w} proposal" for w in when)
        if len(when) == 1:
            yield f"stands only {min(when)} proposal"
        if when == {"after"}:
            yield f"sentences after proposal {min(min(numbers) - self._proposed, _MOST_LATER)}"

    def _around(self, start: int, end: int, number: int) -> Iterator[str]:
        low, high = self._bounds[number]
        head = list_head(self._lower, start, low, self._begin_of)
        own = [a for a, b in self._own if low <= a < high and not (a < end and start < b)]
        acts = self._acts_of(number)
        if opening := _OPENER.match(self._lower, low, head):
            yield f"opens {opening.group().split()[0]}"
        if head != start:
            yield "listed"
        yield from _before(head, [act for act in acts if act[1] <= head], own)
        if then := next((act for act in acts if end <= act[0] < end + _BEHIND), None):
            yield f"then {then[2]}"
            yield f"then {then[2]} & own {any(a >= end for a in own)}"
        yield from self._words(head, end, low, high)

    def _words(self, head: int, end: int, low: int, high: int) -> Iterator[str]:
        before = _WORD.findall(self._lower, max(low, head - 40), head)[-2:]
        behind = _WORD.findall(self._lower, end, min(high, end + 30))[:1]
        yield from (f"word before {word}" for word in before[-1:])
        if len(before) == 2:
            yield f"words before {' '.join(before)}"
        yield from (f"word behind {word}" for word in behind)


def list_head(text: str, start: int, low: int, begin_of: Mapping[int, int]) -> int:
    """Where the list that a name at `start` stands in begins, or the name itself; `low` is where its sentence does.

    `begin_of` leads from the end of each name to its start.

    >>> list_head("we beat PPO, DPO (2023), and GRPO", 29, 0, {11: 8, 16: 13, 33: 29})
    8
    """
    while match := _LISTED.search(text, max(low, start - _LIST), start):
        begin = begin_of.get(match.start())
        if begin is None or begin < low:
            break
        start = begin
    return start


def _before(head: int, acts: Sequence[Act], own: Sequence[int]) -> Iterator[str]:
    """The nearest verb before a name or its list, who does it, and the verbs before that."""
    if not acts:
        yield f"no act & own {bool(own)}"
        return
    start, end, name = acts[-1]
    where = "before" if any(a < head for a in own) else "behind" if own else "nowhere"
    yield f"act {name}"
    yield f"act {name} & own {where}"
    yield f"act {name} & subject {'own' if any(a < start for a in own) else 'other'}"
    yield f"act {name} & near {head - end <= _NEAR}"
    if len(acts) > 1:
        yield f"acts {acts[-2][2]} {name}"
    yield from (f"earlier act {earlier}" for earlier in sorted({act[2] for act in acts[:-1]} - {name}))
