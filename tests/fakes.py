"""Stand-ins for the extractor, so that the engine is tested without its model; importable by worker processes."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator

from sotagraph.errors import InputError
from sotagraph.model import PAPER, Document, DocumentEntity, Evidence, Extraction, Mention, Statement


class Capitals:
    """Takes each word in capitals for a proposed method; `seen` are the ids that it was asked for."""

    version = "capitals 1"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def pipe(self, documents: Iterable[Document]) -> Iterator[Extraction]:
        for document in documents:
            self.seen.append(document.id)
            yield self.extract(document)

    def extract(self, document: Document) -> Extraction:
        entities = []
        statements = []
        places = {match.group(): match.span() for match in re.finditer(r"\b[A-Z]{3,}\b", document.text)}
        for name, (start, end) in sorted(places.items()):
            confidence = 0.25 if name.startswith("Q") else 0.75
            mention = Mention(text=name, kind="method", start=start, end=end, role="proposed", rule="capitals")
            entities.append(
                DocumentEntity(name=name, kind="method", role="proposed", confidence=confidence, mentions=(mention,))
            )
            evidence = Evidence(document_id=document.id, start=0, end=len(document.text), rule="capitals")
            statements.append(
                Statement(subject=PAPER, predicate="proposes", object=name, evidence=evidence, confidence=confidence)
            )
        return Extraction(
            document=document, entities=tuple(entities), statements=tuple(statements), extractor=self.version
        )


class Newer(Capitals):
    version = "capitals 2"


class Slow(Capitals):
    """Gives a test the time to kill a build."""

    def pipe(self, documents: Iterable[Document]) -> Iterator[Extraction]:
        for extraction in super().pipe(documents):
            time.sleep(0.005)
            yield extraction


class Dying(Capitals):
    """Ends its process as the system does that runs out of memory."""

    def pipe(self, documents: Iterable[Document]) -> Iterator[Extraction]:
        for extraction in super().pipe(documents):
            if extraction.document.id == "d05":
                os._exit(9)
            yield extraction


class Failing(Capitals):
    def pipe(self, documents: Iterable[Document]) -> Iterator[Extraction]:
        raise InputError("the model file is damaged; install the package again")


def papers(count: int) -> list[Document]:
    """Invented one-line papers d00, d01, …; each proposes one thing."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [
        Document(id=f"d{n:02d}", text=f"We present {letters[n % 26] * 4}{letters[n // 26]}, a method.", year=2026)
        for n in range(count)
    ]
