"""What a paper's part of the graph rests on, so that it is made again only where that has changed.

What a paper says is lifted to ids, and drawn, from its extraction alone, but for what its names are in the corpus and
for the variants that its text is the evidence of. Those are its *grounds*, as plain values. A paper that has the same
extraction as in a former build, and the same grounds, has the same edges, results and phrases in the graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from typing import Any

from sotagraph.link.atoms import Atom
from sotagraph.link.lift import Sorted
from sotagraph.link.narrower import Parted
from sotagraph.link.things import Thing
from sotagraph.model import Statement

__all__ = ["Grounds"]


class Grounds:
    """The grounds of each paper, in a former build and in this one.

    >>> grounds = Grounds()
    >>> grounds.unchanged(), grounds.noted
    (set(), {})
    """

    def __init__(self, known: Mapping[str, Any] | None = None, same: Set[str] = frozenset()) -> None:
        """`known` is what a former build noted, `same` the documents whose extraction is what it was there."""
        self._known = known or {}
        self._same = same
        #: By document id; a paper that has a say in what is made of others is left out.
        self.noted: dict[str, tuple[Any, ...]] = {}

    def note(self, parted: Parted, of_papers: Mapping[str, Sorted]) -> None:
        """Note how the names of papers were parted, and what they are."""
        for extraction in parted.extractions:
            # What papers say of variants has a say in what names alone imply; they are few, and lifted in each build.
            if not any(said.predicate == "variantOf" for said in extraction.statements):
                document = extraction.document.id
                self.noted[document] = *parted.parts.get(document, ()), *_names(of_papers.get(document, ()))

    def note_variants(self, variants: Iterable[Statement]) -> None:
        """Note the variants that texts are the evidence of."""
        found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for said in variants:
            place = said.evidence
            row = (said.subject, said.object, place.start, place.end, place.rule, said.confidence)
            found[place.document_id].append(row)
        for document in found.keys() & self.noted.keys():
            self.noted[document] += tuple(sorted(found[document]))

    def unchanged(self) -> set[str]:
        """The documents that have the extraction and the grounds which they had before."""
        return {one for one, found in self.noted.items() if one in self._same and self._known.get(one) == found}


def _names(atoms: Iterable[tuple[Atom, Thing]]) -> tuple[Any, ...]:
    found: list[Any] = []
    for atom, thing in atoms:
        better = thing.entry.higher_is_better if thing.entry else None
        found += (atom.entity.name, *atom.rank[2:], thing.id, thing.name, better)
    return tuple(found)
