"""What is put before the decision: places that may be names."""

from __future__ import annotations

import pytest

from sotagraph.extract.candidates import candidates
from sotagraph.extract.pipeline import COMPONENTS, build_pipeline, read_doc
from sotagraph.model import Document


def emphasised(text: str) -> set[str]:
    """The names that emphasis or quotation marks put forward."""
    nlp = build_pipeline(model=False)
    with nlp.select_pipes(enable=COMPONENTS[:5]):
        reading = read_doc(Document(id="p", text=text), nlp)._.reading
    return {reading.text[c.start : c.end] for c in candidates(reading) if c.source in ("emphasis", "quotes")}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We propose *sorted lattice pruning (SLP)* for graphs.", {"sorted lattice pruning", "SLP"}),
        (r"We propose \textbf{Sorted Lattice Pruning (SLP)}.", {"Sorted Lattice Pruning", "SLP"}),
        ("We call it **SLP (sorted lattice pruning)**.", {"sorted lattice pruning", "SLP"}),
        # No bracket, or one that spells out nothing, or one outside: the stretch is the name.
        ("We propose *sorted lattice pruning* for graphs.", {"sorted lattice pruning"}),
        ("We propose *LatticeNet (large)* for graphs.", {"LatticeNet (large)"}),
        ("We propose *sorted lattice pruning* (SLP) for graphs.", {"sorted lattice pruning"}),
        ("Sorted lattice pruning (SLP) is *fast*.", {"fast"}),
    ],
)
def test_an_emphasised_definition_is_two_names(text: str, names: set[str]) -> None:
    assert emphasised(text) == names
