"""What a build costs beside extraction: every file of a corpus of invented papers, with time and memory.

    python benchmarks/build.py [PAPERS]

Prints seconds of the processor per file, its size, and the most memory that the process had so far. Invented papers
come from `synthetic.corpus` and are the same for the same number, so that two runs can be compared.
"""

from __future__ import annotations

import resource
import sys
import time

from sotagraph.files import FILES, Contents
from sotagraph.graph import from_json, to_graph, to_json
from synthetic import corpus


def main() -> None:
    """Build the graph and write each file to memory; the first RDF file makes the triples for all."""
    papers = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    begin = time.process_time()
    graph = to_graph(corpus(papers))
    print(f"{papers} papers, {len(graph)} nodes, {graph.number_of_edges()} edges")
    row("graph", begin, 0)
    begin = time.process_time()
    text = to_json(graph)
    from_json(text)
    row("graph.json there and back", begin, len(text))
    contents = Contents(graph)
    for file in FILES:
        begin = time.process_time()
        size = len(file.text(contents))
        row(file.name, begin, size)


def row(what: str, begin: float, size: int) -> None:
    """One line of the table."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:28}{time.process_time() - begin:8.1f} s{size / 1e6:9.1f} MB{memory:9.0f} MB")


if __name__ == "__main__":
    main()
