"""The table is well-formed, large enough, and answers as extraction and linking need it."""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from sotagraph import lexicon
from sotagraph.errors import ConfigError
from sotagraph.lexicon import COLUMNS, Lexicon, LexiconEntry, load, parse
from sotagraph.names import clean, key
from sotagraph.schema import ENTITY_KINDS

TABLE = Path(lexicon.__file__).parent / "data" / "lexicon.tsv"
HEAD = "\t".join(COLUMNS)


@pytest.fixture(scope="module")
def entries() -> tuple[LexiconEntry, ...]:
    return load().entries


def test_table_bytes() -> None:
    data = TABLE.read_bytes()
    assert b"\r" not in data
    assert data.endswith(b"\n")
    assert not data.endswith(b"\n\n")
    assert data.decode("utf-8").splitlines()[0] == HEAD


def test_sorted_by_kind_and_key(entries: tuple[LexiconEntry, ...]) -> None:
    order = [(ENTITY_KINDS.index(entry.kind), key(entry.name), entry.name) for entry in entries]
    assert order == sorted(order)


def test_no_form_belongs_to_two_entries_of_one_kind(entries: tuple[LexiconEntry, ...]) -> None:
    owners: dict[tuple[str, str], str] = {}
    clashes = []
    for entry in entries:
        for form in entry.forms:
            place = entry.kind, key(form)
            if place in owners:
                clashes.append((form, entry.name, owners[place]))
            owners[place] = entry.name
    assert clashes == []


def test_cells_are_clean(entries: tuple[LexiconEntry, ...]) -> None:
    forms = [form for entry in entries for form in entry.forms]
    assert [form for form in forms if form != form.strip() or "  " in form or not clean(form)] == []
    assert [form for form in forms if len(key(form)) < 2] == []
    assert [entry.name for entry in entries if list(entry.aliases) != sorted(entry.aliases)] == []


def test_size_and_balance(entries: tuple[LexiconEntry, ...]) -> None:
    counts = Counter(entry.kind for entry in entries if not entry.generic)
    assert sum(counts.values()) >= 2500
    assert counts["method"] >= 1200
    assert counts["dataset"] >= 800
    assert counts["metric"] >= 200
    assert counts["task"] >= 300


def test_only_metrics_have_a_direction(entries: tuple[LexiconEntry, ...]) -> None:
    assert {entry.kind for entry in entries if entry.higher_is_better is not None} == {"metric"}


@pytest.mark.parametrize(
    ("name", "kind", "canonical"),
    [
        ("Group Relative Policy Optimization", "method", "GRPO"),
        ("low rank adaptation", "method", "LoRA"),
        ("qwen2.5vl", "method", "Qwen2.5-VL"),
        ("GPT4o", "method", "GPT-4o"),
        ("llama3", "method", "Llama 3"),
        ("stochastic gradient langevin dynamics", "method", "SGLD"),
        ("ms coco", "dataset", "COCO"),
        ("AIME'24", "dataset", "AIME 2024"),
        ("DeepMind Control Suite", "dataset", "DeepMind Control Suite"),
        ("miniF2F", "dataset", "MiniF2F"),
        ("F1-score", "metric", "F1"),
        ("word error rate", "metric", "WER"),
        ("NER", "task", "named entity recognition"),
    ],
)
def test_lookup_by_any_spelling(name: str, kind: str, canonical: str) -> None:
    assert [entry.name for entry in load().lookup(name) if entry.kind == kind] == [canonical]


@pytest.mark.parametrize(
    "pair", [("GPT-4", "GPT-4o"), ("LLaVA", "LLaVA-NeXT"), ("HumanEval", "HumanEval+"), ("SAM", "SAC")]
)
def test_neighbours_stay_apart(pair: tuple[str, str]) -> None:
    one, other = ({entry.name for entry in load().lookup(name)} for name in pair)
    assert one
    assert other
    assert not one & other


@pytest.mark.parametrize("name", ["zebra crossing", "", "the", "we", "()"])
def test_lookup_of_nothing(name: str) -> None:
    assert load().lookup(name) == ()


@pytest.mark.parametrize("name", ["LLM", "Transformer", "GNN", "RL", "fine-tuning", "large language models"])
def test_class_words_are_generic(name: str) -> None:
    assert all(entry.generic for entry in load().lookup(name))
    assert load().lookup(name)


