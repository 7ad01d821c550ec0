"""Whether a confidence of 0.8 means right four times in five: judging findings, reliability tables, isotonic tables.

A finding is right when it matches the annotation, or something that annotators call optional; what the scorer passes
over (neutral terms, statements about optional names) is not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

Record = dict[str, Any]
#: (confidence, right)
Judged = tuple[float, bool]
WHAT = ("entity", "statement", "result")
BINS = 10
#: Findings a point of a table rests on, at least.
LEAST_IN_POINT = 40
#: Share of the raw figure that is mixed in, so that tables rise strictly and no order is lost.
SLOPE = 0.05


def judge(scorer: Any, truth: Record, found: Record) -> dict[str, list[Judged]]:
    """Each finding of one paper with whether it is right, by kind; `scorer` is the module of the shared scorer."""
    paper = scorer.Paper(truth)
    return {
        "entity": _entities(scorer, paper, found),
        "statement": _statements(scorer, paper, truth, found),
        "result": _results(scorer, paper, truth, found),
    }


def _entities(scorer: Any, paper: Any, found: Record) -> list[Judged]:
    def same(gold: Record, said: Record) -> bool:
        return said["type"] in (gold["type"], gold.get("type_alt")) and bool(scorer.forms(gold) & scorer.forms(said))

    core = [e for e in paper.entities if not e.get("optional")]
    borderline = [e for e in paper.entities if e.get("optional")]
    pairs, _, free = scorer.pair(core, found["entities"], same)
    more, _, free = scorer.pair(borderline, free, same)
    wrong = [e for e in free if not paper.passes(e["name"])]
    return [(e["confidence"], True) for _, e in (*pairs, *more)] + [(e["confidence"], False) for e in wrong]


def _statements(scorer: Any, paper: Any, truth: Record, found: Record) -> list[Judged]:
    def same(gold: Sequence[Any], said: Sequence[Any]) -> bool:
        return gold[1] == said[1] and paper.same_subject(gold[0], said[0]) and paper.same(gold[2], said[2])

    said = [
        (*triple, evidence["confidence"])
        for triple, evidence in zip(found["relations"], found["relation_evidence"], strict=True)
    ]
    pairs, _, free = scorer.pair(truth.get("relations") or [], said, same)
    more, _, free = scorer.pair(truth.get("relations_optional") or [], free, same)
    wrong = [t for t in free if not (paper.passes(t[0]) or paper.passes(t[2]))]
    return [(t[3], True) for _, t in (*pairs, *more)] + [(t[3], False) for t in wrong]


def _results(scorer: Any, paper: Any, truth: Record, found: Record) -> list[Judged]:
    """Right means the whole tuple is: value, unit, kind, dataset, method, metric and, where there is one, baseline."""

    def value(gold: Record, said: Record) -> bool:
        kinds = (gold.get("kind"), *(gold.get("accept") or {}).get("kind", ()))
        return (
            scorer.close(gold.get("value"), said.get("value"))
            and scorer.close(gold.get("value_max"), said.get("value_max"))
            and scorer.unit(gold.get("unit")) == scorer.unit(said.get("unit"))
            and said.get("kind") in kinds
        )

    def fits(gold: Record, said: Record, slot: str) -> bool:
        allowed = (gold.get(slot), *(gold.get("accept") or {}).get(slot, ()))
        if slot == "method":
            return any(paper.same_subject(name or scorer.PAPER, said.get(slot) or scorer.PAPER) for name in allowed)
        return any(paper.same(name, said.get(slot)) for name in allowed)

    def full(gold: Record, said: Record) -> bool:
        slots = ["dataset", "method", "metric", *(["baseline"] if gold.get("baseline") else [])]
        return value(gold, said) and all(fits(gold, said, slot) for slot in slots)

    results = truth.get("results") or []
    pairs, _, free = scorer.pair([r for r in results if not r.get("optional")], found["results"], full)
    borderline = [r for r in results if r.get("optional")]
    more, left, free = scorer.pair(borderline, free, full)
    # A borderline result with another filler counts neither way, as in the scorer.
    _, _, free = scorer.pair(left, free, value)
    return [(r["evidence"]["confidence"], True) for _, r in (*pairs, *more)] + [
        (r["evidence"]["confidence"], False) for r in free
    ]


def tables(
    scorer: Any, papers: Mapping[str, tuple[str, Record]], records: Mapping[str, Record]
) -> dict[str, dict[str, Any]]:
    """The reliability table of each kind of finding over (abstract, annotation) papers and their records."""
    judged: dict[str, list[Judged]] = {what: [] for what in WHAT}
    for key, (_, truth) in papers.items():
        for what, items in judge(scorer, truth, records[key]).items():
            judged[what] += items
    return {what: table(items) for what, items in judged.items()}


def table(judged: Iterable[Judged]) -> dict[str, Any]:
    """Ten equal bins with count, mean confidence and share right, and the expected calibration error (ECE).

    >>> whole = table([(0.95, True), (0.91, True), (0.25, False)])
    >>> whole["count"], whole["right"], whole["ece"]
    (3, 0.667, 0.13)
    """
    bins: list[list[Judged]] = [[] for _ in range(BINS)]
    for confidence, right in judged:
        bins[min(BINS - 1, int(confidence * BINS))].append((confidence, right))
    rows: list[dict[str, float | None]] = []
    total = sum(map(len, bins))
    error = 0.0
    for number, items in enumerate(bins):
        row: dict[str, float | None] = {"low": number / BINS, "count": len(items), "confidence": None, "right": None}
        if items:
            confidence, right = _means(items)
            row |= {"confidence": round(confidence, 3), "right": round(right, 3)}
            error += len(items) / total * abs(confidence - right)
        rows.append(row)
    everything = [item for items in bins for item in items]
    confidence, right = _means(everything) if everything else (0.0, 0.0)
    return {
        "bins": rows,
        "count": total,
        "confidence": round(confidence, 3),
        "right": round(right, 3),
        "ece": round(error, 3),
    }


def _means(items: Sequence[Judged]) -> tuple[float, float]:
    return sum(c for c, _ in items) / len(items), sum(r for _, r in items) / len(items)


def _joined(a: tuple[float, int, int], b: tuple[float, int, int]) -> tuple[float, int, int]:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _rises(a: tuple[float, int, int], b: tuple[float, int, int]) -> bool:
    return _share(a) < _share(b)


def _share(pool: tuple[float, int, int]) -> float:
    """The share right; one more right and one more wrong keep those of small pools away from 0 and 1."""
    return (pool[1] + 1) / (pool[2] + 2)


def isotonic(judged: Iterable[Judged]) -> list[tuple[float, float]]:
    """Points of a strictly rising table (raw, calibrated) from 0 to 1, fitted by pooling adjacent violators.

    >>> isotonic([])
    [(0.0, 0.0), (1.0, 1.0)]
    >>> points = isotonic([(0.5 + i / 1000, i % 2 == 0) for i in range(400)])
    >>> all(a < c and b < d for (a, b), (c, d) in zip(points, points[1:]))
    True
    """
    items = sorted(judged)
    if len(items) < LEAST_IN_POINT:
        return [(0.0, 0.0), (1.0, 1.0)]
    least = max(LEAST_IN_POINT, len(items) // BINS)
    # (sum of confidences, number right, count) of neighbours; equal figures stay together.
    pools: list[tuple[float, int, int]] = []
    for _, group in groupby(items, key=lambda item: item[0]):
        part = list(group)
        new = (sum(c for c, _ in part), sum(r for _, r in part), len(part))
        pools.append(new if not pools or pools[-1][2] >= least else _joined(pools.pop(), new))
    if len(pools) > 1 and pools[-1][2] < least:
        last = pools.pop()
        pools.append(_joined(pools.pop(), last))
    # Pooled as long as the share falls where the confidence rises.
    rising_pools: list[tuple[float, int, int]] = []
    for pool in pools:
        rising_pools.append(pool)
        while len(rising_pools) > 1 and not _rises(rising_pools[-2], rising_pools[-1]):
            last = rising_pools.pop()
            rising_pools.append(_joined(rising_pools.pop(), last))
    means = [(pool[0] / pool[2], _share(pool)) for pool in rising_pools]
    points = [(x, (1 - SLOPE) * y + SLOPE * x) for x, y in means if 0.0 < x < 1.0]
    rising = [(0.0, 0.0), *[(round(x, 4), round(y, 4)) for x, y in points]]
    return [*rising, (1.0, round(min(1.0, rising[-1][1] + SLOPE * (1.0 - rising[-1][0]) + 0.001), 4))]
