from __future__ import annotations

import csv
import io
import json
import sys
from decimal import Decimal

import pytest

from sotagraph.errors import ConfigError
from sotagraph.rows import FORMATS, Cell, Rows, render

ROWS = Rows(
    ("method", "score", "note"), [("LVR", Decimal("71.670"), "a|b"), ("模型", None, 'says "x",\n<i>y</i>\x1b[31m')]
)


def test_columns_stay_where_there_is_no_row() -> None:
    assert render(Rows(("a", "b"), []), "csv") == "a,b\n"
    assert render(Rows(("a", "b"), []), "table") == "a  b\n-  -\n"
    assert render(Rows(("a", "b"), []), "json") == "[]\n"
    assert render(Rows((), []), "table") == ""


def test_csv_reads_back() -> None:
    read = list(csv.reader(io.StringIO(render(ROWS, "csv"))))
    assert read == [["method", "score", "note"], ["LVR", "71.670", "a|b"], ["模型", "", 'says "x",\n<i>y</i>\x1b[31m']]


def test_json_has_numbers_and_nulls() -> None:
    read = json.loads(render(ROWS, "json"))
    assert [(row["score"], row["method"]) for row in read] == [(71.67, "LVR"), (None, "模型")]


def test_a_table_acts_on_no_terminal_and_stays_aligned() -> None:
    text = render(ROWS, "table")
    assert "\x1b" not in text
    lines = text.splitlines()
    assert len(lines) == 4
    # 模型 takes four columns of a terminal.
    assert lines[3].startswith("模型    ")
    assert lines[2].startswith("LVR     71.670  a|b")


def test_markdown_keeps_one_row_a_line() -> None:
    lines = render(ROWS, "md").splitlines()
    assert len(lines) == 4
    assert r"a\|b" in lines[2]
    assert "<" not in lines[3]


@pytest.mark.parametrize("width", [20, 40, 60, 200])
def test_a_table_is_wrapped_to_its_width(width: int) -> None:
    rows = Rows(("name", "sentence"), [("LVR", "achieving 71.67 on MMVP compared to 66.67 with another model " * 3)])
    text = render(rows, "table", width=width)
    assert max(map(len, text.splitlines())) <= max(width, 3 + 2 + 12)
    assert "".join(text.split()).count("MMVP") == 3


@pytest.mark.parametrize("form", ["xml", "", "Table"])
def test_an_unknown_format_lists_what_there_is(form: str) -> None:
    with pytest.raises(ConfigError, match="table, csv, json, md"):
        render(ROWS, form)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_ends_with_a_line_end(form: str) -> None:
    assert render(ROWS, form).endswith("\n")


def test_rows_are_a_sequence() -> None:
    assert len(ROWS) == 2
    assert ROWS[0]["method"] == "LVR"
    assert ROWS[1:] == [ROWS[1]]
    assert [row["method"] for row in ROWS] == ["LVR", "模型"]
    assert Rows(ROWS.columns, [tuple(row.values()) for row in ROWS]) == ROWS
    assert Rows(("other",), []) != ROWS
    with pytest.raises(ValueError, match=r"shorter|longer"):
        Rows(("a", "b"), [("x",)])


def test_of_mappings_takes_columns_as_they_come_up() -> None:
    records: list[dict[str, Cell]] = [{"a": 1}, {"b": 2, "a": 3}]
    rows = Rows.of(records)
    assert rows.columns == ("a", "b")
    assert rows[0] == {"a": 1, "b": None}


def test_a_notebook_shows_text_not_markup() -> None:
    assert "&lt;i&gt;" in ROWS._repr_html_()


def test_pandas_is_used_where_it_is() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is an extra")
    frame = ROWS.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["method", "score", "note"]
    assert len(frame) == 2


def test_without_pandas_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigError, match=r"install sotagraph\[pandas\]"):
        ROWS.to_pandas()
