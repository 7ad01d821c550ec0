"""A name that was decided on, with all that is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sotagraph.extract.clusters import Cluster

__all__ = ["Decided"]


@dataclass(frozen=True, slots=True)
class Decided:
    """A cluster that is a name, with the probability of each further question."""

    cluster: Cluster
    name: str
    kind: str
    confidence: float
    role: str | None
    role_confidence: float
    relations: Mapping[str, float]
    #: The relations that are likely enough to be said.
    likely: frozenset[str]
    #: The mentions of this name: half-open plain ranges, none inside a longer name.
    places: tuple[tuple[int, int], ...]
    #: Whether the title begins with it.
    titled: bool = False
