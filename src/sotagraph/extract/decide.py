"""One decision per name per document: whether it is a name, of which kind, in which role, and why.

This is the only place where candidates become entities. A linear model weighs the features of each cluster into
probabilities of the four kinds, of "optional" (a class of things or a description, which the graph leaves out) and of
"none"; what is likelier a name of one kind than `threshold` is kept. Weights come from ``training/fit_decision.py``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from sotagraph import lexicon
from sotagraph.extract.candidates import FEWER, RATE, SCORED, candidates
from sotagraph.extract.clusters import Cluster, clusters
from sotagraph.extract.decided import Decided
from sotagraph.extract.encoding import KINDS
from sotagraph.extract.features import View, kind_features, role_features
from sotagraph.extract.linear import Models, load_weights, softmax
from sotagraph.extract.phrasings import join_tasks
from sotagraph.extract.reading import Reading
from sotagraph.extract.shapes import is_variant_name, looks_named
from sotagraph.variants import parents

__all__ = ["CLASSES", "RELATION_TESTS", "ROLES", "Decided", "decide", "explain", "score_forms"]

#: Classes of the decision about kind.
CLASSES = (*KINDS, "optional", "none")
#: Classes of the decision about role, by kind.
ROLES: dict[str, tuple[str, ...]] = {
    "method": ("proposed", "used", "compared", "mentioned"),
    "dataset": ("introduced", "evaluated", "mentioned"),
    "metric": ("none", "introduced"),
    "task": ("none", "introduced"),
}
#: Relations to the paper's own thing that are decided apart from the role, each by a yes-or-no model.
RELATION_TESTS = (
    "outperforms",
    "comparedWith",
    "uses",
    "partOf",
    "variantOf",
    "generalizes",
    "addresses",
    "evaluatedOn",
)
_RELATION_MODELS = tuple(f"relation {test}" for test in RELATION_TESTS)
#: Least probability of the four kinds together.
LEAST_NAME = 0.15
#: The role of a thing that the paper makes its own, by kind; a proposal rule tips the scale towards it.
OWN = {"method": "proposed", "dataset": "introduced", "metric": "introduced", "task": "introduced"}
LEAST_OWN = 0.1
#: What the title begins with is the paper's own: 868 of 870 such methods and datasets in the annotated abstracts are.
_OWN_IF_TITLED = frozenset({"method", "dataset"})
#: Least certainty of its role then, which the sentences around it may not show.
SURE_IF_TITLED = 0.95
#: Least share of a name's probability where the title begins with it, or a sentence says "we introduce X, a …": all of
#: 167 such are names in the annotated abstracts.
LEAST_TITLED = 0.2
_SAYS_WHAT = re.compile(r",\san?\s")
#: And of a dataset's where its sentence measures something on it or calls it one: of 52 names between this share and
#: the fitted threshold 38 are datasets.
LEAST_PLACED = 0.5
#: Of a member of a list that is called datasets and has a dataset beside it.
LEAST_LISTED = 0.3
_LISTED = frozenset({"list noun dataset", "list noun behind dataset"})
_BESIDE = frozenset({"beside model dataset", "beside lexicon dataset"})
_PLACED = _LISTED | {"before on", "before evaluate", "after head dataset", "noun dataset", "is a dataset"}
#: "Score" behind a metric, and the metrics that have it in their names.
_SCORE = re.compile(r"[ -][Ss]cores?\b")
_CALLED_SCORE = re.compile(r"(?:^|[ -])(?:F-?[\dβ]?(?:\.5)?|dice|jaccard|inception)$", re.IGNORECASE)
#: Least probability of a metric that a result may still make sure.
LEAST_UNSURE = 0.3
#: And how sure what there is "50% fewer" of is a metric then: 31 of 35 such results have it as theirs.
SURE_IF_FEWER = 0.8
_DIGITS = 3
#: What parts the members of a list.
_IN_LIST = re.compile(r"\s?(?:,|/|&|,?\s(?:and|or))\s?")
#: The year, task or pair of languages of a dataset; and what is left of the doubt whether such a thing is named.
_EDITION = re.compile(r"['’]?(?:(?:19|20)\d\d|\d\d)|[Tt]ask\W?\d+\w?|[A-Z]\w+\W+(?:to\W)?[A-Z]\w+")
_DOUBT = 0.25
_SURE_IN_LEXICON = frozenset({"dataset", "metric"})
#: The kinds that are out of the question where one is nearly sure.
_NOT_BESIDE = {
    "method": frozenset({"task"}),
    "dataset": frozenset(KINDS) - {"dataset"},
    "metric": frozenset(KINDS) - {"metric"},
}


def _weights(reading: Reading) -> Models:
    return load_weights("decision-model" if reading.prediction is not None else "decision-rules")


def _kinds(cluster: Cluster, facts: Collection[str], models: Models) -> list[float]:
    """Probabilities of `CLASSES`, with those of kinds that are out of the question given to the one that is in it."""
    chances = softmax(*models.table("kind").scores(facts))
    if _is_edition(cluster):
        named, unnamed = sum(chances[: len(KINDS)]), chances[len(KINDS) :]
        return [
            *(1 - _DOUBT * (1 - named) if kind == "dataset" else 0.0 for kind in KINDS),
            *(_DOUBT * chance for chance in unnamed),
        ]
    if (RATE, "metric") in cluster.sources:  # nothing else stands so, and the network reads one word with the number
        return [float(kind == "metric") for kind in CLASSES]
    if (only := _only_kind(cluster, facts)) is not None:
        others = [i for i in range(len(KINDS)) if KINDS[i] in _NOT_BESIDE[only]]
        chances[KINDS.index(only)] += sum(chances[i] for i in others)
        for i in others:
            chances[i] = 0.0
    return chances


def _only_kind(cluster: Cluster, facts: Collection[str]) -> str | None:
    """The kind that a name has if it is one, where that is nearly sure.

    What a sentence proposes as a method is no task, however much it sounds like one: of 627 such names in the annotated
    abstracts one is. What the lexicon knows as a dataset or metric and nothing else is of no other kind: 6 of 655 are.
    Beside a dataset in a list of datasets stand datasets, also where a bracket behind one looks like the long form of
    something else: "benchmarks: A5 (question answering) and B7 (sentence ordering)".
    """
    if _is_listed(cluster, facts):
        return "dataset"
    if ("proposal", "method") in cluster.sources:
        return "method"
    told = {e.kind for e in cluster.entries if not e.context}
    return told.pop() if len(told) == 1 and not cluster.rules and told <= _SURE_IN_LEXICON else None


def _is_listed(cluster: Cluster, facts: Collection[str]) -> bool:
    """Whether a name stands beside a dataset in a list that a noun calls datasets, or in one with a score on each."""
    if (SCORED, "dataset") in cluster.sources:
        return not cluster.rules and all(entry.kind == "dataset" for entry in cluster.entries)
    return not (_LISTED.isdisjoint(facts) or _BESIDE.isdisjoint(facts))


def _is_edition(cluster: Cluster) -> bool:
    """Whether each form is a version, year, task or pair of languages of what the lexicon has as a dataset alone.

    All of 48 versions and years of such in the annotated abstracts are datasets, or a part of the name of one.
    """
    return not (cluster.entries or cluster.rules) and all(map(_edition, cluster.surfaces))


@lru_cache(maxsize=1 << 14)
def _edition(surface: str) -> bool:
    for chain in parents(surface, "dataset"):
        told = [(entry.kind, entry.context) for entry in lexicon.load().lookup(chain[-1].name)]
        if told and all(one == ("dataset", False) for one in told):
            return all(base.rule == "version" or _EDITION.fullmatch(base.piece) for base in chain)
    return False


def decide(reading: Reading, *, threshold: float | None = None) -> tuple[list[Decided], list[Decided]]:
    """Names of a document in the order of their first mentions, and metrics that only a result would make sure.

    `threshold` is the least share of a name's probability against "none"; without it each kind has its own, fitted
    for F1.
    """
    view = View(reading)
    weights = _weights(reading)
    kept: list[tuple[Cluster, str, float]] = []
    unsure: list[tuple[Cluster, str, float]] = []
    for cluster in clusters(reading, candidates(reading)):
        facts = kind_features(cluster, view)
        chances = _kinds(cluster, facts, weights)
        best = max(range(len(KINDS)), key=lambda i: chances[i])
        least = weights["thresholds"][KINDS[best]][0] if threshold is None else threshold
        if is_name(chances, min(least, _least_where_it_stands(cluster, KINDS[best], facts, view))):
            kept.append((cluster, KINDS[best], chances[best]))
        elif KINDS[best] == "metric" and chances[best] >= LEAST_UNSURE:
            unsure.append((cluster, KINDS[best], chances[best]))
        elif (FEWER, "metric") in cluster.sources:
            unsure.append((cluster, "metric", max(SURE_IF_FEWER, chances[KINDS.index("metric")])))
    own = _own_places(kept, unsure)
    proposes = any(cluster.rules for cluster, _, _ in kept)
    chosen = [*kept, *unsure]
    rows = [
        _role_scores(cluster, kind, view, weights, proposes=proposes) if places else []
        for (cluster, kind, _), places in zip(chosen, own, strict=True)
    ]
    for members in _listed_together([kind for _, kind, _ in kept], own[: len(kept)], reading.text):
        mean = _mean([rows[i] for i in members])
        for i in members:
            rows[i] = mean
    made = [
        _decided(cluster, kind, confidence, places, view, weights, scores) if places else None
        for (cluster, kind, confidence), places, scores in zip(chosen, own, rows, strict=True)
    ]
    return join_tasks(_family([d for d in made[: len(kept)] if d])), [d for d in made[len(kept) :] if d]


def _least_where_it_stands(cluster: Cluster, kind: str, facts: Collection[str], view: View) -> float:
    """The least share of a name's probability that its place asks for; 1 where the place says nothing."""
    if view.is_titled(cluster) or _is_introduced(cluster, view.reading.text):
        return LEAST_TITLED
    if kind != "dataset":
        return 1.0
    if _is_listed(cluster, facts):
        return LEAST_LISTED
    return 1.0 if _PLACED.isdisjoint(facts) else LEAST_PLACED


