"""The tools in training/ that need no torch: plan of a training, scoring of spans, reliability, errors, documents."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotagraph.extract.calibrate import calibrate, interpolate, load_tables
from sotagraph.model import DocumentEntity, Evidence, Mention, Statement

ROOT = Path(__file__).parents[1]
TRAINING = ROOT / "training"
SHARED = ROOT.parent / "shared"
needs_shared = pytest.mark.skipif(not (SHARED / "score").is_dir(), reason="../shared is not there")


def tool(name: str) -> Any:
    """A module of training/, which is no package."""
    known = sys.modules.get(f"training_{name}")
    if known is not None:
        return known
    spec = importlib.util.spec_from_file_location(f"training_{name}", TRAINING / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def scorer() -> ModuleType:
    if not (SHARED / "score" / "score.py").is_file():
        pytest.skip("../shared is not there")
    spec = importlib.util.spec_from_file_location("shared_score", SHARED / "score" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The plan of a training


def planned(tmp_path: Path) -> list[Any]:
    steps: list[Any] = tool("make").steps(Path("/shared"), Path("/base"), tmp_path)
    return steps


def option(command: tuple[str, ...], name: str) -> str:
    return command[command.index(name) + 1]


def commands(tmp_path: Path) -> list[tuple[str, ...]]:
    return [command for step in planned(tmp_path) for command in step.commands]


def test_every_command_calls_a_script_that_is_there(tmp_path: Path) -> None:
    for command in commands(tmp_path):
        assert (TRAINING / command[0]).is_file()
        assert "{out}" in command


def test_scripts_know_the_options_that_they_are_given(tmp_path: Path) -> None:
    for command in commands(tmp_path):
        script = (TRAINING / command[0]).read_text(encoding="utf-8")
        for argument in command:
            if argument.startswith("--"):
                assert f'"{argument}"' in script, (command[0], argument)


def test_a_plan_is_made_without_the_package() -> None:
    code = f"import sys; sys.modules['sotagraph'] = None; sys.path.insert(0, {str(TRAINING)!r}); import make"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_nothing_reads_the_parts_that_it_is_judged_on(tmp_path: Path) -> None:
    parts, steps = tool("parts"), {step.name: step for step in planned(tmp_path)}
    unread: list[str] = []
    for number, command in enumerate(steps["predictions"].commands, 1):
        read = set(option(steps[f"fold-{number}"].commands[0], "--parts").split(","))
        asked = option(command, "--parts").split(",")
        assert read.isdisjoint(asked)
        assert read | set(asked) - set(map(str, parts.OWN)) == set(map(str, parts.SHARED))
        assert option(command, "--weights").endswith(f"fold-{number}.pt")
        unread += asked
    assert len(set(unread)) == len(unread)
    assert set(unread) == set(map(str, parts.LEARNED))
    for name in ("decision", "calibration"):
        assert sorted(option(steps[name].commands[0], "--parts").split(",")) == sorted(unread)
    assert parts.DEVELOPMENT not in parts.LEARNED


def test_averaged_networks_have_one_start(tmp_path: Path) -> None:
    steps = {step.name: step for step in planned(tmp_path)}
    seeds = {option(steps[name].commands[0], "--seed") for name in tool("make").AVERAGED}
    assert len(seeds) == 1


STUB = """
import sys
from pathlib import Path
arguments = sys.argv[1:]
out = Path(arguments[arguments.index("--out") + 1])
if "--fail" in arguments:
    out.write_text("half")
    raise SystemExit(1)
(out / "inside.txt" if out.is_dir() else out).write_text(" ".join(arguments))
"""


@pytest.fixture
def stubbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`make` with three steps of a script that writes its arguments; nothing is put into the package."""
    make = tool("make")
    (tmp_path / "stub.py").write_text(STUB, encoding="utf-8")
    (tmp_path / "base").mkdir()
    three = [
        make.Step("one", "one.pt", "first", (("stub.py", "--out", "{out}"),)),
        make.Step("two", "two", "second", (("stub.py", "--out", "{out}"),)),
        make.Step("three", "three.json", "third", (("stub.py", "--out", "{out}"),)),
    ]
    monkeypatch.setattr(make, "HERE", tmp_path)
    monkeypatch.setattr(make, "steps", lambda *_: three)
    monkeypatch.setattr(make, "check_base", lambda _: None)
    monkeypatch.setattr(make, "install", lambda *_: None)
    return make


