"""A longer and a shorter phrase of one paper: which is what, what is said of which, and the edge between them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal

import pytest

from lexicons import Known, Lexicon
from sotagraph.corrections import Correction
from sotagraph.lexicon import load
from sotagraph.link import link
from sotagraph.link.narrower import is_narrower, part_phrases
from sotagraph.model import (
    PAPER,
    Document,
    DocumentEntity,
    Evidence,
    Extraction,
    Knowledge,
    Mention,
    Result,
    Statement,
)
from sotagraph.records import dumps

SMALL = Lexicon(
    Known("summarization", "task", ("text summarization",)),
    Known("speech translation", "task"),
    Known("simultaneous translation", "task"),
    Known("event extraction", "task"),
    Known("event argument extraction", "task"),
    Known("SNLI", "dataset", ("Stanford NLI",)),
    Known("accuracy", "metric", higher_is_better=True),
)

TEXT = "We study Korean summarization. It is shown that summarization is hard. Nothing is said here."
SENTENCES = ((0, 30), (31, 71), (72, 92))


def mention(text: str, form: str, kind: str, role: str | None = None) -> Mention:
    start = text.index(form)
    return Mention(text=form, kind=kind, start=start, end=start + len(form), role=role)


def entity(text: str, kind: str, *forms: str, role: str | None = None, long_form: str = "") -> DocumentEntity:
    places = tuple(sorted((mention(text, form, kind, role) for form in forms), key=lambda m: m.start))
    return DocumentEntity(
        name=forms[0], kind=kind, aliases=tuple(sorted(forms[1:])), mentions=places, role=role, long_form=long_form
    )


def said(number: int, predicate: str = "addresses", subject: str = PAPER) -> Statement:
    start, end = SENTENCES[number]
    evidence = Evidence(document_id="a", start=start, end=end, rule="test")
    return Statement(subject=subject, predicate=predicate, object="summarization", evidence=evidence)


def korean(statements: Iterable[Statement] = (), results: Iterable[Result] = ()) -> Extraction:
    return Extraction(
        document=Document(id="a", text=TEXT),
        entities=(entity(TEXT, "task", "summarization", "Korean summarization"),),
        statements=tuple(statements),
        results=tuple(results),
    )


def triples(knowledge: Knowledge) -> set[tuple[str, str, str, str]]:
    return {(s.subject, s.predicate, s.object, s.evidence.rule) for s in knowledge.statements}


def test_the_sentence_tells_which_of_the_two_is_addressed_and_the_wider_is_too() -> None:
    tied = ("task/koreansummarization", "variantOf", "task/summarization", "variant:phrase")
    assert triples(link([korean([said(0)])], lexicon=SMALL)) == {
        ("paper/a", "addresses", "task/koreansummarization", "test"),
        ("paper/a", "addresses", "task/summarization", "test+wider"),
        tied,
    }
    wide = {("paper/a", "addresses", "task/summarization", "test"), tied}
    assert triples(link([korean([said(1)])], lexicon=SMALL)) == wide
    assert triples(link([korean([said(2)])], lexicon=SMALL)) == wide  # what the paper calls it mostly


def test_each_phrase_keeps_its_places() -> None:
    knowledge = link([korean()], lexicon=SMALL)
    places = {o.entity_id: [m.text for m in o.mentions] for o in knowledge.occurrences}
    assert places == {"task/koreansummarization": ["Korean summarization"], "task/summarization": ["summarization"]}


def test_the_edge_has_the_sentence_of_the_narrower_phrase() -> None:
    [edge] = [s for s in link([korean([said(0)])], lexicon=SMALL).statements if s.predicate == "variantOf"]
    assert TEXT[edge.evidence.start : edge.evidence.end] == "We study Korean summarization."
    assert edge.confidence == 0.8


def test_a_result_goes_to_the_phrase_nearest_to_its_number() -> None:
    text = "It has 75.1% accuracy, and a beam accuracy of 78.3% here. It gains 3%."

    def result(value: str, start: int, end: int) -> Result:
        evidence = Evidence(document_id="a", start=start, end=end, rule="test")
        return Result(
            value=Decimal(value), value_text=value, kind="absolute", evidence=evidence, metric="beam accuracy"
        )

    end = text.index("here.") + 5
    extraction = Extraction(
        document=Document(id="a", text=text),
        entities=(entity(text, "metric", "beam accuracy", "accuracy"),),
        results=(result("75.1", 0, end), result("78.3", 0, end), result("3", end + 1, len(text))),
    )
    metrics = {r.value_text: r.metric for r in link([extraction], lexicon=SMALL).results}
    assert metrics == {"75.1": "metric/accuracy", "78.3": "metric/beamaccuracy", "3": "metric/beamaccuracy"}


def test_two_tasks_in_one_phrase_are_tied_to_neither() -> None:
    text = "For event detection and extraction, event extraction helps."
    forms = ("event detection and extraction", "event extraction")
    extraction = Extraction(document=Document(id="a", text=text), entities=(entity(text, "task", *forms),))
    knowledge = link([extraction], lexicon=SMALL)
    assert {o.entity_id for o in knowledge.occurrences} == {"task/eventdetectionandextraction", "task/eventextraction"}
    assert not knowledge.statements


def test_a_short_form_goes_to_one_of_the_things_that_have_its_letters() -> None:
    text = "Simultaneous translation, a speech translation (ST), is hard. We do end-to-end speech translation."
    forms = ("ST", "Simultaneous translation", "speech translation", "end-to-end speech translation")
    found = entity(text, "task", *forms, long_form="speech translation")
    parted = part_phrases([Extraction(document=Document(id="a", text=text), entities=(found,))], SMALL)
    names = {e.name: e.aliases for e in parted.extractions[0].entities}
    assert names["ST"] == ("speech translation",)
    assert parted.told["a"] == [("end-to-end speech translation", "ST")]


def test_what_a_paper_coins_is_the_narrower_phrase() -> None:
    text = "We introduce Korean summarization, a summarization task."
    place = mention(text, "Korean summarization", "task", "introduced")
    wide = mention(text, "summarization task", "task")
    coined = DocumentEntity(
        name="Korean summarization",
        kind="task",
        aliases=("summarization",),
        role="introduced",
        mentions=(place, Mention(text="summarization", kind="task", start=wide.start, end=wide.start + 13)),
    )
    parted = part_phrases([Extraction(document=Document(id="a", text=text), entities=(coined,))], SMALL)
    assert {e.name: e.role for e in parted.extractions[0].entities} == {
        "Korean summarization": "introduced",
        "summarization": None,
    }


def test_a_part_joins_what_the_paper_has_by_its_name() -> None:
    text = "Korean summarization is a summarization. Plain Summarization is older."
    both = entity(text, "task", "Korean summarization", "summarization")
    other = entity(text, "task", "Summarization")
    parted = part_phrases([Extraction(document=Document(id="a", text=text), entities=(both, other))], SMALL)
    names = [e.name for e in parted.extractions[0].entities]
    assert sorted(names) == ["Korean summarization", "Summarization"]
    joined = next(e for e in parted.extractions[0].entities if e.name == "Summarization")
    assert [text[m.start : m.end] for m in joined.mentions] == ["summarization", "Summarization"]


def test_a_paper_without_two_phrases_is_left_as_it_is() -> None:
    text = "SNLI is used."
    extraction = Extraction(document=Document(id="a", text=text), entities=(entity(text, "dataset", "SNLI"),))
    assert part_phrases([extraction], SMALL).extractions[0] is extraction


@pytest.mark.parametrize(
    ("more", "words", "wanted"),
    [
        ("table to text generation", "text generation", True),
        ("text generation", "text generation", False),
        ("text generation systems", "text generation", False),
        ("generation of text", "text generation", False),
    ],
)
def test_is_narrower(more: str, words: str, wanted: bool) -> None:
    assert is_narrower(more.split(), words.split()) == wanted


def test_long_forms_that_the_lexicon_has_as_two_things_stay_two() -> None:
    def paper(name: str, long: str) -> Extraction:
        text = f"We do {long} (EE) well."
        found = entity(text, "task", "EE", long, long_form=long)
        return Extraction(document=Document(id=name, text=text), entities=(found,))

    longs = ["event extraction"] * 3 + ["event argument extraction"]
    knowledge = link([paper(f"p{n}", long) for n, long in enumerate(longs)], lexicon=SMALL)
    assert len({o.entity_id for o in knowledge.occurrences}) == 2


def _bare(count: int, name: str, kind: str, words: str = "") -> list[Extraction]:
    text = f"We use {name} here. {words}"
    return [
        Extraction(document=Document(id=f"b{n:02}", text=text), entities=(entity(text, kind, name),))
        for n in range(count)
    ]


def _defining(name: str, long: str, kind: str) -> Extraction:
    text = f"We made {long} ({name})."
    found = entity(text, kind, name, long, long_form=long)
    return Extraction(document=Document(id="z", text=text), entities=(found,))


def test_one_paper_that_spells_a_known_name_otherwise_unsettles_no_other() -> None:
    papers = [
        *_bare(12, "SNLI", "dataset", "Native items in slow language."),
        _defining("SNLI", "Slow Native Language Items", "dataset"),
    ]
    knowledge = link(papers, lexicon=SMALL)
    assert {o.entity_id for o in knowledge.occurrences if o.document_id != "z"} == {"dataset/snli"}
    assert not knowledge.ambiguous
    few = link([*papers[:5], papers[-1]], lexicon=SMALL)
    assert len(few.ambiguous) > 0


def test_the_order_of_papers_does_not_matter() -> None:
    papers = [korean([said(0)]), *_bare(4, "summarization", "task"), *_bare(12, "SNLI", "dataset")]
    papers = [
        Extraction(document=Document(id=f"{n:02}", text=p.document.text), entities=p.entities)
        for n, p in enumerate(papers)
    ]
    assert link(papers, lexicon=SMALL) == link(papers[::-1], lexicon=SMALL)


def test_records_are_kept_as_they_are() -> None:
    extraction = korean([said(0)])
    before = dumps(extraction)
    link([extraction], lexicon=SMALL)
    assert dumps(extraction) == before
    assert json.loads(before)


def test_synonyms_of_the_shipped_lexicon_are_one_thing() -> None:
    text = "Sequence tagging, also called sequence labeling, is text summarization or summarization."
    first = entity(text, "task", "Sequence tagging", "sequence labeling")
    second = entity(text, "task", "text summarization", "summarization")
    extraction = Extraction(document=Document(id="a", text=text), entities=(first, second))
    # The second "summarization" stands inside the first phrase here; the forms alone matter.
    assert part_phrases([extraction], load()).extractions[0] is extraction


def _two_narrow(*sentences: tuple[str, ...]) -> list[Extraction]:
    """A paper that says in each sentence which tasks it addresses; three others know the wider ones."""
    text, entities, statements = "", {}, []
    for names in sentences:
        start = len(text)
        text += f"We do {' and '.join(names)}. "
        for name in names:
            wide = name.split()[-1]
            at = text.index(name, start)
            places = (
                Mention(text=name, kind="task", start=at, end=at + len(name)),
                Mention(text=wide, kind="task", start=at + len(name) - len(wide), end=at + len(name)),
            )
            entities[name] = DocumentEntity(name=name, kind="task", aliases=(wide,), mentions=places)
            evidence = Evidence(document_id="p", start=start, end=len(text) - 1, rule="told")
            statements.append(Statement(subject=PAPER, predicate="addresses", object=name, evidence=evidence))
    wides = sorted({name.split()[-1] for names in sentences for name in names})
    others = [
        Extraction(
            document=Document(id=f"q{number}", text=" ".join(wides)),
            entities=tuple(DocumentEntity(name=wide, kind="task") for wide in wides),
        )
        for number in range(3)
    ]
    document = Document(id="p", text=text)
    return [Extraction(document=document, entities=tuple(entities.values()), statements=tuple(statements)), *others]


@pytest.mark.parametrize(
    ("sentences", "left"),
    [
        ([("Korean quizzing",)], set()),
        # Another phrase of the sentence has a wider one of its own, or the same.
        ([("Korean quizzing", "Thai rhyming")], {"task/thairhyming", "task/rhyming"}),
        ([("Korean quizzing", "Thai quizzing")], {"task/thaiquizzing", "task/quizzing"}),
        ([("Korean quizzing",), ("Thai quizzing",)], {"task/thaiquizzing", "task/quizzing"}),
    ],
)
def test_rejecting_the_narrower_statement_takes_the_wider_one(sentences: list[tuple[str, ...]], left: set[str]) -> None:
    papers = _two_narrow(*sentences)
    said = [s for s in link(papers, lexicon=Lexicon()).statements if s.predicate == "addresses"]
    assert {s.object for s in said} == {"task/koreanquizzing", "task/quizzing"} | left
    heard: list[str] = []
    gone = Correction(action="reject-statement", names=(PAPER, "addresses", "Korean quizzing"))
    knowledge = link(papers, lexicon=Lexicon(), corrections=(gone,), warn=heard.append)
    assert {s.object for s in knowledge.statements if s.predicate == "addresses"} == left
    assert not heard