def _is_introduced(cluster: Cluster, text: str) -> bool:
    """Whether a sentence proposes a name as such and says behind it what it is: "we introduce X, a …"."""
    return "we propose NAME" in cluster.rules and any(_SAYS_WHAT.match(text, end) for _, end in cluster.places)


def _family(decided: list[Decided]) -> list[Decided]:
    """Variants of a thing that a rule found proposed are the paper's own as well (X-8B and Sparse X beside X)."""
    own = [d.name for d in decided if d.role == "proposed" and d.cluster.rules]
    return [
        replace(d, role="proposed")
        if d.kind == "method" and d.role in ("used", "mentioned") and any(is_variant_name(d.name, base) for base in own)
        else d
        for d in decided
    ]


def is_name(chances: Sequence[float], threshold: float) -> bool:
    """Whether a cluster with these probabilities of `CLASSES` is kept.

    Between a core name and an optional one annotators differ, between a name and no name they hardly do: so a name
    must be likelier than none by `threshold`, and only not hopeless beside optional.
    """
    named, none = sum(chances[: len(KINDS)]), chances[-1]
    return named >= LEAST_NAME and named >= threshold * (named + none)


_Choice = tuple[Cluster, str, float]


def _own_places(kept: Sequence[_Choice], unsure: Sequence[_Choice]) -> list[list[tuple[int, int]]]:
    """Places of each kept cluster that no longer kept name covers, then of each unsure one what the kept ones leave."""
    spans = sorted(
        ((i >= len(kept), a - b, a, b, i) for i, (c, _, _) in enumerate([*kept, *unsure]) for a, b in c.places),
        key=lambda s: (*s[:3], s[4]),
    )
    taken: list[tuple[int, int]] = []
    out: list[list[tuple[int, int]]] = [[] for _ in (*kept, *unsure)]
    for _, _, a, b, i in spans:
        if not any(a < y and x < b for x, y in taken):
            taken.append((a, b))
            out[i].append((a, b))
    return [sorted(places) for places in out]


