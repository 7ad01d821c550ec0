"""Invented papers, linked by hand: the fixtures of the tests of graph, RDF, queries and validation.

Nothing here is taken from a real paper.
"""

from __future__ import annotations

from decimal import Decimal

from sotagraph.ids import entity_id, paper_id, repository_id
from sotagraph.model import (
    Document,
    Entity,
    Evidence,
    Knowledge,
    Mention,
    Occurrence,
    Reason,
    Result,
    Statement,
)

TEXTS = {
    "p1": "We present **Falcon** (Fast Alternating Convolutions), built on Owl. Falcon scores 90.4% accuracy on "
    "BirdBench, against 88.0% for Owl. Its beak module BeakNet reads images. Code is at https://github.com/example/falcon.",
    "p2": "Falcon-7B, a variant of Falcon, reaches 92.5 to 93.0% accuracy on BirdBench and runs 1.8x faster than Owl. "
    "We also test NestQA and bird counting.",
    "p3": "We introduce the wading-bird detector Falcon-S, and call it HERON. HERON lowers the error on NestQA "
    "by up to 12 points.",
    "p4": "HERON is a theorem about rivers. It generalizes the Delta rule. Nothing is measured.",
    "p5": "A study of birds without any name.\r\nIt says nothing else.",
}
YEARS = {"p1": 2024, "p2": 2025, "p3": 2025, "p4": 2023, "p5": None}


def documents() -> tuple[Document, ...]:
    extra = {
        "p1": {"venue": "ICBS 2024", "authors": ("Ada Example", "Bo Sample"), "source": "birds.txt:1"},
        "p2": {"title": "Falcon at scale", "identifiers": (("arxiv", "2501.00001v2"), ("doi", "10.1000/ABC")), "url": "https://example.org/p2"},
    }  # fmt: skip
    return tuple(
        Document(id=key, text=text, year=YEARS[key], **extra.get(key, {}))  # type: ignore[arg-type]
        for key, text in TEXTS.items()
    )


def _paper(key: str) -> str:
    return next(paper_id(document) for document in documents() if document.id == key)


def _evidence(document: str, quote: str, rule: str) -> Evidence:
    start = TEXTS[document].index(quote)
    return Evidence(document_id=document, start=start, end=start + len(quote), rule=rule)


def _said(
    document: str, subject: str, predicate: str, target: str, quote: str, rule: str, confidence: float = 0.9
) -> Statement:
    ends = [_paper(document) if end == "PAPER" else end for end in (subject, target)]
    return Statement(
        subject=ends[0],
        predicate=predicate,
        object=ends[1],
        evidence=_evidence(document, quote, rule),
        confidence=confidence,
    )


P1 = "We present **Falcon** (Fast Alternating Convolutions), built on Owl."
P1_SCORE = "Falcon scores 90.4% accuracy on BirdBench, against 88.0% for Owl."
P1_CODE = "Code is at https://github.com/example/falcon."
P1_PART = "Its beak module BeakNet reads images."
P2 = "Falcon-7B, a variant of Falcon, reaches 92.5 to 93.0% accuracy on BirdBench and runs 1.8x faster than Owl."
P2_MORE = "We also test NestQA and bird counting."
P3 = "We introduce the wading-bird detector Falcon-S, and call it HERON."
P3_GAIN = "HERON lowers the error on NestQA by up to 12 points."
P4 = "HERON is a theorem about rivers."
P4_MORE = "It generalizes the Delta rule."

HERON_BIRD, HERON_RIVER = "method/heron@p3", "method/heron@p4"


def entities() -> tuple[Entity, ...]:
    def entity(id: str, name: str, **more: object) -> Entity:
        fields: dict[str, object] = {"label": name, **more}
        return Entity(id=id, kind=id.partition("/")[0], name=name, **fields)  # type: ignore[arg-type]

    split = Reason(
        action="split",
        rule="different-proposers",
        other=HERON_RIVER,
        document_id="p4",
        detail="two papers propose HERON",
    )
    return (
        entity(
            "method/falcon",
            "Falcon",
            aliases=("Fast Alternating Convolutions", "**Falcon**"),
            long_form="Fast Alternating Convolutions",
            reasons=(Reason(action="join", rule="same-key", other="Falcon", document_id="p2"),),
        ),
        entity("method/owl", "Owl", links=(("exactMatch", "http://www.wikidata.org/entity/Q25222"),)),
        entity("method/falcon7b", "Falcon-7B"),
        entity("method/beaknet", "BeakNet"),
        entity(HERON_BIRD, "HERON", label="HERON (wading-bird detector)", aliases=("Falcon-S",), reasons=(split,)),
        entity(HERON_RIVER, "HERON", label="HERON (theorem)"),
        entity("method/deltarule", "Delta rule"),
        entity("dataset/birdbench", "BirdBench", aliases=("Bird-Bench", "BirdBench test")),
        entity("dataset/nestqa", "NestQA"),
        entity("metric/accuracy", "accuracy", higher_is_better=True),
        entity("metric/error", "error", higher_is_better=False),
        entity("task/birdcounting", "bird counting"),
    )


