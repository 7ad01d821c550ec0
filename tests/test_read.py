"""Reading of paths: walking, choosing, identifiers, copies, and every kind of bad input with its message."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from sotagraph import records
from sotagraph.errors import ConfigError, InputError
from sotagraph.model import Document, DocumentEntity, Extraction, Mention
from sotagraph.read import Reader, Record, Source, content_id, is_extraction_record, read_paths, readers, registry
from sotagraph.read.anthology import READER as ANTHOLOGY
from sotagraph.read.bibtex import READER as BIBTEX
from sotagraph.read.decode import decode, tidy
from sotagraph.read.jsons import JSON, JSONL
from sotagraph.read.markdown import READER as MARKDOWN
from sotagraph.read.plain import READER as PLAIN
from sotagraph.read.plain import heading
from sotagraph.read.table import READER as TABLE

SEEDS = Path(__file__).resolve().parents[2] / "shared" / "seeds"

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    return _write


def of(reader: Reader, text: str) -> tuple[list[Record], list[str]]:
    """Records and complaints of one text."""
    said: list[str] = []
    return list(reader.read(Source(name="f", text=text, warn=said.append))), said


def read(*paths: Path, verbose: bool = False) -> tuple[list[Document], list[str]]:
    said: list[str] = []
    return list(read_paths(paths, warn=said.append, verbose=verbose)), said


# Plain text


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("ICLR 2026 Papers", ("ICLR", 2026)),
        ("NeurIPS 2025", ("NeurIPS", 2025)),
        ("CVPR2024 accepted papers:", ("CVPR", 2024)),
        ("Findings of EMNLP 2023 abstracts", ("Findings of EMNLP", 2023)),
        ("ACL '19 papers", None),
        ("A Bird Challenge 2019", None),
        ("Papers", None),
        ("We tested 2019 birds.", None),
        ("", None),
        ("word " * 100_000, None),
    ],
)
def test_heading(line: str, wanted: tuple[str, int] | None) -> None:
    found = heading(line)
    assert (found and (found.venue, found.year)) == wanted


@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("We do A.\n\nWe do B.", [("", "We do A."), ("", "We do B.")]),
        ("On A\n\nWe do A.", [("On A", "We do A.")]),
        ("On A\n\nWe do A.\n\nAnd more.", [("On A", "We do A.\n\nAnd more.")]),
        ("On A\n\nWe do A.\n\nOn B\n\nWe do B.", [("On A", "We do A."), ("On B", "We do B.")]),
        ("Title: On A\nAbstract: We do A.", [("On A", "We do A.")]),
        ("On A\n\nAbstract\n\nWe do A.", [("On A", "We do A.")]),
        ("On A\n\nAbstract\nWe do A.", [("On A", "We do A.")]),
        ("ICLR 2026 Papers\n\nOn A\n\nWe do A.", [("On A", "We do A.")]),
        ("ICLR 2026 Papers\n\nWe do A.\n\nThree more words", [("", "We do A."), ("", "Three more words")]),
        ("Three word paper", [("", "Three word paper")]),
        ("On A\n" + "We do A well. " * 20, [("On A", ("We do A well. " * 20).strip())]),
        (
            "We do A and go on\nto the next line.\n\nWe do B.",
            [("", "We do A and go on\nto the next line."), ("", "We do B.")],
        ),
    ],
)
def test_plain(text: str, papers: list[tuple[str, str]]) -> None:
    found, said = of(PLAIN, text)
    assert [(record.title, record.text) for record in found] == papers
    assert said == []


def test_plain_heading_reaches_all() -> None:
    found, _ = of(PLAIN, "\nICLR 2026 Papers\n\nWe do A.\n\n\nWe do B.\n")
    assert [(record.venue, record.year, record.line) for record in found] == [("ICLR", 2026, 4), ("ICLR", 2026, 7)]


def test_plain_line_between_title_and_text_is_told() -> None:
    found, said = of(PLAIN, "On A\n\nJane Roe\n\nWe do A.")
    assert [(record.title, record.text) for record in found] == [("On A", "We do A.")]
    assert said == ["f:3: a line between a title and its abstract is left out: 'Jane Roe'"]


# Markdown


@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("# On A\n\nWe do *A*.", [("On A", "We do *A*.")]),
        ("# On A\n## Abstract\nWe do A.", [("On A", "We do A.")]),
        ("# On A\n# Abstract\nWe do A.", [("On A", "We do A.")]),
        ("## On A ##\nWe do A.\n## On B\nWe do B.", [("On A", "We do A."), ("On B", "We do B.")]),
        (
            "# My list\n\n## On A\nWe do A.\n\n## On B\n### Abstract\nWe do B.",
            [("On A", "We do A."), ("On B", "We do B.")],
        ),
        ("# Abstract\nWe do A.", [("", "We do A.")]),
        ("On A\n\nWe do A.", [("On A", "We do A.")]),
        ("We do A.", [("", "We do A.")]),
        (
            "# On A\nWe do:\n```\n# not a title\n```\nand more.",
            [("On A", "We do:\n```\n# not a title\n```\nand more.")],
        ),
    ],
)
def test_markdown(text: str, papers: list[tuple[str, str]]) -> None:
    found, said = of(MARKDOWN, text)
    assert [(record.title, record.text) for record in found] == papers
    assert said == []


def test_markdown_venue_heading() -> None:
    found, _ = of(MARKDOWN, "# ICLR 2026\n\n## On A\n\nWe do A.")
    assert [(record.title, record.venue, record.year, record.line) for record in found] == [("On A", "ICLR", 2026, 3)]


def test_markdown_front_matter() -> None:
    text = "---\ntitle: On A\nyear: 2024\nauthors: [A. Ai, B. Bo]\narxiv: 2405.00001\n---\n\nWe do A."
    (record,), said = of(MARKDOWN, text)
    assert (record.title, record.year, record.authors) == ("On A", 2024, ("A. Ai", "B. Bo"))
    assert record.identifiers == (("arxiv", "2405.00001"),)
    assert (record.text, record.line, said) == ("We do A.", 8, [])


def test_markdown_whole_paper_gives_its_abstract() -> None:
    (record,), said = of(MARKDOWN, "# On A\n## Abstract\nWe do A.\n## Introduction\nBirds sing.")
    assert record.text == "We do A."
    assert said == ["f:1: below this heading only the abstract is read, not: Introduction"]


# Named fields: JSON, tables, BibTeX


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ({"abstract": "We do."}, {}),
        ({"Abstract": "We do.", "Title": "On A"}, {"title": "On A"}),
        ({"text": "We do.", "id": 12}, {"id": "12"}),
        ({"abstract": "We do.", "paper_id": "x", "year": "2024"}, {"id": "x", "year": 2024}),
        ({"abstract": "We do.", "authors": ["A. Ai", {"name": "B. Bo"}]}, {"authors": ("A. Ai", "B. Bo")}),
        ({"abstract": "We do.", "authors": [{"first": "A.", "last": "Ai"}]}, {"authors": ("A. Ai",)}),
        ({"abstract": "We do.", "authors": "A. Ai, B. Bo"}, {"authors": ("A. Ai", "B. Bo")}),
        ({"abstract": "We do.", "authors": "Ai, A. and Bo, B."}, {"authors": ("Ai, A.", "Bo, B.")}),
        ({"abstract": "We do.", "externalIds": {"DOI": "10.1/x", "ArXiv": "2405.00001"}},
         {"identifiers": (("arxiv", "2405.00001"), ("doi", "10.1/x"))}),
        ({"content": {"abstract": {"value": "We do."}, "title": {"value": "On A"}}, "forum": "Zz9"},
         {"title": "On A", "identifiers": (("openreview", "Zz9"),)}),
        ({"abstract": "We do.", "year": None, "venue": None, "authors": None, "url": 3.5}, {"url": "3.5"}),
    ],
)  # fmt: skip
def test_field_names(value: dict[str, object], wanted: dict[str, Any]) -> None:
    (record,), said = of(JSONL, json.dumps(value))
    assert said == []
    assert record == Record(text="We do.", line=1, **wanted)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"abstract": "We', "not JSON (Unterminated string starting at at column 14); the line is left out"),
        ("[1, 2]", "want an object, got an array; it is left out"),
        ("null", "want an object, got null; it is left out"),
        ("7", "want an object, got a number; it is left out"),
        ('{"title": "x"}', "no abstract or text among the keys (title); the record is left out"),
        ("{}", "no abstract or text among the keys (none); the record is left out"),
        ("[" * 100_000, "not JSON (nested too deep); the line is left out"),
        ('{"abstract": ' + "1" * 5000 + "}", "not JSON ("),
    ],
)
def test_jsonl_keeps_the_rest(line: str, says: str) -> None:
    found, said = of(JSONL, f'{{"abstract": "We do A."}}\n{line}\n\n{{"abstract": "We do B."}}\n')
    assert [(record.text, record.line) for record in found] == [("We do A.", 1), ("We do B.", 4)]
    assert len(said) == 1
    assert said[0].startswith(f"f:2: {says}")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('[{"abstract": "We do."}]', [1]),
        ('\n[\n {"abstract": "We do."},\n\n {"abstract": "So."}\n]', [3, 5]),
        ('{"papers": [{"abstract": "We do."}, {"abstract": "So."}]}', [0, 0]),
        ('{"abstract": "We do."}', [1]),
        ('{"abstract": "We do."}\n{"abstract": "So."}', [1, 2]),
        ("[]", []),
    ],
)
def test_json_shapes(text: str, lines: list[int]) -> None:
    found, said = of(JSON, text)
    assert [record.line for record in found] == lines
    assert said == []


def test_json_array_is_kept_up_to_a_fault() -> None:
    found, said = of(JSON, '[{"abstract": "We do."},\n{"abstract": oops},\n{"abstract": "So."}]')
    assert [record.text for record in found] == ["We do."]
    assert said == ["f:2: not JSON (Expecting value); the file is read up to here"]


def test_extraction_records_are_read_as_their_documents(write: Write) -> None:
    document = Document(
        id="b7",
        text="We do Lark.",
        title="On A",
        year=2024,
        venue="V",
        authors=("A. Ai",),
        identifiers=(("doi", "10.1000/x"),),
    )
    mention = Mention(text="Lark", kind="method", start=6, end=10)
    entity = DocumentEntity(name="Lark", kind="method", mentions=(mention,))
    line = records.dumps(Extraction(document=document, entities=(entity,), extractor="rules 1"))
    assert is_extraction_record(json.loads(line))
    (found,), said = read(write("extractions.jsonl", line + "\n"))
    assert (found.id, found.text, found.authors, found.identifiers) == (
        document.id,
        document.text,
        document.authors,
        document.identifiers,
    )
    assert (found.title, found.year, found.venue, said) == ("On A", 2024, "V", [])


def test_broken_extraction_record_is_told() -> None:
    found, said = of(JSONL, '{"document": {"text": "x"}, "entities": [], "extractor": "v"}')
    assert found == []
    assert said == ["f:1: not an extraction record (KeyError: 'id'); it is left out"]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("abstract\nWe do.\n", [("", "We do.")]),
        ("id\tabstract\n1\tWe do, so.\n", [("1", "We do, so.")]),
        ("id;abstract\n1;We do, so.\n", [("1", "We do, so.")]),
        ('ID,Abstract,Price\n1,"We ""do"",\n\nso.",9\n\n2,So.,\n', [("1", 'We "do",\n\nso.'), ("2", "So.")]),
        ("id,title,abstract\n1,On A,We do.\n", [("1", "We do.")]),
    ],
)
def test_tables(text: str, rows: list[tuple[str, str]]) -> None:
    found, said = of(TABLE, text)
    assert [(record.id, record.text) for record in found] == rows
    assert said == []


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("1,We do, and more", "3 cells, want 2; the row is left out (is a quote missing?)"),
        ('1,"We" do', "not a table row (',' expected after '\"'); it is left out"),
        ("1,", "no abstract; the row is left out"),
        ("1", "no abstract; the row is left out"),
    ],
)
def test_bad_rows_are_told(row: str, says: str) -> None:
    found, said = of(TABLE, f"id,abstract\n{row}\n2,So.\n")
    assert [record.id for record in found] == ["2"]
    assert said == [f"f:2: {says}"]


def test_quote_that_never_closes_is_told() -> None:
    found, said = of(TABLE, 'id,abstract\n1,We do.\n2,"So.\n3,More.\n')
    assert [record.id for record in found] == ["1"]
    assert said == ["f:3: not a table row (unexpected end of data); it is left out"]


def test_table_without_abstracts() -> None:
    with pytest.raises(InputError, match=r"^f: no column named abstract or text among: id, price$"):
        of(TABLE, "id,price\n1,2\n")


def test_bibtex_forms() -> None:
    text = (
        "% a comment\n@comment{x, abstract={no}}\n@string{v = {V}}\n"
        '@inproceedings{ai24,\n  title = "On {A} \\& more",\n  author = {Ai, A. and Bo, B.},\n'
        "  booktitle = {Proc. of } # {V}, year = 2024, doi = {10.1000/X},\n"
        "  abstract = {We do {\\em Lark}\n  at $5\\%$.}\n}\n"
        "@misc{none, title={B}}\n"
    )
    (record,), said = of(BIBTEX, text)
    assert (record.id, record.line, record.year) == ("ai24", 4, 2024)
    assert (record.title, record.authors, record.venue) == ("On A & more", ("A. Ai", "B. Bo"), "Proc. of V")
    assert record.text == r"We do {\em Lark} at $5\%$."
    assert said == ["f: 1 entries have no abstract and are left out"]


def test_bibtex_unclosed_entry_does_not_swallow_the_next() -> None:
    found, said = of(BIBTEX, "@misc{a, abstract={We do.}, title={Open\n\n@misc{b, abstract={So.}}\n")
    assert [record.id for record in found] == ["a", "b"]
    assert said == ["f:1: the entry a does not end as BibTeX does; what could be read is kept"]


def test_anthology_markup_and_identifiers(write: Write) -> None:
    path = write(
        "2020.birds.xml",
        '<?xml version="1.0" encoding="UTF-8"?>\n<collection id="2020.birds"><volume id="main">'
        "<meta><year>2020</year></meta>"
        "<frontmatter><title>All</title></frontmatter>"
        '<paper id="3"><title><fixed-case>L</fixed-case>ark</title><author><first>A.</first><last>Ai</last></author>'
        "<author><last>Bo</last></author><abstract>We do <i>Lark</i> at\n <tex-math>5\\%</tex-math> &amp; "
        "<b>more</b>, see <url>https://example.org/lark</url>.</abstract><url>2020.birds-main.3</url><doi>10.1000/B.3</doi></paper>"
        '<paper id="4"><title>None</title></paper></volume></collection>',
    )
    (document,), said = read(path)
    assert document.text == r"We do *Lark* at $5\%$ & **more**, see https://example.org/lark."
    assert (document.id, document.title, document.authors) == ("2020.birds-main.3", "Lark", ("A. Ai", "Bo"))
    assert (document.year, document.venue) == (2020, "BIRDS")
    assert document.identifiers == (("acl", "2020.birds-main.3"), ("doi", "10.1000/b.3"))
    assert said == [f"{path.as_posix()}: 1 papers have no abstract and are left out"]


@pytest.mark.parametrize("text", ["<collection><volume>", "<html></html>", "", "no"])
def test_other_xml(text: str) -> None:
    with pytest.raises(InputError, match=r"^f: (not XML|the XML is no)"):
        of(ANTHOLOGY, text)


def test_deep_xml_is_read() -> None:
    deep = "<i>" * 5000 + "x" + "</i>" * 5000
    (record,), _ = of(
        ANTHOLOGY,
        f'<collection id="2020.a"><volume id="1"><paper id="1"><abstract>{deep}</abstract></paper>'
        "</volume></collection>",
    )
    assert record.text.strip("*") == "x"


# Documents: ids, identifiers, copies


@pytest.mark.parametrize(
    ("fields", "name", "identifiers"),
    [
        ({"id": "own", "doi": "10.1000/X"}, "own", {"doi": "10.1000/x"}),
        ({"arxiv_id": "arXiv:2405.00001v3"}, "2405.00001", {"arxiv": "2405.00001"}),
        ({"id": "2405.00001v3"}, "2405.00001v3", {"arxiv": "2405.00001"}),
        ({"url": "https://arxiv.org/pdf/2405.00001v2"}, "2405.00001", {"arxiv": "2405.00001"}),
        ({"arxiv": "cs.CL/0112017"}, "cs.CL/0112017", {"arxiv": "cs.CL/0112017"}),
        ({"doi": "https://doi.org/10.1000/A.b"}, "10.1000/a.b", {"doi": "10.1000/a.b"}),
        ({"url": "https://openreview.net/forum?id=aB-9"}, "aB-9", {"openreview": "aB-9"}),
        ({"url": "https://aclanthology.org/P19-1001.pdf"}, "P19-1001", {"acl": "P19-1001"}),
        ({"url": "https://aclanthology.org/2020.acl-main.7/"}, "2020.acl-main.7", {"acl": "2020.acl-main.7"}),
        ({"id": "2413.00001"}, "2413.00001", {}),
        ({"url": "https://example.org/7"}, content_id("We do."), {}),
        ({"id": "  "}, content_id("We do."), {}),
    ],
)
def test_ids(write: Write, fields: dict[str, str], name: str, identifiers: dict[str, str]) -> None:
    (document,), _ = read(write("a.jsonl", json.dumps({"abstract": "We do.", **fields})))
    assert document.id == name
    assert dict(document.identifiers) == identifiers


def test_content_id_is_fixed() -> None:
    assert content_id("We do.") == "pe20b8b82c7b0"
    assert content_id("We do.") != content_id("We do")


def test_copies_are_read_once_and_complete_each_other(write: Write, tmp_path: Path) -> None:
    write("a.txt", "ICLR 2026 Papers\n\nWe do A.\n\nWe do B.\n")
    write("b.jsonl", '{"id": "b", "abstract": "We  do B."}\n{"id": "a", "abstract": "We do A."}\n')
    documents, said = read(tmp_path)
    assert [(document.id, document.venue, document.year) for document in documents] == [
        ("a", "ICLR", 2026),
        ("b", "ICLR", 2026),
    ]
    assert documents[1].text == "We  do B."
    assert len(said) == 1
    assert said[0].startswith("2 copies of papers are read once")
    assert read(tmp_path) == (documents, said)


def test_same_text_under_two_titles_is_two_papers(write: Write) -> None:
    lines = (
        '{"id": "a", "title": "On A", "abstract": "Withdrawn."}',
        '{"id": "b", "title": "On B", "abstract": "Withdrawn."}',
    )
    documents, said = read(write("a.jsonl", "\n".join(lines)))
    assert [document.id for document in documents] == ["a", "b"]
    assert said == []


@pytest.mark.parametrize("text", ["", " \n ", "—", "…!"])
def test_text_without_a_word_is_left_out(write: Write, text: str) -> None:
    path = write("a.jsonl", json.dumps({"abstract": "We do."}) + "\n" + json.dumps({"id": "x", "abstract": text}))
    documents, said = read(path)
    assert len(documents) == 1
    assert said
    assert said[0].startswith(f"{path.as_posix()}:2: no abstract")


def test_what_no_format_can_carry_is_replaced_and_told(write: Write) -> None:
    path = write("a.jsonl", '{"abstract": "We\\u0000do \\ud83d\\ude00 and \\ud83d."}')
    (document,), said = read(path)
    assert document.text == "We do 😀 and �."
    assert said == [f"{path.as_posix()}:1: 2 characters that no format can carry were replaced"]


def test_tidy_keeps_lengths() -> None:
    text = "a\x00b\x0bc\ud800d\te\nf"
    assert len(tidy(text)[0]) == len(text)


# Bytes


def test_broken_utf8_is_told_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"abstract": "We do."}\n{"abstract": "Caf\xe9 birds."}\n')
    documents, said = read(path)
    assert [document.text for document in documents] == ["We do.", "Caf� birds."]
    assert said == [f"{path.as_posix()}:2: not UTF-8; the broken bytes are read as U+FFFD"]


def test_many_broken_lines_are_summed_up() -> None:
    said: list[str] = []
    decode(b"\xe9\n" * 9, name="f", warn=said.append)
    assert len(said) == 6
    assert said[-1] == "f: 4 more lines are not UTF-8; is the file in another encoding?"


def test_replacement_characters_of_the_file_itself_are_no_fault() -> None:
    said: list[str] = []
    assert decode("a�\n".encode() + b"\xe9", name="f", warn=said.append) == "a�\n�"
    assert said == ["f:2: not UTF-8; the broken bytes are read as U+FFFD"]


# Paths


def test_directory_in_sorted_order_without_what_is_no_paper(write: Write, tmp_path: Path) -> None:
    for name in (
        "b/z.txt",
        "b/a.txt",
        "a.txt",
        "B.txt",
        "README.md",
        "b/LICENSE.txt",
        ".hidden.txt",
        ".git/x.txt",
        "c.py",
        "n.png",
    ):
        write(name, f"We do {name}.")
    documents, said = read(tmp_path)
    assert [document.text for document in documents] == [
        "We do B.txt.",
        "We do a.txt.",
        "We do b/a.txt.",
        "We do b/z.txt.",
    ]
    assert said == []
    _, said = read(tmp_path, verbose=True)
    assert sorted(line.split(": ", 1)[0].removeprefix(tmp_path.as_posix() + "/") for line in said) == [
        "README.md",
        "b/LICENSE.txt",
        "c.py",
        "n.png",
    ]


def test_what_a_build_wrote_is_no_input(write: Write, tmp_path: Path) -> None:
    write("a.txt", "We do A.")
    for name in ("out/extractions.jsonl", "out/graph.json", "out/report.md"):
        write(name, "We do B.")
    documents, said = read(tmp_path)
    assert [document.text for document in documents] == ["We do A."]
    assert said == [f"{tmp_path.as_posix()}/out: a directory that a build wrote; it is not read"]


def test_path_given_twice_is_read_once(write: Write, tmp_path: Path) -> None:
    path = write("a.txt", "We do A.")
    documents, said = read(path, tmp_path, path)
    assert len(documents) == 1
    assert said == []


def test_broken_file_of_a_directory_is_told_and_the_rest_is_kept(write: Write, tmp_path: Path) -> None:
    write("a.txt", "")
    write("b.csv", "id,price\n1,2\n")
    write("c.jsonl", '{"title": "x"}')
    write("d.txt", "We do.")
    documents, said = read(tmp_path)
    assert [document.text for document in documents] == ["We do."]
    start = tmp_path.as_posix()
    assert said == [
        f"{start}/a.txt: the file is empty; the file is left out",
        f"{start}/b.csv: no column named abstract or text among: id, price; the file is left out",
        f"{start}/c.jsonl:1: no abstract or text among the keys (title); the record is left out",
        f"{start}/c.jsonl: no paper found in it",
    ]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("missing.txt", None, "no such file or directory"),
        ("empty.txt", "", "the file is empty"),
        ("empty.json", "[]", r"no paper found; want files with abstracts \(\.bib, "),
        ("bad.jsonl", "{", "no paper found"),
        ("bad.json", "oops", "not JSON"),
        ("dir/README.md", "# Read me", "no paper found"),
        ("dir/x.png", "x", "no paper found"),
    ],
)
def test_nothing_found_is_an_error(write: Write, tmp_path: Path, name: str, text: str | None, says: str) -> None:
    if text is not None:
        write(name, text)
    path = tmp_path / name.split("/", maxsplit=1)[0]
    with pytest.raises(InputError, match=rf"^{re.escape(path.as_posix())}: {says}"):
        read(path)


def test_empty_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no paper found"):
        read(tmp_path)


def test_three_words(write: Write) -> None:
    (document,), said = read(write("a.txt", "Three word paper"))
    assert (document.text, document.title, said) == ("Three word paper", "", [])


# Plug-ins


class _Points:
    def __init__(self, *points: EntryPoint) -> None:
        self.points = points

    def __call__(self, *, group: str) -> tuple[EntryPoint, ...]:
        assert group == "sotagraph.readers"
        return self.points


SHOUT = Reader(
    name="shout",
    suffixes=(".loud",),
    read=lambda source: iter([Record(text=source.text.title())]),
    looks_like=lambda text: text.isupper(),
)
NO_READER = object()


def test_plug_in(monkeypatch: pytest.MonkeyPatch, write: Write, tmp_path: Path) -> None:
    point = EntryPoint("shout", "shouting:SHOUT", registry.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda self: SHOUT)
    monkeypatch.setattr(registry, "entry_points", _Points(point))
    readers.cache_clear()
    try:
        write("a.loud", "WE DO A.")
        write("b.txt", "We do B.")
        documents, _ = read(tmp_path)
    finally:
        readers.cache_clear()
    assert [document.text for document in documents] == ["We Do A.", "We do B."]


@pytest.mark.parametrize(
    ("value", "says"), [("no_such_module_here:X", "cannot be loaded"), ("json:loads", "is no sotagraph")]
)
def test_bad_plug_in(monkeypatch: pytest.MonkeyPatch, value: str, says: str) -> None:
    monkeypatch.setattr(registry, "entry_points", _Points(EntryPoint("bad", value, registry.GROUP)))
    readers.cache_clear()
    try:
        with pytest.raises(ConfigError, match=rf"^the reader plug-in bad .*{says}"):
            readers()
    finally:
        readers.cache_clear()


# The original seeds


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the original seed papers lie beside the repository only")
def test_original_seeds_are_38_papers() -> None:
    documents, said = read(SEEDS)
    assert [document.id for document in documents] == [
        f"s{file}-{n:02}" for file in ("000", "004") for n in range(1, 20)
    ]
    assert {(document.venue, document.year, document.title) for document in documents} == {("ICLR", 2026, "")}
    assert len(said) == 1
    texts, _ = read(*sorted(SEEDS.glob("*.txt")))
    assert [document.text for document in texts] == [document.text for document in documents]
