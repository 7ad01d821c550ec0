"""The data that passes between the steps: frozen, free of spaCy, networkx and rdflib.

Two levels of things are kept apart. A `DocumentEntity` is one name as one paper uses it; an `Entity` is one thing as
the whole corpus knows it. Extraction makes the first and knows one document at a time; linking makes the second.
`Statement` and `Result` serve both levels: before linking their ends are names of the document (or `PAPER`), after it
they are ids.

All offsets are half-open character ranges into `Document.text`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

__all__ = [
    "PAPER",
    "Document",
    "DocumentEntity",
    "Entity",
    "Evidence",
    "Extraction",
    "Knowledge",
    "Mention",
    "Occurrence",
    "Reason",
    "Result",
    "Statement",
]

#: Stands for the paper itself where a statement or a result has no named subject.
PAPER = "PAPER"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One paper as it was read; `text` is the abstract, exactly as it stands in the file."""

    id: str
    text: str
    title: str = ""
    year: int | None = None
    venue: str = ""
    authors: tuple[str, ...] = ()
    url: str = ""
    #: (scheme, value) pairs such as ("arxiv", "2405.00001"), sorted.
    identifiers: tuple[tuple[str, str], ...] = ()
    #: File and, where a file holds several papers, line: ``papers/a.jsonl:3``.
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Evidence:
    """Where a document says something: ``document.text[start:end]`` is the sentence; `rule` names what found it."""

    document_id: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One stretch of text that names something; always ``text == document.text[start:end]``."""

    text: str
    kind: str
    start: int
    end: int
    role: str | None = None
    confidence: float = 1.0
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentEntity:
    """One thing that one paper names, with every form and place of its name in that paper."""

    name: str
    kind: str
    #: Other literal forms in this document, the long form among them; sorted, without `name`.
    aliases: tuple[str, ...] = ()
    #: The spelled-out name where the document defines `name` as its short form.
    long_form: str = ""
    role: str | None = None
    confidence: float = 1.0
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Subject, predicate, object, and the sentence that says so."""

    subject: str
    predicate: str
    object: str
    evidence: Evidence
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One number that a paper reports, with what was measured, on what, by what, and against what."""

    value: Decimal
    #: How the number is printed, a slice of the document: ``71.67\\%``.
    value_text: str
    kind: str
    evidence: Evidence
    #: Upper end where the paper gives a range; `value` is then the lower end.
    value_max: Decimal | None = None
    unit: str | None = None
    method: str | None = None
    dataset: str | None = None
    metric: str | None = None
    task: str | None = None
    #: ``higher`` or ``lower``, whichever is better by the metric; None where the metric is unknown.
    direction: str | None = None
    condition: str | None = None
    baseline: str | None = None
    baseline_value: Decimal | None = None
    bound: str | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """All that one document says: one line of ``extractions.jsonl``."""

    document: Document
    entities: tuple[DocumentEntity, ...] = ()
    statements: tuple[Statement, ...] = ()
    results: tuple[Result, ...] = ()
    #: Name and version of what extracted it; a build re-extracts when this changes.
    extractor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Reason:
    """Why linking joined two names or kept them apart."""

    #: What was done: ``join``, ``split``, ``variant``, ``corrected`` or ``ambiguous``.
    action: str
    rule: str
    #: The name or id on the other side.
    other: str
    document_id: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One thing of the corpus: every paper that names it points here."""

    #: ``<kind>/<key>`` in lower case, such as ``method/grpo``.
    id: str
    kind: str
    name: str
    #: What a reader sees: `name`, with a note in brackets where another thing has the same name.
    label: str
    aliases: tuple[str, ...] = ()
    long_form: str = ""
    #: (property, IRI) pairs such as ("exactMatch", "http://www.wikidata.org/entity/Q1").
    links: tuple[tuple[str, str], ...] = ()
    #: For metrics: whether more is better, where known.
    higher_is_better: bool | None = None
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """That a document names an entity: in which role and where."""

    entity_id: str
    document_id: str
    name: str
    role: str | None
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """The linked corpus. Ends of statements and fillers of results are entity ids or ``paper/<key>`` ids."""

    documents: tuple[Document, ...] = ()
    entities: tuple[Entity, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    statements: tuple[Statement, ...] = ()
    results: tuple[Result, ...] = ()
    #: Pairs of ids that share a name and are not the same thing.
    different: tuple[tuple[str, str], ...] = ()
    #: Names that linking could not settle.
    ambiguous: tuple[Reason, ...] = field(default=())
    #: Documents of which a former build's graph has all that rests on them alone; here only addresses are told of them.
    unchanged: frozenset[str] = frozenset()
