"""The library as its users see it: build a graph from papers, open one that was built, and ask it.

>>> import sotagraph
>>> kg = sotagraph.build(["papers/"])                              # doctest: +SKIP
>>> kg.leaderboard("MiniF2F")                                      # doctest: +SKIP
>>> kg.query("SELECT ?m WHERE { ?p sg:proposes ?m }").to_pandas()  # doctest: +SKIP
>>> kg.write("output/")                                            # doctest: +SKIP
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sotagraph import engine, files, memo, records, staging
from sotagraph.content import Content, content_of
from sotagraph.errors import BuildError, ConfigError, InputError
from sotagraph.model import Document, Extraction, Knowledge
from sotagraph.rows import Row, Rows

if TYPE_CHECKING:
    import rdflib
    from matplotlib.axes import Axes

    from sotagraph import keep
    from sotagraph.analyze import Comparison, Leaderboard, Lineage, PaperCard, TrendPoint
    from sotagraph.beside import Beside
    from sotagraph.corrections import Correction
    from sotagraph.duplicates import Duplicates
    from sotagraph.explain import Explanation
    from sotagraph.graph import Graph
    from sotagraph.link import Grounds
    from sotagraph.query import NamedQuery
    from sotagraph.resolve import Names
    from sotagraph.store import Answer as StoreAnswer
    from sotagraph.store import Store
    from sotagraph.validate import Finding
    from sotagraph.view import Page

__all__ = ["KnowledgeGraph", "Row", "Rows", "build", "correct", "extract", "from_rdf", "load", "named_queries"]

StrPath = str | os.PathLike[str]
Warn = Callable[[str], None]
#: SELECT gives rows, ASK a truth value, CONSTRUCT and DESCRIBE a graph of triples.
Answer: TypeAlias = "Rows | bool | rdflib.Graph"
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
    extracts only what is new or changed, and a build that was cut off resumes. The files are the same, byte for byte,
    as those of a build from nothing.

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
    run = _Run(workers=workers, factory=factory, progress=progress or (lambda *_: None), say=say)
    if out is None:
        documents = engine.read(_paths(paths), warn=warned)
        say(f"read {len(documents)} documents")
        extractor = engine.Deferred(factory, say=say)
        return _assemble(run.extractions(documents, extractor), corrections, min_confidence, warned, warnings)
    return _into(Path(out), _paths(paths), run, corrections, min_confidence, warned, warnings)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Let Python's collector of reference cycles rest: it would walk a growing graph again and again and find none."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()


@contextmanager
def _collection_of_new() -> Iterator[None]:
    """Let it work while much is extracted, but pass over what is there so far, which is no garbage."""
    active = gc.isenabled()
    gc.freeze()
    gc.enable()
    try:
        yield
    finally:
        if not active:
            gc.disable()
        gc.unfreeze()


@_no_collection()
def _into(
    directory: Path,
    paths: Sequence[Path],
    run: _Run,
    corrections: StrPath | None,
    min_confidence: float,
    warn: Warn,
    warnings: list[str],
) -> KnowledgeGraph:
    """Build into a directory; `warnings` grow with what `warn` is told."""
    files.guard(directory)
    from sotagraph import again, commit, keep
    from sotagraph.read import Known

    say = run.say
    kept = keep.read(directory)
    sources = Known(kept.sources if kept else {})
    documents = engine.read(paths, warn=warn, known=sources)
    say(f"read {len(documents)} documents")
    noted = kept.extractor if kept else ("", "")
    with staging.lock(directory) as work, engine.Deferred(run.factory, noted, say) as extractor:
        journal = staging.Journal(work)
        chosen = None if (found := corrections or _corrections_of(directory)) is None else Path(found)
        asked = again.request(sources, warnings, chosen, min_confidence, extractor.version)
        if kept and again.is_answered(asked, kept, directory, files.NAMES):
            say("nothing is new")
            run.progress(len(documents), len(documents))
            for complaint in kept.complaints:
                warn(complaint)
            journal.clear()
            return KnowledgeGraph(kept.content, directory=directory)
        read = len(warnings)
        fresh = sources.fresh()
        extractor.begin([document for document in documents if document.id in fresh])
        former = list(_read_extractions(directory / files.EXTRACTIONS))
        if kept:  # the extractor is being loaded beside, if it is needed
            kept.unpack()
        memo.restore(kept.answers if kept else {})
        extractions = run.extractions(documents, extractor, former, journal)
        known = {extraction.document.id: extraction for extraction in former}
        del former
        say("linking")
        page = commit.page_beside(kept) if kept else None
        with page or nullcontext():
            grounds = _grounds(directory, kept, min_confidence, known, extractions)
            kg = _assemble(extractions, chosen, min_confidence, warn, warnings, grounds, kept.content if kept else None)
            del extractions
            following = keep.Kept(
                {
                    "request": asked,
                    "extractor": extractor.noted,
                    "complaints": warnings[read:],
                    "least": min_confidence,
                },
                sources=sources.used,
                grounds=grounds.noted,
            )
            kg._commit(directory, say, known=known, kept=kept, following=following, page=page)
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
        with _no_collection():
            graph = from_json(text)
    except BuildError as error:
        raise BuildError(f"{source}: {error}") from error
    return KnowledgeGraph(graph, directory=path)


def from_rdf(rdf: rdflib.Graph) -> KnowledgeGraph:
    """The graph behind RDF that sotagraph wrote, by `KnowledgeGraph.to_rdf` or as a file that rdflib has read.

    Raises:
        BuildError: a term of ours holds what sotagraph does not write.
    """
    from sotagraph.rdf import from_rdf

    return KnowledgeGraph(from_rdf(rdf))


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
        self,
        documents: Sequence[Document],
        extractor: engine.Deferred,
        cached: Iterable[Extraction] = (),
        journal: staging.Journal | None = None,
    ) -> list[Extraction]:
        """Take what `cached` and `journal` hold, extract the rest, and enter it in the journal."""
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

        if missing:
            made = engine.extract(missing, workers=self.workers, factory=self.factory, extractor=extractor, done=done)
            with _collection_of_new():
                have |= {extraction.document.id: extraction for extraction in made}
        return [have[document.id] for document in documents]


def _grounds(
    directory: Path,
    kept: keep.Kept | None,
    min_confidence: float,
    known: Mapping[str, Extraction],
    extractions: Iterable[Extraction],
) -> Grounds:
    """What a former build's graph rests on, as far as it was made from the same extractions in the same way."""
    from sotagraph.link import Grounds

    if kept is None or kept.least != min_confidence or not kept.is_as_written(directory, files.EXTRACTIONS):
        return Grounds()
    return Grounds(kept.grounds, {one.document.id for one in extractions if known.get(one.document.id) is one})


