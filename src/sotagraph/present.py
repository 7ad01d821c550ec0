"""Answers of `sotagraph.analyze` for reading: text for a terminal, rows for everything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from sotagraph.names import plain
from sotagraph.rows import Cell, Row, Rows

if TYPE_CHECKING:
    from sotagraph.analyze import Fact, Leaderboard, PaperCard, Score

__all__ = ["board_rows", "board_text", "card_text", "score_row"]

#: Columns of a leaderboard as rows, in order.
COLUMNS = (
    "rank", "method", "value_text", "value", "value_max", "unit", "kind", "bound", "metric", "condition", "baseline",
    "baseline_value", "paper", "year", "confidence", "sentence",
)  # fmt: skip

#: Predicates of a paper card in the order in which a reader asks.
_ORDER = (
    "proposes", "introduces", "addresses", "uses", "evaluatedOn", "outperforms", "comparedWith", "generalizes",
    "variantOf", "partOf", "hasCode", "mentions",
)  # fmt: skip
_WORDS = {
    "evaluatedOn": "evaluated on",
    "comparedWith": "compared with",
    "variantOf": "variant of",
    "partOf": "part of",
    "hasCode": "code",
}


def score_row(score: Score) -> Row:
    """A score as one flat row with the keys of `COLUMNS`."""
    return {name: getattr(score, name) for name in COLUMNS}


def board_rows(board: Leaderboard) -> Rows:
    """Ranked scores, then gains, as rows."""
    rows: list[list[Cell]] = [list(score_row(score).values()) for score in (*board.scores, *board.gains)]
    return Rows(COLUMNS, rows)


def board_text(board: Leaderboard) -> str:
    """A leaderboard for reading: a block a metric, and under each score the sentence that says it."""
    lines = [board.label]
    for metric, scores in groupby(board.scores, key=lambda score: score.metric):
        lines += ["", metric or "metric not said", *_scores(list(scores))]
    if board.gains:
        lines += ["", "gains", *_scores(board.gains)]
    if not board.scores and not board.gains:
        lines += ["", "no scores on it"]
    return "".join(f"{line}\n" for line in lines)


def _scores(scores: Sequence[Score]) -> Iterator[str]:
    numbers = [_number(score) for score in scores]
    width = max(map(len, numbers))
    for score, number in zip(scores, numbers, strict=True):
        rank = f"{score.rank:>3}" if score.rank is not None else "  +"
        parts = [score.method or "method not said", score.condition, _against(score), _where(score)]
        yield f"{rank}  {number:<{width}}  {'  '.join(_line(part) for part in parts if part)}"
        yield f'     {" " * width}  "{_line(score.sentence)}"'


def _number(score: Score) -> str:
    """A score for reading, with what a bare number would hide: ``up to 6–27% reduction wall-clock time``."""
    unit = {None: "", "%": "%", "x": "×"}.get(score.unit, f" {score.unit}")
    value = f"{score.value}{'' if score.value_max is None else f'–{score.value_max}'}{unit}"
    change = None if score.kind == "absolute" else score.kind
    metric = score.metric if change else None
    return " ".join(filter(None, (score.bound, value, change, metric)))


def _against(score: Score) -> str:
    if score.baseline is None and score.baseline_value is None:
        return ""
    value = "" if score.baseline_value is None else f" {score.baseline_value}"
    return f"against {score.baseline or 'before'}{value}"


def _where(score: Score) -> str:
    return f"[{score.paper}{f', {score.year}' if score.year else ''}]"


def card_text(card: PaperCard) -> str:
    """A paper card for reading: what it puts forward, is built on and scores, each with its sentence."""
    head = ", ".join(filter(None, (card.venue, str(card.year or ""))))
    lines = [_line(card.label), *filter(None, (card.title if card.title != card.label else "", head, card.url))]
    lines += [f"{scheme}: {value}" for scheme, value in card.identifiers]
    lines.append(card.id)
    own = [fact for fact in card.facts if fact.subject == card.id]
    for predicate in _ORDER:
        lines += _facts(predicate, [fact for fact in own if fact.predicate == predicate])
    others = [fact for fact in card.facts if fact.subject != card.id and not _repeats(fact, own)]
    if others:
        lines += ["", "also says"]
    for fact in others:
        subject = fact.subject.partition("/")[2]
        lines += [
            f"  {subject} {_WORDS.get(fact.predicate, fact.predicate)} {_line(fact.label)}",
            _quoted(fact.sentence),
        ]
    if card.results:
        lines += ["", "scores"]
    for score in card.results:
        on = [f"on {score.dataset}" if score.dataset else "", f"by {score.metric}" if score.metric else ""]
        parts = [_number(score), score.method, *on, score.condition, _against(score)]
        lines += ["  " + "  ".join(_line(part) for part in parts if part), _quoted(score.sentence)]
    return "".join(f"{line}\n" for line in lines)


def _repeats(fact: Fact, own: Iterable[Fact]) -> bool:
    """Whether the paper itself is tied to the same thing in the same way, as it is by what it says of its method."""
    return any((fact.predicate, fact.id, fact.sentence) == (one.predicate, one.id, one.sentence) for one in own)


def _facts(predicate: str, facts: Sequence[Fact]) -> Iterator[str]:
    if facts:
        yield ""
        yield _WORDS.get(predicate, predicate)
    for fact in facts:
        yield f"  {_line(fact.label)}"
        yield _quoted(fact.sentence)


def _quoted(sentence: str) -> str:
    return f'      "{_line(sentence)}"'


def _line(text: str) -> str:
    """A text on one line, its markup seen through, without characters that a terminal would act on."""
    return " ".join("".join(c if c.isprintable() else " " for c in plain(text).text).split())
