"""A corpus of invented papers of any size, the same for the same number: for benchmarks and for tests at scale.

Names, datasets and metrics are drawn with the skew that real ones have: a few are in most papers, most are in one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from decimal import Decimal

from sotagraph.model import Document, Entity, Evidence, Knowledge, Mention, Occurrence, Result, Statement

_SYLLABLES = ("ra", "mo", "tik", "ven", "lu", "sor", "ban", "qui", "pel", "dro", "zan", "ei", "fo", "gri", "hal", "nu")


def corpus(papers: int) -> Knowledge:
    """Knowledge of so many papers; about 270 triples each."""
    rng = random.Random(20_000 + papers)
    shared = {
        "method": [_entity("method", i, rng) for i in range(max(20, papers // 4))],
        "dataset": [_entity("dataset", i, rng) for i in range(max(10, papers // 10))],
        "metric": [_entity("metric", i, rng) for i in range(max(5, papers // 100))],
        "task": [_entity("task", i, rng) for i in range(max(5, papers // 50))],
    }
    documents, entities, statements, results = [], [e for kind in shared.values() for e in kind], [], []
    occurrences: list[Occurrence] = []
    by_id = {entity.id: entity for entity in entities}
    for number in range(papers):
        document, own, said, measured = _paper(number, shared, rng)
        documents.append(document)
        entities.append(own)
        by_id[own.id] = own
        things = [by_id[thing] for thing in sorted({s.object for s in said}) if thing in by_id]
        occurrences += [_occurrence(document, thing) for thing in things if thing.name in document.text]
        statements += said
        results += measured
        # What a paper proposes, later papers may build on.
        shared["method"].append(own)
    return Knowledge(
        documents=tuple(documents),
        entities=tuple(entities),
        occurrences=tuple(occurrences),
        statements=tuple(statements),
        results=tuple(results),
        different=tuple((entities[i].id, entities[i + 1].id) for i in range(0, 20, 2)),
    )


def _name(rng: random.Random) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4))).capitalize()


def _entity(kind: str, number: int, rng: random.Random) -> Entity:
    name = f"{_name(rng)}-{number}"
    return Entity(
        id=f"{kind}/{name.lower()}", kind=kind, name=name, label=name, aliases=(name.upper(),),
        higher_is_better=rng.random() < 0.7 if kind == "metric" else None,
    )  # fmt: skip


def _paper(
    number: int, shared: dict[str, list[Entity]], rng: random.Random
) -> tuple[Document, Entity, list[Statement], list[Result]]:
    paper, own = f"paper/{number}", _entity("method", 1_000_000 + number, rng)
    methods, datasets = _few(shared["method"], 4, rng), _few(shared["dataset"], 3, rng)
    sentences = [
        f"We present {own.name}, which is built on {methods[0].name} and {methods[-1].name}.",
        f"It is evaluated on {', '.join(d.name for d in datasets)} and outperforms {methods[1].name}.",
        f"On {datasets[0].name} it reaches a score that no method had reached before, and code is available.",
    ]
    text = " ".join(sentences)
    starts = [text.index(sentence) for sentence in sentences]

    def evidence(index: int, rule: str) -> Evidence:
        return Evidence(
            document_id=str(number), start=starts[index], end=starts[index] + len(sentences[index]), rule=rule
        )

    said = [Statement(subject=paper, predicate="proposes", object=own.id, evidence=evidence(0, "we-present"))]
    for subject, suffix in ((own.id, ""), (paper, "+own")):
        said += [
            *(_statement(subject, "uses", m, evidence(0, "built-on" + suffix), rng) for m in (methods[0], methods[-1])),
            *(_statement(subject, "evaluatedOn", d, evidence(1, "on" + suffix), rng) for d in datasets),
            _statement(subject, "outperforms", methods[1], evidence(1, "better" + suffix), rng),
        ]
    said.append(_statement(paper, "addresses", _few(shared["task"], 1, rng)[0], evidence(1, "task"), rng))
    if number % 7 == 0:
        said.append(_statement(own.id, "variantOf", methods[0], evidence(0, "variant"), rng))
    if number % 7 == 1:
        said.append(_statement(own.id, "partOf", methods[0], evidence(0, "part"), rng))
    if number % 7 == 2:
        said.append(_statement(own.id, "generalizes", methods[0], evidence(0, "general"), rng))
    if number % 7 == 3:
        said.append(_statement(paper, "introduces", datasets[-1], evidence(1, "introduce"), rng))
    if number % 2:
        address = f"https://code.example.org/{number}"
        said.append(Statement(subject=paper, predicate="hasCode", object=address, evidence=evidence(2, "code")))
    results = [
        Result(
            value=Decimal(rng.randint(100, 1000)) / 10, value_text=f"{rng.randint(10, 99)}.{i}%", unit="%",
            kind="absolute" if i else "gain", method=methods[0].id if i == 2 else own.id, dataset=dataset.id,
            metric=_few(shared["metric"], 1, rng)[0].id,
            baseline=methods[1].id, evidence=evidence(2, "score"), confidence=rng.randint(30, 99) / 100,
        )
        for i, dataset in enumerate(datasets)
    ]  # fmt: skip
    return Document(id=str(number), text=text, year=2015 + number % 11), own, said, results


def _occurrence(document: Document, thing: Entity) -> Occurrence:
    """Every place at which a text names a thing."""
    places = [match.start() for match in re.finditer(re.escape(thing.name), document.text)]
    mentions = tuple(
        Mention(text=thing.name, kind=thing.kind, start=start, end=start + len(thing.name), rule="name")
        for start in places
    )
    return Occurrence(entity_id=thing.id, document_id=document.id, name=thing.name, role=None, mentions=mentions)


def _few(things: Sequence[Entity], count: int, rng: random.Random) -> list[Entity]:
    """So many draws, with skew: a thing near the front comes far more often, and may come twice."""
    return [things[min(int(len(things) * rng.random() ** 3), len(things) - 1)] for _ in range(count)]


def _statement(subject: str, predicate: str, thing: Entity, evidence: Evidence, rng: random.Random) -> Statement:
    confidence = rng.randint(30, 99) / 100
    return Statement(subject=subject, predicate=predicate, object=thing.id, evidence=evidence, confidence=confidence)
