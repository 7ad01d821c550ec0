"""Abstracts with our own annotations, the shared scorer, and the extractor's records for them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

import parts
from sotagraph.extract import Extractor
from sotagraph.model import Document, Extraction
from sotagraph.records import to_record

Record = dict[str, Any]
#: Sets of annotated abstracts to measure on, with their titles.
SETS = {"part_6": "development set (part 6)", "seeds": "seed papers (file 000)"}
#: Sets that decisions were fitted to: for seeing what a change of rules does on many papers, not for how good it is.
FITTED = {"own": "parts from 21 on, which decisions were fitted to"}
_PARTS = {"part_6": (parts.DEVELOPMENT,), "own": parts.OWN}


@cache
def scorer(shared: Path) -> Any:
    """The module ``score/score.py`` of the reference material."""
    spec = importlib.util.spec_from_file_location("shared_score", shared / "score" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(shared: Path, name: str) -> dict[str, tuple[str, Record]]:
    """(abstract, annotation) by paper id; `name` is a key of `SETS` or `FITTED`."""
    if name in _PARTS:
        return parts.load(shared, _PARTS[name])
    texts = {item["id"]: item["abstract"] for item in parts.read_lines(shared / "seeds" / "seeds.jsonl")}
    return {truth["id"]: (texts[truth["id"]], truth) for truth in parts.read_lines(shared / "gold/seeds_000.jsonl")}


@contextmanager
def raw_confidences() -> Iterator[None]:
    """The pipeline without its tables of calibration."""
    with patch("sotagraph.extract.pipeline.load_tables", lambda **_: {}):
        yield


@cache
def titles(shared: Path) -> Mapping[str, str]:
    """Titles of annotated papers by their ids."""
    return dict(parts.titles(shared))


def extract(
    extractor: Extractor, texts: Mapping[str, str], titles: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Extraction]:
    """Extractions by document id; a paper without a title is read without."""
    documents = [Document(id=name, text=text, title=titles.get(name, "")) for name, text in texts.items()]
    return {extraction.document.id: extraction for extraction in extractor.pipe(documents)}


def as_records(extractions: Iterable[Extraction]) -> dict[str, Record]:
    """Records in the form of ``sotagraph extract``, by document id."""
    return {extraction.document.id: to_record(extraction) for extraction in extractions}
