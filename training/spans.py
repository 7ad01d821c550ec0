"""Public corpora of marked spans: how their labels map to ours, and what of a prediction counts as found.

A corpus marks every place of a name, with labels of its own and its own idea of what is worth marking. So three
figures are taken for each of our kinds: *exact* (the same characters), *overlap* (at least one character in common,
one to one) and *names* (each different name of a document once, wherever and however often it stands). Kinds that a
corpus does not mark are left out of its figures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sotagraph.names import form

#: Character range, half-open, and one of our kinds.
Span = tuple[int, int, str]
KINDS = ("method", "dataset", "metric", "task")
LEVELS = ("exact", "overlap", "names")


@dataclass(frozen=True)
class Corpus:
    """Where a corpus lies, what its labels are to us, and how much of a long text is read."""

    title: str
    path: str
    labels: Mapping[str, str]
    remark: str
    #: Characters read of each document, up to the end of a sentence; None for all.
    limit: int | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Those of our kinds that the corpus marks."""
        return tuple(kind for kind in KINDS if kind in self.labels.values())

    def mapping(self) -> str:
        """The mapping in words: ``Material → dataset``, what is not named stands for nothing of ours."""
        return ", ".join(f"{label} → {kind}" for label, kind in self.labels.items())


_FULL_TEXT = "full papers, of which the first 3,000 characters are read, up to the end of a sentence"
_SCIER = {"Method": "method", "Dataset": "dataset", "Task": "task"}
CORPORA = {
    "scirex": Corpus(
        "SciREX, test abstracts",
        "corpora/scirex/test.jsonl",
        {"Method": "method", "Material": "dataset", "Metric": "metric", "Task": "task"},
        "titles with abstracts; spans are wide and many are descriptions, which we leave out by design",
    ),
    "tdmsci": Corpus(
        "TDMSci, test",
        "corpora/tdmsci/test.jsonl",
        {"DATASET": "dataset", "METRIC": "metric", "TASK": "task"},
        "single sentences from the inside of papers; methods are not marked",
    ),
    "crossner": Corpus(
        "CrossNER AI, test",
        "corpora/crossner-ai/test.jsonl",
        {"algorithm": "method", "product": "method", "metrics": "metric", "task": "task"},
        "single sentences of an encyclopaedia; datasets have no label of their own (some are `misc`, some `product`)",
    ),
    "scier": Corpus(
        "SciER, test",
        "corpora/scier/test.jsonl",
        _SCIER,
        f"{_FULL_TEXT}; descriptions are marked as methods. Measured only, never trained on",
        3000,
    ),
    "scier-ood": Corpus(
        "SciER, out of domain",
        "corpora/scier/test_ood.jsonl",
        _SCIER,
        f"{_FULL_TEXT}; other fields of AI. Measured only, never trained on",
        3000,
    ),
    "cmu": Corpus(
        "CMU SciNER, test",
        "corpora/cmu-sciner/test.jsonl",
        {"MethodName": "method", "DatasetName": "dataset", "MetricName": "metric", "TaskName": "task"},
        f"{_FULL_TEXT}; only complete systems are marked as methods. Measured only, never trained on",
        3000,
    ),
}


class Tally:
    """Hits, and how many there were on either side.

    >>> tally = Tally()
    >>> tally.add(1, 2, 1)
    >>> tally.row()
    {'precision': 100.0, 'recall': 50.0, 'f1': 66.7, 'gold': 2, 'predicted': 1}
    """

    def __init__(self) -> None:
        self.hit = self.gold = self.predicted = 0

    def add(self, hit: int, gold: int, predicted: int) -> None:
        """Count one comparison."""
        self.hit += hit
        self.gold += gold
        self.predicted += predicted

    def row(self) -> dict[str, float]:
        """Precision, recall and F1 in percent, with the counts behind them."""
        precision = self.hit / self.predicted if self.predicted else 0.0
        recall = self.hit / self.gold if self.gold else 0.0
        both = 2 * self.hit / (self.gold + self.predicted) if self.gold + self.predicted else 0.0
        shares = {"precision": precision, "recall": recall, "f1": both}
        return {name: round(100 * share, 1) for name, share in shares.items()} | {
            "gold": self.gold,
            "predicted": self.predicted,
        }


def read(shared: Path, corpus: Corpus) -> list[tuple[str, str, list[Span]]]:
    """(id, text, marked spans) of each document; spans of labels that are none of ours are left out."""
    lines = (shared / corpus.path).read_text(encoding="utf-8").splitlines()
    return [_document(json.loads(line), corpus) for line in lines if line.strip()]


def _document(record: dict[str, Any], corpus: Corpus) -> tuple[str, str, list[Span]]:
    text, offsets = record["text"], record["token_offsets"]
    if corpus.limit is not None:
        ends = [offsets[last - 1][1] for first, last in record["sentences"] if last > first]
        text = text[: max((end for end in ends if end <= corpus.limit), default=min(ends, default=0))]
    spans = [
        (offsets[e["start"]][0], offsets[e["end"] - 1][1], corpus.labels[e["label"]])
        for e in record["entities"]
        if e["label"] in corpus.labels
    ]
    return record["doc_id"], text, sorted({span for span in spans if span[1] <= len(text)})


def overlapping(gold: Iterable[Span], predicted: Iterable[Span]) -> int:
    """How many pairs of spans of one kind share a character, each span in one pair at most.

    >>> overlapping([(0, 4, "task"), (5, 9, "task")], [(2, 7, "task"), (8, 9, "method")])
    1
    """
    free = sorted(predicted)
    hits = 0
    for start, end, kind in sorted(gold):
        at = next((i for i, (a, b, k) in enumerate(free) if k == kind and a < end and start < b), None)
        if at is not None:
            free.pop(at)
            hits += 1
    return hits


def figures(documents: Sequence[tuple[str, Iterable[Span], Iterable[Span]]], kinds: Sequence[str]) -> dict[str, Any]:
    """Rows by kind and level of (text, gold, predicted) documents, and of all kinds together under ``all``."""
    tallies = {kind: {level: Tally() for level in LEVELS} for kind in (*kinds, "all")}
    for text, marked, found in documents:
        for kind in kinds:
            gold, predicted = ({s for s in spans if s[2] == kind} for spans in (marked, found))
            names = [{form(text[a:b]) for a, b, _ in spans} for spans in (gold, predicted)]
            counts = {
                "exact": (len(gold & predicted), len(gold), len(predicted)),
                "overlap": (overlapping(gold, predicted), len(gold), len(predicted)),
                "names": (len(names[0] & names[1]), len(names[0]), len(names[1])),
            }
            for level, (hit, all_gold, all_predicted) in counts.items():
                tallies[kind][level].add(hit, all_gold, all_predicted)
                tallies["all"][level].add(hit, all_gold, all_predicted)
    return {kind: {level: tally.row() for level, tally in levels.items()} for kind, levels in tallies.items()}
