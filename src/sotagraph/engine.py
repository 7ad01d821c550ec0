"""From paths to extractions: read, take what is known, extract the rest on one process or many.

The engine knows nothing of graphs. It gives extractions sorted by document id, so that neither the order of the input
nor the number of workers can be seen in what is built from them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from sotagraph import __version__, records
from sotagraph.beside import Beside
from sotagraph.errors import ConfigError
from sotagraph.model import Document, Extraction

if TYPE_CHECKING:
    from sotagraph.read import Known

__all__ = ["Deferred", "Extracting", "Factory", "confident", "extract", "known", "read", "shipped"]

#: Documents per task of a worker and per entry of the journal: about a second of work.
BATCH = 16

_T = TypeVar("_T")


class Extracting(Protocol):
    """What the engine asks of an extractor; `sotagraph.extract.Extractor` is the one that ships."""

    @property
    def version(self) -> str:
        """Name and version; extractions of another version are not taken over."""

    def pipe(self, documents: Iterable[Document]) -> Iterator[Extraction]:
        """One extraction a document, in order, each independent of its neighbours."""


#: Makes an extractor; a function at the top of a module, so that worker processes can import it.
Factory = Callable[[], Extracting]


def default_factory() -> Extracting:
    """The extractor that ships; importing spaCy takes seconds, so it happens here and not before."""
    from sotagraph.extract import Extractor

    return Extractor()


@cache
def shipped() -> str:
    """A digest of all that the extractor which ships is made of: as long as it is the same, so is its version."""
    root = resources.files("sotagraph")
    home = Path(str(root))
    some = (*home.joinpath("data").rglob("*"), *home.joinpath("extract").rglob("*.py"), home / "names.py")
    whole = hashlib.sha256(__version__.encode())
    for path in sorted(some):
        if path.is_file():
            whole.update(path.relative_to(home).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()


class Deferred:
    """An extractor that is made when it is first needed: loading the one that ships takes a second or two."""

    def __init__(self, factory: Factory, noted: tuple[str, str] = ("", ""), say: Callable[[str], object] = str) -> None:
        """`noted` is the version of an extractor and what `shipped` was then; `say` is told when one is made."""
        self._factory, self._say = factory, say
        version, made_of = noted
        self._begun: Beside | None = None
        self._version = version if factory is default_factory and made_of == shipped() else ""

    def __enter__(self) -> Deferred:
        return self

    def __exit__(self, *_: object) -> None:
        if self._begun:
            self._begun.drop()

    @cached_property
    def _made(self) -> Extracting:
        self._say("loading the extractor")
        return self._factory()

    def begin(self, documents: Sequence[Document]) -> None:
        """Load the extractor and read some documents beside this process, if they are few and the version is known."""
        if self._version and 0 < len(documents) <= BATCH:
            self._begun = Beside(lambda: partial(_extracted, self._factory, documents))
            self._begun.ask(b"")

    @cached_property
    def _ready(self) -> dict[Document, Extraction]:
        """What was read beside."""
        answer = self._begun.result() if self._begun else None
        found = map(records.loads, (answer or b"").decode("utf-8").split("\n")[:-1])
        return {one.document: one for one in found if one.extractor == self.version}

    @property
    def version(self) -> str:
        """The extractor's, which may be known without it."""
        return self._version or self._made.version

    @property
    def noted(self) -> tuple[str, str]:
        """The version, and what tells that it is still that of the extractor which ships."""
        return self.version, shipped() if self._factory is default_factory else ""

    def pipe(self, documents: Iterable[Document]) -> Iterator[Extraction]:
        """As the extractor does it, which is given at once all that was not read beside."""
        asked = list(documents)
        missing = [document for document in asked if document not in self._ready]
        made = self._made.pipe(missing) if missing else iter(())
        return (self._ready[document] if document in self._ready else next(made) for document in asked)


def _extracted(factory: Factory, documents: Sequence[Document], _: bytes) -> bytes:
    return "".join(f"{records.dumps(one)}\n" for one in factory().pipe(documents)).encode("utf-8")


def read(paths: Iterable[str | Path], *, warn: Callable[[str], None], known: Known | None = None) -> list[Document]:
    """All documents of some files and directories, each once, sorted by id; `known` holds what files gave before.

    A document that is found twice (same id, same text) is kept once. Two that share an id and differ in text are both
    kept: all but one get the start of their text's hash behind the id.

    Raises:
        InputError: a path is missing or unreadable, or there is no document at all.
    """
    from sotagraph.read import read_paths

    # Sorted, since where two files hold the same paper the first one gives its place.
    return unique(read_paths(sorted({Path(path) for path in paths}), warn=warn, known=known), warn=warn)


