"""Files that are shipped beside the code: in a checkout at ``ontology/``, in an installed package inside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sotagraph.errors import BuildError

__all__ = ["ontology_directory", "ontology_text"]


@cache
def ontology_directory() -> Path:
    """The directory that holds the ontology, the shapes, the JSON-LD context and the named queries.

    Raises:
        BuildError: the package was installed without them.

    >>> (ontology_directory() / "context.jsonld").exists()
    True
    """
    package = Path(__file__).resolve().parent
    for place in (package / "ontology", package.parent.parent / "ontology"):
        if (place / "context.jsonld").is_file():
            return place
    raise BuildError("the files of the ontology are missing from this installation; install sotagraph again")


@cache
def ontology_text(name: str) -> str:
    """One of the files as text.

    >>> "@context" in ontology_text("context.jsonld")
    True
    """
    return (ontology_directory() / name).read_text(encoding="utf-8")
