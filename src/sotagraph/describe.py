"""One extraction for reading: each mention, statement and score with the rule and the confidence behind it."""

from __future__ import annotations

from collections.abc import Iterator

from sotagraph.model import DocumentEntity, Evidence, Extraction, Result
from sotagraph.schema import ENTITY_KINDS

__all__ = ["describe"]


def describe(extraction: Extraction) -> str:
    """Everything that one document was found to say, as indented text that ends in a blank line.

    Offsets are half-open character ranges into the abstract; confidences run from 0 to 1.

    >>> from sotagraph.model import Document, Mention
    >>> lvr = Mention(text="LVR", kind="method", start=11, end=14, rule="we-introduce", confidence=0.9)
    >>> entity = DocumentEntity(name="LVR", kind="method", role="proposed", confidence=0.9, mentions=(lvr,))
    >>> document = Document(id="p1", text="We present LVR.", source="a.txt:3")
    >>> print(describe(Extraction(document=document, entities=(entity,), extractor="v1")), end="")
    p1  a.txt:3
      methods
        LVR  proposed  0.90
          11-14  "LVR"  0.90  we-introduce
    <BLANKLINE>
    """
    document = extraction.document
    head = "  ".join(filter(None, (document.id, _short(document.title, 80), document.source)))
    return "".join(
        f"{line}\n" for line in (head, *_entities(extraction), *_statements(extraction), *_results(extraction), "")
    )


def _entities(extraction: Extraction) -> Iterator[str]:
    for kind in ENTITY_KINDS:
        group = [entity for entity in extraction.entities if entity.kind == kind]
        if group:
            yield f"  {kind}s"
        for entity in group:
            yield from _entity(entity)


def _entity(entity: DocumentEntity) -> Iterator[str]:
    also = f"  also: {'; '.join(entity.aliases)}" if entity.aliases else ""
    yield f"    {entity.name}  {entity.role or 'mentioned'}  {entity.confidence:.2f}{also}"
    for mention in entity.mentions:
        span = f"{mention.start}-{mention.end}"
        yield f'      {span}  "{_short(mention.text, 60)}"  {mention.confidence:.2f}  {mention.rule}'


def _statements(extraction: Extraction) -> Iterator[str]:
    if extraction.statements:
        yield "  statements"
    for said in extraction.statements:
        yield f"    {said.subject} {said.predicate} {said.object}  {said.confidence:.2f}  {said.evidence.rule}"
        yield f"      {_sentence(extraction, said.evidence)}"


def _results(extraction: Extraction) -> Iterator[str]:
    if extraction.results:
        yield "  scores"
    for result in extraction.results:
        yield f"    {_score(result)}  {result.confidence:.2f}  {result.evidence.rule}"
        yield f"      {_sentence(extraction, result.evidence)}"


def _score(result: Result) -> str:
    """A score with what fills its slots.

    >>> from decimal import Decimal
    >>> said = Evidence(document_id="p", start=0, end=1, rule="r")
    >>> _score(Result(value=Decimal(6), value_text="6-27%", value_max=Decimal(27), unit="%", kind="reduction",
    ...               evidence=said, method="MT-DAO", metric="time", bound="up to"))
    'up to 6–27 % reduction  of MT-DAO  by time'
    """
    number = str(result.value) + (f"–{result.value_max}" if result.value_max is not None else "")
    change = None if result.kind == "absolute" else result.kind
    parts = [" ".join(filter(None, (result.bound, number, result.unit, change)))]
    for word, filler in (
        ("of", result.method),
        ("on", result.dataset),
        ("by", result.metric),
        ("for", result.task),
        ("under", result.condition),
        ("against", result.baseline),
    ):
        if filler:
            parts.append(f"{word} {filler}")
    if result.baseline_value is not None:
        parts.append(f"from {result.baseline_value}")
    return "  ".join(parts)


def _sentence(extraction: Extraction, evidence: Evidence) -> str:
    return f'{evidence.start}-{evidence.end}  "{_short(extraction.document.text[evidence.start : evidence.end], 200)}"'


def _short(text: str, length: int) -> str:
    """A text on one line, cut to a length.

    >>> _short("one two three", 9)
    'one two …'
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= length else line[: length - 1] + "…"
