"""Numbers that a paper reports, with what was measured, on what, by what and against what.

`find_results` reads a document as lines of words, names and numbers (`result_context`), decides which numbers are
results and of which kind (`result_kinds`), fills their slots (`result_slots`) and says under which condition they hold
(`result_conditions`). Every number is a slice of the document, every filler the name of one of its entities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sotagraph.extract.linear import Weights, load_weights
from sotagraph.extract.result_conditions import baseline_value_of, condition_of, task_of
from sotagraph.extract.result_constructions import chains, construction, run_of
from sotagraph.extract.result_context import Line, Page, stems
from sotagraph.extract.result_kinds import KINDS, decide, kind_features, outright
from sotagraph.extract.result_lists import RESPECTIVELY, counterpart
from sotagraph.extract.result_owners import groups
from sotagraph.extract.result_slots import NOTHING, SLOTS, THE_PAPER, Number, choose
from sotagraph.model import PAPER, Document, DocumentEntity, Evidence, Result

if TYPE_CHECKING:
    from sotagraph.lexicon import Lexicon

__all__ = ["find_results"]

#: A number is a result when the kinds of result together are at least this likely.
THRESHOLD = 0.45
#: Longer lists are averaged over: one result without a dataset.
_MOST_SHARED = {"dataset": 3, "metric": 2}
#: Metrics of which less is better and that are shares.
_SHARE = re.compile(r"\b(?:rates?|(?<!absolute )(?<!squared )errors?|FPR\w*|EER|[WCP]ER)\b", re.IGNORECASE)
#: A name this far into a sentence may open it: "Experiments on the public A and B show".
_OPENING = 6
_ASIDE = stems("while whereas")
#: What says how large something is, and what it then is said of.
_SIZED, _MODELS = stems("smaller larger bigger"), stems("model models than in dataset datasets")
#: What a bare number that stands before it is a factor of: "2.1 fewer FLOPs", "an 8 computation reduction".
_FACTORED = stems("fewer less")
_SHRUNK, _RESOURCES = stems("reduction reductions"), stems("parameters computation complexity costs time memory size")
_FACTOR_REACH = 3
Hints = Mapping[int, Mapping[str, float]]
SlotHints = Mapping[int, Mapping[str, Mapping[str, float]]]


def find_results(
    document: Document,
    sentences: Sequence[tuple[int, int]],
    entities: Sequence[DocumentEntity],
    *,
    lexicon: Lexicon | None = None,
    number_hints: Hints | None = None,
    slot_hints: SlotHints | None = None,
    weights: Mapping[str, Weights] | None = None,
) -> tuple[Result, ...]:
    """All results of one document, in reading order.

    Args:
        document: the paper; offsets of all arguments are into ``document.text``.
        sentences: half-open ranges, in order, without overlap.
        entities: what the document names, with the places and the role of each.
        lexicon: tells whether more is better for a metric; without it directions stay open.
        number_hints: probabilities of a trained token head over ``none`` and the kinds of result, by the offset of a
            number's first digit; numbers without an entry are decided by the rules alone.
        slot_hints: the same for the fillers of each slot, by entity name, "" for none.
        weights: models to use instead of the shipped ones.

    >>> from sotagraph.model import Mention
    >>> text = "Zeta reaches 91.4% accuracy on ToyQA."
    >>> def thing(name, kind, role=None):
    ...     at = text.index(name)
    ...     mention = Mention(text=name, kind=kind, start=at, end=at + len(name))
    ...     return DocumentEntity(name=name, kind=kind, role=role, mentions=(mention,))
    >>> things = [thing("Zeta", "method", "proposed"), thing("accuracy", "metric"), thing("ToyQA", "dataset")]
    >>> r, = find_results(Document(id="d", text=text), [(0, len(text))], things)
    >>> r.method, r.dataset, r.metric, str(r.value), r.unit, r.kind
    ('Zeta', 'ToyQA', 'accuracy', '91.4', '%', 'absolute')
    """
    models = load_weights("results") if weights is None else weights
    page = Page.read(document, sentences, entities)
    out: list[Result] = []
    for line in page.lines:
        told = _kinds(page, line, models.get("kinds", {}), number_hints)
        likely = [max(zip(row, KINDS, strict=True), key=lambda pair: pair[0])[1] for row in told]
        for index, row in enumerate(told):
            if 1 - row[0] - row[-1] < THRESHOLD or _no_score(line, index):
                continue
            kind = max(KINDS[1:-1], key=lambda k, row=row: row[KINDS.index(k)])  # type: ignore[misc]
            sure = row[KINDS.index(kind)]
            kind = outright(line, index) or kind
            number = Number(line, index, kind, tuple(likely))
            pointers = slot_hints.get(page.plain.offsets[line.quantities[index].head], {}) if slot_hints else {}
            picks: dict[str, tuple[int, float]] = {}
            for slot in SLOTS:
                # Nothing is its own baseline.
                taken = picks["method"][0] if slot == "baseline" else None
                picks[slot] = choose(page, number, slot, models.get(slot, {}), pointers.get(slot), taken=taken)
            out += _results(page, number, picks, likely, sure, lexicon)
    return tuple(out)


def _kinds(page: Page, line: Line, weights: Weights, hints: Hints | None) -> list[list[float]]:
    """For each number of a line the probabilities over `KINDS`."""
    heads = chains(line)
    out = []
    for index, quantity in enumerate(line.quantities):
        hint = hints.get(page.plain.offsets[quantity.head]) if hints else None
        out.append(decide(kind_features(page, line, index, heads), weights, hint))
    return out


def _no_score(line: Line, index: int) -> bool:
    """Whether a number is a setting, or says how large a model is beside another: "although it is 80× smaller"."""
    if construction(line, index) == "setting:":
        return True
    position = line.numbers[index]
    sized = line.quantities[index].unit == "x" and line.text(position + 1) in _SIZED
    return sized and (line.text(position + 2) in _MODELS or not line.text(position + 2).isalpha())


def _results(
    page: Page, number: Number, picks: Mapping[str, tuple[int, float]], likely: list[str], sure: float, lexicon: Any
) -> list[Result]:
    """The results of one number: one for each dataset and metric that share it."""
    line = number.line
    method, baseline = picks["method"][0], picks["baseline"][0]
    for slot in ("method", "dataset", "metric"):
        sure *= picks[slot][1]
    against = baseline_value_of(number, likely)
    quantity = line.quantities[number.index]
    shown = _shown(page, quantity.start, quantity.end)
    low, high = page.plain.span(line.start, line.end)
    rule = construction(line, number.index).lstrip("+~").strip(":").replace(":", "-") or "score"
    out = []
    for dataset in _shared(page, number, "dataset", picks["dataset"][0]):
        for metric in _shared(page, number, "metric", picks["metric"][0]):
            name = _name(page, metric)
            result = Result(
                value=quantity.value,
                value_max=quantity.value_max,
                value_text=shown,
                unit=_unit(number, name, _direction(name, lexicon)),
                kind=number.kind,
                bound=_bound(number),
                method=_name(page, method),
                dataset=_name(page, dataset),
                metric=name,
                task=task_of(page, number),
                direction=_direction(name, lexicon),
                baseline=_name(page, baseline),
                baseline_value=None if against is None else line.quantities[against].value,
                condition=condition_of(page, number, (method, dataset, metric, baseline), likely),
                evidence=Evidence(document_id=page.document.id, start=low, end=high, rule=f"result:{rule}"),
                confidence=round(min(0.99, max(0.01, sure)), 3),
            )
            out.append(result)
    return out


def _shown(page: Page, start: int, end: int) -> str:
    """A stretch as it stands in the document, without closing markup at its end."""
    low, high = page.plain.span(start, end)
    return page.document.text[low:high].rstrip("$*{} \n")


def _name(page: Page, pick: int) -> str | None:
    if pick == NOTHING:
        return None
    return PAPER if pick == THE_PAPER else page.entities[pick].name


def _direction(metric: str | None, lexicon: Any) -> str | None:
    """``higher`` or ``lower``, from the lexicon's entry for the metric."""
    if metric is None or lexicon is None:
        return None
    for entry in lexicon.lookup(metric):
        if entry.kind == "metric" and entry.higher_is_better is not None:
            return "higher" if entry.higher_is_better else "lower"
    return None


