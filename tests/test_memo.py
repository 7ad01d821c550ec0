"""What is remembered is what would be found, also from an earlier process."""

from __future__ import annotations

import marshal
from collections.abc import Iterator

import pytest

from sotagraph import lexicon, memo
from sotagraph.ids import entity_id
from sotagraph.link.atoms import Lookup, Traits
from sotagraph.link.forms import Normal, normal, roots, stems
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
