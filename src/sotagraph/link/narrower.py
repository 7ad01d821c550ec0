"""A longer and a shorter phrase of one paper: two things, where the shorter one is a thing to other papers too.

Extraction takes *Korean summarization* and *summarization* of one paper for one task, which in that paper they are. To
the corpus the shorter phrase is the name of a wider thing, and one name for both would put each paper's own task among
the names of the general one. Here the two are parted, with their places, and what the paper says goes to the phrase
that its sentence uses; `told` says which is the narrower, for the edge between them. A shorter phrase that only this
paper uses, or that others use for the same longer one, stays a form of it (*state tracking* of dialogue states).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from sotagraph import lexicon as shipped
from sotagraph import memo
from sotagraph.link.atoms import Entry, Lexicon, definition
from sotagraph.link.definitions import usual
from sotagraph.link.forms import clean, is_definition, key, normal
from sotagraph.model import DocumentEntity, Evidence, Extraction, Mention, Result, Statement

__all__ = ["Parted", "part_phrases"]

#: Kinds whose names are phrases, with the kinds of lexicon entries that they may be.
_KINDS = {"task": ("task", "method"), "metric": ("metric",)}
#: A shorter phrase is a thing where so many papers use it without a longer one, or the lexicon has it.
ALONE = 3
#: Words that do not narrow what they stand before; the last ones are the rest of a compound (few-shot, open-domain).
_IDLE = {
    "task": frozenset(
        "automatic automated automatically common standard traditional classical conventional modern existing current "
        "typical general popular downstream real world use using modeling estimating asking art sota state the near "
        "perfect points number terms of task quality fidelity large scale high shot domain level".split()
    ),
    # How a number was summed up over runs, classes or data sets makes no other measure of it.
    "metric": frozenset(
        "art state the of near perfect terms point points number standard averaged median absolute relative aggregate "
        "final expected good better best low lower high higher superior resulting".split()
    ),
}
#: Words that say no more than what kind of thing stands before them.
_HEADS = frozenset(("task", "problem", "score"))


@dataclass(slots=True)
class Parted:
    """The papers with their phrases parted, and by document id which name is narrower than which."""

    extractions: list[Extraction] = field(default_factory=list)
    told: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    #: All pairs of that kind, also where one is not the nearest to the other or no variant of it.
    wider: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    #: By document id how names were parted, as plain values: all that parting adds to what the paper itself says.
    parts: dict[str, tuple[Any, ...]] = field(default_factory=dict)


def part_phrases(extractions: Sequence[Extraction], lexicon: Lexicon) -> Parted:
    """Each paper's tasks and metrics with longer and shorter phrases parted, where the corpus knows the shorter.

    >>> from sotagraph.model import Document
    >>> class Nothing:
    ...     def lookup(self, name: str) -> tuple[()]: return ()
    >>> def paper(number: int, *names: str) -> Extraction:
    ...     entity = DocumentEntity(name=names[0], kind="task", aliases=names[1:])
    ...     return Extraction(document=Document(id=str(number), text="x"), entities=(entity,))
    >>> papers = [paper(0, "Korean parsing", "parsing"), *(paper(n, "parsing") for n in range(1, 4))]
    >>> parted = part_phrases(papers, Nothing())
    >>> [entity.name for entity in parted.extractions[0].entities], parted.told
    (['Korean parsing', 'parsing'], {'0': [('Korean parsing', 'parsing')]})
    """
    words = _Words(extractions, lexicon)
    parted = Parted()
    for extraction in extractions:
        _part(extraction, words, parted)
    return parted


class _Words:
    """What the corpus and the lexicon know of phrases."""

    def __init__(self, extractions: Sequence[Extraction], lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.usual = _usual(extractions)
        # What an earlier process found is true of the lexicon that ships, and of no other.
        ships = lexicon is shipped.load()
        self._counted, self._grouped = (_COUNTED, _GROUPED) if ships else (memo.Memory(), memo.Memory())
        #: The abbreviations that are looked up for what is to be remembered; None where nothing is.
        self._asked: set[tuple[str, str]] | None = None
        self.entries: Callable[[str, str], tuple[Entry, ...]] = cache(self._entries)
        self._words: Callable[[str, str], tuple[str, ...]] = cache(self._find_words)
        self._telling: Callable[[str, str], tuple[str, ...]] = cache(self._find_telling)
        #: By kind and words: the papers that use a phrase by itself, and those that use it beside each longer one.
        self.alone: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self.beside: dict[tuple[str, tuple[str, ...]], Counter[str]] = defaultdict(Counter)
        for extraction in extractions:
            for entity in extraction.entities:
                if entity.kind in _KINDS:
                    self._count(entity)

    def _entries(self, name: str, kind: str) -> tuple[Entry, ...]:
        found = self.lexicon.lookup(name) or self.lexicon.lookup(normal(name, kind).text)
        same = tuple(entry for entry in found if entry.kind == kind)
        return same or tuple(entry for entry in found if entry.kind in _KINDS[kind])

    def split(self, name: str, kind: str) -> tuple[str, ...]:
        """The words of a phrase, abbreviations that everyone spells out the same way written out."""
        self._note(name, kind)
        return self._words(name, kind)

    def _find_words(self, name: str, kind: str) -> tuple[str, ...]:
        words, shorts = _written(name, kind)
        longs = {place: long for place, short in shorts if (long := self.usual.get((kind, short)))}
        if not longs:
            return words
        found: list[str] = []
        for place, word in enumerate(words):
            long = longs.get(place)
            found += re.split(r"[\s\-–]+", normal(long, kind).text.casefold()) if long else (word,)
        return tuple(found)

    def telling(self, name: str, kind: str) -> tuple[str, ...]:
        """The words of a phrase that narrow it, and what it is."""
        self._note(name, kind)
        return self._telling(name, kind)

    def _note(self, name: str, kind: str) -> None:
        """See that something depends on what the abbreviations in a name mean."""
        if self._asked is not None:
            self._asked.update((kind, short) for _, short in _written(name, kind)[1])

    def _remembered(self, memory: memo.Memory, entity: DocumentEntity, make: Callable[[DocumentEntity], Any]) -> Any:
        """What follows from an entity's forms and the abbreviations in them: plain values, found anew where those mean
        something else.
        """
        args = (entity.name, entity.kind, entity.aliases, entity.long_form)
        known = memory.get(args)
        if known is not None and all(self.usual.get(short, "") == long for short, long in known[0]):
            return known[1]
        asked = self._asked = set()
        value = make(entity)
        self._asked = None
        memory.put(args, (tuple((short, self.usual.get(short, "")) for short in sorted(asked)), value))
        return value

    def groups(self, entity: DocumentEntity) -> list[_Group]:
        """The forms of an entity by what they name, the group of its name first."""
        if not entity.aliases:
            name = clean(entity.name)
            told = {self.telling(one, entity.kind) for one in (name, *self.synonyms(name, entity.kind))}
            return [_Group([entity.name], told)]
        found = self._remembered(self._grouped, entity, self._group)
        return [_Group(list(forms), set(words)) for forms, words in found]

    def _group(self, entity: DocumentEntity) -> tuple[Any, ...]:
        return tuple((tuple(group.forms), tuple(sorted(group.words))) for group in _groups(entity, self))

    def _find_telling(self, name: str, kind: str) -> tuple[str, ...]:
        told = self.split(name, kind)
        told = told[:-1] if len(told) > 1 and told[-1] in _HEADS else told
        return (*(word for word in told[:-1] if word not in _IDLE[kind]), *told[-1:])

    def defines(self, short: str, long: str, kind: str) -> bool:
        """Whether a phrase spells out a short form that does not usually stand for some of its words alone.

        CSR has the letters of *cross-lingual commonsense reasoning* by chance, MRC those of *multi-turn CMC*.
        """
        if self._asked is not None:
            self._asked.add((kind, normal(short, kind).key))
        inside = [word for word in re.split(r"[\s\-–]+", long) if sum(map(str.isupper, word)) > 1]
        if not is_definition(short, long) or any(word not in short for word in inside):
            return False
        usual = self.usual.get((kind, normal(short, kind).key), "")
        return not (usual and is_narrower(self.split(long, kind), self.split(usual, kind)))

    def synonyms(self, name: str, kind: str) -> tuple[str, ...]:
        """What else the lexicon calls the thing, in phrases."""
        return tuple(form for entry in self.entries(name, kind) for form in (entry.name, *entry.aliases) if " " in form)

    def _count(self, entity: DocumentEntity) -> None:
        if not entity.aliases:
            self.alone[entity.kind, self.split(clean(entity.name), entity.kind)] += 1
            return
        for words, longer in self._remembered(self._counted, entity, self._longer):
            if longer:
                self.beside[entity.kind, words].update(longer)
            else:
                self.alone[entity.kind, words] += 1

    def _longer(self, entity: DocumentEntity) -> tuple[Any, ...]:
        """The words of each form of an entity, and what its longer forms mean."""
        forms = {self.split(clean(form), entity.kind): clean(form) for form in (entity.name, *entity.aliases)}
        return tuple(
            (words, tuple(sorted({self.meant(forms[more], entity.kind) for more in forms if is_narrower(more, words)})))
            for words in forms
        )

    def meant(self, name: str, kind: str) -> str:
        """What tells synonyms from things: the lexicon's name of a phrase, else its words."""
        entries = self.entries(name, kind)
        return key(entries[0].name) if entries else " ".join(self.split(name, kind))

    def is_thing(self, name: str, kind: str) -> bool:
        """Whether a phrase by itself names something: to the lexicon, or to more papers than use it for another."""
        if any(not entry.context for entry in self.entries(name, kind)):
            return True
        words = self.split(name, kind)
        most = max(self.beside[kind, words].values(), default=0)
        return self.alone[kind, words] >= ALONE and self.alone[kind, words] > most


