"""What every reader must do, whatever its format: the same three invented papers, written in each of them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sotagraph.errors import InputError
from sotagraph.model import Document
from sotagraph.read import Reader, Source, read_paths, readers
from sotagraph.read.registry import choose

ONE = r"We present \textbf{Lark}, a tagger for birdsong. Lark scores $91.2\%$ on ChirpBench."
TWO = "**Wren** halves the memory of Lark; on ChirpBench it loses 0.3 points."
TEX_ONE = ONE.replace("\\", "\\\\")

#: A file of each format; all but the first have titles.
EXAMPLES = {
    "text": ("a.txt", f"ICLR 2026 Papers\n\n{ONE}\n\n{TWO}\n"),
    "JSON lines": (
        "a.jsonl",
        f'{{"title": "On larks", "abstract": "{TEX_ONE}"}}\n{{"title": "On wrens", "abstract": "{TWO}"}}\n',
    ),
    "JSON": (
        "a.json",
        f'[{{"title": "On larks", "abstract": "{TEX_ONE}"}},\n {{"title": "On wrens", "abstract": "{TWO}"}}]\n',
    ),
    "table": ("a.csv", f'title,abstract\nOn larks,"{ONE}"\nOn wrens,"{TWO}"\n'),
    "Markdown": ("a.md", f"# On larks\n\n{ONE}\n\n# On wrens\n\n{TWO}\n"),
    "BibTeX": (
        "a.bib",
        f"@article{{one, title={{On larks}}, abstract={{{ONE}}}}}\n"
        f"@misc{{two,\n  title = {{On wrens}},\n  abstract = {{{TWO}}}\n}}\n",
    ),
    "ACL Anthology XML": (
        "a.xml",
        '<collection id="2020.birds"><volume id="main"><meta><year>2020</year></meta>'
        f'\n<paper id="1"><title>On larks</title><abstract>{ONE}</abstract></paper>'
        f'\n<paper id="2"><title>On wrens</title><abstract>{TWO}</abstract></paper></volume></collection>\n',
    ),
}
NAMES = sorted(EXAMPLES)


def lay(directory: Path, name: str, data: bytes | None = None) -> Path:
    file, text = EXAMPLES[name]
    path = directory / file
    path.write_bytes(text.encode("utf-8") if data is None else data)
    return path


def quiet(path: Path) -> list[Document]:
    """The documents of a path that gives no reason to complain."""
    said: list[str] = []
    documents = list(read_paths([path], warn=said.append))
    assert said == []
    return documents


def attempt(path: Path) -> tuple[list[Document], str]:
    """The documents of a path, or none and what is wrong with it."""
    try:
        return list(read_paths([path], warn=lambda _line: None)), ""
    except InputError as error:
        return [], str(error)


def without_place(documents: list[Document]) -> list[tuple[str, str, str]]:
    return [(document.id, document.title, document.text) for document in documents]


def test_every_reader_has_an_example() -> None:
    assert sorted(reader.name for reader in readers()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_same_papers(tmp_path: Path, name: str) -> None:
    documents = quiet(lay(tmp_path, name))
    assert [document.text for document in documents] == [ONE, TWO]
    if name != "text":
        assert [document.title for document in documents] == ["On larks", "On wrens"]
    assert len({document.id for document in documents}) == 2
    assert all(
        document.id and document.source.startswith((tmp_path / EXAMPLES[name][0]).as_posix()) for document in documents
    )


@pytest.mark.parametrize("name", [name for name in NAMES if name != "ACL Anthology XML"])
def test_source_names_the_line(tmp_path: Path, name: str) -> None:
    path = lay(tmp_path, name)
    lines = path.read_text(encoding="utf-8").splitlines()
    for document in quiet(path):
        line = lines[int(document.source.rpartition(":")[2]) - 1]
        assert document.text[:20] in line.replace("\\\\", "\\") or document.title in line or line.startswith("@")


@pytest.mark.parametrize("name", NAMES)
def test_line_ends_and_byte_order_marks_do_not_count(tmp_path: Path, name: str) -> None:
    text = EXAMPLES[name][1]
    wanted = without_place(quiet(lay(tmp_path, name)))
    for data in (
        text.replace("\n", "\r\n").encode("utf-8"),
        text.replace("\n", "\r").encode("utf-8"),
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
    ):
        assert without_place(quiet(lay(tmp_path, name, data))) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_format_is_known_without_its_ending(tmp_path: Path, name: str) -> None:
    path = tmp_path / "papers"
    path.write_text(EXAMPLES[name][1], encoding="utf-8", newline="\n")
    assert [document.text for document in quiet(path)] == [ONE, TWO]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "data", [b"", b"\n \n", b"\xef\xbb\xbf", b"\x00" * 50, b"\x7fELF\x00\x00\x00\x00\x00\x00\x00\x00"]
)
def test_nothing_to_read_is_one_line(tmp_path: Path, name: str, data: bytes) -> None:
    path = lay(tmp_path, name, data)
    with pytest.raises(InputError) as caught:
        list(read_paths([path], warn=lambda _line: None))
    assert path.name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_another_format(tmp_path: Path, name: str) -> None:
    """Whatever stands in a file, the answer is documents or an InputError."""
    for other in NAMES:
        path = lay(tmp_path, name, EXAMPLES[other][1].encode("utf-8"))
        documents, error = attempt(path)
        assert documents or path.name in error
        assert all(document.text for document in documents)


@pytest.mark.parametrize("name", NAMES)
def test_cut_anywhere(tmp_path: Path, name: str) -> None:
    """A file that ends too soon gives what can be read, never half an id and never a traceback."""
    text = EXAMPLES[name][1]
    for end in range(0, len(text), 7):
        path = lay(tmp_path, name, text[:end].encode("utf-8"))
        documents, _ = attempt(path)
        assert all(document.id and document.text in text.replace("\\\\", "\\") for document in documents)


@pytest.mark.parametrize("name", NAMES)
def test_ten_megabytes_on_one_line(tmp_path: Path, name: str) -> None:
    text = EXAMPLES[name][1].replace(TWO, "word " * 2_000_000)
    path = lay(tmp_path, name, text.encode("utf-8"))
    said: list[str] = []
    documents = list(read_paths([path], warn=said.append))
    assert [document.text for document in documents] == [ONE]
    assert len(said) == 1
    assert "9999999 characters are no abstract" in said[0] or "field larger than field limit" in said[0]


@pytest.mark.parametrize("reader", readers(), ids=lambda reader: str(reader.name))
@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet=st.sampled_from('{}[]",:@#=\\<>/ab1 \n\t;&-'), max_size=80))
def test_no_text_breaks_a_reader(reader: Reader, text: str) -> None:
    source = Source(name="x", text=text, warn=lambda _line: None)
    with suppress(InputError):
        assert all(isinstance(record.text, str) for record in reader.read(source))
    assert choose("", text).name


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=60))
def test_no_bytes_break_reading(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "a.txt"
    path.write_bytes(data)
    documents, error = attempt(path)
    assert documents or "\n" not in error
    for document in documents:
        document.text.encode("utf-8")
