"""Score the extractor on papers that neither its network nor any of its weights has read.

    python training/held_out.py --shared ../shared --predictions DIR --parts 1,4,8,12 [--json FILE]

DIR holds the figures of networks that have not read those parts (``predict.py``, as ``make.py`` writes them). The parts
are dealt into folds, and all models of decisions and results that judge a fold are fitted on the others; only the few
thresholds are the shipped ones. The networks of folds have read a third less than the one that ships.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import calibration
import gold
import parts


def main() -> None:
    """Read the options, fit fold by fold, print the scorer's figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--predictions", type=Path, required=True)
    parser.add_argument("--parts", type=parts.numbers, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--more",
        type=parts.numbers,
        default=list(parts.OWN),
        help="parts that decisions learn from and that are not judged",
    )
    args = parser.parse_args()
    shipped = json.loads((calibration.DATA / "decision-model.json").read_text(encoding="utf-8"))
    folds = calibration.folds_of(args.parts)
    of_results = calibration.results_by_fold(args.shared, folds)
    truths, found = {}, {}
    thresholds = shipped["models"]["thresholds"]
    for key, truth, record in calibration.held_out(
        args.shared, folds, args.predictions, thresholds, of_results, args.more
    ):
        truths[key], found[key] = truth, record
    figures = gold.scorer(args.shared).score(truths, found)
    print(f"{figures['papers']} papers, role accuracy {figures['role_accuracy']}")
    for part in ("entities", "relations", "results"):
        for name, row in figures[part].items():
            print(f"{part:10} {name:12} P {row['precision']:5} R {row['recall']:5} F1 {row['f1']:5}")
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
