"""sotagraph: research papers in, knowledge graph out.

`build` reads papers and makes a `KnowledgeGraph`; `load` opens one that was written before. Both are imported on first
use, so that ``import sotagraph`` stays cheap and the modules below can be used alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sotagraph.api import KnowledgeGraph, Rows, build, from_rdf, load, named_queries

__all__ = ["KnowledgeGraph", "Rows", "__version__", "build", "from_rdf", "load", "named_queries"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import the public names from `sotagraph.api` when they are asked for (PEP 562)."""
    if name in __all__:
        from sotagraph import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
