"""What the model says about the slots of a number: which mention is its method, dataset, metric and baseline.

A number asks with a query for each slot, the first word of each mention answers with a key (Vinyals et al. 2015,
"Pointer networks"); the mentions of one thing share their probability.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

import numpy as np

from sotagraph.extract.encoding import NUMBERS, SLOTS
from sotagraph.extract.tagger import Array, Prediction
from sotagraph.model import DocumentEntity

__all__ = ["SlotHints", "number_hints", "slot_hints"]

#: Original offset of a number's first digit → slot → name of the filler, or "" for none → probability.
SlotHints = Mapping[int, Mapping[str, Mapping[str, float]]]


def number_hints(prediction: Prediction) -> dict[int, dict[str, float]]:
    """What each word that starts with a digit is, by the original offset of that digit: probabilities of `NUMBERS`."""
    encoded = prediction.encoded
    return {
        encoded.plain.offsets[encoded.words[index].start]: dict(
            zip(NUMBERS, prediction.numbers[index].tolist(), strict=True)
        )
        for index in encoded.numbers
    }


class _Pointers(SlotHints):
    """What each number points to, told when it is asked for: most numbers are no results, and nobody asks."""

    def __init__(self, prediction: Prediction, entities: Sequence[DocumentEntity], slots: Container[str]) -> None:
        encoded = prediction.encoded
        at = {encoded.plain.offsets[word.start]: index for index, word in enumerate(encoded.words)}
        places = [(at[m.start], entity.name) for entity in entities for m in entity.mentions if m.start in at]
        self._prediction, self._slots = prediction, slots
        self._numbers = {encoded.plain.offsets[encoded.words[index].start]: index for index in encoded.numbers}
        self._names = [name for _, name in places]
        self._keys = prediction.keys[[index for index, _ in places]] if places else prediction.keys[:0]

    def __getitem__(self, offset: int) -> dict[str, dict[str, float]]:
        asked = self._prediction.queries[self._numbers[offset]]
        return {label: self._shares(slot, asked[slot]) for slot, label in enumerate(SLOTS) if label in self._slots}

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def _shares(self, slot: int, query: Array) -> dict[str, float]:
        answers = np.concatenate([self._prediction.nothing[slot][None], self._keys[:, slot]]) @ query
        powers = np.exp(answers - answers.max())
        chances = powers / powers.sum()
        shares = {"": float(chances[0])}
        for name, chance in zip(self._names, chances[1:].tolist(), strict=True):
            shares[name] = shares.get(name, 0.0) + chance
        return shares


def slot_hints(prediction: Prediction, entities: Sequence[DocumentEntity], slots: Container[str] = SLOTS) -> SlotHints:
    """Probabilities of the fillers of each number's `slots`, over the entities of the document and "nothing"."""
    return _Pointers(prediction, entities, slots) if prediction.encoded.numbers else {}
