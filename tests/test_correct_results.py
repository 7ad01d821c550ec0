"""Corrections of results: what is dropped, what is set, and which lines have no effect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from sotagraph.corrections import Correction, append_correction, load
from sotagraph.errors import ConfigError
from sotagraph.explain import explain, render
from sotagraph.graph import to_graph
from sotagraph.lexicon import LexiconEntry
from sotagraph.link import link
from sotagraph.model import PAPER, Document, DocumentEntity, Evidence, Extraction, Knowledge, Mention, Result

TEXT = "LVR reaches 71.67% accuracy on MMVP and 71.67% on VStar, 62.00 F1 with GRPO. It errs in 3.5% of cases."


class Metrics:
    """A lexicon of two metrics."""

    def lookup(self, name: str) -> Sequence[LexiconEntry]:
        better = {"accuracy": True, "error rate": False}
        if name not in better:
            return ()
        return (LexiconEntry(name=name, kind="metric", higher_is_better=better[name]),)


def named(text: str, *names: tuple[str, str]) -> tuple[DocumentEntity, ...]:
    return tuple(
        DocumentEntity(
            name=form,
            kind=kind,
            mentions=(Mention(text=form, kind=kind, start=text.index(form), end=text.index(form) + len(form)),),
        )
        for form, kind in names
    )


def score(text: str, document: str = "a", **slots: str) -> Result:
    evidence = Evidence(document_id=document, start=0, end=len(TEXT), rule="test")
    value = Decimal(text.rstrip("%"))
    return Result(value=value, value_text=text, kind="absolute", evidence=evidence, **slots)  # type: ignore[arg-type]


NAMES = (("LVR", "method"), ("GRPO", "method"), ("MMVP", "dataset"), ("VStar", "dataset"), ("accuracy", "metric"))
SCORES = (
    score("71.67%", method="LVR", dataset="MMVP", metric="accuracy"),
    score("71.67%", method="LVR", dataset="VStar", metric="accuracy"),
    score("62.00", method="GRPO"),
)
OTHER = "The error rate of LVR on MMVP is 3.5%; visual search is hard."
PAPERS = (
    Extraction(document=Document(id="a", text=TEXT), entities=named(TEXT, *NAMES), results=SCORES),
    Extraction(
        document=Document(id="b", text=OTHER),
        entities=named(
            OTHER, ("error rate", "metric"), ("LVR", "method"), ("MMVP", "dataset"), ("visual search", "task")
        ),
        results=(score("3.5%", document="b", metric="error rate"),),
    ),
)


def corrected(*corrections: Correction, papers: Iterable[Extraction] = PAPERS) -> tuple[Knowledge, list[str]]:
    heard: list[str] = []
    return link(papers, lexicon=Metrics(), corrections=corrections, warn=heard.append), heard


def change(*names: str, to: str = "", paper: str = "a", action: str = "set-result", **more: str) -> Correction:
    return Correction(action=action, names=names, to=to, papers=(paper,), **more)


def reject(*names: str, paper: str = "a") -> Correction:
    return change(*names, paper=paper, action="reject-result")


def told(knowledge: Knowledge, entity: str) -> list[str]:
    [found] = [e for e in knowledge.entities if e.id == entity]
    return [reason.rule for reason in found.reasons if reason.action == "corrected"]


@pytest.mark.parametrize("number", ["62.00", "62", "62.0", " 62.00 "])
def test_reject_by_the_number_as_printed_or_by_value(number: str) -> None:
    knowledge, heard = corrected(reject(number))
    assert not heard
    assert sorted(str(r.value) for r in knowledge.results) == ["3.5", "71.67", "71.67"]
    assert told(knowledge, "method/grpo") == ["reject-result"]


@pytest.mark.parametrize("number", ["71.67%", "71.67", r"71.67\%"])
def test_a_name_tells_results_of_one_number_apart(number: str) -> None:
    _, heard = corrected(reject(number))
    assert heard == [
        f"correction 1: reject-result: a has 2 results {number}; add a name that only the one has; "
        "the line has no effect"
    ]
    knowledge, heard = corrected(reject(number, "VStar"))
    assert not heard
    assert [r.dataset for r in knowledge.results if r.value_text == "71.67%"] == ["dataset/mmvp"]
    assert told(knowledge, "dataset/vstar") == ["reject-result"]
    assert told(knowledge, "dataset/mmvp") == []


def test_what_is_said_twice_is_corrected_twice() -> None:
    again = replace(SCORES[2], evidence=replace(SCORES[2].evidence, start=4))
    papers = [replace(PAPERS[0], results=(*SCORES, again)), PAPERS[1]]
    assert [r for r in corrected(reject("62.00"), papers=papers)[0].results if r.value == 62] == []


@pytest.mark.parametrize(
    ("correction", "slot", "filler"),
    [
        (change("62.00", "metric", to="accuracy"), "metric", "metric/accuracy"),
        (change("62.00", "dataset", to="MMVP"), "dataset", "dataset/mmvp"),
        (change("62.00", "dataset", to="dataset/mmvp"), "dataset", "dataset/mmvp"),
        (change("62.00", "task", to="visual search"), "task", "task/visualsearch"),
        (change("62.00", "method", to="LVR"), "method", "method/lvr"),
        (change("62.00", "method", to=PAPER), "method", "paper/a"),
        (change("62.00", "baseline", to="LVR"), "baseline", "method/lvr"),
        (change("62.00", "method"), "method", None),
        (change("62.00", "method", "GRPO", to="LVR"), "method", "method/lvr"),
    ],
)
def test_set(correction: Correction, slot: str, filler: str | None) -> None:
    knowledge, heard = corrected(correction)
    [result] = [r for r in knowledge.results if r.value == 62]
    before = next(r for r in corrected()[0].results if r.value == 62)
    assert not heard
    assert getattr(result, slot) == filler
    assert result.evidence.rule == "test+corrected"
    direction = "higher" if slot == "metric" else before.direction
    assert replace(result, **{slot: getattr(before, slot)}, evidence=before.evidence, direction=None) == replace(
        before, direction=None
    )
    assert result.direction == direction
    for thing in {filler, getattr(before, slot)} - {None, "paper/a"}:
        assert told(knowledge, str(thing)) == ["set-result"]


def test_another_metric_turns_the_better_side() -> None:
    knowledge, _ = corrected(change("71.67", "metric", "MMVP", to="error rate"))
    found = {r.dataset: (r.metric, r.direction) for r in knowledge.results if r.value_text == "71.67%"}
    assert found == {"dataset/mmvp": ("metric/errorrate", "lower"), "dataset/vstar": ("metric/accuracy", "higher")}


def test_corrections_follow_one_another() -> None:
    first, second = change("71.67", "metric", "MMVP", to="error rate"), reject("71.67", "error rate")
    knowledge, heard = corrected(first, second)
    assert not heard
    assert [r.dataset for r in knowledge.results if r.value_text == "71.67%"] == ["dataset/vstar"]
    assert corrected(second, first)[1][0].startswith("correction 1: reject-result: a has no result 71.67 with error ")


STALE = [
    (reject("99.9"), "a has no result 99.9 any more"),
    (reject("62.00", paper="z"), "z has no result"),
    (reject("62.00", "Nobody"), "no result 62.00 with Nobody"),
    (reject("seventy"), "no result seventy"),
    (change("62.00", "metric", to="Nobody"), "no metric is called 'Nobody'"),
    (change("62.00", "dataset", to="GRPO"), "no dataset is called 'GRPO'"),
    (change("62.00", "dataset", to="GRPO", kind="method"), "a method cannot be the dataset"),
    (change("62.00", "method", to="GRPO"), "the method is GRPO already"),
    (change("62.00", "task"), "the task is empty already"),
    (change("62.00", "dataset", to=PAPER), "no dataset is called 'PAPER'"),
]


@pytest.mark.parametrize(("correction", "words"), STALE)
def test_stale_lines_are_reported_and_change_nothing(correction: Correction, words: str) -> None:
    knowledge, heard = corrected(correction)
    assert knowledge == corrected()[0]
    assert len(heard) == 1
    assert words in heard[0]
    assert heard[0].endswith("; the line has no effect")


def test_they_survive_papers_that_come_and_go() -> None:
    lines = (reject("71.67", "VStar"), change("62.00", "dataset", to="MMVP"))
    knowledge, heard = corrected(*lines)
    assert not heard
    assert corrected(*lines, papers=reversed(PAPERS))[0] == knowledge
    assert len(corrected(*lines, papers=PAPERS[1:])[1]) == 2


def test_explain_shows_them() -> None:
    line = replace(change("62.00", "dataset", to="MMVP", comment="see table 2"), place="corrections.yaml:4")
    knowledge, _ = corrected(line)
    shown = render(explain(to_graph(knowledge), "MMVP"))
    assert "corrected a: set-result (62.00 dataset to MMVP; see table 2; corrections.yaml:4)" in shown
    assert "test+corrected" in shown


@pytest.mark.parametrize(
    ("action", "names", "papers", "words"),
    [
        ("reject-result", ("1",), (), "one paper that reports the number"),
        ("reject-result", ("1",), ("a", "b"), "here are 2"),
        ("reject-result", (), ("a",), "the number of a result"),
        ("set-result", ("1",), ("a",), "the number of a result and a slot"),
        ("set-result", ("1", "value"), ("a",), "'value'; known are method, dataset, metric, task, baseline"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    action: str, names: tuple[str, ...], papers: tuple[str, ...], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        Correction(action=action, names=names, papers=papers)


@pytest.mark.parametrize("name", ["c.yaml", "c.tsv"])
def test_written_and_read_back(name: str, tmp_path: Path) -> None:
    lines = (reject("71.67%", "VStar"), change("62.00", "metric", to="accuracy", comment="table 2"))
    for line in lines:
        append_correction(tmp_path / name, line)
    found = load(tmp_path / name)
    assert [replace(line, place="") for line in found] == list(lines)
    assert [line.place for line in found] == [f"{name}:{n}" for n in ((1, 3) if name == "c.yaml" else (2, 3))]


def test_a_bare_number_in_yaml_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("- reject-result: 62.00\n  papers: a\n", encoding="utf-8")
    knowledge, heard = corrected(*load(tmp_path / "c.yaml"))
    assert not heard
    assert len(knowledge.results) == len(corrected()[0].results) - 1
