"""The documentation is run: commands, code and output are what they are said to be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import refresh
from command import ROOT
from sotagraph import files
from sotagraph.cli.reference import reference

PAGES = refresh.pages()
README = (ROOT / "README.md").read_text(encoding="utf-8")
ids = [str(page.relative_to(ROOT)) for page in PAGES]


def blocks(language: str) -> list[tuple[str, str]]:
    """(place, text) of every fenced block of a language."""
    found = []
    for page in PAGES:
        for match in re.finditer(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            line = page.read_text(encoding="utf-8")[: match.start()].count("\n") + 1
            found.append((f"{page.relative_to(ROOT)}:{line}", match[1]))
    return found


def test_the_reference_of_the_command_line_is_current() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == reference(), "run python tests/refresh.py"


@pytest.mark.parametrize(("place", "block"), blocks("console"), ids=lambda value: value if "\n" not in value else "")
def test_examples_print_what_they_show(place: str, block: str) -> None:
    assert refresh.commands(block), f"{place} shows no command"
    assert refresh.console(block) == block, f"{place} is not current; run python tests/refresh.py"


@pytest.fixture
def at_root_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the seeds, where examples may write."""
    (tmp_path / "seeds").symlink_to(ROOT / "seeds", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_python_examples_run(page: Path, at_root_copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All blocks of a page one after the other, as a reader would type them."""
    code = [match[1] for match in re.finditer(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)]
    if not code:
        pytest.skip("no Python on this page")
    scope: dict[str, object] = {"__name__": "example"}
    for block in code:
        exec(compile(block, str(page), "exec"), scope)


def test_the_readme_begins_with_its_two_commands() -> None:
    first, second = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)[:2]
    assert README.index(first) < 200
    setup = "python3 -m venv .venv && .venv/bin/pip install -q -e "
    assert first == f"{setup}. && .venv/bin/sotagraph build seeds -o output"
    assert second.startswith(f"{setup}'.[dev]' && .venv/bin/pytest")


def test_ci_takes_its_test_command_from_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"sed -n 's/\^\\\((.*?)\\\)\$/", script)
    assert pattern is not None
    found = [line for line in README.splitlines() if re.fullmatch(pattern[1], line)]
    assert len(found) == 1


@pytest.mark.parametrize(
    "page", [*PAGES, *sorted((ROOT / "docs" / "decisions").glob("*.md"))], ids=lambda page: page.name
)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target) and not target.startswith("#"):
            assert (page.parent / target.partition("#")[0]).exists(), f"{page.name}: {target}"


def test_every_file_of_a_build_is_in_the_readme() -> None:
    for name in (files.EXTRACTIONS, *(file.name for file in files.FILES)):
        assert f"`{name}`" in README, name


def test_versions_agree() -> None:
    import sotagraph

    assert f"## {sotagraph.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_project_file_promises_python_3_10_and_the_command() -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 and later read TOML")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.10"
    assert project["scripts"] == {"sotagraph": "sotagraph.cli:main"}
