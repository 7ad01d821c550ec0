"""Everything in a document that might be a name, from every source; `decide` says which of them are.

Sources: the trained model, proposals, abbreviations, emphasis, the lexicon, words beside a printed change, and the
shape of tokens. Each candidate keeps its source, so that a decision can be explained.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sotagraph.extract.abbreviations import Abbreviation
from sotagraph.extract.measured import fewer, measured
from sotagraph.extract.parts import names_in
from sotagraph.extract.reading import Reading, Stretch
from sotagraph.extract.shapes import TOKEN, is_capitalised_word, looks_named
from sotagraph.languages import is_pair

__all__ = ["FEWER", "GLUED_RATE", "RATE", "SCORED", "Candidate", "candidates"]

#: The source of a measure that stands right behind its number.
RATE = "rate"
#: The source of what there is so many times less of.
FEWER = "fewer"
#: The source of names in a list that gives a score behind each.
SCORED = "scored list"
#: A rate that no blank parts from its number: the fps of "40fps".
GLUED_RATE = r"(?<=\d)[Ff][Pp][Ss]\b"

_TOKEN = re.compile(TOKEN)
_MAX_EMPHASISED_WORDS = 8
_SLASHED = re.compile(r"(?<![\w/.:-])[\w.+-]+(?:/[\w.+-]*\w)+(?![\w/])")
_FORMULA = re.compile(r"\$[^$]{1,200}\$")
_CUTOFF = re.compile(r"\b[A-Za-z]{1,12}\\?@(?:\d+(?:\.\d+)?[kK]?|[kKnN])\b")
_RATE = re.compile(GLUED_RATE)
_TIER = "Pro|Flash|Opus|Sonnet|Haiku|Mini|Nano|Turbo|Ultra|Large|Small|Base|Medium|Max|Plus"
_VERSION = re.compile(
    rf"\b[A-Z][A-Za-z]+(?:[ -]\d+(?:\.\d+)+|[ -]\d{{1,2}}(?=[ -](?:{_TIER})\b))"
    rf"(?:[ -](?:{_TIER}|Instruct|Chat|Thinking|Preview|Lite|Coder|VL|Math|\d+(?:\.\d+)?[BM]))*"
)
_SCORED_NAME = r"(?<![\w-])[A-Z0-9][\w.+@/-]{0,40}(?: [A-Z0-9][\w.+@/-]{0,40}){0,5}"
_ITS_SCORE = r"\s?\((?:[+~-]|over |up to )?\d[\d.]*\s?(?:%|x|×)?(?:\s?[A-Za-z][\w@.-]*)?\)"
_SCORED_LIST = re.compile(
    rf"{_SCORED_NAME}{_ITS_SCORE}(?:,?\s(?:and\s)?(?:(?:on\s)?the\s|on\s)?{_SCORED_NAME}{_ITS_SCORE})+"
)
_ONE_SCORED = re.compile(rf"({_SCORED_NAME}){_ITS_SCORE}")
#: What makes it one of datasets.
_DATASETS = r"(?:data\s?sets?|benchmarks?|corpora|test\ssets?)"
_ON, _ARE_DATASETS = (
    re.compile(rf"\b(?:on|{_DATASETS}[,:]?)\s(?:the\s|both\s)?$"),
    re.compile(rf"\s(?:\w+\s)?{_DATASETS}\b"),
)
#: A quoted stretch with this many words, and so many in lower case, is a sentence rather than a title.
_LEAST_SENTENCE, _LEAST_LOWER = 4, 2
_LOWER_WORD = re.compile(r"(?<![\w-])[a-z][\w-]+")


class Candidate(NamedTuple):
    """A half-open range of the plain text that may name something; `kind` where its source tells one."""

    # Not a frozen dataclass, which takes thrice as long to make and to hash: a document has a hundred of them.

    start: int
    end: int
    source: str
    kind: str | None = None


def candidates(reading: Reading) -> list[Candidate]:
    """All candidates of a reading, by place."""
    found: set[Candidate] = set()
    for source in _SOURCES:
        for candidate in source(reading):
            names = names_in(candidate.start, candidate.end, reading.text)
            found.update(Candidate(*name, candidate.source, candidate.kind) for name in names)
    found = {c for c in found if not _in_url(c, reading) and not is_pair(reading.text[c.start : c.end])}
    found -= _exemplary(found, reading)
    return sorted(found, key=lambda c: (c.start, c.end, c.source, c.kind or ""))


def _in_url(candidate: Candidate, reading: Reading) -> bool:
    return any(u.start < candidate.end and candidate.start < u.end for u in reading.urls)


def _exemplary(found: set[Candidate], reading: Reading) -> set[Candidate]:
    """Candidates that stand in quotation marks and are words of a quoted sentence: whom an example speaks of.

    In 'the tokens of "Ada" in "Ada wrote a program for him"' neither is a name of the paper.
    """
    quoted = [q for q in reading.emphasised if q.what == "quotes"]
    told = [reading.text[q.start : q.end] for q in quoted]
    sentences = [t for t in told if len(_LOWER_WORD.findall(t)) >= _LEAST_LOWER and len(t.split()) >= _LEAST_SENTENCE]
    if not sentences:
        return set()
    return {
        c
        for c in found
        if any(q.start <= c.start and c.end <= q.end for q in quoted)
        and any(reading.text[c.start : c.end] in sentence for sentence in sentences)
    }


def _from_model(reading: Reading) -> Iterator[Candidate]:
    if reading.prediction is None:
        return
    words = reading.prediction.encoded.words
    before = Candidate(-1, -1, "model")
    for span in reading.prediction.spans():
        found = Candidate(words[span.first].start, words[span.last - 1].end, "model", span.kind)
        if found.kind == before.kind == "metric" and reading.text[before.end : found.start] == " ":
            # Two measures side by side are one: "peak" and "memory consumption".
            found = Candidate(before.start, found.end, "model", "metric")
        elif before.end >= 0:
            yield before
        before = found
    if before.end >= 0:
        yield before


def _from_proposals(reading: Reading) -> Iterator[Candidate]:
    for proposal in reading.proposals:
        yield Candidate(proposal.start, proposal.end, "proposal", proposal.kind)


def _from_abbreviations(reading: Reading) -> Iterator[Candidate]:
    for a in reading.abbreviations:
        yield Candidate(a.short_start, a.short_end, "short form")
        yield Candidate(a.long_start, a.long_end, "long form")


def _from_emphasis(reading: Reading) -> Iterator[Candidate]:
    for stretch in reading.emphasised:
        text, source = reading.text[stretch.start : stretch.end], "emphasis" if stretch.what == "markup" else "quotes"
        if len(text.split()) > _MAX_EMPHASISED_WORDS or re.search(r"[.!?]\s", text):
            continue
        # "*long form (LF)*" is two names of one thing, not one.
        within = [a for a in reading.abbreviations if _spans(stretch, a)]
        for a in within:
            yield Candidate(a.short_start, a.short_end, source)
            yield Candidate(a.long_start, a.long_end, source)
        if not within:
            yield Candidate(stretch.start, stretch.end, source)


def _spans(stretch: Stretch, pair: Abbreviation) -> bool:
    """Whether a short form and its long form both stand in the stretch."""
    return stretch.start <= min(pair.short_start, pair.long_start) and max(pair.short_end, pair.long_end) <= stretch.end


def _from_lexicon(reading: Reading) -> Iterator[Candidate]:
    for hit in reading.hits:
        yield Candidate(hit.start, hit.end, "lexicon")


def _from_shape(reading: Reading) -> Iterator[Candidate]:
    """Runs of tokens that look like names, or are capitalised inside a sentence; formulas hold symbols, not names."""
    original = reading.document.text
    formulas = [tuple(map(reading.plain.position, m.span())) for m in _FORMULA.finditer(original)]
    for start, end in reading.bounds:
        run: list[re.Match[str]] = []
        for match in _TOKEN.finditer(reading.text, start, end):
            word = match.group()
            if word.islower():  # most words, and no name of this source
                if run:
                    yield _run(run)
                    run = []
                continue
            opens = match.start() == start or (
                reading.text[match.start() - 1] in "\"“('`[" and match.start() - 1 == start
            )
            fits = looks_named(word) or (is_capitalised_word(word) and not opens)
            fits = fits and reading.text[match.start() - 1 : match.start()] != "\\"
            adjoining = not run or reading.text[run[-1].end() : match.start()] == " "
            if run and not (fits and adjoining):
                yield _run(run)
                run = []
            if fits and not _in_formula(match.start(), formulas):
                run.append(match)
        if run:
            yield _run(run)
    yield from _slashed(reading)


def _slashed(reading: Reading) -> Iterator[Candidate]:
    """Both names of "HumanEval/MBPP"; of "AIME24/25" the one that stands there whole."""
    for match in _SLASHED.finditer(reading.text) if "/" in reading.text else ():
        for part in re.finditer(r"[^/]+", match.group()):
            if looks_named(part.group()) and len(part.group()) > 2:
                yield Candidate(match.start() + part.start(), match.start() + part.end(), "shape")


def _from_version(reading: Reading) -> Iterator[Candidate]:
    """A capitalised word with a version number and words of size or tuning: Claude 4.5 Opus, Llama 3.1-70B."""
    for match in _VERSION.finditer(reading.text):
        yield Candidate(match.start(), match.end(), "version")


def _from_change(reading: Reading) -> Iterator[Candidate]:
    for start, end in measured(reading.text):
        yield Candidate(start, end, "beside a change", "metric")


def _from_fewer(reading: Reading) -> Iterator[Candidate]:
    for start, end in fewer(reading.text):
        yield Candidate(start, end, FEWER, "metric")


def _in_formula(at: int, formulas: list[tuple[int, ...]]) -> bool:
    return any(start <= at < end for start, end in formulas)


def _from_cutoff(reading: Reading) -> Iterator[Candidate]:
    """Metrics with a cut-off: pass@8, Recall@10."""
    for match in _CUTOFF.finditer(reading.text):
        yield Candidate(match.start(), match.end(), "cut-off", "metric")


def _from_rate(reading: Reading) -> Iterator[Candidate]:
    """The frames per second of "40fps", which no blank parts from their number."""
    for match in _RATE.finditer(reading.text):
        yield Candidate(match.start(), match.end(), RATE, "metric")


def _from_scored_list(reading: Reading) -> Iterator[Candidate]:
    """Datasets that a list names with a score behind each: "on A (92.4%), B (88.1) and C (51.0%)"."""
    text = reading.text
    for found in _SCORED_LIST.finditer(text) if "(" in text else ():
        if _ON.search(text, max(0, found.start() - 30), found.start()) or _ARE_DATASETS.match(text, found.end()):
            for one in _ONE_SCORED.finditer(text, found.start(), found.end()):
                yield Candidate(*one.span(1), SCORED, "dataset")


def _run(run: list[re.Match[str]]) -> Candidate:
    return Candidate(run[0].start(), run[-1].end(), "shape")


_SOURCES = (
    _from_model,
    _from_proposals,
    _from_abbreviations,
    _from_emphasis,
    _from_lexicon,
    _from_shape,
    _from_version,
    _from_cutoff,
    _from_rate,
    _from_change,
    _from_fewer,
    _from_scored_list,
)