def _assemble(
    extractions: Sequence[Extraction],
    corrections: StrPath | None,
    min_confidence: float,
    warn: Warn,
    warnings: list[str],
    grounds: Grounds | None = None,
    former: Content | None = None,
) -> KnowledgeGraph:
    """Link extractions and make the graph; what was complained of is kept as attributes of the graph as a whole.

    What rests on the same `grounds` as in the `former` graph is taken over from it.
    """
    from sotagraph.graph import to_content

    knowledge = _link(extractions, corrections, min_confidence, warn, grounds)
    content = to_content(knowledge, former)
    if warnings:
        content.attributes["warnings"] = json.dumps(sorted(set(warnings)), ensure_ascii=False)
    if min_confidence:
        content.attributes["min_confidence"] = min_confidence
    if extractors := sorted({extraction.extractor for extraction in extractions} - {""}):
        content.attributes["extractor"] = ", ".join(extractors)
    return KnowledgeGraph(content, extractions=extractions)


def _link(
    extractions: Sequence[Extraction],
    corrections: StrPath | None,
    min_confidence: float,
    warn: Warn,
    grounds: Grounds | None,
) -> Knowledge:
    from sotagraph.corrections import load as load_corrections
    from sotagraph.lexicon import load as load_lexicon
    from sotagraph.link import link

    chosen = [engine.confident(extraction, min_confidence) for extraction in extractions]
    given = () if corrections is None else load_corrections(Path(corrections))
    return link(chosen, lexicon=load_lexicon(), corrections=given, warn=warn, grounds=grounds)


def correct(directory: StrPath, correction: Correction, *, corrections: StrPath | None = None) -> Path:
    """Add a correction to the file of a build directory, or to another, and give the file's path.

    The graph itself is corrected by the next `build` into the directory.

    Raises:
        BuildError: the directory is no build.
        ConfigError: the file as it is cannot be read, or cannot be written.
    """
    from sotagraph.corrections import append_correction

    home = Path(directory)
    if not (home / files.GRAPH).exists():
        raise BuildError(f"{home} is no build of sotagraph; make one with: sotagraph build PATH... -o {home}")
    target = Path(corrections) if corrections is not None else _corrections_of(home) or home / CORRECTIONS[0]
    append_correction(target, correction)
    return target


def named_queries() -> Rows:
    """The named queries with what they answer and take; a parameter in brackets has a default.

    >>> "leaderboard" in [row["name"] for row in named_queries()]
    True
    """
    from sotagraph.query import named_queries as library

    def parameters(query: NamedQuery) -> str:
        return " ".join(f"{p.name}" if p.default is None else f"[{p.name}={p.default}]" for p in query.parameters)

    return Rows(
        ("name", "parameters", "description"),
        [(query.name, parameters(query), query.description) for query in library().values()],
    )


