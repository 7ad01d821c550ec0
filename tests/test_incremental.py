"""A build into a directory that holds one gives the bytes of a build from nothing, whatever came before it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fakes
from sotagraph import api, keep
from sotagraph.content import Attributes, Content, Cut, applied, cuts, delta, places
from sotagraph.graph import to_content
from sotagraph.model import Document, Evidence, Extraction, Knowledge, Result
from sotagraph.pieces import Pieces, Section
from sotagraph.splice import spliced, write
from sotagraph.subjects import turned

#: Names that meet in many papers: spellings, a short form and its long form, versions, a lone surrogate's place.
WORDS = ("GRPO", "GRPOS", "ALPHA", "BETA", "BETA-2", "QQQQ", "Bench", "mAP", "é", "𝔾raph", '"x" <y>\t& z')


class Talking(fakes.Capitals):
    """Adds to each capital name a score, so that every kind of piece comes and goes."""

    version = "talking 1"

    def extract(self, document: Document) -> Extraction:
        extraction = super().extract(document)
        said = [statement.evidence for statement in extraction.statements]
        results = tuple(
            Result(
                value=Decimal(len(document.text)),
                value_text=str(len(document.text)),
                kind="absolute",
                evidence=Evidence(document_id=document.id, start=0, end=one.end, rule="talking"),
                method=entity.name,
                confidence=0.5,
            )
            for one, entity in zip(said, extraction.entities, strict=True)
        )
        return replace(extraction, results=results, extractor=self.version)


class Paper(NamedTuple):
    id: str
    words: tuple[int, ...]
    year: int | None
    venue: str
    authors: tuple[str, ...]
    title: str


PAPERS = st.builds(
    Paper,
    id=st.sampled_from([f"p{number}" for number in range(8)] + ["p1-2", "p10"]),
    words=st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=4).map(tuple),
    year=st.sampled_from([None, 2024, 2025]),
    venue=st.sampled_from(["", "ICLR 2026", "ACL"]),
    authors=st.lists(st.sampled_from(["Ada Novak", "Bo Li", "É. Œ"]), max_size=2, unique=True).map(tuple),
    title=st.sampled_from(["", "On GRPO", "Beta"]),
)
CORRECTIONS = ("", "- rename: GRPO\n  to: Group\n", "- reject: ALPHA\n", "- merge: [BETA, ALPHA]\n")
#: What may befall a cache between two builds.
FATES: dict[str, Callable[[Path, Path], object]] = {
    "kept": lambda _cache, _old: None,
    "deleted": lambda cache, _old: shutil.rmtree(cache.parent),
    "torn": lambda cache, _old: cache.write_bytes(cache.read_bytes()[:-7]),
    "emptied": lambda cache, _old: cache.write_bytes(b""),
    "spoilt": lambda cache, _old: cache.write_bytes(cache.read_bytes()[:-9] + b"spoilt!!!"),
    "stale": lambda cache, old: shutil.copyfile(old, cache),
    "file changed": lambda cache, _old: (cache.parent.parent / "graph.ttl").write_text("mine", encoding="utf-8"),
    "file gone": lambda cache, _old: (cache.parent.parent / "graph.gexf").unlink(),
}
STEPS = st.lists(
    st.tuples(
        st.lists(PAPERS, min_size=1, max_size=7, unique_by=lambda paper: paper.id),
        st.sampled_from(CORRECTIONS),
        st.sampled_from(sorted(FATES)),
    ),
    min_size=2,
    max_size=4,
)


def write_papers(path: Path, papers: list[Paper]) -> None:
    lines = [
        json.dumps(
            {
                "id": paper.id,
                "title": paper.title,
                "abstract": f"We present {' and '.join(WORDS[word] for word in paper.words)} in {paper.id}.",
                "year": paper.year,
                "venue": paper.venue,
                "authors": list(paper.authors),
            }
        )
        for paper in papers
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def built(papers: Path, out: Path, corrections: str) -> dict[str, bytes]:
    chosen = papers.parent / "corrections.yaml"
    chosen.write_text(corrections, encoding="utf-8")
    api.build(papers, out, factory=Talking, warn=lambda _: None, corrections=chosen if corrections else None)
    return {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_a_sequence_of_builds_leaves_what_the_last_leaves_alone(
    steps: list[tuple[list[Paper], str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        papers, out, old = home / "papers.jsonl", home / "out", home / "old"
        for number, (some, corrections, fate) in enumerate(steps):
            write_papers(papers, some)
            if number:
                FATES[fate](out / keep.CACHE, old)
            made = built(papers, out, corrections)
            if not old.exists():
                shutil.copyfile(out / keep.CACHE, old)
            alone = home / f"alone-{number}"
            expected = built(papers, alone, corrections)
            assert made.keys() == expected.keys()
            assert [name for name in made if made[name] != expected[name]] == []


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with papers and a build of them."""
    write_papers(tmp_path / "papers.jsonl", [Paper(f"p{n}", (n % 4, 6), 2024, "ACL", ("Bo Li",), "") for n in range(9)])
    built(tmp_path / "papers.jsonl", tmp_path / "out", "")
    return tmp_path


