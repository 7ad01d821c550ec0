"""Make anew what is committed and can be computed: ``output/``, ``docs/cli.md`` and the examples of the README.

Beside ``output/`` it keeps what the network said of the seeds on this machine (`network`), so that `test_determinism`
knows what it may ask of another one.

    python tests/refresh.py

The tests say when it is time: `test_determinism` for the graph, `test_docs` for the rest.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import sys
from pathlib import Path

from command import ROOT, sotagraph
from sotagraph.cli.reference import reference

#: What `network` gave on the machine that made ``output/``.
NETWORK = ROOT / "tests" / "cases" / "network.sha256"
#: A block of commands with their output: ``$ sotagraph …`` and what it prints.
CONSOLE = re.compile(r"(?<=```console\n)(.*?)(?=```)", re.DOTALL)


def pages() -> list[Path]:
    """Every page of documentation that may hold examples."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands(block: str) -> list[str]:
    """The commands of a console block."""
    return [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]


def console(block: str) -> str:
    """The block with the output that its commands have today; ``| head -N`` cuts it."""
    return "".join(f"$ {command}\n{shown(command)}" for command in commands(block))


def shown(command: str) -> str:
    """What a command prints, run at the root of the repository."""
    run, _, cut = command.partition(" | head -")
    program, *arguments = shlex.split(run)
    assert program == "sotagraph", command
    ran = sotagraph(*arguments)
    assert ran.code == 0, ran
    lines = ran.out.splitlines(keepends=True)
    return "".join(lines[: int(cut)] if cut else lines)


def build_line() -> list[str]:
    """The arguments of the README's first command: what makes ``output/``."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"\.venv/bin/sotagraph (build .+)", text)
    assert found is not None
    return shlex.split(found[1])


def network() -> str:
    """A digest of all figures that the network gives for the seeds.

    Sums of floats are rounded otherwise by processors with other instructions, in the last digits
    (docs/decisions/0717-one-network-on-all-processors.md).
    """
    from sotagraph.extract.tagger import load_tagger
    from sotagraph.read import read_paths

    tagger = load_tagger()
    assert tagger is not None
    whole = hashlib.sha256()
    for document in read_paths([ROOT / "seeds"], warn=print):
        told = tagger.predict(document.text)
        for figures in (told.tags, told.roles, told.relations, told.numbers, told.queries, told.keys):
            whole.update(figures.tobytes())
    return whole.hexdigest()


def main() -> None:
    """Write all of it."""
    for path in (ROOT / "output").iterdir() if (ROOT / "output").exists() else ():
        # From nothing, so that no former extraction is taken over.
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    NETWORK.write_text(f"{network()}\n", encoding="utf-8", newline="\n")
    ran = sotagraph(*build_line())
    sys.stdout.write(ran.out + ran.err)
    assert ran.code == 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        new = CONSOLE.sub(lambda found: console(found[1]), text)
        page.write_text(new, encoding="utf-8", newline="\n")
    (ROOT / "docs" / "cli.md").write_text(reference(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
