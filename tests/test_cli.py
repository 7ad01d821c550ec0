"""The command line as a user meets it: real processes, real files, bad input of every kind."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from command import OUTPUT, ROOT, SEEDS, complains, sotagraph
from sotagraph import corrections, files
from sotagraph.cli import main, parser, reference, verbs

PAPER = (
    "We propose HeronNet, a novel method for visual question answering that is built on GRPO. HeronNet reaches 81.5% "
    "accuracy on MMVP, compared to 77.0% for Qwen2.5-VL."
)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A copy of the seeds' graph that a test may change."""
    target = tmp_path / "graph"
    target.mkdir()
    for path in OUTPUT.iterdir():
        if path.is_file():
            (target / path.name).write_bytes(path.read_bytes())
    return target


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """The same within this process, for verbs that only ask."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


# What there is.


def test_verbs_and_parser_agree() -> None:
    assert set(verbs.VERBS) == set(reference.verbs(parser.make_parser()))


def test_choices_agree_with_the_library() -> None:
    assert set(parser.ACTIONS) == set(corrections.ACTIONS)
    assert tuple(files.FORMATS) == parser.EXPORTS


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    import sotagraph as package

    assert run(capsys, "--version") == (0, f"sotagraph {package.__version__}\n", "")


def test_the_installed_command_is_the_module(capsys: pytest.CaptureFixture[str]) -> None:
    script = Path(sys.executable).with_name("sotagraph")
    if not script.exists():
        pytest.skip("the package is not installed here, only on the path")
    assert (
        subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
        == (run(capsys, "--version")[1])
    )


@pytest.mark.parametrize("verb", verbs.VERBS)
def test_every_verb_has_help_with_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, verb, "--help")
    assert (code, err) == (0, "")
    assert f"Example: sotagraph {verb} " in " ".join(out.split())


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["build"],
        ["build", "x"],
        ["build", "x", "-o", "y", "--workers", "0"],
        ["build", "x", "-o", "y", "--workers", "two"],
        ["build", "x", "-o", "y", "--min-confidence", "1.5"],
        ["build", "x", "-o", "y", "--min-confidence", "nan"],
        ["build", "x", "-o", "y", "-v", "-q"],
        ["query", "x", "--param", "novalue", "--name", "n"],
        ["query", "x", "--format", "xml", "ASK {}"],
        ["export", "x", "--format", "docx"],
        ["leaderboard", "x"],
        ["correct", "x", "delete", "a"],
        ["serve", "x", "--port", "-1"],
        ["--nonsense"],
        ["query", "x", "--na", "n"],
        ["query", "x", "ASK {}", "more"],
        ["paper", "x", "y", "z"],
        ["build", "x", "-o", "y", "z", "--unknown"],
    ],
    ids=" ".join,
)
def test_wrong_use_is_code_2_and_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("sotagraph: ")
    assert err.endswith("--help\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["query"],
        ["query", "--name", "counts"],
        ["query", OUTPUT],
        ["query", OUTPUT, "ASK {}", "--name", "leaderboard"],
        ["query", OUTPUT, "ASK {}", "--param", "a=b"],
        ["export", OUTPUT],
        ["export", OUTPUT, "-o", "graph.docx"],
        ["correct", OUTPUT, "merge", "OnlyOne"],
        ["correct", OUTPUT, "rename", "GRPO"],
    ],
)
def test_options_that_do_not_go_together_are_code_2(
    arguments: list[str | Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("sotagraph: ")
    assert err.count("\n") == 1


def test_arguments_and_options_go_in_any_order() -> None:
    assert parser.parse(["query", "d", "--format", "csv", "ASK {}"]).sparql == "ASK {}"
    assert parser.parse(["query", "--format", "csv", "d", "ASK {}"]).sparql == "ASK {}"
    assert parser.parse(["explain", "d", "A", "--format", "json", "B"]).other == "B"
    assert parser.parse(["build", "a", "-o", "o", "b", "-q", "c"]).paths == ["a", "b", "c"]
    assert parser.parse(["correct", "d", "merge", "--comment", "c", "A", "B"]).names == ["A", "B"]


# Bad input.


def test_a_missing_path(tmp_path: Path) -> None:
    for verb in ("build", "extract"):
        line = complains(sotagraph(verb, tmp_path / "nowhere", "-o", tmp_path / "out"))
        assert str(tmp_path / "nowhere") in line
    assert list(tmp_path.iterdir()) == []


def test_a_directory_without_papers(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "picture.png").write_bytes(b"\x89PNG\r\n")
    assert str(papers) in complains(sotagraph("build", papers, "-o", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", ["", "\n\n  \n"])
def test_an_empty_file(content: str, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(content, encoding="utf-8")
    ran = sotagraph("build", tmp_path / "empty.txt", "-o", tmp_path / "out")
    assert ran.code == 1
    assert all(line.startswith("sotagraph: ") for line in ran.err.splitlines())
    assert "empty.txt" in ran.err
    assert not (tmp_path / "out").exists()


def test_broken_json_lines_name_the_line_and_keep_the_rest(tmp_path: Path) -> None:
    good = json.dumps({"id": "good", "abstract": PAPER})
    (tmp_path / "p.jsonl").write_text(f"{good}\n{{broken\n\n[1]\n", encoding="utf-8")
    ran = sotagraph("build", tmp_path / "p.jsonl", "-o", tmp_path / "out")
    assert ran.code == 0, ran
    assert "p.jsonl:2" in ran.err
    assert "p.jsonl:4" in ran.err
    assert "Traceback" not in ran.err
    extractions = (tmp_path / "out" / files.EXTRACTIONS).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in extractions] == ["good"]
    assert "p.jsonl:2" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_invalid_utf8_is_said_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes("Überschrift\n\nWe present Café, a method.".encode("latin-1"))
    ran = sotagraph("extract", tmp_path / "latin.txt")
    assert "Traceback" not in ran.err
    assert "latin.txt" in ran.err
    assert all(line.startswith("sotagraph: ") for line in ran.err.splitlines())
    assert ran.code in (0, 1)


def test_a_line_of_ten_megabytes(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("word " * 2_000_000, encoding="utf-8")
    ran = sotagraph("extract", tmp_path / "long.txt", timeout=120)
    assert ran.code in (0, 1)
    assert "Traceback" not in ran.err
    assert "long.txt" in ran.err


def test_a_paper_of_three_words(tmp_path: Path) -> None:
    (tmp_path / "short.jsonl").write_text('{"id": "s", "abstract": "We present Heron."}\n', encoding="utf-8")
    ran = sotagraph("build", tmp_path / "short.jsonl", "-o", tmp_path / "out")
    assert ran.code == 0, ran
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {files.EXTRACTIONS, *(file.name for file in files.FILES), ".cache"}


def test_a_name_with_a_line_break_stays_one_message(tmp_path: Path) -> None:
    complains(sotagraph("build", tmp_path / "no\nsuch\x1b[31m", "-o", tmp_path / "out"))


@pytest.mark.parametrize(
    "verb", ["query", "leaderboard", "paper", "explain", "duplicates", "validate", "view", "export", "serve"]
)
def test_a_directory_that_is_no_build(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = {
        "query": ["ASK {}"],
        "leaderboard": ["X"],
        "paper": ["X"],
        "explain": ["X"],
        "export": ["--format", "json"],
        "view": ["--no-open"],
    }
    code, out, err = run(capsys, verb, tmp_path, *more.get(verb, []))
    assert (code, out) == (1, "")
    assert (
        err == f"sotagraph: {tmp_path} is no build of sotagraph; make one with: sotagraph build PATH... -o {tmp_path}\n"
    )


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(json.dumps({"id": "a", "abstract": PAPER}), encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    complains(sotagraph("build", tmp_path / "p.jsonl", "-o", tmp_path / "file"))
    complains(sotagraph("export", OUTPUT, "--format", "json", "-o", tmp_path / "none" / "x.json"))


# Extraction.


def test_extract_prints_one_object_a_paper(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(json.dumps({"id": "heron", "abstract": PAPER}), encoding="utf-8")
    ran = sotagraph("extract", tmp_path / "p.jsonl")
    assert (ran.code, ran.err) == (0, "")
    record = json.loads(ran.out)
    assert record["id"] == "heron"
    assert ["PAPER", "proposes", "HeronNet"] in record["relations"]
    to_file = sotagraph("extract", tmp_path / "p.jsonl", "-o", tmp_path / "x.jsonl")
    assert (to_file.code, to_file.out) == (0, "")
    assert (tmp_path / "x.jsonl").read_text(encoding="utf-8") == ran.out
    explained = sotagraph("extract", tmp_path / "p.jsonl", "--explain")
    assert "HeronNet  proposed  " in explained.out
    nothing = sotagraph("extract", tmp_path / "p.jsonl", "--min-confidence", "1")
    assert len(nothing.out) < len(ran.out)


def test_workers_do_not_show_in_the_output() -> None:
    one = sotagraph("extract", SEEDS)
    two = sotagraph("extract", SEEDS, "--workers", "2")
    assert one.code == two.code == 0
    assert one.out == two.out


# Questions to the seeds' graph.


def test_leaderboard_for_reading_and_as_rows(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "leaderboard", OUTPUT, "minif2f")
    assert code == 0
    assert "Goedel-Prover-V2-32B" in out
    assert "90.4" in out
    code, out, _ = run(capsys, "leaderboard", OUTPUT, "MiniF2F", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["value"] for row in rows} >= {"90.4", "88.1", "84.6"}
    assert all(row["sentence"] for row in rows)


@pytest.mark.parametrize("name", ["Nothing Of That Name", "", "  ", "\x00"])
def test_an_unknown_name_is_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("leaderboard", "paper", "explain"):
        code, out, err = run(capsys, verb, OUTPUT, name)
        assert (code, out) == (1, "")
        assert err.count("\n") == 1


def test_paper_by_what_it_proposes(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "paper", OUTPUT, "LVR")
    assert code == 0
    assert "MMVP" in out
    code, out, _ = run(capsys, "paper", OUTPUT, "LVR", "--format", "json")
    assert "71.67" in {str(result["value"]) for result in json.loads(out)["results"]}


def test_query_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    sparql = "SELECT ?name WHERE { ?m a sg:Method ; skos:prefLabel ?name } ORDER BY ?name LIMIT 3"
    rows = json.loads(run(capsys, "query", OUTPUT, sparql, "--format", "json")[1])
    assert len(rows) == 3
    assert run(capsys, "query", OUTPUT, sparql, "--format", "csv")[1].splitlines()[0] == "name"
    assert run(capsys, "query", OUTPUT, sparql)[1].splitlines()[2] == rows[0]["name"]
    assert run(capsys, "query", OUTPUT, sparql, "--format", "md")[1].startswith("| name |\n")


def test_query_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    (tmp_path / "q.rq").write_text("ASK { ?m skos:prefLabel 'GRPO' }", encoding="utf-8")
    assert sotagraph("query", OUTPUT, f"@{tmp_path / 'q.rq'}").out == "true\n"
    assert sotagraph("query", OUTPUT, "@-", stdin="ASK { ?m skos:prefLabel 'Unheard Of' }").out == "false\n"
    complains(sotagraph("query", OUTPUT, f"@{tmp_path / 'missing.rq'}"))


def test_construct_prints_turtle(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "query", OUTPUT, "CONSTRUCT { ?m a sg:Method } WHERE { ?m skos:prefLabel 'GRPO' }")
    assert code == 0
    assert "method:grpo a sg:Method" in out


@pytest.mark.parametrize(
    "sparql", ["SELECT", "SELECT ?x WHERE {", "DELETE WHERE { ?s ?p ?o }", "SELECT * { nope:x ?p ?o }"]
)
def test_bad_sparql_is_one_line(sparql: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "query", OUTPUT, sparql)
    assert (code, out) == (1, "")
    assert err.count("\n") == 1


def test_named_queries(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(run(capsys, "query", OUTPUT, "--list", "--format", "json")[1])
    assert "leaderboard" in {row["name"] for row in listed}
    code, out, _ = run(capsys, "query", OUTPUT, "--name", "papers-using", "--param", "method=GRPO", "--format", "json")
    assert code == 0
    assert {"LVR", "PAPO"} <= {name for row in json.loads(out) for name in row["label"].split(", ")}
    code, _, err = run(capsys, "query", OUTPUT, "--name", "no-such-query")
    assert code == 1
    assert "leaderboard" in err
    code, _, err = run(capsys, "query", OUTPUT, "--name", "papers-using")
    assert code == 2
    assert "method" in err


def test_explain_and_duplicates(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", OUTPUT, "GRPO")
    assert code == 0
    assert "method/grpo" in out
    assert json.loads(run(capsys, "explain", OUTPUT, "GRPO", "--format", "json")[1])[0]["id"] == "method/grpo"
    assert run(capsys, "explain", OUTPUT, "LVR", "GRPO")[0] == 0
    code, out, _ = run(capsys, "duplicates", OUTPUT)
    assert code == 0
    assert out
    assert "pairs" in json.loads(run(capsys, "duplicates", OUTPUT, "--format", "json")[1])


def test_validate_finds_no_violation(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "validate", OUTPUT)
    assert code == 0, out + err


@pytest.mark.parametrize("form", files.FORMATS)
def test_export_equals_the_file_of_the_build(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = files.FORMATS[form].name
    code, _, err = run(capsys, "export", OUTPUT, "--format", form, "-o", tmp_path / f"{name}.gz")
    assert (code, err) == (0, "")
    data = gzip.decompress((tmp_path / f"{name}.gz").read_bytes())
    if (OUTPUT / name).exists():
        assert data == (OUTPUT / name).read_bytes()
    code, out, _ = run(capsys, "export", OUTPUT, "--format", form)
    assert out.encode("utf-8") == data


def test_view_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "view", OUTPUT, "-o", tmp_path / "page.html", "--no-open")
    assert (code, err) == (0, "")
    assert (tmp_path / "page.html").read_bytes() == (OUTPUT / "index.html").read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="signals of this kind are POSIX")
def test_serve_answers_until_ctrl_c() -> None:
    command = [sys.executable, "-m", "sotagraph", "serve", str(OUTPUT), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        address = next(word for word in said.split() if word.startswith("http")).rstrip(";")
        query = urllib.parse.urlencode({"query": "ASK { ?m skos:prefLabel 'GRPO' }"})
        with urllib.request.urlopen(f"{address}sparql?{query}", timeout=30) as answer:
            assert json.load(answer)["boolean"] is True
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")


# Corrections.


def test_a_correction_outlives_a_rebuild(build: Path) -> None:
    ran = sotagraph("correct", build, "rename", "GRPO", "--to", "Group-Relative PO", "--comment", "a test")
    assert ran.code == 0, ran
    assert (build / "corrections.yaml").exists()
    for _ in range(2):
        assert sotagraph("build", "seeds", "-o", build, "-q").code == 0
        assert "Group-Relative PO" in sotagraph("explain", build, "GRPO").out
    (build / "corrections.yaml").unlink()
    assert sotagraph("build", "seeds", "-o", build, "-q").code == 0
    assert "Group-Relative PO" not in (build / "graph.json").read_text(encoding="utf-8")


def test_a_stale_correction_is_reported_with_its_line(build: Path) -> None:
    (build / "corrections.yaml").write_text("# mine\n- reject: NoSuchThing\n", encoding="utf-8")
    ran = sotagraph("build", "seeds", "-o", build)
    assert ran.code == 0
    assert "corrections.yaml:2" in ran.err


# Terminals, pipes, signals.


def test_a_reader_that_goes_early_is_no_error() -> None:
    command = [sys.executable, "-m", "sotagraph", "export", str(OUTPUT), "--format", "ntriples"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of this kind are POSIX")
def test_ctrl_c_is_one_line_and_the_next_build_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sotagraph", "build", "seeds", "-o", str(tmp_path / "out"), "-v"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "extracting from" in line:
                break
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "Traceback" not in rest
    assert rest.splitlines()[-1].startswith("sotagraph: interrupted")
    assert sotagraph("build", "seeds", "-o", tmp_path / "out", "-q").code == 0


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_progress_is_drawn_on_a_terminal_only(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(json.dumps({"id": "a", "abstract": PAPER}), encoding="utf-8")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sotagraph", "build", str(tmp_path / "p.jsonl"), "-o", str(tmp_path / "out")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        drawn = b""
        while True:
            try:
                if not (piece := os.read(ours, 4096)):
                    break
            except OSError:  # how a terminal says that the other side is gone
                break
            drawn += piece
        out = process.communicate()[0]
    os.close(ours)
    assert b"extracting" in drawn
    assert b"extracting" not in out
    assert "extracting" not in sotagraph("build", tmp_path / "p.jsonl", "-o", tmp_path / "out").err


def test_quiet_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(json.dumps({"id": "a", "abstract": PAPER}) + "\n{broken\n", encoding="utf-8")
    ran = sotagraph("build", tmp_path / "p.jsonl", "-o", tmp_path / "out", "-q")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_an_internal_error_is_one_line_unless_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError("something\nunforeseen")

    monkeypatch.setitem(verbs.VERBS, "duplicates", broken)
    code, out, err = run(capsys, "duplicates", OUTPUT)
    assert (code, out) == (1, "")
    assert err == (
        "sotagraph: internal error: ZeroDivisionError: something unforeseen; "
        "run it again with -v and report what it prints\n"
    )
    code, _, err = run(capsys, "duplicates", OUTPUT, "-v")
    assert code == 1
    assert "Traceback" in err


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        {"LANG": "C", "LC_ALL": "POSIX"},
    ],
    ids=["C", "cp1252", "POSIX"],
)
def test_names_in_any_locale(env: dict[str, str], tmp_path: Path) -> None:
    text = "We present Größe-α, a method. Größe-α is built on GRPO."
    (tmp_path / "p.jsonl").write_text(json.dumps({"id": "ä", "abstract": text}), encoding="utf-8")
    ran = sotagraph("build", "p.jsonl", "-o", "out", cwd=tmp_path, env=env)
    assert (ran.code, ran.err) == (0, "")
    card = sotagraph("paper", "out", "ä", cwd=tmp_path, env=env)
    assert card.code == 0, card
    assert "Größe-α" in card.out
    assert "Größe" in complains(sotagraph("leaderboard", "out", "Größe", cwd=tmp_path, env=env))
