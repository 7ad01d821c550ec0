"""How well a paper fits one of several things of one name: by what else it names, and by the long form's words."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sotagraph.link.atoms import Atom
from sotagraph.link.forms import stems

__all__ = ["Context", "Fit"]

#: A fit below this says nothing; it takes about one rare neighbour, or the long form's words.
ENOUGH = 1.0
#: The best fit counts where it is this many times the next.
AHEAD = 1.5


@dataclass(frozen=True, slots=True)
class Fit:
    """How well one paper fits one sense, and by which names."""

    score: float
    shared: tuple[str, ...]


class Context:
    """The names of each paper, and how telling each is."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self.names: dict[str, set[str]] = defaultdict(set)
        self.words: dict[str, frozenset[str]] = {}
        for atom in atoms:
            self.names[atom.document.id].update({atom.normal.key, atom.short, atom.long_key} - {""})
        counts = Counter(name for found in self.names.values() for name in found)
        total = math.log(len(self.names) + 1) or 1.0
        self.weight = {name: 1 - math.log(count) / total for name, count in counts.items()}

    def fit(self, atom: Atom, anchors: Sequence[Atom], kind: str = "") -> Fit:
        """The fit of a bare atom with the sense that some atoms are certain to have.

        Rare names that its paper shares with theirs count, more where several of theirs share them; so do a long form
        whose words the paper uses, and the same kind.
        """
        own = self.names[atom.document.id] - {atom.normal.key}
        papers = sorted({anchor.document.id for anchor in anchors} - {atom.document.id})
        seen = Counter(name for paper in papers for name in self.names[paper] & own)
        spread = math.sqrt(len(papers)) or 1.0
        parts = {name: self.weight[name] * min(1.0, count / spread) for name, count in seen.items()}
        score = sum(parts[name] for name in sorted(parts))
        longs = sorted({anchor.long for anchor in anchors if anchor.long})
        if any(self._speaks_of(atom, long) for long in longs):
            score += 2.0
        if atom.kind == kind or any(anchor.kind == atom.kind for anchor in anchors):
            score += 0.3
        return Fit(score, tuple(sorted(parts, key=lambda name: (-parts[name], name))[:5]))

    def _speaks_of(self, atom: Atom, long: str) -> bool:
        """Whether nearly all content words of a long form, at least two, stand somewhere in the paper."""
        document = atom.document
        if document.id not in self.words:
            self.words[document.id] = stems(f"{document.title} {document.text}")
        wanted = stems(long)
        return len(wanted) >= 2 and len(wanted & self.words[document.id]) >= 0.75 * len(wanted)