def statements() -> tuple[Statement, ...]:
    return (
        _said("p1", "PAPER", "proposes", "method/falcon", P1, "we-present", 0.97),
        _said("p1", "PAPER", "proposes", "method/beaknet", P1_PART, "module", 0.6),
        _said("p1", "method/beaknet", "partOf", "method/falcon", P1_PART, "module", 0.7),
        _said("p1", "method/falcon", "uses", "method/owl", P1, "built-on", 0.9),
        _said("p1", "PAPER", "uses", "method/owl", P1, "built-on+own", 0.9),
        _said("p1", "method/falcon", "evaluatedOn", "dataset/birdbench", P1_SCORE, "scores-on", 0.95),
        _said("p1", "PAPER", "evaluatedOn", "dataset/birdbench", P1_SCORE, "scores-on+own", 0.95),
        _said("p1", "method/falcon", "outperforms", "method/owl", P1_SCORE, "against", 0.8),
        _said("p1", "PAPER", "outperforms", "method/owl", P1_SCORE, "against+own", 0.8),
        _said("p1", "PAPER", "hasCode", "https://github.com/example/falcon", P1_CODE, "code-url", 1.0),
        _said("p2", "PAPER", "proposes", "method/falcon7b", P2, "variant", 0.7),
        _said("p2", "method/falcon7b", "variantOf", "method/falcon", P2, "variant", 0.9),
        _said("p2", "method/falcon7b", "outperforms", "method/owl", P2, "faster-than", 0.9),
        _said("p2", "PAPER", "outperforms", "method/owl", P2, "faster-than+own", 0.9),
        _said("p2", "PAPER", "evaluatedOn", "dataset/birdbench", P2, "reaches-on", 0.9),
        _said("p2", "PAPER", "evaluatedOn", "dataset/nestqa", P2_MORE, "we-test", 0.9),
        _said("p2", "PAPER", "evaluatedOn", "dataset/nestqa", "NestQA and bird counting", "list", 0.5),
        _said("p2", "PAPER", "addresses", "task/birdcounting", P2_MORE, "we-test", 0.5),
        _said("p2", "PAPER", "comparedWith", "method/owl", P2, "than", 0.5),
        _said("p3", "PAPER", "proposes", HERON_BIRD, P3, "we-introduce", 0.9),
        _said("p3", "PAPER", "evaluatedOn", "dataset/nestqa", P3_GAIN, "on", 0.9),
        _said("p3", HERON_BIRD, "evaluatedOn", "dataset/nestqa", P3_GAIN, "on", 0.9),
        _said("p3", HERON_BIRD, "uses", "method/falcon", P3, "name-shape", 0.4),
        _said("p3", "PAPER", "uses", "method/falcon", P3, "name-shape+own", 0.4),
        _said("p4", "PAPER", "proposes", HERON_RIVER, P4, "is-a", 0.9),
        _said("p4", HERON_RIVER, "generalizes", "method/deltarule", P4_MORE, "generalizes", 0.9),
    )


def results() -> tuple[Result, ...]:
    return (
        Result(
            value=Decimal("90.40"), value_text="90.4%", kind="absolute", unit="%", method="method/falcon",
            dataset="dataset/birdbench", metric="metric/accuracy", direction="higher", baseline="method/owl",
            baseline_value=Decimal("88.0"), evidence=_evidence("p1", P1_SCORE, "score"), confidence=0.9,
        ),
        Result(
            value=Decimal("92.5"), value_max=Decimal("93.0"), value_text="92.5 to 93.0%", kind="absolute", unit="%",
            method="method/falcon7b", dataset="dataset/birdbench", metric="metric/accuracy", direction="higher",
            condition="pass@32, \"hard\" mode", evidence=_evidence("p2", P2, "range"), confidence=0.8,
        ),
        Result(
            value=Decimal("1.8"), value_text="1.8x", kind="speedup", unit="x", method="method/falcon7b",
            baseline="method/owl", evidence=_evidence("p2", P2, "times"), confidence=0.8,
        ),
        Result(
            value=Decimal("12"), value_text="12", kind="reduction", unit="points", method=HERON_BIRD, bound="up to",
            dataset="dataset/nestqa", metric="metric/error", direction="lower", task="task/birdcounting",
            evidence=_evidence("p3", P3_GAIN, "by"), confidence=0.7,
        ),
        Result(
            value=Decimal("4.50"), value_text="4.50", kind="absolute", method=_paper("p3"), dataset="dataset/nestqa",
            metric="metric/error", direction="lower", evidence=_evidence("p3", P3_GAIN, "invented"), confidence=0.3,
        ),
        Result(
            value=Decimal("7"), value_text="7", kind="absolute", method="method/owl", dataset="dataset/nestqa",
            metric="metric/error", direction="lower", evidence=_evidence("p3", P3_GAIN, "invented"), confidence=0.3,
        ),
    )  # fmt: skip


