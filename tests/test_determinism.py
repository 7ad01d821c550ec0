"""The same input gives the same bytes: in any locale, under any hash seed, and as committed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import refresh
from command import OUTPUT, ROOT, sotagraph
from sotagraph import files

NAMES = {files.EXTRACTIONS, *(file.name for file in files.FILES)}

ENVIRONMENTS: dict[str, dict[str, str]] = {
    "hash-0": {"PYTHONHASHSEED": "0"},
    "hash-1": {"PYTHONHASHSEED": "1", "LANG": "de_DE.UTF-8", "TZ": "Asia/Tokyo"},
    "C": {"PYTHONHASHSEED": "random", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "code-page": {"PYTHONHASHSEED": "random", "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "OMP_NUM_THREADS": "1"},
}


def snapshot(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}


def arguments(out: Path) -> list[str]:
    """The README's command with another output directory."""
    line = refresh.build_line()
    assert line[-2:] == ["-o", "output"]
    return [*line[:-1], str(out)]


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_committed_output_is_what_the_readme_makes(name: str, tmp_path: Path) -> None:
    ran = sotagraph(*arguments(tmp_path / "out"), env=ENVIRONMENTS[name])
    assert ran.code == 0, ran
    made, committed = snapshot(tmp_path / "out"), snapshot(OUTPUT)
    assert made.keys() == NAMES
    differing = sorted(file for file in NAMES if made[file] != committed.get(file))
    assert differing == [], "run python tests/refresh.py"


def test_workers_and_a_former_build_do_not_show(tmp_path: Path) -> None:
    """A third of the seeds first, then all on two processes."""
    part = tmp_path / "seeds"
    part.mkdir()
    lines = (ROOT / "seeds" / "papers.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    out = tmp_path / "out"
    (part / "papers.jsonl").write_text("".join(lines[::3]), encoding="utf-8")
    assert sotagraph("build", "seeds", "-o", out, cwd=tmp_path).code == 0
    (part / "papers.jsonl").write_text("".join(lines), encoding="utf-8")
    assert sotagraph("build", "seeds", "-o", out, "--workers", "2", cwd=tmp_path).code == 0
    assert snapshot(out) == snapshot(OUTPUT)


@pytest.mark.parametrize("corpus", ["invented", "annotated"])
def test_linking_knows_neither_hash_seed_nor_order(corpus: str) -> None:
    """Some hundred papers whose names clash, linked in processes of other hash seeds and in other orders."""
    shared = ROOT.parent / "shared"
    if corpus == "annotated" and not (shared / "annotations").exists():
        pytest.skip("no annotations in shared/ beside the repository")
    source = [shared] if corpus == "annotated" else []
    lines = set()
    for hash_seed, order in (("0", "1"), ("1", "2"), ("4294967295", "3")):
        run = subprocess.run(
            [sys.executable, ROOT / "tests/crowd.py", order, *source],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        )
        lines.add(run.stdout.decode("utf-8"))
    [line] = lines
    _, papers, nodes, homonyms, variants = line.split()
    assert int(papers) >= 500
    assert int(nodes) > int(papers)
    assert (homonyms, variants) == ("True", "True"), "the corpus has to be one that linking must think about"


def test_no_file_is_opened_in_the_encoding_of_the_locale(tmp_path: Path) -> None:
    """Python can tell where an encoding is left to the system; in our own code that is an error."""
    code = (
        "import runpy, sys, warnings\n"
        "warnings.filterwarnings('error', category=EncodingWarning, module=r'sotagraph(\\.|$)')\n"
        f"sys.argv = {['sotagraph', *arguments(tmp_path / 'out')]!r}\n"
        "from sotagraph.cli import main\n"
        "sys.exit(main())\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", str(script)], cwd=ROOT, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode("utf-8")
