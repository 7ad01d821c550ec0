"""Answers that take more than one query: leaderboards, paper cards, comparisons, trends, and the ways of `trace`.

Every answer is a frozen dataclass whose numbers are as printed and whose rows carry their sentences.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from sotagraph.errors import NotFoundError
from sotagraph.graph import Graph
from sotagraph.resolve import ASKABLE, Names
from sotagraph.trace import Hop, Lineage, Step, lineage, path

__all__ = [
    "Comparison",
    "ComparisonRow",
    "Fact",
    "Hop",
    "Leaderboard",
    "Lineage",
    "PaperCard",
    "Score",
    "Step",
    "TrendPoint",
    "compare",
    "leaderboard",
    "lineage",
    "paper_card",
    "path",
    "trend",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One result as a row; labels where the graph has nodes, None where the paper does not say."""

    #: Place among the scores of one metric, from 1; equal values share it; None for gains.
    rank: int | None
    id: str
    method: str | None
    method_id: str | None
    #: As printed: ``92.5 to 93.0%``.
    value_text: str
    value: Decimal
    value_max: Decimal | None
    metric: str | None
    unit: str | None
    #: absolute, gain, speedup or reduction.
    kind: str
    #: ``higher`` or ``lower``, whichever is better; None where that is not known.
    direction: str | None
    bound: str | None
    condition: str | None
    dataset: str | None
    task: str | None
    baseline: str | None
    baseline_value: Decimal | None
    paper: str
    paper_id: str
    year: int | None
    sentence: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """What is reported on a dataset: absolute scores, ranked within each metric, and gains apart."""

    id: str
    label: str
    scores: tuple[Score, ...]
    gains: tuple[Score, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement of a paper, seen from its subject."""

    subject: str
    predicate: str
    id: str
    label: str
    kind: str
    sentence: str
    rule: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCard:
    """All that the graph knows of one paper; `facts` in the order of its sentences."""

    id: str
    label: str
    title: str
    year: int | None
    venue: str
    authors: tuple[str, ...]
    url: str
    identifiers: tuple[tuple[str, str], ...]
    text: str
    facts: tuple[Fact, ...]
    results: tuple[Score, ...]

    def objects(self, predicate: str) -> tuple[str, ...]:
        """Labels of what the paper ties to itself by a predicate, each once."""
        return tuple(dict.fromkeys(f.label for f in self.facts if f.predicate == predicate and f.subject == self.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """What the compared things score on one dataset by one metric, in their order; None where nothing is reported."""

    dataset: str | None
    metric: str | None
    values: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Things side by side: their scores, and what papers say of them to each other."""

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    statements: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPoint:
    """How many papers of a year are tied to a thing, and by what."""

    #: None gathers papers without a year.
    year: int | None
    papers: int
    by_predicate: tuple[tuple[str, int], ...]


def leaderboard(graph: Graph, dataset: str, *, metric: str | None = None, names: Names | None = None) -> Leaderboard:
    """The leaderboard of a dataset, found by any of its names.

    Metrics with most scores come first. Within one, the best stands first: by the result's direction, else by the
    metric's, else higher is taken for better.

    Args:
        graph: the graph.
        dataset: id, name or alias.
        metric: keep the results of this metric alone.
        names: the graph's names, where they are at hand.

    Raises:
        NotFoundError: there is no such dataset or metric; the message lists what is near.
    """
    names = names or Names.of(graph)
    node = names.one(dataset, ("Dataset",))
    wanted = set(names.find(metric, ("Metric",))) if metric else None
    results = [
        result
        for result, _, data in graph.in_edges(node, data=True)
        if data["predicate"] == "onDataset" and (wanted is None or wanted & set(_ends(graph, result).values()))
    ]
    found = [_score(graph, result) for result in sorted(set(results))]
    return Leaderboard(
        id=node,
        label=graph.nodes[node]["label"],
        scores=tuple(_ranked([score for score in found if score.kind == "absolute"])),
        gains=tuple(sorted((score for score in found if score.kind != "absolute"), key=_gain_order)),
    )


def _ranked(scores: Sequence[Score]) -> Iterator[Score]:
    by_metric: dict[str, list[Score]] = defaultdict(list)
    for score in scores:
        by_metric[score.metric or ""].append(score)
    # A group without a metric comes last whatever its size: its numbers may not be comparable.
    for _, group in sorted(by_metric.items(), key=lambda item: (not item[0], -len(item[1]), item[0])):
        directions = Counter(score.direction for score in group if score.direction)
        lower = bool(directions) and directions.most_common(1)[0][0] == "lower"
        group.sort(key=lambda s: (_reached(s, lower) if lower else -_reached(s, lower), s.method or "", s.id))
        place, last = 0, None
        for number, score in enumerate(group, 1):
            if (reached := _reached(score, lower)) != last:
                place, last = number, reached
            yield replace(score, rank=place)


def _reached(score: Score, lower: bool) -> Decimal:
    """The better end of a range."""
    return score.value if lower or score.value_max is None else score.value_max


def _gain_order(score: Score) -> tuple[Any, ...]:
    return (score.kind, score.metric or "", -(score.value_max or score.value), score.method or "", score.id)


def _ends(graph: Graph, result: str) -> dict[str, str]:
    return {data["predicate"]: target for _, target, data in graph.out_edges(result, data=True)}


def _score(graph: Graph, result: str) -> Score:
    data, ends = graph.nodes[result], _ends(graph, result)

    def label(predicate: str) -> str | None:
        return graph.nodes[ends[predicate]]["label"] if predicate in ends else None

    def number(name: str) -> Decimal | None:
        return Decimal(data[name]) if name in data else None

    higher = graph.nodes[ends["byMetric"]].get("higher_is_better") if "byMetric" in ends else None
    known = None if higher is None else "higher" if higher else "lower"
    paper = ends.get("reportedIn", "")
    return Score(
        rank=None,
        id=result,
        method=label("ofMethod"),
        method_id=ends.get("ofMethod"),
        value_text=data["value_text"],
        value=Decimal(data["value"]),
        value_max=number("value_max"),
        metric=label("byMetric"),
        unit=data.get("unit"),
        kind=data["result_kind"],
        direction=data.get("direction") or known,
        bound=data.get("bound"),
        condition=data.get("condition"),
        dataset=label("onDataset"),
        task=label("forTask"),
        baseline=label("againstBaseline"),
        baseline_value=number("baseline_value"),
        paper=label("reportedIn") or "",
        paper_id=paper,
        year=graph.nodes[paper].get("year") if paper else None,
        sentence=data.get("sentence", ""),
        confidence=data.get("confidence", 1.0),
    )


def paper_card(graph: Graph, name: str, *, names: Names | None = None) -> PaperCard:
    """What the graph knows of a paper, found by id, title, identifier, or by the name of what it alone puts forward.

    Raises:
        NotFoundError: no paper, or more than one, is meant; the message lists what is near.
    """
    node = _paper(graph, name, names or Names.of(graph))
    data = graph.nodes[node]
    edges = [(s, t, d) for s, t, d in graph.edges(data=True) if d.get("paper") == node and "sentence" in d]
    told = [edge for edge in edges if graph.nodes[edge[0]]["kind"] != "Result"]
    told.sort(key=lambda edge: (edge[2]["start"], edge[2]["end"], edge[2]["predicate"], edge[0], edge[1]))
    results = sorted(s for s, _, d in graph.in_edges(node, data=True) if d["predicate"] == "reportedIn")
    results.sort(key=lambda result: (graph.nodes[result].get("start", 0), graph.nodes[result].get("end", 0), result))
    return PaperCard(
        id=node,
        label=data["label"],
        title=data.get("title", ""),
        year=data.get("year"),
        venue=data.get("venue", ""),
        authors=tuple(
            graph.nodes[t]["label"] for _, t, d in graph.out_edges(node, data=True) if d["predicate"] == "writtenBy"
        ),
        url=data.get("url", ""),
        identifiers=tuple(sorted(json.loads(data.get("identifiers", "{}")).items())),
        text=data.get("text", ""),
        facts=tuple(_fact(graph, *edge) for edge in told),
        results=tuple(_score(graph, result) for result in results),
    )


def _paper(graph: Graph, name: str, names: Names) -> str:
    try:
        return names.one(name, ("Paper",))
    except NotFoundError as missing:
        try:
            things = names.find(name, ("Method", "Dataset", "Metric", "Task"))
        except NotFoundError:
            raise missing from None
        papers = sorted(
            {
                s
                for t in things
                for s, _, d in graph.in_edges(t, data=True)
                if d["predicate"] in ("proposes", "introduces")
            }
        )
        if len(papers) == 1:
            return papers[0]
        if not papers:
            raise NotFoundError(
                f"no paper is called {name!r}; {', '.join(things)} has that name, but no paper proposes it"
            ) from None
        listed = ", ".join(f"{paper} ({graph.nodes[paper]['label']})" for paper in papers)
        raise NotFoundError(f"{len(papers)} papers put {name!r} forward; give the id of one: {listed}") from None


def _fact(graph: Graph, source: str, target: str, data: dict[str, Any]) -> Fact:
    return Fact(
        subject=source,
        predicate=data["predicate"],
        id=target,
        label=graph.nodes[target]["label"],
        kind=graph.nodes[target]["kind"],
        sentence=data.get("sentence", ""),
        rule=data.get("rule", ""),
        confidence=data.get("confidence", 1.0),
    )


def compare(graph: Graph, things: Iterable[str], *, names: Names | None = None) -> Comparison:
    """Methods or papers side by side: a row for each dataset and metric on which any of them has an absolute score.

    Raises:
        NotFoundError: a name means nothing, or several things.
    """
    names = names or Names.of(graph)
    ids = tuple(dict.fromkeys(names.one(thing, ("Method", "Paper")) for thing in things))
    cells: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for node in ids:
        owned = {s for s, _, d in graph.in_edges(node, data=True) if d["predicate"] in ("ofMethod", "reportedIn")}
        for score in (_score(graph, result) for result in sorted(owned)):
            if score.kind == "absolute":
                shown = score.value_text + (f" ({score.condition})" if score.condition else "")
                cells[score.dataset or "", score.metric or ""][node].append(shown)
    between = [(s, t, d) for s, t, d in graph.edges(data=True) if s in ids and t in ids and "sentence" in d]
    return Comparison(
        ids=ids,
        labels=tuple(graph.nodes[node]["label"] for node in ids),
        rows=tuple(
            ComparisonRow(
                dataset=dataset or None,
                metric=metric or None,
                values=tuple("; ".join(found[node]) if node in found else None for node in ids),
            )
            for (dataset, metric), found in sorted(cells.items())
        ),
        statements=tuple(_fact(graph, *edge) for edge in between),
    )


def trend(graph: Graph, name: str, *, names: Names | None = None) -> tuple[TrendPoint, ...]:
    """Papers a year that are tied to a thing, by any predicate, oldest first.

    Raises:
        NotFoundError: nothing, or more than one thing, is called so.
    """
    node = (names or Names.of(graph)).one(name, tuple(kind for kind in ASKABLE if kind != "Paper"))
    tied: dict[int | None, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for source, _, data in graph.in_edges(node, data=True):
        if graph.nodes[source]["kind"] == "Paper":
            tied[graph.nodes[source].get("year")][data["predicate"]].add(source)
    return tuple(
        TrendPoint(
            year=year,
            papers=len(set().union(*by.values())),
            by_predicate=tuple(sorted((predicate, len(papers)) for predicate, papers in by.items())),
        )
        for year, by in sorted(tied.items(), key=lambda item: (item[0] is None, item[0] or 0))
    )
