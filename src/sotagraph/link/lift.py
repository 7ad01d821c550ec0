"""Statements, results and occurrences of single papers, lifted to the ids of the linked corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import itemgetter

from sotagraph.ids import paper_id
from sotagraph.link.atoms import Atom
from sotagraph.link.forms import key
from sotagraph.link.things import Thing
from sotagraph.model import PAPER, Evidence, Extraction, Mention, Occurrence, Result, Statement
from sotagraph.schema import RELATIONS, ROLES

__all__ = [
    "Names",
    "Sorted",
    "by_document",
    "names_of",
    "occurrences",
    "results",
    "statements",
    "told_things",
    "wider_ids",
]

#: What a paper says of its own method holds for the paper too, for these predicates.
OWN = ("uses", "evaluatedOn", "comparedWith", "outperforms")

#: Where linking gives an end another kind than its paper did: the predicate that says as much of the new kind.
_INSTEAD: dict[str, tuple[str, ...]] = {
    "proposes": ("introduces",),
    "introduces": ("proposes",),
    "evaluatedOn": ("uses",),
    "addresses": ("uses",),
}

#: Names of one document → what they are in the corpus.
Names = dict[str, Thing]


#: What each of a paper's atoms is in the corpus, in the order of the things.
Sorted = list[tuple[Atom, Thing]]


def by_document(things: Iterable[Thing]) -> dict[str, Sorted]:
    """The atoms of each document with their things."""
    found: dict[str, Sorted] = defaultdict(list)
    for thing in things:
        for atom in thing.atoms:
            found[atom.document.id].append((atom, thing))
    return found


def names_of(atoms: Iterable[tuple[Atom, Thing]]) -> Names:
    """The thing behind each form of a name in one paper; a name goes before another thing's alias."""
    exact: Names = {}
    aliases: Names = {}
    for atom, thing in atoms:
        exact.setdefault(atom.entity.name, thing)
        for form in atom.forms:
            aliases.setdefault(form, thing)
            aliases.setdefault(f"\0{key(form)}", thing)
    return aliases | exact


def _find(names: Mapping[str, Thing], name: str | None) -> Thing | None:
    if name is None:
        return None
    return names.get(name) or names.get(f"\0{key(name)}")


def told_things(
    told: Mapping[str, Iterable[tuple[str, str]]], atoms: Mapping[str, Sorted]
) -> list[tuple[Thing, Thing]]:
    """The things of (narrower, wider) names of single papers, by document id, where they are two of one kind."""
    found: dict[tuple[str, str], tuple[Thing, Thing]] = {}
    for document in sorted(told):
        own = names_of(atoms.get(document, ()))
        for narrow, wide in told[document]:
            one, other = _find(own, narrow), _find(own, wide)
            if one and other and one is not other and one.kind == other.kind:
                found.setdefault((one.id, other.id), (one, other))
    return [pair for place, pair in found.items() if place[::-1] not in found]


def wider_ids(
    wider: Mapping[str, Iterable[tuple[str, str]]], atoms: Mapping[str, Sorted]
) -> dict[str, set[tuple[str, str]]]:
    """The ids behind (narrower, wider) names of single papers, by document id."""
    found: dict[str, set[tuple[str, str]]] = {}
    for document, pairs in wider.items():
        own = names_of(atoms.get(document, ()))
        things = [(_find(own, narrow), _find(own, wide)) for narrow, wide in pairs]
        found[document] = {(one.id, other.id) for one, other in things if one and other}
    return found


def statements(extraction: Extraction, names: Mapping[str, Thing]) -> list[Statement]:
    """The statements of one paper between ids; those about its own methods once more with the paper as subject."""
    paper = paper_id(extraction.document)
    lifted: dict[tuple[str, str, str, int, int], Statement] = {}

    def add(said: Statement) -> None:
        place = (said.subject, said.predicate, said.object, said.evidence.start, said.evidence.end)
        if place not in lifted or lifted[place].confidence < said.confidence:
            lifted[place] = said

    own = _own(extraction, names)
    direct = {
        (s.predicate, found.id)
        for s in extraction.statements
        if s.subject == PAPER and (found := _find(names, s.object))
    }
    for said in extraction.statements:
        subject = None if said.subject == PAPER else _find(names, said.subject)
        if said.subject != PAPER and subject is None:
            continue
        if said.predicate == "hasCode":
            add(replace(said, subject=paper))
            continue
        target = _find(names, said.object)
        if target is None or target is subject:
            continue
        predicate = _predicate(said.predicate, subject.kind if subject else "paper", target.kind)
        if not predicate:
            continue
        source, goal = subject.id if subject else paper, target.id
        add(_between(source, predicate, goal, said.evidence, said.confidence))
        if (
            subject
            and subject.sense in own
            and predicate in OWN
            and (predicate, goal) not in direct
            and target.sense not in own
        ):
            evidence = replace(said.evidence, rule=f"{said.evidence.rule}+own")
            add(_between(paper, predicate, goal, evidence, said.confidence))
    return [lifted[place] for place in sorted(lifted)]


