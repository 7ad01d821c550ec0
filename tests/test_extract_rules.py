"""The rules of extraction against their case files: one test a case, each case one sentence of a kind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph import names
from sotagraph.extract import features, quantities
from sotagraph.extract.abbreviations import abbreviations, match_long_form
from sotagraph.extract.emphasis import emphases
from sotagraph.extract.linear import Models, Table, scores
from sotagraph.extract.measured import fewer, measured
from sotagraph.extract.nouns import LINK_BEFORE, LINK_ENDS
from sotagraph.extract.parts import split, trim
from sotagraph.extract.proposals import proposals
from sotagraph.extract.sentences import sentences
from sotagraph.extract.shapes import TOKEN, head_kind, looks_named, strip_heads
from sotagraph.extract.urls import code_urls, urls
from sotagraph.names import form, key, plain

CASES = Path(__file__).parent / "cases"


def cases(name: str) -> list[Any]:
    content = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["text"][:40] or "empty") for case in content["cases"]]


@pytest.mark.parametrize("case", cases("sentences"))
def test_sentences(case: dict[str, Any]) -> None:
    text = case["text"]
    assert [text[a:b] for a, b in sentences(text)] == case["expect"]


@pytest.mark.parametrize("case", cases("abbreviations"))
def test_abbreviations(case: dict[str, Any]) -> None:
    text = plain(case["text"]).text
    found = [[text[a.short_start : a.short_end], text[a.long_start : a.long_end]] for a in abbreviations(text)]
    assert found == case["expect"]


@pytest.mark.parametrize("case", cases("emphasis"))
def test_emphasis(case: dict[str, Any]) -> None:
    text = case["text"]
    assert [[text[e.start : e.end], e.style] for e in emphases(text)] == case["expect"]


@pytest.mark.parametrize("case", cases("proposals"))
def test_proposals(case: dict[str, Any]) -> None:
    text = case["text"]
    found = {(text[p.start : p.end], p.kind) for p in proposals(text, sentences(text), abbreviations(text))}
    assert found == {tuple(pair) for pair in case["expect"]}


@pytest.mark.parametrize("case", cases("parts"))
def test_parts(case: dict[str, Any]) -> None:
    text = case["text"]
    start = text.index(case["marked"])
    names = [trim(a, b, text) for a, b in split(start, start + len(case["marked"]), text)]
    assert [text[n[0] : n[1]] for n in names if n] == case["expect"]


@pytest.mark.parametrize("case", cases("urls"))
def test_code_urls(case: dict[str, Any]) -> None:
    text = case["text"]
    assert [text[a:b] for a, b, *_ in code_urls(text, sentences(text))] == case["expect"]


@pytest.mark.parametrize("case", cases("measured"))
def test_measured(case: dict[str, Any]) -> None:
    text = case["text"]
    assert [text[a:b] for a, b in measured(text)] == case["expect"]


@pytest.mark.parametrize("case", cases("fewer"))
def test_fewer(case: dict[str, Any]) -> None:
    text = case["text"]
    assert [text[a:b] for a, b in fewer(text)] == case["expect"]


@given(st.text(alphabet=st.sampled_from(list("ab AB1.,()!?\n*_$\\{}%~-é”")), max_size=120))
@settings(max_examples=300, deadline=None)
def test_sentences_cover_all_but_space(text: str) -> None:
    spans = sentences(text)
    inside = "".join(text[a:b] for a, b in spans)
    assert "".join(inside.split()) == "".join(text.split())
    assert all(a < b for a, b in spans)
    assert list(spans) == sorted(spans)


@given(st.text(alphabet=st.sampled_from(list("ab AB1.,()\\textbf{}$*_%&~-π×")), max_size=80))
@settings(max_examples=300, deadline=None)
def test_plain_text_leads_back_to_the_original(text: str) -> None:
    seen = plain(text)
    assert len(seen.offsets) == len(seen.text) + 1
    assert list(seen.offsets) == sorted(seen.offsets)
    for at, character in enumerate(seen.text):
        start, end = seen.span(at, at + 1)
        assert start < end
        assert character in text[start:end] or text[start:end].startswith(("\\", "-", "~", "‐"))


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_rules_take_any_text(text: str) -> None:
    seen = plain(text).text
    bounds = sentences(seen)
    defined = abbreviations(seen)
    for spans in (urls(seen), measured(seen), [(p.start, p.end) for p in proposals(seen, bounds, defined)]):
        assert all(0 <= a < b <= len(seen) for a, b in spans)


def test_long_forms_begin_at_a_word() -> None:
    assert match_long_form("XYZ", "no such letters") is None
    assert match_long_form("", "anything") is None


@pytest.mark.parametrize(
    ("phrase", "kind"),
    [
        ("a new benchmark for reading", "dataset"),
        ("an optimizer", "method"),
        ("a score that ranks", "metric"),
        ("an idea", None),
    ],
)
def test_head_nouns_tell_the_kind(phrase: str, kind: str | None) -> None:
    assert head_kind(phrase) == kind


def test_shapes() -> None:
    assert [t for t in ("GRPO", "However", "We", "mT5", "flow", "Q-Former") if looks_named(t)] == [
        "GRPO",
        "mT5",
        "Q-Former",
    ]
    assert strip_heads("a novel FooNet model") == "FooNet"
    assert strip_heads("graph neural network") == "graph neural network"


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [("MiniF2F", "miniF2F", True), ("Qwen2-7B", "Qwen-27B", False), ("HumanEval", "HumanEval+", False),
     ("GPT-4", "GPT-4o", False), ("π0", r"$\pi$0", True), ("Mini F2F", "Mini-F2F", True)],
)  # fmt: skip
def test_keys(left: str, right: str, same: bool) -> None:
    assert (key(left) == key(right)) is same
    if same:
        assert form(left) == form(right) or key(left) == key(right)


@given(st.text(alphabet=st.sampled_from(list("ab A1.5,()\\textbf{}$*_%&~–—-+±x× π")), max_size=60))
@settings(max_examples=300, deadline=None)
def test_scanning_from_first_characters_misses_nothing(text: str) -> None:
    for pattern, opening in ((names._TOKEN, names._SIGN), (quantities._NUMBER, quantities._NUMBER_SIGN)):
        assert [m.span() for m in names.scan(pattern, opening, text)] == [m.span() for m in pattern.finditer(text)]


@given(st.lists(st.sampled_from("focuses uses on the than both such as over datasets fine-tuned e.g. ours".split())))
@settings(max_examples=300, deadline=None)
def test_one_search_tells_near_from_further(said: list[str]) -> None:
    before = " ".join(said)[-60:]
    near = before[-features._NEAR :]
    cut = before != near and features._CUT_WORD.match(before, len(before) - len(near) - 1)
    for pattern in features._BEFORE_RE.values():
        found = pattern.search(near) if pattern.search(before) else cut and pattern.match(near)
        assert bool(found) == bool(pattern.search(near))


@given(st.lists(st.sampled_from("us use reuse uses on icon on the upon across cross based rebuilt on x-".split())))
@settings(max_examples=200, deadline=None)
def test_patterns_that_begin_with_a_letter_find_what_plain_ones_do(said: list[str]) -> None:
    plain_ones = {
        "use": r"\bus(?:e|es|ing)\b",
        "built on": r"(?:based|built|build\w*|rel(?:y|ies|ying)) (?:up)?on",
        "on": r"\bon(?: the| both)?$|\bon (?:[\w-]+ ){0,3}$|\bacross\b",
    }
    for text in (" ".join(said), " ".join([*said, ""])):
        for name, pattern in plain_ones.items():
            assert bool(features._BEFORE_RE[name].search(text)) == bool(re.search(pattern, text))


@given(st.text(alphabet=st.sampled_from(list("aZ9_.-/'’& @+*αΩ²,é")), max_size=30))
@settings(max_examples=300, deadline=None)
def test_a_token_is_taken_run_by_run_as_it_is_letter_by_letter(text: str) -> None:
    plain_one = r"(?:[^\W_]|[α-ωΑ-Ω])(?:[\w+*@α-ωΑ-Ω²³]|[.\-/'’&](?=[\w+*α-ωΑ-Ω]))*"
    assert [m.span() for m in re.finditer(TOKEN, text)] == [m.span() for m in re.finditer(plain_one, text)]


@given(st.text(alphabet=st.sampled_from(list("aZ9_.- ,(é\n²")), max_size=12))
@settings(max_examples=300, deadline=None)
def test_the_word_before_is_that_of_a_pattern(text: str) -> None:
    found = re.search(r"([A-Za-z]+|[^\w\s])\s*$", text)
    assert features._word_before(text) == (found[1].lower() if found else "")


@given(st.lists(st.sampled_from(["LVR", " ", ",", ";", "and", "or ", "& ", "the ", "(x) ", "hand", "/", "\n"])))
@settings(max_examples=300, deadline=None)
def test_no_link_ends_otherwise(said: list[str]) -> None:
    text = "".join(said)
    assert not LINK_BEFORE.search(text) or text.rstrip().endswith(LINK_ENDS)


def test_models_weigh_the_same_alone_and_side_by_side() -> None:
    models = Models({"a": {"x": (0.1, 0.2), "y": (0.7, -0.3)}, "b": {"y": (-0.0, 0.4), "z": (0.3, 0.6)}})
    for facts in (["x", "y", "z"], ["z"], ["unknown"], []):
        together = models.table("a", "b").scores(facts)
        assert together == [scores(models["a"], facts, 2), scores(models["b"], facts, 2)]


@given(st.data(), st.integers(1, 7), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_a_table_adds_one_after_the_other(data: st.DataObject, one: int, other: int) -> None:
    """To the last bit, and in whatever order the features come: the same text gives the same bytes everywhere."""
    number = st.floats(-3, 3)
    names = [f"f{i:03}" for i in range(data.draw(st.integers(0, 90)))]
    models = [{n: [data.draw(number) for _ in range(width)] for n in names} for width in (one, other)]
    for facts in (names, names[::-1], set(names[::2])):
        expected = []
        for model, width in zip(models, (one, other), strict=True):
            sums = [0.0] * width
            for name in sorted(facts):
                sums = [so_far + weight for so_far, weight in zip(sums, model[name], strict=True)]
            expected.append(sums if names else [])
        assert Table(models).scores(facts) == expected
