"""What a build costs beside extraction: every file of a corpus of invented papers, with time and memory.

    python benchmarks/build.py [PAPERS]
    python benchmarks/build.py --add-to DIR PATH...

The first prints seconds of the processor per file, its size, and the most memory that the process had so far. Invented
papers come from `synthetic.corpus` and are the same for the same number, so that two runs can be compared.

The second measures what one more paper costs: DIR is a finished build of the paths, made by this version; it is copied,
loaded, and built into once with nothing new and once with one paper more, each in a process of its own. Each step is
printed with its seconds; those of processes that were forked from it are told apart.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import sotagraph
from sotagraph.content import content_of
from sotagraph.files import FILES, Contents
from sotagraph.graph import from_json, to_graph, to_json
from synthetic import corpus

#: The paper that is added: it coins a name, and says something of names that many papers have.
PAPER = "We present NOVELTYNET, a parser. NOVELTYNET reaches 91.5 F1 on the Penn Treebank and outperforms BERT."

#: Of the processor in the process itself, in processes that were forked from it and have ended, and by the clock.
Seconds = tuple[float, float, float]


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arguments", nargs="*", metavar="PAPERS | PATH", help="papers to invent; with --add-to: paths")
    parser.add_argument("--add-to", type=Path, metavar="DIR", help="a finished build of the paths")
    options = parser.parse_args()
    if options.add_to:
        adding(options.add_to, [Path(path) for path in options.arguments])
    else:
        files(int(options.arguments[0]) if options.arguments else 2000)


def files(papers: int) -> None:
    """Build the graph and write each file to memory; the first RDF file makes the triples for all."""
    begin = time.process_time()
    graph = to_graph(corpus(papers))
    print(f"{papers} papers, {len(graph)} nodes, {graph.number_of_edges()} edges")
    row("graph", begin, 0)
    begin = time.process_time()
    text = to_json(graph)
    from_json(text)
    row("graph.json there and back", begin, len(text))
    contents = Contents(content_of(graph))
    for file in FILES:
        begin = time.process_time()
        size = len(file.text(contents))
        row(file.name, begin, size)


def row(what: str, begin: float, size: int) -> None:
    """One line of the table."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:28}{time.process_time() - begin:8.1f} s{size / 1e6:9.1f} MB{memory:9.0f} MB")


def adding(directory: Path, paths: list[Path]) -> None:
    """Load a build, build again, and build with one paper more, on a copy; each in a process of its own."""
    with tempfile.TemporaryDirectory() as work:
        copy, more = Path(work, "out"), Path(work, "one.txt")
        shutil.copytree(directory, copy)
        more.write_text(PAPER, encoding="utf-8")
        loading = alone("load", copy, [])
        again = alone("build, nothing new", copy, paths)
        one = alone("build, one paper more", copy, [*paths, more])
    for what, before in (("loading", loading), ("nothing new", again)):
        own, beside, clock = (more - less for more, less in zip(one, before, strict=True))
        print(f"one paper more than {what}: {own:.1f} s, {beside:.1f} s beside, {clock:.1f} s by the clock")


def alone(what: str, directory: Path, paths: list[Path]) -> Seconds:
    """What a build of the paths costs, or loading where there are none, in a fresh process."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_alone, args=(what, directory, paths, theirs))
    process.start()
    theirs.close()  # so that a process that dies ends the waiting
    seconds: Seconds = ours.recv()
    process.join()
    return seconds


def _alone(what: str, directory: Path, paths: list[Path], answer: Connection) -> None:
    def build(say: Callable[[str], None]) -> None:
        sotagraph.build(paths, directory, warn=_silent, step=say)

    answer.send(timed(what, build if paths else lambda _: sotagraph.load(directory)))


def timed(what: str, action: Callable[[Callable[[str], None]], object]) -> Seconds:
    """The seconds of an action, printed with those of the processor for its steps."""
    begin, clock, others = time.process_time(), time.monotonic(), _of_children()
    marks = [("read", begin)]
    action(lambda step: marks.append((step, time.process_time())))
    seconds = time.process_time() - begin, _of_children() - others, time.monotonic() - clock
    print("{:28}{:8.1f} s of the processor{:8.1f} s beside{:8.1f} s by the clock".format(what, *seconds))
    ends = [*(mark for _, mark in marks[1:]), begin + seconds[0]]
    for (step, mark), end in zip(marks, ends, strict=True):
        print(f"  {step:42}{end - mark:6.1f} s")
    return seconds


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _silent(message: str) -> None:
    """Say nothing of what reading passes over."""


if __name__ == "__main__":
    main()
