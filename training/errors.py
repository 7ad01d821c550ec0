"""What goes wrong, counted by kind: names, relations and slots of results, with the causes that can be told by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

Record = dict[str, Any]
#: Slots of a result that may be wrong where its number is right, in the order of the tables.
SLOTS = ("method", "dataset", "metric", "baseline")
Counts = dict[str, Counter[str]]


def count(scorer: Any, papers: Iterable[tuple[Record, Record]]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts over (annotation, record) pairs: ``entities`` and ``relations`` by kind, ``results`` by slot."""
    entities: Counts = {}
    relations: Counts = {}
    results: Counts = {}
    for truth, found in papers:
        paper = scorer.Paper(truth)
        _entities(scorer, paper, found, entities)
        _relations(scorer, paper, truth, found, relations)
        _results(scorer, paper, truth, found, results)
    return {
        name: {kind: dict(sorted(row.items())) for kind, row in sorted(counts.items())}
        for name, counts in (("entities", entities), ("relations", relations), ("results", results))
    }


def _add(counts: Counts, kind: str, *columns: str) -> None:
    counts.setdefault(kind, Counter()).update(columns)


def _entities(scorer: Any, paper: Any, found: Record, counts: Counts) -> None:
    """Missed and spurious names; a name that is found under another kind or with other borders is told apart."""

    def same(gold: Record, said: Record) -> bool:
        return said["type"] in (gold["type"], gold.get("type_alt")) and bool(scorer.forms(gold) & scorer.forms(said))

    core = [e for e in paper.entities if not e.get("optional")]
    pairs, missed, free = scorer.pair(core, found["entities"], same)
    _, _, free = scorer.pair([e for e in paper.entities if e.get("optional")], free, same)
    spurious = [e for e in free if not paper.passes(e["name"])]
    for gold, _ in pairs:
        _add(counts, gold["type"], "gold", "right")
    for gold in missed:
        forms = scorer.forms(gold)
        others = [e for e in found["entities"] if forms & scorer.forms(e)]
        cause = "other kind" if others else "other borders" if _inside(forms, found, scorer) else "not seen"
        _add(counts, gold["type"], "gold", "missed", f"missed: {cause}")
    known = {"entities": paper.entities}
    for extra in spurious:
        forms = scorer.forms(extra)
        others = [e for e in paper.entities if forms & scorer.forms(e)]
        cause = "other kind" if others else "other borders" if _inside(forms, known, scorer) else "no name"
        _add(counts, extra["type"], "spurious", f"spurious: {cause}")


def _inside(forms: set[str], record: Record, scorer: Any) -> bool:
    """Whether a name of the record holds one of the forms as whole words, or is held by one."""
    theirs = {form for entity in record["entities"] for form in scorer.forms(entity)}
    return any(f" {a} " in f" {b} " or f" {b} " in f" {a} " for a in forms for b in theirs)


def _relations(scorer: Any, paper: Any, truth: Record, found: Record, counts: Counts) -> None:
    """Missed and spurious relations; missed ones by whether both ends were found as names at all."""

    def same(gold: Sequence[str], said: Sequence[str]) -> bool:
        return gold[1] == said[1] and paper.same_subject(gold[0], said[0]) and paper.same(gold[2], said[2])

    pairs, missed, free = scorer.pair(truth.get("relations") or [], found["relations"], same)
    _, _, free = scorer.pair(truth.get("relations_optional") or [], free, same)
    named = set().union(*map(scorer.forms, found["entities"]), {scorer.PAPER})
    for gold, _ in pairs:
        _add(counts, gold[1], "gold", "right")
    for subject, predicate, thing in missed:
        ends = (_known(scorer, paper, subject, named), _known(scorer, paper, thing, named) or predicate == "hasCode")
        _add(counts, predicate, "gold", "missed", f"missed: {'ends found' if all(ends) else 'an end not found'}")
    for subject, predicate, thing in free:
        if not (paper.passes(subject) or paper.passes(thing)):
            ends = [scorer.form(end) in paper.named | {scorer.PAPER} for end in (subject, thing)]
            cause = "ends are names" if all(ends) else "an end is no name"
            _add(counts, predicate, "spurious", f"spurious: {cause}")


def _known(scorer: Any, paper: Any, name: str, named: set[str]) -> bool:
    """Whether any form of an annotated name is among the names found."""
    form = scorer.form(name)
    return form in named or any(form in group and group & named for group in paper.groups)


def _results(scorer: Any, paper: Any, truth: Record, found: Record, counts: Counts) -> None:
    """Numbers missed and spurious, then the slots of the results whose number is right."""

    def value(gold: Record, said: Record) -> bool:
        return bool(
            scorer.close(gold.get("value"), said.get("value"))
            and scorer.close(gold.get("value_max"), said.get("value_max"))
        )

    results = truth.get("results") or []
    core = [r for r in results if not r.get("optional")]

    def agreement(said: Record, gold: Record) -> int:
        return sum(_fits(scorer, paper, gold, said, slot) for slot in SLOTS)

    free = list(found["results"])
    for gold in core:
        fitting = [r for r in free if value(gold, r)]
        if not fitting:
            _add(counts, "number", "gold", "missed")
            continue
        said = max(fitting, key=lambda r, gold=gold: agreement(r, gold))  # type: ignore[misc]
        free.remove(said)
        _add(counts, "number", "gold", "right")
        wrong = [slot for slot in SLOTS if not _fits(scorer, paper, gold, said, slot)]
        if said.get("kind") not in (gold.get("kind"), *(gold.get("accept") or {}).get("kind", ())):
            wrong.append("kind")
        if scorer.unit(gold.get("unit")) != scorer.unit(said.get("unit")):
            wrong.append("unit")
        for slot in wrong:
            want, have = gold.get(slot), said.get(slot)
            _add(counts, slot, "wrong", "empty" if want and not have else "filled" if have and not want else "other")
    _, _, free = scorer.pair([r for r in results if r.get("optional")], free, value)
    for _ in free:
        _add(counts, "number", "spurious")


def _fits(scorer: Any, paper: Any, gold: Record, said: Record, slot: str) -> bool:
    allowed = (gold.get(slot), *(gold.get("accept") or {}).get(slot, ()))
    if slot == "baseline" and not gold.get(slot):
        return True
    if slot == "method":
        return any(paper.same_subject(name or scorer.PAPER, said.get(slot) or scorer.PAPER) for name in allowed)
    return any(paper.same(name, said.get(slot)) for name in allowed)
