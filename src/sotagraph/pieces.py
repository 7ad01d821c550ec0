"""Text files as sequences of pieces, so that one in which little changes is copied and not written anew.

A file is some sections and a tail. A section is a head and pieces with a joint between each two. `sotagraph.splice`
writes a file from the former one and the cuts that lead to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sotagraph.content import Cut

__all__ = ["Pieces", "Section", "encoded", "numbered", "text"]


@dataclass(frozen=True, slots=True)
class Section:
    """One section as it is to be: its head, its joint, and the cuts that lead to it, with the text of each new piece.

    Pieces may be numbered: each is then preceded by ``number.format(position)``.
    """

    head: str
    cuts: Sequence[Cut]
    joint: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A whole file as it is to be; `based` says whether its cuts are in the former file, or in nothing."""

    sections: Sequence[Section]
    tail: str = ""
    based: bool = False


def text(pieces: Pieces) -> str:
    """A file that is made anew as one string."""
    parts: list[str] = []
    for section in pieces.sections:
        [cut] = section.cuts
        new = numbered(section.number, 0, cut.new) if section.number else cut.new
        parts += (section.head, section.joint.join(new))
    return "".join([*parts, pieces.tail])


def numbered(number: str, first: int, pieces: Sequence[str]) -> list[str]:
    """Pieces that each begin with their place, counted from `first`.

    >>> numbered("{}: ", 5, ["a", "b"])
    ['5: a', '6: b']
    """
    return [number.format(position) + piece for position, piece in enumerate(pieces, first)]


def encoded(content: str) -> bytes:
    """UTF-8; surrogatepass would hide a reader's fault, so a lone surrogate in a paper becomes a question mark."""
    return content.encode("utf-8", "replace")