def _occurrence(document: str, entity_id: str, name: str, role: str | None = None) -> Occurrence:
    start = TEXTS[document].index(name)
    kind = entity_id.partition("/")[0]
    mention = Mention(
        text=name, kind=kind, start=start, end=start + len(name), role=role, rule="lexicon", confidence=0.8
    )
    return Occurrence(entity_id=entity_id, document_id=document, name=name, role=role, mentions=(mention,))


def occurrences() -> tuple[Occurrence, ...]:
    return (
        _occurrence("p1", "method/falcon", "Falcon", "proposed"),
        _occurrence("p1", "metric/accuracy", "accuracy"),
        _occurrence("p2", "metric/accuracy", "accuracy"),
        _occurrence("p2", "method/falcon", "Falcon", "mentioned"),
        _occurrence("p3", "metric/error", "error"),
        _occurrence("p3", "method/falcon", "Falcon", "mentioned"),
        _occurrence("p4", "method/deltarule", "Delta rule", "mentioned"),
    )


def birds() -> Knowledge:
    """Five papers with a homonym, variants, parts, code, ranges, gains and a paper that names nothing."""
    return Knowledge(
        documents=documents(),
        entities=entities(),
        occurrences=occurrences(),
        statements=statements(),
        results=results(),
        different=((HERON_BIRD, HERON_RIVER),),
    )


#: Names that break careless writers: markup, quotes, escapes, control characters, spaces, scripts, controls.
HOSTILE = (
    "a>b",
    "a<b",
    '"quoted"',
    "it's",
    "back\\slash",
    "{braces}",
    "sp ace",
    "nul\x00l",
    "new\nline",
    "car\rriage\r\nreturn",
    "tab\tbed",
    "<script>alert(1)</script>",
    "]]>",
    "&amp;",
    "%41",
    "a|b^c`d",
    "\u03a9mega",
    "\U0001d518nicode",
    "e\u0301",
    "\u202eltr",
    "lone\ud800",
    "\ufffe",
    "trail.",
    "-",
    "@prefix",
    "a#b",
    "a?b=c",
    "http://x/>y",
    "C++",
    "A*",
    "''' \"\"\"",
    "\\u0041",
    "=cmd()",
    "a,b;c",
    "",
    "\x7f\x85",
)


def hostile() -> Knowledge:
    """One paper per hostile name: the name is the paper's id, title, an entity's name and alias, a URL, a condition."""
    papers, things, named, said, measured = [], [], [], [], []
    for number, name in enumerate(HOSTILE):
        document = Document(
            id=f"{number}{name}",
            text=f"We propose {name} and it gets 1 on {name}.",
            title=name,
            venue=name,
            authors=(name,) if name else (),
            url=name,
            identifiers=((f"x{name}", name),) if name else (),
            source=name,
        )
        evidence = Evidence(document_id=document.id, start=0, end=len(document.text), rule=f"rule {name}")
        method = Entity(
            id=entity_id("method", f"{number} {name}"),
            kind="method",
            name=name or "none",
            label=f"{name} label",
            aliases=(name + "'", name + '"'),
            long_form=name,
            links=(("seeAlso", f"http://example.org/{name}"),),
            reasons=(Reason(action="join", rule=name, other=name, detail=name),),
        )
        papers.append(document)
        things.append(method)
        if name:
            start = document.text.index(name)
            mention = Mention(text=name, kind="method", start=start, end=start + len(name), role="proposed", rule=name)
            named.append(
                Occurrence(
                    entity_id=method.id, document_id=document.id, name=name, role="proposed", mentions=(mention,)
                )
            )
        said.append(Statement(subject=paper_id(document), predicate="proposes", object=method.id, evidence=evidence))
        said.append(
            Statement(
                subject=paper_id(document), predicate="hasCode", object=f"https://example.org/{name}", evidence=evidence
            )
        )
        measured.append(
            Result(
                value=Decimal(1),
                value_text=name or "1",
                kind="absolute",
                method=method.id,
                condition=name,
                evidence=evidence,
            )
        )
    return Knowledge(
        documents=tuple(papers),
        entities=tuple(things),
        occurrences=tuple(named),
        statements=tuple(said),
        results=tuple(measured),
    )


REPOSITORY = repository_id("https://github.com/example/falcon")
