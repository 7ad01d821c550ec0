from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

import fakes
from sotagraph import staging
from sotagraph.errors import BuildError
from sotagraph.model import Extraction

OLD = {"a.txt": "old a", "b.txt": "old b", "c.txt": "old c"}
NEW = {"a.txt": "new a", "b.txt": "new b", "c.txt": "new c"}


def contents(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in directory.iterdir() if path.is_file()}


def texts(files: dict[str, str]) -> dict[str, Callable[[], str]]:
    return {name: (lambda text=text: text) for name, text in files.items()}  # type: ignore[misc]


def commit(directory: Path, files: dict[str, str]) -> None:
    with staging.lock(directory):
        staging.commit(directory, texts(files))


def test_a_commit_leaves_its_files_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    commit(tmp_path, OLD)
    commit(tmp_path, NEW)
    assert contents(tmp_path) == {**NEW, "mine.txt": "mine"}
    assert not (tmp_path / staging.WORK).exists()


def test_a_writer_that_fails_leaves_the_former_files(tmp_path: Path) -> None:
    commit(tmp_path, OLD)

    def fail() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), staging.lock(tmp_path):
        staging.commit(tmp_path, {**texts(NEW), "d.txt": fail})
    assert contents(tmp_path) == OLD
    assert not (tmp_path / staging.WORK).exists()


def test_a_directory_made_in_vain_is_removed(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), staging.lock(tmp_path / "new"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("renamed", range(4))
def test_a_death_between_renames_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renamed: int) -> None:
    commit(tmp_path, OLD)
    real, calls = Path.replace, 0

    def dying(source: Path, target: Path) -> Path:
        nonlocal calls
        calls += 1
        if calls > renamed + 1:  # the first rename is that of the marker
            raise SystemExit
        return real(source, target)

    monkeypatch.setattr(Path, "replace", dying)
    with pytest.raises(SystemExit), staging.lock(tmp_path):
        staging.commit(tmp_path, texts({**NEW, "d.txt": "d"}))
    monkeypatch.undo()
    assert contents(tmp_path) != {**NEW, "d.txt": "d"}
    staging.recover(tmp_path)
    assert contents(tmp_path) == {**NEW, "d.txt": "d"}
    assert not (tmp_path / staging.WORK).exists()


def test_recover_leaves_a_directory_at_rest_alone(tmp_path: Path) -> None:
    staging.recover(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []
    commit(tmp_path, OLD)
    staging.recover(tmp_path)
    assert contents(tmp_path) == OLD


HOLDER = """
import sys
from pathlib import Path
from sotagraph import staging
with staging.lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_builds_do_not_write_to_one_directory(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(BuildError, match="another build is writing"), staging.lock(tmp_path):
            pass
        holder.kill()  # the system lets go of a dead process's lock
        holder.wait()
        commit(tmp_path, NEW)
    assert contents(tmp_path) == NEW


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BuildError, match="cannot write to"), staging.lock(tmp_path / "out"):
        pass


def test_a_file_in_the_place_of_the_directory_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BuildError, match="cannot write to"), staging.lock(tmp_path / "file"):
        pass


def extractions(count: int) -> list[Extraction]:
    return list(fakes.Capitals().pipe(fakes.papers(count)))


def test_a_journal_gives_back_what_was_entered(tmp_path: Path) -> None:
    first = staging.Journal(tmp_path)
    assert list(first.read()) == []
    first.append(extractions(3))
    first.append(extractions(5)[3:])
    assert list(staging.Journal(tmp_path).read()) == extractions(5)


@pytest.mark.parametrize("cut", [1, 2, 17, 200])
def test_a_torn_journal_loses_its_last_line_only(tmp_path: Path, cut: int) -> None:
    journal = staging.Journal(tmp_path)
    journal.append(extractions(3))
    path = next(tmp_path.iterdir())
    path.write_bytes(path.read_bytes()[:-cut])
    assert list(journal.read()) == extractions(2)
    journal.append(extractions(3)[2:])
    assert list(journal.read()) == extractions(3)


@pytest.mark.parametrize(
    "damage", [b"\0" * 64 + b"\n", b"\n", b"{}\n", b"[1]\n", b'{"id": "x"}\n', b"\xff\xfe\n", b"nonsense\n"]
)
def test_a_damaged_line_costs_only_itself(tmp_path: Path, damage: bytes) -> None:
    journal = staging.Journal(tmp_path)
    journal.append(extractions(1))
    path = next(tmp_path.iterdir())
    path.write_bytes(damage + path.read_bytes() + damage)
    assert list(journal.read()) == extractions(1)


def test_write_file_is_whole_or_not_there(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    staging.write_file(target, textwrap.dedent("a\nβ\n"))
    assert target.read_bytes() == "a\nβ\n".encode()
    staging.write_file(target, "lone surrogate \udcff")
    assert target.read_bytes() == b"lone surrogate ?"
    with pytest.raises(FileNotFoundError):
        staging.write_file(tmp_path / "missing" / "out.txt", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
