"""What a user of the wheel gets: everything that is read at run time, and nothing of the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel and comes with the dev extra")
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(out.glob("*.whl"))


def files_below(directory: str) -> set[str]:
    root = ROOT / directory
    return {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }


def test_the_wheel_holds_the_package_and_the_ontology(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    package = {f"sotagraph/{name}" for name in files_below("src/sotagraph")}
    ontology = {f"sotagraph/ontology/{name}" for name in files_below("ontology")}
    assert names == package | ontology
    assert "sotagraph/py.typed" in names
    assert any(name.endswith(".rq") for name in ontology)


def test_the_wheel_holds_the_licence(wheel: Path) -> None:
    names = {name.rpartition("/")[2] for name in zipfile.ZipFile(wheel).namelist()}
    assert {"LICENSE", "NOTICE", "entry_points.txt"} <= names


def test_the_wheel_runs_alone(wheel: Path, tmp_path: Path) -> None:
    """From the wheel, away from the checkout: named queries come from its own ontology."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "import sotagraph.query, sotagraph.resources\n"
        "print(sotagraph.__file__); print(sotagraph.resources.ontology_directory()); sotagraph.query.named_queries()"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert all(line.startswith(str(tmp_path)) for line in run.stdout.splitlines())