def unique(documents: Iterable[Document], *, warn: Callable[[str], None]) -> list[Document]:
    """Documents sorted by id, each id and each (id, text) once.

    >>> [d.id for d in unique([Document(id="b", text="x"), Document(id="a", text="y")], warn=print)]
    ['a', 'b']
    >>> [d.id for d in unique([Document(id="a", text="x"), Document(id="a", text="y")], warn=print)]
    a: 2 documents have this id and differ in text; they are kept as a, a-a1fce436
    ['a', 'a-a1fce436']
    """
    kept: list[Document] = []
    by_id: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        by_id[document.id].append(document)
    for name in sorted(by_id):
        texts: dict[str, Document] = {}
        copies = sorted(by_id[name], key=_rank) if len(by_id[name]) > 1 else by_id[name]
        for document in copies:
            texts.setdefault(document.text, document)
        first, *others = texts.values()
        renamed = [replace(other, id=f"{name}-{_digest(other.text)}") for other in others]
        kept += [first, *renamed]
        if others:
            names = ", ".join(document.id for document in [first, *renamed])
            warn(f"{name}: {len(texts)} documents have this id and differ in text; they are kept as {names}")
        elif len(copies) > 1:
            places = ", ".join(document.source or "?" for document in copies)
            warn(f"{name}: the same document {len(copies)} times ({places}); it is taken once")
    return sorted(kept, key=lambda document: document.id)


def _rank(document: Document) -> tuple[str, int, str, str]:
    """Of two copies the one that says more stands first; the rest of the key only makes the order certain."""
    said = sum(bool(value) for value in (document.title, document.year, document.venue, document.authors, document.url))
    return document.id, -said, document.text, repr(document)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def known(extractions: Iterable[Extraction], documents: Iterable[Document], version: str) -> dict[str, Extraction]:
    """Those extractions that still hold, by document id: same document, apart from where it lies, same extractor.

    >>> old = Extraction(document=Document(id="a", text="x", source="one.txt:1"), extractor="v1")
    >>> new = Document(id="a", text="x", source="two.txt:5")
    >>> known([old], [new], "v1")["a"].document.source, known([old], [new], "v2")
    ('two.txt:5', {})
    """
    wanted = {document.id: document for document in documents}
    found: dict[str, Extraction] = {}
    for extraction in extractions:
        document = wanted.get(extraction.document.id)
        if (
            document
            and extraction.extractor == version
            and replace(extraction.document, source=document.source) == document
        ):
            same = extraction.document.source == document.source
            found[document.id] = extraction if same else replace(extraction, document=document)
    return found


def extract(
    documents: Sequence[Document],
    *,
    workers: int = 1,
    factory: Factory = default_factory,
    extractor: Extracting | None = None,
    done: Callable[[Sequence[Extraction]], None] | None = None,
) -> Iterator[Extraction]:
    """Extractions in the order of `documents`.

    Args:
        documents: what to extract from.
        workers: processes; with 1 the work is done in this one.
        factory: makes the extractor of each worker.
        extractor: one that exists already, used where the work is done in this process.
        done: told each finished batch, in no certain order, before it is given out.

    Raises:
        ConfigError: `workers` is not positive.
        BuildError: a worker process died.
    """
    if workers < 1:
        raise ConfigError(f"workers is {workers}; give 1 or more")
    batches = list(_batches(documents, BATCH))
    if workers == 1 or len(batches) < 2:
        one = extractor or factory()
        for batch in batches:
            finished = list(one.pipe(batch))
            if done:
                done(finished)
            yield from finished
        return
    from sotagraph.pool import run

    yield from run(batches, workers=min(workers, len(batches)), factory=factory, done=done)


def _batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def confident(extraction: Extraction, least: float) -> Extraction:
    """The extraction without what is less certain than `least`, and without statements about what fell away.

    A result keeps its number where only a filler of one of its slots fell away; the slot is then empty.
    """
    if least <= 0:
        return extraction
    gone = {entity.name for entity in extraction.entities if entity.confidence < least}

    def slot(name: str | None) -> str | None:
        return None if name in gone else name

    return replace(
        extraction,
        entities=tuple(entity for entity in extraction.entities if entity.name not in gone),
        statements=tuple(
            s for s in extraction.statements if s.confidence >= least and not {s.subject, s.object} & gone
        ),
        results=tuple(
            replace(
                result,
                method=slot(result.method),
                dataset=slot(result.dataset),
                metric=slot(result.metric),
                task=slot(result.task),
                baseline=slot(result.baseline),
            )
            for result in extraction.results
            if result.confidence >= least
        ),
    )