def _unit(number: Number, metric: str | None, direction: str | None) -> str | None:
    """The unit as printed, or that of the list ("8 and 4 points"); a bare gain in a metric is in points.

    It is not where less is better, as of perplexity, but for shares ("error rate", FPR), which are told in per cent.
    A bare speedup is a factor whose sign a text without markup has lost, as all but one of the 15 in the annotated
    abstracts are.
    """
    line, index = number.line, number.index
    quantity = line.quantities[index]
    if quantity.unit or quantity.measure:
        return quantity.unit
    run = run_of(line, index)
    for later in run[run.index(index) :]:
        if line.quantities[later].unit or line.quantities[later].measure:
            return line.quantities[later].unit
    head = chains(line)[index]
    if head != index and line.quantities[head].unit == "points":
        return "points"
    if number.kind == "speedup" or (number.kind == "reduction" and _is_factor(number, metric)):
        return "x"
    if quantity.sign == "+":
        return "points"
    in_points = metric is not None and (direction != "lower" or _SHARE.search(metric) is not None)
    return "points" if number.kind == "gain" and in_points else None


def _is_factor(number: Number, metric: str | None) -> bool:
    """Whether a bare number says how many times less of something there is, and not how many points."""
    if number.line.quantities[number.index].value < 1:
        return False
    line = number.line
    last = line.numbers[run_of(line, number.index)[-1]]
    behind = [line.text(last + i) for i in range(1, 2 * _FACTOR_REACH + 1)]
    if not _FACTORED.isdisjoint(behind[:2]):
        return True
    shrunk = next((i for i in range(_FACTOR_REACH) if behind[i] in _SHRUNK), None)
    measured = stems(metric or "")
    return shrunk is not None and not _RESOURCES.isdisjoint([*behind[: shrunk + 1 + _FACTOR_REACH], *measured])