def test_what_the_cache_keeps_is_what_the_build_was(site: Path) -> None:
    kept = keep.read(site / "out")
    assert kept is not None
    graph = api.load(site / "out").graph
    assert list(kept.content.nodes) == list(graph)
    assert list(kept.content.edges) == list(graph.edges(keys=True))
    assert kept.content.attributes == graph.graph
    for name, index in kept.indexes.items():
        data = (site / "out" / name).read_bytes()
        assert kept.index(site / "out", name) is index
        assert all(int(starts[-1]) <= len(data) + 2 for starts in index.starts())


def test_one_paper_more_leaves_most_pieces_where_they_are(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made anew is counted, since equal bytes alone do not tell whether anything was saved."""
    asked: list[int] = []

    def counting(content: Content, *changes: object, **more: object) -> object:
        made = turned(content, *changes, **more)  # type: ignore[arg-type]
        asked.append(len(made.groups))
        return made

    monkeypatch.setattr("sotagraph.subjects.turned", counting)
    kept = keep.read(site / "out")
    assert kept is not None
    with (site / "papers.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "p9", "abstract": "We present OMEGA."}\n')
    made = built(site / "papers.jsonl", site / "out", "")
    assert len(asked) == 1
    assert asked[0] < 40 < len(kept.subjects.names)
    assert made == built(site / "papers.jsonl", site / "alone", "")


@pytest.mark.parametrize("fate", sorted(set(FATES) - {"kept", "stale"}))
def test_a_cache_that_does_not_fit_counts_for_nothing(fate: str, site: Path) -> None:
    FATES[fate](site / "out" / keep.CACHE, site)
    if not fate.startswith("file"):
        assert keep.read(site / "out") is None
    assert built(site / "papers.jsonl", site / "out", "") == built(site / "papers.jsonl", site / "alone", "")


def test_the_cache_of_another_build_counts_for_nothing(site: Path) -> None:
    write_papers(site / "others.jsonl", [Paper("x", (2,), None, "", (), "")])
    built(site / "others.jsonl", site / "other", "")
    shutil.copyfile(site / "other" / keep.CACHE, site / "out" / keep.CACHE)
    assert built(site / "papers.jsonl", site / "out", "") == built(site / "papers.jsonl", site / "alone", "")


def test_a_cache_of_other_code_counts_for_nothing(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "version", lambda: b"another version")
    assert keep.read(site / "out") is None


def test_another_least_confidence_leaves_nothing_of_the_former(site: Path) -> None:
    """What it leaves out, and what it has left out before, is no part of what an extraction says."""
    for number, least in enumerate((0.6, 0.6, 0.0)):
        write_papers(site / "more.jsonl", [Paper(f"m{number}", (number, 5), None, "", (), "")])
        both = [site / "papers.jsonl", site / "more.jsonl"]
        for out in ("out", f"alone-{number}"):
            api.build(both, site / out, factory=Talking, warn=lambda _: None, min_confidence=least)
        for path in (site / f"alone-{number}").iterdir():
            assert path.is_dir() or path.read_bytes() == (site / "out" / path.name).read_bytes()


def test_what_lies_there_is_not_taken_over_where_extractions_were_touched(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []

    def counting(knowledge: Knowledge, former: Content | None = None) -> Content:
        taken.append(len(knowledge.unchanged))
        return to_content(knowledge, former)

    monkeypatch.setattr("sotagraph.graph.to_content", counting)
    for touched in (False, True):
        with (site / "papers.jsonl").open("a", encoding="utf-8") as file:
            file.write(f'{{"id": "q{touched}", "abstract": "We present OMEGA."}}\n')
        if touched:
            os.utime(site / "out" / "extractions.jsonl", (1, 1))
        built(site / "papers.jsonl", site / "out", "")
    assert taken[0] > 5
    assert taken[1] == 0


def test_another_extractor_leaves_nothing_of_the_former(site: Path) -> None:
    api.build(site / "papers.jsonl", site / "out", factory=fakes.Newer, warn=lambda _: None)
    api.build(site / "papers.jsonl", site / "alone", factory=fakes.Newer, warn=lambda _: None)
    for path in (site / "alone").iterdir():
        assert path.is_dir() or path.read_bytes() == (site / "out" / path.name).read_bytes()


def test_writing_a_graph_elsewhere_leaves_no_cache(site: Path) -> None:
    api.load(site / "out").write(site / "copy")
    assert not (site / "copy" / keep.CACHE).exists()
    for path in (site / "copy").iterdir():
        assert path.read_bytes() == (site / "out" / path.name).read_bytes()


def test_the_graph_of_an_incremental_build_is_that_of_its_file(site: Path) -> None:
    kg = api.build(site / "papers.jsonl", site / "out", factory=Talking, warn=lambda _: None)
    assert nx.utils.graphs_equal(kg.graph, api.load(site / "out").graph)


KEYS = st.lists(st.text("abc-+>~é", min_size=1, max_size=4), unique=True, max_size=12)


@given(old=KEYS, new=KEYS, data=st.data())
def test_cuts_lead_from_one_sequence_to_another(old: list[str], new: list[str], data: st.DataObject) -> None:
    common = sorted(set(old) & set(new))
    kept = set(data.draw(st.lists(st.sampled_from(common), unique=True))) if common else set()
    assert spliced(old, cuts(old, new, kept)) == new


@given(old=KEYS, gone=KEYS, there=KEYS, ending=st.sampled_from(["", ">"]))
def test_places_keep_a_sequence_sorted(old: list[str], gone: list[str], there: list[str], ending: str) -> None:
    ordered = sorted(old, key=lambda key: key + ending)
    after = spliced(ordered, places(ordered, set(gone), there, ending=ending))
    assert after == sorted((set(old) - set(gone)) | set(there), key=lambda key: key + ending)


NODES = st.dictionaries(st.text("abcd", min_size=1, max_size=2), st.fixed_dictionaries({"kind": st.text("xy")}))


@given(old=NODES, new=NODES, edges=NODES, others=NODES)
def test_a_delta_leads_from_one_content_to_another(
    old: dict[str, Attributes], new: dict[str, Attributes], edges: dict[str, Attributes], others: dict[str, Attributes]
) -> None:
    """Edges of one node to itself stand for all: their keys are only carried along."""
    before = Content({"a": "1"}, old, {(key, key, "k"): data for key, data in edges.items()})
    after = Content({"b": "2"}, new, {(key, key, "k"): data for key, data in others.items()})
    kept = keep.Kept()
    kept.content = before
    nodes, ties = kept.changes(after)
    change = delta(
        after,
        cuts(list(before.nodes), list(after.nodes), after.nodes.keys() - nodes),
        cuts(list(before.edges), list(after.edges), after.edges.keys() - ties),
    )
    made = applied(before, change)
    assert made == after
    assert (list(made.nodes), list(made.edges)) == (list(after.nodes), list(after.edges))
    assert all(made.nodes[key] is old[key] for key in new if old.get(key) == new[key] and _in_order(old, new))


def _in_order(old: dict[str, Attributes], new: dict[str, Attributes]) -> bool:
    same = {key for key in old if old[key] == new.get(key)}
    return [key for key in old if key in same] == [key for key in new if key in same]


SECTION = st.tuples(
    st.text(max_size=3),
    st.lists(st.text(max_size=5), max_size=6),
    st.lists(st.text(max_size=5), max_size=6),
    st.sampled_from(["", ",\n", "é"]),
    st.sampled_from(["", '<e id="{}" ']),
)


@given(sections=st.lists(SECTION, min_size=1, max_size=3), tail=st.text(max_size=3), data=st.data())
def test_a_spliced_file_is_the_file_made_anew(
    sections: list[tuple[str, list[str], list[str], str, str]], tail: str, data: st.DataObject
) -> None:
    """Two versions of each section share some pieces at the beginning and the end."""
    before, after, anew = [], [], []
    for head, old, new, joint, number in sections:
        start = data.draw(st.integers(0, len(old)))
        end = data.draw(st.integers(start, len(old)))
        whole = old[:start] + new + old[end:]
        before.append(Section(head, [Cut(0, 0, old)], joint, number))
        after.append(Section(f"{head}!", [Cut(start, end, new)], joint, number))
        anew.append(Section(f"{head}!", [Cut(0, 0, whole)], joint, number))
    with tempfile.TemporaryDirectory() as directory:
        one, two, three = (Path(directory, name) for name in ("one", "two", "three"))
        index = write(one, Pieces(before, tail))
        made = write(two, Pieces(after, f"{tail}?", based=True), one, index)
        expected = write(three, Pieces(anew, f"{tail}?"))
        assert two.read_bytes() == three.read_bytes()
        assert [lengths.tolist() for lengths in made.lengths] == [lengths.tolist() for lengths in expected.lengths]
        assert (made.heads, made.joints) == (expected.heads, expected.joints)
