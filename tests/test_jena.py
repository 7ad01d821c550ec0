"""Our files as Apache Jena reads them: a program that shares no line with those that the other tests read them by."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import birdpapers
import jena
from sotagraph.graph import to_graph
from sotagraph.rdf import FORMATS, dumps
from sotagraph.resources import ontology_directory
from sotagraph.triples import to_triples

CORPORA = {"birds": birdpapers.birds, "hostile": birdpapers.hostile}
#: Jena 4 reads JSON-LD 1.1 by a library that Debian lacks, and 1.0, which our files are too, by one that it has.
OPTIONS = {"jsonld": ["--syntax=jsonld10"]}
#: The graph of a line. No triple of the default graph has a paper as its object, which this would take for one.
_GRAPH = re.compile(r"(?<=[>\"]) <https://w3id\.org/sotagraph/id/paper/[^>]*> \.$")


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    found = jena.riot_command(tmp_path_factory.mktemp("jena"))
    if found is None:
        pytest.skip("Apache Jena is not on this machine (apt-get install libapache-jena-java default-jre-headless)")
    return found


@pytest.mark.parametrize("corpus", CORPORA)
def test_jena_reads_the_same_triples_from_every_format(command: list[str], corpus: str, tmp_path: Path) -> None:
    graph = to_graph(CORPORA[corpus]())
    read: dict[str, set[str]] = {}
    for form, ((suffix, *_), _) in FORMATS.items():
        file = tmp_path / f"graph{suffix}"
        file.write_bytes(dumps(graph, file.name))
        lines = jena.riot(command, *OPTIONS.get(form, []), "--output=nquads", str(file)).rstrip("\n").split("\n")
        read[form] = {_GRAPH.sub(" .", line) for line in lines} if form == "trig" else set(lines)
    assert len(read["ntriples"]) == len(to_triples(graph))
    for form, found in read.items():
        assert found == read["ntriples"], form


def test_jena_finds_nothing_to_complain_of(command: list[str], tmp_path: Path) -> None:
    file = tmp_path / "graph.ttl"
    file.write_bytes(dumps(to_graph(birdpapers.birds()), file.name))
    ontology = ontology_directory()
    for path in (file, ontology / "sotagraph.ttl", ontology / "shapes.ttl"):
        jena.riot(command, "--validate", "--strict", str(path))
