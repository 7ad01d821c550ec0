"""What sentences say of a name: comparisons with and without a winner, and the facts that roles are weighed by."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph.extract.clauses import Clauses, list_head
from sotagraph.extract.comparisons import Comparisons
from sotagraph.extract.reading import read_document
from sotagraph.extract.sentences import sentences
from sotagraph.model import Document

CASES = json.loads((Path(__file__).parent / "cases" / "comparisons.json").read_text(encoding="utf-8"))["cases"]
NAME = re.compile(r"\b[A-Z]{4}\b")


@pytest.mark.parametrize("case", [pytest.param(case, id=case["text"][:48]) for case in CASES])
def test_comparisons(case: dict[str, Any]) -> None:
    text = case["text"]
    places: dict[str, list[tuple[int, int]]] = {}
    for match in NAME.finditer(text):
        places.setdefault(match.group(), []).append(match.span())
    said = Comparisons(read_document(Document(id="a", text=text)), [p for found in places.values() for p in found])
    others = {name: found for name, found in places.items() if name != "TILE"}
    assert sorted(n for n, found in others.items() if said.even(found)) == sorted(case["even"])
    won = [n for n, found in others.items() if said.won(found) and not said.even(found)]
    assert sorted(won) == sorted(case["won"])
    assert sorted(n for n, found in others.items() if said.generalized(found)) == sorted(case.get("wider", ()))


def facts(text: str, name: str) -> set[str]:
    """What the clauses of `text` say of a name in capitals; TILE is the paper's own."""
    known = [m.span() for m in NAME.finditer(text)]
    own = [m.span() for m in re.finditer("TILE", text)]
    clauses = Clauses(text, sentences(text), known=known, own=own)
    return clauses.facts([m.span() for m in re.finditer(name, text)])


@pytest.mark.parametrize(
    ("text", "name", "told", "not_told"),
    [
        ("TILE outperforms MOSS.", "MOSS", "act beats & subject own", "act beats & subject other"),
        ("Here REED outperforms MOSS.", "MOSS", "act beats & subject other", "act beats & subject own"),
        ("TILE uses MOSS, FERN and REED.", "REED", "act uses & near True", "act uses & near False"),
        ("We train on REED. TILE is new.", "REED", "stands only before proposal", "stands after proposal"),
        ("TILE is new. It extends REED.", "REED", "stands only after proposal", "stands before proposal"),
        ("MOSS is outperformed by TILE.", "MOSS", "then beats & own True", "act beats"),
        ("TILE has two modules, MOSS and FERN.", "FERN", "listed", "no act & own True"),
        ("TILE has one module, MOSS.", "MOSS", "act has", "listed"),
    ],
)
def test_facts(text: str, name: str, told: str, not_told: str) -> None:
    said = facts(text, name)
    assert told in said
    assert not_told not in said


def test_a_list_ends_at_a_verb() -> None:
    text = "TILE matches MOSS and FERN, and beats REED"
    begin_of = {m.end(): m.start() for m in NAME.finditer(text)}
    assert list_head(text, text.index("FERN"), 0, begin_of) == text.index("MOSS")
    assert list_head(text, text.index("REED"), 0, begin_of) == text.index("REED")


@given(st.lists(st.sampled_from("TILE MOSS FERN uses beats , and . ( ) the We on".split()), max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_words_do(words: list[str]) -> None:
    text = " ".join(words)
    assert facts(text, "MOSS") == facts(text, "MOSS")
    reading = read_document(Document(id="a", text=text))
    names = [m.span() for m in NAME.finditer(reading.text)]
    said = Comparisons(reading, names)
    for place in names:
        assert isinstance(said.even([place]), bool)
        assert isinstance(said.won([place]), bool)
