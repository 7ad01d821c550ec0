"""Everything in a document that might be a name, from every source; `decide` says which of them are.

Sources: the trained model, proposals, abbreviations, emphasis, the lexicon, words beside a printed change, and the
shape of tokens. Each candidate keeps its source, so that a decision can be explained.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sotagraph import lexicon
from sotagraph.extract.measured import measured
from sotagraph.extract.reading import Reading
from sotagraph.extract.shapes import LEADING, TOKEN, is_capitalised_word, looks_named, not_a_name, strip_heads

__all__ = ["Candidate", "candidates"]

_TOKEN = re.compile(TOKEN)
_MAX_EMPHASISED_WORDS = 8
#: What makes an adjective of a name: the -based of "WQRM-based".
_SUFFIX = re.compile(
    r"-(?:based|style|like|trained|tuned|finetuned|guided|driven|enhanced|augmented|powered|"
    r"generated|aware|inspired|level|specific|centric|only)$"
)
_FIRST_WORD = re.compile(r"([\w-]+)\s+")
_LAST_WORD = re.compile(r"\s+([\w-]+)$")
_CUT = re.compile(r"@\d+[kK]?\b")
_SLASHED = re.compile(r"(?<![\w/.:-])[\w.+-]+(?:/[\w.+-]*\w)+(?![\w/])")
_FORMULA = re.compile(r"\$[^$]{1,200}\$")
_CUTOFF = re.compile(r"\b[A-Za-z]{1,12}@(?:\d+[kK]?|[kKnN])\b")
#: Words that no name ends with: the last ones say what became of a measure (the drop of "ASR drop").
_LOOSE = frozenset(
    "baseline baselines counterpart counterparts drop drops gain gains improvement improvements reduction reductions "
    "increase increases decrease decreases degradation "
    "of with for in on to by and or from at via the a an as that which is are under over into than".split()
)
_TIER = "Pro|Flash|Opus|Sonnet|Haiku|Mini|Nano|Turbo|Ultra|Large|Small|Base|Medium|Max|Plus"
_VERSION = re.compile(
    rf"\b[A-Z][A-Za-z]+(?:[ -]\d+(?:\.\d+)+|[ -]\d{{1,2}}(?=[ -](?:{_TIER})\b))"
    rf"(?:[ -](?:{_TIER}|Instruct|Chat|Thinking|Preview|Lite|Coder|VL|Math|\d+(?:\.\d+)?[BM]))*"
)
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
    for source in _SOURCES:
        for candidate in source(reading):
            for part in _split(candidate, reading.text):
                trimmed = _trim(part, reading.text)
                if trimmed and not _in_url(trimmed, reading):
                    found.add(trimmed)
    return sorted(found, key=lambda c: (c.start, c.end, c.source, c.kind or ""))


def _split(candidate: Candidate, text: str) -> Iterator[Candidate]:
    """The names of "GRPO/PPO"; a stretch whose sides of the slash are not both names stays whole."""
    name = text[candidate.start : candidate.end]
    parts = [(m.start(), m.end()) for m in re.finditer(r"[^/]+", name)]
    if len(parts) > 1 and all(looks_named(name[a:b].strip()) and b - a > 2 for a, b in parts):
        for a, b in parts:
            yield Candidate(candidate.start + a, candidate.start + b, candidate.source, candidate.kind)
    else:
        yield candidate


def _trim(candidate: Candidate, text: str) -> Candidate | None:
    """Without articles, quotes, loose ends and a generic head noun; None where no name stays."""
    start, end = _ends(candidate.start, candidate.end, text)
    if cut := _CUT.match(text, end - 1 if text[end - 1 : end] == "@" else end):
        end = cut.end()
    first = _FIRST_WORD.match(text, start, end)
    while first and first[1].lower() in LEADING:
        start = first.end()
        first = _FIRST_WORD.match(text, start, end)
    last = _LAST_WORD.search(text, start, end)
    while last and last[1].lower() in _LOOSE:
        end = last.start()
        last = _LAST_WORD.search(text, start, end)
    if suffix := _SUFFIX.search(text, start, end):
        end = suffix.start()
    start, end = _ends(start, _without_head(text, start, end), text)
    start = _coined_tail(text, start, end)
    name = text[start:end]
    if end - start < 2 or not any(c.isalpha() for c in name) or not_a_name(name):
        return None
    return Candidate(start, end, candidate.source, candidate.kind)


def _coined_tail(text: str, start: int, end: int) -> int:
    """Where a newly coined last word begins, behind words that only describe it (the guardrail model Safiron).

    A known name keeps its words: normalized SGD is another thing than SGD.
    """
    words = text[start:end].split(" ")
    described = len(words) > 1 and all(w.islower() and w.isalpha() for w in words[:-1])
    if described and looks_named(words[-1]) and not lexicon.load().lookup(words[-1]):
        return end - len(words[-1])
    return start


def _ends(start: int, end: int, text: str) -> tuple[int, int]:
    while start < end and not (text[start].isalnum() or text[start] in "∇∞"):
        start += 1
    while end > start and not (text[end - 1].isalnum() or text[end - 1] in "+*@)"):
        end -= 1
    if text[end - 1 : end] == ")" and "(" not in text[start:end]:
        end -= 1
    return start, end


def _without_head(text: str, start: int, end: int) -> int:
    """The end of a coined name before its generic head (GRPO algorithm); a phrase keeps its head (policy network)."""
    name = text[start:end]
    short = strip_heads(name)
    return start + len(short) if short != name and name.startswith(short) else end


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
    """Runs of tokens that look like names, or are capitalised inside a sentence; formulas hold symbols, not names."""
    original = reading.document.text
    formulas = [tuple(map(reading.plain.position, m.span())) for m in _FORMULA.finditer(original)]
    for start, end in reading.bounds:
        run: list[re.Match[str]] = []
        for match in _TOKEN.finditer(reading.text, start, end):
            opens = match.start() == start or (
                reading.text[match.start() - 1] in "\"“('`[" and match.start() - 1 == start
            )
            fits = looks_named(match.group()) or (is_capitalised_word(match.group()) and not opens)
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
    for match in _SLASHED.finditer(reading.text):
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


def _in_formula(at: int, formulas: list[tuple[int, ...]]) -> bool:
    return any(start <= at < end for start, end in formulas)


def _from_cutoff(reading: Reading) -> Iterator[Candidate]:
    """Metrics with a cut-off: pass@8, Recall@10."""
    for match in _CUTOFF.finditer(reading.text):
        yield Candidate(match.start(), match.end(), "cut-off", "metric")


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
    _from_change,
)
