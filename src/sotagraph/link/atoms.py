"""The pieces that linking sorts: one thing of one paper each, with all that speaks for what it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from sotagraph import lexicon as shipped
from sotagraph import memo
from sotagraph.ids import paper_id
from sotagraph.link.forms import Normal, clean, core, is_definition, normal
from sotagraph.model import Document, DocumentEntity, Extraction
from sotagraph.variants import bases

__all__ = ["Atom", "Entry", "Lexicon", "atoms_of", "papers"]


#: Rules of `sotagraph.variants` that tell things apart which a lexicon may list as one.
_APART = frozenset(("size", "version", "year"))


class Entry(Protocol):
    """A well-known thing, as `sotagraph.lexicon.LexiconEntry` has it."""

    @property
    def name(self) -> str:
        """The usual name."""

    @property
    def kind(self) -> str:
        """One of `schema.ENTITY_KINDS`."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names, long forms among them."""

    @property
    def context(self) -> bool:
        """Whether the name is an ordinary word too, and is believed only as the lexicon writes it."""

    @property
    def higher_is_better(self) -> bool | None:
        """Of a metric, whether more is better; None where unknown."""

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """(property, IRI) pairs of the same thing elsewhere."""


class Lexicon(Protocol):
    """What linking asks of a lexicon."""

    def lookup(self, name: str) -> Sequence[Entry]:
        """The entries that have this name or alias, whatever its case, dashes and spaces."""


@dataclass(slots=True, eq=False)
class Atom:
    """One entity of one document; compared by identity, sorted by `rank`."""

    document: Document
    entity: DocumentEntity
    kind: str
    #: The key of its paper's node.
    paper: str
    #: A total order of atoms that does not depend on the order of the input.
    rank: tuple[str, str, str, int]
    normal: Normal
    #: The normal key of the form that papers would use without saying more: the short form where there is one.
    short: str
    #: The long form that this document defines for it, and its normal key; empty if none.
    long: str = ""
    long_key: str = ""
    entries: tuple[Entry, ...] = ()
    #: Entries of its long form.
    long_entries: tuple[Entry, ...] = ()
    #: Entries that it may mean only if other papers say so.
    doubted: tuple[Entry, ...] = ()
    #: Whether it is a version or year of what the lexicon knows as a dataset and as nothing else.
    of_dataset: bool = False
    #: The rule that tells it from all else of its name: what its paper writes around it (CNN/Daily Mail, [CLS], 2 KB).
    apart: str = ""

    @property
    def proposed(self) -> bool:
        """Whether its paper puts it forward as its own."""
        return self.entity.role in ("proposed", "introduced")

    @property
    def forms(self) -> tuple[str, ...]:
        """Every literal form of its name in its paper, the name first."""
        return (self.entity.name, *self.entity.aliases)


@dataclass(slots=True)
class Corpus:
    """The papers in their order, each once."""

    extractions: list[Extraction] = field(default_factory=list)
    #: Documents left out because another one is the same paper: (left out, kept).
    shadowed: list[tuple[str, str]] = field(default_factory=list)


def papers(extractions: Iterable[Extraction]) -> Corpus:
    """The extractions sorted by document id, one a paper: of two with one identifier the first stands for both.

    >>> a, b = (Extraction(document=Document(id=i, text="x", identifiers=(("arxiv", "1"),))) for i in "ab")
    >>> corpus = papers([b, a]); [e.document.id for e in corpus.extractions], corpus.shadowed
    (['a'], [('b', 'a')])
    """
    corpus = Corpus()
    kept: dict[str, str] = {}
    for extraction in sorted(extractions, key=lambda e: (e.document.id, e.document.text)):
        document = extraction.document
        paper = paper_id(document)
        if paper in kept:
            corpus.shadowed.append((document.id, kept[paper]))
        else:
            kept[paper] = document.id
            corpus.extractions.append(extraction)
    return corpus


def atoms_of(extractions: Iterable[Extraction], lexicon: Lexicon) -> list[Atom]:
    """One atom an entity of a document, with its lexicon entries and its definition."""
    lookup = Lookup(lexicon)
    return [
        make_atom(extraction.document, entity, paper, lookup)
        for extraction in extractions
        for paper in [paper_id(extraction.document).partition("/")[2]]
        for entity in _parted(extraction.entities, lookup)
    ]


