"""What the model says about the slots of a number: which mention is its method, dataset, metric and baseline.

A number asks with a query for each slot, the first word of each mention answers with a key (Vinyals et al. 2015,
"Pointer networks"); the mentions of one thing share their probability.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from sotagraph.extract.encoding import NUMBERS, SLOTS
from sotagraph.extract.tagger import Prediction
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
        for index in encoded.numbers()
    }


def slot_hints(prediction: Prediction, entities: Sequence[DocumentEntity], slots: Container[str] = SLOTS) -> SlotHints:
    """Probabilities of the fillers of each number's `slots`, over the entities of the document and "nothing"."""
    encoded = prediction.encoded
    at = {encoded.plain.offsets[word.start]: index for index, word in enumerate(encoded.words)}
    places = [(at[m.start], entity.name) for entity in entities for m in entity.mentions if m.start in at]
    names = [name for _, name in places]
    keys = prediction.keys[[index for index, _ in places]] if places else prediction.keys[:0]
    out: dict[int, dict[str, dict[str, float]]] = {}
    for index in encoded.numbers():
        fillers: dict[str, dict[str, float]] = {}
        for slot, label in enumerate(SLOTS):
            if label not in slots:
                continue
            answers = np.concatenate([prediction.nothing[slot][None], keys[:, slot]]) @ prediction.queries[index, slot]
            powers = np.exp(answers - answers.max())
            chances = powers / powers.sum()
            shares = {"": float(chances[0])}
            for name, chance in zip(names, chances[1:].tolist(), strict=True):
                shares[name] = shares.get(name, 0.0) + chance
            fillers[label] = shares
        out[encoded.plain.offsets[encoded.words[index].start]] = fillers
    return out
