"""What is remembered is what would be found, also from an earlier process."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph import lexicon, memo
from sotagraph.ids import entity_id
from sotagraph.link import link
from sotagraph.link.atoms import Lookup, Traits
from sotagraph.link.forms import Normal, normal, roots, stems
from sotagraph.model import Document, DocumentEntity, Extraction, Knowledge
from sotagraph.variants import bases

NAMES = ("GRPO algorithm", "large language models", "AIME 2024", "OntoNotes 5.0", "BERT", "Qwen2.5-VL-7B-Instruct")


@pytest.fixture
def clean() -> Iterator[None]:
    """Forget what other tests asked for, before and after."""
    former = memo.dump()
    _forget()
    yield
    _forget()
    memo.restore(former)


def _forget() -> None:
    for function in memo._FUNCTIONS.values():
        function.answers.clear()
    for memory in memo._MEMORIES.values():
        memory.used.clear()
    entity_id.cache_clear()
    memo.restore({})


def ask() -> list[object]:
    known = Lookup(lexicon.load())
    return [
        answer
        for name in NAMES
        for answer in (
            normal(name, "method"),
            stems(name),
            roots(name),
            bases(name, "dataset"),
            entity_id("method", name),
            known.traits(name, "dataset", ("GSM8K", "Grade School Math 8K"), "Grade School Math 8K"),
        )
    ]


@pytest.mark.usefixtures("clean")
def test_answers_come_back_from_plain_values(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask()
    values = marshal.loads(marshal.dumps(memo.dump()))
    _forget()
    memo.restore(values)
    for name in values:
        if name in memo._FUNCTIONS and not name.startswith("test"):
            monkeypatch.setattr(memo._FUNCTIONS[name], "function", _fail)
    monkeypatch.setattr("sotagraph.link.atoms._traits", _fail)
    assert ask() == first
    assert {type(answer) for answer in first} >= {Normal, Traits, frozenset, tuple}
    for name, answers in memo.dump().items():
        assert answers.items() <= values[name].items()


def _fail(*args: object) -> object:
    raise AssertionError(f"{args} was known")


@pytest.mark.usefixtures("clean")
def test_only_what_was_asked_for_is_kept() -> None:
    normal("BERT", "method")
    values = memo.dump()
    _forget()
    memo.restore(values)
    normal("GPT", "method")
    kept = memo.dump()["sotagraph.link.forms.normal"]
    assert ("GPT", "method") in kept
    assert ("BERT", "method") not in kept


@pytest.mark.usefixtures("clean")
def test_another_lexicon_is_not_asked_of_the_memory() -> None:
    Lookup(lexicon.load()).traits("BERT", "method", (), "")
    nothing = lexicon.Lexicon(())
    assert Lookup(lexicon.load()).traits("BERT", "method", (), "").entries != ()
    assert Lookup(nothing).traits("BERT", "method", (), "").entries == ()


#: Forms that abbreviate, lengthen and shorten each other; what an abbreviation stands for depends on who defines it.
FORMS = (
    *("NER", "named entity recognition", "nested NER", "nested named entity recognition", "entity recognition"),
    *("CSR", "commonsense reasoning", "code-switched recognition", "reasoning", "multilingual CSR", "recognition"),
    *("MT", "machine translation", "neural MT", "low-resource MT", "low-resource machine translation", "translation"),
)
ENTITIES = st.builds(
    lambda forms, kind, long: DocumentEntity(
        name=forms[0], kind=kind, aliases=tuple(sorted(forms[1:])), long_form=forms[-1] if long and forms[1:] else ""
    ),
    st.lists(st.sampled_from(FORMS), min_size=1, max_size=4, unique=True),
    st.sampled_from(["task", "task", "metric"]),
    st.booleans(),
)
#: Entities, each with the number of papers that name it.
CORPORA = st.lists(st.tuples(ENTITIES, st.integers(1, 4)), min_size=1, max_size=6)


def linked(corpus: list[tuple[DocumentEntity, int]]) -> Knowledge:
    papers = [
        Extraction(document=Document(id=f"p{number}-{copy}", text="x"), entities=(entity,))
        for number, (entity, copies) in enumerate(corpus)
        for copy in range(copies)
    ]
    return link(papers, lexicon=lexicon.load())


@settings(max_examples=60, deadline=None)
@given(st.lists(CORPORA, min_size=2, max_size=4))
def test_what_other_papers_left_in_memory_changes_nothing(corpora: list[list[tuple[DocumentEntity, int]]]) -> None:
    """Each corpus is linked with what the one before it left, as builds do, and with nothing."""
    former = memo.dump()
    left: dict[str, dict[Any, Any]] = {}
    for corpus in corpora:
        _forget()
        expected = linked(corpus)
        _forget()
        memo.restore(left)
        assert linked(corpus) == expected
        left = marshal.loads(marshal.dumps(memo.dump()))
    _forget()
    memo.restore(former)


def test_an_abbreviation_that_comes_to_mean_something_parts_phrases_anew() -> None:
    """What is remembered of *nested NER* without a meaning of NER counts no more when papers define it."""
    former = memo.dump()
    _forget()
    phrase = DocumentEntity(name="nested NER", kind="task", aliases=("named entity recognition",))
    definition = DocumentEntity(name="NER", kind="task", aliases=("named entity recognition",))
    few, many = ([(phrase, 1), (definition, copies)] for copies in (1, 4))
    linked(few)
    place = "sotagraph.link.narrower.grouped", ("nested NER", "task", phrase.aliases, "")
    first = memo.dump()[place[0]][place[1]]
    memo.restore(marshal.loads(marshal.dumps(memo.dump())))
    linked(many)
    second = memo.dump()[place[0]][place[1]]
    assert (("task", "ner"), "") in first[0]
    assert (("task", "ner"), "named entity recognition") in second[0]
    assert first[1] != second[1]
    _forget()
    memo.restore(former)