def _parted(entities: Sequence[DocumentEntity], lookup: Lookup) -> Iterator[DocumentEntity]:
    """The entities of a paper, each without the data sets among its forms; those stand for themselves.

    Word Sense Disambiguation has the initials of WordNet by chance, and the lexicon knows WordNet as data alone. A form
    in capitals or the long form may well be the thing itself (STS, VQA), so neither is parted.
    """
    taken = {(entity.kind, entity.name) for entity in entities}
    for entity in entities:
        data = {form for form in entity.aliases if form != entity.long_form and _is_other_data(form, entity, lookup)}
        if not data:
            yield entity
            continue
        yield replace(
            entity,
            aliases=tuple(form for form in entity.aliases if form not in data),
            mentions=tuple(mention for mention in entity.mentions if mention.text not in data),
        )
        for form in sorted(data):
            places = tuple(replace(m, kind="dataset", role=None) for m in entity.mentions if m.text == form)
            if places and ("dataset", form) not in taken:
                taken.add(("dataset", form))
                yield DocumentEntity(name=form, kind="dataset", confidence=entity.confidence, mentions=places)


def _is_other_data(form: str, entity: DocumentEntity, lookup: Lookup) -> bool:
    """Whether the lexicon has a form in mixed case as a data set alone, and the entity's name as another kind."""
    if entity.kind == "dataset" or form.isupper() or sum(map(str.isupper, form)) < 2:
        return False
    entries = lookup(form, "dataset")
    exact = bool(entries) and all(
        entry.kind == "dataset" and not entry.context and form in (entry.name, *entry.aliases) for entry in entries
    )
    own = (*lookup(entity.name, entity.kind), *(lookup(entity.long_form, entity.kind) if entity.long_form else ()))
    return exact and any(entry.kind != "dataset" for entry in own)


class Lookup:
    """A lexicon's look-up by name and kind, and what follows from it for an atom, remembered."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._found: dict[tuple[str, str], tuple[Entry, ...]] = {}
        self._entries = lexicon.entries if isinstance(lexicon, shipped.Lexicon) else ()
        # What an earlier process found is true of the lexicon that ships, and of no other.
        self._memory = _MEMORY if self._entries and lexicon is shipped.load() else memo.Memory()
        self._places = {id(entry): place for place, entry in enumerate(self._entries)}
        self._traits: dict[tuple[str, str, tuple[str, ...], str], Traits] = {}

    def __call__(self, name: str, kind: str) -> tuple[Entry, ...]:
        """The entries of a name, or if there are none of its normal form."""
        found = self._found.get((name, kind))
        if found is None:
            found = tuple(self._lexicon.lookup(name)) or tuple(self._lexicon.lookup(normal(name, kind).text))
            self._found[name, kind] = found
        return found

    def traits(self, name: str, kind: str, aliases: tuple[str, ...], long_form: str) -> Traits:
        """The traits of an atom with a name and its other forms."""
        args = (name, kind, aliases, long_form)
        found = self._traits.get(args)
        if found is None:
            if self._memory is _MEMORY and (values := self._memory.get(args)) is not None:
                found = self._unpacked(values)
            else:
                found = _traits(*args, self)
                if self._memory is _MEMORY:
                    self._memory.put(args, self._packed(found))
            self._traits[args] = found
        return found

    def _packed(self, traits: Traits) -> tuple[Any, ...]:
        own = traits.normal
        entries = (traits.entries, traits.long_entries, traits.doubted)
        places = (tuple(self._places[id(entry)] for entry in some) for some in entries)
        forms = (own.key, own.text, own.rules, traits.short, traits.long, traits.long_key)
        return (*forms, *places, traits.of_dataset)

    def _unpacked(self, values: tuple[Any, ...]) -> Traits:
        key, text, rules, short, long, long_key, *places, of_dataset = values
        entries, long_entries, doubted = (tuple(self._entries[place] for place in some) for some in places)
        return Traits(Normal(key, text, rules), short, long, long_key, entries, long_entries, doubted, of_dataset)


_MEMORY = memo.memory(f"{__name__}.traits")


def make_atom(document: Document, entity: DocumentEntity, paper: str, lookup: Lookup) -> Atom:
    """The atom of one document's entity."""
    kind = entity.kind
    traits = lookup.traits(entity.name, kind, entity.aliases, entity.long_form)
    return Atom(
        document=document,
        entity=entity,
        kind=kind,
        paper=paper,
        rank=(document.id, entity.name, entity.kind, entity.mentions[0].start if entity.mentions else -1),
        normal=traits.normal,
        short=traits.short,
        long=traits.long,
        long_key=traits.long_key,
        entries=traits.entries,
        long_entries=traits.long_entries,
        doubted=traits.doubted,
        of_dataset=traits.of_dataset,
    )


