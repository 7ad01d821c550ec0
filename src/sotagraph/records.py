"""Extractions as JSON lines and back: the form of ``sotagraph extract`` and of ``extractions.jsonl``.

One object a document. ``id``, ``entities``, ``relations`` and ``results`` have the form that the annotation guidelines
use, so that a scorer reads them as they are; ``document``, ``relation_evidence``, mentions and offsets are ours.
Keys that say nothing (None, empty) are left out, so that the lines stay short and diffs stay readable.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from sotagraph.errors import InputError
from sotagraph.model import Document, DocumentEntity, Evidence, Extraction, Mention, Result, Statement

__all__ = ["dumps", "from_record", "loads", "to_record"]


def _lean(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if value not in (None, "", (), [], {})}


def _number(value: Decimal | None) -> int | float | None:
    """A JSON number that reads back to the same decimal: ``repr`` of a float keeps up to 15 printed digits."""
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else float(value)


def _decimal(text: object) -> Decimal | None:
    return None if text is None else Decimal(str(text))


def _document(document: Document) -> dict[str, Any]:
    return _lean(
        {
            "id": document.id,
            "title": document.title,
            "text": document.text,
            "year": document.year,
            "venue": document.venue,
            "authors": list(document.authors),
            "url": document.url,
            "identifiers": dict(document.identifiers),
            "source": document.source,
        }
    )


def _mention(mention: Mention) -> dict[str, Any]:
    return _lean(
        {
            "text": mention.text,
            "start": mention.start,
            "end": mention.end,
            "role": mention.role,
            "confidence": mention.confidence,
            "rule": mention.rule,
        }
    )


def _entity(entity: DocumentEntity) -> dict[str, Any]:
    record = {
        "name": entity.name,
        "type": entity.kind,
        "aliases": list(entity.aliases),
        "long_form": entity.long_form,
        "role": entity.role,
        "confidence": entity.confidence,
        "mentions": [_mention(mention) for mention in entity.mentions],
    }
    return _lean(record) | {"aliases": list(entity.aliases)}


def _evidence(evidence: Evidence, confidence: float) -> dict[str, Any]:
    return {"start": evidence.start, "end": evidence.end, "rule": evidence.rule, "confidence": confidence}


def _result(result: Result) -> dict[str, Any]:
    return _lean(
        {
            "method": result.method,
            "dataset": result.dataset,
            "metric": result.metric,
            "task": result.task,
            "value": _number(result.value),
            "value_max": _number(result.value_max),
            # The exact decimals, where a JSON number would lose a trailing zero: 90.40 is not printed as 90.4.
            "value_text": result.value_text,
            "decimals": [str(result.value), None if result.value_max is None else str(result.value_max)],
            "unit": result.unit,
            "kind": result.kind,
            "direction": result.direction,
            "bound": result.bound,
            "condition": result.condition,
            "baseline": result.baseline,
            "baseline_value": None if result.baseline_value is None else _number(result.baseline_value),
            "evidence": _evidence(result.evidence, result.confidence),
        }
    )


def to_record(extraction: Extraction) -> dict[str, Any]:
    """The JSON object of one document.

    >>> from sotagraph.model import Document, Extraction
    >>> to_record(Extraction(document=Document(id="p1", text="We do."), extractor="x"))["id"]
    'p1'
    """
    return {
        "id": extraction.document.id,
        "document": _document(extraction.document),
        "entities": [_entity(entity) for entity in extraction.entities],
        "relations": [[s.subject, s.predicate, s.object] for s in extraction.statements],
        "relation_evidence": [_evidence(s.evidence, s.confidence) for s in extraction.statements],
        "results": [_result(result) for result in extraction.results],
        "extractor": extraction.extractor,
    }


def from_record(record: dict[str, Any]) -> Extraction:
    """The extraction behind one JSON object of `to_record`.

    Raises:
        InputError: the object lacks a key that `to_record` writes.

    >>> from sotagraph.model import Document, Extraction
    >>> one = Extraction(document=Document(id="p1", text="We do."), extractor="x")
    >>> from_record(to_record(one)) == one
    True
    """
    try:
        return _extraction(record)
    except (KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise InputError(f"not an extraction record ({type(error).__name__}: {error})") from error


def _extraction(record: dict[str, Any]) -> Extraction:
    data = record["document"]
    document = Document(
        id=data["id"],
        text=data.get("text", ""),
        title=data.get("title", ""),
        year=data.get("year"),
        venue=data.get("venue", ""),
        authors=tuple(data.get("authors", ())),
        url=data.get("url", ""),
        identifiers=tuple(sorted(data.get("identifiers", {}).items())),
        source=data.get("source", ""),
    )

    def evidence(item: dict[str, Any]) -> Evidence:
        return Evidence(document_id=document.id, start=item["start"], end=item["end"], rule=item["rule"])

    def mention(item: dict[str, Any], kind: str) -> Mention:
        return Mention(
            text=item["text"],
            kind=kind,
            start=item["start"],
            end=item["end"],
            role=item.get("role"),
            confidence=item.get("confidence", 1.0),
            rule=item.get("rule", ""),
        )

    def entity(item: dict[str, Any]) -> DocumentEntity:
        return DocumentEntity(
            name=item["name"],
            kind=item["type"],
            aliases=tuple(item["aliases"]),
            long_form=item.get("long_form", ""),
            role=item.get("role"),
            confidence=item.get("confidence", 1.0),
            mentions=tuple(mention(m, item["type"]) for m in item.get("mentions", ())),
        )

    def result(item: dict[str, Any]) -> Result:
        value, value_max = item["decimals"]
        return Result(
            value=Decimal(value),
            value_text=item["value_text"],
            kind=item["kind"],
            evidence=evidence(item["evidence"]),
            value_max=_decimal(value_max),
            unit=item.get("unit"),
            method=item.get("method"),
            dataset=item.get("dataset"),
            metric=item.get("metric"),
            task=item.get("task"),
            direction=item.get("direction"),
            condition=item.get("condition"),
            baseline=item.get("baseline"),
            baseline_value=_decimal(item.get("baseline_value")),
            bound=item.get("bound"),
            confidence=item["evidence"]["confidence"],
        )

    return Extraction(
        document=document,
        entities=tuple(entity(item) for item in record["entities"]),
        statements=tuple(
            Statement(subject=s, predicate=p, object=o, evidence=evidence(said), confidence=said["confidence"])
            for (s, p, o), said in zip(record["relations"], record["relation_evidence"], strict=True)
        ),
        results=tuple(result(item) for item in record["results"]),
        extractor=record.get("extractor", ""),
    )


def dumps(extraction: Extraction) -> str:
    """One line of JSON without a line end; equal extractions give equal lines."""
    return json.dumps(to_record(extraction), ensure_ascii=False, separators=(",", ":"))


def loads(line: str) -> Extraction:
    """The extraction behind one line of `dumps`.

    Raises:
        InputError: the line is not JSON, or not a record.
    """
    try:
        record = json.loads(line)
    except ValueError as error:
        raise InputError(f"not JSON: {error}") from error
    return from_record(record)