def _role_scores(cluster: Cluster, kind: str, view: View, weights: Models, *, proposes: bool) -> list[list[float]]:
    """The scores of each role of the kind, then for each of `RELATION_TESTS` those of no and yes."""
    facts = role_features(cluster, kind, view, proposes=proposes)
    # All weigh the same facts, so that one look-up serves all.
    return weights.table(f"role {kind}", *_RELATION_MODELS).scores(facts)


def _mean(tables: Sequence[list[list[float]]]) -> list[list[float]]:
    """The mean of some tables of numbers of one shape."""
    return [[sum(same) / len(tables) for same in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]


def _listed_together(kinds: Sequence[str], places: Sequence[Sequence[tuple[int, int]]], text: str) -> list[list[int]]:
    """Names of one kind that stand in one list and nowhere else, by their index: "such as A, B and C".

    They have one role: in the annotated abstracts 571 of 574 such pairs do.
    """
    once = sorted((own[0], i) for i, own in enumerate(places) if len(own) == 1)
    lists: list[list[int]] = []
    before, end = -1, -1
    for (start, stop), i in once:
        if before >= 0 and kinds[before] == kinds[i] and _IN_LIST.fullmatch(text[end:start]):
            lists[-1].append(i)
        else:
            lists.append([i])
        before, end = i, stop
    return [members for members in lists if len(members) > 1]


def _decided(
    cluster: Cluster,
    kind: str,
    confidence: float,
    places: list[tuple[int, int]],
    view: View,
    weights: Models,
    scores: list[list[float]],
) -> Decided:
    of_role, *of_relations = scores
    classes = ROLES[kind]
    chances = softmax(of_role)
    best = max(range(len(classes)), key=lambda i: chances[i])
    own = classes.index(OWN[kind])
    titled = kind in _OWN_IF_TITLED and view.is_titled(cluster)
    if titled or (cluster.rules and chances[own] >= LEAST_OWN):
        best = own
    relations = {
        test: round(softmax(pair)[1], _DIGITS) for test, pair in zip(RELATION_TESTS, of_relations, strict=True)
    }
    return Decided(
        cluster=cluster,
        name=(_measure if kind == "metric" else _name)(cluster, places, view.reading.text),
        kind=kind,
        confidence=round(confidence, _DIGITS),
        role=None if classes[best] == "none" else classes[best],
        role_confidence=round(max(chances[best], SURE_IF_TITLED if titled else 0.0), _DIGITS),
        relations=relations,
        likely=frozenset(n for n, chance in relations.items() if chance >= weights["thresholds"][f"relation {n}"][0]),
        places=tuple(places),
        titled=titled,
    )


def _name(cluster: Cluster, places: Sequence[tuple[int, int]], text: str) -> str:
    """The short form where the document defines one, else the form used most, the coined and the singular first."""
    counts: dict[str, int] = {}
    for a, b in places:
        counts[text[a:b]] = counts.get(text[a:b], 0) + 1
    if cluster.short in counts:
        return cluster.short
    return max(counts, key=lambda s: (counts[s], looks_named(s.split()[0]), not s.endswith("s"), -len(s), s))


def score_forms(places: Iterable[tuple[int, int]], text: str) -> list[str]:
    """Each mention of a metric that has "score" behind it, with that word.

    >>> score_forms([(0, 2), (11, 13)], "F1 scores. F1 rises.")
    ['F1 scores']
    """
    return [text[start : score.end()] for start, end in places if (score := _SCORE.match(text, end))]


def _measure(cluster: Cluster, places: Sequence[tuple[int, int]], text: str) -> str:
    """The name of a metric, with "score" behind it if it is called so by name and the document mostly writes it.

    An F1 score is called one, where a "BLEU score" is BLEU: 29 of 50 and none of 12 in the annotated abstracts.
    """
    name = _name(cluster, places, text)
    scores = score_forms(places, text) if _CALLED_SCORE.search(name) else []
    return max(sorted(set(scores)), key=scores.count) if 2 * len(scores) > len(places) else name


def explain(reading: Reading) -> list[tuple[Cluster, list[float], list[tuple[str, float]]]]:
    """Every cluster, its class probabilities in the order of `CLASSES`, and its five weightiest features.

    The weight of a feature is what it adds to the likeliest kind over "none".
    """
    view = View(reading)
    models = _weights(reading)
    weights = models["kind"]
    out = []
    for cluster in clusters(reading, candidates(reading)):
        facts = sorted(kind_features(cluster, view))
        chances = _kinds(cluster, facts, models)
        best = max(range(len(KINDS)), key=lambda i: chances[i])
        parts = [(f, weights[f][best] - weights[f][-1]) for f in facts if f in weights]
        out.append((cluster, chances, sorted(parts, key=lambda p: -abs(p[1]))[:5]))
    return out
