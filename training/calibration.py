"""Fit the tables that turn raw confidences into shares of right findings, and write
``src/sotagraph/data/calibration.json``.

    python training/calibration.py --shared ../shared --predictions DIR --parts 1,4,8,12 --out FILE

DIR holds the figures of a network that has not read those parts (``predict.py``). For each part in turn the models of
decisions are fitted on the other given parts, and those of results on all other parts but the development set, so
that every finding that is judged is one about a paper that nothing had read. Done with the network's figures and
without.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import fit_decision
import gold
import reliability
import result_data
import train_results
from predict import load_prediction
from sotagraph.extract import decide, results
from sotagraph.extract.pipeline import build_pipeline
from sotagraph.extract.reading import Reading, read_document
from sotagraph.model import Document, Extraction
from sotagraph.records import to_record

Models = Mapping[str, Any]
#: Strength of the L2 term; the fits proper choose between neighbours of it.
STRENGTH = 1.0


def findings(key: str, text: str, predictions: Path | None) -> Extraction:
    """What the pipeline finds in one abstract with kept figures of a network, or with none."""
    document = Document(id=key, text=text)
    reading: Reading = read_document(document)
    if predictions is not None:
        reading.prediction = load_prediction(predictions / f"{key}.npz", text)
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
    with (
        patch.object(decide, "_weights", lambda _: decision),
        patch.object(results, "load_weights", lambda _: of_results),
        patch("sotagraph.extract.pipeline.load_tables", lambda **_: {}),
    ):
        yield


def judged(
    shared: Path, parts: list[int], predictions: Path | None, of_results: Mapping[int, Models]
) -> dict[str, list[reliability.Judged]]:
    """All findings about the given parts, each by models that have not read its part."""
    rows = {part: fit_decision.collect(shared, [part], predictions) for part in parts}
    out: dict[str, list[reliability.Judged]] = {what: [] for what in reliability.WHAT}
    for held in parts:
        others = [rows[part] for part in parts if part != held]
        joined = {question: [row for part in others for row in part[question]] for question in others[0]}
        decision = fit_decision.fit_all(joined, [STRENGTH])
        with standing_in(decision, of_results[held]):
            for key, (text, truth) in gold.load(shared, f"part_{held}").items():
                record = to_record(findings(key, text, predictions))
                for what, items in reliability.judge(gold.scorer(shared), truth, record).items():
                    out[what] += items
    return out


def main() -> None:
    """Read the options, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--predictions", type=Path, required=True)
    parser.add_argument("--parts", type=lambda s: [int(x) for x in s.split(",")], required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    numbers = {
        part: [n for d in result_data.instances(result_data.load_parts([part], args.shared)) for n in d]
        for part in result_data.TRAIN_PARTS
    }
    of_results = {
        held: train_results.train([n for part in numbers if part != held for n in numbers[part]]) for held in args.parts
    }
    tables, before = {}, {}
    for name, predictions in (("model", args.predictions), ("rules", None)):
        found = judged(args.shared, args.parts, predictions, of_results)
        tables[name] = {what: reliability.isotonic(items) for what, items in found.items()}
        before[name] = {what: len(items) for what, items in found.items()}
        for what, items in found.items():
            whole = reliability.table(items)
            print(f"{name} {what}: {whole['count']} judged, {whole['right']} right, ECE of raw figures {whole['ece']}")
    text = json.dumps({"about": {"parts": args.parts, "judged": before}, "tables": tables}, indent=0, sort_keys=True)
    args.out.write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
