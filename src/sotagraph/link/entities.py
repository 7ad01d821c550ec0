"""From senses to entities: one kind, one name, one id and one label each, and the reasons for all of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sotagraph.ids import entity_id
from sotagraph.link.atoms import Atom, Entry
from sotagraph.link.forms import is_proper, normal, singular
from sotagraph.link.senses import DOMINANT, ESTABLISHED, Senses
from sotagraph.model import Entity, Reason
from sotagraph.names import clean, key
from sotagraph.schema import ENTITY_KINDS

__all__ = ["Thing", "things_of", "to_entities"]

#: Above this many things of one name, each is told apart from the first alone, so that pairs stay few.
MANY = 12
#: Bare mentions of another kind outweigh a proposer's from this many papers on.
OUTVOTED = 5
#: With more papers than this, the spelling of most counts for more than that of the paper that coins the name.
FEW = 10
#: Choices that join nothing, or that have reasons of their own.
_SILENT = ("same-name", "proposer", "ambiguous", "corrected")
#: A longer long form makes no readable label.
LABEL_LENGTH = 60


@dataclass(slots=True, eq=False)
class Thing:
    """A sense on its way to an entity."""

    sense: str
    atoms: list[Atom]
    kind: str
    name: str
    entry: Entry | None = None
    long_form: str = ""
    #: The key of the paper that tells it from others of its name, where its id needs that.
    paper: str = ""
    label: str = ""
    reasons: list[Reason] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The id of the entity that it becomes."""
        return entity_id(self.kind, self.name, homonym_of=self.paper)

    @property
    def proposers(self) -> list[Atom]:
        """The atoms whose papers put it forward."""
        return [atom for atom in self.atoms if atom.proposed]


def things_of(senses: Senses) -> list[Thing]:
    """One thing a sense, with its kind and name settled and no two of one id."""
    members = senses.members()
    contested = _contested(members)
    things = []
    for sense, atoms in members.items():
        entry = senses.entries.get(sense)
        kind = senses.kinds.get(sense) or _kind(atoms, entry)
        thing = Thing(sense=sense, atoms=atoms, kind=kind, name="", entry=entry, long_form=_long_form(atoms))
        thing.name = senses.names.get(sense) or _name(thing, contested)
        thing.reasons += senses.notes.get(sense, [])
        things.append(thing)
    _tell_apart(things)
    return things


def _kind(atoms: Sequence[Atom], entry: Entry | None) -> str:
    """The lexicon's kind, else that of the papers that coin the thing, else that of most papers."""
    if entry:
        return entry.kind
    votes: Counter[str] = Counter()
    papers: Counter[str] = Counter()
    for atom in atoms:
        votes[atom.kind] += round(1000 * atom.entity.confidence)
        papers[atom.kind] += 1
    most = min(votes, key=lambda kind: (-votes[kind], ENTITY_KINDS.index(kind)))
    coined = Counter(atom.kind for atom in atoms if atom.proposed)
    if coined:
        first = min(coined, key=lambda kind: (-coined[kind], ENTITY_KINDS.index(kind)))
        if not (papers[most] >= OUTVOTED and papers[most] >= 3 * papers[first]):
            return first
    return most


def _long_form(atoms: Sequence[Atom]) -> str:
    counts = Counter(clean(atom.long) for atom in atoms if atom.long)
    return min(counts, key=lambda long: (-counts[long], long), default="")


def _contested(members: Mapping[str, Sequence[Atom]]) -> set[tuple[str, str]]:
    """Pairs of a sense and a name that it has no better right to than some other sense."""
    papers: dict[str, Counter[str]] = defaultdict(Counter)
    for sense, atoms in members.items():
        for atom in atoms:
            for name in {atom.normal.key, atom.short}:
                papers[name][sense] += 1
    found = set()
    for name, counts in papers.items():
        (first, most), *others = counts.most_common(2) if len(counts) > 1 else [("", 0)]
        usual = first if others and most >= ESTABLISHED and most >= DOMINANT * others[0][1] else ""
        found |= {(sense, name) for sense in counts if others and sense != usual}
    return found


