"""Explanations and duplicates, on a graph and on the knowledge that it is made of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from sotagraph.corrections import Correction
from sotagraph.duplicates import Duplicates, find_duplicates
from sotagraph.duplicates import render as render_duplicates
from sotagraph.errors import NotFoundError
from sotagraph.explain import RULES, Explanation, explain, render
from sotagraph.graph import from_json, to_graph, to_json
from sotagraph.link import link
from sotagraph.model import (
    PAPER,
    Document,
    DocumentEntity,
    Entity,
    Evidence,
    Extraction,
    Knowledge,
    Mention,
    Result,
    Statement,
)
from sotagraph.names import key


class Nothing:
    """An empty lexicon."""

    def lookup(self, name: str) -> Sequence[Any]:
        return ()


TEXT = "We present LVR (Latent Visual Reasoning). It beats GRPO with 71.67% accuracy on MMVP."


def _entity(text: str, name: str, kind: str, role: str | None, *aliases: str) -> DocumentEntity:
    mentions = tuple(
        Mention(text=form, kind=kind, start=text.index(form), end=text.index(form) + len(form))
        for form in (name, *aliases)
    )
    return DocumentEntity(name=name, kind=kind, role=role, aliases=aliases, mentions=mentions)


def _first() -> Extraction:
    first, second = (
        Evidence(document_id="a", start=s, end=e, rule=r) for s, e, r in ((0, 41, "we-present"), (42, 85, "beats"))
    )
    return Extraction(
        document=Document(id="a", text=TEXT),
        entities=(
            _entity(TEXT, "LVR", "method", "proposed", "Latent Visual Reasoning"),
            _entity(TEXT, "GRPO", "method", "compared"),
            _entity(TEXT, "MMVP", "dataset", "evaluated"),
            _entity(TEXT, "accuracy", "metric", None),
        ),
        statements=(
            Statement(subject=PAPER, predicate="proposes", object="LVR", evidence=first, confidence=0.97),
            Statement(subject="LVR", predicate="outperforms", object="GRPO", evidence=second, confidence=0.8),
        ),
        results=(
            Result(
                value=Decimal("71.67"), value_text="71.67%", unit="%", kind="absolute", evidence=second,
                method="LVR", dataset="MMVP", metric="accuracy", baseline="GRPO", condition="zero-shot", confidence=0.7,
            ),
        ),
    )  # fmt: skip


def _paper(name: str, *entities: tuple[str, str, str | None]) -> Extraction:
    text = ". ".join(form for form, _, _ in entities) + "."
    return Extraction(
        document=Document(id=name, text=text), entities=tuple(_entity(text, *entity) for entity in entities)
    )


PAPERS = [
    _first(),
    _paper(
        "b", ("latent visual reasoning", "method", "used"), ("GRPOs", "method", "used"), ("GRPO-7B", "method", "used")
    ),
    _paper("c", ("FACT", "method", "proposed")),
    _paper("d", ("FACT", "method", "proposed")),
    _paper(
        "e", ("FACT", "method", "used"), ("dense retriever", "method", "used"), ("dense retrieval", "method", "used")
    ),
    _paper("f", ("Zorrro", "method", "used")),
    _paper("g", ("Zorro", "method", "used")),
    _paper("h", ("LAR", "method", "used"), ("learned atomic rules", "method", "used")),
]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return link(PAPERS, lexicon=Nothing())


def one(knowledge: Knowledge, name: str, other: str | None = None) -> Explanation:
    [found] = explain(knowledge, name, other)
    return found


def test_joins_are_told_with_rule_and_paper(knowledge: Knowledge) -> None:
    found = one(knowledge, "LVR")
    assert found.id == "method/lvr"
    assert found.long_form == "Latent Visual Reasoning"
    told = {(fact.what, fact.rule, fact.text, fact.paper) for fact in found.facts}
    assert ("join", "definition", "Latent Visual Reasoning", "a") in told
    assert ("join", "long-form", "latent visual reasoning", "b") in told


def test_edges_are_told_with_sentence_rule_and_confidence(knowledge: Knowledge) -> None:
    [fact] = [fact for fact in one(knowledge, "LVR").facts if fact.rule == "beats" and fact.what == "edge"]
    assert fact.text == "LVR outperforms GRPO"
    assert (fact.paper, fact.sentence, fact.confidence) == ("paper/a", TEXT[42:85], 0.8)


def test_scores_are_told_with_all_that_they_name(knowledge: Knowledge) -> None:
    [fact] = [fact for fact in one(knowledge, "MMVP").facts if fact.what == "score"]
    for word in ("71.67%", "zero-shot", "ofMethod LVR", "onDataset MMVP", "byMetric accuracy", "againstBaseline GRPO"):
        assert word in fact.text
    assert (fact.sentence, fact.confidence, fact.detail) == (TEXT[42:85], 0.7, "absolute")


def test_variants_are_told_on_both_sides(knowledge: Knowledge) -> None:
    whats = {fact.what for fact in one(knowledge, "GRPO-7B", "GRPO").facts}
    assert whats == {"variant", "edge"}
    assert one(knowledge, "GRPO", "GRPO-7B").facts


def test_homonyms_are_told_apart_and_each_is_explained(knowledge: Knowledge) -> None:
    found = explain(knowledge, "FACT")
    assert [explanation.id for explanation in found] == ["method/fact@c", "method/fact@d", "method/fact@e"]
    between = one(knowledge, "method/fact@c", "method/fact@d")
    assert [(fact.what, fact.rule) for fact in between.facts] == [("split", "proposers"), ("split", "proposers")]
    assert {fact.what for fact in one(knowledge, "method/fact@e").facts} == {"ambiguous", "edge"}


def test_between_two_names_of_one_thing_stand_its_joins(knowledge: Knowledge) -> None:
    found = one(knowledge, "LVR", "latent visual reasoning")
    assert found.id == found.other
    assert {fact.rule for fact in found.facts} >= {"definition", "long-form"}


def test_nothing_between(knowledge: Knowledge) -> None:
    found = one(knowledge, "MMVP", "Zorro")
    assert found.facts == ()
    assert render([found]).endswith("nothing ties the two directly")


def test_unknown_names_are_refused_with_what_is_near(knowledge: Knowledge) -> None:
    with pytest.raises(NotFoundError, match="LVR"):
        explain(knowledge, "LVRR")
    with pytest.raises(NotFoundError):
        explain(knowledge, "LVR", "no such thing at all")


def test_a_graph_from_a_file_explains_the_same(knowledge: Knowledge) -> None:
    graph = from_json(to_json(to_graph(knowledge)))
    for name in ("LVR", "FACT", "MMVP"):
        assert explain(graph, name) == explain(knowledge, name)
    assert find_duplicates(graph) == find_duplicates(knowledge)


def test_every_rule_has_words(knowledge: Knowledge) -> None:
    rules = {
        rule
        for entity in knowledge.entities
        for reason in entity.reasons
        if reason.action != "variant"
        for rule in reason.rule.split("+")
    }
    assert rules <= set(RULES)


def test_text_holds_every_fact_and_is_stable(knowledge: Knowledge) -> None:
    found = explain(knowledge, "LVR")
    text = render(found)
    assert text == render(explain(link(reversed(PAPERS), lexicon=Nothing()), "LVR"))
    assert text.splitlines()[0] == "LVR  method/lvr  Method"
    for fact in found[0].facts:
        assert fact.text in text
        assert " ".join(fact.sentence.split()) in text


def test_corrections_are_told() -> None:
    correction = Correction(action="merge", names=("Zorro", "Zorrro"), comment="typing error", place="c.yaml:3")
    found = one(link(PAPERS, lexicon=Nothing(), corrections=[correction]), "Zorro")
    assert "corrected Zorrro: merge (typing error; c.yaml:3)" in render([found])


def test_pairs_that_look_alike(knowledge: Knowledge) -> None:
    found = {(pair.left, pair.right): pair for pair in find_duplicates(knowledge).pairs}
    assert found["method/denseretrieval", "method/denseretriever"].why == "same words"
    assert found["method/zorro", "method/zorrro"].why == "one letter apart"
    assert found["method/lar", "method/learnedatomicrules"].why == "one may abbreviate the other"
    assert found["method/fact@c", "method/fact@d"].different
    assert ("method/grpo", "method/grpo-7b") not in found  # A variant is tied to its base already.
    assert all(0 <= pair.score <= 1 and pair.left < pair.right for pair in found.values())


def test_the_likeliest_come_first_and_known_homonyms_last(knowledge: Knowledge) -> None:
    pairs = find_duplicates(knowledge).pairs
    assert list(pairs) == sorted(pairs, key=lambda pair: (pair.different, -pair.score, pair.left, pair.right))
    assert find_duplicates(knowledge, limit=1).pairs == pairs[:1]
    assert pairs[-1].different


def test_unsettled_names_are_listed(knowledge: Knowledge) -> None:
    [found] = find_duplicates(knowledge).unsettled
    assert (found.name, found.document_id, found.id) == ("FACT", "e", "method/fact@e")
    assert found.candidates == ("method/fact@c", "method/fact@d")
    text = render_duplicates(Duplicates(unsettled=(found,)))
    assert text == "names that could not be settled:\n  FACT in e (method/fact@e): method/fact@c, method/fact@d"


def test_numbers_tell_versions_apart() -> None:
    names = ("Llama-2", "Llama-3", "HumanEval", "HumanEval+", "CIFAR-10", "CIFAR-100")
    entities = tuple(Entity(id=f"method/{key(n)}", kind="method", name=n, label=n) for n in names)
    assert find_duplicates(Knowledge(entities=entities)) == Duplicates()


def test_names_of_one_paper_that_differ_by_a_letter_are_two_things() -> None:
    papers = [_paper("a", ("Thinker", "method", "used"), ("Tinkers", "method", "used"), ("Thinkerr", "method", "used"))]
    assert find_duplicates(link(papers, lexicon=Nothing())) == Duplicates()


def test_many_alike_stay_few_pairs() -> None:
    """A form that a thousand names share must not make half a million pairs."""
    entities = tuple(
        Entity(id=f"method/{i:04d}", kind="method", name="Common Name", label=f"Common Name ({i})") for i in range(1000)
    )
    assert len(find_duplicates(Knowledge(entities=entities)).pairs) < 1000


def test_reasons_survive_in_the_graph(knowledge: Knowledge) -> None:
    graph = to_graph(knowledge)
    for entity in knowledge.entities:
        kept = json.loads(graph.nodes[entity.id].get("reasons", "[]"))
        assert len(kept) == len(entity.reasons)


def test_a_paper_can_be_explained(knowledge: Knowledge) -> None:
    found = one(knowledge, "paper/a")
    assert {"LVR proposes LVR", "LVR outperforms GRPO"} <= {fact.text for fact in found.facts}
    assert replace(found, facts=()).label == "LVR"
