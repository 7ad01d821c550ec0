"""Whether a build would only make again what lies in its directory: everything that has a say in it, as plain values.

What is built follows from the bytes of the input, the corrections, the options, the extractor and the code. The code is
in the version of the cache (`sotagraph.keep`), the rest is a request. Where the former build answered the same request
and its files are as it wrote them, there is nothing to do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sotagraph.keep import Kept
from sotagraph.read import Known

__all__ = ["is_answered", "request"]


def request(
    sources: Known, complaints: Sequence[str], corrections: Path | None, min_confidence: float, version: str
) -> tuple[Any, ...] | None:
    """All that has a say, apart from the code; None where something read may be another thing the next time.

    Args:
        sources: what was read.
        complaints: what reading complained of; it stands in the report.
        corrections: the file of corrections, if there is one.
        min_confidence: what is less certain stays out.
        version: the extractor's.
    """
    if not sources.certain:
        return None
    given = ("", b"")
    if corrections is not None:
        try:
            given = str(corrections), hashlib.sha256(corrections.read_bytes()).digest()
        except OSError:
            return None  # whoever loads it says what is wrong
    return tuple(sources.trace), tuple(complaints), given, float(min_confidence), version


def is_answered(asked: tuple[Any, ...] | None, kept: Kept | None, directory: Path, names: Iterable[str]) -> bool:
    """Whether the files of these names are whole, and what a build wrote that was asked the same."""
    return kept is not None and asked is not None and kept.request == asked and kept.is_whole(directory, set(names))
