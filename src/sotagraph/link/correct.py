"""Corrections at work: on senses before they become entities, and on statements once they have ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from sotagraph.corrections import Correction
from sotagraph.ids import paper_id
from sotagraph.link.atoms import Atom
from sotagraph.link.forms import clean, key
from sotagraph.link.senses import Choice, Senses
from sotagraph.link.things import Thing
from sotagraph.model import PAPER, Document, Evidence, Reason, Statement
from sotagraph.schema import RELATIONS

__all__ = ["ThingNames", "Warn", "as_reason", "correct_senses", "correct_statements", "tell_stale"]

#: Is told, in one line, of a correction that has no effect.
Warn = Callable[[str], None]


class ThingNames:
    """From a name, label or id to the senses that have it."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self.exact: dict[str, set[str]] = defaultdict(set)
        self.names: dict[str, set[str]] = defaultdict(set)
        self.others: dict[str, set[str]] = defaultdict(set)
        self.kinds: dict[str, str] = {}
        self.papers: dict[str, set[str]] = {}
        for thing in things:
            self.kinds[thing.sense] = thing.kind
            self.exact[thing.id].add(thing.sense)
            self.exact[thing.label].add(thing.sense)
            self.names[key(thing.name)].add(thing.sense)
            self.papers[thing.sense] = {p for atom in thing.atoms for p in (atom.paper, atom.document.id)}
            for form in {form for atom in thing.atoms for form in (*atom.forms, atom.long) if form}:
                self.others[key(form)].add(thing.sense)

    def find(self, name: str, correction: Correction) -> list[str]:
        """The senses of a name as a correction narrows them."""
        papers = () if correction.action == "add-statement" else correction.papers
        return self.named(name, correction.kind, papers)

    def named(self, name: str, kind: str = "", papers: Sequence[str] = ()) -> list[str]:
        """The senses of a name, by id or label, else by name, else by another form; of some kind or papers alone."""
        for found in (self.exact.get(name), self.names.get(key(name)), self.others.get(key(name))):
            some = [s for s in sorted(found or ()) if not kind or self.kinds[s] == kind]
            if papers:
                some = [s for s in some if self.papers[s] & set(papers)]
            if some:
                return some
        return []

    def moved(self, old: str, new: str) -> None:
        """Let all that named one sense name another."""
        for index in (self.exact, self.names, self.others):
            for senses in index.values():
                if old in senses:
                    senses.discard(old)
                    senses.add(new)
        self.papers[new] = self.papers.get(new, set()) | self.papers.get(old, set())

    def tell(self, senses: Sequence[str]) -> str:
        """The ids behind some senses, for a message."""
        ids = [name for sense in senses for name, found in self.exact.items() if sense in found and "/" in name]
        return ", ".join(sorted(ids)[:4])


def tell_stale(warn: Warn, number: int, correction: Correction, why: str) -> None:
    """Tell of a correction without effect; `number` counts from 1 and serves where no line of a file is known."""
    warn(f"{correction.place or f'correction {number}'}: {correction.action}: {why}; the line has no effect")


def as_reason(correction: Correction, other: str, said: str = "") -> Reason:
    """A correction as the reason that `explain` shows, with what it said, its comment and its place."""
    detail = "; ".join(part for part in (said, correction.comment, correction.place) if part)
    return Reason(action="corrected", rule=correction.action, other=other, detail=detail)


def correct_senses(senses: Senses, things: Sequence[Thing], corrections: Iterable[Correction], warn: Warn) -> None:
    """Apply the corrections of things, in their order; `things` are what the senses would become."""
    names = ThingNames(things)
    members = {thing.sense: list(thing.atoms) for thing in things}
    for number, correction in enumerate(corrections):
        if correction.action.endswith(("-statement", "-result")):
            continue
        found = [names.find(name, correction) for name in correction.names]
        if problem := _unclear(correction, found, names):
            tell_stale(warn, number + 1, correction, problem)
            continue
        chosen = [some[0] for some in found]
        if correction.action == "merge":
            _merge(senses, names, members, chosen, correction)
        elif correction.action == "split":
            _split(senses, names, members, chosen[0], correction, number)
        elif correction.action == "rename":
            senses.names[chosen[0]] = correction.to
            names.names[key(correction.to)].add(chosen[0])
            _note(senses, chosen[0], correction, correction.names[0])
        elif correction.action == "retype":
            _retype(senses, names, members, chosen[0], correction)
        else:
            for sense in found[0]:
                _reject(senses, members, sense, correction)


