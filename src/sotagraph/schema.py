"""The one table of what the graph may hold: kinds, relations with domain and range, roles, result kinds and units.

The graph, the RDF export, the ontology and the documentation are checked against it. The meaning of each relation is
that of the annotation guidelines summarised in ``docs/guidelines.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BOUNDS", "ENTITY_KINDS", "RELATIONS", "RESULT_KINDS", "ROLES", "UNITS", "Relation"]

#: What extraction finds in text, in the order in which ties are settled.
ENTITY_KINDS = ("method", "dataset", "metric", "task")

#: Roles that a paper gives to a thing, by kind; None is the role of a metric or task that it did not coin.
ROLES: dict[str, tuple[str, ...]] = {
    "method": ("proposed", "used", "compared", "mentioned"),
    "dataset": ("introduced", "evaluated", "mentioned"),
    "metric": ("introduced",),
    "task": ("introduced",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A predicate with the kinds that may stand at its ends."""

    name: str
    domain: tuple[str, ...]
    range: tuple[str, ...]
    definition: str


RELATIONS: dict[str, Relation] = {
    r.name: r
    for r in (
        Relation(name="proposes", domain=("paper",), range=("method",), definition="The paper puts the method forward as its own."),
        Relation(
            name="introduces",
            domain=("paper",),
            range=("dataset", "metric", "task"),
            definition="The paper makes the dataset, metric or task known for the first time.",
        ),
        Relation(
            name="uses",
            domain=("paper", "method", "dataset"),
            range=("method", "dataset", "metric", "task"),
            definition="The subject is built on, adapts, is combined with, is trained on or studies the object.",
        ),
        Relation(
            name="evaluatedOn",
            domain=("paper", "method"),
            range=("dataset",),
            definition="The subject is measured on the dataset.",
        ),
        Relation(
            name="comparedWith",
            domain=("paper", "method", "dataset"),
            range=("method", "dataset"),
            definition="The paper sets the subject beside the object without saying that it is better.",
        ),
        Relation(
            name="outperforms",
            domain=("paper", "method", "dataset"),
            range=("method", "dataset"),
            definition="The paper says that the subject is better or faster than the object.",
        ),
        Relation(
            name="variantOf",
            domain=("method", "dataset", "metric", "task"),
            range=("method", "dataset", "metric", "task"),
            definition="The subject is a size, version, split or modification of the object.",
        ),
        Relation(
            name="partOf",
            domain=("method", "dataset", "metric", "task"),
            range=("method", "dataset", "metric", "task"),
            definition="The subject is a module, loss, subset or other component of the object.",
        ),
        Relation(
            name="generalizes",
            domain=("paper", "method", "metric", "task"),
            range=("method", "metric", "task"),
            definition="The object is a special case of the subject, is recovered, subsumed or unified by it.",
        ),
        Relation(name="addresses", domain=("paper",), range=("task",), definition="The paper works on the task."),
        Relation(
            name="hasCode",
            domain=("paper",),
            range=("repository",),
            definition="Code, weights or data of the paper are said to be at the address.",
        ),
    )
}

#: What the number of a result says: a score as it stands, or a change.
RESULT_KINDS = ("absolute", "gain", "speedup", "reduction")

#: Units of results as written; None is a bare number.
UNITS = ("%", "points", "x", "s")

#: How a printed number limits the true one.
BOUNDS = ("up to", "at least", "about", "over")
