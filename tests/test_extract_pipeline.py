"""The pipeline as a whole: what it finds in small abstracts, and what holds for any text at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sotagraph.extract import Extractor
from sotagraph.extract.pipeline import BATCH
from sotagraph.extract.tagger import load_tagger
from sotagraph.model import PAPER, Document, Extraction
from sotagraph.names import plain
from sotagraph.records import dumps, loads
from sotagraph.schema import ENTITY_KINDS, RELATIONS, RESULT_KINDS, ROLES, UNITS

CASES = json.loads((Path(__file__).parent / "cases/papers.json").read_text(encoding="utf-8"))["cases"]
RULES_ALONE = Extractor(model=False)
FULL = Extractor()


def check_form(extraction: Extraction) -> None:
    """What every extraction keeps: everything is a slice, every end exists, every word is of the schema."""
    document = extraction.document
    seen = plain(document.text).text
    names = {entity.name for entity in extraction.entities}
    assert len(names) == len(extraction.entities)
    for entity in extraction.entities:
        assert entity.kind in ENTITY_KINDS
        assert entity.role is None or entity.role in ROLES[entity.kind]
        assert entity.mentions
        assert 0 <= entity.confidence <= 1
        for name in (entity.name, *entity.aliases):
            assert name in seen
        for mention in entity.mentions:
            assert document.text[mention.start : mention.end] == mention.text
            assert mention.text
    for statement in extraction.statements:
        assert statement.predicate in RELATIONS
        assert statement.subject in names | {PAPER}
        assert statement.object in names or (statement.predicate == "hasCode" and statement.object in document.text)
        assert statement.subject != statement.object
        assert 0 <= statement.evidence.start < statement.evidence.end <= len(document.text)
    for result in extraction.results:
        assert result.kind in RESULT_KINDS
        assert result.unit is None or result.unit in UNITS
        assert result.value_text in document.text
        for filler in (result.method, result.dataset, result.metric, result.baseline, result.task):
            assert filler is None or filler in names | {PAPER}
        assert result.baseline is None or result.baseline != result.method


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_small_abstracts(case: dict[str, Any]) -> None:
    if load_tagger() is None:
        pytest.skip("this checkout has no trained model")
    extraction = FULL.extract(Document(id=case["id"], text=case["text"], title=case.get("title", "")))
    check_form(extraction)
    found = {entity.name: [entity.kind, entity.role] for entity in extraction.entities}
    for name, wanted in case.get("entities", {}).items():
        assert found.get(name) == wanted
    assert not set(case.get("absent", ())) & set(found)
    owner = {form: entity.name for entity in extraction.entities for form in (entity.name, *entity.aliases)}
    assert len({owner[form] for form in case.get("one", ())}) <= 1
    aliases = {entity.name: set(entity.aliases) for entity in extraction.entities}
    assert not any(set(wrong) & aliases[name] for name, wrong in case.get("absent_aliases", {}).items())
    apart = case.get("apart", ())
    assert len({owner[form] for form in apart}) == len(apart)
    said = {(s.subject, s.predicate, s.object) for s in extraction.statements}
    assert {tuple(relation) for relation in case.get("relations", ())} <= said
    assert not {tuple(relation) for relation in case.get("no_relations", ())} & said
    assert not [name for name, (_, role) in found.items() if role in case.get("no_roles", ())]
    if "values" in case:
        assert [str(result.value) for result in extraction.results] == case["values"]


@pytest.mark.parametrize("extractor", [RULES_ALONE, FULL], ids=["rules", "model"])
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_two_runs_give_the_same_record_and_it_reads_back(case: dict[str, Any], extractor: Extractor) -> None:
    document = Document(id=case["id"], text=case["text"], title=case.get("title", ""))
    first, second = extractor.extract(document), extractor.extract(document)
    check_form(first)
    assert dumps(first) == dumps(second)
    assert loads(dumps(first)) == first


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_taken(text: str) -> None:
    check_form(FULL.extract(Document(id="any", text=text)))


TELLING = [
    "We propose", "FooNet", "(FN)", "on", "MATH", "by 3.2%", "**Bar**", "$\\alpha$-Net", "outperforms", "GPT-4,", ".",
    "\n", "https://github.com/a/b", "accuracy", "of 91.2",
]  # fmt: skip


@given(st.lists(st.sampled_from(TELLING), max_size=40))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_run_of_telling_words_is_taken(pieces: list[str]) -> None:
    check_form(FULL.extract(Document(id="any", text=" ".join(pieces))))


def test_very_long_text_is_cut_into_windows() -> None:
    text = "We propose FooNet, a novel network. It reaches 91.2% on ImageNet. " * 60
    extraction = FULL.extract(Document(id="long", text=text))
    check_form(extraction)
    assert "FooNet" in {entity.name for entity in extraction.entities}


def test_rules_alone_find_proposals_without_the_model() -> None:
    extraction = RULES_ALONE.extract(Document(id="a", text=CASES[0]["text"]))
    assert {(e.name, e.role) for e in extraction.entities} >= {("TileFormer", "proposed")}
    assert RULES_ALONE.version != FULL.version or load_tagger() is None


@pytest.mark.parametrize("extractor", [FULL, RULES_ALONE], ids=["full", "rules alone"])
def test_a_stream_gives_what_its_documents_give_one_by_one(extractor: Extractor) -> None:
    documents = [Document(id=f"{n}", text=case["text"]) for n, case in enumerate([*CASES, {"text": ""}, *CASES])]
    assert len(documents) > BATCH
    assert list(extractor.pipe(iter(documents))) == [extractor.extract(document) for document in documents]


def test_a_stream_is_read_a_batch_ahead_and_no_further() -> None:
    taken: list[str] = []

    def papers() -> Iterator[Document]:
        for number in range(3 * BATCH):
            taken.append(f"{number}")
            yield Document(id=f"{number}", text="We propose FooNet, a novel network.")

    next(FULL.pipe(papers()))
    assert len(taken) == BATCH
