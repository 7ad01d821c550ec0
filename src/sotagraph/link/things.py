"""From senses to things: one kind, one name and one id each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sotagraph.ids import entity_id
from sotagraph.link.atoms import Atom, Entry
from sotagraph.link.forms import clean, is_proper, normal, singular
from sotagraph.link.senses import DOMINANT, ESTABLISHED, Senses
from sotagraph.model import Reason
from sotagraph.schema import ENTITY_KINDS

__all__ = ["Thing", "things_of", "usual"]

#: Bare mentions of another kind outweigh a proposer's from this many papers on.
OUTVOTED = 5
#: With more papers than this, the spelling of most counts for more than that of the paper that coins the name.
FEW = 10
#: Rules that give a name words other than its own, so that it spells no other name.
_REWRITTEN = frozenset(("head-word", "compound"))


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
    """The lexicon's kind, else that of the papers that coin the thing, else that of most papers.

    A version of a dataset that the lexicon knows is a dataset, unless a paper coins it as something else.
    """
    if entry:
        return entry.kind
    if any(atom.of_dataset for atom in atoms) and not any(atom.proposed for atom in atoms):
        return "dataset"
    if len(atoms) == 1:
        return atoms[0].kind
    votes: Counter[str] = Counter()
    papers: Counter[str] = Counter()
    for atom in atoms:
        votes[atom.kind] += round(1000 * atom.entity.confidence)
        papers[atom.kind] += 1
    most = min(votes, key=lambda kind: (-votes[kind], ENTITY_KINDS.index(kind)))
    coined = Counter(atom.kind for atom in atoms if atom.proposed)
    if coined:
        first = min(coined, key=lambda kind: (-coined[kind], ENTITY_KINDS.index(kind)))
        if not (papers[most] >= OUTVOTED and papers[most] >= 2 * papers[first]):
            return first
    return most


def _long_form(atoms: Sequence[Atom]) -> str:
    counts = Counter(clean(atom.long) for atom in atoms if atom.long)
    return min(counts, key=lambda long: (-counts[long], long), default="")


def _contested(members: Mapping[str, Sequence[Atom]]) -> set[tuple[str, str]]:
    """Pairs of a sense and a name that it has no better right to than some other sense."""
    papers: dict[str, dict[str, int]] = defaultdict(dict)
    for sense, atoms in members.items():
        for atom in atoms:
            for name in (atom.normal.key, atom.short) if atom.short != atom.normal.key else (atom.short,):
                counts = papers[name]
                counts[sense] = counts.get(sense, 0) + 1
    found = set()
    for name, counts in papers.items():
        if len(counts) > 1:
            (first, most), (_, next_most) = Counter(counts).most_common(2)
            usual = first if most >= ESTABLISHED and most >= DOMINANT * next_most else ""
            found |= {(sense, name) for sense in counts if sense != usual}
    return found


def _name(thing: Thing, contested: set[tuple[str, str]]) -> str:
    """The form that most papers use, written as the lexicon or the proposer writes it.

    An abbreviation that means several things names none of them, except what its paper coined by it.
    """
    atoms, coined = thing.atoms, thing.proposers
    if len(atoms) == 1 and not thing.long_form:
        return _singular(clean(atoms[0].entity.name) or "?")
    counts = Counter(atom.normal.key for atom in atoms)
    for atom in coined:
        counts[atom.normal.key] += len(atoms) if len(coined) == 1 and len(atoms) <= FEW else 1
    best = min(counts, key=lambda name: (-counts[name], name))
    spellings: Counter[str] = Counter()
    if (thing.sense, best) in contested and thing.long_form and not coined:
        usual = normal(thing.entry.name, thing.kind).key if thing.entry else ""
        best = usual if usual in counts else normal(thing.long_form, thing.kind).key
        spellings.update(clean(atom.long) for atom in atoms if atom.long_key == best)
    named = [atom for atom in atoms if atom.normal.key == best]
    whole = [atom for atom in named if _REWRITTEN.isdisjoint(atom.normal.rules)] or named
    spellings.update(clean(atom.entity.name) for atom in whole)
    known = {clean(form) for form in (thing.entry.name, *thing.entry.aliases)} if thing.entry else set()
    own = {clean(atom.entity.name) for atom in coined if atom in whole}
    if len(atoms) > FEW:  # What so many write is better known from them than from who claims it.
        own = set()
    return _spelling(spellings, own, known)


def _spelling(counts: Counter[str], own: set[str], known: set[str]) -> str:
    """The lexicon's spelling, else the proposer's, else the commonest that does not merely open a sentence."""

    def rank(form: str) -> tuple[bool, bool, bool, bool, int, int, str]:
        opens = not is_proper(form) and form[:1].isupper() and form[:1].lower() + form[1:] in counts
        return form not in known, form not in own, singular(form) != form, opens, -counts[form], len(form), form

    return _singular(min(counts, key=rank) or "?")


def _singular(name: str) -> str:
    """SSMs are several of one thing, which is called SSM."""
    return singular(name) if re.search(r"[A-Z0-9]s$", name) else name


def _tell_apart(things: Sequence[Thing]) -> None:
    """Give things of one id the keys of their papers, except the one that the lexicon or most papers know."""
    groups: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        groups[thing.id].append(thing)
    for group in groups.values():
        if len(group) > 1:
            _number(group)


def _number(group: list[Thing]) -> None:
    known = usual(group)
    taken: set[str] = set()
    for thing in sorted(group, key=lambda thing: thing.sense):
        if thing is not known:
            papers = [atom.paper for atom in (thing.proposers or thing.atoms)]
            thing.paper = next((paper for paper in papers if paper not in taken), f"{papers[0]}-{len(taken)}")
            taken.add(thing.paper)


def usual(group: Sequence[Thing]) -> Thing | None:
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
