"""Shortcuts that were taken for speed give what the long way gives, character for character."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph import api
from sotagraph.exchange import _ESCAPES, _attribute
from sotagraph.serialize import nt
from sotagraph.terms import _SAFE, BASE, IRI, Literal, Triple, in_order, iri_of, ntriples
from sotagraph.view.data import _Text
from sotagraph.view.layout import _raise, _reach

KEYS = st.one_of(st.from_regex(r"[A-Za-z0-9_.~+*@:/%-]{0,12}", fullmatch=True), st.text(max_size=12))
IRIS = st.sampled_from([IRI(f"x:{end}") for end in ("a", "a!", "aa", "a>b", "é", "b")])
TERMS: st.SearchStrategy[IRI | Literal] = st.one_of(IRIS, st.text(max_size=4).map(Literal))


@given(KEYS)
def test_iris_are_quoted_as_the_library_does_it(key: str) -> None:
    assert iri_of.__wrapped__(f"method/{key}") == f"{BASE}method/{quote(key, safe=_SAFE, errors='surrogatepass')}"


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_attributes_are_quoted_as_the_library_does_it(text: str) -> None:
    assert _attribute(text) == quoteattr(text, _ESCAPES)


@given(st.lists(st.tuples(IRIS, IRIS, TERMS)))
def test_triples_are_sorted_as_one_list(triples: list[Triple]) -> None:
    def order(triple: Triple) -> tuple[str, str, str]:
        return triple[0], triple[1], ntriples(triple[2])

    assert [order(t) for t in in_order(triples)] == sorted({order(t) for t in triples})


@given(st.lists(st.tuples(IRIS, IRIS, TERMS)))
def test_lines_are_sorted_whatever_order_they_come_in(triples: list[Triple]) -> None:
    lines = nt(triples).split("\n")[:-1]
    assert nt(triples) == nt(reversed(triples))
    assert lines == sorted(set(lines))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12), st.integers(1, 50)), max_size=12))
def test_packing_reaches_as_far_as_what_stands_there(boxes: list[tuple[int, int, int]]) -> None:
    """Boxes (top, height, right) on a strip of height 50; each top of the skyline is looked at with each height."""
    skyline = [(0.0, 50.0, 0.0)]
    for top, tall, right in boxes:
        if top + tall <= 50:
            skyline = _raise(skyline, float(top), float(top + tall), float(right))
    for index, (begin, _, _) in enumerate(skyline):
        for height in (0.5, 3.0, 20.0):
            bottom = begin + height
            wanted = max(right for low, high, right in skyline if low < bottom - 1e-9 and high > begin + 1e-9)
            assert _reach(skyline, index, bottom) == wanted


@pytest.mark.parametrize(
    ("text", "position", "unit"), [("plain", 3, 3), ("naïve birds", 6, 6), ("\U0001f426 bird", 2, 3), ("", 0, 0)]
)
def test_units_of_the_page(text: str, position: int, unit: int) -> None:
    """Offsets count UTF-16 units: only what lies beyond the first plane takes two."""
    assert _Text(text).offset(position) == unit


def _raises(kinds: Iterable[type[Exception]]) -> None:
    for kind in kinds:
        with pytest.raises(kind), api._no_collection():
            raise kind


def test_the_collector_works_again_after_a_build() -> None:
    with api._no_collection():
        assert not gc.isenabled()
    assert gc.isenabled()
    _raises((ValueError, OSError))
    assert gc.isenabled()
    gc.disable()
    try:
        with api._no_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
