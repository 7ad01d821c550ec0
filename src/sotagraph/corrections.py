"""The corrections file: what people know better than extraction and linking, applied on every build.

A YAML list, or a table with tab-separated columns (``action``, ``names``, ``to``, ``kind``, ``papers``, ``quote``,
``comment``; ``|`` between several names or papers). ``docs/corrections.md`` shows each action.

================== ============================== ======================================================
action             names                          further keys
================== ============================== ======================================================
merge              two or more, the first stays   kind
split              one                            papers (the split-off thing is what these name), to
rename             one                            to: the new name
retype             one                            to: method, dataset, metric or task
reject             one                            papers (else everywhere)
reject-statement   subject, predicate, object     papers (else everywhere)
add-statement      subject, predicate, object     papers: the one that says so; quote: where
reject-result      number, names in its slots     papers: the one that reports it
set-result         number, slot, names            papers; to: what stands in the slot (else nothing does)
================== ============================== ======================================================

A name is any form that a paper uses, or a label or id of the graph where that is needed to tell things apart; ``PAPER``
stands for the paper itself. ``kind`` narrows a name to one kind; ``comment`` is free. A result is told by its number as
the paper prints it; names that stand in its slots tell it from others of that number.
"""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sotagraph.errors import ConfigError
from sotagraph.schema import ENTITY_KINDS, RELATIONS

__all__ = ["ACTIONS", "SLOTS", "Correction", "append_correction", "load"]

