"""Annotated abstracts as labelled words.

Annotations hold literal names, not offsets: every place where a name or alias stands is labelled, the longest first,
case-sensitively where that finds anything. Names that the annotators call optional have labels of their own, so that
the model learns the border that people draw; they are left out of no loss.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import parts
from sotagraph.extract.encoding import KINDS, NUMBERS, RELATION_LABELS, ROLE_LABELS, SLOTS, TAGS, Encoded, encode

IGNORE = -100
_PAPER = "PAPER"
_NUMBER = re.compile(r"(?<![A-Za-z0-9.])\d[\d,]*(?:\.\d+)?")


@dataclass
class Example:
    """One abstract: per word a tag, a role, the relations of its entity and the class of its number."""

    id: str
    encoded: Encoded
    tags: list[int]
    roles: list[int]
    relations: list[list[float] | None]
    numbers: list[int]
    #: (word of the number, slot, words of the mentions that fill it, or [] for none)
    slots: list[tuple[int, int, list[int]]] = field(default_factory=list)
    #: Words at which a mention begins: the candidates of slots, with their kinds.
    starts: dict[int, str] = field(default_factory=dict)


def vocabulary(path: Path) -> dict[str, int]:
    """Word pieces of a ``vocab.txt``, one a line, to ids."""
    return {line: i for i, line in enumerate(path.read_text(encoding="utf-8").split("\n")) if line}


def _normal(name: str) -> str:
    return re.sub(r"[‐-―−]|---?", "-", name).strip()


def _find(name: str, text: str) -> list[tuple[int, int]]:
    pattern = re.escape(_normal(name)).replace(r"\ ", r"\s+")
    pattern = rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"
    return [m.span() for m in re.finditer(pattern, text)] or [
        m.span() for m in re.finditer(pattern, text, re.IGNORECASE)
    ]


def all_relations(gold: dict[str, Any]) -> dict[str, set[str]]:
    """For each entity the predicates that tie it to the paper's own thing, whichever way they run."""
    out: dict[str, set[str]] = defaultdict(set)
    for subject, predicate, thing in [*gold["relations"], *gold.get("relations_optional", ())]:
        if predicate in ("partOf", "variantOf"):
            out[subject].add(predicate)
        elif predicate in RELATION_LABELS:
            out[thing].add(predicate)
    return out


def make_example(abstract: str, gold: dict[str, Any], vocab: dict[str, int]) -> Example:
    """Label the words of one abstract by its annotation."""
    encoded = encode(abstract, vocab)
    text = encoded.plain.text
    first_word = {word.start: i for i, word in enumerate(encoded.words)}
    last_word = {word.end: i for i, word in enumerate(encoded.words)}
    n = len(encoded.words)
    example = Example(gold["id"], encoded, [0] * n, [IGNORE] * n, [None] * n, [IGNORE] * n)
    relations = all_relations(gold)
    found: list[tuple[int, int, dict[str, Any]]] = []
    for entity in gold["entities"]:
        names = [*entity["aliases"]] if entity.get("elliptic") else [entity["name"], *entity["aliases"]]
        for name in names:
            found += [(start, end, entity) for start, end in _find(name, text)]
    places: dict[str, list[int]] = defaultdict(list)
    for start, end, entity in sorted(found, key=lambda f: (f[0] - f[1], f[0])):
        first, last = first_word.get(start), last_word.get(end)
        if first is None or last is None or any(example.tags[first : last + 1]):
            continue
        mark = "?" if entity.get("optional") else ""
        example.tags[first] = TAGS.index(f"B-{entity['type']}{mark}")
        example.tags[first + 1 : last + 1] = [TAGS.index(f"I-{entity['type']}{mark}")] * (last - first)
        role = entity.get("role") or ("introduced" if entity.get("introduced") else "none")
        example.roles[first] = ROLE_LABELS.index(role)
        example.relations[first] = [float(p in relations[entity["name"]]) for p in RELATION_LABELS]
        example.starts[first] = entity["type"]
        places[entity["name"]].append(first)
    _label_numbers(example, gold, places)
    return example


def _value(text: str) -> float:
    return float(text.replace(",", "").rstrip("."))


def _label_numbers(example: Example, gold: dict[str, Any], places: dict[str, list[int]]) -> None:
    """Class of each number and, where one printed number belongs to one result, the fillers of its slots."""
    first_word = {word.start: i for i, word in enumerate(example.encoded.words)}
    by_value: dict[float, list[int]] = defaultdict(list)
    for match in _NUMBER.finditer(example.encoded.plain.text):
        index = first_word.get(match.start())
        if index is not None:
            by_value[_value(match.group())].append(index)
            example.numbers[index] = NUMBERS.index("none")
    used: set[int] = set()
    wanted = defaultdict(set)
    for result in gold["results"]:
        kind = "optional" if result.get("optional") else result["kind"]
        for value, label in (
            (result["value"], kind),
            (result.get("value_max"), kind),
            (result.get("baseline_value"), "baseline"),
        ):
            if value is not None:
                wanted[float(value)].add(label)
    for value, labels in wanted.items():
        at = by_value.get(value, [])
        # A value printed more often than it is annotated, or annotated in two ways, says nothing certain about either
        # place.
        label = NUMBERS.index(next(iter(labels))) if len(labels) == 1 and len(at) == 1 else IGNORE
        for index in at:
            example.numbers[index] = label
    for result in gold["results"]:
        at = by_value.get(float(result["value"]), [])
        if len(at) != 1 or result.get("optional") or at[0] in used:
            continue
        used.add(at[0])
        for slot, name in enumerate(SLOTS):
            filler = result.get(name)
            if filler == _PAPER:
                filler = None
            if filler is None and (result.get("accept") or {}).get(name):
                continue
            spots = places.get(filler, []) if filler else []
            if filler is None or spots:
                example.slots.append((at[0], slot, spots))


def examples(shared: Path, numbers: list[int], vocab: dict[str, int]) -> list[Example]:
    """Labelled abstracts of the given parts."""
    return [make_example(abstract, gold, vocab) for abstract, gold in parts.load(shared, numbers).values()]


assert all(f"B-{kind}" in TAGS for kind in KINDS)
