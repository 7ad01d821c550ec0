"""Each example of docs/input.md is read as the block after it says, and the tables name what the code knows."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from sotagraph.model import Document
from sotagraph.read import Source, read_paths, readers
from sotagraph.read.documents import LONGEST
from sotagraph.read.fields import known_field
from sotagraph.read.jsons import _LISTS

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "input.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(
    r"^`([\w.-]+)`\n\n```\w+\n(.*?)^```\n\nis read as\n\n```json\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
EXAMPLES = EXAMPLE.findall(PAGE)


def shown(document: Document) -> str:
    """A document as the page shows it: a JSON object a line, without what is empty."""
    values = {one.name: getattr(document, one.name) for one in fields(document)}
    values["identifiers"] = dict(document.identifiers)
    return json.dumps({name: value for name, value in values.items() if value}, ensure_ascii=False)


def test_every_format_has_an_example() -> None:
    endings = {Path(name).suffix for name, _, _ in EXAMPLES}
    without = [reader.name for reader in readers() if not endings & set(reader.suffixes)]
    assert without == ["JSON"]  # described in words: JSON lines, in an array


@pytest.mark.parametrize(("name", "text", "wanted"), EXAMPLES, ids=[name for name, _, _ in EXAMPLES])
def test_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, wanted: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text, encoding="utf-8", newline="\n")
    said: list[str] = []
    lines = [shown(document) for document in read_paths([name], warn=said.append)]
    assert lines == wanted.splitlines()
    assert said == []


def test_endings_are_those_of_the_readers() -> None:
    table = PAGE.split("## Plain text", maxsplit=1)[0]
    listed = re.findall(r"`(\.\w+)`", table.partition("The ending decides")[0])
    assert sorted(listed) == sorted(suffix for reader in readers() for suffix in reader.suffixes)


def test_field_names_are_known() -> None:
    table = PAGE.partition("| field | other names |")[2].partition("\n\n")[0]
    names = [name for name in re.findall(r"`(\w+)`", table) if name not in ("name", "first", "last")]
    assert len(names) > 30
    assert [name for name in names if not known_field(name)] == []


def test_numbers_and_lists_are_those_of_the_code() -> None:
    assert f"more than {LONGEST:,} characters" in PAGE
    assert all(f"`{name}`" in PAGE for name in _LISTS)


def test_plug_in_example_runs() -> None:
    code = PAGE.rpartition("```python\n")[2].partition("```")[0]
    space: dict[str, object] = {}
    exec(code, space)
    reader = space["SHOUT"]
    assert isinstance(reader, type(readers()[0]))
    found = reader.read(Source(name="a.loud", text="WE WIN.\n\nWE LOSE.", warn=print))
    assert [(record.text, record.line) for record in found] == [("We win.", 1), ("We lose.", 3)]