def _unclear(correction: Correction, found: Sequence[Sequence[str]], names: ThingNames) -> str:
    for name, some in zip(correction.names, found, strict=True):
        if not some:
            limits = [correction.kind, *correction.papers]
            where = f" (as {', '.join(limit for limit in limits if limit)})" if any(limits) else ""
            return f"nothing is called {name!r}{where} any more"
        if len(some) > 1 and correction.action != "reject":
            return f"{name!r} names {len(some)} things ({names.tell(some)}); say the id instead"
    if correction.action == "merge" and len({some[0] for some in found}) == 1:
        return f"{correction.names[0]!r} and {correction.names[1]!r} are one thing already"
    return ""


def _note(senses: Senses, sense: str, correction: Correction, other: str) -> None:
    senses.notes.setdefault(sense, []).append(as_reason(correction, other))


def _move(senses: Senses, atoms: Iterable[Atom], sense: str) -> None:
    for atom in atoms:
        senses.choices[atom] = Choice(sense, "corrected")


def _merge(
    senses: Senses, names: ThingNames, members: dict[str, list[Atom]], chosen: Sequence[str], correction: Correction
) -> None:
    kept = chosen[0]
    kind = senses.kinds.get(kept, names.kinds[kept])
    for sense, name in zip(chosen[1:], correction.names[1:], strict=True):
        if sense != kept:
            _absorb(senses, names, members, kept, sense)
            _note(senses, kept, correction, name)
    senses.kinds[kept] = kind
    senses.names.setdefault(kept, _written(members[kept], correction.names[0]))


def _written(atoms: Iterable[Atom], name: str) -> str:
    """A name as papers write it, where a correction gives a label or an id."""
    forms = {clean(form) for atom in atoms for form in atom.forms}
    return next((form for form in sorted(forms) if key(form) == key(name)), "")


def _absorb(senses: Senses, names: ThingNames, members: dict[str, list[Atom]], kept: str, sense: str) -> None:
    _move(senses, members[sense], kept)
    members[kept] += members.pop(sense)
    if sense in senses.entries:
        senses.entries.setdefault(kept, senses.entries[sense])
    senses.notes.setdefault(kept, []).extend(senses.notes.pop(sense, []))
    names.moved(sense, kept)


def _split(
    senses: Senses, names: ThingNames, members: dict[str, list[Atom]], sense: str, correction: Correction, number: int
) -> None:
    wanted = set(correction.papers)
    atoms = [atom for atom in members[sense] if {atom.paper, atom.document.id} & wanted]
    if len(atoms) == len(members[sense]):
        return  # It is a thing of its own already, which is what was wanted.
    new = f"c|{number:06d}"
    _move(senses, atoms, new)
    members[new] = atoms
    members[sense] = [atom for atom in members[sense] if atom not in atoms]
    names.kinds[new] = senses.kinds[new] = senses.kinds.get(sense, names.kinds[sense])
    names.papers[new] = {p for atom in atoms for p in (atom.paper, atom.document.id)}
    for form in {form for atom in atoms for form in atom.forms}:
        names.others[key(form)].add(new)
    if correction.to:
        senses.names[new] = correction.to
        names.names[key(correction.to)].add(new)
    for one in (new, sense):
        _note(senses, one, correction, correction.names[0])


def _retype(
    senses: Senses, names: ThingNames, members: dict[str, list[Atom]], sense: str, correction: Correction
) -> None:
    """Give a thing a kind; where a thing of that kind and name is there, the two are one."""
    twins = [
        s
        for s in sorted(names.names.get(key(correction.names[0]), ()))
        if s != sense and names.kinds[s] == correction.to
    ]
    if len(twins) == 1:
        _absorb(senses, names, members, twins[0], sense)
        sense = twins[0]
    names.kinds[sense] = senses.kinds[sense] = correction.to
    _note(senses, sense, correction, correction.names[0])


def _reject(senses: Senses, members: dict[str, list[Atom]], sense: str, correction: Correction) -> None:
    wanted = set(correction.papers)
    gone = [atom for atom in members[sense] if not wanted or {atom.paper, atom.document.id} & wanted]
    for atom in gone:
        del senses.choices[atom]
    members[sense] = [atom for atom in members[sense] if atom not in gone]
    _note(senses, sense, correction, correction.names[0])


