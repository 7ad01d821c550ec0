"""Numbers of the annotated abstracts with what they are: training instances for the models of results.

Reads the reference material at ``../shared``; nothing of it ends up in what this writes but counts turned into weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sotagraph.extract.quantities import Quantity
from sotagraph.extract.result_context import Line, Page
from sotagraph.extract.sentences import sentences
from sotagraph.model import Document, DocumentEntity, Mention
from sotagraph.names import Plain, plain

SHARED = Path(__file__).resolve().parents[2] / "shared"
Gold = dict[str, Any]


def _spaced(view: Plain) -> tuple[str, list[int]]:
    """The text with single spaces, and for each character its index in ``view.text``."""
    out, index = [], []
    for i, letter in enumerate(view.text):
        if letter.isspace() and out and out[-1] == " ":
            continue
        out.append(" " if letter.isspace() else letter)
        index.append(i)
    return "".join(out), [*index, len(view.text)]


def gold_entities(text: str, gold: Gold) -> tuple[DocumentEntity, ...]:
    """The annotated entities with all places of their names; the longer of two overlapping names wins."""
    view = plain(text)
    spaced, index = _spaced(view)
    found: list[tuple[int, int, int]] = []
    for number, entity in enumerate(gold["entities"]):
        surfaces = [entity["surface"]] if entity.get("elliptic") and entity.get("surface") else []
        for name in dict.fromkeys([entity["name"], *entity.get("aliases", []), *surfaces]):
            wanted = _spaced(plain(name))[0].strip()
            for text_form, name_form in ((spaced, wanted), (spaced.casefold(), wanted.casefold())):
                pattern = r"(?<![A-Za-z0-9])" + re.escape(name_form) + r"(?![A-Za-z0-9])"
                hits = (
                    [m.span() for m in re.finditer(pattern, text_form)]
                    if name_form and len(text_form) == len(spaced)
                    else []
                )
                found += [(a, b, number) for a, b in hits]
                if hits:
                    break
    found.sort(key=lambda f: (f[0] - f[1], f[0], f[2]))
    taken = [False] * (len(spaced) + 1)
    places: dict[int, set[tuple[int, int]]] = {}
    for start, end, number in found:
        if any(taken[start:end]) and not gold["entities"][number].get("elliptic"):
            continue
        taken[start:end] = [True] * (end - start)
        places.setdefault(number, set()).add(view.span(index[start], index[end - 1] + 1))
    return tuple(_entity(text, e, sorted(places.get(i, ()))) for i, e in enumerate(gold["entities"]))


def _entity(text: str, entity: Gold, places: list[tuple[int, int]]) -> DocumentEntity:
    role = entity.get("role")
    return DocumentEntity(
        name=entity["name"],
        kind=entity["type"],
        aliases=tuple(sorted(entity.get("aliases", ()))),
        role=role,
        mentions=tuple(Mention(text=text[a:b], kind=entity["type"], start=a, end=b, role=role) for a, b in places),
    )


@dataclass
class Instance:
    """One number of one document: its label and, for a result, the annotations that stand for it."""

    page: Page
    line: Line
    index: int
    label: str = "none"
    golds: list[Gold] = field(default_factory=list)
    optional: bool = False
    #: The labels of all numbers of the line.
    likely: tuple[str, ...] = ()


def instances(documents: dict[str, tuple[str, Gold]], entities: Any = gold_entities) -> Iterator[list[Instance]]:
    """For each document all its numbers, labelled."""
    for key, (text, gold) in documents.items():
        page = Page.read(Document(id=key, text=text), sentences(text), entities(text, gold))
        numbers = [Instance(page, line, i) for line in page.lines for i in range(len(line.quantities))]
        _label(numbers, gold)
        for number in numbers:
            number.likely = tuple(n.label for n in numbers if n.line is number.line)
        yield numbers


def _label(numbers: list[Instance], gold: Gold) -> None:
    for result in gold["results"]:
        fitting = [
            n for n in numbers if _equal(n.line.quantities[n.index], result.get("value"), result.get("value_max"))
        ]
        if not fitting:
            continue
        best = max(fitting, key=lambda n: (_fit(n, result), -n.line.index, -n.index))
        best.golds.append(result)
        best.optional = all(bool(g.get("optional")) for g in best.golds)
        best.label = next((g["kind"] for g in best.golds if not g.get("optional")), result["kind"])
    for number in [n for n in numbers if n.golds]:
        for result in number.golds:
            for other in numbers:
                quantity = other.line.quantities[other.index]
                if (
                    other.line is number.line
                    and not other.golds
                    and _equal(quantity, result.get("baseline_value"), None)
                ):
                    other.label = "baseline"


def _equal(quantity: Quantity, value: float | None, value_max: float | None) -> bool:
    def same(left: Any, right: float | None) -> bool:
        return (left is None) == (right is None) and (left is None or abs(float(left) - float(right or 0)) < 1e-9)

    return value is not None and same(quantity.value, value) and same(quantity.value_max, value_max)


def _fit(number: Instance, result: Gold) -> float:
    quantity = number.line.quantities[number.index]
    names = {number.page.entities[e].name for item in number.line.items for e in item.entities}
    fit = 2.0 * (quantity.unit == result.get("unit"))
    fit += sum(result.get(slot) in names for slot in ("dataset", "metric", "method", "baseline") if result.get(slot))
    base = result.get("baseline_value")
    fit += 0.5 * any(_equal(q, base, None) for q in number.line.quantities)
    if number.golds:
        same = all(number.golds[0].get(k) == result.get(k) for k in ("kind", "unit"))
        differs = number.golds[0].get("dataset") != result.get("dataset") or number.golds[0].get(
            "metric"
        ) != result.get("metric")
        fit -= 1.5 if same and differs else 4
    return fit


def fillers(page: Page, slot: str, golds: Sequence[Gold]) -> set[int]:
    """The candidates of a slot that the annotations allow."""
    from sotagraph.extract.result_slots import NOTHING, THE_PAPER

    allowed = {g.get(slot) for g in golds} | {a for g in golds for a in (g.get("accept") or {}).get(slot, ())}
    index = {e.name: i for i, e in enumerate(page.entities)}
    out = {index[name] for name in allowed if name in index}
    if None in allowed:
        out.add(NOTHING)
    if "PAPER" in allowed:
        out.add(THE_PAPER)
    return out
