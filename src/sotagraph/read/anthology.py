"""The XML in which the ACL Anthology keeps its records: one file a collection, volumes and papers within."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from sotagraph.errors import InputError
from sotagraph.read.base import Reader, Record, Source

__all__ = ["READER"]

#: First letters of the ids before 2020; the Anthology's own scheme.
_OLD_VENUES = {
    "C": "COLING", "D": "EMNLP", "E": "EACL", "I": "IJCNLP", "J": "CL", "K": "CoNLL", "L": "LREC", "M": "MUC",
    "N": "NAACL", "P": "ACL", "Q": "TACL", "R": "RANLP", "S": "SemEval", "T": "TINLAP", "W": "Workshop",
}  # fmt: skip
_NEW_VENUES = {"emnlp": "EMNLP", "findings": "Findings", "conll": "CoNLL", "semeval": "SemEval"}
#: How inline markup is written in the text: as Markdown and LaTeX, which the rules for names see through.
_MARKS = {"i": "*", "b": "**", "tex-math": "$"}
#: Levels of inline markup that are looked into.
_DEPTH = 20


def read(source: Source) -> Iterator[Record]:
    """Papers with an abstract; those without are counted in one complaint.

    Raises:
        InputError: the file is not such XML.
    """
    try:
        root = ET.fromstring(source.text)  # expat guards against entity bombs
    except ET.ParseError as error:
        raise InputError(f"{source.name}: not XML ({error})") from error
    if root.tag != "collection":
        raise InputError(f"{source.name}: the XML is no ACL Anthology collection but <{root.tag}>")
    without = 0
    for volume in root.iter("volume"):
        for paper in volume.iter("paper"):
            found = _record(root.get("id", ""), volume, paper)
            if found is None:
                without += 1
            else:
                yield found
    if without:
        source.complain(0, f"{without} papers have no abstract and are left out")


def _record(collection: str, volume: ET.Element, paper: ET.Element) -> Record | None:
    text = _text(paper.find("abstract"))
    if not text:
        return None
    own = (paper.findtext("url") or "").strip()
    name = own if re.fullmatch(r"[\w.-]+", own) else f"{collection}-{volume.get('id', '')}.{paper.get('id', '')}"
    doi = (paper.findtext("doi") or "").strip()
    year = re.search(r"\d{4}", volume.findtext("meta/year") or collection)
    return Record(
        text=text,
        id=name,
        title=_text(paper.find("title"), marks=False),
        year=int(year[0]) if year else None,
        venue=_venue(collection),
        authors=tuple(
            " ".join(filter(None, ((author.findtext("first") or "").strip(), (author.findtext("last") or "").strip())))
            for author in paper.findall("author")
        ),
        url=f"https://aclanthology.org/{name}",
        identifiers=(("acl", name), *((("doi", doi),) if doi else ())),
    )


def _venue(collection: str) -> str:
    """The venue that a collection's id names.

    >>> _venue("2020.acl"), _venue("P19"), _venue("2021.findings")
    ('ACL', 'ACL', 'Findings')
    """
    _, dot, venue = collection.partition(".")
    if not dot:
        return _OLD_VENUES.get(collection[:1], "")
    return _NEW_VENUES.get(venue, venue.upper())


def _text(element: ET.Element | None, *, marks: bool = True) -> str:
    return "" if element is None else " ".join(_inner(element, marks=marks).split())


def _inner(element: ET.Element, *, marks: bool, depth: int = 0) -> str:
    if depth > _DEPTH:
        return "".join(element.itertext())
    mark = _MARKS.get(element.tag, "") if marks else ""
    parts = [element.text or ""]
    for child in element:
        parts += [_inner(child, marks=marks, depth=depth + 1), child.tail or ""]
    inside = "".join(parts)
    # A mark beside a blank is none; and nothing is marked twice.
    return f"{mark}{inside}{mark}" if mark and inside == inside.strip() and inside and mark[0] not in inside else inside


READER = Reader(
    name="ACL Anthology XML",
    suffixes=(".xml",),
    read=read,
    looks_like=lambda text: bool(re.match(r"\s*(?:<\?xml[^>]*>\s*)?<collection\b", text)),
)
