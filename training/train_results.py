"""Train the models of results and write ``src/sotagraph/data/results.json``.

    python training/train_results.py [--shared ../shared] [--l2 0.7] [--out FILE]

Learns on all annotated parts but the development set. Deterministic: convex losses, zero start, sorted features.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import logsumexp

import parts
from result_data import SHARED, Instance, fillers, instances
from sotagraph.extract.result_constructions import chains
from sotagraph.extract.result_kinds import KINDS, kind_features
from sotagraph.extract.result_slots import SLOTS, Number, candidates, slot_features

OUT = Path(__file__).resolve().parents[1] / "src" / "sotagraph" / "data" / "results.json"
#: Features seen in fewer instances than this are not kept.
RARE = 3
#: Strength of the L2 term of kinds, and of slots (decision 0716).
KIND_L2 = 0.7
SLOT_L2 = 2.0
Table = dict[str, list[float]]


def index_of(rows: Sequence[Sequence[str]], rare: int = RARE) -> dict[str, int]:
    """Feature → column, for all features that are not rare."""
    counts = Counter(feature for row in rows for feature in set(row))
    return {feature: i for i, feature in enumerate(sorted(f for f, c in counts.items() if c >= rare))}


def matrix(rows: Sequence[Sequence[str]], index: dict[str, int]) -> csr_matrix:
    """One row an instance; a feature that occurs twice counts twice, as at run time."""
    pairs = [(r, index[f]) for r, row in enumerate(rows) for f in row if f in index]
    data = np.ones(len(pairs))
    where = np.array(pairs).reshape(-1, 2).T
    return csr_matrix((data, (where[0], where[1])), shape=(len(rows), len(index)))


def train_kinds(numbers: list[Instance], l2: float) -> Table:
    """Multinomial logistic regression over `KINDS`."""
    rows = [kind_features(n.page, n.line, n.index, chains(n.line)) for n in numbers]
    index = index_of(rows)
    x, y = matrix(rows, index), np.array([KINDS.index(n.label) for n in numbers])
    classes = len(KINDS)
    target = np.eye(classes)[y]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w = flat.reshape(len(index), classes)
        z = x @ w
        norm = logsumexp(z, axis=1, keepdims=True)
        value = float((norm[:, 0] - (z * target).sum(1)).sum() + 0.5 * l2 * (w * w).sum())
        gradient = x.T @ (np.exp(z - norm) - target) + l2 * w
        return value, gradient.ravel()

    w = minimize(loss, np.zeros(len(index) * classes), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return {f: [round(float(v), 3) for v in w.reshape(-1, classes)[i]] for f, i in index.items()}


def train_slot(numbers: list[Instance], slot: str, l2: float) -> Table:
    """A conditional choice among the candidates of a slot; any filler that the annotations allow is right."""
    rows: list[list[str]] = []
    owner: list[int] = []
    right: list[bool] = []
    for n in numbers:
        golds = [g for g in n.golds if not g.get("optional")]
        good = fillers(n.page, slot, golds)
        options = candidates(n.page, slot)
        if not golds or not good & set(options):
            continue
        number = Number(n.line, n.index, n.label, n.likely)
        group = owner[-1] + 1 if owner else 0
        for c in options:
            rows.append(slot_features(n.page, number, slot, c))
            owner.append(group)
            right.append(c in good)
    index = index_of(rows)
    x, groups, ok = matrix(rows, index), np.array(owner), np.array(right)
    starts = np.flatnonzero(np.r_[True, np.diff(groups) > 0])

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        z = x @ w
        all_top = np.maximum.reduceat(z, starts)[groups]
        e = np.exp(z - all_top)
        total, hit = np.add.reduceat(e, starts), np.add.reduceat(e * ok, starts)
        p, q = e / total[groups], e * ok / np.maximum(hit, 1e-300)[groups]
        value = float((np.log(total) - np.log(np.maximum(hit, 1e-300))).sum() + 0.5 * l2 * (w * w).sum())
        return value, x.T @ (p - q) + l2 * w

    w = minimize(loss, np.zeros(len(index)), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return {f: [round(float(w[i]), 3)] for f, i in index.items()}


def train(numbers: list[Instance], l2: float = KIND_L2, slot_l2: float = SLOT_L2) -> dict[str, Table]:
    """All models, from labelled numbers; borderline annotations teach nothing."""
    sure = [n for n in numbers if not n.optional]
    models = {"kinds": train_kinds(sure, l2)}
    for slot in SLOTS:
        models[slot] = train_slot(sure, slot, slot_l2)
    return {name: {f: w for f, w in table.items() if any(abs(v) >= 0.02 for v in w)} for name, table in models.items()}


def write(models: dict[str, Table], path: Path, note: dict[str, object]) -> None:
    """One feature a line, sorted, so that a diff of two trainings can be read."""
    tables = []
    for name, table in models.items():
        lines = [
            f"{json.dumps(feature, ensure_ascii=False)}:{json.dumps(weights, separators=(',', ':'))}"
            for feature, weights in sorted(table.items())
        ]
        tables.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(lines) + "}")
    body = ",\n".join(tables)
    text = f'{{"about": {json.dumps(note, sort_keys=True)},\n"models": {{\n{body}\n}}}}\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".tmp")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(path)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--l2", type=float, default=KIND_L2)
    parser.add_argument("--slot-l2", type=float, default=SLOT_L2)
    parser.add_argument("-o", "--out", type=Path, default=OUT)
    args = parser.parse_args()
    numbers = [n for document in instances(parts.load(args.shared, parts.OF_RESULTS)) for n in document]
    models = train(numbers, args.l2, args.slot_l2)
    note = {"numbers": len(numbers), "parts": list(parts.OF_RESULTS), "l2": args.l2, "slot_l2": args.slot_l2}
    write(models, args.out, note)
    print({name: len(table) for name, table in models.items()}, args.out.stat().st_size)


if __name__ == "__main__":
    main()
