"""A build that was answered before makes nothing, says the same, and is not fooled."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import fakes
from sotagraph import again, api, engine, files, keep, staging
from sotagraph.corrections import Correction
from sotagraph.errors import ConfigError
from sotagraph.model import Document, Extraction
from sotagraph.read import Known

PAPERS = "".join(f'{{"id": "p{n}", "title": "T{n}", "abstract": "We present ALPHA{"BCDE"[n]}."}}\n' for n in range(4))
CORRECTIONS = "- rename: ALPHAB\n  to: Omega\n- reject: NOBODY\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: papers, one of them twice, and a build of them."""
    monkeypatch.chdir(tmp_path)
    Path("papers").mkdir()
    Path("papers", "a.jsonl").write_text(PAPERS, encoding="utf-8")
    Path("papers", "b.jsonl").write_text(PAPERS[: PAPERS.index("\n") + 1], encoding="utf-8")
    Path("mine.yaml").write_text(CORRECTIONS, encoding="utf-8")
    build()
    return tmp_path


def build(out: str = "out", **options: Any) -> tuple[api.KnowledgeGraph, list[str], list[str]]:
    """A build with what it complained of and the steps that it took."""
    said: list[str] = []
    steps: list[str] = []
    given: dict[str, Any] = {"factory": fakes.Capitals, "corrections": "mine.yaml"}
    kg = api.build("papers", out, **{**given, "warn": said.append, "step": steps.append, **options})
    return kg, said, steps


def snapshot(out: str = "out") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(out).iterdir() if path.is_file()}


def did_nothing(steps: list[str]) -> bool:
    return steps[-1] == "nothing is new"


@pytest.mark.usefixtures("site")
def test_nothing_new_makes_nothing_and_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, complaints, _ = build("alone")
    before = {path: path.stat().st_mtime_ns for path in Path("out").rglob("*")}
    monkeypatch.delattr(api, "_assemble")
    monkeypatch.delattr(staging, "commit")
    told: list[tuple[int, int]] = []
    kg, said, steps = build(progress=lambda *count: told.append(count))
    assert did_nothing(steps)
    assert told == [(4, 4)]
    assert said == complaints
    assert any("NOBODY" in line for line in said)
    assert any("copies" in line for line in said)
    assert {path: path.stat().st_mtime_ns for path in Path("out").rglob("*")} == before
    assert nx.utils.graphs_equal(kg.graph, expected.graph)
    assert (kg.summary, kg.extractions) == (expected.summary, expected.extractions)


def edit(name: str) -> None:
    Path("out", name).write_bytes(b"mine")


#: What may have happened since, each enough to build again.
EVENTS: dict[str, Callable[[], object]] = {
    **{f"{name} edited": partial(edit, name) for name in files.NAMES},
    # Without its extractions a directory is no build.
    **{f"{name} gone": Path("out", name).unlink for name in files.NAMES - {files.EXTRACTIONS}},
    "one letter edited": lambda: Path("out", "report.md").write_bytes(
        Path("out", "report.md").read_bytes().replace(b"a", b"b", 1)
    ),
    "cache gone": lambda: Path("out", keep.CACHE).unlink(),
    "cache torn": lambda: Path("out", keep.CACHE).write_bytes(Path("out", keep.CACHE).read_bytes()[:-3]),
    "paper more": lambda: Path("papers", "c.jsonl").write_text('{"abstract": "We present NEWER."}', encoding="utf-8"),
    "paper changed": lambda: Path("papers", "a.jsonl").write_text(PAPERS.replace("T1", "T9"), encoding="utf-8"),
    "papers gone": lambda: Path("papers", "a.jsonl").write_text(PAPERS[PAPERS.index("\n") + 1 :], encoding="utf-8"),
    "file renamed": lambda: Path("papers", "a.jsonl").rename(Path("papers", "z.jsonl")),
    "empty file": lambda: Path("papers", "empty.jsonl").write_text("", encoding="utf-8"),
    "corrections changed": lambda: Path("mine.yaml").write_text("- reject: ALPHAC\n", encoding="utf-8"),
    "corrections emptied": lambda: Path("mine.yaml").write_text("", encoding="utf-8"),
}


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("event", sorted(EVENTS))
def test_whatever_happened_is_seen(event: str) -> None:
    EVENTS[event]()
    _, _, steps = build()
    assert not did_nothing(steps)
    build("alone")
    assert snapshot() == snapshot("alone")
    assert did_nothing(build()[2])


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    "options",
    [
        {"min_confidence": 0.8},
        {"corrections": None},
        {"corrections": Path("other.yaml")},
        {"factory": fakes.Newer},
    ],
    ids=str,
)
def test_other_options_are_another_question(options: dict[str, Any]) -> None:
    Path("other.yaml").write_bytes(Path("mine.yaml").read_bytes())
    assert not did_nothing(build(**options)[2])
    build("alone", **options)
    assert snapshot() == snapshot("alone")
    assert did_nothing(build(**options)[2])
    assert not did_nothing(build()[2])
    assert did_nothing(build(workers=2)[2])


