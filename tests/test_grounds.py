"""What is taken over from a former graph is what would be made anew, whichever papers came, went or changed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crowd
from lexicons import Known, Lexicon
from sotagraph import records
from sotagraph.content import Attributes, Content
from sotagraph.corrections import Correction
from sotagraph.graph import to_content
from sotagraph.lexicon import load
from sotagraph.link import Grounds, link
from sotagraph.model import PAPER, Document, DocumentEntity, Evidence, Extraction, Mention, Result, Statement
from test_link import CORPORA, corpus

ROOT = Path(__file__).parents[1]
#: One address in several spellings, so that the first paper that writes it gives it its own.
ADDRESSES = ("https://github.com/a/heron", "http://www.github.com/a/heron/", "https://GitHub.com/a/heron", "")


class Chain:
    """Graphs of one corpus after another, each made from the one before."""

    def __init__(self) -> None:
        self.content = Content()
        self.grounds = Grounds()
        self.former: dict[str, Extraction] = {}
        self.unchanged: frozenset[str] = frozenset()

    def step(self, papers: Sequence[Extraction], corrections: Sequence[Correction] = ()) -> None:
        """Make the graph of some papers, and see that it is the one that is made of them alone."""
        same = {one.document.id for one in papers if self.former.get(one.document.id) is one}
        grounds = Grounds(self.grounds.noted, same)
        knowledge = link(papers, lexicon=load(), corrections=corrections, grounds=grounds)
        content = to_content(knowledge, self.content)
        alone = Grounds()
        expected = to_content(link(papers, lexicon=load(), corrections=corrections, grounds=alone))
        assert rows(content.nodes) == rows(expected.nodes)
        assert rows(content.edges) == rows(expected.edges)
        assert grounds.noted == alone.noted
        self.content, self.grounds, self.unchanged = content, grounds, knowledge.unchanged
        self.former = {one.document.id: one for one in papers}


def rows(some: dict[str, Attributes] | dict[tuple[str, str, str], Attributes]) -> list[object]:
    """All that has a say in what is written: the order of keys and of their attributes too."""
    return [(key, list(data.items())) for key, data in some.items()]


@pytest.mark.parametrize("title", CORPORA)
def test_each_paper_of_a_hard_corpus_may_come_last_and_go_first(title: str) -> None:
    """Where names change their sense, kind or label by one paper more."""
    papers = corpus(CORPORA[title])
    for one in papers:
        chain = Chain()
        rest = [paper for paper in papers if paper is not one]
        for some in (rest, papers, rest):
            chain.step(some)


@cache
def invented() -> tuple[Extraction, ...]:
    chosen = random.Random(7)
    return tuple(_talkative(extraction, chosen) for extraction in crowd.extractions(150))


def _talkative(extraction: Extraction, chosen: random.Random) -> Extraction:
    """A paper that also has code, results, a variant, and a longer name of one of its tasks or metrics."""
    document, names = extraction.document, [entity.name for entity in extraction.entities]
    evidence = Evidence(document_id=document.id, start=0, end=len(document.text), rule="talkative")
    said = list(extraction.statements)
    if address := chosen.choice(ADDRESSES):
        said.append(Statement(subject=PAPER, predicate="hasCode", object=address, evidence=evidence))
    for predicate in chosen.sample(("variantOf", "uses", "comparedWith", "addresses"), 1):
        subject, target = chosen.sample(names, 2)
        said.append(Statement(subject=subject, predicate=predicate, object=target, evidence=evidence))
    of_kind = {entity.kind: entity.name for entity in extraction.entities}
    results = tuple(
        Result(
            value=Decimal(number),
            value_text=str(number),
            kind="absolute",
            evidence=evidence,
            method=of_kind.get("method", PAPER),
            dataset=of_kind.get("dataset"),
            metric=of_kind.get("metric"),
            task=of_kind.get("task"),
        )
        for number in chosen.sample(range(5), 2)
    )
    entities = tuple(map(_longer, extraction.entities)) if chosen.random() < 0.3 else extraction.entities
    return replace(extraction, statements=tuple(said), results=results, entities=entities)


def _longer(entity: DocumentEntity) -> DocumentEntity:
    if entity.kind not in ("task", "metric") or entity.aliases:
        return entity
    return replace(entity, aliases=(f"Swahili {entity.name}",))


SOME = st.lists(st.integers(0, 149), max_size=40, unique=True)


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.tuples(SOME, SOME), min_size=2, max_size=3))
def test_any_papers_may_come_and_go(steps: list[tuple[list[int], list[int]]]) -> None:
    """The second list of a step are papers that say less than in others: their extraction is another one."""
    chain = Chain()
    for some, less in steps:
        chain.step([replace(invented()[n], results=()) if n in less else invented()[n] for n in some])


@settings(max_examples=20, deadline=None)
@given(first=SOME, second=SOME, seed=st.integers(0, 9))
def test_corrections_may_come_and_go(first: list[int], second: list[int], seed: int) -> None:
    corrections = (
        Correction(action="merge", names=("HERON", "DISCO")),
        Correction(action="rename", names=("GRPO",), to="Group Policy"),
        Correction(action="reject", names=("QA",)),
        Correction(action="reject-statement", names=(PAPER, "uses", "GRPO")),
        Correction(action="reject-result", names=("3",), papers=("c0003",)),
    )
    chosen = random.Random(seed)
    chain = Chain()
    for some in (first, second, second):
        chain.step([invented()[n] for n in some], chosen.sample(corrections, chosen.randint(0, 3)))


def test_real_papers_may_come_and_go() -> None:
    lines = (ROOT / "output/extractions.jsonl").read_text(encoding="utf-8").splitlines()
    papers = [records.loads(line) for line in lines]
    chain = Chain()
    for some in (papers[::2], papers, papers[1:], papers[1::3]):
        chain.step(some)


def test_what_one_paper_does_not_touch_is_taken_over() -> None:
    """Counted, since equal graphs alone do not tell whether anything was saved."""
    papers = list(invented()[:100])
    quiet = {one.document.id for one in papers if not any(s.predicate == "variantOf" for s in one.statements)}
    new = _paper("z1", "ZEBRANET")
    chain = Chain()
    chain.step(papers)
    chain.step([*papers, new])
    assert len(chain.unchanged) >= 0.9 * len(quiet) > 30
    chain.step([*papers, new])
    assert chain.unchanged >= quiet - _shadowed(papers)
    assert "z1" in chain.unchanged


def test_a_name_that_means_something_else_now_is_drawn_anew() -> None:
    """Whoever uses the name is no longer tied to the paper that alone had coined it."""
    coining, using = _paper("a", "ZEBRANET"), _paper("b", "ZEBRANET", role=None)
    other = _paper("c", "ZEBRANET")
    chain = Chain()
    chain.step([coining, using])
    before = set(chain.content.nodes)
    chain.step([coining, using, other])
    assert set(chain.content.nodes) - before > {"paper/c"}
    assert not chain.unchanged & {"a", "b"}
    chain.step([coining, using])
    assert set(chain.content.nodes) == before


def test_an_untitled_paper_is_called_by_what_its_names_are_now() -> None:
    """Its part of the graph is the same, but a thing of another kind has the name too."""
    chain = Chain()
    untitled = _paper("a", "ZEBRANET")
    chain.step([untitled])
    assert chain.content.nodes["paper/a"]["label"] == "ZEBRANET"
    chain.step([untitled, _paper("b", "ZEBRANET", kind="dataset", role="introduced")])
    assert chain.unchanged == {"a"}
    assert chain.content.nodes["paper/a"]["label"] == "ZEBRANET (method)"


def test_a_result_is_labelled_by_what_its_data_are_called_now() -> None:
    """Papers enough that write it so give a thing another name, and leave it its id."""
    chain = Chain()
    measured = _measured("a", "zebraset", "speed")
    chain.step([measured, _paper("b", "zebraset", kind="dataset", role=None)])
    labels = {data["label"] for data in chain.content.nodes.values() if data["kind"] == "Result"}
    more = [_paper(name, "ZebraSet", kind="dataset", role=None) for name in "cdefg"]
    chain.step([measured, *more])
    assert {data["label"] for data in chain.content.nodes.values() if data["kind"] == "Result"} != labels


def test_what_papers_say_of_variants_is_heard_each_time() -> None:
    """Else the name alone would make it a variant once more."""
    paper, base = _paper("a", "Zebra-7B", role=None), _paper("b", "Zebra")
    evidence = Evidence(document_id="a", start=0, end=5, rule="test")
    telling = Statement(subject="Zebra-7B", predicate="variantOf", object="Zebra", evidence=evidence)
    both = (*paper.entities, *(replace(one, role=None) for one in base.entities))
    paper = replace(paper, entities=both, statements=(*paper.statements, telling))
    chain = Chain()
    for some in ([paper, base], [paper, base, _paper("c", "HERONNET")]):
        chain.step(some)
        assert sum(data["predicate"] == "variantOf" for data in chain.content.edges.values()) == 1


def test_the_first_paper_that_writes_an_address_gives_it_its_spelling() -> None:
    """Also where that paper is taken over, and a later one is new."""
    papers = [_paper(name, coined) for name, coined in (("a", "ZEBRANET"), ("b", "HERONNET"))]
    for number, (paper, address) in enumerate(zip(papers, ADDRESSES, strict=False)):
        [said] = paper.statements
        papers[number] = replace(paper, statements=(said, replace(said, predicate="hasCode", object=address)))
    chain = Chain()
    for some in (papers[:1], papers, papers[1:]):
        chain.step(some)
        [repository] = (data for data in chain.content.nodes.values() if data["kind"] == "Repository")
        assert repository["url"] == ADDRESSES[papers.index(some[0])]


def test_statements_are_corrected_though_nothing_else_is_new() -> None:
    papers = [_paper("a", "ZEBRANET", role=None), _paper("b", "HERONNET")]
    correction = Correction(action="reject-statement", names=(PAPER, "uses", "ZEBRANET"))
    chain = Chain()
    for corrections in ((), (correction,), ()):
        chain.step(papers, corrections)
        uses = [data for data in chain.content.edges.values() if data["predicate"] == "uses"]
        assert len(uses) == (0 if corrections else 1)


@pytest.mark.parametrize("better", [True, False, None])
def test_the_side_on_which_a_metric_is_better_is_among_the_grounds(better: bool | None) -> None:
    measured = _measured("a", "zebraset", "zebrarate")
    former = Grounds()
    link([measured], lexicon=Lexicon(Known("zebrarate", "metric", higher_is_better=True)), grounds=former)
    lexicon = Lexicon(Known("zebrarate", "metric", higher_is_better=better))
    knowledge = link([measured], lexicon=lexicon, grounds=Grounds(former.noted, {"a"}))
    assert knowledge.unchanged == ({"a"} if better else set())


def _measured(name: str, data: str, metric: str) -> Extraction:
    """A paper with one result."""
    paper, other = _paper(name, data, kind="dataset", role=None), _paper(name, metric, kind="metric", role=None)
    evidence = Evidence(document_id=name, start=0, end=5, rule="test")
    score = Result(value=Decimal(5), value_text="5", kind="absolute", evidence=evidence, dataset=data, metric=metric)
    return replace(paper, entities=(*paper.entities, *other.entities), results=(score,))


def _paper(name: str, coined: str, *, kind: str = "method", role: str | None = "proposed") -> Extraction:
    """An untitled paper by an author of its own, about one thing."""
    text = f"We present {coined}."
    mention = Mention(text=coined, kind=kind, start=11, end=11 + len(coined), role=role)
    entity = DocumentEntity(name=coined, kind=kind, role=role, mentions=(mention,))
    evidence = Evidence(document_id=name, start=0, end=len(text), rule="test")
    predicate = "proposes" if role else "uses"
    said = Statement(subject=PAPER, predicate=predicate, object=coined, evidence=evidence)
    document = Document(id=name, text=text, authors=(f"Author {name}",), year=2025)
    return Extraction(document=document, entities=(entity,), statements=(said,))


def _shadowed(papers: Iterable[Extraction]) -> set[str]:
    """Those that are the same paper as another one by their identifiers."""
    return {one.document.id for one in papers if one.document.identifiers}
