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

__all__ = ["Models", "Weights", "load_weights", "scores", "softmax"]

#: Feature name → one weight a class.
Weights = Mapping[str, Sequence[float]]


class Models(dict[str, Weights]):
    """The models of one file by their names."""

    def __init__(self, models: Mapping[str, Weights]) -> None:
        super().__init__(models)
        self._together: dict[tuple[str, ...], Weights] = {}

    def together(self, names: tuple[str, ...], classes: int) -> Weights:
        """Several models of as many classes side by side, made once: where one does not know a feature, it weighs 0.

        >>> Models({"a": {"x": (1.0, 2.0)}, "b": {"y": (3.0, 4.0)}}).together(("a", "b"), 2)
        {'x': [1.0, 2.0, 0.0, 0.0], 'y': [0.0, 0.0, 3.0, 4.0]}
        """
        if names not in self._together:
            models = [self[name] for name in names]
            unknown = [0.0] * classes
            self._together[names] = {
                feature: [weight for model in models for weight in model.get(feature, unknown)]
                for feature in sorted({feature for model in models for feature in model})
            }
        return self._together[names]


@cache
def load_weights(name: str) -> Models:
    """The models of ``data/<name>.json``, by their names; a missing file gives none.

    >>> load_weights("no-such-model")
    {}
    """
    path = resources.files("sotagraph").joinpath("data", f"{name}.json")
    if not path.is_file():
        return Models({})
    return Models(json.loads(path.read_text(encoding="utf-8"))["models"])


def scores(weights: Weights, features: Iterable[str], classes: int) -> list[float]:
    """The sum of the weights of the features, a class; unknown features weigh nothing.

    >>> scores({"a": (1.0, 0.0), "b": (0.5, 2.0)}, ["a", "b", "c"], 2)
    [1.5, 2.0]
    """
    rows = list(filter(None, map(weights.get, features)))
    if classes == 1:
        return [sum(row[0] for row in rows)]
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