@pytest.mark.usefixtures("site")
def test_corrections_of_the_directory_count(monkeypatch: pytest.MonkeyPatch) -> None:
    build(corrections=None)
    api.correct("out", Correction(action="reject", names=("ALPHAC",)))
    assert not did_nothing(build(corrections=None)[2])
    assert did_nothing(build(corrections=None)[2])
    monkeypatch.setattr(keep, "version", lambda: b"\0" * 32)
    assert not did_nothing(build(corrections=None)[2])


@pytest.mark.usefixtures("site")
def test_corrections_that_are_gone_are_missed() -> None:
    Path("mine.yaml").unlink()
    with pytest.raises(ConfigError, match=r"mine\.yaml"):
        build()


@pytest.mark.usefixtures("site")
def test_a_journal_that_is_left_over_goes() -> None:
    work = Path("out", staging.WORK)
    work.mkdir()
    (work / "journal.jsonl").write_text("{}\n", encoding="utf-8")
    assert did_nothing(build()[2])
    assert not work.exists()


@pytest.mark.usefixtures("site")
def test_touched_files_are_made_again_and_copies_that_keep_times_are_not() -> None:
    os.utime(Path("out", "graph.ttl"), ns=(1, 1))
    before = snapshot()
    assert not did_nothing(build()[2])
    assert snapshot() == before


def test_what_a_strange_reader_gave_is_never_certain() -> None:
    known = Known()
    assert again.request(known, [], None, 0.0, "v") is not None
    known.certain = False
    assert again.request(known, [], None, 0.0, "v") is None
    assert not again.is_answered(None, keep.Kept({"request": None}), Path("nowhere"), files.NAMES)


def test_the_version_of_what_ships_is_known_without_loading_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    one = engine.Deferred(engine.default_factory, ("v1", engine.shipped()), said.append)
    assert (one.version, one.noted, said) == ("v1", ("v1", engine.shipped()), [])
    assert engine.Deferred(fakes.Newer, ("v1", engine.shipped()), said.append).version == "capitals 2"
    monkeypatch.setattr(engine, "default_factory", fakes.Newer)
    changed = engine.Deferred(fakes.Newer, ("v1", "of other data"), said.append)
    assert (changed.version, changed.noted) == ("capitals 2", ("capitals 2", engine.shipped()))
    assert said == ["loading the extractor"] * 2


def test_what_was_not_read_beside_is_read_in_one_batch() -> None:
    asked: list[list[str]] = []

    class Noting(fakes.Capitals):
        def pipe(self, documents: Iterable[Document]) -> Iterator[Extraction]:
            some = list(documents)
            asked.append([document.id for document in some])
            return super().pipe(some)

    papers = [Document(id=name, text=f"We present {name}.") for name in ("ALPHA", "BETA", "GAMMA")]
    extractor = engine.Deferred(Noting)
    extractor._ready = {papers[1]: next(fakes.Capitals().pipe(papers[1:2]))}
    assert [one.document for one in extractor.pipe(papers)] == papers
    assert asked == [["ALPHA", "GAMMA"]]
    assert list(extractor.pipe(papers[1:2])) == [extractor._ready[papers[1]]]
    assert len(asked) == 1


def test_what_ships_is_told_by_its_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("data/lexicon.tsv", "data/model/model.onnx", "extract/rules.py", "names.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"one")
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    seen = set()
    for name in ("", "data/lexicon.tsv", "data/model/model.onnx", "extract/rules.py", "names.py"):
        if name:
            (tmp_path / name).write_bytes(b"two")
        engine.shipped.cache_clear()
        seen.add(engine.shipped())
    engine.shipped.cache_clear()
    assert len(seen) == 5