def _between(subject: str, predicate: str, target: str, evidence: Evidence, confidence: float) -> Statement:
    return Statement(subject=subject, predicate=predicate, object=target, evidence=evidence, confidence=confidence)


def _own(extraction: Extraction, names: Mapping[str, Thing]) -> set[str]:
    found = {
        _find(names, s.object)
        for s in extraction.statements
        if s.subject == PAPER and s.predicate in ("proposes", "introduces")
    }
    found |= {_find(names, e.name) for e in extraction.entities if e.role in ("proposed", "introduced")}
    return {thing.sense for thing in found if thing}


def _predicate(name: str, subject: str, target: str) -> str:
    """The predicate itself if the kinds may stand at its ends, else one that says as much, else nothing."""
    for predicate in (name, *_INSTEAD.get(name, ())):
        relation = RELATIONS.get(predicate)
        if relation and subject in relation.domain and target in relation.range:
            return predicate
    return ""


def results(extraction: Extraction, names: Mapping[str, Thing]) -> list[Result]:
    """The results of one paper with ids in their slots; what is not of a slot's kind leaves it."""
    return [_result(result, names, paper_id(extraction.document)) for result in extraction.results]


def _result(result: Result, names: Mapping[str, Thing], paper: str) -> Result:
    def end(name: str | None) -> str | None:
        thing = _find(names, name)
        return paper if name == PAPER else thing.id if thing else None

    dataset, metric, task = (_find(names, name) for name in (result.dataset, result.metric, result.task))
    if dataset and dataset.kind == "task":  # What this paper calls a benchmark, the corpus knows as a task.
        dataset, task = None, task or dataset
    elif task and task.kind == "dataset":
        dataset, task = dataset or task, None
    direction = result.direction
    if direction is None and metric and metric.entry and metric.entry.higher_is_better is not None:
        direction = "higher" if metric.entry.higher_is_better else "lower"
    return replace(
        result,
        method=end(result.method),
        dataset=dataset.id if dataset and dataset.kind == "dataset" else None,
        metric=metric.id if metric and metric.kind == "metric" else None,
        task=task.id if task and task.kind == "task" else None,
        baseline=end(result.baseline),
        direction=direction,
    )


def occurrences(atoms: Mapping[str, Sorted], documents: Iterable[str]) -> list[Occurrence]:
    """One occurrence a thing and document, of some documents, with all mentions, under the strongest role."""
    found: dict[tuple[str, str], list[Atom]] = defaultdict(list)
    for document in documents:
        for atom, thing in atoms.get(document, ()):
            found[thing.id, document].append(atom)
    return [_occurrence(thing, some) for (thing, _), some in sorted(found.items(), key=itemgetter(0))]


def _occurrence(entity: str, atoms: list[Atom]) -> Occurrence:
    if len(atoms) == 1:
        [first] = atoms
        mentions = first.entity.mentions
        if len(mentions) > 1:
            mentions = tuple(sorted(mentions, key=_place))
    else:
        first, mentions = min(atoms, key=_strength), _together(atoms)
    return Occurrence(
        entity_id=entity,
        document_id=first.document.id,
        name=first.entity.name,
        role=first.entity.role,
        mentions=mentions,
    )


def _place(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end


def _together(atoms: list[Atom]) -> tuple[Mention, ...]:
    """All mentions in their order, each place once, as the atom with the strongest role has it."""
    mentions: dict[tuple[int, int], Mention] = {}
    for atom in sorted(atoms, key=_strength):
        for mention in atom.entity.mentions:
            mentions.setdefault(_place(mention), mention)
    return tuple(mentions[place] for place in sorted(mentions))


def _strength(atom: Atom) -> tuple[int, tuple[str, str, str, int]]:
    roles = ROLES.get(atom.entity.kind, ())
    role = atom.entity.role
    return (roles.index(role) if role in roles else len(roles)), atom.rank
