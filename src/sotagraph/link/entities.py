"""From things to entities: labels, reasons, and what shares a name and is not the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

from sotagraph.link.forms import clean, key
from sotagraph.link.reasons import doubts, joins, kinds, split
from sotagraph.link.senses import Senses
from sotagraph.link.things import Thing, usual
from sotagraph.model import Entity

__all__ = ["to_entities"]

#: Above this many things of one name, each is told apart from the first alone, so that pairs stay few.
MANY = 12
#: A longer long form makes no readable label.
LABEL_LENGTH = 60


def to_entities(
    things: Sequence[Thing], senses: Senses, tasks: Mapping[str, str]
) -> tuple[list[Entity], list[tuple[str, str]]]:
    """The entities with their labels and reasons, and the pairs that share a name and are not the same.

    `tasks` says, by document id, what a paper is about; it makes readable labels.
    """
    _label(things, tasks)
    by_sense = {thing.sense: thing for thing in things}
    pairs = _different(things)
    for thing in things:
        thing.reasons += [*joins(thing, senses), *kinds(thing), *doubts(thing, senses, by_sense)]
    for left, right in pairs:
        for one, other in ((left, right), (right, left)):
            one.reasons.append(split(one, other))
    owners = _owners(things)
    entities = [_entity(thing, owners) for thing in things]
    return entities, sorted({tuple(sorted((a.id, b.id))) for a, b in pairs})  # type: ignore[misc]


def _different(things: Sequence[Thing]) -> list[tuple[Thing, Thing]]:
    names: dict[str, dict[str, Thing]] = defaultdict(dict)
    for thing in things:
        if thing.sense[0] != "u":  # What could not be settled is not known to be different.
            for name in {name for atom in thing.atoms for name in (atom.normal.key, atom.short)}:
                names[name][thing.sense] = thing
    pairs: dict[tuple[str, str], tuple[Thing, Thing]] = {}
    for name in sorted(name for name, some in names.items() if len(some) > 1):
        found = [names[name][sense] for sense in sorted(names[name])]
        some = combinations(found, 2) if len(found) <= MANY else ((found[0], other) for other in found[1:])
        pairs.update({(a.sense, b.sense): (a, b) for a, b in some})
    return [pairs[pair] for pair in sorted(pairs)]


def _label(things: Sequence[Thing], tasks: Mapping[str, str]) -> None:
    same: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        thing.label = thing.name
        same[key(thing.name)].append(thing)
    for group in same.values():
        if len(group) > 1:
            known = usual(group)
            for thing in group:
                if thing is not known:
                    thing.label = f"{thing.name} ({_note(thing, group, tasks)})"
    taken = Counter(thing.label for thing in things)
    for thing in things:
        if taken[thing.label] > 1:
            thing.label = (
                f"{thing.label[:-1]}, {thing.paper or thing.kind})"
                if thing.label.endswith(")")
                else f"{thing.label} ({thing.kind})"
            )


def _note(thing: Thing, group: Sequence[Thing], tasks: Mapping[str, str]) -> str:
    """What tells a thing from others of its name: its long form, its kind, its paper's task, or its paper."""
    if thing.sense[0] == "u":
        return f"unclear in {thing.atoms[0].paper}"
    if thing.long_form and len(thing.long_form) <= LABEL_LENGTH:
        return thing.long_form
    if sum(other.kind == thing.kind for other in group) == 1:
        return thing.kind
    for atom in thing.proposers or thing.atoms[:1]:
        if task := tasks.get(atom.document.id):
            return task
    if not thing.paper:
        return thing.kind
    return (thing.proposers or thing.atoms)[0].document.title or thing.paper


def _owners(things: Sequence[Thing]) -> dict[tuple[str, str], set[str]]:
    """By kind and key, the things that have a name as their own and not only as another form.

    The long form counts, and what the lexicon calls a thing: what one paper writes for event extraction may be the name
    of another task to all the others (event argument extraction, EAE).
    """
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    for thing in things:
        for name in {name for atom in thing.atoms for name in (atom.entity.name, atom.long) if name}:
            owners[thing.kind, key(name)].add(thing.sense)
        if thing.entry and thing.entry.kind == thing.kind:
            for name in (thing.entry.name, *thing.entry.aliases):
                owners[thing.kind, key(name)].add(thing.sense)
    return owners


def _entity(thing: Thing, owners: Mapping[tuple[str, str], set[str]]) -> Entity:
    written = {form for atom in thing.atoms for form in atom.forms}
    forms = {*map(clean, written), thing.long_form} - {"", thing.name}
    aliases = {form for form in forms if thing.sense in owners.get((thing.kind, key(form)), {thing.sense})}
    return Entity(
        id=thing.id,
        kind=thing.kind,
        name=thing.name,
        label=thing.label,
        aliases=tuple(sorted(aliases)),
        long_form=thing.long_form,
        links=tuple(sorted(thing.entry.links)) if thing.entry and thing.entry.kind == thing.kind else (),
        higher_is_better=thing.entry.higher_is_better if thing.entry and thing.kind == "metric" else None,
        reasons=tuple(sorted(set(thing.reasons))),
    )
