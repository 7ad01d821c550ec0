"""Some hundred invented papers whose names clash, for tests of linking at size: ``python crowd.py ORDER [SHARED]``.

Prints a digest of the linked corpus with the papers in the order of that random seed, in a process of its own, so that
the hash seed can be another one each time. With a directory of annotated abstracts those are linked instead.
"""

from __future__ import annotations

import hashlib
import random
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

from sotagraph.model import PAPER, Document, DocumentEntity, Evidence, Extraction, Mention, Statement

#: Short forms, each with several meanings of several kinds: what linking has to tell apart.
MEANINGS = {
    "FACT": (("Features at Convergence Theorem", "method"), ("Forecasting Across Time", "method")),
    "DISCO": (("Distance of Contexts", "metric"), ("Dialogues in Scenes and Contexts", "dataset"), ("", "method")),
    "QA": (("question answering", "task"), ("quality assurance", "task")),
    "HERON": (("", "method"), ("", "method"), ("Hard Examples of Rare Nouns", "dataset")),
    "DA": (("data augmentation", "method"), ("domain adaptation", "task")),
    "LVR": (("Latent Visual Reasoning", "method"),),
}
#: One thing in several spellings a line.
SPELLINGS = (
    ("MiniF2F", "miniF2F", "Mini-F2F"),
    ("AIME 2024", "AIME24", "AIME'24"),
    ("language model", "language models", "Language Models"),
    ("Qwen2.5-VL-7B", "Qwen2.5-VL 7B", "Qwen2.5-VL (7B)"),
    ("GRPO", "GRPO algorithm", "the GRPO"),
    ("open-domain QA", "open-domain question answering", "Open-Domain QA"),
    ("macro-F1", "Macro F1", "macro F1 score"),
    ("summarization", "summarisation", "Summarization"),
)
KINDS = ("dataset", "dataset", "method", "method", "method", "task", "metric", "task")


def extractions(count: int) -> list[Extraction]:
    """So many papers; each names some things, and some papers claim or define what they name."""
    rng = random.Random(1914)
    return [_paper(number, rng) for number in range(count)]


def _paper(number: int, rng: random.Random) -> Extraction:
    names: dict[str, tuple[str, str, str | None]] = {}
    for short in rng.sample(sorted(MEANINGS), rng.randint(1, 3)):
        long, kind = rng.choice(MEANINGS[short])
        role = rng.choice(("proposed" if kind == "method" else "introduced", None, None, None))
        names[short] = (kind, long if rng.random() < 0.4 else "", role if kind in ("method", "dataset") else None)
    for index in rng.sample(range(len(SPELLINGS)), rng.randint(1, 4)):
        # Extractors waver between kinds.
        kind = KINDS[index] if rng.random() < 0.9 else rng.choice(KINDS)
        names[rng.choice(SPELLINGS[index])] = (kind, "", None)
    names[f"Nova{number % 97}-{rng.choice(('7B', '70B'))}"] = ("method", "", None)
    text, spans = "", {}
    for name, (_, long, _) in names.items():
        start = len(text) + 9
        text += f"We speak {name} ({long}). " if long else f"We speak {name}. "
        spans[name] = (start, start + len(name))
    document = Document(
        id=f"c{number:04d}",
        text=text,
        title=rng.choice(("", f"On {rng.choice(sorted(names))}")),
        year=rng.choice((None, 2022, 2024, 2026)),
        authors=tuple(rng.sample(("Ada Finch", "Bo Wren", "Cy Rook", "Di Kite"), 2)),
        identifiers=(("arxiv", f"26{number // 2:02d}.00001"),) if number % 50 < 2 else (),
    )
    entities = tuple(_entity(name, *names[name], spans[name]) for name in names)
    return Extraction(
        document=document, entities=entities, statements=tuple(_statements(document, entities, spans, rng))
    )


def _entity(name: str, kind: str, long: str, role: str | None, span: tuple[int, int]) -> DocumentEntity:
    mention = Mention(text=name, kind=kind, start=span[0], end=span[1], role=role)
    aliases = (long,) if long else ()
    return DocumentEntity(name=name, kind=kind, aliases=aliases, long_form=long, role=role, mentions=(mention,))


def _statements(
    document: Document, entities: Sequence[DocumentEntity], spans: dict[str, tuple[int, int]], rng: random.Random
) -> list[Statement]:
    predicates = {"method": "uses", "dataset": "evaluatedOn", "task": "addresses"}
    said = []
    for entity in entities:
        predicate = {"proposed": "proposes", "introduced": "introduces"}.get(entity.role or "")
        predicate = predicate or predicates.get(entity.kind, "")
        if predicate:
            start, end = spans[entity.name]
            evidence = Evidence(document_id=document.id, start=start - 9, end=end, rule="spoken")
            confidence = rng.randint(40, 99) / 100
            said.append(
                Statement(
                    subject=PAPER, predicate=predicate, object=entity.name, evidence=evidence, confidence=confidence
                )
            )
    return said


def main() -> None:
    order, *shared = sys.argv[1:]
    if shared:
        review = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks/linking_review.py"))
        papers = review["annotated"](Path(shared[0]))
    else:
        papers = extractions(600)
    from sotagraph.graph import to_graph, to_json
    from sotagraph.lexicon import load
    from sotagraph.link import link

    random.Random(int(order)).shuffle(papers)
    warnings: list[str] = []
    graph = to_graph(link(papers, lexicon=load(), warn=warnings.append))
    kinds = {data["predicate"] for _, _, data in graph.edges(data=True)}
    digest = hashlib.sha256((to_json(graph) + "\n".join(warnings)).encode("utf-8")).hexdigest()
    sys.stdout.write(f"{digest} {len(papers)} {len(graph)} {'differentFrom' in kinds} {'variantOf' in kinds}\n")


if __name__ == "__main__":
    main()
