"""Annotate abstracts that no person has read with the extractor, as something to learn from before people's labels.

python training/annotate.py --shared ../shared --out more.jsonl [--arxiv 6000] [--acl 3000] [--workers 2]

Abstracts come from the result corpus of arXiv papers and from the ACL Anthology, every n-th of each. Texts that open
like one of the annotated abstracts or seeds are left out, so that nothing is learned about what is measured on. A line
holds ``id``, ``abstract`` and ``gold``, which has the form of an annotation; what the network reads as a name that
annotators would call optional stands in it as an optional entity.
"""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import parts
from sotagraph.extract.pipeline import Extractor
from sotagraph.extract.reading import Reading
from sotagraph.extract.tagger import Prediction
from sotagraph.model import Document, Extraction
from sotagraph.records import to_record

#: Letters at the start of a text by which two copies of it are known.
OPENING = 150
#: An abstract shorter or longer than this is seldom one.
LENGTHS = range(400, 2200)


def opening(text: str) -> str:
    r"""The start of a text without its blanks.

    >>> opening("We  study\nx.")
    'westudyx.'
    """
    return "".join(text.split()).lower()[:OPENING]


def read_already(shared: Path) -> set[str]:
    """Openings of the abstracts that are measured on or learned from as they are."""
    texts: set[str] = set()
    for name in ("annotations/abstracts.jsonl", "seeds/seeds.jsonl"):
        for line in (shared / name).read_text(encoding="utf-8").splitlines():
            texts.add(opening(json.loads(line)["abstract"]))
    return texts


def chosen(items: Iterable[tuple[str, str]], count: int, known: set[str]) -> list[tuple[str, str]]:
    """`count` of the items, evenly spread over them."""
    fit = [(i, t) for i, t in items if len(t) in LENGTHS and opening(t) not in known]
    step = max(1.0, len(fit) / max(1, count))
    return [fit[int(k * step)] for k in range(min(count, len(fit)))]


def optional(prediction: Prediction, taken: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Names that the network reads as optional and that no decided name touches, as entities of an annotation."""
    core, weak = prediction.core(), prediction.optional()
    text = prediction.encoded.plain.text
    found = {}
    for span in prediction.spans():
        words = prediction.encoded.words[span.first : span.last]
        start, end = words[0].start, words[-1].end
        rows = slice(span.first, span.last)
        if any(a < end and start < b for a, b in taken) or np.sum(weak[rows]) <= np.sum(core[rows]):
            continue
        name = text[start:end]
        found[name] = {"name": name, "type": span.kind, "aliases": [], "optional": True}
    return list(found.values())


@functools.cache
def extractor() -> Extractor:
    """The extractor of this process."""
    return Extractor()


def annotation(item: tuple[str, str]) -> dict[str, Any]:
    """What the extractor says of a text with its name, in the form of an annotated abstract."""
    name, text = item
    document = Document(id=name, text=text)
    doc = extractor().read(document)
    reading: Reading = doc._.reading
    found = Extraction(
        document=document, entities=reading.entities, statements=reading.statements, results=reading.results
    )
    record = to_record(found)
    gold = {key: record.get(key, []) for key in ("entities", "relations", "results")}
    for entity in gold["entities"]:
        entity.setdefault("aliases", [])
    if reading.prediction is not None:
        taken = [place for decided in doc._.decided for place in decided.places]
        gold["entities"] += optional(reading.prediction, taken)
    return {"id": name, "abstract": text, "gold": {"id": name, **gold}}


def main() -> None:
    """Read the options, choose, annotate, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--arxiv", type=int, default=6000)
    parser.add_argument("--acl", type=int, default=3000)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    known = read_already(args.shared)
    texts = chosen(parts.arxiv(args.shared), args.arxiv, known) + chosen(parts.anthology(args.shared), args.acl, known)
    # Lines come in the order of the texts, however many processes make them.
    with args.out.open("w", encoding="utf-8", newline="\n") as file, ProcessPoolExecutor(args.workers) as pool:
        for line in pool.map(annotation, texts, chunksize=100):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
