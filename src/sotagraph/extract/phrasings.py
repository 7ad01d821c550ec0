"""A task that one document calls by a longer and a shorter phrase is one task there.

"Long video generation" is "video generation" two sentences later, and "GUI task automation" is "GUI automation".
Methods are not joined like this: "Bi-LoRA" beside "LoRA" is another method.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations

from sotagraph.extract.clusters import Cluster
from sotagraph.extract.decided import Decided
from sotagraph.names import form

__all__ = ["join_tasks"]


def join_tasks(decided: Sequence[Decided]) -> list[Decided]:
    """Names of a document, in their order, with the phrasings of each task joined.

    A phrase with two narrower ones that differ ("pose generation" beside "text-to-pose generation" and
    "image-to-pose generation") is left apart from both.
    """
    tasks = [d for d in decided if d.kind == "task"]
    narrows = _narrows(tasks)
    group = {id(t): [t] for t in tasks}
    for i, task in enumerate(tasks):
        narrower = [n for n in range(len(tasks)) if (n, i) in narrows]
        if not all((a, b) in narrows or (b, a) in narrows for a, b in combinations(narrower, 2)):
            continue
        for other in map(tasks.__getitem__, narrower):
            if group[id(task)] is not group[id(other)]:
                both = group[id(task)] + group[id(other)]
                group |= {id(t): both for t in both}
    out = []
    for d in decided:
        members = group.get(id(d), [d])
        first = min(members, key=lambda m: m.places[0])
        if d is first:
            out.append(_joined(members) if len(members) > 1 else d)
    return out


def _narrows(tasks: Sequence[Decided]) -> set[tuple[int, int]]:
    """Numbers of tasks, the narrower first, where some phrase of one is a phrase of the other with more words in it."""
    phrases = [_phrases(task) for task in tasks]
    return {
        (i, j)
        for (i, narrow), (j, wide) in permutations(enumerate(phrases), 2)
        if any(_has_more(a, b) for a in narrow for b in wide)
    }


def _phrases(decided: Decided) -> list[list[str]]:
    return [form(surface).split() for surface in decided.cluster.surfaces]


def _has_more(more: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a phrase is another with more words before its last; a list of two tasks is no narrower one."""
    rest = iter(more)
    if "and" in more and "and" not in words:
        return False
    return len(more) > len(words) and more[-1:] == words[-1:] and all(word in rest for word in words)


def _joined(members: Sequence[Decided]) -> Decided:
    """One name for all: the one used most, of these the one that says most."""
    main = max(members, key=lambda m: (len(m.places), len(m.name), m.name))
    clusters = [m.cluster for m in members]
    surfaces: Counter[str] = sum((c.surfaces for c in clusters), Counter())
    sources: Counter[tuple[str, str | None]] = sum((c.sources for c in clusters), Counter())
    cluster = Cluster(
        surfaces=surfaces,
        places=sorted({place for c in clusters for place in c.places}),
        sources=sources,
        entries=tuple(dict.fromkeys(entry for c in clusters for entry in c.entries)),
        short=next((c.short for c in clusters if c.short), ""),
        long=next((c.long for c in clusters if c.long), ""),
        rules=set().union(*(c.rules for c in clusters)),
    )
    return replace(
        main,
        cluster=cluster,
        confidence=max(m.confidence for m in members),
        relations={name: max(m.relations[name] for m in members) for name in main.relations},
        likely=frozenset().union(*(m.likely for m in members)),
        places=tuple(sorted({place for m in members for place in m.places})),
    )
