from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph.extract.quantities import Quantity, find_quantities
from sotagraph.names import plain


def brief(text: str) -> list[tuple[str, str | None]]:
    """Value (with its upper end) and unit of each quantity of a text with markup."""
    return [
        (f"{q.value}-{q.value_max}" if q.value_max is not None else str(q.value), q.unit)
        for q in find_quantities(plain(text).text)
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a gain of 4.5%", [("4.5", "%")]),
        (r"a gain of $4.5\%$", [("4.5", "%")]),
        (r"a gain of $4.5\\%$", [("4.5", "%")]),
        ("a gain of **4.5 %**", [("4.5", "%")]),
        ("4.5 percent", [("4.5", "%")]),
        ("3.2 points", [("3.2", "points")]),
        ("3.2 percentage points", [("3.2", "points")]),
        ("a 25-point gain", [("25", "points")]),
        ("20pp", [("20", "points")]),
        ("up to +3.4%p", [("3.4", "points")]),
        ("1.8× faster", [("1.8", "x")]),
        (r"$1.8 \times$ faster", [("1.8", "x")]),
        (r"1.8$\times$ faster", [("1.8", "x")]),
        ("10x faster", [("10", "x")]),
        ("10 times faster", [("10", "x")]),
        ("a 5-fold increase", [("5", "x")]),
        ("a ×3 speedup", [("3", "x")]),
        ("2-4×lower latency", [("2-4", "x")]),
        ("within 5 seconds", [("5", "s")]),
        ("1.9 2.9x faster", [("1.9-2.9", "x")]),
        ("by 0.5 1.8 BLEU", [("0.5-1.8", None)]),
        ("1.2 +3.4 BLEU", [("1.2", None), ("3.4", None)]),
        ("91.1\n92.3\n93.4", [("91.1", None), ("92.3", None), ("93.4", None)]),
        ("10 -15%", [("10-15", "%")]),
        ("(91.1 92.7)", [("91.1", None), ("92.7", None)]),
        ("91.1 92.3 93.4", [("91.1", None), ("92.3", None), ("93.4", None)]),
        ("Gemini 3.5 5.4%", [("3.5", None), ("5.4", "%")]),
        ("0.58/0.81", [("0.58", None), ("0.81", None)]),
        ("on 9/11 with 1/2 of", []),
        ("from 71s to 29s", [("71", "s"), ("29", "s")]),
        ("takes 2.36 minutes", [("2.36", None)]),
        ("29.86 dB", [("29.86", None)]),
        ("1,982 problems", [("1982", None)]),
        ("an AUROC of .96", [("0.96", None)]),
        ("85.3 ± 0.2", [("85.3", None)]),
        ("4.4%-17.5%", [("4.4-17.5", "%")]),
        ("4.4--17.5\\%", [("4.4-17.5", "%")]),
        ("2.9% ～ 7.4%", [("2.9-7.4", "%")]),
        ("4–7%", [("4-7", "%")]),
        ("2.24x to 4.32x", [("2.24-4.32", "x")]),
        ("ranging from 2% to 5%", [("2-5", "%")]),
        ("between 2% and 5%", [("2-5", "%")]),
        ("0.5-2.7 AP", [("0.5-2.7", None)]),
        ("improves from 41% to 45%", [("41", "%"), ("45", "%")]),
        ("66.1→84.6", [("66.1", None), ("84.6", None)]),
        ("7%/4%", [("7", "%"), ("4", "%")]),
        ("+1.6%/+1.4%", [("1.6", "%"), ("1.4", "%")]),
        ("8 and 4 points", [("8", None), ("4", "points")]),
        ("Chamfer-15%", [("15", "%")]),
        ("a two-fold gain", [("2", "x")]),
        ("twice as fast", [("2", "x")]),
        ("in half", [("50", "%")]),
        ("two orders of magnitude", [("100", "x")]),
        ("three times faster", [("3", "x")]),
    ],
)
def test_reads(text: str, wanted: list[tuple[str, str | None]]) -> None:
    assert brief(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "GPT-4 and Qwen2.5 and LLaMA3",
        "MATH-500",
        "3D, 2nd, 4o",
        "an 8-bit model with 12-layer blocks",
        "256×256 images",
        "a 3 x 3 kernel",
        "in 2024",
        "version v2.1.0",
        "(1) first and (2) second",
        "see [12]",
        "https://example.org/a/12.5%/b",
        "2^10 and x_1",
        "pass@32",
        "a 1/3 share",
    ],
)
def test_what_is_no_quantity(text: str) -> None:
    assert brief(text) == []


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("up to 12%", "up to"),
        ("up to an additional 12%", "up to"),
        ("as much as 12%", "up to"),
        ("under 12%", "up to"),
        ("less than 12%", "up to"),
        ("at least 12%", "at least"),
        (r"$\geq$ 12%", "at least"),
        ("about 12%", "about"),
        (r"$\sim$12%", "about"),
        ("over 12%", "over"),
        ("more than 12%", "over"),
        ("exceeding 12%", "over"),
        ("12%+", "over"),
        ("within ±1 point", "up to"),
        ("of 12%", None),
        ("takeover 12%", None),
    ],
)
def test_bounds(text: str, bound: str | None) -> None:
    (quantity,) = find_quantities(plain(text).text)
    assert quantity.bound == bound


def test_offsets_show_number_sign_and_unit() -> None:
    text = "Gains: +3.4%, then 1.8 × and 4 points."
    assert [text[q.start : q.end] for q in find_quantities(text)] == ["+3.4%", "1.8 ×", "4 points"]
    assert [text[q.head] for q in find_quantities(text)] == ["3", "1", "4"]


def well_formed(text: str, found: tuple[Quantity, ...]) -> None:
    last = 0
    for q in found:
        assert last <= q.start <= q.head < q.end <= len(text)
        assert q.value_max is None or q.value_max > q.value
        last = q.end


LETTERS = "1 2.5 10,000 % × x +3 -4 ± ~ - to and from between up over . , ( ) [ ] / points s dB twice half ^ @ 2024 v"
PIECES = st.sampled_from(LETTERS.split())


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.text(max_size=120), st.lists(PIECES, max_size=50).map(" ".join), st.lists(PIECES, max_size=50).map("".join)
    )
)
def test_any_text(text: str) -> None:
    well_formed(text, find_quantities(text))


@pytest.mark.parametrize("unit", ["1", "1.", "1,", "1-", "±", "a1 ", "up to ", "1 and ", "half "])
def test_long_runs_are_read_in_linear_time(unit: str) -> None:
    text = unit * 20000
    well_formed(text, find_quantities(text))
