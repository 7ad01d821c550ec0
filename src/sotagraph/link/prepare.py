"""What must be seen over all papers before atoms can be sorted: doubtful definitions, common words, names spelt out."""

from __future__ import annotations

from collections.abc import Sequence

from sotagraph.link.apart import part_lists, part_marks, part_pairs
from sotagraph.link.atoms import Atom
from sotagraph.link.definitions import (
    complete_compounds,
    complete_definitions,
    drop_doubtful,
    find_definitions,
    know_long_forms,
    read_brackets,
    spell_out,
)
from sotagraph.link.wording import (
    drop_heads,
    find_plurals,
    join_word_forms,
    settle_words,
    share_entries,
)

__all__ = ["prepare"]


def prepare(atoms: Sequence[Atom]) -> None:
    """Settle in place what single papers could not know."""
    find_definitions(atoms)
    read_brackets(atoms)
    complete_definitions(atoms)
    complete_compounds(atoms)
    drop_doubtful(atoms)
    settle_words(atoms)
    find_plurals(atoms)
    spell_out(atoms)
    drop_heads(atoms)
    join_word_forms(atoms)
    share_entries(atoms)
    know_long_forms(atoms)
    part_pairs(atoms)
    part_lists(atoms)
    part_marks(atoms)
