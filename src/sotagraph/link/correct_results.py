"""Corrections of results: one that is none is dropped, and what stands in a slot is set right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from sotagraph.corrections import SLOTS, Correction
from sotagraph.ids import paper_id
from sotagraph.link.correct import ThingNames, Warn, as_reason, tell_stale
from sotagraph.link.forms import clean
from sotagraph.link.things import Thing
from sotagraph.model import PAPER, Document, Result

__all__ = ["correct_results"]


def correct_results(
    scored: Sequence[Result],
    things: Sequence[Thing],
    documents: Mapping[str, Document],
    corrections: Iterable[Correction],
    warn: Warn,
) -> list[Result]:
    """The results without those that are rejected, and with the slots that corrections set, in the corrections' order.

    A line that matches no result, or several that differ, or changes nothing, is told to `warn` and has no effect.
    """
    wanted = [(n, c) for n, c in enumerate(corrections, 1) if c.action in ("reject-result", "set-result")]
    if not wanted:
        return list(scored)
    bench = _Bench(things, documents)
    left = list(scored)
    for number, correction in wanted:
        done = bench.apply(left, correction)
        if isinstance(done, str):
            tell_stale(warn, number, correction, done)
        else:
            left = done
    return left


class _Bench:
    """What corrections of results are worked out with."""

    def __init__(self, things: Sequence[Thing], documents: Mapping[str, Document]) -> None:
        self.names = ThingNames(things)
        self.by_sense = {thing.sense: thing for thing in things}
        self.by_id = {thing.id: thing for thing in things}
        self.documents = documents

    def apply(self, scored: Sequence[Result], correction: Correction) -> list[Result] | str:
        """The results as the correction leaves them, or why it has no effect."""
        found = self._meant(scored, correction)
        if isinstance(found, str):
            return found
        if correction.action == "reject-result":
            self._tell(correction, _fillers(found[0]))
            return [result for result in scored if not any(result is one for one in found)]
        slot = correction.names[1]
        filler = self._filler(slot, correction, found[0])
        if isinstance(filler, _Problem):
            return filler.text
        old = getattr(found[0], slot)
        if filler == old:
            return f"the {slot} is {correction.to or 'empty'} already"
        self._tell(correction, [old, filler])
        return [self._set(one, slot, filler) if any(one is f for f in found) else one for one in scored]

    def _meant(self, scored: Iterable[Result], correction: Correction) -> list[Result] | str:
        """The results of the correction's number: one, or several that say the same in as many sentences."""
        number, *names = correction.names
        if correction.action == "set-result":
            names = names[1:]
        [wanted] = correction.papers
        here = [r for r in scored if wanted in self._called(r.evidence.document_id)]
        found = [r for r in here if _same_number(number, r) and all(self._names(r, name) for name in names)]
        if not found:
            told = f" with {', '.join(names)}" if names else ""
            return f"{wanted} has no result {number}{told} any more"
        if len({_fillers(result) for result in found}) > 1:
            return f"{wanted} has {len(found)} results {number}; add a name that only the one has"
        return found

    def _called(self, document_id: str) -> set[str]:
        return {document_id, paper_id(self.documents[document_id]).partition("/")[2]}

    def _names(self, result: Result, name: str) -> bool:
        ends = {self.by_sense[sense].id for sense in self.names.named(name)}
        if name == PAPER:
            ends = {paper_id(self.documents[result.evidence.document_id])}
        return bool(ends & set(_fillers(result)))

    def _filler(self, slot: str, correction: Correction, result: Result) -> str | _Problem | None:
        """What the correction puts into the slot: an id, or nothing."""
        name, kind = correction.to, "method" if slot == "baseline" else slot
        if not name:
            return None
        if name == PAPER and kind == "method":
            return paper_id(self.documents[result.evidence.document_id])
        senses = self.names.named(name, correction.kind or kind)
        if not senses:
            return _Problem(f"no {correction.kind or kind} is called {name!r}")
        if len(senses) > 1:
            return _Problem(f"{name!r} names {len(senses)} things ({self.names.tell(senses)}); say the id instead")
        thing = self.by_sense[senses[0]]
        return thing.id if thing.kind == kind else _Problem(f"a {thing.kind} cannot be the {slot} of a result")

    def _set(self, result: Result, slot: str, filler: str | None) -> Result:
        changed: dict[str, Any] = {slot: filler}
        if slot == "metric":
            entry = self.by_id[filler].entry if filler else None
            better = entry.higher_is_better if entry else None
            changed["direction"] = None if better is None else "higher" if better else "lower"
        evidence = replace(result.evidence, rule=f"{result.evidence.rule.removesuffix('+corrected')}+corrected")
        return replace(result, evidence=evidence, **changed)

    def _tell(self, correction: Correction, ends: Iterable[str | None]) -> None:
        """Let the things that a result named or names show the correction among their reasons."""
        said = " ".join((*correction.names, *(("to", correction.to) if correction.to else ())))
        for end in dict.fromkeys(ends):
            if thing := self.by_id.get(end or ""):
                thing.reasons.append(as_reason(correction, correction.papers[0], said))


class _Problem:
    """Why a slot cannot be filled so."""

    def __init__(self, text: str) -> None:
        self.text = text


def _fillers(result: Result) -> tuple[str | None, ...]:
    return tuple(getattr(result, slot) for slot in SLOTS)


def _same_number(text: str, result: Result) -> bool:
    """Whether a number is the result's, as the paper prints it or by its value, with or without a percent sign."""
    plain = clean(text).rstrip("%").strip()
    if plain == clean(result.value_text).rstrip("%").strip():
        return True
    try:
        return Decimal(plain) == result.value
    except InvalidOperation:
        return False
