from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fakes
from sotagraph import engine
from sotagraph.errors import BuildError, ConfigError, InputError
from sotagraph.model import Document, Evidence, Extraction, Result

TEXTS = st.sampled_from(["", "one", "two", "three"])
DOCUMENTS = st.lists(st.builds(Document, id=st.sampled_from("abc"), text=TEXTS, title=TEXTS, source=TEXTS), max_size=8)


@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_unique_does_not_see_the_order_of_its_input(documents: list[Document], random: object) -> None:
    shuffled = sorted(documents, key=lambda _: random.random())  # type: ignore[attr-defined]
    said: list[str] = []
    again: list[str] = []
    first = engine.unique(documents, warn=said.append)
    assert first == engine.unique(shuffled, warn=again.append)
    assert said == again
    assert len({document.id for document in first}) == len(first)
    assert {document.text for document in first} == {document.text for document in documents}


def test_unique_keeps_the_copy_that_says_more() -> None:
    poor, rich = Document(id="a", text="x"), Document(id="a", text="x", title="T", year=2026)
    assert engine.unique([poor, rich], warn=lambda _: None) == [rich]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_extract_gives_the_order_of_its_input(workers: int) -> None:
    documents = fakes.papers(50)
    done: list[str] = []
    made = engine.extract(
        documents,
        workers=workers,
        factory=fakes.Capitals,
        done=lambda batch: done.extend(one.document.id for one in batch),
    )
    assert [one.document for one in made] == documents
    assert sorted(done) == [document.id for document in documents]


def test_extract_uses_the_extractor_that_exists() -> None:
    one = fakes.Capitals()
    list(engine.extract(fakes.papers(3), extractor=one, factory=fakes.Failing))
    assert one.seen == ["d00", "d01", "d02"]


@pytest.mark.parametrize("workers", [0, -1])
def test_extract_refuses_a_senseless_number_of_workers(workers: int) -> None:
    with pytest.raises(ConfigError, match="give 1 or more"):
        list(engine.extract(fakes.papers(1), workers=workers, factory=fakes.Capitals))


def test_a_dying_worker_is_said_in_one_line() -> None:
    with pytest.raises(BuildError, match=r"worker processes died.*fewer workers") as caught:
        list(engine.extract(fakes.papers(40), workers=2, factory=fakes.Dying))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_the_extractor_arrives_as_it_is(workers: int) -> None:
    with pytest.raises(InputError, match=r"^the model file is damaged; install the package again$"):
        list(engine.extract(fakes.papers(40), workers=workers, factory=fakes.Failing))


def test_known_asks_for_the_same_content_and_extractor() -> None:
    document = Document(id="a", text="x", title="T", source="one.txt")
    old = Extraction(document=document, extractor="v1")
    moved = replace(document, source="two.txt")
    assert engine.known([old], [moved], "v1") == {"a": Extraction(document=moved, extractor="v1")}
    for changed in (replace(document, text="y"), replace(document, title="U"), replace(document, id="b")):
        assert engine.known([old], [changed], "v1") == {}
    assert engine.known([old], [document], "v2") == {}


def test_confident_drops_what_is_uncertain_and_what_hangs_on_it() -> None:
    whole = fakes.Capitals().extract(Document(id="a", text="QAT and LVR"))
    evidence = Evidence(document_id="a", start=0, end=3, rule="r")
    score = Result(value=Decimal(1), value_text="1", kind="absolute", evidence=evidence, method="LVR", baseline="QAT")
    doubtful = replace(score, confidence=0.1)
    whole = replace(whole, results=(score, doubtful))
    kept = engine.confident(whole, 0.5)
    assert [entity.name for entity in kept.entities] == ["LVR"]
    assert [statement.object for statement in kept.statements] == ["LVR"]
    assert kept.results == (replace(score, baseline=None),)
    assert engine.confident(whole, 0.0) is whole
