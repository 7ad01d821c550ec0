"""The library as its users see it: build a graph from papers, open one that was built, and ask it.

>>> import sotagraph
>>> kg = sotagraph.build(["papers/"])                              # doctest: +SKIP
>>> kg.leaderboard("MiniF2F")                                      # doctest: +SKIP
>>> kg.query("SELECT ?m WHERE { ?p sg:proposes ?m }").to_pandas()  # doctest: +SKIP
>>> kg.write("output/")                                            # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sotagraph import engine, files, records, staging
from sotagraph.errors import BuildError, ConfigError, InputError
from sotagraph.model import Document, Extraction, Knowledge
from sotagraph.rows import Row, Rows

if TYPE_CHECKING:
    from sotagraph.graph import Graph

__all__ = ["KnowledgeGraph", "Row", "Rows", "build", "extract", "load"]

StrPath = str | os.PathLike[str]
Warn = Callable[[str], None]
#: Told how many documents of how many are extracted.
Progress = Callable[[int, int], None]

#: Names that the corrections file of a build directory may have; a build into it applies the first that is there.
CORRECTIONS = ("corrections.yaml", "corrections.yml", "corrections.tsv")


def _to_stderr(message: str) -> None:
    sys.stderr.write(f"sotagraph: {message}\n")


def extract(
    paths: Iterable[StrPath] | StrPath,
    *,
    workers: int = 1,
    min_confidence: float = 0.0,
    warn: Warn = _to_stderr,
    factory: engine.Factory = engine.default_factory,
) -> Iterator[Extraction]:
    """What each paper says, by itself: extractions sorted by document id, given out as they are made.

    Args:
        paths: files and directories.
        workers: processes.
        min_confidence: what is less certain is left out, from 0 to 1.
        warn: told what was passed over, one line each; by default to standard error.
        factory: makes the extractor; a function that worker processes can import.

    Raises:
        InputError: a path is missing or holds no paper.
        ConfigError: an option is out of its range.
    """
    _check(min_confidence)
    documents = engine.read(_paths(paths), warn=warn)
    for extraction in engine.extract(documents, workers=workers, factory=factory):
        yield engine.confident(extraction, min_confidence)


def build(
    paths: Iterable[StrPath] | StrPath,
    out: StrPath | None = None,
    *,
    workers: int = 1,
    min_confidence: float = 0.0,
    corrections: StrPath | None = None,
    progress: Progress | None = None,
    warn: Warn = _to_stderr,
    step: Warn | None = None,
    factory: engine.Factory = engine.default_factory,
) -> KnowledgeGraph:
    """The knowledge graph of some papers.

    With `out` it is also written there, as `KnowledgeGraph.write` does it; a build into a directory that holds one
    extracts only what is new or changed, and a build that was cut off resumes. The files are the same, byte for byte, as
    those of a build from nothing.

    Args:
        paths: files and directories.
        out: directory to write to.
        workers: processes to extract with.
        min_confidence: what is less certain stays out of the graph, from 0 to 1.
        corrections: file of corrections; by default the one in `out`, where there is one.
        progress: told how many documents of how many are extracted.
        warn: told what was passed over, one line each; by default to standard error.
        step: told what is being done, one line each.
        factory: makes the extractor; a function that worker processes can import.

    Raises:
        InputError: a path is missing or holds no paper.
        ConfigError: an option is out of its range, or the corrections cannot be read.
        BuildError: `out` cannot be written to, or a worker process died.
    """
    _check(min_confidence)
    warnings: list[str] = []

    def warned(message: str) -> None:
        warnings.append(message)
        warn(message)

    say = step or (lambda _: None)
    documents = engine.read(_paths(paths), warn=warned)
    say(f"read {len(documents)} documents")
    run = _Run(workers=workers, factory=factory, progress=progress or (lambda *_: None), say=say)
    if out is None:
        return _assemble(run.extractions(documents), corrections, min_confidence, warned, warnings)
    directory = Path(out)
    files.guard(directory)
    with staging.lock(directory) as work:
        extractions = run.extractions(
            documents, _read_extractions(directory / files.EXTRACTIONS), staging.Journal(work)
        )
        say("linking")
        kg = _assemble(extractions, corrections or _corrections_of(directory), min_confidence, warned, warnings)
        kg._commit(directory, say)
    return kg


def load(directory: StrPath) -> KnowledgeGraph:
    """The graph that a build wrote.

    Raises:
        BuildError: the directory is no build, or was made by another version.
    """
    path = Path(directory)
    staging.recover(path)
    source = path / files.GRAPH
    try:
        text = source.read_text(encoding="utf-8")
    except FileNotFoundError:
        what = "is no build of sotagraph" if path.is_dir() else "does not exist"
        raise BuildError(f"{path} {what}; make one with: sotagraph build PATH... -o {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"{source} cannot be read: {error}; build it again") from error
    from sotagraph.graph import from_json

    try:
        graph = from_json(text)
    except BuildError as error:
        raise BuildError(f"{source}: {error}") from error
    return KnowledgeGraph(graph, directory=path)


def _paths(paths: Iterable[StrPath] | StrPath) -> list[Path]:
    return [Path(paths)] if isinstance(paths, (str, os.PathLike)) else [Path(path) for path in paths]


def _check(min_confidence: float) -> None:
    if not 0.0 <= min_confidence <= 1.0:
        raise ConfigError(f"min_confidence is {min_confidence}; give a number from 0 to 1")


def _read_extractions(path: Path) -> Iterator[Extraction]:
    """Extractions of a build; a line that cannot be read is passed over, its document is then extracted again."""
    if not path.exists():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                yield records.loads(line.decode("utf-8"))
            except (InputError, UnicodeDecodeError):
                continue


def _corrections_of(directory: Path) -> Path | None:
    return next((path for name in CORRECTIONS if (path := directory / name).exists()), None)


@dataclass(frozen=True, kw_only=True)
class _Run:
    """How a build extracts; `extractions` gives one per document, sorted by id."""

    workers: int
    factory: engine.Factory
    progress: Progress
    say: Warn

    def extractions(
        self, documents: Sequence[Document], cached: Iterable[Extraction] = (), journal: staging.Journal | None = None
    ) -> list[Extraction]:
        """Take what `cached` and `journal` hold, extract the rest, and enter it in the journal."""
        self.say("loading the extractor")
        extractor = self.factory()
        have = engine.known(cached, documents, extractor.version)
        if journal:
            have |= engine.known(journal.read(), documents, extractor.version)
        missing = [document for document in documents if document.id not in have]
        self.say(f"extracting from {len(missing)} documents, {len(have)} are known")
        count = len(have)
        self.progress(count, len(documents))

        def done(batch: Sequence[Extraction]) -> None:
            nonlocal count
            if journal:
                journal.append(batch)
            count += len(batch)
            self.progress(count, len(documents))

        made = engine.extract(missing, workers=self.workers, factory=self.factory, extractor=extractor, done=done)
        have |= {extraction.document.id: extraction for extraction in made}
        return [have[document.id] for document in documents]


def _assemble(
    extractions: Sequence[Extraction],
    corrections: StrPath | None,
    min_confidence: float,
    warn: Warn,
    warnings: list[str],
) -> KnowledgeGraph:
    """Link extractions and make the graph; what was complained of is kept as attributes of the graph as a whole."""
    from sotagraph.graph import to_graph

    knowledge = _link(extractions, corrections, min_confidence, warn)
    graph = to_graph(knowledge)
    notes = {
        "warnings": warnings,
        "ambiguous": [" ".join(filter(None, (r.other, r.document_id, r.rule, r.detail))) for r in knowledge.ambiguous],
    }
    graph.graph |= {name: json.dumps(lines, ensure_ascii=False) for name, lines in notes.items() if lines}
    if min_confidence:
        graph.graph["min_confidence"] = min_confidence
    return KnowledgeGraph(graph, extractions=extractions)


def _link(
    extractions: Sequence[Extraction], corrections: StrPath | None, min_confidence: float, warn: Warn
) -> Knowledge:
    from sotagraph.corrections import load as load_corrections
    from sotagraph.lexicon import load as load_lexicon
    from sotagraph.link import link

    chosen = [engine.confident(extraction, min_confidence) for extraction in extractions]
    given = () if corrections is None else load_corrections(corrections)
    return link(chosen, lexicon=load_lexicon(), corrections=given, warn=warn)


class KnowledgeGraph:
    """A graph of papers, and the questions that it answers; made by `build` and `load`.

    `graph` is a plain ``networkx.MultiDiGraph`` whose form ``docs/python.md`` describes. Take it as given: answers from
    SPARQL are not made anew when it is changed.
    """

    def __init__(
        self, graph: Graph, *, extractions: Sequence[Extraction] | None = None, directory: StrPath | None = None
    ) -> None:
        self.graph = graph
        self._extractions = extractions
        self._directory = None if directory is None else Path(directory)

    def __repr__(self) -> str:
        papers = sum(kind == "Paper" for _, kind in self.graph.nodes(data="kind"))
        return f"<KnowledgeGraph: {papers} papers, {len(self.graph)} nodes, {self.graph.number_of_edges()} edges>"

    @cached_property
    def extractions(self) -> tuple[Extraction, ...]:
        """What each paper says by itself, sorted by document id; read from the build directory where there is one."""
        if self._extractions is not None:
            return tuple(self._extractions)
        return tuple(_read_extractions(self._directory / files.EXTRACTIONS)) if self._directory else ()

    def write(self, out: StrPath) -> None:
        """Write every file of a build to a directory, all together or none.

        Raises:
            BuildError: the directory cannot be written to, or holds something else.
        """
        directory = Path(out)
        files.guard(directory)
        with staging.lock(directory):
            self._commit(directory)

    def _commit(self, directory: Path, step: Warn | None = None) -> None:
        def writer(file: files.File) -> Callable[[], str]:
            return lambda: file.text(self.graph)

        texts = {files.EXTRACTIONS: lambda: "".join(f"{records.dumps(one)}\n" for one in self.extractions)}
        texts |= {file.name: writer(file) for file in files.FILES}
        staging.commit(directory, texts, step=step and (lambda name: step(f"writing {name}")))