#: Each action with the number of its names (least, most; None is any number).
ACTIONS: dict[str, tuple[int, int | None]] = {
    "merge": (2, None),
    "split": (1, 1),
    "rename": (1, 1),
    "retype": (1, 1),
    "reject": (1, 1),
    "reject-statement": (3, 3),
    "add-statement": (3, 3),
    "reject-result": (1, None),
    "set-result": (2, None),
}
#: What a result names; each is a slot that a correction may set.
SLOTS = ("method", "dataset", "metric", "task", "baseline")
_OF_RESULTS = {"reject-result": "the number of a result", "set-result": "the number of a result and a slot"}
_COLUMNS = ("action", "names", "to", "kind", "papers", "quote", "comment")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One line of a corrections file; valid as it is made.

    Raises:
        ConfigError: the action is unknown, or what it needs is missing or wrong.
    """

    action: str
    #: The things it speaks of; of statements subject, predicate and object; of results the number first.
    names: tuple[str, ...]
    #: The new name, the new kind, or what stands in the slot.
    to: str = ""
    kind: str = ""
    #: Document ids or paper keys that it is limited to.
    papers: tuple[str, ...] = ()
    #: For an added statement, a literal piece of the paper's text that says it.
    quote: str = ""
    comment: str = ""
    #: Where it stands, ``corrections.yaml:12``.
    place: str = ""

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise ConfigError(f"{self._at}unknown action {self.action!r}; known are {', '.join(ACTIONS)}")
        least, most = ACTIONS[self.action]
        if len(self.names) < least or (most is not None and len(self.names) > most) or not all(self.names):
            wanted = "subject, predicate and object" if least == 3 else "one name" if most else "two names or more"
            wanted = _OF_RESULTS.get(self.action, wanted)
            raise ConfigError(f"{self._at}{self.action} takes {wanted}, here are {len(self.names)}")
        if problem := self._problem():
            raise ConfigError(f"{self._at}{self.action} {problem}")

    @property
    def _at(self) -> str:
        return f"{self.place}: " if self.place else ""

    def _problem(self) -> str:
        if self.kind and self.kind not in ENTITY_KINDS:
            return f"has kind {self.kind!r}; known are {', '.join(ENTITY_KINDS)}"
        if self.action == "rename" and not self.to:
            return "needs 'to', the new name"
        if self.action == "retype" and self.to not in ENTITY_KINDS:
            return f"needs 'to', one of {', '.join(ENTITY_KINDS)}; here is {self.to!r}"
        if self.action == "split" and not self.papers:
            return "needs 'papers', those whose mentions are the thing that is split off"
        if self.action == "add-statement" and len(self.papers) != 1:
            return f"needs 'papers' with the one paper that says so, here are {len(self.papers)}"
        if self.action.endswith("-result") and len(self.papers) != 1:
            return f"needs 'papers' with the one paper that reports the number, here are {len(self.papers)}"
        if self.action == "set-result" and self.names[1] not in SLOTS:
            return f"has slot {self.names[1]!r}; known are {', '.join(SLOTS)}"
        if self.action.endswith("-statement") and self.names[1] not in RELATIONS:
            return f"has predicate {self.names[1]!r}; known are {', '.join(RELATIONS)}"
        return ""


def load(path: str | Path) -> tuple[Correction, ...]:
    """The corrections of a file: YAML, or tab-separated where its name ends in ``.tsv``.

    Raises:
        ConfigError: the file cannot be read or says something else than corrections; the message names the line.
    """
    source = Path(path)
    try:
        text = source.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{source}: the corrections cannot be read: {error}") from error
    return _parse(text, source)


def _parse(text: str, source: Path) -> tuple[Correction, ...]:
    rows = _table_rows(text, source) if source.suffix.lower() == ".tsv" else _yaml_rows(text, source)
    return tuple(_correction(row, f"{source.name}:{line}") for line, row in rows)


def _yaml_rows(text: str, source: Path) -> Iterable[tuple[int, Mapping[str, Any]]]:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        items = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise ConfigError(f"{source.name}{where}: not YAML: {problem}") from error
    if root is None:
        return
    if not isinstance(root, yaml.SequenceNode) or not isinstance(items, list):
        raise ConfigError(
            f"{source.name}:{root.start_mark.line + 1}: corrections are a YAML list, each item starts with '- '"
        )
    for node, item in zip(root.value, items, strict=True):
        line = node.start_mark.line + 1
        if not isinstance(item, dict):
            raise ConfigError(
                f"{source.name}:{line}: a correction is a mapping such as 'merge: [CoT, Chain-of-Thought]'"
            )
        yield line, {str(name): value for name, value in item.items()}


def _table_rows(text: str, source: Path) -> Iterable[tuple[int, Mapping[str, Any]]]:
    lines = csv.reader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    header: list[str] = []
    for row in lines:
        if not any(row) or row[0].startswith("#"):
            continue
        if not header:
            header = [name.strip() for name in row]
            if unknown := [name for name in header if name not in _COLUMNS]:
                raise ConfigError(
                    f"{source.name}:{lines.line_num}: unknown column {unknown[0]!r}; known are {', '.join(_COLUMNS)}"
                )
            continue
        record = {name: value.strip() for name, value in zip(header, row, strict=False)}
        action = record.pop("action", "")
        yield lines.line_num, {action: record.pop("names", "").split("|"), **{k: v for k, v in record.items() if v}}


def _correction(row: Mapping[str, Any], place: str) -> Correction:
    actions = [name for name in row if name in ACTIONS]
    unknown = sorted(set(row) - set(ACTIONS) - set(_COLUMNS[2:]))
    if unknown or len(actions) != 1:
        what = f"unknown key {unknown[0]!r}" if unknown else f"{len(actions)} actions in one correction"
        raise ConfigError(
            f"{place}: {what}; wanted is one of {', '.join(ACTIONS)}, and perhaps {', '.join(_COLUMNS[2:])}"
        )
    action = actions[0]
    return Correction(
        action=action,
        names=_texts(row[action], place),
        to=_text(row.get("to"), place),
        kind=_text(row.get("kind"), place),
        papers=_texts(row.get("papers"), place),
        quote=_text(row.get("quote"), place),
        comment=_text(row.get("comment"), place),
        place=place,
    )


def _texts(value: object, place: str) -> tuple[str, ...]:
    if value is None:
        return ()
    items = value if isinstance(value, list) else str(value).split("|") if isinstance(value, str) else [value]
    return tuple(_text(item, place) for item in items)


def _text(value: object, place: str) -> str:
    if value is None:
        return ""
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value).strip()
    raise ConfigError(f"{place}: {value!r} is no text; put it in quotes if it is a name")


def append_correction(path: str | Path, correction: Correction) -> None:
    """Write one more correction at the end of a file, which is made if it is not there.

    What stands in the file stays, comments too. The whole is read back before it replaces the old file in one step, so
    that a file is never half written and never holds a line that a build would refuse.

    Raises:
        ConfigError: the file as it is cannot be read, or cannot be written.
    """
    target = Path(path)
    try:
        old = target.read_text(encoding="utf-8-sig") if target.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{target}: the corrections cannot be read: {error}") from error
    before = _parse(old, target)
    table = target.suffix.lower() == ".tsv"
    if old and not old.endswith("\n"):
        old += "\n"
    if not before and not old.strip() and table:
        old = "\t".join(_COLUMNS) + "\n"
    new = old + (_table_line(correction, _header(old)) if table else _yaml_item(correction))
    after = _parse(new, target)
    if len(after) != len(before) + 1 or _content(after[-1]) != _content(correction):
        raise ConfigError(f"{target}: the correction cannot be written so that it reads back; is the list indented?")
    _replace(target, new)


def _content(correction: Correction) -> tuple[object, ...]:
    return tuple(getattr(correction, name) for name in _COLUMNS)


def _header(text: str) -> list[str]:
    return next(line for line in text.splitlines() if line.strip() and not line.startswith("#")).split("\t")


def _table_line(correction: Correction, header: list[str]) -> str:
    values = {name: getattr(correction, name) for name in _COLUMNS}
    cells = ["|".join(values[name]) if isinstance(values[name], tuple) else values[name] for name in header]
    return "\t".join(" ".join(cell.split()) for cell in cells) + "\n"


def _yaml_item(correction: Correction) -> str:
    """JSON strings are YAML strings, so nothing in a name can be read as something else."""

    def said(value: str | tuple[str, ...]) -> str:
        return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)

    names = correction.names if len(correction.names) > 1 else correction.names[0]
    lines = [f"- {correction.action}: {said(names)}"]
    for name in _COLUMNS[2:]:
        if value := getattr(correction, name):
            lines.append(f"  {name}: {said(value)}")
    return "\n".join(lines) + "\n"


def _replace(target: Path, text: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            Path(temporary).chmod(target.stat().st_mode & 0o7777)
        Path(temporary).replace(target)
    except OSError as error:
        raise ConfigError(f"{target}: the correction cannot be written: {error}") from error
