"""Names of the lexicon in a text: their borders, their letters, their longest form."""

from __future__ import annotations

from itertools import pairwise

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.util import filter_spans

from sotagraph.extract.known import LexiconMatcher
from sotagraph.lexicon import Lexicon, LexiconEntry

NLP = spacy.blank("en")
LEXICON = Lexicon(
    (
        LexiconEntry(name="owl recognition", kind="task", aliases=("owl spotting", "identity of owls")),
        LexiconEntry(name="OwlNet", kind="dataset"),
        LexiconEntry(name="OwlNet-1k", kind="dataset"),
        LexiconEntry(name="OWL", kind="method"),
        LexiconEntry(name="Flit30k", kind="dataset"),
        LexiconEntry(name="HOOT", kind="dataset", context=True),
    )
)
MATCHER = LexiconMatcher(LEXICON)


def found(text: str) -> list[str]:
    return [text[hit.start : hit.end] for hit in MATCHER(NLP(text))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Trained on OwlNet.", ["OwlNet"]),
        ("Owl recognition, owl spotting and Owl Spotting", ["Owl recognition", "owl spotting", "Owl Spotting"]),
        ("two owl recognitions", ["owl recognitions"]),
        ("the identities of owls", []),
        ("OWL and owl and Owl", ["OWL"]),
        ("HOOT is no hoot", ["HOOT"]),
        # The longest name counts, and a token may hold what the tokenizer would cut in a name by itself.
        ("on OwlNet-1k, OwlNet", ["OwlNet-1k", "OwlNet"]),
        ("on Flit30k and Flit30km", ["Flit30k"]),
        ("OwlNetwork, XOwlNet", []),
        ("Uni-OWL and OWL-NeXT", []),
        # The small form of the first letter has two letters.
        ("İstanbul has owl spotting", ["owl spotting"]),
        ("", []),
    ],
)
def test_names_are_found_from_border_to_border(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_entries_of_one_spelling_come_together() -> None:
    twice = Lexicon((*LEXICON.entries, LexiconEntry(name="OwlNet", kind="method")))
    [hit] = LexiconMatcher(twice)(NLP("OwlNet"))
    assert [entry.kind for entry in hit.entries] == ["dataset", "method"]


@given(st.lists(st.sampled_from(["OwlNet", "owl", "spotting", "recognition", "OWL", ",", "(", "-", "of"]), max_size=12))
def test_hits_are_names_of_the_lexicon_in_order_and_apart(words: list[str]) -> None:
    text = " ".join(words)
    hits = MATCHER(NLP(text))
    forms = {form.lower() for entry in LEXICON.entries for form in entry.forms}
    assert all(text[hit.start : hit.end].lower() in forms for hit in hits)
    assert all(one.end <= other.start for one, other in pairwise(hits))
    assert len(hits) >= text.count("OwlNet")


PIECES = [
    "OwlNet",
    "owl",
    "Owl",
    "spotting",
    "recognition",
    "OWL",
    "HOOT",
    "can",
    "cannot",
    "12owls",
    "1k",
    " ",
    "-",
    "İ",
]
TRICKY = Lexicon((*LEXICON.entries, LexiconEntry(name="can", kind="method"), LexiconEntry(name="1k", kind="method")))


@given(st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_every_name_between_borders_of_tokens_is_found_unless_a_longer_one_has_its_tokens(text: str) -> None:
    doc = NLP(text)
    spelt = LexiconMatcher(TRICKY)
    every = [doc[i:j] for i in range(len(doc)) for j in range(i + 1, len(doc) + 1)]
    alone = [
        span for span in every if span.text and [h for h in spelt(NLP(span.text)) if h.end - h.start == len(span.text)]
    ]
    hits = {(hit.start, hit.end) for hit in spelt(doc)}
    # Those that a dash ties to another word are no names of the lexicon.
    apart = {
        (s.start_char, s.end_char)
        for s in filter_spans(alone)
        if "-" not in text[max(0, s.start_char - 1) : s.end_char + 1]
    }
    assert apart <= hits <= {(s.start_char, s.end_char) for s in filter_spans(alone)}
