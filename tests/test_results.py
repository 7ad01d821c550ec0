from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph import lexicon
from sotagraph.extract.result_constructions import construction, runs
from sotagraph.extract.result_context import Page
from sotagraph.extract.result_kinds import KINDS, decide
from sotagraph.extract.results import find_results
from sotagraph.extract.sentences import sentences
from sotagraph.model import PAPER, Document, DocumentEntity, Mention, Result
from sotagraph.schema import BOUNDS, RESULT_KINDS, UNITS

CASES = Path(__file__).parent / "cases"
FILES = sorted(CASES.glob("results_*.json"))


def document(text: str) -> Document:
    return Document(id="d", text=text)


def things(text: str, named: dict[str, str]) -> tuple[DocumentEntity, ...]:
    """Entities from {"Zeta": "method/proposed"}, with every place where the name stands on its own."""
    out = []
    for name, what in named.items():
        kind, _, role = what.partition("/")
        places = [
            at for at in range(len(text)) if text.startswith(name, at) and not _inside_word(text, at, at + len(name))
        ]
        mentions = tuple(Mention(text=name, kind=kind, start=at, end=at + len(name)) for at in places)
        out.append(DocumentEntity(name=name, kind=kind, role=role or None, mentions=mentions))
    return tuple(out)


def _inside_word(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start].isalnum() or text[end : end + 1].isalnum() or text[end : end + 2] in ("-2", "-7")


def found(text: str, named: dict[str, str], **options: Any) -> tuple[Result, ...]:
    return find_results(document(text), sentences(text), things(text, named), **options)


def cases() -> list[Any]:
    out = []
    for path in FILES:
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            reason = case.get("known_failure")
            marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
            out.append(pytest.param(case, id=f"{path.stem}: {case['text'][:60]}", marks=marks))
    return out


def shown(result: Result, fields: dict[str, Any]) -> dict[str, Any]:
    values = {name: getattr(result, name) for name in fields}
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in values.items()}


@pytest.mark.parametrize("case", cases())
def test_constructions(case: dict[str, Any]) -> None:
    results = found(case["text"], case["entities"])
    assert len(results) == len(case["results"]), results
    for result, wanted in zip(results, case["results"], strict=True):
        assert shown(result, wanted) == wanted


def test_every_kind_of_case_is_there() -> None:
    assert len(FILES) >= 7
    assert any("none" in path.stem for path in FILES)


def check(text: str, entities: tuple[DocumentEntity, ...], results: tuple[Result, ...]) -> None:
    """What holds for all results: slices, known fillers, vocabulary of the schema."""
    names = {e.name for e in entities}
    kinds = {e.name: {o.kind for o in entities if o.name == e.name} for e in entities}
    for r in results:
        assert r.value_text
        assert r.value_text in text[r.evidence.start : r.evidence.end]
        assert r.kind in RESULT_KINDS
        assert r.unit is None or r.unit in UNITS
        assert r.bound is None or r.bound in BOUNDS
        assert r.method is None or r.method == PAPER or "method" in kinds[r.method]
        assert r.dataset is None or "dataset" in kinds[r.dataset]
        assert r.metric is None or "metric" in kinds[r.metric]
        assert r.task is None or "task" in kinds[r.task]
        assert r.baseline is None or r.baseline in names
        assert r.value_max is None or r.value_max > r.value
        assert 0 < r.confidence < 1
        assert r.evidence.rule.startswith("result:")
        for piece in (r.condition or "").split("; "):
            assert piece in text


ANNOTATED = Path(__file__).parents[2] / "shared" / "annotations"


