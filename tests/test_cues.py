"""Slow patterns are tried only where a cheaper one finds a part of what they match: no match may be lost by that."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sotagraph.extract import abbreviations, clauses, measured, proposals
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


#: The cheap pattern, and a slow one that is left out where that finds nothing.
BEHIND = [
    *((measured._ANY_AMOUNT, pattern) for pattern in measured._WITH_AMOUNT),
    (measured._OF_TAIL, measured._OF),
    (abbreviations._NAMED_TAIL, abbreviations._NAMED),
    (proposals._BARE_TAIL, proposals._BARE),
    (proposals._LIST_TAIL, proposals._LIST),
    (proposals._IS_A_TAIL, proposals._IS_A),
    (proposals._PASSIVE_TAIL, proposals._PASSIVE),
    (proposals._ITEM, proposals._NUMBERED),
]


@pytest.mark.parametrize(("cheap", "slow"), BEHIND)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_whatever_a_slow_pattern_matches_the_cheap_one_finds(
    cheap: re.Pattern[str], slow: re.Pattern[str], data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(slow))
    assert cheap.search(text) or not slow.search(text)


@given(
    st.lists(st.sampled_from([*"we our ours hours this the proposed paper work method models é _ 2 -".split(), " "]))
)
def test_what_is_the_papers_own_is_found_word_by_word(words: list[str]) -> None:
    text = "".join(words)
    spelt = r"\b(?:we|our|ours|this (?:paper|work)|the proposed|proposed (?:method|approach|framework|model))\b"
    assert [m.span() for m in clauses._OWN.finditer(text)] == [m.span() for m in re.finditer(spelt, text)]
