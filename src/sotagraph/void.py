"""What a dataset says of itself: VoID counts, the terms it uses, and what made it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sotagraph.content import Content
from sotagraph.schema import NODE_KINDS
from sotagraph.terms import BASE, IRI, RDF_TYPE, XSD, Literal, Triple, in_order, iri, iri_of
from sotagraph.vocabulary import TERMS

__all__ = ["Summary", "description", "digest"]


@dataclass(slots=True)
class Summary:
    """What the triples of a graph come to: their number, and a digest of those of each subject, subjects sorted."""

    triples: int
    digests: bytes

    @classmethod
    def of(cls, groups: Iterable[Iterable[Triple]]) -> Summary:
        """The summary of the triples of each subject."""
        count, digests = 0, []
        for group in map(list, groups):
            count += len(group)
            digests.append(digest(group))
        return cls(count, b"".join(digests))


def digest(group: Sequence[Triple]) -> bytes:
    """Sixteen bytes that tell the triples of a subject from any others."""
    lines = [f"{s} {p} {o if isinstance(o, str) else o.lexical}\n" for s, p, o in group]
    return hashlib.blake2b("".join(lines).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def description(content: Content, summary: Summary) -> list[Triple]:
    """VoID: what this dataset is, in which terms, and how much of each; named by a hash of what it holds and how it was
    made, so that its name needs no clock and two builds that differ have two names.
    """
    notes = {key: value for key, value in sorted(content.attributes.items()) if key not in ("schema", "extractor")}
    made_by = content.attributes.get("extractor")
    whole = hashlib.sha256(json.dumps([notes, made_by], ensure_ascii=True).encode("ascii"))
    whole.update(summary.digests)
    name = f"graph/{whole.hexdigest()[:16]}"
    dataset = iri_of(name)
    counts = dict.fromkeys(NODE_KINDS, 0)
    for kind in (data["kind"] for data in content.nodes.values()):
        counts[kind] += 1
    triples: list[Triple] = [
        (dataset, RDF_TYPE, iri("void:Dataset")),
        (dataset, iri("dcterms:title"), Literal(f"Knowledge graph of {counts['Paper']} papers")),
        (dataset, iri("dcterms:conformsTo"), IRI(iri("sg:").removesuffix("#"))),
        (dataset, iri("void:vocabulary"), iri("sg:")),
        (dataset, iri("void:uriSpace"), Literal(BASE)),
        (dataset, iri("void:entities"), Literal(str(len(content.nodes)), XSD + "integer")),
    ]
    if "schema" in content.attributes:
        triples.append((dataset, TERMS.schema_version, Literal(content.attributes["schema"])))
    if made_by:
        run = iri_of(f"{name}-build")
        triples.append((dataset, iri("prov:wasGeneratedBy"), run))
        triples.append((run, RDF_TYPE, iri("prov:Activity")))
        triples.append((run, TERMS.extractor, Literal(made_by)))
    if notes:
        triples.append((dataset, TERMS.notes, Literal(json.dumps(notes, ensure_ascii=False))))
    for kind, count in counts.items():
        part = iri_of(f"{name}-{kind.lower()}")
        triples.append((dataset, iri("void:classPartition"), part))
        triples.append((part, iri("void:class"), iri(f"sg:{kind}")))
        triples.append((part, iri("void:entities"), Literal(str(count), XSD + "integer")))
    total = summary.triples + len(triples) + 1
    triples.append((dataset, iri("void:triples"), Literal(str(total), XSD + "integer")))
    return in_order(triples)