@pytest.mark.skipif(not ANNOTATED.is_dir(), reason="../shared is not there")
def test_every_result_of_real_abstracts_is_a_slice() -> None:
    records = (json.loads(line) for line in (ANNOTATED / "abstracts.jsonl").read_text(encoding="utf-8").splitlines())
    texts = {record["id"]: record["abstract"] for record in records}
    count = 0
    for line in (ANNOTATED / "part_6.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        text = texts[gold["id"]]
        named = {e["name"]: f"{e['type']}/{e.get('role') or ''}" for e in gold["entities"]}
        entities = things(text, named)
        results = find_results(document(text), sentences(text), entities)
        check(text, entities, results)
        count += len(results)
    assert count > 60


MOST = (
    "Zeta Alpha ToyQA accuracy F1 achieves improves by from to over than % points × 1.5 2 90.4 3-5 +7 ( ) , . ;"
    " and respectively on of up twice half $ \\times \\% ** 10,000 2024 → ± reduces faster — ~ / = @"
)
WORDS = st.sampled_from([*MOST.split(), "\n"])


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=60).map(" ".join)))
def test_no_text_breaks_it(text: str) -> None:
    named = {
        "Zeta": "method/proposed",
        "Alpha": "method/compared",
        "ToyQA": "dataset/evaluated",
        "accuracy": "metric",
        "F1": "metric",
    }
    entities = things(text, named)
    results = find_results(document(text), sentences(text), entities)
    check(text, entities, results)
    assert results == find_results(document(text), sentences(text), entities)


def test_long_text_takes_linear_time() -> None:
    sentence = "Zeta reaches 91.4% accuracy on ToyQA and 80.2% on HardQA, which is 3 points over Alpha. "
    text = sentence * 400
    spans = sentences(text)
    assert len(find_results(document(text), spans, ())) >= 800


def test_one_endless_sentence() -> None:
    text = "1.5% and " * 3000 + "2%"
    find_results(document(text), [(0, len(text))], ())


def test_no_entities_still_gives_the_number() -> None:
    (result,) = found("Our method improves accuracy by 4.5%.", {})
    assert (result.method, result.dataset, result.metric, result.baseline) == (PAPER, None, None, None)
    assert (result.value, result.unit, result.kind) == (Decimal("4.5"), "%", "gain")


def test_the_value_keeps_its_printed_digits() -> None:
    (result,) = found("Zeta reaches 90.40% accuracy.", {"Zeta": "method/proposed", "accuracy": "metric"})
    assert str(result.value) == "90.40"


def test_direction_comes_from_the_lexicon() -> None:
    text, named = (
        "Zeta attains a perplexity of 5.12 on ToyText.",
        {"Zeta": "method/proposed", "perplexity": "metric", "ToyText": "dataset/evaluated"},
    )
    assert [r.direction for r in found(text, named)] == [None]
    assert [r.direction for r in found(text, named, lexicon=lexicon.load())] == ["lower"]


def test_a_certain_hint_overrules_and_a_missing_one_does_not() -> None:
    text, named = "Zeta improves accuracy by 4.5%.", {"Zeta": "method/proposed", "accuracy": "metric"}
    at = text.index("4.5")
    never = {at: {"none": 1.0}}
    assert found(text, named, number_hints=never) == ()
    assert found(text, named, number_hints={0: {"none": 1.0}}) == found(text, named)


def test_hints_shift_the_decision_between_kinds() -> None:
    plain = decide([], {}, None)
    told = decide([], {}, {"speedup": 0.9, "none": 0.1})
    assert plain == pytest.approx([1 / len(KINDS)] * len(KINDS))
    assert max(range(len(KINDS)), key=told.__getitem__) == KINDS.index("speedup")
    assert sum(told) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a 30% drop in latency", "right:reduction"),
        ("improves F1 by 2.1%", "by:gain"),
        ("lowers the error to 5.1%", "to:reduction"),
        ("rises from 41% to 45%", "pair2"),
        ("compared to 66.7%", "versus:baseline"),
        ("runs 2× faster", "right:speedup"),
        ("improves speed by 2×", "by:speedup"),
        ("a table of 3.5 things", "of:"),
    ],
)
def test_construction_of_the_last_number(text: str, wanted: str) -> None:
    page = Page.read(document(text), [(0, len(text))], ())
    (line,) = page.lines
    assert construction(line, len(line.numbers) - 1) == wanted


def test_runs_part_where_names_stand_between() -> None:
    text = "1.5% and 2.5% on ToyQA, then 3.5%"
    page = Page.read(document(text), [(0, len(text))], things(text, {"ToyQA": "dataset"}))
    assert runs(page.lines[0]) == [[0, 1], [2]]
