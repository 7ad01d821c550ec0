"""The annotated abstracts part by part: which parts there are, what they are for, and where their texts lie.

Parts 1 to 13 are those of the reference material, with their texts. Parts from 21 on are in ``training/annotations``;
they hold what was annotated and no text: each line's ``id`` is that of an abstract of the public corpora.
"""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sotagraph.model import Document

#: The development set: measured on and never trained on. Part 9 has no annotations.
DEVELOPMENT = 6
#: Parts of the reference material to learn from. What is held out is held out of these.
SHARED = (1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 13)
#: Parts of ``training/annotations``, which are learned from besides; the later ones not by models of results.
_EARLIER, _LATER = (21, 22, 23, 24, 25, 26, 27), (28, 29, 30, 31, 32)
OWN = _EARLIER + _LATER
#: All parts to learn from.
LEARNED = SHARED + OWN
#: Parts that models of results learn from. Abstracts of the later parts are older and have lost many signs: with them
#: results of papers that are held out are less often right (decision 0716).
OF_RESULTS = SHARED + _EARLIER

_HERE = Path(__file__).resolve().parent / "annotations"


def numbers(text: str) -> list[int]:
    """Parts as an option of the scripts gives them.

    >>> numbers("1,4"), numbers("")
    ([1, 4], [])
    """
    return [int(part) for part in text.split(",") if part]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def arxiv(shared: Path) -> Iterator[tuple[str, str]]:
    """Ids and abstracts of the result corpus of arXiv papers."""
    for item in _arxiv(shared):
        yield item["doc_id"], item["text"]


def anthology(shared: Path) -> Iterator[tuple[str, str]]:
    """Ids and abstracts of the ACL Anthology."""
    for document in _anthology(shared):
        yield document.id, document.text


def titles(shared: Path) -> Iterator[tuple[str, str]]:
    """Ids and titles of all annotated papers that have one; the seeds have none."""
    for item in read_lines(shared / "annotations/abstracts.jsonl"):
        yield item["id"], item["title"]
    for item in _arxiv(shared):
        yield item["doc_id"], item["title"]
    for document in _anthology(shared):
        yield document.id, document.title


def _arxiv(shared: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(shared / "corpora/sota-tdms/all-train.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _anthology(shared: Path) -> Iterator[Document]:
    from sotagraph.read import read_paths  # the plan of a training is made without the package

    yield from read_paths([shared / "corpora/acl-anthology"], warn=lambda _: None)


@functools.cache
def _texts(shared: Path) -> Mapping[str, str]:
    return {item["id"]: item["abstract"] for item in read_lines(shared / "annotations/abstracts.jsonl")}


@functools.cache
def _public(shared: Path) -> Mapping[str, str]:
    return dict(arxiv(shared)) | dict(anthology(shared))


def load(shared: Path, parts: Iterable[int]) -> dict[str, tuple[str, dict[str, Any]]]:
    """(abstract, annotation) by id, in the order of the parts and of their files.

    Raises:
        KeyError: an annotation is of no abstract that is there.
    """
    found = {}
    for part in parts:
        own = part in OWN
        folder, texts = (_HERE, _public(shared)) if own else (shared / "annotations", _texts(shared))
        found |= {gold["id"]: (texts[gold["id"]], gold) for gold in read_lines(folder / f"part_{part}.jsonl")}
    return found