def correct_statements(
    said: Sequence[Statement],
    things: Sequence[Thing],
    documents: Mapping[str, Document],
    corrections: Sequence[Correction],
    warn: Warn,
    *,
    wider: Mapping[str, Collection[tuple[str, str]]] | None = None,
) -> list[Statement]:
    """The statements without those that are rejected and with those that are added.

    `wider` has the ids of (narrower, wider) phrases of single papers, by document id: what a paper says of the narrower
    one it says of the wider one by that alone.
    """
    if not any(correction.action.endswith("-statement") for correction in corrections):
        return list(said)
    names = ThingNames(things)
    by_sense = {thing.sense: thing for thing in things}
    left = list(said)
    for number, correction in enumerate(corrections):
        if not correction.action.endswith("-statement"):
            continue
        subject, predicate, target = correction.names
        subjects, targets = (_ends(name, names, by_sense, correction) for name in (subject, target))
        some = _documents(correction, documents)
        if correction.action == "add-statement":
            new = _added(correction, subjects, targets, some, documents)
            if isinstance(new, str):
                tell_stale(warn, number + 1, correction, new)
                continue
            left.append(new)
        else:
            before = len(left)
            left = _without(left, correction, subjects, targets, {d: paper_id(documents[d]) for d in some}, wider or {})
            if len(left) == before:
                tell_stale(warn, number + 1, correction, f"no paper says {subject} {predicate} {target} any more")
                continue
        for thing in (*subjects, *targets):
            other = next((t.id for t in (*subjects, *targets) if t is not thing), PAPER)
            thing.reasons.append(as_reason(correction, other, " ".join(correction.names)))
    return left


def _ends(name: str, names: ThingNames, by_sense: Mapping[str, Thing], correction: Correction) -> list[Thing]:
    if name == PAPER:
        return []
    return [by_sense[sense] for sense in names.find(name, replace(correction, kind=""))]


def _documents(correction: Correction, documents: Mapping[str, Document]) -> list[str]:
    wanted = set(correction.papers)
    return [d for d in sorted(documents) if not wanted or {d, paper_id(documents[d]).partition("/")[2]} & wanted]


def _without(
    said: Sequence[Statement],
    correction: Correction,
    subjects: Sequence[Thing],
    targets: Sequence[Thing],
    some: Mapping[str, str],
    wider: Mapping[str, Collection[tuple[str, str]]],
) -> list[Statement]:
    """The statements without a rejected one, its copy about the paper and its copy about a wider phrase."""
    subject, predicate, target = correction.names
    sources = set(some.values()) if subject == PAPER else {thing.id for thing in subjects}
    ends = {thing.id for thing in targets} or {target}
    like = [s for s in said if s.predicate == predicate and s.object in ends and s.evidence.document_id in some]
    gone = [s for s in like if s.subject in sources]
    papers = {s.evidence.document_id for s in gone}
    kept = {s.evidence.document_id for s in like if s.subject not in sources and not s.evidence.rule.endswith("+own")}
    gone += [s for s in like if s.evidence.rule.endswith("+own") and s.evidence.document_id in papers - kept]
    left = [s for s in said if s not in gone]
    return [s for s in left if not (_is_wider_of(s, gone, wider) and not _is_wider_of(s, left, wider))]


def _is_wider_of(
    said: Statement, others: Sequence[Statement], wider: Mapping[str, Collection[tuple[str, str]]]
) -> bool:
    """Whether a statement is said of a wider phrase, because one of some others is said of a narrower one."""
    place = said.evidence
    pairs = wider.get(place.document_id, ()) if place.rule.endswith("+wider") else ()
    return bool(pairs) and any(
        (other.object, said.object) in pairs
        and (other.subject, other.predicate) == (said.subject, said.predicate)
        and (other.evidence.start, other.evidence.end) == (place.start, place.end)
        for other in others
        if other.evidence.document_id == place.document_id
    )


def _added(
    correction: Correction,
    subjects: Sequence[Thing],
    targets: Sequence[Thing],
    some: Sequence[str],
    documents: Mapping[str, Document],
) -> Statement | str:
    subject, predicate, target = correction.names
    if len(some) != 1:
        return f"{len(some)} papers are called {correction.papers[0]!r}"
    document = documents[some[0]]
    for name, found in ((subject, subjects), (target, targets)):
        if name != PAPER and len(found) != 1 and not (predicate == "hasCode" and name == target):
            return f"{name!r} names {len(found)} things" + (", say the id instead" if found else "")
    relation = RELATIONS[predicate]
    kinds = (subjects[0].kind if subjects else "paper", targets[0].kind if targets else "repository")
    if kinds[0] not in relation.domain or kinds[1] not in relation.range:
        return f"a {kinds[0]} cannot have {predicate} a {kinds[1]}"
    start = document.text.find(correction.quote) if correction.quote else 0
    if start < 0:
        return f"the quote does not stand in {document.id}"
    end = start + len(correction.quote) if correction.quote else len(document.text)
    return Statement(
        subject=subjects[0].id if subjects else paper_id(document),
        predicate=predicate,
        object=targets[0].id if targets else target,
        evidence=Evidence(document_id=document.id, start=start, end=end, rule="corrected"),
    )
