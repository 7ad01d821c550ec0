"""CSV and TSV with a head line that names the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from sotagraph.errors import InputError
from sotagraph.read.base import Reader, Record, Source
from sotagraph.read.fields import TEXT_FIELDS, known_field, record

__all__ = ["READER"]


def _delimiter(head: str) -> str:
    """The separator that cuts the head line into the most columns; the comma where none does."""
    return max(",\t;", key=head.count)


def read(source: Source) -> Iterator[Record]:
    r"""The rows of a table; one with more cells than the head line is told and left out.

    Raises:
        InputError: no column holds an abstract.

    >>> text = "id,title,abstract\n7,On A,\"We do,\nand do.\"\n"
    >>> [(r.id, r.line, r.text) for r in read(Source(name="a.csv", text=text, warn=print))]
    [('7', 2, 'We do,\nand do.')]
    """
    lines = source.text.split("\n")
    head = next((line for line in lines if line.strip()), "")
    rows = csv.reader((line + "\n" for line in lines), delimiter=_delimiter(head), strict=True)
    columns: list[str] | None = None
    start = 1
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            source.complain(start, f"not a table row ({error}); it is left out")
            start = rows.line_num + 1
            continue
        line, start = start, rows.line_num + 1
        if not any(cell.strip() for cell in row):
            continue
        if columns is None:
            columns = _columns(row, source)
            continue
        if len(row) > len(columns):
            source.complain(line, f"{len(row)} cells, want {len(columns)}; the row is left out (is a quote missing?)")
            continue
        found = record(dict(zip(columns, row, strict=False)), line=line)
        if found is None:
            source.complain(line, "no abstract; the row is left out")
        else:
            yield found


def _columns(row: list[str], source: Source) -> list[str]:
    columns = [cell.strip() for cell in row]
    if not any(column.casefold() in TEXT_FIELDS for column in columns):
        raise InputError(f"{source.name}: no column named abstract or text among: {', '.join(columns)[:200]}")
    return columns


def _looks_like(text: str) -> bool:
    head = text.lstrip().partition("\n")[0]
    cells = head.split(_delimiter(head))
    return len(cells) > 1 and sum(known_field(cell.strip(' "')) for cell in cells) > len(cells) / 2


READER = Reader(name="table", suffixes=(".csv", ".tsv"), read=read, looks_like=_looks_like)
