"""Linking of hand-made annotations: what must hold on real papers, with no extractor to blame."""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from sotagraph.duplicates import find_duplicates
from sotagraph.lexicon import load
from sotagraph.link import link
from sotagraph.model import Entity, Extraction, Knowledge
from sotagraph.schema import RELATIONS

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"


def _review() -> ModuleType:
    """The review benchmark, which reads the annotations; it is a script and no part of the package."""
    spec = importlib.util.spec_from_file_location("linking_review", ROOT / "benchmarks/linking_review.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def extractions() -> list[Extraction]:
    found: list[Extraction] = _review().annotated(SHARED)
    if not found:
        pytest.skip(f"no annotations in {SHARED.name}/ beside the repository")
    return found


@pytest.fixture(scope="module")
def knowledge(extractions: list[Extraction]) -> Knowledge:
    return link(extractions, lexicon=load())


@pytest.fixture(scope="module")
def find(knowledge: Knowledge) -> Callable[[str, str], Entity]:
    """The entity that a document calls by a name."""
    by_id = {entity.id: entity for entity in knowledge.entities}
    places = {(o.document_id, o.name): by_id[o.entity_id] for o in knowledge.occurrences}
    return lambda document, name: places[document, name]


def test_two_papers_propose_a_fact(knowledge: Knowledge, find: Callable[[str, str], Entity]) -> None:
    theorem, forecaster = find("s000-06", "FACT"), find("s000-07", "FACT")
    assert theorem.label == "FACT (Features at Convergence Theorem)"
    assert forecaster.label == "FACT (multivariate time series forecasting)"
    assert tuple(sorted((theorem.id, forecaster.id))) in knowledge.different


def test_grpo_is_one_thing(knowledge: Knowledge, find: Callable[[str, str], Entity]) -> None:
    grpo = find("s000-01", "GRPO")
    papers = {o.document_id for o in knowledge.occurrences if o.entity_id == grpo.id}
    named = {o.document_id for o in knowledge.occurrences if o.name == "GRPO"}
    assert named <= papers
    assert len(papers) > 20


def test_sizes_are_variants_and_no_joins(knowledge: Knowledge, find: Callable[[str, str], Entity]) -> None:
    variants = {(s.subject, s.object) for s in knowledge.statements if s.predicate == "variantOf"}
    family = find("s000-05", "Goedel-Prover-V2")
    for size in ("8B", "32B"):
        assert (find("s000-05", f"Goedel-Prover-V2-{size}").id, family.id) in variants
    assert {f"metric/pass@{k}" for k in (32, 184, 1024)} <= {s for s, o in variants if o == "metric/pass@k"}


def test_years_are_one_benchmark_however_written(knowledge: Knowledge) -> None:
    spelt = {
        o.name: o.entity_id for o in knowledge.occurrences if o.name in ("AIME24", "AIME 2024", "AIME2024", "AIME'24")
    }
    assert len(spelt) == 4
    assert len(set(spelt.values())) == 1


def test_the_seeds_have_no_duplicates_and_no_wrong_merges(extractions: list[Extraction]) -> None:
    seeds = link([e for e in extractions if e.document.id.startswith("s")], lexicon=load())
    assert find_duplicates(seeds).pairs == () or all(pair.different for pair in find_duplicates(seeds).pairs)
    for entity in seeds.entities:
        proposers = {o.document_id for o in seeds.occurrences if o.entity_id == entity.id and o.role == "proposed"}
        assert len(proposers) <= 1, entity


def test_every_end_fits_its_predicate(knowledge: Knowledge) -> None:
    kinds = {entity.id: entity.kind for entity in knowledge.entities}
    for said in knowledge.statements:
        relation = RELATIONS[said.predicate]
        assert kinds.get(said.subject, "paper") in relation.domain, said
        assert said.predicate == "hasCode" or kinds[said.object] in relation.range, said
    for score in knowledge.results:
        for slot in ("dataset", "metric", "task"):
            assert kinds.get(getattr(score, slot) or "", slot) == slot, score


def test_nearly_nothing_that_papers_say_is_lost(extractions: list[Extraction], knowledge: Knowledge) -> None:
    said = sum(len(extraction.statements) for extraction in extractions)
    kept = sum(
        not s.evidence.rule.startswith("variant:") and not s.evidence.rule.endswith("+own")
        for s in knowledge.statements
    )
    assert kept > 0.97 * said
    assert len(knowledge.results) == sum(len(extraction.results) for extraction in extractions)


def test_labels_and_ids_are_unique(knowledge: Knowledge) -> None:
    for values in ([e.id for e in knowledge.entities], [e.label for e in knowledge.entities]):
        assert len(values) == len(set(values))


def test_order_does_not_matter(extractions: list[Extraction], knowledge: Knowledge) -> None:
    shuffled = list(extractions)
    random.Random(7).shuffle(shuffled)
    assert link(shuffled, lexicon=load()) == knowledge


def test_time_grows_with_the_papers_and_not_with_their_square(extractions: list[Extraction]) -> None:
    def seconds(papers: list[Extraction]) -> float:
        started = time.process_time()
        link(papers, lexicon=load())
        return time.process_time() - started

    seconds(extractions[:50])  # Caches of name forms fill here.
    some, all_of_them = seconds(extractions[:200]), seconds(extractions[:800])
    assert all_of_them < 12 * max(some, 0.05)