def _name(thing: Thing, contested: set[tuple[str, str]]) -> str:
    """The form that most papers use, written as the lexicon or the proposer writes it.

    An abbreviation that means several things names none of them, except what its paper coined by it.
    """
    atoms, coined = thing.atoms, thing.proposers
    counts = Counter(atom.normal.key for atom in atoms)
    for atom in coined:
        counts[atom.normal.key] += len(atoms) if len(coined) == 1 else 1
    best = min(counts, key=lambda name: (-counts[name], name))
    spellings: Counter[str] = Counter()
    if (thing.sense, best) in contested and thing.long_form and not coined:
        usual = normal(thing.entry.name, thing.kind).key if thing.entry else ""
        best = usual if usual in counts else normal(thing.long_form, thing.kind).key
        spellings.update(clean(atom.long) for atom in atoms if atom.long_key == best)
    spellings.update(clean(atom.entity.name) for atom in atoms if atom.normal.key == best)
    known = {clean(form) for form in (thing.entry.name, *thing.entry.aliases)} if thing.entry else set()
    own = {clean(atom.entity.name) for atom in coined if atom.normal.key == best}
    if len(atoms) > FEW:  # What so many write is better known from them than from who claims it.
        own = set()
    return _spelling(spellings, own, known)


def _spelling(counts: Counter[str], own: set[str], known: set[str]) -> str:
    """The lexicon's spelling, else the proposer's, else the commonest that does not merely open a sentence."""

    def rank(form: str) -> tuple[bool, bool, bool, bool, int, int, str]:
        opens = not is_proper(form) and form[:1].isupper() and form[:1].lower() + form[1:] in counts
        return form not in known, form not in own, singular(form) != form, opens, -counts[form], len(form), form

    best = min(counts, key=rank) or "?"
    # SSMs are several of one thing, which is called SSM.
    return singular(best) if re.search(r"[A-Z0-9]s$", best) else best


def _tell_apart(things: Sequence[Thing]) -> None:
    """Give things of one id the keys of their papers, except the one that the lexicon or most papers know."""
    groups: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        groups[thing.id].append(thing)
    for group in groups.values():
        if len(group) > 1:
            _number(group)


def _number(group: list[Thing]) -> None:
    usual = _usual(group)
    taken: set[str] = set()
    for thing in sorted(group, key=lambda thing: thing.sense):
        if thing is not usual:
            papers = [atom.paper for atom in (thing.proposers or thing.atoms)]
            thing.paper = next((paper for paper in papers if paper not in taken), f"{papers[0]}-{len(taken)}")
            taken.add(thing.paper)


def _usual(group: Sequence[Thing]) -> Thing | None:
    """The one of several things of a name that everyone means by it: the lexicon's, or that of by far most papers."""
    known = [thing for thing in group if thing.entry and _is_own_name(thing.entry, thing)]
    if known:
        return known[0] if len(known) == 1 else None
    first, second = sorted(group, key=lambda thing: (-len(thing.atoms), thing.sense))[:2]
    if len(first.atoms) >= max(ESTABLISHED, DOMINANT * len(second.atoms)):
        return first
    return next((thing for thing in group if thing.sense[0] == "n"), None)


def _is_own_name(entry: Entry, thing: Thing) -> bool:
    return normal(entry.name, entry.kind).key == normal(thing.name, thing.kind).key


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
        thing.reasons += _joins(thing, senses) + _kinds(thing) + _others(thing, senses, by_sense)
    for left, right in pairs:
        for one, other in ((left, right), (right, left)):
            one.reasons.append(
                Reason(action="split", rule=_split_rule(one, other), other=other.id, detail=_split_detail(one, other))
            )
    owners = _owners(things)
    entities = [_entity(thing, owners) for thing in things]
    return entities, sorted({tuple(sorted((a.id, b.id))) for a, b in pairs})  # type: ignore[misc]


def _different(things: Sequence[Thing]) -> list[tuple[Thing, Thing]]:
    names: dict[str, dict[str, Thing]] = defaultdict(dict)
    for thing in things:
        if thing.sense[0] != "u":  # What could not be settled is not known to be different.
            for atom in thing.atoms:
                names[atom.normal.key][thing.sense] = thing
                names[atom.short][thing.sense] = thing
    pairs: dict[tuple[str, str], tuple[Thing, Thing]] = {}
    for name in sorted(names):
        found = [names[name][sense] for sense in sorted(names[name])]
        some = combinations(found, 2) if len(found) <= MANY else ((found[0], other) for other in found[1:])
        pairs.update({(a.sense, b.sense): (a, b) for a, b in some})
    return [pairs[pair] for pair in sorted(pairs)]


