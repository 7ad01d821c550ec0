"""Abstracts a second, on one thread and on two processes, and what a large corpus takes.

    python benchmarks/extract_speed.py [PATH ...] [--limit 160] [--pairs 2] [--whole] [--json FILE]

PATH is anything that ``sotagraph build`` reads; without one the annotated abstracts of ``../shared`` are taken. Three
ways are measured on one thread, in the batches that a build hands out, on the same documents and in turn, so that what
else the machine does falls on all alike: the whole pipeline, the pipeline without the trained model, and the trained
model alone (what a plain tagger would cost). Figures of one thread are processor time, the best of the rounds a batch;
those of two processes against one are wall-clock time, in pairs. Both mean something only while nothing else runs (two
threads of one core slow each other down, processor time included), so the load is printed. ``--whole`` then extracts
all documents with two workers and tells the peak memory of the processes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sotagraph import engine
from sotagraph.extract import Extractor
from sotagraph.extract.tagger import load_tagger
from sotagraph.model import Document

SHARED = Path(__file__).resolve().parents[2] / "shared"
#: Papers of the ACL Anthology sample that the goal speaks of, and its limits in minutes and megabytes.
ANTHOLOGY, MOST_MINUTES, MOST_MEGABYTES = 9002, 10, 1536


def load(paths: Sequence[Path], limit: int | None) -> list[Document]:
    """The documents of some paths, an even sample of them where there are more than `limit`."""
    if paths:
        documents = [d for d in engine.read(paths, warn=lambda _: None) if d.text]
    else:
        lines = (SHARED / "annotations" / "abstracts.jsonl").read_text(encoding="utf-8").splitlines()
        documents = [Document(id=item["id"], text=item["abstract"]) for item in map(json.loads, lines)]
    step = max(1, len(documents) // limit) if limit else 1
    return documents[::step][:limit]


def one_thread(documents: Sequence[Document], rounds: int) -> dict[str, dict[str, float]]:
    """Abstracts a second and milliseconds an abstract of each way, in processor time."""
    whole, rules, tagger = Extractor(), Extractor(model=False), load_tagger()
    # In batches, as a build does it.
    ways: dict[str, Callable[[Sequence[Document]], Any]] = {
        "whole pipeline": lambda chunk: list(whole.pipe(chunk)),
        "rules alone": lambda chunk: list(rules.pipe(chunk)),
    }
    if tagger is not None:
        ways["model alone"] = lambda chunk: [tagger.predict(document.text) for document in chunk]
    for run in ways.values():
        run(documents[:1])
    best = dict.fromkeys(ways, 0.0)
    for chunk in (documents[i : i + engine.BATCH] for i in range(0, len(documents), engine.BATCH)):
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, run in ways.items():
                began = time.process_time()
                run(chunk)
                times[name].append(time.process_time() - began)
        for name in ways:
            best[name] += min(times[name])
    return {
        name: {"rate": round(len(documents) / took, 1), "milliseconds": round(1000 * took / len(documents), 1)}
        for name, took in best.items()
    }


def workers(documents: Sequence[Document], pairs: int) -> tuple[float, float, float]:
    """Seconds a document with one process and with two, and the median ratio of pairs; starting up is left out."""
    took: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(pairs):
        for count in (1, 2):
            took[count].append(_steady(documents, count))
    ratios = [one / two for one, two in zip(took[1], took[2], strict=True)]
    return min(took[1]), min(took[2]), statistics.median(ratios)


def _steady(documents: Sequence[Document], count: int) -> float:
    """Wall-clock seconds a document, from the first finished batches to the last: loading a model is not extraction."""
    from sotagraph.pool import run

    batches = [documents[i : i + engine.BATCH] for i in range(0, len(documents), engine.BATCH)]
    done = 0
    began = 0.0
    skipped = 0
    for _ in run(batches, workers=count, factory=engine.default_factory):
        done += 1
        if done == 2 * engine.BATCH:
            began, skipped = time.perf_counter(), done
    return (time.perf_counter() - began) / (done - skipped)


def whole_corpus(documents: Sequence[Document]) -> tuple[float, float, float]:
    """Wall-clock seconds, and peak megabytes of this process and of its largest worker, with two workers."""
    began = time.perf_counter()
    for _ in engine.extract(documents, workers=2):
        pass
    took = time.perf_counter() - began
    own, child = (resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return took, own, child


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--limit", type=int, default=160)
    parser.add_argument("--rounds", type=int, default=2, help="times each batch is run on one thread")
    parser.add_argument("--pairs", type=int, default=2, help="pairs of one process and two; 0 leaves them out")
    parser.add_argument("--whole", action="store_true", help="then extract every document, with two workers")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    documents = load(args.paths, args.limit)
    letters = statistics.mean(len(document.text) for document in documents)
    figures: dict[str, Any] = {"one_thread": one_thread(documents, args.rounds)}
    for name, row in figures["one_thread"].items():
        print(f"{name}: {row['rate']} abstracts a second, {row['milliseconds']} ms each", flush=True)
    remarks = [f"{len(documents)} abstracts of {letters:.0f} letters on average, processor time, best of {args.rounds}"]
    if args.pairs:
        one, two, ratio = workers(documents, args.pairs)
        load_now = os.getloadavg()[0]
        remarks.append(
            f"two workers against one: {ratio:.2f} times as fast (median of {args.pairs} pairs; {1 / one:.1f} and "
            f"{1 / two:.1f} abstracts a second; {os.cpu_count()} cores, load {load_now:.1f} meanwhile)"
        )
    if args.whole:
        every = load(args.paths, None)
        took, own, child = whole_corpus(every)
        remarks.append(
            f"{len(every)} abstracts with two workers: {took / 60:.1f} minutes; peak memory {own:.0f} MB here and "
            f"{child:.0f} MB in the larger worker (load {os.getloadavg()[0]:.1f})"
        )
    else:
        rate = figures["one_thread"]["whole pipeline"]["rate"]
        remarks.append(
            f"{ANTHOLOGY} such abstracts would take {ANTHOLOGY / rate / 60:.1f} minutes on one thread (extrapolated; "
            f"the goal is {MOST_MINUTES} minutes and {MOST_MEGABYTES} MB)"
        )
    figures["remarks"] = remarks
    print("\n".join(remarks))
    if args.json:
        args.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