def _bound(number: Number) -> str | None:
    """The bound as printed, or that of the list: "up to 20 % on A and 11 % on B"."""
    line, index = number.line, number.index
    quantity = line.quantities[index]
    head = chains(line)[index]
    if quantity.bound is None and head != index and line.quantities[head].bound == "up to":
        return "up to"
    return quantity.bound


def _shared(page: Page, number: Number, kind: str, pick: int) -> list[int]:
    """All that share one number with the pick: "on A and B", "latency and memory by 30 %".

    A list whose numbers go with its names one by one shares none.
    """
    line = number.line
    here = [p for p, item in enumerate(line.items) if pick in item.entities]
    run = run_of(line, number.index)
    if not here or len(run) > 1 or RESPECTIVELY & line.words or counterpart(page, line, number.index, kind) is not None:
        return [pick]
    nearest = min(here, key=lambda p: (abs(p - number.position), p))
    group = next(g for g in groups(line, kind) if nearest in g)
    if any(second == first + 1 for first, second in pairwise(group)):
        return [pick]  # "the Alpha Beta leaderboard" is no list
    members = list(dict.fromkeys(e for position in group for e in line.items[position].entities))
    if not 2 <= len(members) <= _MOST_SHARED[kind]:
        return [pick]
    return [NOTHING] if kind == "dataset" and _is_aside(number, group) else members


def _is_aside(number: Number, group: list[int]) -> bool:
    """Whether a number stands in a later clause than a list of names that does not open the sentence.

    Such a clause speaks of all that was tried: "is best on A and B, while being 2 times faster".
    """
    between = number.line.items[group[-1] + 1 : number.position]
    return group[0] > _OPENING and any(item.text in _ASIDE or item.participle for item in between)
