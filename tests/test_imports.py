"""Imports point one way, foreign libraries have one border each, and verbs load only what they need."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sotagraph

ROOT = Path(sotagraph.__file__).parent

#: From the bottom up; a module may import from its own layer and from those before it.
LAYERS: tuple[tuple[str, ...], ...] = (
    (
        "errors",
        "memo",
        "beside",
        "schema",
        "model",
        "names",
        "records",
        "languages",
        "variants",
        "ids",
        "rows",
        "describe",
    ),
    ("lexicon", "read"),
    ("extract",),
    ("corrections", "link"),
    ("content", "pieces", "splice"),
    ("staging", "pool", "engine", "scale"),
    ("exchange", "graph", "resources", "terms", "vocabulary", "void", "triples", "untriples", "sparql_text"),
    ("resolve",),
    ("rdf", "serialize", "subjects"),
    ("store",),
    ("limited",),
    ("query", "trace", "analyze", "validate", "explain", "duplicates"),
    ("present", "view", "report", "serve"),
    ("keep",),
    ("again",),
    ("files", "commit"),
    ("api",),
    ("cli", "__main__"),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}

#: Foreign library → the only modules that may import it.
BORDERS = {
    "spacy": ("extract",),
    "onnxruntime": ("extract",),
    "networkx": ("graph", "rdf", "analyze", "view"),
    "rdflib": ("rdf", "validate"),
    "pyshacl": ("validate",),
    "pyoxigraph": ("store",),
    "pyvis": ("view",),
    "pandas": ("rows",),
    "tqdm": ("cli", "__main__"),
    "argparse": ("cli", "__main__"),
}

FILES = sorted(ROOT.rglob("*.py"))


def part(path: Path) -> str:
    """The module or package directly below ``sotagraph`` that a file belongs to."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Modules that a file imports when it runs, wherever in it; those for type checkers alone are left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            if node.module == "sotagraph":
                yield from (f"sotagraph.{alias.name}" for alias in node.names if not alias.name.startswith("__"))
            else:
                yield node.module or ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    own = part(path)
    if own == "__init__":
        return
    assert own in RANK, f"give {own} a place in LAYERS"
    for name in imports(path):
        if name.startswith("sotagraph."):
            other = name.split(".")[1]
            assert RANK[other] <= RANK[own], f"{own} must not import {other}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_library_has_one_border(path: Path) -> None:
    for name in imports(path):
        allowed = BORDERS.get(name.split(".")[0])
        assert allowed is None or part(path) in allowed, f"{name} is imported outside of {', '.join(allowed or ())}"


def test_the_pieces_of_a_layer_do_not_go_in_circles() -> None:
    edges = {own: set[str]() for own in RANK}
    for path in FILES:
        if (own := part(path)) != "__init__":
            edges[own] |= {n.split(".")[1] for n in imports(path) if n.startswith("sotagraph.")} - {own}
    done: set[str] = set()
    while ready := {own for own in edges if own not in done and edges[own] <= done}:
        done |= ready
    assert done == set(edges), f"a circle among {sorted(set(edges) - done)}"


def modules_after(code: str) -> set[str]:
    """What is loaded in a fresh interpreter after some code."""
    script = f"import sys\n{code}\nprint(*sorted(sys.modules), file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, encoding="utf-8")
    return {name.split(".")[0] for name in run.stderr.splitlines()[-1].split()}


HEAVY = {"spacy", "onnxruntime", "rdflib", "pyoxigraph", "pyvis", "pyshacl", "networkx", "pandas", "tqdm", "scipy"}


def test_the_package_alone_loads_no_library() -> None:
    assert not modules_after("import sotagraph") & HEAVY


@pytest.mark.parametrize("verb", ["query", "view", "validate", "export", "build", "leaderboard", "serve"])
def test_help_loads_no_library(verb: str) -> None:
    assert not modules_after(f"import sotagraph.cli; sotagraph.cli.main([{verb!r}, '--help'])") & HEAVY


def test_public_names_exist() -> None:
    for name in sotagraph.__all__:
        assert getattr(sotagraph, name) is not None
    assert dir(sotagraph) == sorted(sotagraph.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sotagraph.nothing


def bound(tree: ast.Module) -> Iterator[str]:
    """Names that a module binds at its top, those for type checkers among them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_all_lists_what_is_there(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    listed = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)
    ]
    for names in listed:
        assert len(set(names)) == len(names)
        assert set(names) <= set(bound(tree))
