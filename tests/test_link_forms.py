"""Which spellings are one name, and which short form stands for which long one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sotagraph.link.forms import is_definition, normal, same_expansion, singular
from sotagraph.names import key
from sotagraph.schema import ENTITY_KINDS

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "cases/link_forms.json").read_text(encoding="utf-8"))

NAMES = st.one_of(st.from_regex(r"[A-Za-z]{1,8}([- ][A-Za-z0-9+]{1,6}){0,3}", fullmatch=True), st.text(max_size=30))


@pytest.mark.parametrize(("kind", "one", "other"), CASES["same"])
def test_same(kind: str, one: str, other: str) -> None:
    assert normal(one, kind).key == normal(other, kind).key


@pytest.mark.parametrize(("kind", "one", "other"), CASES["different"])
def test_different(kind: str, one: str, other: str) -> None:
    assert normal(one, kind).key != normal(other, kind).key


@pytest.mark.parametrize(("short", "long"), CASES["defines"])
def test_defines(short: str, long: str) -> None:
    assert is_definition(short, long)
    assert not is_definition(long, short)


@pytest.mark.parametrize(("short", "long"), CASES["does not define"])
def test_does_not_define(short: str, long: str) -> None:
    assert not is_definition(short, long)


@pytest.mark.parametrize(("one", "other"), CASES["same expansion"])
def test_same_expansion(one: str, other: str) -> None:
    assert same_expansion(one, other)
    assert same_expansion(other, one)


@pytest.mark.parametrize(("one", "other"), CASES["other expansion"])
def test_other_expansion(one: str, other: str) -> None:
    assert not same_expansion(one, other)
    assert not same_expansion(other, one)


@settings(deadline=None)
@given(NAMES, st.sampled_from(ENTITY_KINDS))
def test_normal_form_does_not_see_case_dashes_and_spaces(name: str, kind: str) -> None:
    found = normal(name, kind)
    assert found.key
    assume(key(name))
    assert normal(name.replace("-", " "), kind).key == found.key
    assert normal(f" {name} ", kind).key == found.key


@settings(deadline=None)
@given(NAMES, st.sampled_from(ENTITY_KINDS))
def test_normal_form_is_a_fixed_point(name: str, kind: str) -> None:
    found = normal(name, kind)
    assert normal(found.text, kind).key == found.key or not key(name)


@settings(deadline=None)
@given(NAMES)
def test_singular_only_changes_the_last_word(name: str) -> None:
    one = singular(name)
    assert one.split()[:-1] == name.split()[:-1] or one == name
    assert one == name or name.rstrip()[-1] in "saA"


@settings(deadline=None)
@given(NAMES)
def test_key_ignores_case_and_dashes_but_keeps_numbers_apart(name: str) -> None:
    assert key(name.replace("-", " ")) == key(name)
    assert key(key(name)) == key(name)
    assert key(f"{name}1-2") != key(f"{name}12")
