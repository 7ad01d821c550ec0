"""Numbers that a paper reports, with what was measured, on what, by what and against what.

`find_results` reads a document as lines of words, names and numbers (`result_context`), decides which numbers are
results and of which kind (`result_kinds`), fills their slots (`result_slots`) and says under which condition they hold
(`result_conditions`). Every number is a slice of the document, every filler the name of one of its entities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sotagraph.extract.linear import Weights, load_weights
from sotagraph.extract.quantities import Quantity
from sotagraph.extract.result_context import Line, Page
from sotagraph.extract.result_constructions import chains, runs
from sotagraph.extract.result_kinds import KINDS, decide, kind_features
from sotagraph.extract.result_slots import NOTHING, RESPECTIVELY, THE_PAPER, Number, choose, groups
from sotagraph.model import PAPER, Document, DocumentEntity, Evidence, Result

__all__ = ["find_results"]

#: A number is a result when the kinds of result together are at least this likely.
THRESHOLD = 0.5
#: Longer lists are averaged over: one result without a dataset.
_MOST_SHARED = {"dataset": 3, "metric": 2}
Hints = Mapping[int, Mapping[str, float]]


def find_results(
    document: Document,
    sentences: Sequence[tuple[int, int]],
    entities: Sequence[DocumentEntity],
    *,
    lexicon: Any = None,
    number_hints: Hints | None = None,
    weights: Mapping[str, Weights] | None = None,
) -> tuple[Result, ...]:
    """All results of one document, in reading order."""
    models = load_weights("results") if weights is None else weights
    page = Page.read(document, sentences, entities)
    out: list[Result] = []
    for line in page.lines:
        heads = chains(line)
        for index, quantity in enumerate(line.quantities):
            hint = _hint(page, quantity, number_hints)
            told = decide(kind_features(page, line, index, heads), models.get("kinds", {}), hint)
            sure = 1 - told[0] - told[-1]
            if sure < THRESHOLD:
                continue
            kind = max(KINDS[1:-1], key=lambda k: told[KINDS.index(k)])
            out += _results(page, Number(line, index, kind), models, sure * told[KINDS.index(kind)] / max(sure, 1e-9))
    return tuple(out)


def _hint(page: Page, quantity: Quantity, hints: Hints | None) -> Mapping[str, float] | None:
    if hints is None:
        return None
    return hints.get(page.plain.offsets[quantity.head])


def _results(page: Page, number: Number, models: Mapping[str, Weights], sure: float) -> list[Result]:
    picks = {slot: choose(page, number, slot, models.get(slot, {})) for slot in ("method", "dataset", "metric", "baseline")}
    line = number.line
    quantity = line.quantities[number.index]
    start, end = page.plain.span(quantity.start, quantity.end)
    low, high = page.plain.span(line.start, line.end)
    out = []
    for dataset in _shared(number, "dataset", picks["dataset"][0]):
        for metric in _shared(number, "metric", picks["metric"][0]):
            out.append(
                Result(
                    value=quantity.value,
                    value_max=quantity.value_max,
                    value_text=page.document.text[start:end],
                    unit=_unit(line, number),
                    kind=number.kind,
                    bound=quantity.bound,
                    method=_name(page, picks["method"][0]),
                    dataset=_name(page, dataset),
                    metric=_name(page, metric),
                    baseline=_name(page, picks["baseline"][0]),
                    evidence=Evidence(document_id=page.document.id, start=low, end=high, rule=f"result:{number.kind}"),
                    confidence=round(min(0.99, sure), 3),
                )
            )
    return out


def _name(page: Page, pick: int) -> str | None:
    if pick == NOTHING:
        return None
    return PAPER if pick == THE_PAPER else page.entities[pick].name


def _unit(line: Line, number: Number) -> str | None:
    quantity = line.quantities[number.index]
    if quantity.unit or quantity.measure:
        return quantity.unit
    heads = chains(line)
    for i in range(number.index + 1, len(heads)):
        if heads[i] == heads[number.index] and line.quantities[i].unit and _side_by_side(line, i):
            return line.quantities[i].unit
    return "points" if number.kind == "gain" or quantity.sign == "+" else None


def _side_by_side(line: Line, index: int) -> bool:
    return line.numbers[index] - line.numbers[index - 1] <= 3


def _shared(number: Number, kind: str, pick: int) -> list[int]:
    """All that share one number with the pick: "on A and B", "latency and memory by 30 %".

    A list whose numbers go with its names one by one shares none.
    """
    line = number.line
    here = [p for p, item in enumerate(line.items) if pick in item.entities]
    run = next(r for r in runs(line) if number.index in r)
    if not here or len(run) > 1 or RESPECTIVELY & line.words:
        return [pick]
    nearest = min(here, key=lambda p: (abs(p - number.position), p))
    group = next(g for g in groups(line, kind) if nearest in g)
    members = list(dict.fromkeys(e for position in group for e in line.items[position].entities))
    return members if 2 <= len(members) <= _MOST_SHARED[kind] else [pick]
