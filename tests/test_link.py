"""Linking on small invented corpora: what is one thing and what is not, with labels, ids, kinds and reasons."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexicons import Known, Lexicon
from sotagraph.link import link
from sotagraph.model import (
    PAPER,
    Document,
    DocumentEntity,
    Entity,
    Evidence,
    Extraction,
    Knowledge,
    Mention,
    Result,
    Statement,
)
from sotagraph.schema import RELATIONS

FILE: dict[str, Any] = json.loads((Path(__file__).parent / "cases/link_corpora.json").read_text(encoding="utf-8"))
CORPORA: dict[str, dict[str, Any]] = FILE["corpora"]


SMALL = Lexicon(*(Known(**(entry | {"aliases": tuple(entry["aliases"])})) for entry in FILE["lexicon"]))
EMPTY = Lexicon()


def paper(name: str, entities: Sequence[Sequence[Any]], **data: Any) -> Extraction:
    """A document whose text is its names, one a sentence."""
    forms = [(entity, form) for entity in entities for form in (entity[0], *entity[3:])]
    text = data.get("text") or ". ".join(form for _, form in forms) + "."
    made, statements = [], []
    for entity in entities:
        mentions = tuple(
            Mention(text=form, kind=entity[1], start=text.index(form), end=text.index(form) + len(form), role=entity[2])
            for form in (entity[0], *entity[3:])
        )
        made.append(
            DocumentEntity(name=entity[0], kind=entity[1], role=entity[2], aliases=tuple(entity[3:]), mentions=mentions)
        )
    for task in data.get("tasks", ()):
        statements.append(said(name, PAPER, "addresses", task))
    document = Document(
        id=name, text=text, year=data.get("year"), title=data.get("title", ""), authors=tuple(data.get("authors", ()))
    )
    return Extraction(document=document, entities=tuple(made), statements=tuple(statements))


def said(document: str, subject: str, predicate: str, target: str, *, confidence: float = 0.9) -> Statement:
    evidence = Evidence(document_id=document, start=0, end=4, rule="test")
    return Statement(subject=subject, predicate=predicate, object=target, evidence=evidence, confidence=confidence)


def corpus(case: dict[str, Any]) -> list[Extraction]:
    return [paper(name, **data) for name, data in case["papers"].items()]


def found(knowledge: Knowledge, place: str) -> Entity:
    """The entity behind ``paper:name``."""
    document, _, name = place.partition(":")
    here = [o for o in knowledge.occurrences if o.document_id == document]
    [entity_id] = {o.entity_id for o in here if name in (o.name, *(mention.text for mention in o.mentions))}
    return next(entity for entity in knowledge.entities if entity.id == entity_id)


@pytest.mark.parametrize("title", CORPORA)
def test_corpus(title: str) -> None:
    case = CORPORA[title]
    knowledge = link(corpus(case), lexicon=SMALL)
    for places in (*case.get("one", ()), *case.get("one in its paper", ())):
        assert len({found(knowledge, place).id for place in places}) == 1, places
    for one, other in case.get("apart", ()):
        assert found(knowledge, one).id != found(knowledge, other).id
    for field, attribute in (("labels", "label"), ("names", "name"), ("ids", "id"), ("kinds", "kind")):
        for place, wanted in case.get(field, {}).items():
            assert getattr(found(knowledge, place), attribute) == wanted
    for one, other in case.get("different", ()):
        left, right = sorted((found(knowledge, one).id, found(knowledge, other).id))
        assert (left, right) in knowledge.different
    assert {(r.document_id, r.detail) for r in knowledge.ambiguous} == {tuple(p) for p in case.get("ambiguous", ())}


@pytest.mark.parametrize("title", CORPORA)
def test_joins_and_splits_have_reasons(title: str) -> None:
    case = CORPORA[title]
    knowledge = link(corpus(case), lexicon=SMALL)
    for places in case.get("one", ()):
        forms = {place.partition(":")[2] for place in places}
        reasons = found(knowledge, places[0]).reasons
        for form in forms - {found(knowledge, places[0]).name}:
            assert any(form in (r.other, r.detail) and r.action == "join" for r in reasons), (form, reasons)
    for left, right in knowledge.different:
        reasons = next(entity for entity in knowledge.entities if entity.id == left).reasons
        assert any(reason.action == "split" and reason.other == right and reason.rule for reason in reasons)


@pytest.mark.parametrize("title", CORPORA)
def test_order_of_papers_does_not_matter(title: str) -> None:
    extractions = corpus(CORPORA[title])
    wanted = link(extractions, lexicon=SMALL)
    assert link(reversed(extractions), lexicon=SMALL) == wanted
    assert link(extractions[1:] + extractions[:1], lexicon=SMALL) == wanted


NAMES = (
    "FACT",
    "Fact",
    "fact",
    "FACTs",
    "BERT",
    "bert-base",
    "DA",
    "data augmentation",
    "GQA",
    "math",
    "MATH",
    "F1 score",
)
ENTITIES = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(("method", "dataset", "metric", "task")),
    st.sampled_from(("proposed", "used", None)),
    st.sampled_from(("", "Features at Convergence Theorem", "domain adaptation", "data augmentation")),
)
PAPERS = st.dictionaries(
    st.sampled_from("abcdefg"),
    st.tuples(st.sampled_from((None, 2019, 2024)), st.lists(ENTITIES, max_size=4, unique_by=lambda entity: entity[0])),
    max_size=7,
)


@settings(deadline=None, max_examples=150)
@given(PAPERS, st.randoms(use_true_random=False))
def test_any_corpus_is_linked_the_same_in_any_order(papers: dict[str, Any], random: Any) -> None:
    extractions = [
        paper(name, [[*entity[:3], *filter(None, entity[3:])] for entity in entities], year=year)
        for name, (year, entities) in papers.items()
    ]
    knowledge = link(extractions, lexicon=SMALL)
    random.shuffle(extractions)
    assert link(extractions, lexicon=SMALL) == knowledge
    check(knowledge, extractions)


def check(knowledge: Knowledge, extractions: Iterable[Extraction]) -> None:
    """What holds of every linked corpus."""
    ids = [entity.id for entity in knowledge.entities]
    kinds = {entity.id: entity.kind for entity in knowledge.entities}
    assert len(ids) == len(set(ids))
    labels = [entity.label for entity in knowledge.entities]
    assert len(labels) == len(set(labels)), sorted(labels)
    named = {(o.document_id, m.start, m.end) for o in knowledge.occurrences for m in o.mentions}
    for extraction in extractions:
        for entity in extraction.entities:
            assert all((extraction.document.id, m.start, m.end) in named for m in entity.mentions)
    assert {o.entity_id for o in knowledge.occurrences} <= set(ids)
    for statement in knowledge.statements:
        relation = RELATIONS[statement.predicate]
        if statement.predicate != "hasCode":
            assert kinds[statement.object] in relation.range
        assert kinds.get(statement.subject, "paper") in relation.domain
        assert statement.subject != statement.object
    for left, right in knowledge.different:
        assert left < right
        assert {left, right} <= set(ids)
    for thing in knowledge.entities:
        assert thing.name not in thing.aliases
        assert all(reason.action in ("join", "split", "variant", "corrected", "ambiguous") for reason in thing.reasons)


def test_statements_and_results_get_ids() -> None:
    extraction = paper(
        "p",
        [
            ["LVR", "method", "proposed"],
            ["GRPO", "method", "used"],
            ["MMVP", "dataset", "evaluated"],
            ["accuracy", "metric", None],
        ],
    )
    evidence = Evidence(document_id="p", start=0, end=3, rule="score")
    extraction = Extraction(
        document=extraction.document,
        entities=extraction.entities,
        statements=(
            said("p", PAPER, "proposes", "LVR"),
            said("p", "LVR", "uses", "GRPO"),
            said("p", "LVR", "evaluatedOn", "MMVP"),
            said("p", PAPER, "evaluatedOn", "MMVP"),
            said("p", PAPER, "hasCode", "https://example.org/lvr"),
            said("p", "LVR", "uses", "what no entity has"),
        ),
        results=(
            Result(
                value=Decimal("71.67"),
                value_text="71.67",
                kind="absolute",
                evidence=evidence,
                method="LVR",
                dataset="MMVP",
                metric="accuracy",
            ),
            Result(value=Decimal(2), value_text="2", kind="gain", evidence=evidence, method=PAPER, baseline="GRPO"),
        ),
    )
    knowledge = link([extraction], lexicon=SMALL)
    triples = [(s.subject, s.predicate, s.object, s.evidence.rule) for s in knowledge.statements]
    assert triples == [
        ("method/lvr", "evaluatedOn", "dataset/mmvp", "test"),
        ("method/lvr", "uses", "method/grpo", "test"),
        ("paper/p", "evaluatedOn", "dataset/mmvp", "test"),
        ("paper/p", "hasCode", "https://example.org/lvr", "test"),
        ("paper/p", "proposes", "method/lvr", "test"),
        ("paper/p", "uses", "method/grpo", "test+own"),
    ]
    first, second = knowledge.results
    assert (first.method, first.dataset, first.metric, first.direction) == (
        "method/lvr",
        "dataset/mmvp",
        "metric/accuracy",
        "higher",
    )
    assert (second.method, second.baseline, second.dataset) == ("paper/p", "method/grpo", None)
    assert next(e for e in knowledge.entities if e.id == "metric/accuracy").higher_is_better is True


def test_a_statement_follows_the_kind_that_linking_gives() -> None:
    papers = [paper(name, [["Zorro", "dataset", "evaluated"]]) for name in "abc"]
    odd = paper("d", [["Zorro", "task", None], ["Yak", "method", "proposed"]])
    statements = (said("d", PAPER, "addresses", "Zorro"), said("d", "Yak", "comparedWith", "Zorro"))
    papers.append(Extraction(document=odd.document, entities=odd.entities, statements=statements))
    knowledge = link(papers, lexicon=EMPTY)
    assert {(s.subject, s.predicate, s.object) for s in knowledge.statements} == {
        ("paper/d", "uses", "dataset/zorro"),
        ("method/yak", "comparedWith", "dataset/zorro"),
        ("paper/d", "comparedWith", "dataset/zorro"),
    }


def test_variants_are_tied_and_never_joined() -> None:
    papers = [
        paper(
            "a",
            [
                ["Goedel-Prover-V2", "method", "proposed"],
                ["Goedel-Prover-V2-8B", "method", "proposed"],
                ["pass@32", "metric", None],
            ],
        ),
        paper(
            "b", [["AIME 2024", "dataset", "evaluated"], ["AIME", "dataset", "mentioned"], ["pass@1", "metric", None]]
        ),
        paper("c", [["macro-F1", "metric", None], ["F1 score", "metric", None], ["Lonely-7B", "method", "used"]]),
    ]
    knowledge = link(papers, lexicon=EMPTY)
    edges = {(s.subject, s.object): s for s in knowledge.statements if s.predicate == "variantOf"}
    assert set(edges) == {
        ("dataset/aime2024", "dataset/aime"),
        ("method/goedelproverv2-8b", "method/goedelproverv2"),
        ("metric/macrof1", "metric/f1score"),
        ("metric/pass@1", "metric/pass@k"),
        ("metric/pass@32", "metric/pass@k"),
    }
    size = edges["method/goedelproverv2-8b", "method/goedelproverv2"]
    assert size.evidence.rule == "variant:size"
    assert papers[0].document.text[size.evidence.start : size.evidence.end] == "Goedel-Prover-V2-8B"
    family = next(entity for entity in knowledge.entities if entity.id == "metric/pass@k")
    assert {reason.rule for reason in family.reasons} == {"family"}


def test_what_a_paper_says_of_a_variant_is_not_said_twice() -> None:
    extraction = paper("a", [["Yak-V2", "method", "proposed"], ["Yak-V2-8B", "method", "proposed"]])
    stated = Extraction(
        document=extraction.document,
        entities=extraction.entities,
        statements=(said("a", "Yak-V2-8B", "variantOf", "Yak-V2"),),
    )
    rules = [s.evidence.rule for s in link([stated], lexicon=EMPTY).statements if s.predicate == "variantOf"]
    assert rules == ["test"]


def test_one_paper_under_two_documents_counts_once() -> None:
    one, other = (
        Extraction(
            document=Document(id=name, text="Zorro", identifiers=(("arxiv", "2405.00001v1"),)),
            entities=(DocumentEntity(name="Zorro", kind="method"),),
        )
        for name in ("a", "b")
    )
    heard: list[str] = []
    knowledge = link([other, one], lexicon=EMPTY, warn=heard.append)
    assert [document.id for document in knowledge.documents] == ["a"]
    assert [occurrence.document_id for occurrence in knowledge.occurrences] == ["a"]
    assert len(heard) == 1
    assert "b: the same paper as a" in heard[0]


def test_links_of_the_lexicon_are_kept_for_what_is_meant() -> None:
    known = Known("SQuAD", "dataset", links=(("exactMatch", "https://example.org/squad"),))
    papers = [paper("a", [["SQuAD", "dataset", "evaluated"]]), paper("b", [["Squid", "dataset", "evaluated"]])]
    knowledge = link(papers, lexicon=Lexicon(known))
    assert {entity.name: entity.links for entity in knowledge.entities} == {
        "SQuAD": (("exactMatch", "https://example.org/squad"),),
        "Squid": (),
    }


def test_one_entity_in_brackets_behind_another_spells_it_out() -> None:
    text = "Two modules: CSM (Cyclic Stride Modulator, which turns) and CKM (Other Thing)."
    names = ("CSM", "Cyclic Stride Modulator", "CKM", "Other Thing")
    entities = tuple(
        DocumentEntity(
            name=name,
            kind="method",
            role="proposed",
            mentions=(Mention(text=name, kind="method", start=text.index(name), end=text.index(name) + len(name)),),
        )
        for name in names
    )
    knowledge = link([Extraction(document=Document(id="a", text=text), entities=entities)], lexicon=EMPTY)
    assert {entity.id: entity.long_form for entity in knowledge.entities} == {
        "method/csm": "Cyclic Stride Modulator",
        "method/ckm": "",
        "method/otherthing": "",
    }


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        (["EAE", "task", None, "event argument extraction"], False),
        (["EAE", "task", None], True),
        (["argument mining", "task", None], True),
    ],
)
def test_a_name_that_another_task_has_as_its_long_form_is_no_alias(other: list[Any], kept: bool) -> None:
    one = paper("a", [["event extraction", "task", None, "event argument extraction"]])
    knowledge = link([one, paper("b", [other])], lexicon=EMPTY)
    assert ("event argument extraction" in found(knowledge, "a:event extraction").aliases) == kept


def test_no_papers_no_knowledge() -> None:
    assert link([], lexicon=SMALL) == Knowledge()