_COUNTED = memo.memory(f"{__name__}.counted")
_GROUPED = memo.memory(f"{__name__}.grouped")


@memo.remembered()
def _written(name: str, kind: str) -> tuple[tuple[str, ...], tuple[tuple[int, str], ...]]:
    """The words of a name as it is written, in small letters, and the places and keys of its abbreviations."""
    words = re.split(r"[\s\-–“”\"]+", normal(name, kind).text)
    shorts = tuple((place, key(word)) for place, word in enumerate(words) if sum(map(str.isupper, word)) > 1)
    return tuple(word.casefold() for word in words), shorts


def is_narrower(more: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a phrase has the words of another and more before its last.

    >>> is_narrower(["table", "to", "text", "generation"], ["text", "generation"])
    True
    >>> is_narrower(["parsing", "errors"], ["parsing"])
    False
    """
    rest = iter(more)
    return len(more) > len(words) and more[-1:] == words[-1:] and all(word in rest for word in words)


def _usual(extractions: Iterable[Extraction]) -> dict[tuple[str, str], str]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    texts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for extraction in extractions:
        for entity in extraction.entities:
            if entity.kind in _KINDS:
                short, long = definition(entity)
                if long:
                    counts[entity.kind, normal(short, entity.kind).key][normal(long, entity.kind).key] += 1
                    texts[entity.kind, normal(short, entity.kind).key, normal(long, entity.kind).key][clean(long)] += 1
    found = {}
    for (kind, short), longs in counts.items():
        if (spelt_out := usual(longs)) is not None:
            spelt = texts[kind, short, spelt_out]
            found[kind, short] = min(spelt, key=lambda text: (-spelt[text], text))
    return found


@dataclass(slots=True)
class _Group:
    """Forms of one paper that name one thing."""

    forms: list[str]
    words: set[tuple[str, ...]]

    def narrows(self, other: _Group) -> bool:
        pairs = ((more, words) for more in self.words for words in other.words)
        return other is not self and any(is_narrower(more, words) for more, words in pairs)


def _groups(entity: DocumentEntity, words: _Words) -> list[_Group]:
    """The forms of an entity by what they name, the group of its name first."""
    kind = entity.kind
    groups: list[_Group] = []
    # Phrases first: a short form may have the letters of several.
    for form in sorted(
        (entity.name, *entity.aliases), key=lambda form: " " not in form and sum(map(str.isupper, form)) > 1
    ):
        name = clean(form)
        new = _Group([form], {words.telling(one, kind) for one in (name, *words.synonyms(name, kind))})
        same = [group for group in groups if any(_are_one(name, clean(other), kind, words) for other in group.forms)]
        spelt = [group for group in groups if any(words.defines(name, clean(other), kind) for other in group.forms)]
        spelt = [group for group in spelt if not any(group.narrows(other) for other in spelt)]
        if same:
            spelt = []
        elif len(spelt) > 1:
            spelt = [group for group in spelt if entity.long_form in group.forms] or spelt[:1]
        for group in [group for group in groups if group in same or group in spelt]:
            new.forms = group.forms + new.forms
            new.words |= group.words
            groups.remove(group)
        groups.append(new)
    return sorted(groups, key=lambda group: (entity.name not in group.forms, min(group.forms)))


def _are_one(left: str, right: str, kind: str, words: _Words) -> bool:
    if normal(left, kind).key == normal(right, kind).key:
        return True
    entries = [words.entries(name, kind) for name in (left, right)]
    if entries[0] and entries[1]:
        return entries[0][0] is entries[1][0]
    return words.telling(left, kind) == words.telling(right, kind)


def _are_known_apart(one: _Group, other: _Group, kind: str, words: _Words) -> bool:
    """Whether the lexicon has both, as two things."""
    left, right = (
        {words.meant(clean(form), kind) for form in group.forms if words.entries(clean(form), kind)}
        for group in (one, other)
    )
    return bool(left and right) and left.isdisjoint(right)


def _merge(groups: list[_Group], entity: DocumentEntity, words: _Words) -> list[_Group]:
    """The groups that are things of their own, that of the name first; the others with those whose forms they are."""
    main = groups[0]
    for group in groups[1:]:
        related = any(group.narrows(other) or other.narrows(group) for other in groups)
        if not related and not _are_known_apart(group, main, entity.kind, words):
            main.forms += group.forms
            groups.remove(group)
    for group in sorted(groups, key=lambda group: (-max(map(len, group.words)), min(group.forms))):
        narrower = [other for other in groups if other.narrows(group)]
        if narrower and not any(words.is_thing(clean(form), entity.kind) for form in group.forms):
            # What it is short for has the fewest words more; it stays no narrower and no wider than it was.
            nearest = min(narrower, key=lambda other: (min(map(len, other.words)), other is not main, min(other.forms)))
            nearest.forms += group.forms
            groups.remove(group)
    return sorted(groups, key=lambda group: entity.name not in group.forms)


def _part(extraction: Extraction, words: _Words, parted: Parted) -> None:
    entities = list(extraction.entities)
    parts: dict[str, list[_Part]] = {}
    told: list[tuple[str, str]] = []
    wider: list[tuple[str, str]] = []
    forms: list[tuple[Any, ...]] = []
    for entity in extraction.entities:
        if entity.kind in _KINDS and entity.aliases:
            found = list(_parts(entity, words))
            if len(found) > 1:
                parts[entity.name] = found
                forms.append((entity.name, entity.kind, *(part.form for part in found)))
                told += [(part.entity.name, wide) for part in found for wide in part.wider if _is_one_task(part, wide)]
                wider += [(part.entity.name, wide) for part in found for wide in part.above]
                entities.remove(entity)
                for part in found:
                    _add(entities, part.entity)
    if not parts:
        parted.extractions.append(extraction)
        return
    text = extraction.document.text
    statements = [said for one in extraction.statements for said in _statements(one, parts)]
    results = [_result(score, parts, text) for score in extraction.results]
    changed = replace(extraction, entities=tuple(entities), statements=tuple(statements), results=tuple(results))
    document = extraction.document.id
    parted.extractions.append(changed)
    parted.parts[document] = tuple(forms)
    if told:
        parted.told[document] = sorted(set(told))
    if wider:
        parted.wider[document] = sorted(set(wider))


@dataclass(slots=True)
class _Part:
    entity: DocumentEntity
    #: The names of the nearest wider parts, and of all.
    wider: list[str]
    above: list[str]

    @property
    def form(self) -> tuple[Any, ...]:
        """Which forms it has and what it is narrower than; its places and its role follow from the forms."""
        return self.entity.name, self.entity.aliases, tuple(self.wider), tuple(self.above)


def _parts(entity: DocumentEntity, words: _Words) -> Iterator[_Part]:
    """The things that an entity's forms name, that of its name first; itself alone where they name one."""
    groups = words.groups(entity)
    if len(groups) > 1:
        groups = _merge(groups, entity, words)
    if len(groups) == 1:
        return
    owner = {form: number for number, group in enumerate(groups) for form in group.forms}
    places: dict[int, list[Mention]] = defaultdict(list)
    for mention in entity.mentions:
        places[owner.get(mention.text, 0)].append(mention)
    names = [_name(entity, group, places[number]) for number, group in enumerate(groups)]
    coined = {number for number in places if any(m.role and m.role == entity.role for m in places[number])}
    for number, group in enumerate(groups):
        above = [n for n, other in enumerate(groups) if other is not group and group.narrows(other)]
        nearest = [n for n in above if not any(groups[m].narrows(groups[n]) for m in above if m != n)]
        part = replace(
            entity,
            name=names[number],
            aliases=tuple(sorted({form for form in group.forms if form != names[number]})),
            long_form=entity.long_form if entity.long_form in group.forms else "",
            role=entity.role if number in coined or (not coined and number == 0) else None,
            mentions=tuple(places[number]),
        )
        yield _Part(part, [names[n] for n in nearest], [names[n] for n in above])


def _is_one_task(part: _Part, wide: str) -> bool:
    """Whether a phrase names one task and not two, of which the wider phrase is one (translation and recognition)."""
    return not re.search(r"\band\b|&", part.entity.name) or re.search(r"\band\b|&", wide) is not None


def _name(entity: DocumentEntity, group: _Group, places: Sequence[Mention]) -> str:
    if entity.name in group.forms:
        return entity.name
    counts = Counter(mention.text for mention in places)
    return min(group.forms, key=lambda form: (-counts[form], -len(form), form))


def _add(entities: list[DocumentEntity], part: DocumentEntity) -> None:
    """Put a part among the entities of its paper, together with the one that is there by its name, if any."""
    for number, entity in enumerate(entities):
        if entity.kind == part.kind and key(entity.name) == key(part.name):
            forms = {*entity.aliases, *part.aliases, part.name} - {entity.name}
            mentions = {(m.start, m.end): m for m in (*part.mentions, *entity.mentions)}
            entities[number] = replace(
                entity, aliases=tuple(sorted(forms)), mentions=tuple(mentions[place] for place in sorted(mentions))
            )
            return
    entities.append(part)


def _statements(said: Statement, parts: dict[str, list[_Part]]) -> Iterator[Statement]:
    """A statement with the phrases of its sentence; who addresses the narrower task addresses the wider one too."""
    subject, target = (_used(parts.get(name, ()), said.evidence) for name in (said.subject, said.object))
    moved = replace(
        said,
        subject=subject.entity.name if subject else said.subject,
        object=target.entity.name if target else said.object,
    )
    if moved.subject == moved.object:
        return
    yield moved
    if target and said.predicate == "addresses":
        evidence = replace(said.evidence, rule=f"{said.evidence.rule}+wider")
        for name in target.above:
            yield replace(moved, object=name, evidence=evidence)


def _used(parts: Sequence[_Part], evidence: Evidence) -> _Part | None:
    """The narrowest phrase that a sentence uses; the one that gives the entity its name where it uses none."""
    if not parts:
        return None
    here = [part for part in parts if any(_within(m, evidence) for m in part.entity.mentions)]
    return max(here, key=lambda part: (len(part.above), -parts.index(part)), default=parts[0])


def _result(score: Result, parts: dict[str, list[_Part]], text: str) -> Result:
    """A result with the phrases of its sentence, of several metrics the one nearest to the number."""
    task = _used(parts.get(score.task or "", ()), score.evidence)
    found = parts.get(score.metric or "", [])
    metric = found[0] if found else None
    value = text.find(score.value_text, score.evidence.start, score.evidence.end)
    near = [
        (min(abs(m.start - value - len(score.value_text)), abs(value - m.end)), number)
        for number, part in enumerate(found)
        for m in part.entity.mentions
        if _within(m, score.evidence)
    ]
    if near:
        metric = found[min(near)[1]]
    return replace(
        score, task=task.entity.name if task else score.task, metric=metric.entity.name if metric else score.metric
    )


def _within(mention: Mention, evidence: Evidence) -> bool:
    return evidence.start <= mention.start and mention.end <= evidence.end
