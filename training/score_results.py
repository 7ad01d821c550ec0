"""Score the results that the rules find when the entities are given: the annotated ones stand in for the extractor's.

python training/score_results.py [--cross-validate] [--errors] [PART ...]
"""

from __future__ import annotations

import argparse
from typing import Any

import gold
import parts
from result_data import SHARED, Gold, gold_entities, instances
from sotagraph.extract.results import find_results
from sotagraph.extract.sentences import sentences
from sotagraph.model import Document
from train_results import KIND_L2, SLOT_L2, train


def predict(documents: dict[str, tuple[str, Gold]], weights: Any = None) -> dict[str, Gold]:
    """Records with the annotated entities and the results found."""
    out = {}
    for key, (text, truth) in documents.items():
        found = find_results(Document(id=key, text=text), sentences(text), gold_entities(text, truth), weights=weights)
        results = [
            {
                "value": float(r.value), "unit": r.unit, "kind": r.kind,
                "value_max": None if r.value_max is None else float(r.value_max),
                "method": r.method, "dataset": r.dataset, "metric": r.metric, "baseline": r.baseline, "bound": r.bound,
                "condition": r.condition, "confidence": r.confidence, "rule": r.evidence.rule, "text": r.value_text,
                "baseline_value": None if r.baseline_value is None else float(r.baseline_value),
            }
            for r in found
        ]  # fmt: skip
        out[key] = {"id": key, "entities": truth["entities"], "relations": truth["relations"], "results": results}
    return out


def report(
    documents: dict[str, tuple[str, Gold]], predicted: dict[str, Gold], name: str, errors: list[str] | None = None
) -> None:
    """Print precision, recall and F1 at the three levels."""
    figures = gold.scorer(SHARED).score({key: truth for key, (_, truth) in documents.items()}, predicted, errors)
    print(name, {level: (row["precision"], row["recall"], row["f1"]) for level, row in figures["results"].items()})


def cross_validate(folds: int, l2: float, slot_l2: float) -> tuple[dict[str, tuple[str, Gold]], dict[str, Gold]]:
    """Each training part of the reference material scored by models that have not seen it."""
    papers = {p: parts.load(SHARED, [p]) for p in parts.OF_RESULTS}
    numbers = {p: [n for d in instances(documents) for n in d] for p, documents in papers.items()}
    everything: dict[str, tuple[str, Gold]] = {}
    predicted: dict[str, Gold] = {}
    for fold in range(folds):
        held = [p for i, p in enumerate(parts.SHARED) if i % folds == fold]
        models = train([n for p in parts.OF_RESULTS if p not in held for n in numbers[p]], l2, slot_l2)
        for p in held:
            everything |= papers[p]
            predicted |= predict(papers[p], models)
    return everything, predicted


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", type=int, default=[parts.DEVELOPMENT])
    parser.add_argument("--cross-validate", action="store_true")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--l2", type=float, default=KIND_L2)
    parser.add_argument("--slot-l2", type=float, default=SLOT_L2)
    parser.add_argument("--errors", action="store_true")
    args = parser.parse_args()
    errors: list[str] | None = [] if args.errors else None
    if args.cross_validate:
        documents, predicted = cross_validate(args.folds, args.l2, args.slot_l2)
        report(documents, predicted, "cross-validated", errors)
    else:
        documents = parts.load(SHARED, args.parts)
        report(documents, predict(documents), f"parts {args.parts}", errors)
        seeds = gold.load(SHARED, "seeds")
        report(seeds, predict(seeds), "seeds", None)
    for line in errors or ():
        print(line)


if __name__ == "__main__":
    main()
