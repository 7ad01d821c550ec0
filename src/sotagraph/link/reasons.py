"""Why a thing is what it is: one reason for each spelling, kind, doubt and likeness."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sotagraph.link.atoms import Atom
from sotagraph.link.forms import clean, normal
from sotagraph.link.senses import Senses
from sotagraph.link.things import Thing
from sotagraph.model import Reason

__all__ = ["doubts", "joins", "kinds", "split"]

#: Choices that join nothing, or that have reasons of their own.
_SILENT = ("same-name", "proposer", "ambiguous", "corrected")


def split(one: Thing, other: Thing) -> Reason:
    """Why two things of one name are two, as a reason of the first."""
    return Reason(action="split", rule=_split_rule(one, other), other=other.id, detail=_split_detail(one, other))


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


def joins(thing: Thing, senses: Senses) -> list[Reason]:
    """One reason for each other spelling and each rule, with the first paper and how many more there are."""
    if len(thing.atoms) == 1 and clean(thing.atoms[0].entity.name) == thing.name:
        choice = senses.choices[thing.atoms[0]]
        if choice.rule != "definition" and (choice.rule in _SILENT or not choice.others):
            return []
    found: dict[tuple[str, str, str], list[Atom]] = defaultdict(list)
    own = {atom.normal.key for atom in thing.atoms if clean(atom.entity.name) == thing.name}
    for atom in thing.atoms:
        choice = senses.choices[atom]
        form = clean(atom.entity.name)
        same = atom.normal.key in own
        if choice.rule == "definition":
            found["definition", clean(atom.long), form].append(atom)
        elif choice.rule not in _SILENT and (choice.others or not same):
            found[choice.rule, form, choice.detail].append(atom)
        if form != thing.name and (same or atom.normal.rules):
            found[_spelling(thing, atom, form), form, ""].append(atom)
    reasons = []
    for (rule, other, detail), atoms in sorted(found.items()):
        papers = sorted({atom.document.id for atom in atoms})
        more = f"{len(papers)} papers" if len(papers) > 1 else ""
        text = "; ".join(part for part in (detail, more) if part)
        reasons.append(Reason(action="join", rule=rule, other=other, document_id=papers[0], detail=text))
    return reasons


def _spelling(thing: Thing, atom: Atom, form: str) -> str:
    """What sets a spelling apart from the thing's name: the rules that undid it, else case, dashes and spaces."""
    if atom.normal.rules:
        return "+".join(dict.fromkeys(atom.normal.rules))
    # The name itself is what was written out, or put in the singular.
    alike = normal(form, thing.kind).key == normal(thing.name, thing.kind).key
    names = [a for a in thing.atoms if clean(a.entity.name) == thing.name and a.normal.rules]
    return "same-key" if alike or not names else "+".join(dict.fromkeys(names[0].normal.rules))


def kinds(thing: Thing) -> list[Reason]:
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


def doubts(thing: Thing, senses: Senses, by_sense: Mapping[str, Thing]) -> list[Reason]:
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
