"""A linear model over named features: the smallest learned thing, readable as a table of weights.

Weights come from a JSON file that a script in ``training/`` writes; nothing here learns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, reduce
from importlib import resources
from itertools import accumulate, pairwise, repeat, starmap
from operator import add

import numpy as np

__all__ = ["Models", "Table", "Weights", "load_weights", "scores", "softmax"]

#: Feature name → one weight a class.
Weights = Mapping[str, Sequence[float]]


class Table:
    """Models side by side as one array with a row for each feature, in the order of their names.

    A sum over a hundred features then reads one piece of memory, where lists of numbers lie all over it.

    >>> Table([{"x": (1.0, 2.0)}, {"y": (3.0,)}]).scores({"y", "x", "z"})
    [[1.0, 2.0], [3.0]]
    """

    def __init__(self, models: Sequence[Weights]) -> None:
        features = sorted({feature for model in models for feature in model})
        self._row = {feature: row for row, feature in enumerate(features)}
        ends = [0, *accumulate(len(next(iter(model.values()), ())) for model in models)]
        self._columns = list(starmap(slice, pairwise(ends)))
        #: The last row is that of all features which no model knows.
        self._weights = np.zeros((len(features) + 1, ends[-1]))
        for model, columns in zip(models, self._columns, strict=True):
            for feature, weights in model.items():
                self._weights[self._row[feature], columns] = weights

    def scores(self, features: Iterable[str]) -> list[list[float]]:
        """For each model the sum of the weights of the features, a class; unknown features weigh nothing.

        They are added in the order of their names, whatever the order in which they come.
        """
        rows = sorted(map(self._row.get, features, repeat(len(self._row))))
        sums = np.add.reduce(self._weights.take(np.array(rows, dtype=np.intp), axis=0)).tolist()
        return [sums[columns] for columns in self._columns]


class Models(dict[str, Weights]):
    """The models of one file by their names."""

    def __init__(self, models: Mapping[str, Weights]) -> None:
        super().__init__(models)
        self._tables: dict[tuple[str, ...], Table] = {}

    def table(self, *names: str) -> Table:
        """Several models side by side, made once.

        >>> Models({"a": {"x": (1.0, 2.0)}, "b": {"x": (4.0, 5.0), "y": (3.0, 4.0)}}).table("a", "b").scores({"x"})
        [[1.0, 2.0], [4.0, 5.0]]
        """
        if names not in self._tables:
            self._tables[names] = Table([self[name] for name in names])
        return self._tables[names]


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