def run(make: Any, tmp_path: Path, *more: str) -> Path:
    work = tmp_path / "work"
    make.main(["--shared", str(tmp_path), "--base", str(tmp_path / "base"), "--work", str(work), *more])
    return work


def test_all_steps_are_made_once(stubbed: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    work = run(stubbed, tmp_path)
    assert (work / "one.pt").is_file()
    assert (work / "two" / "inside.txt").is_file()
    assert sorted(json.loads((work / "times.json").read_text(encoding="utf-8"))) == ["all", "one", "three", "two"]
    assert not list(work.glob("*.part"))
    (work / "one.pt").write_text("mine", encoding="utf-8")
    capfd.readouterr()
    run(stubbed, tmp_path)
    assert (work / "one.pt").read_text(encoding="utf-8") == "mine"
    assert capfd.readouterr().out.count("(kept)") == 3


def test_steps_wait_for_those_that_they_need_and_others_run_beside_them(
    stubbed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that wait for each other end only where both run at once; the third must find both done."""
    together = threading.Barrier(2, timeout=30)
    done: list[str] = []

    def timed(step: Any, _: Path) -> float:
        if step.name == "last":
            assert sorted(done) == ["first", "second"]
        else:
            together.wait()
        done.append(step.name)
        return 0.0

    monkeypatch.setattr(stubbed, "timed", timed)
    names = {"last": ("first", "second"), "first": (), "second": ()}
    todo = [stubbed.Step(name, f"{name}.pt", name, (), needs) for name, needs in names.items()]
    stubbed.run_all(todo, tmp_path, 2)
    assert done[2:] == ["last"]


def test_no_step_at_a_time_is_refused(stubbed: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(stubbed, tmp_path, "--jobs", "0")
    assert "--jobs 0: at least one step" in capsys.readouterr().err


def test_steps_need_only_steps_before_them(tmp_path: Path) -> None:
    before: set[str] = set()
    for step in planned(tmp_path):
        assert before.issuperset(step.needs), step.name
        read = {word for command in step.commands for word in command}
        made = {str(tmp_path / other.makes): other.name for other in planned(tmp_path)}
        assert {made[word] for word in read if word in made} <= set(step.needs)
        before.add(step.name)


def test_from_makes_a_step_and_all_after_it_anew(stubbed: Any, tmp_path: Path) -> None:
    work = run(stubbed, tmp_path)
    for name in ("one.pt", "two/inside.txt", "three.json"):
        (work / name).write_text("old", encoding="utf-8")
    run(stubbed, tmp_path, "--from", "two")
    assert (work / "one.pt").read_text(encoding="utf-8") == "old"
    assert (work / "two" / "inside.txt").read_text(encoding="utf-8") != "old"
    assert (work / "three.json").read_text(encoding="utf-8") != "old"


def test_a_failed_step_leaves_no_file_that_passes_for_whole(stubbed: Any, tmp_path: Path) -> None:
    step = stubbed.Step("bad", "bad.pt", "fails", (("stub.py", "--out", "{out}", "--fail"),))
    with pytest.raises(subprocess.CalledProcessError):
        stubbed.run(step, tmp_path)
    assert not (tmp_path / "bad.pt").exists()


def test_a_dry_run_makes_nothing(stubbed: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(stubbed, tmp_path, "--dry-run")
    assert not (tmp_path / "work").exists()
    assert capsys.readouterr().out.count("python training/stub.py") == 3


def test_an_unknown_step_is_named_with_those_that_are(
    stubbed: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(stubbed, tmp_path, "--from", "four")
    assert "no step is called four; there are one, two, three" in capsys.readouterr().err


def test_installing_puts_every_file_in_its_place(tmp_path: Path) -> None:
    make = tool("make")
    work, out = tmp_path / "work", tmp_path / "out"
    made = [f"model/{name}" for name in make.SHIPPED]
    made += ["rules/decision-rules.json", "decision/decision-model.json", "results.json", "calibration.json"]
    for name in made:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(name, encoding="utf-8")
    make.install(work, out)
    placed = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    assert placed == sorted(
        [*[f"model/{name}" for name in make.SHIPPED], *[name.rpartition("/")[2] for name in made[-4:]]]
    )


def test_other_base_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(ValueError, match=r"all-MiniLM-L6-v2 has 53aa5117…28d9db"):
        tool("make").check_base(tmp_path)


def test_averaging_wants_networks_of_one_shape() -> None:
    mean: Callable[[Any], Any] = tool("average").mean
    assert mean([{"a": 1.0, "b": 4.0}, {"a": 3.0, "b": 0.0}]) == {"a": 2.0, "b": 2.0}
    with pytest.raises(ValueError, match="different networks"):
        mean([{"a": 1.0}, {"b": 1.0}])


# Spans

SPANS = [
    ("same", [(0, 4, "task")], [(0, 4, "task")], 1),
    ("wider", [(0, 4, "task")], [(2, 9, "task")], 1),
    ("beside", [(0, 4, "task")], [(4, 9, "task")], 0),
    ("other kind", [(0, 4, "task")], [(0, 4, "method")], 0),
    ("one for two", [(0, 4, "task"), (5, 9, "task")], [(0, 9, "task")], 1),
    ("two for one", [(0, 9, "task")], [(0, 4, "task"), (5, 9, "task")], 1),
    ("nothing", [], [(0, 4, "task")], 0),
]


@pytest.mark.parametrize(("gold", "found", "hits"), [case[1:] for case in SPANS], ids=[case[0] for case in SPANS])
def test_spans_that_overlap_pair_one_to_one(gold: Any, found: Any, hits: int) -> None:
    assert tool("spans").overlapping(gold, found) == hits


def test_figures_by_level() -> None:
    text = "BLEU and bleu and BLEU score"
    figures = tool("spans").figures(
        [(text, [(0, 4, "metric"), (9, 13, "metric")], [(0, 4, "metric"), (18, 28, "metric"), (5, 8, "task")])],
        ["metric"],
    )
    rows = figures["metric"]
    assert (rows["exact"]["gold"], rows["exact"]["predicted"], rows["exact"]["f1"]) == (2, 2, 50.0)
    # "BLEU" and "bleu" are one name, "BLEU score" is another.
    assert (rows["names"]["gold"], rows["names"]["predicted"], rows["names"]["recall"]) == (1, 2, 100.0)
    assert figures["all"] == rows


def test_long_texts_are_cut_at_the_end_of_a_sentence() -> None:
    spans = tool("spans")
    corpus = spans.Corpus("t", "p", {"M": "method"}, "", 10)
    record = {
        "doc_id": "d",
        "text": "Aa bb. Cc dd. Ee",
        "token_offsets": [[0, 2], [3, 6], [7, 9], [10, 13], [14, 16]],
        "sentences": [[0, 2], [2, 4], [4, 5]],
        "entities": [{"start": at, "end": at + 1, "label": label} for at, label in ((0, "M"), (2, "M"), (1, "X"))],
    }
    assert spans._document(record, corpus) == ("d", "Aa bb.", [(0, 2, "method")])


def test_corpora_map_onto_our_kinds() -> None:
    spans = tool("spans")
    for name, corpus in spans.CORPORA.items():
        assert set(corpus.labels.values()) <= set(spans.KINDS), name
        assert corpus.remark
        if SHARED.is_dir():
            first = json.loads((SHARED / corpus.path).read_text(encoding="utf-8").split("\n")[0])
            assert {"text", "token_offsets", "entities", "sentences"} <= set(first)


@needs_shared
@pytest.mark.parametrize("name", tool("spans").CORPORA)
def test_labels_that_are_mapped_occur(name: str) -> None:
    corpus = tool("spans").CORPORA[name]
    lines = (SHARED / corpus.path).read_text(encoding="utf-8").splitlines()
    assert set(corpus.labels) <= {entity["label"] for line in lines for entity in json.loads(line)["entities"]}


# Reliability and calibration


def test_bins_hold_every_finding() -> None:
    whole = tool("reliability").table([(0.0, False), (0.55, True), (0.55, False), (1.0, True)])
    assert [row["count"] for row in whole["bins"]] == [1, 0, 0, 0, 0, 2, 0, 0, 0, 1]
    assert whole["bins"][5]["right"] == 0.5
    assert whole["ece"] == 0.025


CONFIDENCES = st.lists(st.tuples(st.floats(0.001, 0.999), st.booleans()), max_size=600)


@given(CONFIDENCES)
def test_tables_rise_strictly_from_nothing_to_at_most_one(judged: list[tuple[float, bool]]) -> None:
    points = tool("reliability").isotonic(judged)
    assert points[0] == (0.0, 0.0)
    assert points[-1][0] == 1.0
    assert points[-1][1] <= 1.0
    for (x0, y0), (x1, y1) in pairwise(points):
        assert x0 <= x1
        assert y0 <= y1


def test_an_overconfident_model_is_brought_down() -> None:
    reliability = tool("reliability")
    judged = [(0.9, i % 2 == 0) for i in range(200)] + [(0.2, i % 10 == 0) for i in range(200)]
    points = reliability.isotonic(judged)
    assert abs(interpolate(points, 0.9) - 0.5) < 0.05
    assert abs(interpolate(points, 0.2) - 0.1) < 0.05


TABLE = [(0.0, 0.0), (0.4, 0.1), (0.8, 0.7), (1.0, 0.9)]


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_surer_stays_the_surer(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert interpolate(TABLE, low) <= interpolate(TABLE, high)
    assert 0 <= interpolate(TABLE, low) <= 0.9


@pytest.mark.parametrize(("raw", "calibrated"), [(-1, 0.0), (0, 0.0), (0.2, 0.05), (0.4, 0.1), (0.9, 0.8), (2, 0.9)])
def test_between_points_lines_are_straight(raw: float, calibrated: float) -> None:
    assert interpolate(TABLE, raw) == calibrated


def test_mentions_go_with_their_entity_and_kinds_apart() -> None:
    mention = Mention(text="A", kind="method", start=0, end=1, confidence=0.4)
    entity = DocumentEntity(name="A", kind="method", confidence=0.8, mentions=(mention,))
    place = Evidence(document_id="d", start=0, end=1, rule="r")
    said = Statement(subject="PAPER", predicate="uses", object="A", evidence=place, confidence=0.8)
    entities, statements, results = calibrate([entity], [said], [], {"entity": TABLE})
    assert entities[0].confidence == 0.7
    assert entities[0].mentions[0].confidence == 0.1
    assert statements == (said,)
    assert results == ()


@pytest.mark.parametrize("model", [True, False])
def test_shipped_tables_rise(model: bool) -> None:
    for what, points in load_tables(model=model).items():
        assert what in tool("reliability").WHAT
        assert all(a < c and b < d for (a, b), (c, d) in pairwise(points)), what


GOLD: dict[str, Any] = {
    "id": "p",
    "entities": [
        {"name": "Zeta", "type": "method", "aliases": ["Zeta network"], "role": "proposed"},
        {"name": "Omega", "type": "method", "aliases": [], "role": "compared"},
        {"name": "ToyQA", "type": "dataset", "aliases": [], "role": "evaluated"},
        {"name": "accuracy", "type": "metric", "aliases": []},
        {"name": "side module", "type": "method", "aliases": [], "role": "proposed", "optional": True},
    ],
    "relations": [["PAPER", "proposes", "Zeta"], ["Zeta", "outperforms", "Omega"]],
    "relations_optional": [["side module", "partOf", "Zeta"]],
    "results": [
        {"method": "Zeta", "dataset": "ToyQA", "metric": "accuracy", "value": 91.4, "unit": "%", "kind": "absolute"},
        {
            "method": "Zeta",
            "dataset": None,
            "metric": None,
            "value": 3,
            "unit": "x",
            "kind": "speedup",
            "optional": True,
        },
    ],
}


def found(**parts: Any) -> dict[str, Any]:
    """A record with the given relations as (triple, confidence) and results as (result, confidence)."""
    return {
        "entities": [{"aliases": [], "confidence": 0.9} | e for e in parts.get("entities", ())],
        "relations": [triple for triple, _ in parts.get("relations", ())],
        "relation_evidence": [{"confidence": sure} for _, sure in parts.get("relations", ())],
        "results": [result | {"evidence": {"confidence": sure}} for result, sure in parts.get("results", ())],
    }


RESULT = {"method": "Zeta", "dataset": "ToyQA", "metric": "accuracy", "value": 91.4, "unit": "%", "kind": "absolute"}


def test_findings_are_judged_as_the_scorer_does(scorer: ModuleType) -> None:
    record = found(
        entities=[
            {"name": "Zeta network", "type": "method"},
            {"name": "side module", "type": "method", "confidence": 0.3},
            {"name": "Omega", "type": "dataset", "confidence": 0.6},
            {"name": "LLM", "type": "method"},
        ],
        relations=[
            (["PAPER", "proposes", "Zeta"], 0.9),
            (["side module", "partOf", "Zeta"], 0.5),
            (["PAPER", "uses", "Omega"], 0.4),
        ],
        results=[(RESULT, 0.8), (RESULT | {"dataset": None}, 0.2)],
    )
    judged = tool("reliability").judge(scorer, GOLD, record)
    # A neutral term (LLM) counts neither way.
    assert sorted(judged["entity"]) == [(0.3, True), (0.6, False), (0.9, True)]
    assert sorted(judged["statement"]) == [(0.4, False), (0.5, True), (0.9, True)]
    assert sorted(judged["result"]) == [(0.2, False), (0.8, True)]


@pytest.mark.parametrize(
    ("change", "right"),
    [
        ({}, True),
        ({"unit": "points"}, True),
        ({"unit": None}, False),
        ({"kind": "gain"}, False),
        ({"value": 91.5}, False),
        ({"method": "PAPER"}, True),
        ({"method": None}, True),
        ({"method": "Omega"}, False),
        ({"metric": "F1"}, False),
    ],
)
def test_results_are_right_as_a_whole_or_not_at_all(scorer: ModuleType, change: dict[str, Any], right: bool) -> None:
    record = found(results=[(RESULT | change, 0.7)])
    assert tool("reliability").judge(scorer, GOLD, record)["result"] == [(0.7, right)]
    # The same judgement as the scorer's own.
    figures = scorer.score({"p": GOLD}, {"p": record})["results"]["full"]
    assert (figures["f1"] == 100.0) == right


def test_errors_are_counted_with_their_causes(scorer: ModuleType) -> None:
    record = found(
        entities=[
            {"name": "Zeta", "type": "method"},
            {"name": "Omega", "type": "dataset"},
            {"name": "ToyQA test set", "type": "dataset"},
            {"name": "nonsense", "type": "task"},
        ],
        relations=[(["Zeta", "uses", "Omega"], 0.5)],
        results=[(RESULT | {"metric": None, "dataset": "Omega"}, 0.5), (RESULT | {"value": 7}, 0.5)],
    )
    counts = tool("errors").count(scorer, [(GOLD, record)])
    assert counts["entities"]["method"] == {"gold": 2, "right": 1, "missed": 1, "missed: other kind": 1}
    assert counts["entities"]["dataset"] == {
        "gold": 1,
        "missed": 1,
        "missed: other borders": 1,
        "spurious": 2,
        "spurious: other kind": 1,
        "spurious: other borders": 1,
    }
    assert counts["entities"]["metric"]["missed: not seen"] == 1
    assert counts["entities"]["task"] == {"spurious": 1, "spurious: no name": 1}
    assert counts["relations"]["proposes"] == {"gold": 1, "missed": 1, "missed: ends found": 1}
    assert counts["relations"]["uses"] == {"spurious": 1, "spurious: ends are names": 1}
    assert counts["results"]["number"] == {"gold": 1, "right": 1, "spurious": 1}
    assert counts["results"]["metric"] == {"wrong": 1, "empty": 1}
    assert counts["results"]["dataset"] == {"wrong": 1, "other": 1}


def test_counts_of_errors_agree_with_the_scorer(scorer: ModuleType) -> None:
    record = found(entities=[{"name": "Zeta", "type": "method"}, {"name": "Psi", "type": "method"}])
    counts = tool("errors").count(scorer, [(GOLD, record)])["entities"]["method"]
    row = scorer.score({"p": GOLD}, {"p": record})["entities"]["method"]
    assert row["gold"] == counts["gold"]
    assert row["predicted"] == counts["right"] + counts["spurious"]


# Documents


def test_a_block_is_written_between_its_marks_and_again() -> None:
    quality = tool("quality")
    text = "before\n<!-- figures: speed -->\nold\n<!-- end -->\nafter\n"
    figures = {"speed": {"one_thread": {"rules": {"rate": 9, "milliseconds": 1}}, "remarks": ["n"]}}
    once = quality.fill(text, figures)
    assert "| rules | 9 | 1 |" in once
    assert "old" not in once
    assert once.startswith("before\n")
    assert once.endswith("after\n")
    assert quality.fill(once, figures) == once


def test_a_block_that_nobody_fills_is_an_error() -> None:
    with pytest.raises(KeyError):
        tool("quality").fill("<!-- figures: none -->\n<!-- end -->", {})


@pytest.mark.parametrize("path", tool("quality").DOCUMENTS, ids=lambda path: str(path.name))
def test_documents_show_the_figures_that_were_measured(path: Path) -> None:
    quality = tool("quality")
    figures = json.loads(quality.KEPT.read_text(encoding="utf-8"))
    text = path.read_text(encoding="utf-8")
    assert "<!-- figures: " in text
    assert quality.fill(text, figures) == text


@needs_shared
@pytest.mark.parametrize("part", tool("parts").OWN)
def test_own_annotations_stand_in_their_texts(part: int, tmp_path: Path) -> None:
    papers = tool("parts").load(SHARED, [part])
    texts = [json.dumps({"id": key, "abstract": text}) for key, (text, _) in papers.items()]
    (tmp_path / "texts.jsonl").write_text("\n".join(texts), encoding="utf-8")
    annotations = TRAINING / "annotations" / f"part_{part}.jsonl"
    command = [
        sys.executable,
        str(SHARED / "annotations" / "check.py"),
        str(tmp_path / "texts.jsonl"),
        str(annotations),
    ]
    said = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    assert said.splitlines()[-1] == f"faults 0 annotated {len(papers)} of {len(papers)}", said


@needs_shared
def test_no_abstract_is_annotated_twice_or_measured_on() -> None:
    parts = tool("parts")
    lines = [
        line["id"] for part in parts.OWN for line in parts.read_lines(TRAINING / "annotations" / f"part_{part}.jsonl")
    ]
    assert len(set(lines)) == len(lines)
    openings = [tool("annotate").opening(text) for text, _ in parts.load(SHARED, parts.OWN).values()]
    assert len(set(openings)) == len(openings)
    assert not set(openings) & tool("annotate").read_already(SHARED)


def test_requirements_are_pinned() -> None:
    lines = (TRAINING / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    assert {line.partition("==")[0] for line in wanted} >= {"torch", "safetensors", "onnx", "onnxruntime", "scipy"}
    assert all("==" in line for line in wanted)


@needs_shared
def test_an_unknown_set_is_refused_before_any_work() -> None:
    command = [sys.executable, str(TRAINING / "score.py"), "--shared", str(SHARED), "--sets", "part_6,nowhere"]
    ran = subprocess.run(command, capture_output=True, check=False, cwd=ROOT)
    assert ran.returncode == 2
    assert b"no set is called nowhere" in ran.stderr
