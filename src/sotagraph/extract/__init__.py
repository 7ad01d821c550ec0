"""Extraction: one document in, its names, statements and results out.

spaCy costs seconds to import, so that this package loads nothing until `Extractor` is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sotagraph.extract.pipeline import Extractor

__all__ = ["Extractor"]


def __getattr__(name: str) -> Any:
    if name == "Extractor":
        from sotagraph.extract.pipeline import Extractor

        return Extractor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
