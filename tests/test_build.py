"""Builds as a whole, with a stand-in for the extractor: incremental, resumed, killed, and always the same bytes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

import fakes
import sotagraph
from sotagraph import api, files, records, staging
from sotagraph.errors import BuildError, ConfigError, InputError
from sotagraph.model import Document

TESTS = Path(__file__).parent
#: Everything in a build directory; the cache is a directory, and no part of what is compared.
NAMES = {files.EXTRACTIONS, *(file.name for file in files.FILES), ".cache"}


def write_papers(path: Path, documents: Iterable[Document]) -> Path:
    lines = (json.dumps({"id": d.id, "title": f"Paper {d.id}", "abstract": d.text, "year": d.year}) for d in documents)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def snapshot(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}


def quiet_build(papers: Path, out: Path, factory: type[fakes.Capitals] = fakes.Capitals) -> dict[str, bytes]:
    api.build(papers, out, factory=factory, warn=lambda _: None)
    return snapshot(out)


class Counting:
    """A factory that remembers what its extractors were asked for."""

    def __init__(self, kind: type[fakes.Capitals] = fakes.Capitals) -> None:
        self.kind = kind
        self.made: list[fakes.Capitals] = []

    def __call__(self) -> fakes.Capitals:
        self.made.append(self.kind())
        return self.made[-1]

    @property
    def seen(self) -> list[str]:
        return [document for one in self.made for document in one.seen]


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    return write_papers(tmp_path / "papers.jsonl", fakes.papers(30))


def test_a_build_writes_its_files_and_nothing_else(papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    kg = sotagraph.build(papers, out, factory=fakes.Capitals)
    assert {path.name for path in out.iterdir()} == NAMES
    assert sum(data["kind"] == "Paper" for _, data in kg.graph.nodes(data=True)) == 30
    assert "AAAAA" not in kg.graph.nodes
    assert kg.graph.has_edge("paper/d00", "method/aaaaa")


def test_the_same_input_gives_the_same_bytes(papers: Path, tmp_path: Path) -> None:
    first = quiet_build(papers, tmp_path / "one")
    assert quiet_build(papers, tmp_path / "two") == first
    api.build(papers, tmp_path / "three", factory=fakes.Capitals, workers=2)
    assert snapshot(tmp_path / "three") == first


def test_the_order_of_the_input_does_not_matter(tmp_path: Path) -> None:
    documents = fakes.papers(12)
    first = quiet_build(write_papers(tmp_path / "papers.jsonl", documents), tmp_path / "one")
    random.Random(7).shuffle(documents)
    second = quiet_build(write_papers(tmp_path / "papers.jsonl", documents), tmp_path / "two")
    # Where in its file a paper stands is part of what is said about it.
    assert first.keys() == second.keys()
    assert without_sources(first) == without_sources(second)


def without_sources(files: dict[str, bytes]) -> list[object]:
    graph = json.loads(files["graph.json"])
    for node in graph["nodes"]:
        node.pop("source", None)
    return [graph]


def test_a_build_in_memory_equals_one_that_is_written(papers: Path, tmp_path: Path) -> None:
    kg = sotagraph.build([papers], factory=fakes.Capitals)
    kg.write(tmp_path / "written")
    assert snapshot(tmp_path / "written") == quiet_build(papers, tmp_path / "built")


def test_a_loaded_build_writes_the_same_again(papers: Path, tmp_path: Path) -> None:
    first = quiet_build(papers, tmp_path / "one")
    sotagraph.load(tmp_path / "one").write(tmp_path / "two")
    assert snapshot(tmp_path / "two") == first


def test_a_second_build_extracts_only_what_is_new_or_changed(papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    quiet_build(papers, out)
    documents = fakes.papers(32)
    documents[3] = Document(id="d03", text="We present CHANGED, a method.", year=2026)
    del documents[10]
    write_papers(papers, documents)
    factory = Counting()
    api.build(papers, out, factory=factory)
    assert factory.seen == ["d03", "d30", "d31"]
    assert snapshot(out) == quiet_build(papers, tmp_path / "anew")
    graph = sotagraph.load(out).graph
    assert "method/changed" in graph
    assert "paper/d10" not in graph


def test_a_build_without_change_extracts_nothing(papers: Path, tmp_path: Path) -> None:
    first = quiet_build(papers, tmp_path / "out")
    factory = Counting()
    api.build(papers, tmp_path / "out", factory=factory)
    assert factory.seen == []
    assert snapshot(tmp_path / "out") == first


def test_another_extractor_extracts_all_anew(papers: Path, tmp_path: Path) -> None:
    quiet_build(papers, tmp_path / "out")
    factory = Counting(fakes.Newer)
    api.build(papers, tmp_path / "out", factory=factory)
    assert len(factory.seen) == 30
    assert {one.extractor for one in sotagraph.load(tmp_path / "out").extractions} == {"capitals 2"}


@pytest.mark.parametrize("damage", [b"", b"nonsense\n", b"\0\0\0", b'{"id": "d00"}\n'])
def test_a_damaged_cache_is_made_anew(papers: Path, tmp_path: Path, damage: bytes) -> None:
    first = quiet_build(papers, tmp_path / "out")
    (tmp_path / "out" / files.EXTRACTIONS).write_bytes(damage)
    assert quiet_build(papers, tmp_path / "out") == first


def test_a_threshold_costs_no_extraction(tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "p.jsonl", [Document(id="a", text="We present QAT and LVR, methods.", year=2026)])
    quiet_build(papers, tmp_path / "out")
    factory = Counting()
    kg = api.build(papers, tmp_path / "out", min_confidence=0.5, factory=factory)
    assert factory.seen == []
    assert "method/lvr" in kg.graph
    assert "method/qat" not in kg.graph
    back = api.build(papers, tmp_path / "out", factory=factory)
    assert factory.seen == []
    assert "method/qat" in back.graph


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_a_threshold_out_of_range_is_refused(papers: Path, value: float) -> None:
    with pytest.raises(ConfigError, match="from 0 to 1"):
        api.build(papers, min_confidence=value, factory=fakes.Capitals)


def test_progress_runs_from_the_known_to_the_whole(papers: Path, tmp_path: Path) -> None:
    quiet_build(papers, tmp_path / "out")
    write_papers(papers, fakes.papers(50))
    told: list[tuple[int, int]] = []
    api.build(papers, tmp_path / "out", factory=fakes.Capitals, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (30, 50)
    assert told[-1] == (50, 50)
    assert told == sorted(told)


def test_a_missing_path_makes_no_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.jsonl"):
        api.build(tmp_path / "missing.jsonl", tmp_path / "out", factory=fakes.Capitals)
    assert not (tmp_path / "out").exists()


def test_a_failing_extractor_makes_no_directory(papers: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="model file is damaged"):
        api.build(papers, tmp_path / "out", factory=fakes.Failing)
    assert not (tmp_path / "out").exists()


def test_files_that_are_not_a_build_are_not_overwritten(papers: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("my homepage", encoding="utf-8")
    with pytest.raises(BuildError, match=r"index\.html but is no build"):
        api.build(papers, site, factory=fakes.Capitals)
    assert snapshot(site) == {"index.html": b"my homepage"}
    with pytest.raises(BuildError, match="is a file"):
        api.build(papers, papers, factory=fakes.Capitals)


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "is no build"), ("{", "not the node-link JSON"), ("[]", "not the node-link JSON"), ("\x00", "not the")],
)
def test_load_says_what_is_wrong(tmp_path: Path, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / files.GRAPH).write_text(content, encoding="utf-8")
    with pytest.raises(BuildError, match=message):
        sotagraph.load(tmp_path)


def test_load_of_nothing_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="does not exist; make one with: sotagraph build"):
        sotagraph.load(tmp_path / "missing")


# A former build, a new one killed on the way, and a third that goes on.

STEPS = [
    "loading the extractor",
    "extracted 8",
    "extracted 24",
    "extracted 56",
    "linking",
    *(f"writing {name}" for name in (files.EXTRACTIONS, "graph.json", "graph.nt", "index.html", "report.md")),
]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Bytes of the former build and of the new one, each made from nothing."""
    directory = tmp_path_factory.mktemp("expected")
    papers = directory / "papers.jsonl"
    out = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        for count in (8, 60):
            write_papers(papers, fakes.papers(count))
            out.append(quiet_build(Path("papers.jsonl"), directory / str(count)))
    return out[0], out[1]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a build of 8 papers in ``out``, and 60 in ``papers.jsonl``."""
    monkeypatch.chdir(tmp_path)
    write_papers(tmp_path / "papers.jsonl", fakes.papers(8))
    quiet_build(Path("papers.jsonl"), Path("out"))
    write_papers(tmp_path / "papers.jsonl", fakes.papers(60))
    return tmp_path


def start(directory: Path, *step: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(TESTS / "builder.py"), "papers.jsonl", "out", *step]
    return subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def resume() -> Counting:
    factory = Counting()
    api.build(Path("papers.jsonl"), Path("out"), factory=factory, warn=lambda _: None)
    return factory


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("step", STEPS)
def test_a_build_killed_at_a_step_leaves_the_former_one(
    step: str, site: Path, expected: tuple[dict[str, bytes], dict[str, bytes]]
) -> None:
    old, new = expected
    with start(site, step) as process:
        said, errors = process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL, errors
    assert said.splitlines()[-1] == step
    assert snapshot(site / "out") == old
    assert len(sotagraph.load(site / "out").extractions) == 8
    factory = resume()
    assert snapshot(site / "out") == new
    assert {path.name for path in (site / "out").iterdir()} == NAMES
    journaled = max((int(line.split()[1]) for line in said.splitlines() if line.startswith("extracted")), default=0)
    assert len(factory.seen) == 60 - max(journaled, 8)


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("count", [0, 1, 5, 10])
def test_a_build_killed_between_its_renames_is_completed_by_whoever_comes(
    count: int, site: Path, expected: tuple[dict[str, bytes], dict[str, bytes]]
) -> None:
    _, new = expected
    with start(site, f"rename {count}") as process:
        process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    assert len(sotagraph.load(site / "out").extractions) == 60
    assert snapshot(site / "out") == new
    assert {path.name for path in (site / "out").iterdir()} == NAMES


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("seed", range(10))
def test_a_build_killed_at_any_moment_leaves_one_build_whole(
    seed: int, site: Path, expected: tuple[dict[str, bytes], dict[str, bytes]]
) -> None:
    old, new = expected
    began = time.monotonic()
    with start(site) as process:
        try:
            process.wait(timeout=random.Random(seed).uniform(0.1, 2.5))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    assert time.monotonic() - began < 60
    sotagraph.load(site / "out")
    assert snapshot(site / "out") in (old, new)
    resume()
    assert snapshot(site / "out") == new


def test_ctrl_c_leaves_a_journal_and_the_former_build(site: Path) -> None:
    before = snapshot(site / "out")

    def progress(done: int, _: int) -> None:
        if done >= 24:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        api.build(Path("papers.jsonl"), Path("out"), factory=fakes.Capitals, progress=progress, warn=lambda _: None)
    assert snapshot(site / "out") == before
    journal = (site / "out" / staging.WORK / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert len([records.loads(line) for line in journal]) == 16
    assert resume().seen[0] == "d24"
