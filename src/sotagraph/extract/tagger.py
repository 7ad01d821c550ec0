"""The trained model: for every word, what it names, in which role, and what its number says.

A MiniLM encoder with a head for each question (see ``training/``), as int8 ONNX, run by onnxruntime on one thread.
Every head says probabilities; nothing is decided here. The spans of `spans` are where a name is likelier than none.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sotagraph.errors import ConfigError
from sotagraph.extract.encoding import (
    KINDS,
    NUMBERS,
    RELATION_LABELS,
    ROLE_LABELS,
    SLOTS,
    TAGS,
    Encoded,
    Window,
    encode,
)

__all__ = ["Prediction", "Span", "Tagger", "load_tagger"]

Array = NDArray[np.float32]
_POINT = 32
_DOUBTLESS = 0.999
_BEGIN = [TAGS.index(f"B-{k}") for k in KINDS], [TAGS.index(f"B-{k}?") for k in KINDS]
_INSIDE = [TAGS.index(f"I-{k}") for k in KINDS], [TAGS.index(f"I-{k}?") for k in KINDS]


@dataclass(frozen=True, slots=True)
class Span:
    """Words ``[first, last)`` that the model reads as one name of a kind."""

    first: int
    last: int
    kind: str


@dataclass(frozen=True, slots=True)
class Prediction:
    """Probabilities for each word of an encoded text, one row a word."""

    encoded: Encoded
    #: (words, tags) in the order of `TAGS`.
    tags: Array
    #: (words, roles) in the order of `ROLE_LABELS`.
    roles: Array
    #: (words, relations) in the order of `RELATION_LABELS`; each on its own, they do not sum to 1.
    relations: Array
    #: (words, classes) in the order of `NUMBERS`.
    numbers: Array
    #: (words, slots, width): what a number asks for, and what a mention answers.
    queries: Array
    keys: Array
    #: (slots, width): the key of "nothing fills this slot".
    nothing: Array
    #: What `spans` found, kept there since several components ask.
    _spans: list[Span] = field(default_factory=list, init=False, repr=False, compare=False)

    def core(self) -> Array:
        """(words, kinds): probability that a word belongs to a core name of each kind."""
        return np.asarray(self.tags[:, _BEGIN[0]] + self.tags[:, _INSIDE[0]])

    def optional(self) -> Array:
        """(words, kinds): the same for names that annotators call optional, such as classes of models."""
        return np.asarray(self.tags[:, _BEGIN[1]] + self.tags[:, _INSIDE[1]])

    def spans(self) -> list[Span]:
        """Names by the likeliest legal sequence of begin and inside, core and optional taken together."""
        if not self._spans:
            begin = self.tags[:, _BEGIN[0]] + self.tags[:, _BEGIN[1]]
            inside = self.tags[:, _INSIDE[0]] + self.tags[:, _INSIDE[1]]
            self._spans.extend(_decode(self.tags[:, :1], begin, inside))
        return list(self._spans)


def _decode(outside: Array, begin: Array, inside: Array) -> list[Span]:
    """Viterbi over O, B-kind and I-kind, where I follows only B or I of its kind."""
    if not len(outside):
        return []
    kinds = begin.shape[1]
    logs = np.log(np.concatenate([outside, begin, inside], axis=1) + 1e-9)
    best = logs.argmax(axis=1)
    # Words that are outside without doubt part the text, and most of what lies between is legal as it is.
    borders = [*np.flatnonzero(outside[:, 0] > _DOUBTLESS).tolist(), len(best)]
    for behind in sorted({bisect_left(borders, place) for place in _illegal(best, kinds)}):
        part = slice(borders[behind - 1] + 1 if behind else 0, borders[behind])
        best[part] = _viterbi(logs[part].tolist(), kinds)
    spans: list[Span] = []
    start = -1
    for i, label in enumerate([*best.tolist(), 0]):
        if start >= 0 and not label > kinds:
            spans.append(Span(start, i, KINDS[(best[start] - 1) % kinds]))
            start = -1
        if 0 < label <= kinds:
            start = i
    return spans


def _illegal(path: NDArray[Any], kinds: int) -> list[int]:
    """Places of a path where an inside follows neither its begin nor itself."""
    before = np.concatenate([[0], path[:-1]])
    same = (before == path) | (before == path - kinds)
    places: list[int] = np.flatnonzero((path > kinds) & ~same).tolist()
    return places


def _viterbi(logs: list[list[float]], kinds: int) -> NDArray[Any]:
    """The likeliest path in which an inside follows only its begin or itself; labels in the order of `_decode`."""
    labels = range(1 + 2 * kinds)
    total = [value if label <= kinds else value - 1e9 for label, value in enumerate(logs[0])]
    back: list[list[int]] = []
    for row in logs[1:]:
        free = max(labels, key=total.__getitem__)
        came = [free] * (1 + kinds)
        for inside in range(1 + kinds, 1 + 2 * kinds):
            begin = inside - kinds
            came.append(begin if total[begin] >= total[inside] else inside)
        total = [total[before] + value for before, value in zip(came, row, strict=True)]
        back.append(came)
    path = [max(labels, key=total.__getitem__)]
    for came in reversed(back):
        path.append(came[path[-1]])
    return np.asarray(path[::-1])


def _softmax(values: Array) -> Array:
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


class Tagger:
    """A loaded model; `version` is the digest that its card gives.

    Raises:
        ConfigError: the model file and this version of the code do not have the same labels.
    """

    def __init__(self, model: bytes, card: Mapping[str, Any], vocabulary: Mapping[str, int]) -> None:
        import onnxruntime

        labels = {
            "tags": list(TAGS),
            "roles": list(ROLE_LABELS),
            "relations": list(RELATION_LABELS),
            "numbers": list(NUMBERS),
        }
        if card["labels"] != labels:
            raise ConfigError(
                "the model file was trained for other labels than this version of sotagraph; reinstall the package"
            )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Else a processor without instructions for int8 would cut off large sums, and say other things than the rest.
        options.add_session_config_entry("session.x64quantprecision", "1")
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._vocabulary = vocabulary
        self._nothing = np.asarray(card["nothing"], dtype=np.float32)
        self.version = str(card["version"])

    def predict(self, text: str) -> Prediction:
        """Probabilities for the words of one text."""
        encoded = encode(text, self._vocabulary)
        runs = [self._run(window) for window in encoded.windows]
        if runs:
            tags, roles, relations, numbers, queries, keys = (
                np.concatenate(column) for column in zip(*runs, strict=True)
            )
        else:
            sizes = (len(TAGS), len(ROLE_LABELS), len(RELATION_LABELS), len(NUMBERS), *[len(SLOTS) * _POINT] * 2)
            tags, roles, relations, numbers, queries, keys = (np.zeros((0, size), dtype=np.float32) for size in sizes)
        slots = (-1, len(SLOTS), _POINT)
        return Prediction(
            encoded=encoded,
            tags=_softmax(tags) if len(tags) else tags,
            roles=_softmax(roles) if len(tags) else roles,
            relations=np.asarray(1.0 / (1.0 + np.exp(-relations))),
            numbers=_softmax(numbers) if len(tags) else numbers,
            queries=queries.reshape(slots),
            keys=keys.reshape(slots),
            nothing=self._nothing,
        )

    def _run(self, window: Window) -> list[Array]:
        inputs = {
            "ids": np.asarray([window.ids], dtype=np.int64),
            "shapes": np.asarray([window.shapes], dtype=np.int64),
            "emphases": np.asarray([window.emphases], dtype=np.int64),
            "heads": np.asarray(window.heads, dtype=np.int64),
        }
        return [np.asarray(output[0]) for output in self._session.run(None, inputs)]


@cache
def load_tagger() -> Tagger | None:
    """The model that ships with the package, loaded once; None in a checkout without it."""
    home = resources.files("sotagraph").joinpath("data", "model")
    card = home.joinpath("card.json")
    if not card.is_file():
        return None
    lines = home.joinpath("vocab.txt").read_text(encoding="utf-8").split("\n")
    vocabulary = {piece: number for number, piece in enumerate(lines) if piece}
    return Tagger(home.joinpath("model.onnx").read_bytes(), json.loads(card.read_text(encoding="utf-8")), vocabulary)
