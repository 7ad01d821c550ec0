"""Print what linking makes of a corpus, for reading through by hand: the most connected entities with all they hold.

    python benchmarks/linking_review.py --annotations ../shared        # hand-made annotations, no extractor
    python benchmarks/linking_review.py --extractions output/extractions.jsonl --top 200

Each line is one entity: links, id, label, every spelling with the number of papers that write it so, and the reasons.
The counts in ``docs/quality-linking.md`` come from reading this table.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

from sotagraph.link import link
from sotagraph.model import Document, DocumentEntity, Evidence, Extraction, Knowledge, Mention, Result, Statement
from sotagraph.names import clean, plain
from sotagraph.records import loads

Record = dict[str, Any]


def annotated(shared: Path) -> list[Extraction]:
    """The hand-made annotations as extractions, as if a perfect extractor had made them; [] where they are absent."""
    texts: dict[str, Record] = {}
    for path in (shared / "annotations/abstracts.jsonl", shared / "seeds/seeds.jsonl"):
        if path.exists():
            texts.update({record["id"]: record for record in _records(path)})
    gold = [*sorted(shared.glob("annotations/part_*.jsonl")), *sorted(shared.glob("gold/*.jsonl"))]
    return [as_extraction(texts[record["id"]], record) for path in gold for record in _records(path)]


def _records(path: Path) -> Iterator[Record]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def as_extraction(paper: Record, gold: Record) -> Extraction:
    """One annotated abstract as an extraction; evidence is the first sentence that names most of the ends."""
    text = paper["abstract"]
    document = Document(
        id=paper["id"],
        text=text,
        title=paper.get("title", ""),
        year=paper.get("year"),
        venue=paper.get("venue", ""),
    )
    entities = tuple(_entity(text, item) for item in gold["entities"])
    spans = {entity.name: [(m.start, m.end) for m in entity.mentions] for entity in entities}
    sentences = _sentences(text)

    def evidence(*names: str | None) -> Evidence:
        wanted = [spans[name] for name in names if name and spans.get(name)]
        start, end = max(sentences, key=lambda s: (sum(any(s[0] <= a < s[1] for a, _ in w) for w in wanted), -s[0]))
        return Evidence(document_id=document.id, start=start, end=end, rule="annotated")

    relations = [*gold["relations"], *gold.get("relations_optional", [])]
    return Extraction(
        document=document,
        entities=entities,
        statements=tuple(Statement(subject=s, predicate=p, object=o, evidence=evidence(s, o)) for s, p, o in relations),
        results=tuple(
            Result(
                value=Decimal(str(item["value"])),
                value_text=str(item["value"]),
                kind=item["kind"],
                evidence=evidence(item.get("dataset"), item.get("metric"), item.get("method")),
                unit=item.get("unit"),
                method=item.get("method"),
                dataset=item.get("dataset"),
                metric=item.get("metric"),
                condition=item.get("condition"),
                baseline=item.get("baseline"),
                bound=item.get("bound"),
            )
            for item in gold["results"]
        ),
        extractor="annotated",
    )


def _entity(text: str, item: Record) -> DocumentEntity:
    role = "introduced" if item.get("introduced") else item.get("role")
    forms = [item["name"], *item["aliases"]]
    mentions = {span: form for form in forms for span in _find(text, form)}
    return DocumentEntity(
        name=item["name"],
        kind=item["type"],
        aliases=tuple(sorted(set(item["aliases"]))),
        role=role,
        mentions=tuple(
            Mention(text=text[a:b], kind=item["type"], start=a, end=b, role=role, rule="annotated")
            for a, b in sorted(mentions)
        ),
    )


def _find(text: str, form: str) -> list[tuple[int, int]]:
    seen = plain(text)
    pattern = r"\s+".join(re.escape(word) for word in clean(form).split())
    return (
        [seen.span(m.start(), m.end()) for m in re.finditer(rf"(?<!\w){pattern}(?!\w)", seen.text)] if pattern else []
    )


def _sentences(text: str) -> list[tuple[int, int]]:
    cuts = [0, *(m.end() for m in re.finditer(r"(?<=[.!?])\s+(?=[A-Z])", text)), len(text)]
    return [(a, b) for a, b in pairwise(cuts) if a < b] or [(0, len(text))]


def degrees(knowledge: Knowledge) -> Counter[str]:
    """How many statements, results and papers touch each entity."""
    counts = Counter(occurrence.entity_id for occurrence in knowledge.occurrences)
    for said in knowledge.statements:
        counts.update((said.subject, said.object))
    for result in knowledge.results:
        counts.update(filter(None, (result.method, result.dataset, result.metric, result.task, result.baseline)))
    return counts


def table(knowledge: Knowledge, top: int) -> Iterator[str]:
    """One line an entity, the most connected first."""
    counts = degrees(knowledge)
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for occurrence in knowledge.occurrences:
        spellings[occurrence.entity_id][clean(occurrence.name)] += 1
    ranked = sorted(knowledge.entities, key=lambda entity: (-counts[entity.id], entity.id))
    for number, entity in enumerate(ranked[:top], start=1):
        written = ", ".join(
            f"{form} {n}" for form, n in sorted(spellings[entity.id].items(), key=lambda i: (-i[1], i[0]))
        )
        why = "; ".join(sorted({f"{r.action}:{r.rule}({r.other})" for r in entity.reasons if r.action != "variant"}))
        yield f"{number}\t{counts[entity.id]}\t{entity.id}\t{entity.label}\t{written}\t{why}"


def main(arguments: Iterable[str] | None = None) -> None:
    """Read, link, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--annotations", type=Path, help="directory that holds annotations/, gold/ and seeds/")
    source.add_argument("--extractions", type=Path, help="an extractions.jsonl of a build")
    parser.add_argument("--top", type=int, default=200, help="entities to print")
    options = parser.parse_args(None if arguments is None else list(arguments))
    if options.annotations:
        extractions = annotated(options.annotations)
    else:
        extractions = [loads(line) for line in options.extractions.read_text(encoding="utf-8").splitlines()]
    from sotagraph.lexicon import load

    started = time.perf_counter()
    knowledge = link(extractions, lexicon=load())
    seconds = time.perf_counter() - started
    for line in table(knowledge, options.top):
        print(line)
    unsettled = {(reason.document_id, reason.detail) for reason in knowledge.ambiguous}
    names = sum(len(extraction.entities) for extraction in extractions)
    print(
        f"# {len(extractions)} papers, {names} names, {len(knowledge.entities)} entities, "
        f"{len(knowledge.different)} pairs kept apart, {len(unsettled)} names unsettled, {seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
