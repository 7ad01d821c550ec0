"""Whether a quantity is a result, and of which kind: explicit features of its place, weighed by a linear model.

Kinds are those of `sotagraph.schema.RESULT_KINDS`, with ``none`` for what is no result (dataset sizes, hyperparameters,
shares of budgets) and ``baseline`` for the score of the thing compared with, which is no result of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal

from sotagraph.extract.linear import Weights, scores, softmax
from sotagraph.extract.quantities import Quantity
from sotagraph.extract.result_constructions import construction, is_pair
from sotagraph.extract.result_context import EXCEEDS, Line, Page, cue, stem, stems

__all__ = ["KINDS", "decide", "kind_features", "outright"]

KINDS = ("none", "absolute", "gain", "speedup", "reduction", "baseline")
_REACH = 10
_SAYING = sorted(stems("experiments results show achieve outperform propose introduce contain comprise"))
#: How much a trained token head counts beside the features of this module; both read the same words, so that each says
#: again in part what the other said. Measured on papers that neither had read.
HINT_WEIGHT = 0.7


def decide(
    features: list[str], weights: Weights, hint: Mapping[str, float] | None, hint_weight: float = HINT_WEIGHT
) -> list[float]:
    """Probabilities over `KINDS`: the one place where rules and a trained token head meet.

    Both give log-probabilities, which add up; a `hint` that knows no ``baseline`` calls it ``none``.

    >>> decide([], {}, {"none": 0.0, "gain": 1.0}).index(max(decide([], {}, {"none": 0.0, "gain": 1.0})))
    2
    """
    own = scores(weights, features, len(KINDS))
    if hint is None:
        return softmax(own)
    # A head may know baselines apart; what annotators call optional may be a result or not.
    told = [hint.get(kind, hint.get("none", 0.0) if kind == "baseline" else 0.0) for kind in KINDS]
    told[0] += hint.get("optional", 0.0) / 2
    return softmax([value + hint_weight * math.log(max(p, 1e-8)) for value, p in zip(own, told, strict=True)])


_WITHIN, _SAVES, _VERSUS = stem("within"), stems("save saves saving saved"), stems("vs versus")
_OUTDONE = frozenset((*stems("sota state-of-the-art method methods baseline baselines"), "METHOD"))
_HEDGES = stems("by about around over up to at most more than less only ~ ≈")
_RELATIVE, _ARROWS = stems("relative"), {"↑": "gain", "↓": "reduction"}


def outright(line: Line, index: int) -> str | None:
    """The kind that the words around a number leave no doubt of, whatever else the sentence says.

    "Within 5% of Beta", "saves 40% of the time", "(85.6% vs. 80.9%)", "(15% relative)", "PSNR 21%↑", "exceeds the
    previous SOTA 0.38 dB".
    """
    position, quantity = line.numbers[index], line.quantities[index]
    behind = [line.text(position + i) for i in range(1, 4)]
    start = position - 1
    while start > 0 and line.text(start) in _HEDGES:
        start -= 1
    before = line.text(start)
    if before == _WITHIN and quantity.unit in (None, "%", "points") and "of" in behind:
        return "reduction"
    if before in _SAVES and quantity.unit in ("%", "x"):
        return "reduction"
    if before == "(" and behind[0] in _VERSUS:
        return "absolute"
    if index and before == "(" and behind[0] in _RELATIVE and behind[1] == ")":  # the same change, said otherwise
        return "reduction" if construction(line, index - 1).endswith("reduction") else "gain"
    if behind[0] in _ARROWS and quantity.unit == "%":
        return _ARROWS[behind[0]]
    exceeding = any(line.text(p) in EXCEEDS for p in range(max(0, start - 6), start))
    return "gain" if before in _OUTDONE and exceeding else None


def kind_features(page: Page, line: Line, index: int, heads: list[int]) -> list[str]:
    """The features of the `index`-th number of a line."""
    position, quantity = line.numbers[index], line.quantities[index]
    unit = quantity.unit or quantity.measure or "bare"
    out = ["bias", *_shape(quantity, unit)]
    made = construction(line, index)
    bare = made.lstrip("+~")
    out += (
        [f"C={made}", f"C={made}&unit={unit}"]
        + 2 * [f"C={bare}", f"C={bare}&unit={unit}"]
        + 2 * [f"Ccue={_said(bare)}"]
    )
    out += _window(line, position, unit)
    out += _cues(line, position, unit, "")
    out += _frame(page, line, index, position, unit)
    head = heads[index]
    if head != index:
        first = line.numbers[head]
        out += ["chained", *(f"H:{f}" for f in _cues(line, first, unit, "")), *(f"H:{f}" for f in _near(line, first))]
    tail = max(i for i, h in enumerate(heads) if h == head)
    if tail != index:
        last = line.numbers[tail]
        out += ["leads", *(f"T:R{d}={line.text(last + d)}" for d in (1, 2)), *_right_cue(line, last, unit, "T:")]
    return out


def _said(made: str) -> str:
    """What a construction says of the kind: the target of a change ("raised to 80") is no change itself."""
    name, _, found = made.partition(":")
    return f"{name}-a-change" if name in ("to", "from") and found not in ("absolute", "metric", "") else found or name


def _shape(quantity: Quantity, unit: str) -> list[str]:
    exponent = quantity.value.as_tuple().exponent
    decimals = min(3, -exponent) if isinstance(exponent, int) and exponent < 0 else 0
    size = "".join(str(int(quantity.value >= Decimal(limit))) for limit in ("1", "2", "10", "100", "1000"))
    out = [
        f"unit={unit}",
        f"unit={unit}&dec={decimals}",
        f"dec={decimals}",
        f"unit={unit}&size={size}",
        f"sign={quantity.sign}",
    ]
    out.append(f"bound={quantity.bound}&unit={unit}")
    if quantity.value_max is not None:
        out.append(f"range&unit={unit}")
    if quantity.words:
        out.append("words")
    return out


def _near(line: Line, position: int) -> list[str]:
    left = [line.text(position - d) for d in (1, 2, 3)]
    return [f"L1={left[0]}", f"L2={left[1]}", f"L12={left[1]}_{left[0]}", f"L123={left[2]}_{left[1]}_{left[0]}"]


def _window(line: Line, position: int, unit: str) -> list[str]:
    right = [line.text(position + d) for d in (1, 2, 3)]
    out = _near(line, position)
    out += [
        f"R1={right[0]}",
        f"R2={right[1]}",
        f"R12={right[0]}_{right[1]}",
        f"R3={right[2]}",
        f"R1={right[0]}&unit={unit}",
    ]
    out.append(f"L1R1={line.text(position - 1)}_{right[0]}")
    out += [f"LB={line.text(position - d)}" for d in range(3, _REACH + 1) if position - d >= 0]
    out += [f"RB={line.text(position + d)}" for d in range(2, 7) if position + d < len(line.items)]
    return out


def _cues(line: Line, position: int, unit: str, tag: str) -> list[str]:
    out = []
    for distance in range(1, 16):
        if position - distance < 0:
            break
        item = line.items[position - distance]
        if found := item.cue:
            near = "near" if distance <= 4 else "mid" if distance <= 8 else "far"
            out += [f"{tag}cueL={found}&{near}", f"{tag}cueL={found}&unit={unit}", f"{tag}cueL={found}"]
            break
    return out + _right_cue(line, position, unit, tag)


def _right_cue(line: Line, position: int, unit: str, tag: str) -> list[str]:
    for distance in range(1, 9):
        if position + distance >= len(line.items):
            break
        item = line.items[position + distance]
        if item.kind == "number":
            break
        if found := item.cue:
            near = "near" if distance <= 2 else "mid"
            return [f"{tag}cueR={found}&{near}", f"{tag}cueR={found}&unit={unit}"]
    return [f"{tag}cueR=none&unit={unit}"]


def _frame(page: Page, line: Line, index: int, position: int, unit: str) -> list[str]:
    """Brackets, neighbouring numbers, "from … to …", the sentence and its place."""
    out = [
        f"place={min(3, 4 * line.index // max(1, len(page.lines)))}&unit={unit}",
        f"deep={min(2, line.depth[position])}",
    ]
    out += [f"W={w}" for w in _SAYING if w in line.words]
    if line.depth[position]:
        opening = max(
            (p for p in range(position) if line.items[p].text == "(" and line.depth[p] < line.depth[position]),
            default=0,
        )
        out += [f"paren={line.text(opening - 1)}", f"parenlead={line.text(opening + 1)}"]
        if any(cue(line.text(p)) == "versus" for p in range(max(0, opening - 8), opening)):
            out.append("parenversus")
        out += [f"parenrole={role}" for role in _roles(page, line, opening - 1)]
    if index and is_pair(line, index - 1):
        out.append("pair2")
    if index + 1 < len(line.numbers) and is_pair(line, index):
        out.append("pair1")
    subject = next((p for p in range(position - 1, max(-1, position - 80), -1) if line.text(p) == "METHOD"), -1)
    out += [f"subject={role}" for role in _roles(page, line, subject)]
    first = next((p for p in range(len(line.items)) if line.text(p) == "METHOD"), -1)
    out += [f"first={role}" for role in _roles(page, line, first)]
    kinds = {"METHOD", "DATASET", "METRIC"}
    left = next((line.text(p) for p in range(position - 1, max(-1, position - 12), -1) if line.text(p) in kinds), "")
    right = next(
        (line.text(p) for p in range(position + 1, min(len(line.items), position + 9)) if line.text(p) in kinds), ""
    )
    out += [f"nameL={left}", f"nameR={right}", f"names={left}{right}&unit={unit}"]
    return out


def _roles(page: Page, line: Line, position: int) -> list[str]:
    if position < 0 or position >= len(line.items):
        return ["none"]
    return [str(page.entities[e].role) for e in line.items[position].entities] or ["none"]
