"""Patterns before a name are tried only where one of their cues stands: no match may be lost by that."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph.extract.features import _BEFORE_RE, _CUES, _cued


def test_each_pattern_has_its_cues() -> None:
    assert list(_CUES) == list(_BEFORE_RE)


def drawn_from(name: str) -> st.SearchStrategy[str]:
    """Texts around a match; a border that is asked for behind its letter cannot be drawn from, so it goes before it."""
    return st.from_regex(re.sub(r"(\w)\(\?<=\\b\1\)", r"\\b\1", _BEFORE_RE[name].pattern))


@pytest.mark.parametrize("name", list(_BEFORE_RE))
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_a_pattern_matches_holds_one_of_its_cues(name: str, data: st.DataObject) -> None:
    text = data.draw(drawn_from(name))
    assert _BEFORE_RE[name].search(text)
    assert name in _cued(text)


WORDS = (
    "over moreover than xthan on upon across our hour us using use in comparison to par with sparse state-of-the-art "
    "rather than such as e.g. like unlike fine-tuning finetuned relies on via for therefore terms of the both é1 α_ 2"
).split()


@given(st.lists(st.sampled_from([*WORDS, " ", " ", "-", "."]), max_size=14).map("".join), st.integers(0, 8))
def test_words_cut_at_either_end_of_a_window_lose_nothing(text: str, cut: int) -> None:
    for window in (text, text[cut:], text[: len(text) - cut]):
        assert {name for name, pattern in _BEFORE_RE.items() if pattern.search(window)} <= _cued(window)
