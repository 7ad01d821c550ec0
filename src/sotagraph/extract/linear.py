"""A linear model over named features: the smallest learned thing, readable as a table of weights.

Weights come from a JSON file that a script in ``training/`` writes; nothing here learns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, reduce
from importlib import resources
from operator import add

__all__ = ["Weights", "load_weights", "scores", "softmax"]

#: Feature name → one weight a class.
Weights = Mapping[str, Sequence[float]]


@cache
def load_weights(name: str) -> Mapping[str, Weights]:
    """The models of ``data/<name>.json``, by their names; a missing file gives none.

    >>> load_weights("no-such-model")
    {}
    """
    path = resources.files("sotagraph").joinpath("data", f"{name}.json")
    if not path.is_file():
        return {}
    models: dict[str, Weights] = json.loads(path.read_text(encoding="utf-8"))["models"]
    return models


def scores(weights: Weights, features: Iterable[str], classes: int) -> list[float]:
    """The sum of the weights of the features, a class; unknown features weigh nothing.

    >>> scores({"a": (1.0, 0.0), "b": (0.5, 2.0)}, ["a", "b", "c"], 2)
    [1.5, 2.0]
    """
    if classes == 1:
        return [sum(weights[feature][0] for feature in features if feature in weights)]
    rows = [weights[feature] for feature in features if feature in weights]
    # One after the other: `sum` rounds otherwise in newer versions of Python.
    return [reduce(add, column) for column in zip([0.0] * classes, *rows, strict=True)]


def softmax(values: Sequence[float]) -> list[float]:
    """Scores as probabilities.

    >>> softmax([0.0, 0.0])
    [0.5, 0.5]
    """
    top = max(values)
    powers = [math.exp(value - top) for value in values]
    total = math.fsum(powers)
    return [power / total for power in powers]
