"""Rules over one name: what it is a variant of. The cases are data; the properties hold for any name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph.names import key
from sotagraph.schema import ENTITY_KINDS
from sotagraph.variants import bases, parents

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "cases/link_variants.json").read_text(encoding="utf-8"))

#: Names as they are written, and any text at all.
NAMES = st.one_of(
    st.from_regex(
        r"[A-Z][A-Za-z]{1,6}([- ]?[0-9]{1,3}(\.[0-9])?)?([- ](7B|Large|Instruct|v2|2024|test))?", fullmatch=True
    ),
    st.text(max_size=30),
)


@pytest.mark.parametrize(("kind", "name", "chain"), CASES["chains"], ids=lambda value: str(value)[:40])
def test_chain(kind: str, name: str, chain: list[list[str]]) -> None:
    found = max(parents(name, kind), key=len, default=())
    first = bases(name, kind)
    if not chain:
        assert not found
        return
    assert [first[0].name, first[0].rule] == chain[0]
    assert any([[base.name, base.rule] for base in climbed] == chain for climbed in parents(name, kind))


@settings(deadline=None)
@given(NAMES, st.sampled_from(ENTITY_KINDS))
def test_base_is_shorter_or_a_cutoff(name: str, kind: str) -> None:
    for base in bases(name, kind):
        assert len(base.name) < len(name) or base.name.endswith("@k")
        assert key(base.name) != key(name)
        assert base.piece in name or base.piece.strip() in " ".join(name.split())


@settings(deadline=None)
@given(NAMES, st.sampled_from(ENTITY_KINDS))
def test_climbing_ends_and_never_returns(name: str, kind: str) -> None:
    for chain in parents(name, kind):
        names = [name, *(base.name for base in chain)]
        assert len({key(step) for step in names}) == len(names)
