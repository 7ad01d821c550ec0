"""What the noun of a name or of its list says, and how a definition is written."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sotagraph.extract.clusters import Cluster
from sotagraph.extract.features import View, kind_features
from sotagraph.extract.nouns import list_members, noun_facts
from sotagraph.extract.reading import read_document
from sotagraph.extract.sentences import sentences
from sotagraph.model import Document

CASES = json.loads((Path(__file__).parent / "cases" / "nouns.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']} in {case['text'][:30]}")
def test_nouns(case: dict[str, Any]) -> None:
    text = case["text"]
    places = [(text.index(name), text.index(name) + len(name)) for name in (case["name"], *case["list"])]
    start, end = places[0]
    bounds = next((a, b) for a, b in sentences(text) if a <= start < b)
    members = list_members(start, end, text, dict(places), {b: a for a, b in places})
    assert members == sorted(places[1:])
    assert sorted(noun_facts(start, end, text, bounds, members)) == case["expect"]


def test_a_list_ends_where_a_name_is_not_known() -> None:
    text = "It beats A1, some thing, B2 and C3."
    known = {text.index(name): text.index(name) + 2 for name in ("A1", "B2", "C3")}
    start = text.index("C3")
    assert list_members(start, start + 2, text, known, {b: a for a, b in known.items()}) == [(25, 27)]


def facts(text: str, surfaces: dict[str, int], short: str = "", long: str = "") -> set[str]:
    """Facts of a cluster with these surfaces, placed where the first of them stands."""
    first = min(text.index(surface) for surface in surfaces)
    cluster = Cluster(surfaces=Counter(surfaces), places=[(first, first + 3)], short=short, long=long)
    return kind_features(cluster, View(read_document(Document(id="a", text=text))))


@pytest.mark.parametrize(
    ("short", "long", "expect"),
    [
        ("CTI", "cluster tile index", "defined lower single new"),
        ("CTIs", "cluster tile indices", "defined lower plural new"),
        ("CTI", "Cluster tile index", "defined lower single new"),
        ("CTI", "Cluster Tile Index", "defined title single new"),
        ("CTI", "Cluster tile Index", "defined mixed single new"),
        ("CTI", "Clusters of the Tiles", "defined title plural new"),
    ],
)
def test_how_a_definition_is_written(short: str, long: str, expect: str) -> None:
    text = f"{long} ({short}) are old."
    found = facts(text, {short: 1, long: 1}, short, long)
    assert {fact for fact in found if fact.endswith(" new")} == {expect}
    assert "only plural" not in found


def test_only_an_acronym_that_never_stands_alone_is_only_plural() -> None:
    text = "CTIs are old, and one CTI is new; Kanzas stay."
    assert "only plural" in facts(text, {"CTIs": 1})
    assert "only plural" not in facts(text, {"CTIs": 1, "CTI": 1})
    assert "only plural" not in facts(text, {"Kanzas": 1})