def _split_rule(one: Thing, other: Thing) -> str:
    if "c" in (one.sense[0], other.sense[0]):
        return "corrected"
    if one.long_form and other.long_form:
        return "long-forms"
    if one.proposers and other.proposers:
        return "proposers"
    return "kinds" if one.kind != other.kind else "senses"


def _split_detail(one: Thing, other: Thing) -> str:
    def said(thing: Thing) -> str:
        return thing.long_form or (f"coined in {thing.proposers[0].paper}" if thing.proposers else thing.kind)

    return f"{said(one)} / {said(other)}"


def _joins(thing: Thing, senses: Senses) -> list[Reason]:
    """One reason for each other spelling and each rule, with the first paper and how many more there are."""
    found: dict[tuple[str, str, str], list[Atom]] = defaultdict(list)
    for atom in thing.atoms:
        choice = senses.choices[atom]
        form = clean(atom.entity.name)
        same = normal(form, thing.kind).key == normal(thing.name, thing.kind).key
        if choice.rule == "definition":
            found["definition", clean(atom.long), form].append(atom)
        elif "spelt-out" in atom.normal.rules:
            found["spelt-out", form, atom.normal.text].append(atom)
        elif choice.rule not in _SILENT and (choice.others or not same):
            found[choice.rule, form, choice.detail].append(atom)
        if same and form != thing.name:
            rules = "+".join(atom.normal.rules) or "same-key"
            found[rules, form, ""].append(atom)
    reasons = []
    for (rule, other, detail), atoms in sorted(found.items()):
        papers = sorted({atom.document.id for atom in atoms})
        more = f"{len(papers)} papers" if len(papers) > 1 else ""
        text = "; ".join(part for part in (detail, more) if part)
        reasons.append(Reason(action="join", rule=rule, other=other, document_id=papers[0], detail=text))
    return reasons


def _kinds(thing: Thing) -> list[Reason]:
    """That some papers take it for another kind, and by what it was settled."""
    others: dict[str, set[str]] = defaultdict(set)
    for atom in thing.atoms:
        if atom.kind != thing.kind:
            others[atom.kind].add(atom.document.id)
    rule = (
        "lexicon-kind"
        if thing.entry
        else "proposer-kind"
        if any(a.kind == thing.kind for a in thing.proposers)
        else "majority-kind"
    )
    return [
        Reason(
            action="join",
            rule=rule,
            other=f"{thing.name} ({kind})",
            document_id=min(papers),
            detail=f"{len(papers)} papers take it for a {kind}, it is a {thing.kind}",
        )
        for kind, papers in sorted(others.items())
    ]


def _others(thing: Thing, senses: Senses, by_sense: Mapping[str, Thing]) -> list[Reason]:
    """What a name that could not be settled might have meant."""
    reasons = []
    for atom in thing.atoms:
        choice = senses.choices[atom]
        if choice.rule == "ambiguous":
            ids = sorted({by_sense[s].id for s in choice.others if s in by_sense})
            reasons += [
                Reason(
                    action="ambiguous",
                    rule="no-fit",
                    other=i,
                    document_id=atom.document.id,
                    detail=clean(atom.entity.name),
                )
                for i in ids
            ]
    return reasons


def _label(things: Sequence[Thing], tasks: Mapping[str, str]) -> None:
    same: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        thing.label = thing.name
        same[key(thing.name)].append(thing)
    for group in same.values():
        if len(group) > 1:
            usual = _usual(group)
            for thing in group:
                if thing is not usual:
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
    """By kind and key, the things that have a name as their own and not only as another form."""
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    for thing in things:
        for atom in thing.atoms:
            owners[thing.kind, key(atom.entity.name)].add(thing.sense)
    return owners


def _entity(thing: Thing, owners: Mapping[tuple[str, str], set[str]]) -> Entity:
    forms = {clean(form) for atom in thing.atoms for form in atom.forms} | (
        {thing.long_form} if thing.long_form else set()
    )
    aliases = {form for form in forms if form and thing.sense in owners.get((thing.kind, key(form)), {thing.sense})}
    return Entity(
        id=thing.id,
        kind=thing.kind,
        name=thing.name,
        label=thing.label,
        aliases=tuple(sorted(aliases - {thing.name})),
        long_form=thing.long_form,
        links=tuple(sorted(thing.entry.links)) if thing.entry and thing.entry.kind == thing.kind else (),
        higher_is_better=thing.entry.higher_is_better if thing.entry and thing.kind == "metric" else None,
        reasons=tuple(sorted(set(thing.reasons))),
    )
