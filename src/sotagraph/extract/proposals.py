"""Names that a paper puts forward as its own, by the sentences in which authors do that.

The constructions: "we propose NAME", "we propose a … framework, NAME / called NAME", "NAME, a novel … that", "Long Form
(NAME)" inside any of them, and the titles of numbered parts. The noun beside the name tells its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sotagraph import lexicon
from sotagraph.extract.abbreviations import Abbreviation
from sotagraph.extract.shapes import HEADS, LEADING, NAME, TOKEN, head_kind, is_capitalised_word, is_led, looks_named

__all__ = ["NUMBERED", "Proposal", "proposals"]

#: The rule that finds the titles of numbered parts.
NUMBERED = "numbered component"
_VERB = (
    r"(?:propos|deriv|introduc|present|develop|design|releas|construct|creat|describ|contribut|build|built|establish|unveil|"
    r"curat|formulat|devis|implement|instantiat|offer|provid|open-sourc|put forward)(?:e[sd]?|s|ed|ing|t|te|tes)?"
)
_WHO = r"(?:we|this (?:paper|work|study|article)|the (?:paper|authors)|our (?:paper|work))"
_ADVERB = (
    r"(?:\s+(?:here|further|also|then|thus|therefore|first|now|formally|next|additionally|finally|instead|hereby|"
    r"subsequently|theoretically))*"
)
_WE_PROPOSE = re.compile(
    rf"\b{_WHO}\b(?:,? [\w\s-]{{0,40}}?,?)??{_ADVERB}\s+(?:have\s+)?{_VERB}(?:\s+and\s+{_VERB})?\s+"
    r"(?P<what>[^.;]{2,260})",
    re.IGNORECASE,
)
_PROPOSE_TO = re.compile(r"(?:that|how|to|whether|by|why)\b", re.IGNORECASE)
_CALLED = re.compile(
    rf"\b(?:called|named|termed|dubbed|coined|titled|denoted(?: (?:as|by))?|referred to as|"
    rf"known as|abbreviated as|(?:which|that) we (?:call|term|name|dub|refer to as)|"
    rf"we (?:call|term|name|dub) (?:it|this|these|the resulting \w+|our \w+)|namely|i\.e\.,?)[,:]?\s+"
    rf"(?:the\s+)?[\"“'‘`]*(?P<name>{NAME})"
)
#: Adjectives with which authors praise what is their own.
_NOVEL = (
    "novel|new|first|simple|lightweight|unified|general|large-scale|comprehensive|open-source|principled|scalable|"
    "training-free|plug-and-play|efficient|end-to-end"
)
_NEW_THING = (
    r"(?:,| is| are|\s*[-:])\s+(?:an?|the first|our|the)\s+"
    rf"(?P<what>(?:[\w-]+\s+){{0,6}}?(?:{_NOVEL})\b[^.;]{{3,120}})"
)
_IS_A = re.compile(rf"(?P<name>{NAME})(?:\s*\([^()]{{2,80}}\))?{_NEW_THING}")
_APPOSED = re.compile(rf"(?:,|:|\s-)\s*(?P<name>{NAME})(?=\s*(?:,|\(|\.|;|:|$| -| that| which| to| for| by| where))")
_DIRECT = re.compile(rf"\s*[\"“'‘`]*(?P<name>{NAME})")
_NOUN_NAME = re.compile(
    rf"\b(?P<noun>framework|method|approach|algorithm|model|benchmark|dataset|corpus|system|architecture|"
    rf"optimizer|metric|suite|pipeline)\s+(?P<name>{NAME})"
)
#: Letters that may stand between "we propose" and a name that is meant: an article and one adjective.
_ARTICLE_LENGTH = len("a novel ")
#: A name before the phrase that says what it is: "TreeBench (Traceable Evidence Benchmark), a …".
_NAMED_FIRST = re.compile(rf"^\s*(?:the\s+)?{NAME}(?:\s*\([^()]*\))?\s*(?:[,:—]|-\s|which\b|is\b)\s*")
#: Ends of names that tell the kind.
_DATA_NAME = re.compile(r"(?:Bench(?:mark)?|[Dd]ataset|Testset|Corpus)$|Benchmark\b|Dataset\b")
#: What shows that one capitalised word was the whole name, and no adjective: "We propose Kanzi, a …".
_ENDED = re.compile(r"\s*(?:[,:(—]|-\s|(?:that|which|to|as)\b)")
#: The noun behind the bracket tells the kind: "Scalable Expression Edit Distance (SEED) score".
_HEAD_BEHIND = re.compile(r"\)?\s+(?P<head>[a-z]+)\b")
#: "We develop a theory and introduce NAME: …": the second of two things that are put forward.
_AND_PROPOSE = re.compile(rf"\band\s+(?:introduc|propos|present|releas|develop)es?\s+(?P<name>{NAME})(?=\s*[:,(])")
#: "We propose a foundational guardrail NAME, …": a new name behind words that describe it.
_DESCRIBED = re.compile(
    rf"(?:an?|our|the)\s+(?:[a-z][\w-]*\s+){{1,5}}(?<!called )(?<!named )(?<!dubbed )(?<!termed )"
    rf"(?P<name>{TOKEN})(?=\s*(?:,|\(|\.|;|:|$|\bthat\b|\bwhich\b))"
)
#: A phrase without article or capitals that an apposition explains is used as a name (guidelines, edge cases).
_BARE = re.compile(
    rf"\b(?:(?i:{_WHO}){_ADVERB}\s+{_VERB}|(?:by|through|via)\s+(?:introducing|proposing|presenting|developing))\s+"
    r"(?P<name>(?!(?:an?|the|our|its|their|new|novel|several|two|three|some|many|how|that|to|"
    r"theoretical|empirical|extensive|various|both|this|these)\b)"
    r"(?:[a-z][\w-]+(?:\s+[a-z][\w-]+){1,3}|[a-z]\w*-[\w-]+))(?:\s*\([A-Z][^()]{1,20}\))?,\s+"
    r"(?:an?|our|the first)\s+(?P<what>[^.;]{3,160})",
)
_LIST = re.compile(
    r"\b(?P<what>(?:novel|new|principled|two|three|four|efficient|practical|simple|complementary)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:algorithms|methods|models|variants|modules|benchmarks|datasets|metrics|estimators|optimizers|"
    r"components|mechanisms|losses)),\s+"
    rf"(?P<name>{NAME}),\s+(?:that|which|each|both|where|to)\b"
)
_IS_PROPOSED = r"\s+(?:is|are)\s+(?:proposed|introduced|presented|developed)\b"
_PASSIVE = re.compile(rf"(?P<name>{NAME})(?:\s*\([^()]{{2,80}}\))?{_IS_PROPOSED}")
#: A pattern that begins with a name is tried at every word; what comes behind the name is sooner looked for.
_IS_A_TAIL, _PASSIVE_TAIL = re.compile(_NEW_THING), re.compile(_IS_PROPOSED)
#: So are the ends of others that take long: few sentences have one.
_BARE_TAIL = re.compile(r",\s+(?:an?|our|the first)\s")
_LIST_TAIL = re.compile(r",\s+(?:that|which|each|both|where|to)\b")

#: "1) Spectral-Aware Regularization to …": a title behind the number of an item.
_NUMBERED = re.compile(
    r"(?:\((?:\d|i{1,3}|iv|v|[a-d])\)|(?<![\w.(])\d[).])\s+(?:(?:an?|the|our|novel|new)\s+)*"
    r"(?P<name>[A-Z][\w-]*(?:\s(?:(?:of|for|in|and|via|with)\s)?[A-Z][\w-]*){1,5})"
    r"(?=\s*(?:[,:;(.—]|$|\b(?:to|that|which|for|using|with|by|where|through|via|scheme|module|strategy|mechanism)\b))"
)
#: What the number of an item has in it.
_ITEM = re.compile(r"\)|\d\.")
#: Items of these are no parts of a method.
_NO_PARTS = re.compile(
    r"\b(?:tasks?|abilit\w+|dimensions?|categor\w+|questions?|levels?|aspects?|criteria|domains?|settings?|types?|"
    r"challenges?|scenarios?|skills?|properties|metrics?|datasets?|benchmarks?|findings|limitations|stages?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Proposal:
    """Half-open range of a proposed name in the text read, its kind, and the construction that shows it."""

    start: int
    end: int
    kind: str
    rule: str


def proposals(text: str, bounds: Sequence[tuple[int, int]], defined: Sequence[Abbreviation]) -> list[Proposal]:
    """Proposed names of a text without markup, whose sentences are `bounds` and whose short forms are `defined`.

    >>> text = "We propose a new framework called LVR. On it we introduce TinyBench, a benchmark for planning."
    >>> [(text[p.start:p.end], p.kind) for p in proposals(text, [(0, 38), (39, 95)], [])]
    [('LVR', 'method'), ('TinyBench', 'dataset')]
    """
    found: set[Proposal] = set()
    for start, end in bounds:
        sentence = text[start:end]
        inside = [a for a in defined if start <= a.short_start and a.short_end <= end]
        found.update(_shift(p, start) for p in _of_sentence(sentence, start, inside))
    return sorted(found)


def _shift(proposal: Proposal, by: int) -> Proposal:
    return Proposal(proposal.start + by, proposal.end + by, proposal.kind, proposal.rule)


#: A sentence without any of these holds no construction below; looking for them in lower case costs little.
_HINT = re.compile(
    rf"\b{_VERB}\b|\b(?:{_NOVEL}|two|three|four|practical|complementary)\b|"
    r"\d[).]|\((?:i|a)\)"
)


def _of_sentence(sentence: str, offset: int, defined: Sequence[Abbreviation]) -> Iterator[Proposal]:
    if not _HINT.search(sentence.lower()):
        return
    for match in _WE_PROPOSE.finditer(sentence):
        what, at = match["what"], match.start("what")
        if _PROPOSE_TO.match(what):
            continue
        yield from _in_clause(what, at, offset, defined)
    for match in _BARE.finditer(sentence) if _BARE_TAIL.search(sentence) else ():
        yield Proposal(*match.span("name"), head_kind(match["what"]) or "method", "we propose bare phrase")
    for match in _LIST.finditer(sentence) if _LIST_TAIL.search(sentence) else ():
        yield from _named(match, "name", head_kind(match["what"]), "new algorithms, A and B", sentence)
    for match in _IS_A.finditer(sentence) if _IS_A_TAIL.search(sentence) else ():
        yield from _named(match, "name", head_kind(match["what"]), "is a novel", sentence)
    numbered = list(_NUMBERED.finditer(sentence)) if _ITEM.search(sentence) else []
    if numbered and not _NO_PARTS.search(sentence, 0, numbered[0].start()):
        for match in numbered:
            yield Proposal(*match.span("name"), "method", NUMBERED)
    for match in _PASSIVE.finditer(sentence) if _PASSIVE_TAIL.search(sentence) else ():
        yield from _named(match, "name", None, "is proposed", sentence)


def _in_clause(what: str, at: int, offset: int, defined: Sequence[Abbreviation]) -> Iterator[Proposal]:
    """Names in what follows "we propose"."""
    kind = head_kind(_NAMED_FIRST.sub("", what)) or "method"
    clause = re.split(r"\b(?:that|which|by|where|to)\b", what)[0]
    direct = _DIRECT.match(what)
    if direct:
        yield from _moved(_named(direct, "name", kind, "we propose NAME", what), at)
    for match in _CALLED.finditer(what):
        yield from _moved(_named(match, "name", head_kind(what[: match.start()]) or kind, "called NAME", what), at)
    for pattern, rule in ((_APPOSED, "we propose …, NAME"), (_NOUN_NAME, "noun NAME")):
        beside = pattern.search(clause)
        if beside:
            yield from _moved(_named(beside, "name", head_kind(what[: beside.start("name")]) or kind, rule, what), at)
    for match in _AND_PROPOSE.finditer(what):
        yield from _moved(_named(match, "name", head_kind(what[match.end() :]), "and introduce NAME", what), at)
    described = _DESCRIBED.match(what)
    if described and not lexicon.load().lookup(described["name"]):
        before = what[: described.start("name")]
        yield from _moved(_named(described, "name", head_kind(before) or kind, "we propose a noun NAME", what), at)
    for a in defined:
        short = a.short_start - offset - at
        long = a.long_start - offset - at
        first = min(short, long)
        known = first > _ARTICLE_LENGTH and lexicon.load().lookup(what[short : short + a.short_end - a.short_start])
        if (
            0 <= first <= max(len(clause), 1)
            and not known
            and not re.search(r"\b(?:for|in|of|on|with|from|into|using|and)\b[^,]*$", what[:first])
        ):
            behind = _HEAD_BEHIND.match(what, max(a.short_end, a.long_end) - offset - at)
            told = (HEADS.get(behind["head"]) if behind else None) or kind
            if _DATA_NAME.search(what[long : long + a.long_end - a.long_start]):
                told = "dataset"
            yield Proposal(at + short, at + short + a.short_end - a.short_start, told, "we propose Long Form (NAME)")


def _moved(items: Iterator[Proposal], by: int) -> Iterator[Proposal]:
    return (_shift(item, by) for item in items)


def _named(match: re.Match[str], group: str, kind: str | None, rule: str, text: str) -> Iterator[Proposal]:
    """The part of a matched name that has the shape of one."""
    start, end = match.span(group)
    words = [(m.start() + start, m.group()) for m in re.finditer(r"\S+", text[start:end])]
    while len(words) > 1 and is_led(text[words[0][0] : end]):
        words = words[1:]
    if len(words) == 1 and words[0][1].lower() in LEADING:
        return
    joint = next((i for i, (_, w) in enumerate(words) if w == "and"), None)
    if joint and looks_named(words[joint - 1][1]) and joint + 1 < len(words) and looks_named(words[joint + 1][1]):
        # Two names: "A and B" is one only where a part of it is no name by itself.
        for part in (words[:joint], words[joint + 1 :]):
            yield Proposal(part[0][0], part[-1][0] + len(part[-1][1]), kind or "method", rule)
        return
    coined = [looks_named(w) for _, w in words]
    capital = [is_capitalised_word(w) for _, w in words]
    if not (coined[0] or capital[0]):
        return
    # The name runs on as long as words look like names; a lower-case word inside needs one after it.
    last = max(i for i in range(len(words)) if coined[i] or capital[i])
    if (
        not any(coined[: last + 1])
        and words[0][0] == 0
        and last == 0
        and not _ENDED.match(text, words[0][0] + len(words[0][1]))
    ):
        return
    name_end = words[last][0] + len(words[last][1])
    if _DATA_NAME.search(text[words[0][0] : name_end]):
        kind = "dataset"
    yield Proposal(words[0][0], name_end, kind or head_kind(text[start:end]) or "method", rule)
