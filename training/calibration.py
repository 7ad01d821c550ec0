"""Fit the tables that turn raw confidences into shares of right findings, and write
``src/sotagraph/data/calibration.json``.

    python training/calibration.py --shared ../shared --predictions DIR --parts 1,4,8,12 --out FILE

DIR holds the figures of networks that have not read those parts (``predict.py``). The parts are dealt into folds; for
each, the models of decisions are fitted on the other folds, and those of results on all other parts but the development
set, so that every finding that is judged is one about a paper that nothing had read. Done with the network's figures
and without.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import fit_decision
import gold
import parts
import reliability
import result_data
import train_results
from predict import StaleError, load_prediction
from sotagraph.extract import decide, linear, results
from sotagraph.extract.decide import CLASSES, RELATION_TESTS, ROLES
from sotagraph.extract.pipeline import build_pipeline
from sotagraph.extract.reading import Reading, read_document
from sotagraph.model import Document, Extraction
from sotagraph.records import to_record

Models = Mapping[str, Any]
#: Strength of the L2 term of kinds and of all other questions: what the fits proper take, or mostly choose.
STRENGTHS = {"kind": 2.5}
STRENGTH = 12.0
#: Parts are dealt into at most so many folds.
FOLDS = 4
DATA = Path(__file__).resolve().parents[1] / "src" / "sotagraph" / "data"


def findings(key: str, text: str, predictions: Path | None) -> Extraction:
    """What the pipeline finds in one abstract with kept figures of a network, or with none."""
    document = Document(id=key, text=text)
    reading: Reading = read_document(document)
    if predictions is not None:
        reading.prediction = load_prediction(predictions, key, text)
    nlp = build_pipeline(model=False)
    doc = nlp.make_doc(reading.text)
    doc._.reading = reading
    nlp(doc)
    return Extraction(
        document=document,
        entities=reading.entities,
        statements=reading.statements,
        results=reading.results,
        extractor="raw",
    )


@contextmanager
def standing_in(decision: Models, of_results: Models) -> Iterator[None]:
    """The pipeline with other weights than the shipped ones, and with raw confidences."""
    weights = linear.Models(decision)
    with (
        patch.object(decide, "_weights", lambda _: weights),
        patch.object(results, "load_weights", lambda _: of_results),
        gold.raw_confidences(),
    ):
        yield


def decisions(rows: Mapping[str, list[fit_decision.Row]], thresholds: Mapping[str, Sequence[float]]) -> Models:
    """Models of all questions; thresholds are taken over, since a few numbers learn no paper by heart."""
    sizes = {"kind": len(CLASSES)} | {f"role {kind}": len(roles) for kind, roles in ROLES.items()}
    sizes |= {f"relation {name}": 2 for name in RELATION_TESTS}
    models: dict[str, Any] = {
        q: fit_decision.fit(its_rows, sizes[q], STRENGTHS.get(q, STRENGTH)) for q, its_rows in rows.items()
    }
    return models | {"thresholds": thresholds}


def held_out(
    shared: Path,
    folds: Sequence[Sequence[int]],
    predictions: Path | None,
    thresholds: Mapping[str, Sequence[float]],
    of_results: Sequence[Models],
    more: Sequence[int] = (),
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Id, annotation and record of each paper of the folds, found by models that have not read its fold.

    Parts in `more` are learned from by all and not judged.
    """
    rows = [fit_decision.collect(shared, fold, predictions) for fold in (*folds, more)]
    for number, fold in enumerate(folds):
        others = [its_rows for i, its_rows in enumerate(rows) if i != number]
        joined = {question: [row for other in others for row in other[question]] for question in others[0]}
        with standing_in(decisions(joined, thresholds), of_results[number]):
            for key, (text, truth) in parts.load(shared, fold).items():
                try:
                    yield key, truth, to_record(findings(key, text, predictions))
                except StaleError as stale:
                    print(f"left out: {stale}")


def judged(
    shared: Path,
    folds: Sequence[Sequence[int]],
    predictions: Path | None,
    thresholds: Mapping[str, Sequence[float]],
    of_results: Sequence[Models],
) -> dict[str, list[reliability.Judged]]:
    """All findings about the parts of the folds, each by models that have not read its fold."""
    out: dict[str, list[reliability.Judged]] = {what: [] for what in reliability.WHAT}
    for _, truth, record in held_out(shared, folds, predictions, thresholds, of_results):
        for what, items in reliability.judge(gold.scorer(shared), truth, record).items():
            out[what] += items
    return out


def results_by_fold(shared: Path, folds: Sequence[Sequence[int]]) -> list[Models]:
    """Models of results for each fold, learnt from all other parts but the development set."""
    numbers = {
        part: [n for d in result_data.instances(parts.load(shared, [part])) for n in d] for part in parts.OF_RESULTS
    }
    return [train_results.train([n for part in numbers if part not in fold for n in numbers[part]]) for fold in folds]


def folds_of(parts: Sequence[int]) -> list[Sequence[int]]:
    """The parts dealt into folds."""
    return [parts[number::FOLDS] for number in range(min(FOLDS, len(parts)))]


def main() -> None:
    """Read the options, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--predictions", type=Path, required=True)
    parser.add_argument("--parts", type=parts.numbers, required=True)
    parser.add_argument(
        "--decision", type=Path, default=DATA / "decision-model.json", help="thresholds with the network"
    )
    parser.add_argument("--rules", type=Path, default=DATA / "decision-rules.json", help="thresholds without it")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    folds = folds_of(args.parts)
    of_results = results_by_fold(args.shared, folds)
    tables, before = {}, {}
    ways = (("model", args.predictions, args.decision), ("rules", None, args.rules))
    for name, predictions, decision in ways:
        thresholds = json.loads(decision.read_text(encoding="utf-8"))["models"]["thresholds"]
        found = judged(args.shared, folds, predictions, thresholds, of_results)
        tables[name] = {what: reliability.isotonic(items) for what, items in found.items()}
        before[name] = {what: len(items) for what, items in found.items()}
        for what, items in found.items():
            whole = reliability.table(items)
            print(f"{name} {what}: {whole['count']} judged, {whole['right']} right, ECE of raw figures {whole['ece']}")
    text = json.dumps({"about": {"parts": args.parts, "judged": before}, "tables": tables}, indent=0, sort_keys=True)
    args.out.write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