def _answer(answer: StoreAnswer) -> Answer:
    from sotagraph.store import Solutions, to_rows

    if isinstance(answer, bool):
        return answer
    if isinstance(answer, Solutions):
        return to_rows(answer)
    from sotagraph.rdf import to_rdflib

    return to_rdflib(answer)


class KnowledgeGraph:
    """A graph of papers, and the questions that it answers; made by `build` and `load`.

    `graph` is a plain ``networkx.MultiDiGraph`` whose form ``docs/python.md`` describes. Take it as given: answers from
    SPARQL are not made anew when it is changed.
    """

    def __init__(
        self,
        graph: Graph | Content,
        *,
        extractions: Sequence[Extraction] | None = None,
        directory: StrPath | None = None,
    ) -> None:
        if isinstance(graph, Content):
            self._content = graph
        else:
            self.graph = graph
        self._extractions = extractions
        self._directory = None if directory is None else Path(directory)

    @cached_property
    def graph(self) -> Graph:
        """The graph; made when it is first asked for."""
        from sotagraph.graph import graph_of

        return graph_of(self._content)

    @cached_property
    def _content(self) -> Content:
        return content_of(self.graph)

    def _now(self) -> Content:
        """The content, of the graph as it is now once somebody has it in hand and may have changed it."""
        return content_of(self.graph) if "graph" in self.__dict__ else self._content

    def __repr__(self) -> str:
        return f"<KnowledgeGraph: {self.summary}>"

    @cached_property
    def extractions(self) -> tuple[Extraction, ...]:
        """What each paper says by itself, sorted by document id; read from the build directory where there is one."""
        if self._extractions is not None:
            return tuple(self._extractions)
        return tuple(_read_extractions(self._directory / files.EXTRACTIONS)) if self._directory else ()

    def query(self, sparql: str = "", *, name: str = "", timeout: float | None = None, **parameters: object) -> Answer:
        """The answer to a SPARQL query, or to a named one: rows, a truth value, or triples as an ``rdflib.Graph``.

        Args:
            sparql: SPARQL 1.1; the usual prefixes need not be declared.
            name: a named query instead; `named_queries` lists them.
            timeout: seconds after which the query is given up; it then runs in a process of its own.
            parameters: values for the parameters of the named query.

        Raises:
            QueryError: the query does not parse, would read beside the graph, or takes too long.
            NotFoundError: there is no named query of that name, or nothing that a parameter names.
            ConfigError: a parameter is unknown, missing or not of its type.
        """
        if bool(sparql) == bool(name):
            raise ConfigError("give either a query or the name of one")
        if name:
            from sotagraph.query import bind, named_query

            sparql = bind(named_query(name), parameters, self._names)
        elif parameters:
            raise ConfigError(f"{', '.join(sorted(parameters))}: only named queries take parameters")
        if timeout is None:
            return _answer(self._store.query(sparql))
        from sotagraph.limited import run

        return _answer(run(self._ntriples, sparql, seconds=timeout))

    def leaderboard(self, dataset: str, *, metric: str | None = None) -> Rows:
        """Scores on a dataset, best first within each metric, then gains; each with its sentence.

        Args:
            dataset: id, name or alias.
            metric: keep the scores by this metric alone.

        Raises:
            NotFoundError: there is no such dataset or metric; the message lists what is near.
        """
        from sotagraph.present import board_rows

        return board_rows(self.board(dataset, metric=metric))

    def board(self, dataset: str, *, metric: str | None = None) -> Leaderboard:
        """The same as `leaderboard`, as typed objects."""
        from sotagraph.analyze import leaderboard

        return leaderboard(self.graph, dataset, metric=metric, names=self._names)

    def paper(self, name: str) -> PaperCard:
        """What the graph knows of a paper, found by id, title, identifier, or the name of what it alone puts forward.

        Raises:
            NotFoundError: no paper, or more than one, is meant; the message lists what is near.
        """
        from sotagraph.analyze import paper_card

        return paper_card(self.graph, name, names=self._names)

    def explain(self, name: str, other: str | None = None) -> tuple[Explanation, ...]:
        """Every join, split, edge and score behind what a name means, or between that and what `other` means.

        Raises:
            NotFoundError: nothing is called so; the message lists what is near.
        """
        from sotagraph.explain import explain

        return explain(self.graph, name, other)

    def duplicates(self, *, limit: int | None = None) -> Duplicates:
        """Pairs that look alike and were kept apart, the likeliest first, and names that stayed ambiguous."""
        from sotagraph.duplicates import find_duplicates

        return find_duplicates(self.graph, limit=limit)

    def compare(self, *things: str) -> Comparison:
        """Methods or papers side by side: their scores, and what papers say of them to each other.

        Raises:
            NotFoundError: a name means nothing, or several things.
        """
        from sotagraph.analyze import compare

        return compare(self.graph, things, names=self._names)

    def lineage(self, name: str) -> Lineage:
        """What a thing is built on and what is built on it, at any depth, nearest first.

        Raises:
            NotFoundError: nothing, or more than one thing, is called so.
        """
        from sotagraph.analyze import lineage

        return lineage(self.graph, name, names=self._names)

    def trend(self, name: str) -> tuple[TrendPoint, ...]:
        """Papers a year that are tied to a thing, oldest first.

        Raises:
            NotFoundError: nothing, or more than one thing, is called so.
        """
        from sotagraph.analyze import trend

        return trend(self.graph, name, names=self._names)

    def to_rdf(self) -> rdflib.Graph:
        """The graph as an ``rdflib.Graph`` with prefixes bound."""
        from sotagraph.rdf import to_rdf

        return to_rdf(self.graph)

    def validate(self) -> tuple[Finding, ...]:
        """What is wrong with the graph by its shapes: violations first, then warnings."""
        from sotagraph.validate import validate

        return validate(self.graph)

    def view(self) -> Page:
        """The page of the graph: a notebook shows it, ``write`` saves it, ``open`` opens a browser."""
        from sotagraph.view import view

        return view(self.graph)

    def plot_leaderboard(self, dataset: str, *, metric: str | None = None, axes: Axes | None = None) -> Axes:
        """Absolute scores on a dataset as bars, drawn by matplotlib.

        Raises:
            ConfigError: matplotlib is not installed.
            NotFoundError: there is no such dataset or metric, or no absolute score on it.
        """
        from sotagraph.view import plot_leaderboard

        return plot_leaderboard(self.graph, dataset, metric=metric, axes=axes)

    def plot_trend(self, name: str, *, axes: Axes | None = None) -> Axes:
        """How many papers a year are tied to a thing, drawn by matplotlib.

        Raises:
            ConfigError: matplotlib is not installed.
            NotFoundError: nothing is called so, or no paper tied to it has a year.
        """
        from sotagraph.view import plot_trend

        return plot_trend(self.graph, name, axes=axes)

    def serve(self, *, ready: Warn = _to_stderr, **options: object) -> None:
        """Answer SPARQL over HTTP, with an editor and the page, until Ctrl-C.

        `options` are those of `sotagraph.serve.Server`; `ready` is told the address.

        Raises:
            ConfigError: the address cannot be listened on, or an option is out of its range.
        """
        from sotagraph.serve import serve

        serve(self.graph, ready=ready, page=self.export("html"), **options)

    def export(self, form: str, *, compress: bool = False) -> bytes:
        """The graph in one of `sotagraph.files.FORMATS`, UTF-8, gzipped on demand.

        Raises:
            ConfigError: there is no such format.
        """
        return files.export(self.graph, form, compress=compress)

    @cached_property
    def _names(self) -> Names:
        from sotagraph.resolve import Names

        return Names.of(self.graph)

    @cached_property
    def _store(self) -> Store:
        from sotagraph.store import Store

        return Store.of_ntriples(self._ntriples)

    @cached_property
    def _ntriples(self) -> bytes:
        """The graph's triples; reading the file of a build is much faster than making them again."""
        if self._directory is not None:
            with suppress(OSError):
                return (self._directory / "graph.nt").read_bytes()
        return self.export("ntriples")

    @property
    def summary(self) -> str:
        """One line of counts.

        >>> import networkx as nx
        >>> KnowledgeGraph(nx.MultiDiGraph()).summary
        '0 papers, 0 nodes, 0 edges'
        """
        content = self._now()
        papers = sum(data["kind"] == "Paper" for data in content.nodes.values())
        counts = (("paper", papers), ("node", len(content.nodes)), ("edge", len(content.edges)))
        return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts)

    def write(self, out: StrPath) -> None:
        """Write every file of a build to a directory, all together or none.

        Raises:
            BuildError: the directory cannot be written to, or holds something else.
        """
        directory = Path(out)
        files.guard(directory)
        with staging.lock(directory):
            self._commit(directory)

    def _commit(
        self,
        directory: Path,
        step: Warn | None = None,
        *,
        known: Mapping[str, Extraction] | None = None,
        kept: keep.Kept | None = None,
        following: keep.Kept | None = None,
        page: Beside | None = None,
    ) -> None:
        """Write all files under the lock.

        With `known`, the extractions of the former build by id, what it left (`kept`) is used, and the same left for
        the next one, in `following`; `page` is at work on the page. The extractions are then read back from the
        directory when asked for.
        """
        from sotagraph.commit import Commit

        content = self._now()
        with Commit(directory, content, self.extractions, known, kept, following, page) as commit:
            staging.commit(directory, commit.writers(), step=step and (lambda name: step(f"writing {name}")))
        if known is not None:
            self._extractions, self._directory = None, directory
            del self.extractions
