"""Answers as rows: what a query gives, and the four ways to write them down."""

from __future__ import annotations

import csv
import io
import json
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, overload

from sotagraph.errors import ConfigError

if TYPE_CHECKING:
    import pandas

__all__ = ["FORMATS", "Cell", "Row", "Rows", "render"]

#: One value of a row; None where the answer leaves a column open.
Cell = str | int | float | bool | Decimal | None
Row = dict[str, Cell]


class Rows(Sequence[Row]):
    """Rows that know their columns, also where there is no row.

    >>> rows = Rows(("name", "score"), [("LVR", Decimal("71.67"))])
    >>> len(rows), rows.columns, rows[0]["name"]
    (1, ('name', 'score'), 'LVR')
    >>> print(rows)
    name  score
    ----  -----
    LVR   71.67
    """

    def __init__(self, columns: Iterable[str], values: Iterable[Sequence[Cell]]) -> None:
        self.columns = tuple(columns)
        self._rows = [dict(zip(self.columns, row, strict=True)) for row in values]

    @classmethod
    def of(cls, records: Iterable[Mapping[str, Cell]], columns: Iterable[str] | None = None) -> Rows:
        """Rows of mappings; columns in the order in which they first come up, unless given."""
        rows = list(records)
        names = tuple(columns) if columns is not None else tuple(dict.fromkeys(name for row in rows for name in row))
        return cls(names, [[row.get(name) for name in names] for row in rows])

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        """One row by its place, or a list of them."""
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rows):
            return self.columns == other.columns and self._rows == other._rows
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # mutable rows inside

    def __repr__(self) -> str:
        return f"<Rows: {len(self)} of {', '.join(self.columns)}>"

    def __str__(self) -> str:
        return render(self, "table").rstrip("\n")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from html import escape

        def line(tag: str, cells: Iterable[Cell]) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(_text(cell))}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(line("td", row.values()) for row in self)
        return f"<table><thead>{line('th', self.columns)}</thead><tbody>{body}</tbody></table>"

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a `pandas.DataFrame`.

        Raises:
            ConfigError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise ConfigError(
                "pandas is not installed; install sotagraph[pandas], or use the rows as they are"
            ) from error
        return pd.DataFrame([list(row.values()) for row in self], columns=list(self.columns))


def _text(cell: Cell) -> str:
    r"""A cell on one line, without characters that a terminal would act on.

    >>> _text("a\nb\x1b[31m"), _text(None), _text(Decimal("90.40")), _text(True)
    ('a b [31m', '', '90.40', 'true')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return "".join(c if c.isprintable() else " " for c in str(cell))


def render(rows: Rows, form: str, *, width: int | None = None) -> str:
    r"""Rows as text that ends in a line end.

    Args:
        rows: the rows.
        form: one of `FORMATS`.
        width: columns of the terminal that a table must fit into by wrapping; None leaves lines as long as they are.

    Raises:
        ConfigError: there is no such format.

    >>> print(render(Rows(("a",), [("x|y",)]), "md"), end="")
    | a |
    | --- |
    | x\|y |
    """
    if form == "table":
        return _table(rows, width)
    try:
        return FORMATS[form](rows)
    except KeyError:
        raise ConfigError(f"no format {form!r}; there are {', '.join(FORMATS)}") from None


def _csv(rows: Rows) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows.columns)
    writer.writerows(["" if cell is None else cell for cell in row.values()] for row in rows)
    return out.getvalue()


class _Encoder(json.JSONEncoder):
    """Decimals become numbers, so that they can be sorted and drawn; how they were printed is another column."""

    def default(self, o: Any) -> Any:
        if not isinstance(o, Decimal):
            return super().default(o)
        return int(o) if o == o.to_integral_value() else float(o)


def _json(rows: Rows) -> str:
    return json.dumps(list(rows), ensure_ascii=False, indent=2, cls=_Encoder) + "\n"


def _markdown(rows: Rows) -> str:
    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cells) + " |\n"

    def cell(value: Cell) -> str:
        return _text(value).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")

    head = line(rows.columns) + line("---" for _ in rows.columns)
    return head + "".join(line(cell(value) for value in row.values()) for row in rows)


def _wide(text: str) -> int:
    """Columns that a terminal gives to a text: two for East Asian characters, none for combining ones."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _wide(text))


def _table(rows: Rows, width: int | None = None) -> str:
    if not rows.columns:
        return ""
    cells = [[_text(value) for value in row.values()] for row in rows]
    widths = [max([_wide(name), *(_wide(row[i]) for row in cells)]) for i, name in enumerate(rows.columns)]
    if width is not None:
        widths = _fit(widths, [_wide(name) for name in rows.columns], width)
    lines = [list(rows.columns), ["-" * size for size in widths], *cells]
    return "".join(
        "  ".join(_pad(text, size) for text, size in zip(part, widths, strict=True)).rstrip() + "\n"
        for row in lines
        for part in _wrapped(row, widths)
    )


def _wrapped(row: Sequence[str], widths: Sequence[int]) -> Iterator[list[str]]:
    """One table row as the lines that it takes when each cell keeps to its column."""
    columns = [
        [text] if _wide(text) <= size else textwrap.wrap(text, size) or [""]
        for text, size in zip(row, widths, strict=True)
    ]
    for i in range(max(map(len, columns))):
        yield [column[i] if i < len(column) else "" for column in columns]


def _fit(widths: Sequence[int], least: Sequence[int], total: int) -> list[int]:
    """Narrow the widest column again and again until the table fits, but none below its heading or 12 characters."""
    fitted = list(widths)
    floors = [min(size, max(low, 12)) for size, low in zip(widths, least, strict=True)]
    while sum(fitted) + 2 * (len(fitted) - 1) > total:
        candidates = [i for i, size in enumerate(fitted) if size > floors[i]]
        if not candidates:
            break
        fitted[max(candidates, key=lambda i: fitted[i])] -= 1
    return fitted


#: Name → writer of rows.
FORMATS: dict[str, Callable[[Rows], str]] = {"table": _table, "csv": _csv, "json": _json, "md": _markdown}