@dataclass(frozen=True, slots=True)
class Traits:
    """What an atom owes to the forms of its name and the lexicon alone."""

    normal: Normal
    short: str
    long: str
    long_key: str
    entries: tuple[Entry, ...]
    long_entries: tuple[Entry, ...]
    doubted: tuple[Entry, ...]
    of_dataset: bool


def _traits(name: str, kind: str, aliases: tuple[str, ...], long_form: str, lookup: Lookup) -> Traits:
    short, long = definition(DocumentEntity(name=name, kind=kind, aliases=aliases, long_form=long_form))
    own = normal(name, kind)
    entries = tuple(entry for entry in lookup(name, kind) if not _is_version_of(name, entry))
    meant = tuple(entry for entry in entries if _is_meant(entry, name, kind))
    if kind == "metric" and {f"{own.text} {head}" for head in ("metric", "score")} & set(aliases):
        entries = meant = tuple(entry for entry in meant if entry.kind == kind)  # the Spider metric is no data set
    return Traits(
        normal=own,
        short=normal(short, kind).key if short else own.key,
        long=long,
        long_key=normal(long, kind).key if long else "",
        entries=meant,
        long_entries=tuple(entry for entry in lookup(long, kind) if not entry.context) if long else (),
        doubted=tuple(entry for entry in entries if entry not in meant),
        of_dataset=_is_of_dataset(name, kind, lookup),
    )


def _is_of_dataset(name: str, kind: str, lookup: Lookup) -> bool:
    """Whether a name is a version or year of a dataset that the lexicon knows, as MultiWOZ 2.1 is of MultiWOZ."""
    known = [
        entry for base in bases(name, kind) if base.rule in ("version", "year") for entry in lookup(base.name, kind)
    ]
    return bool(known) and all(entry.kind == "dataset" and not entry.context for entry in known)


def _is_meant(entry: Entry, name: str, kind: str) -> bool:
    """Whether an entry may be what a name means, where the entry's name is an ordinary word too.

    A word written small means it if the lexicon writes it small; what is written like a name has to be of its
    kind, unless it has capitals that no word has (ROUGE).
    """
    if not entry.context:
        return True
    if name.islower():
        own = normal(name, kind).key
        return any(form.islower() and normal(form, entry.kind).key == own for form in (entry.name, *entry.aliases))
    exact = clean(name) in (entry.name, *entry.aliases) and sum(map(str.isupper, name)) > 1
    return kind == entry.kind or exact


def _is_version_of(name: str, entry: Entry) -> bool:
    """Whether a name is a size, version or year of an entry that has it among its aliases (OntoNotes 5.0)."""
    own = normal(entry.name, entry.kind).key
    if normal(name, entry.kind).key == own:
        return False
    # The lexicon may write with a space what the paper writes without (OntoNotes5.0).
    spellings = {name, *(a for a in entry.aliases if normal(a, entry.kind).key == normal(name, entry.kind).key)}
    nearest = [base for spelling in sorted(spellings) for base in bases(spelling, entry.kind)]
    return any(base.rule in _APART and normal(base.name, entry.kind).key == own for base in nearest)


def definition(entity: DocumentEntity) -> tuple[str, str]:
    """The short and the long form that the document gives one thing, or two empty strings.

    The name is one of them: a definition among the aliases alone is of something else that the paper names in passing.

    >>> definition(DocumentEntity(name="LVR", kind="method", aliases=("Latent Visual Reasoning", "our LVR")))
    ('LVR', 'Latent Visual Reasoning')
    """
    if not (entity.aliases or entity.long_form):
        return "", ""
    return _definition(entity.name, entity.kind, entity.aliases, entity.long_form)


@memo.remembered()
def _definition(name: str, kind: str, aliases: tuple[str, ...], long_form: str) -> tuple[str, str]:
    shorts = (name, *(alias for alias in aliases if len(alias) < len(name)))
    longs = [core(form) for form in ((long_form,) if long_form else (*aliases, name))]
    own = {normal(form, kind).key for form in (name, core(name))}
    pairs = [
        (short, long)
        for short in shorts
        for long in longs
        if is_definition(short, long) and own & {normal(form, kind).key for form in (short, long)}
    ]
    if not pairs:
        return "", ""
    # The name itself before an alias; of several long forms the shortest, which holds the fewest added words.
    return min(pairs, key=lambda pair: (pair[0] != name, len(pair[1]), pair))
