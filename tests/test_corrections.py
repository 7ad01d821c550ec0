"""The corrections file: reading, refusing, appending, and what each action does to a linked corpus."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph.corrections import Correction, append_correction, load
from sotagraph.errors import ConfigError
from sotagraph.explain import explain
from sotagraph.link import link
from sotagraph.model import PAPER, Document, DocumentEntity, Entity, Evidence, Extraction, Knowledge, Mention, Statement

BAD: dict[str, Any] = json.loads((Path(__file__).parent / "cases/corrections_bad.json").read_text(encoding="utf-8"))


class Nothing:
    """An empty lexicon."""

    def lookup(self, name: str) -> Sequence[Any]:
        return ()


def paper(name: str, *entities: tuple[str, str, str], statements: Iterable[tuple[str, str, str]] = ()) -> Extraction:
    text = ". ".join(entity[0] for entity in entities) + "."
    made = tuple(
        DocumentEntity(
            name=form,
            kind=kind,
            role=role or None,
            mentions=(Mention(text=form, kind=kind, start=text.index(form), end=text.index(form) + len(form)),),
        )
        for form, kind, role in entities
    )
    evidence = Evidence(document_id=name, start=0, end=len(text), rule="test")
    said = tuple(Statement(subject=s, predicate=p, object=o, evidence=evidence) for s, p, o in statements)
    return Extraction(document=Document(id=name, text=text), entities=made, statements=said)


PAPERS = [
    paper(
        "a",
        ("LVR", "method", "proposed"),
        ("GRPO", "method", "used"),
        ("DISCO", "dataset", ""),
        statements=[(PAPER, "proposes", "LVR"), ("LVR", "uses", "GRPO")],
    ),
    paper("b", ("Group Policy Optimization", "method", "used"), ("GRPO", "method", "used"), ("DISCO", "dataset", "")),
    paper("c", ("GRPO", "method", "compared"), ("SOTA", "method", "compared"), ("Lean4", "method", "used")),
]


def corrected(*corrections: Correction, papers: Iterable[Extraction] = PAPERS) -> tuple[Knowledge, list[str]]:
    heard: list[str] = []
    return link(papers, lexicon=Nothing(), corrections=corrections, warn=heard.append), heard


def entity(knowledge: Knowledge, name: str) -> Entity:
    [found] = [e for e in knowledge.entities if e.name == name or name in e.aliases or e.id == name]
    return found


def where(knowledge: Knowledge, entity_id: str) -> set[str]:
    return {o.document_id for o in knowledge.occurrences if o.entity_id == entity_id}


def rules(found: Entity) -> list[str]:
    return [reason.rule for reason in found.reasons if reason.action == "corrected"]


def triples(knowledge: Knowledge) -> set[tuple[str, str, str]]:
    return {(s.subject, s.predicate, s.object) for s in knowledge.statements}


def test_merge() -> None:
    knowledge, heard = corrected(
        Correction(action="merge", names=("GRPO", "Group Policy Optimization"), comment="same")
    )
    grpo = entity(knowledge, "GRPO")
    assert where(knowledge, grpo.id) == {"a", "b", "c"}
    assert grpo.aliases == ("Group Policy Optimization",)
    assert rules(grpo) == ["merge"]
    assert not heard
    facts = explain(knowledge, "GRPO")[0].facts
    assert ("corrected", "Group Policy Optimization") in {(fact.what, fact.text) for fact in facts}


def test_split() -> None:
    knowledge, heard = corrected(Correction(action="split", names=("GRPO",), papers=("c",), to="GRPO classic"))
    assert where(knowledge, "method/grpo") == {"a", "b"}
    assert where(knowledge, "method/grpoclassic") == {"c"}
    assert ("method/grpo", "method/grpoclassic") in knowledge.different
    assert rules(entity(knowledge, "method/grpo")) == rules(entity(knowledge, "method/grpoclassic")) == ["split"]
    assert not heard


def test_split_without_a_name_of_its_own() -> None:
    knowledge, _ = corrected(Correction(action="split", names=("GRPO",), papers=("c",)))
    assert where(knowledge, "method/grpo@c") == {"c"}
    assert len({e.label for e in knowledge.entities}) == len(knowledge.entities)


def test_rename() -> None:
    knowledge, heard = corrected(Correction(action="rename", names=("Lean4",), to="Lean 4 prover"))
    lean = entity(knowledge, "Lean4")
    assert (lean.id, lean.name, lean.aliases) == ("method/lean4prover", "Lean 4 prover", ("Lean4",))
    assert rules(lean) == ["rename"]
    assert not heard


def test_retype() -> None:
    knowledge, heard = corrected(Correction(action="retype", names=("DISCO",), to="metric"))
    assert entity(knowledge, "DISCO").id == "metric/disco"
    assert rules(entity(knowledge, "DISCO")) == ["retype"]
    assert not heard


def test_reject_everywhere_and_in_one_paper() -> None:
    knowledge, heard = corrected(
        Correction(action="reject", names=("SOTA",)), Correction(action="reject", names=("GRPO",), papers=("a",))
    )
    assert "SOTA" not in {e.name for e in knowledge.entities}
    assert where(knowledge, "method/grpo") == {"b", "c"}
    assert not [s for s in knowledge.statements if s.object == "method/grpo"]
    assert not heard


def test_reject_statement_takes_its_copy_about_the_paper() -> None:
    before, _ = corrected()
    gone = {("method/lvr", "uses", "method/grpo"), ("paper/a", "uses", "method/grpo")}
    assert gone <= triples(before)
    knowledge, heard = corrected(Correction(action="reject-statement", names=("LVR", "uses", "GRPO")))
    assert triples(before) - triples(knowledge) == gone
    assert rules(entity(knowledge, "LVR")) == ["reject-statement"]
    assert not heard


def test_add_statement() -> None:
    knowledge, heard = corrected(
        Correction(action="add-statement", names=("LVR", "evaluatedOn", "DISCO"), papers=("a",), quote="DISCO"),
        Correction(action="add-statement", names=(PAPER, "hasCode", "https://example.org/lvr"), papers=("a",)),
    )
    added = {s.predicate: s for s in knowledge.statements if s.evidence.rule == "corrected"}
    assert not heard
    assert (added["evaluatedOn"].subject, added["evaluatedOn"].object) == ("method/lvr", "dataset/disco")
    place = added["evaluatedOn"].evidence
    assert PAPERS[0].document.text[place.start : place.end] == "DISCO"
    assert (added["hasCode"].subject, added["hasCode"].object) == ("paper/a", "https://example.org/lvr")
    assert rules(entity(knowledge, "DISCO")) == ["add-statement"]


STALE = [
    (Correction(action="merge", names=("GRPO", "Nobody")), "'Nobody'"),
    (Correction(action="merge", names=("GRPO", "grpo")), "one thing already"),
    (Correction(action="rename", names=("Nobody",), to="Somebody"), "'Nobody'"),
    (Correction(action="split", names=("GRPO",), papers=("z",)), "'GRPO' (as z)"),
    (Correction(action="retype", names=("GRPO",), to="task", kind="dataset"), "'GRPO' (as dataset)"),
    (Correction(action="reject", names=("Nobody",)), "'Nobody'"),
    (Correction(action="reject-statement", names=("LVR", "uses", "DISCO")), "no paper says"),
    (Correction(action="add-statement", names=("LVR", "uses", "GRPO"), papers=("z",)), "0 papers"),
    (Correction(action="add-statement", names=("LVR", "uses", "Nobody"), papers=("a",)), "'Nobody'"),
    (Correction(action="add-statement", names=("LVR", "evaluatedOn", "GRPO"), papers=("a",)), "cannot"),
    (Correction(action="add-statement", names=("LVR", "uses", "GRPO"), papers=("a",), quote="nowhere"), "quote"),
]


@pytest.mark.parametrize(("correction", "words"), STALE, ids=lambda value: getattr(value, "action", ""))
def test_stale_lines_are_reported_and_change_nothing(correction: Correction, words: str) -> None:
    before, _ = corrected()
    knowledge, heard = corrected(correction)
    assert knowledge == before
    assert len(heard) == 1
    assert words in heard[0]
    assert heard[0].startswith("correction 1: ")


def test_a_name_of_several_things_needs_an_id() -> None:
    papers = [paper("a", ("FACT", "method", "proposed")), paper("b", ("FACT", "method", "proposed"))]
    _, heard = corrected(Correction(action="rename", names=("FACT",), to="X"), papers=papers)
    assert "method/fact@a, method/fact@b" in heard[0]
    knowledge, heard = corrected(Correction(action="rename", names=("method/fact@b",), to="X"), papers=papers)
    assert not heard
    assert {e.id for e in knowledge.entities} == {"method/fact", "method/x"}


def test_retype_onto_a_thing_of_that_kind_makes_them_one() -> None:
    papers = [paper("a", ("Yak", "metric", "introduced")), paper("b", ("Yak", "dataset", "introduced"))]
    knowledge, heard = corrected(
        Correction(action="retype", names=("Yak",), to="metric", kind="dataset"), papers=papers
    )
    assert [e.id for e in knowledge.entities] == ["metric/yak"]
    assert not heard


def test_corrections_survive_papers_that_come_and_go() -> None:
    corrections = (
        Correction(action="merge", names=("GRPO", "Group Policy Optimization")),
        Correction(action="split", names=("GRPO",), papers=("c",)),
        Correction(action="reject", names=("SOTA",)),
    )
    more = [*PAPERS, paper("d", ("Group Policy Optimization", "method", "used"), ("SOTA", "method", "used"))]
    knowledge, heard = corrected(*corrections, papers=more)
    assert not heard
    assert where(knowledge, "method/grpo") == {"a", "b", "d"}
    assert corrected(*corrections, papers=reversed(more))[0] == knowledge
    fewer, heard = corrected(*corrections, papers=PAPERS[:1])
    assert len(heard) == 3
    assert where(fewer, "method/grpo") == {"a"}


@pytest.mark.parametrize("suffix", ["yaml", "tsv"])
@pytest.mark.parametrize("number", range(20))
def test_bad_files_are_refused_with_their_line(suffix: str, number: int, tmp_path: Path) -> None:
    if number >= len(BAD[suffix]):
        return
    text, line, words = BAD[suffix][number]
    path = tmp_path / f"corrections.{suffix}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert f"corrections.{suffix}:{line}:" in str(caught.value)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "missing.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "bytes.yaml")


def test_an_empty_file_corrects_nothing(tmp_path: Path) -> None:
    for name in ("a.yaml", "a.tsv"):
        (tmp_path / name).write_text("# nothing yet\n", encoding="utf-8")
        assert load(tmp_path / name) == ()


def test_both_forms_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(
        "- merge: [CoT, Chain-of-Thought]\n  comment: same thing\n- reject: SOTA\n  papers: [p1, p2]\n",
        encoding="utf-8",
    )
    (tmp_path / "c.tsv").write_text(
        "action\tnames\tpapers\tcomment\n# fine\nmerge\tCoT|Chain-of-Thought\t\tsame thing\nreject\tSOTA\tp1|p2\n",
        encoding="utf-8",
    )
    from_yaml, from_tsv = load(tmp_path / "c.yaml"), load(tmp_path / "c.tsv")
    assert [(c.action, c.names, c.papers, c.comment) for c in from_yaml] == [
        (c.action, c.names, c.papers, c.comment) for c in from_tsv
    ]
    assert [c.place for c in from_yaml] == ["c.yaml:1", "c.yaml:3"]
    assert [c.place for c in from_tsv] == ["c.tsv:3", "c.tsv:4"]


CELL = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12).filter(
    lambda text: "|" not in text and not text.startswith("#")
)


@settings(deadline=None)
@pytest.mark.parametrize("suffix", ["yaml", "tsv"])
@given(names=st.lists(CELL, min_size=2, max_size=3), comment=st.one_of(st.just(""), CELL))
def test_what_is_appended_reads_back(
    suffix: str, names: list[str], comment: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("c") / f"corrections.{suffix}"
    first = Correction(action="merge", names=tuple(names), comment=comment)
    second = Correction(action="reject", names=(names[0],), papers=("p1", "p2"))
    append_correction(path, first)
    append_correction(path, second)
    found = load(path)
    assert [(c.action, c.names, c.papers, c.comment) for c in found] == [
        (c.action, c.names, c.papers, c.comment) for c in (first, second)
    ]


def test_appending_keeps_what_stands_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    old = "# ours, see the wiki\n- rename: 'Lean4'  # sic\n  to: Lean 4"
    path.write_text(old, encoding="utf-8")
    path.chmod(0o640)
    append_correction(path, Correction(action="reject", names=("SOTA",)))
    assert path.read_text(encoding="utf-8").startswith(f"{old}\n- reject: ")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [child.name for child in tmp_path.iterdir()] == ["c.yaml"]


def test_a_broken_file_is_not_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("- merge: [A\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        append_correction(path, Correction(action="reject", names=("SOTA",)))
    assert path.read_text(encoding="utf-8") == "- merge: [A\n"
    path.write_text("  - reject: A\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        append_correction(path, Correction(action="reject", names=("SOTA",)))
    assert path.read_text(encoding="utf-8") == "  - reject: A\n"
