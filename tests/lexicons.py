"""A small lexicon for the tests of linking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sotagraph.names import key


@dataclass(frozen=True)
class Known:
    """A lexicon entry of the tests."""

    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    context: bool = False
    higher_is_better: bool | None = None
    links: tuple[tuple[str, str], ...] = ()


class Lexicon:
    """A lexicon of the tests."""

    def __init__(self, *entries: Known) -> None:
        self.entries = entries

    def lookup(self, name: str) -> Sequence[Known]:
        return [e for e in self.entries if key(name) in {key(form) for form in (e.name, *e.aliases)}]
