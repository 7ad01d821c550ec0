"""What confidences are worth: raw figures of the models to the share that was right on papers they had not read.

Each kind of finding has a table of points that rises strictly, read with straight lines between them; so what was
surer before is surer after. Tables come from ``training/calibration.py`` (isotonic regression, Zadrozny and Elkan
2002); where a file has none, figures stay as they are.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from operator import itemgetter

from sotagraph.model import DocumentEntity, Result, Statement

__all__ = ["Tables", "calibrate", "interpolate", "load_tables"]

#: Points (raw, calibrated) by kind of finding: entity, statement, result.
Tables = Mapping[str, Sequence[tuple[float, float]]]
_DIGITS = 3


@cache
def load_tables(*, model: bool) -> Tables:
    """The shipped tables for extraction with or without the trained model; none where the file is missing.

    >>> set(load_tables(model=True)) <= {"entity", "statement", "result"}
    True
    """
    path = resources.files("sotagraph").joinpath("data", "calibration.json")
    if not path.is_file():
        return {}
    whole: Mapping[str, Tables] = json.loads(path.read_text(encoding="utf-8"))["tables"]
    return whole.get("model" if model else "rules", {})


def interpolate(points: Sequence[tuple[float, float]], confidence: float) -> float:
    """The calibrated value of a raw one; outside the points the nearest end.

    >>> interpolate([(0.0, 0.0), (0.5, 0.8), (1.0, 1.0)], 0.75)
    0.9
    """
    at = bisect_right(points, confidence, key=itemgetter(0))
    if at in (0, len(points)):
        return points[min(at, len(points) - 1)][1]
    (x0, y0), (x1, y1) = points[at - 1], points[at]
    return round(y0 + (y1 - y0) * (confidence - x0) / (x1 - x0), _DIGITS)


def calibrate(
    entities: Sequence[DocumentEntity], statements: Sequence[Statement], results: Sequence[Result], tables: Tables
) -> tuple[tuple[DocumentEntity, ...], tuple[Statement, ...], tuple[Result, ...]]:
    """The same findings with calibrated confidences, mentions along with their entities.

    >>> from sotagraph.model import Evidence
    >>> place = Evidence(document_id="d", start=0, end=9, rule="uses")
    >>> said = Statement(subject="A", predicate="uses", object="B", evidence=place, confidence=0.5)
    >>> calibrate([], [said], [], {"statement": [(0.0, 0.0), (1.0, 0.8)]})[1][0].confidence
    0.4
    """

    def sure(what: str, confidence: float) -> float:
        points = tables.get(what)
        return interpolate(points, confidence) if points else confidence

    return (
        tuple(
            replace(
                entity,
                confidence=sure("entity", entity.confidence),
                mentions=tuple(replace(m, confidence=sure("entity", m.confidence)) for m in entity.mentions),
            )
            for entity in entities
        ),
        tuple(replace(said, confidence=sure("statement", said.confidence)) for said in statements),
        tuple(replace(result, confidence=sure("result", result.confidence)) for result in results),
    )
