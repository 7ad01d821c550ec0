"""The seed corpus is complete, well-formed, and in the project's own words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sotagraph.read import read_paths

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "seeds" / "papers.jsonl"
ORIGINALS = ROOT.parent / "shared" / "seeds" / "seeds.jsonl"

IDS = [f"s{file}-{number:02}" for file in ("000", "004") for number in range(1, 20)]
RECORDS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]

#: What each paper puts forward; papers that name nothing are not listed.
PROPOSED = {
    "s000-01": "LVR", "s000-02": "TINKER", "s000-03": "InFOM", "s000-04": "dynamic weight grafting",
    "s000-05": "Goedel-Prover-V2", "s000-06": "Features at Convergence Theorem (FACT)", "s000-07": "DConvBlock",
    "s000-09": "COSMOS", "s000-10": "adaptive canonicalization", "s000-12": "PAPO", "s000-13": "DISCO",
    "s000-14": "C-Evolve",
    "s000-16": "DiffPC", "s000-17": "GRAPE", "s000-18": "Overtone", "s004-01": "MT-DAO", "s004-02": "MatRIS",
    "s004-03": "CalibRL", "s004-04": "Ringleader ASGD", "s004-06": "DeepFRC", "s004-08": "PuzzleWorld",
    "s004-09": "CDE",
    "s004-10": "LLM-DAS", "s004-11": "SESaMo", "s004-12": "Kanzi", "s004-13": "LWD", "s004-14": "UniST",
    "s004-15": "Uni-CoT", "s004-16": "LK-GP-UCB", "s004-18": "FGE",
}  # fmt: skip


def words(text: str) -> list[str]:
    """Lower-case words; numbers and addresses do not count, and emphasis within a word does not cut it."""
    plain = re.sub(r"https?://\S+|\\url\{[^}]*\}|[*\\]", "", text)
    return [word.casefold() for word in re.findall(r"[^\W\d_][\w'’@-]*", plain)]


def test_records() -> None:
    assert [record["id"] for record in RECORDS] == IDS
    assert {tuple(record) for record in RECORDS} == {("id", "venue", "year", "abstract")}
    assert {(record["venue"], record["year"]) for record in RECORDS} == {("ICLR", 2026)}
    assert b"\r" not in FILE.read_bytes()


def test_read_without_complaint() -> None:
    said: list[str] = []
    documents = list(read_paths([ROOT / "seeds"], warn=said.append))
    assert [document.id for document in documents] == IDS
    assert said == []


@pytest.mark.parametrize("record", RECORDS, ids=IDS)
def test_length_and_markup(record: dict[str, str]) -> None:
    text = record["abstract"]
    assert 4 <= len(re.findall(r"[.!?](?=\s+\S|$)", text)) <= 10
    assert "\\" not in text
    assert text == " ".join(text.split())


@pytest.mark.parametrize(("paper", "name"), sorted(PROPOSED.items()))
def test_names_are_kept(paper: str, name: str) -> None:
    assert name in next(record["abstract"] for record in RECORDS if record["id"] == paper)


@pytest.mark.skipif(not ORIGINALS.is_file(), reason="the original abstracts lie beside the repository only")
def test_no_eight_words_in_a_row_are_the_authors() -> None:
    originals = {}
    for line in ORIGINALS.read_text(encoding="utf-8").splitlines():
        original = json.loads(line)
        originals[original["id"]] = words(original["abstract"])
    shared = []
    for record in RECORDS:
        theirs = originals[record["id"]]
        runs = {tuple(theirs[at : at + 8]) for at in range(len(theirs) - 7)}
        ours = words(record["abstract"])
        shared += [ours[at : at + 8] for at in range(len(ours) - 7) if tuple(ours[at : at + 8]) in runs]
    # The long form of DISCO is a name of eight words.
    assert [run for run in shared if "clusterings" not in run] == []


@pytest.mark.skipif(not ORIGINALS.is_file(), reason="the original abstracts lie beside the repository only")
def test_every_figure_is_kept() -> None:
    figure = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?=\\?%|\\?\$?\\times|x\b|k hours)")
    for line in ORIGINALS.read_text(encoding="utf-8").splitlines():
        original = json.loads(line)
        digest = next(record["abstract"] for record in RECORDS if record["id"] == original["id"])
        assert set(figure.findall(original["abstract"])) <= set(re.findall(r"\d+(?:\.\d+)?", digest))
