"""Sizes, versions, years and splits: edges from a name to the name it is a variant of, where the corpus has both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sotagraph.ids import entity_id
from sotagraph.link.forms import normal
from sotagraph.link.things import Thing
from sotagraph.model import Evidence, Reason, Statement
from sotagraph.variants import Base, parents

__all__ = ["families"]

#: How sure a relation is that only the form of a name speaks for.
SURE = {"modified": 0.7, "setting": 0.8, "phrase": 0.8}
#: So many variants of a name that no paper uses alone make a family of that name.
SIBLINGS = 2


def families(
    things: Sequence[Thing],
    spoken: Iterable[tuple[str, str]],
    sentences: Mapping[str, Sequence[tuple[int, int]]],
    *,
    told: Sequence[tuple[Thing, Thing]] = (),
) -> tuple[list[Statement], list[Thing]]:
    """The `variantOf` statements that names imply, and the families that only their members' names imply.

    `spoken` holds the (variant, base) pairs that papers state themselves, which are left alone; `sentences` the known
    sentence ranges of each document, for the evidence: the sentence of the variant's first mention. `told` are pairs
    of which single papers call one thing by both names, the second the wider.
    """
    known = _by_name(things)
    ids = {thing.id for thing in things}
    stated = set(spoken)
    found: list[Statement] = []
    waiting: dict[tuple[str, str], list[tuple[Thing, Base]]] = defaultdict(list)
    for thing in things:
        if thing.sense[0] == "u":
            continue
        base, steps = _nearest(thing, known)
        if base is None:
            # Two tasks may have a word in common and no more.
            if thing.kind != "task" and (first := next(parents(thing.name, thing.kind), None)):
                waiting[thing.kind, normal(first[0].name, thing.kind).key].append((thing, first[0]))
            continue
        if (thing.id, base.id) not in stated and (base.id, thing.id) not in stated:
            found.append(_statement(thing, base.id, steps, sentences))
    tied = stated | {(said.subject, said.object) for said in found}
    for narrow, wide in told:
        if {(narrow.id, wide.id), (wide.id, narrow.id)}.isdisjoint(tied):
            found.append(_statement(narrow, wide.id, (Base(wide.name, "phrase", narrow.name),), sentences))
    implied = []
    for (kind, _), children in sorted(waiting.items()):
        head = min((base.name for _, base in children), key=lambda name: (len(name), name))
        if len(children) < SIBLINGS or entity_id(kind, head) in ids:
            continue
        reasons = [
            Reason(action="variant", rule="family", other=child.id, detail="no paper uses the family's name alone")
            for child, _ in children
        ]
        family = Thing(sense=f"f|{kind}|{head}", atoms=[], kind=kind, name=head, label=head, reasons=reasons)
        implied.append(family)
        found += [_statement(child, family.id, (base,), sentences) for child, base in children]
    return sorted(found, key=lambda s: (s.subject, s.object)), implied


def _by_name(things: Sequence[Thing]) -> dict[tuple[str, str], list[Thing]]:
    known: dict[tuple[str, str], list[Thing]] = defaultdict(list)
    for thing in things:
        if thing.sense[0] == "u":
            continue
        keys = {normal(thing.name, thing.kind).key} | {
            key for atom in thing.atoms for key in (atom.normal.key, atom.short)
        }
        for name in sorted(keys):
            known[thing.kind, name].append(thing)
    return known


def _nearest(thing: Thing, known: Mapping[tuple[str, str], Sequence[Thing]]) -> tuple[Thing | None, tuple[Base, ...]]:
    """The nearest base that the corpus has, if its name is the name of one thing only."""
    for chain in parents(thing.name, thing.kind):
        candidates = [
            other for other in known.get((thing.kind, normal(chain[-1].name, thing.kind).key), ()) if other is not thing
        ]
        own = {atom.document.id for atom in thing.atoms}
        near = [other for other in candidates if any(atom.document.id in own for atom in other.atoms)]
        for some in (candidates, near):
            if len(some) == 1:
                return some[0], chain
        if candidates:
            return None, ()
    return None, ()


def _statement(
    thing: Thing, base: str, steps: tuple[Base, ...], sentences: Mapping[str, Sequence[tuple[int, int]]]
) -> Statement:
    rules = "+".join(dict.fromkeys(step.rule for step in steps))
    pieces = ", ".join(step.piece for step in steps)
    thing.reasons.append(Reason(action="variant", rule=rules, other=base, detail=pieces))
    atom = min(thing.atoms, key=lambda atom: (not atom.entity.mentions, atom.rank))
    start, end = (atom.entity.mentions[0].start, atom.entity.mentions[0].end) if atom.entity.mentions else (0, 0)
    holding = [s for s in sentences.get(atom.document.id, ()) if s[0] <= start and end <= s[1]]
    start, end = min(holding, key=lambda s: (s[1] - s[0], s), default=(start, end))
    confidence = min((SURE.get(step.rule, 0.95) for step in steps), default=0.95)
    evidence = Evidence(document_id=atom.document.id, start=start, end=end, rule=f"variant:{rules}")
    return Statement(subject=thing.id, predicate="variantOf", object=base, evidence=evidence, confidence=confidence)