@pytest.mark.parametrize("name", ["Adult", "SET", "Lion", "Spider", "CHAIR", "precision"])
def test_ordinary_words_want_context(name: str) -> None:
    assert all(entry.context for entry in load().lookup(name))
    assert load().lookup(name)


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("accuracy", True),
        ("final answer accuracy", True),
        ("pass@17", True),
        ("Recall@15", True),
        ("perplexity", False),
        ("validation perplexity", False),
        ("FID", False),
        ("mean latency", False),
        ("throughput", True),
        ("cumulative regret", False),
        ("GRPO", None),
        ("refusal rate", None),
        ("", None),
    ],
)
def test_direction(name: str, better: bool | None) -> None:
    assert load().higher_is_better(name) is better


def test_links_are_iris(entries: tuple[LexiconEntry, ...]) -> None:
    links = {entry.name: dict(entry.links) for entry in entries if entry.links}
    assert links["PyTorch"]["exactMatch"] == "http://www.wikidata.org/entity/Q47509047"
    assert all(iri.startswith(("http://", "https://")) for found in links.values() for iri in found.values())
    wikidata = [iri for found in links.values() for name, iri in found.items() if name == "exactMatch"]
    assert len(wikidata) == len(set(wikidata))


def test_wikidata_items_are_those_that_were_looked_up(entries: tuple[LexiconEntry, ...]) -> None:
    """A new item is looked up by the rule of decision 0301 first, and then written here too."""
    items = {
        entry.name: iri.rpartition("/")[2] for entry in entries for name, iri in entry.links if name == "exactMatch"
    }
    assert items == {
        "ChEMBL": "Q6120337",
        "ChatGPT": "Q115564437",
        "CNN": "Q17084460",
        "Kalman filter": "Q846780",
        "PubChem": "Q278487",
        "PyTorch": "Q47509047",
        "RL": "Q830687",
        "RNN": "Q1457734",
        "TensorFlow": "Q21447895",
        "UniProt": "Q905695",
        "Wikidata": "Q2013",
        "Wikipedia": "Q52",
        "deep learning": "Q197536",
        "machine learning": "Q2539",
        "named entity recognition": "Q403574",
        "random forest": "Q245748",
        "scikit-learn": "Q1026367",
    }


def test_papers_with_code_slugs_stand_in_the_acl_anthology(entries: tuple[LexiconEntry, ...]) -> None:
    """The Anthology's files link papers to Papers with Code: each slug of ours is there, beside the same name."""
    files = sorted((Path(__file__).parents[2] / "shared/corpora/acl-anthology").glob("*.xml"))
    if not files:
        pytest.skip("no ACL Anthology in shared/ beside the repository")
    linked = re.compile(r'<pwcdataset url="(https://paperswithcode\.com/dataset/[^"]+)">([^<]*)<')
    names: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for url, name in linked.findall(file.read_text(encoding="utf-8")):
            names[url].add(key(html.unescape(name)))
    ours = [(entry.name, iri) for entry in entries for name, iri in entry.links if name == "closeMatch"]
    assert len(ours) > 300
    assert [pair for pair in ours if key(pair[0]) not in names[pair[1]]] == []


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("A1\tmethod", "2 columns"),
        ("A1\tthing\t\t\t\t\t", "kind 'thing'"),
        ("A1\tmethod\t\tyes\t\t\t", "generic and context"),
        ("A1\tmetric\t\t\t\tup\t", "direction 'up'"),
        ("A1\tmethod\t\t\t\t\tdoi=1", "link 'doi=1'"),
        ("()\tmethod\t\t\t\t\t", "no letter or digit"),
    ],
)
def test_faults_name_the_line(row: str, says: str) -> None:
    with pytest.raises(ConfigError, match=rf"^mine.tsv:3: .*{says}"):
        parse([HEAD, "BLEU\tmetric\t\t\t\thigher\t", row], source="mine.tsv")


@pytest.mark.parametrize("lines", [[], ["name\tkind"]])
def test_head_line_is_wanted(lines: list[str]) -> None:
    with pytest.raises(ConfigError, match=r"^lexicon:1: "):
        parse(lines)


def test_own_table() -> None:
    own = Lexicon(parse([HEAD, "Zed\tmethod\tZeta Decoder\t\t\t\t"]))
    assert own.lookup("zeta-decoder") == own.entries
