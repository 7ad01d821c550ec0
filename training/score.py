"""Score the shipped extractor on annotated abstracts and on public corpora.

    python training/score.py --shared ../shared [--sets part_6,seeds,scirex,...] [--rules] [--json FILE] [--errors]

Annotated abstracts (part_6, seeds) are judged by the scorer that lies beside the annotations, corpora of spans by
``spans.py``; what each label of a corpus stands for is printed with its figures. ``--rules`` leaves the trained model
out. The set "own" is scored only where it is asked for: decisions were fitted to it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gold
import spans
from sotagraph.extract import Extractor

ALL_SETS = (*gold.SETS, *spans.CORPORA)
#: With those that are scored only where they are asked for.
KNOWN = (*ALL_SETS, *gold.FITTED)
Figures = dict[str, Any]


def score_gold(shared: Path, name: str, extractor: Extractor, errors: list[str] | None = None) -> Figures:
    """Figures of one set of annotated abstracts, in the form of the shared scorer."""
    papers = gold.load(shared, name)
    texts = {key: text for key, (text, _) in papers.items()}
    found = gold.as_records(gold.extract(extractor, texts, gold.titles(shared)).values())
    scored: Figures = gold.scorer(shared).score({key: truth for key, (_, truth) in papers.items()}, found, errors)
    return {"title": (gold.SETS | gold.FITTED)[name]} | scored


def score_spans(shared: Path, name: str, extractor: Extractor) -> Figures:
    """Figures of one corpus of spans, with its mapping of labels."""
    corpus = spans.CORPORA[name]
    documents = spans.read(shared, corpus)
    # A few corpora have several texts by one id, so that the place in the file names them.
    found = gold.extract(extractor, {str(i): text for i, (_, text, _) in enumerate(documents)})
    rows = []
    for i, (_, text, marked) in enumerate(documents):
        mentions = [m for entity in found[str(i)].entities for m in entity.mentions]
        rows.append((text, marked, [(m.start, m.end, m.kind) for m in mentions]))
    return {
        "title": corpus.title,
        "documents": len(documents),
        "mapping": corpus.mapping(),
        "remark": corpus.remark,
        "kinds": spans.figures(rows, corpus.kinds),
    }


def _gold_lines(figures: Figures) -> Iterator[str]:
    yield f"{'':24}{'P':>7}{'R':>7}{'F1':>7}{'gold':>7}{'found':>7}"
    for part in ("entities", "relations", "results"):
        for name, row in figures[part].items():
            yield f"{part + ' ' + name:24}" + "".join(
                f"{row[column]:7}" for column in ("precision", "recall", "f1", "gold", "predicted")
            )
    yield f"{'role accuracy':24}{figures['role_accuracy']}"


def _span_lines(figures: Figures) -> Iterator[str]:
    yield f"{figures['mapping']} ({figures['remark']})"
    yield f"{'':24}" + "".join(f"{level + ' P':>12}{'R':>7}{'F1':>7}" for level in spans.LEVELS) + f"{'gold':>9}"
    for kind, levels in figures["kinds"].items():
        cells = "".join(
            f"{row['precision']:12}{row['recall']:7}{row['f1']:7}" for row in (levels[name] for name in spans.LEVELS)
        )
        yield f"{kind:24}{cells}{levels['exact']['gold']:9}"


def main() -> None:
    """Read the options, score, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--sets", default=",".join(ALL_SETS), help=f"some of {', '.join(KNOWN)}")
    parser.add_argument("--rules", action="store_true", help="without the trained model")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--errors", action="store_true", help="list each missed and spurious item of annotated sets")
    args = parser.parse_args()
    wanted = args.sets.split(",")
    annotated = gold.SETS.keys() | gold.FITTED.keys()
    if unknown := sorted(set(wanted).difference(KNOWN)):
        parser.error(f"no set is called {', '.join(unknown)}; there are {', '.join(KNOWN)}")
    extractor = Extractor(model=not args.rules)
    out: Figures = {"extractor": extractor.version, "model": not args.rules, "sets": {}}
    print(extractor.version)
    for name in wanted:
        errors: list[str] | None = [] if args.errors and name in annotated else None
        if name in annotated:
            figures = score_gold(args.shared, name, extractor, errors)
            lines = [f"\n{figures['title']}, {figures['papers']} papers", *_gold_lines(figures)]
        else:
            figures = score_spans(args.shared, name, extractor)
            lines = [f"\n{figures['title']}, {figures['documents']} documents", *_span_lines(figures)]
        out["sets"][name] = figures
        print("\n".join([*lines, *(errors or ())]), flush=True)
    if args.json:
        args.json.write_text(json.dumps(out, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
