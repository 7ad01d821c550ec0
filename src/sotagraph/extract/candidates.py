"""Everything in a document that might be a name, from every source; `decide` says which of them are.

Sources: the trained model, proposals, abbreviations, emphasis, the lexicon, words beside a printed change, and the shape of tokens. Each candidate keeps its
source, so that a decision can be explained.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sotagraph.extract.measured import measured
from sotagraph.extract.reading import Reading
from sotagraph.extract.shapes import LEADING, TOKEN, is_capitalised_word, looks_named

__all__ = ["Candidate", "candidates"]

_TOKEN = re.compile(TOKEN)
_MAX_EMPHASISED_WORDS = 8
_URL_TOKEN = re.compile(r"https?:|www\.|\.(?:com|org|io|net|science)\b")


@dataclass(frozen=True, slots=True, order=True)
class Candidate:
    """A half-open range of the plain text that may name something; `kind` where its source tells one."""

    start: int
    end: int
    source: str
    kind: str | None = None


def candidates(reading: Reading) -> list[Candidate]:
    """All candidates of a reading, by place."""
    found: set[Candidate] = set()
    for source in (
        _from_model,
        _from_proposals,
        _from_abbreviations,
        _from_emphasis,
        _from_lexicon,
        _from_shape,
        _from_change,
    ):
        for candidate in source(reading):
            trimmed = _trim(candidate, reading.text)
            if trimmed and not _in_url(trimmed, reading):
                found.add(trimmed)
    return sorted(found, key=lambda c: (c.start, c.end, c.source, c.kind or ""))


def _trim(candidate: Candidate, text: str) -> Candidate | None:
    """Without articles, quotes and punctuation at the ends; None where nothing stays."""
    start, end = candidate.start, candidate.end
    while start < end and not (text[start].isalnum() or text[start] in "αβγδεζηθκλμνξπρστφχψωΓΔΘΛΠΣΦΨΩ∇∞"):
        start += 1
    while end > start and not (text[end - 1].isalnum() or text[end - 1] in "+*@)²³"):
        end -= 1
    if text[end - 1 : end] == ")" and "(" not in text[start:end]:
        end -= 1
    first = re.match(r"(\w+)\s+", text[start:end])
    while first and first[1].lower() in LEADING:
        start += first.end()
        first = re.match(r"(\w+)\s+", text[start:end])
    if end - start < 2 or not any(c.isalpha() for c in text[start:end]):
        return None
    return Candidate(start, end, candidate.source, candidate.kind)


def _in_url(candidate: Candidate, reading: Reading) -> bool:
    return any(u.start < candidate.end and candidate.start < u.end for u in reading.urls)


def _from_model(reading: Reading) -> Iterator[Candidate]:
    if reading.prediction is None:
        return
    words = reading.prediction.encoded.words
    for span in reading.prediction.spans():
        yield Candidate(words[span.first].start, words[span.last - 1].end, "model", span.kind)


def _from_proposals(reading: Reading) -> Iterator[Candidate]:
    for proposal in reading.proposals:
        yield Candidate(proposal.start, proposal.end, "proposal", proposal.kind)


def _from_abbreviations(reading: Reading) -> Iterator[Candidate]:
    for a in reading.abbreviations:
        yield Candidate(a.short_start, a.short_end, "short form")
        yield Candidate(a.long_start, a.long_end, "long form")


def _from_emphasis(reading: Reading) -> Iterator[Candidate]:
    for stretch in reading.emphasised:
        text = reading.text[stretch.start : stretch.end]
        if len(text.split()) <= _MAX_EMPHASISED_WORDS and not re.search(r"[.!?]\s", text):
            yield Candidate(stretch.start, stretch.end, "emphasis" if stretch.what == "markup" else "quotes")


def _from_lexicon(reading: Reading) -> Iterator[Candidate]:
    for hit in reading.hits:
        yield Candidate(hit.start, hit.end, "lexicon")


def _from_shape(reading: Reading) -> Iterator[Candidate]:
    """Runs of tokens that look like names, or that are capitalised inside a sentence."""
    for start, end in reading.bounds:
        run: list[re.Match[str]] = []
        for match in _TOKEN.finditer(reading.text, start, end):
            opens = (
                match.start() == start or (reading.text[match.start() - 1] in "\"“('`[" and match.start() - 1 == start)
            )
            fits = looks_named(match.group()) or (is_capitalised_word(match.group()) and not opens)
            adjoining = not run or reading.text[run[-1].end() : match.start()] == " "
            if run and not (fits and adjoining):
                yield _run(run)
                run = []
            if fits:
                run.append(match)
        if run:
            yield _run(run)


def _from_change(reading: Reading) -> Iterator[Candidate]:
    for start, end in measured(reading.text):
        yield Candidate(start, end, "beside a change", "metric")


def _run(run: list[re.Match[str]]) -> Candidate:
    return Candidate(run[0].start(), run[-1].end(), "shape")
