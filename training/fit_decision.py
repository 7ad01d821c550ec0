"""Fit the linear models that decide on names, roles and relations, and write their weights.

    python training/fit_decision.py --shared ../shared --out src/sotagraph/data [--predictions DIR]

Without --predictions the weights of the rules alone are fitted (decision-rules.json). With it, DIR holds for each
annotated abstract the tagger's figures from a model that was not trained on it (``python training/predict.py``), and
decision-model.json is written. Part 6 is left out, but for the thresholds of kinds (``--final``); L2 strength is chosen
by five-fold cross-validation over papers.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import data as annotations
import parts
from predict import StaleError, load_prediction
from sotagraph.extract.candidates import candidates
from sotagraph.extract.clusters import Cluster, clusters
from sotagraph.extract.decide import CLASSES, RELATION_TESTS, ROLES
from sotagraph.extract.encoding import KINDS
from sotagraph.extract.features import View, kind_features, role_features
from sotagraph.extract.pipeline import COMPONENTS, build_pipeline, read_doc
from sotagraph.extract.reading import Reading
from sotagraph.model import Document
from sotagraph.names import form

#: A difference in F1 that is no difference.
ALMOST = 0.003
#: Features seen less often than this are left out: they would only be learnt by heart.
LEAST_SEEN = 6
#: Further L2 strengths for roles and relations, which have a tenth of the rows of kinds.
STRONGER = (4.0, 12.0)
#: How much an abstract of the project's own annotations counts beside one of the reference material, whose annotators
#: are those that it is measured by: better than as much, on abstracts of that material held out.
OWN_SHARE = 0.5
Row = tuple[str, list[str], int, float]


def fit(rows: Sequence[Row], classes: int, strength: float) -> dict[str, list[float]]:
    """Multinomial logistic regression with L2: weights by feature name, one a class."""
    counts: dict[str, int] = {}
    for _, facts, _, _ in rows:
        for fact in facts:
            counts[fact] = counts.get(fact, 0) + 1
    names = sorted(f for f, n in counts.items() if n >= LEAST_SEEN)
    index = {name: i for i, name in enumerate(names)}
    places = [(i, index[f]) for i, (_, facts, _, _) in enumerate(rows) for f in facts if f in index]
    where = np.array(places, dtype=int).reshape(-1, 2).T
    x = csr_matrix((np.ones(len(places)), (where[0], where[1])), shape=(len(rows), len(names)))
    y = np.zeros((len(rows), classes))
    y[np.arange(len(rows)), [target for _, _, target, _ in rows]] = 1.0
    share = np.array([weight for *_, weight in rows])[:, None]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w = flat.reshape(len(names), classes)
        z = x @ w
        z -= z.max(axis=1, keepdims=True)
        logs = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        gradient = x.T @ ((np.exp(logs) - y) * share) + 2 * strength * w
        return float(-(logs * y * share).sum() + strength * (w**2).sum()), gradient.ravel()

    start = np.zeros(len(names) * classes)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x.reshape(len(names), classes)
    found -= found.mean(axis=1, keepdims=True)
    return {
        name: [round(float(v), 3) for v in row]
        for name, row in zip(names, found, strict=True)
        if np.abs(row).max() > 0.01
    }


def predict(weights: dict[str, list[float]], facts: Sequence[str], classes: int) -> np.ndarray:
    """Class probabilities of one row."""
    z = np.zeros(classes)
    for fact in facts:
        if fact in weights:
            z += weights[fact]
    powers = np.exp(z - z.max())
    return np.asarray(powers / powers.sum())


Told = Sequence[tuple[np.ndarray, int, float]]


def held_out(rows: Sequence[Row], classes: int, strength: float, judged: Container[str] | None = None) -> Told:
    """(probabilities, target, weight) of every row, from weights fitted on the papers of the other four folds.

    With `judged` only of the rows of those papers.
    """
    papers = sorted({paper for paper, *_ in rows})
    fold = {paper: i % 5 for i, paper in enumerate(papers)}
    out = []
    for k in range(5):
        weights = fit([r for r in rows if fold[r[0]] != k], classes, strength)
        out += [
            (predict(weights, facts, classes), t, share)
            for paper, facts, t, share in rows
            if fold[paper] == k and (judged is None or paper in judged)
        ]
    return out


def log_loss(told: Told) -> tuple[float, float]:
    """Mean log loss and accuracy of `held_out`."""
    whole = sum(weight for *_, weight in told)
    loss = -sum(weight * float(np.log(chances[target] + 1e-12)) for chances, target, weight in told)
    return loss / whole, sum(weight for chances, target, weight in told if chances.argmax() == target) / whole


def thresholds(*sets: Told) -> dict[str, list[float]]:
    """For each kind the least share against "none" whose F1, in the mean over the sets, is best."""
    best = {}
    for i, kind in enumerate(KINDS):
        curves = [_curve(told, i) for told in sets]
        best[kind] = [_middle({least: sum(c[least] for c in curves) / len(curves) for least in curves[0]})]
    return best


def _curve(told: Told, kind: int) -> dict[float, float]:
    """F1 of a kind by the least share against "none"; optional rows count neither way."""
    optional = CLASSES.index("optional")
    mine = [(c[: len(KINDS)].sum(), c[-1], t) for c, t, _ in told if c[: len(KINDS)].argmax() == kind]
    rows = [(named / (named + none), t) for named, none, t in mine]
    wanted = sum(t == kind for _, t, _ in told)
    scores = {}
    for least in (round(0.2 + 0.025 * step, 3) for step in range(25)):
        kept = [t for share, t in rows if share >= least and t != optional]
        scores[least] = 2 * sum(t == kind for t in kept) / max(1, len(kept) + wanted)
    return scores


def _middle(scores: dict[float, float]) -> float:
    """The threshold whose neighbourhood scores best: curves of F1 are flat, their highest points chance.

    Of those that do almost as well the highest is taken: a false name costs a reader more than one left out.
    """
    steps = sorted(scores)
    smooth = {}
    for i, step in enumerate(steps):
        near = [scores[s] for s in steps[max(0, i - 3) : i + 4]]
        smooth[step] = sum(near) / len(near)
    return max(step for step in steps if smooth[step] >= max(smooth.values()) - ALMOST)


def best_threshold(told: Told) -> float:
    """The least probability of "yes" that serves F1 best, for a question of yes or no."""
    scores = {}
    for least in (round(0.3 + 0.02 * step, 2) for step in range(16)):
        kept = [target for chances, target, _ in told if chances[1] >= least]
        scores[least] = 2 * sum(kept) / max(1, len(kept) + sum(target for _, target, _ in told))
    return _middle(scores)


def _forms(entity: dict[str, Any]) -> set[str]:
    return {form(entity["name"]), *map(form, entity["aliases"])}


def match(cluster: Cluster, gold: dict[str, Any]) -> dict[str, Any] | None:
    """The annotated entity that a cluster names: the one sharing most of its surfaces."""
    best, most = None, 0
    for entity in gold["entities"]:
        shared = _forms(entity) & {form(s) for s in cluster.surfaces}
        count = sum(n for s, n in cluster.surfaces.items() if form(s) in shared)
        if count > most:
            best, most = entity, count
    return best


def read(key: str, abstract: str, predictions: Path | None) -> Reading:
    """A reading up to the tagger, with its kept figures if any."""
    nlp = build_pipeline(model=False)
    with nlp.select_pipes(enable=COMPONENTS[:5]):
        reading: Reading = read_doc(Document(id=key, text=abstract), nlp)._.reading
    if predictions is not None:
        reading.prediction = load_prediction(predictions, key, reading.document.text)
    return reading


def collect(shared: Path, numbers: Sequence[int], predictions: Path | None) -> dict[str, list[Row]]:
    """Training rows by question, from the abstracts of the given parts."""
    rows: dict[str, list[Row]] = {
        "kind": [],
        **{f"role {k}": [] for k in ROLES},
        **{f"relation {r}": [] for r in RELATION_TESTS},
    }
    for part in numbers:
        share = OWN_SHARE if part in parts.OWN else 1.0
        for key, (abstract, gold) in parts.load(shared, [part]).items():
            try:
                reading = read(key, abstract, predictions)
            except StaleError as stale:
                print(f"left out: {stale}")
                continue
            _add_paper(rows, reading, gold, share)
    return rows


def _add_paper(rows: dict[str, list[Row]], reading: Reading, gold: dict[str, Any], share: float) -> None:
    """The rows of one abstract, each of which counts `share`."""
    view = View(reading)
    said = annotations.all_relations(gold)
    made = clusters(reading, candidates(reading))
    matched = [(c, match(c, gold)) for c in made]
    proposes = any(c.rules for c, e in matched if e is not None and not e.get("optional"))
    for cluster, entity in matched:
        facts = sorted(kind_features(cluster, view))
        target = (
            len(CLASSES) - 1
            if entity is None
            else CLASSES.index("optional" if entity.get("optional") else entity["type"])
        )
        rows["kind"].append((gold["id"], facts, target, share))
        if entity is not None:
            _add_roles(
                rows, gold["id"], cluster, entity, view, said.get(entity["name"], set()), share, proposes=proposes
            )


def _add_roles(
    rows: dict[str, list[Row]],
    paper: str,
    cluster: Cluster,
    entity: dict[str, Any],
    view: View,
    said: set[str],
    share: float,
    *,
    proposes: bool,
) -> None:
    kind = entity["type"]
    facts = sorted(role_features(cluster, kind, view, proposes=proposes))
    role = entity.get("role") or ("introduced" if entity.get("introduced") else "none")
    weight = share * (0.4 if entity.get("optional") else 1.0)
    if role in ROLES[kind]:
        rows[f"role {kind}"].append((paper, facts, ROLES[kind].index(role), weight))
    for name in RELATION_TESTS:
        rows[f"relation {name}"].append((paper, facts, int(name in said), weight))


def fit_all(
    rows: dict[str, list[Row]],
    strengths: Sequence[float],
    shipped: Sequence[Row] = (),
    judged: Container[str] | None = None,
) -> dict[str, dict[str, list[float]]]:
    """The models of all questions, with the thresholds of kinds; L2 strengths are chosen among the given ones.

    `shipped` are rows of kind of the development set as the network that ships reads it. Strengths and thresholds are
    those that do best on the papers in `judged`, if given.
    """
    models: dict[str, dict[str, list[float]]] = {}
    for question, its_rows in rows.items():
        classes = len(CLASSES) if question == "kind" else len(ROLES[question[5:]]) if question.startswith("role") else 2
        tried = strengths if question == "kind" else (*strengths, *STRONGER)
        told = {s: held_out(its_rows, classes, s, judged) for s in tried}
        best = min(told, key=lambda s: log_loss(told[s])[0])
        models[question] = fit(its_rows, classes, best)
        if question == "kind":
            final = [(predict(models[question], facts, classes), target, share) for _, facts, target, share in shipped]
            models["thresholds"] = thresholds(told[best], final) if final else thresholds(told[best])
        elif question.startswith("relation"):
            models["thresholds"][question] = [best_threshold(told[best])]
        loss, accuracy = log_loss(told[best])
        print(f"{question:24} rows {len(its_rows):6} strength {best} loss {loss:.3f} accuracy {accuracy:.3f}")
    return models


def as_json(models: dict[str, dict[str, list[float]]]) -> str:
    """Models with one feature a line, so that a new fit can be compared with the old one."""
    questions = []
    for question, weights in sorted(models.items()):
        lines = [f"{json.dumps(fact, ensure_ascii=False)}: {json.dumps(row)}" for fact, row in sorted(weights.items())]
        questions.append(f"{json.dumps(question)}: {{\n" + ",\n".join(lines) + "\n}")
    return '{"models": {\n' + ",\n".join(questions) + "\n}}\n"


def main() -> None:
    """Read the options, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--predictions", type=Path)
    parser.add_argument("--parts", type=parts.numbers, default=list(parts.LEARNED))
    parser.add_argument(
        "--final",
        type=Path,
        help="what the network that ships says of the development set: it has read more than those of the folds and is "
        "surer, so the thresholds of kinds are taken where both do well",
    )
    parser.add_argument("--strengths", type=lambda s: [float(x) for x in s.split(",")], default=[0.5, 1.5])
    args = parser.parse_args()
    shipped = collect(args.shared, [parts.DEVELOPMENT], args.final)["kind"] if args.final is not None else []
    # Annotators differ in how readily they name a thing: the thresholds are those of the reference material.
    judged = parts.load(args.shared, [part for part in args.parts if part in parts.SHARED]) or None
    models = fit_all(collect(args.shared, args.parts, args.predictions), args.strengths, shipped, judged)
    print(models["thresholds"])
    name = "decision-rules.json" if args.predictions is None else "decision-model.json"
    (args.out / name).write_text(as_json(models), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
