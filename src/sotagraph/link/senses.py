"""Which atoms are one thing: long forms first, then the lexicon, then proposers, then what a bare name's context fits.

A *sense* is a set of atoms that linking takes for one thing. It is named by a string: ``l|<long form>``,
``e|<kind>|<lexicon name>``, ``p|<paper>|<name>`` for one paper's own coinage, ``n|<name>`` where nothing but the name
is known, ``u|<paper>|<name>`` for a bare name that fits no sense, ``c|…`` where a correction says so.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sotagraph.link.atoms import Atom, Entry
from sotagraph.link.context import AHEAD, ENOUGH, Context, Fit
from sotagraph.link.forms import clean, is_definition, is_proper, is_quality, normal, same_expansion, stems
from sotagraph.memo import remembered
from sotagraph.model import Reason
from sotagraph.schema import ENTITY_KINDS

__all__ = ["Choice", "Senses", "assign"]

#: A name is established where at least this many papers use it without claiming it, and twice as many as claim it.
ESTABLISHED = 3
#: So many papers that spell a name out make what the lexicon alone means by it unlikely.
MANY = 10
#: The advantage, in points of `Context.fit`, of a sense that the lexicon knows.
KNOWN = 1.5
#: A name is older than the paper that coins it where at least this many papers before it use it.
OLDER = 2
#: A sense is the usual one where this many times as many papers spell it out as any other.
DOMINANT = 4


#: Kinds of an entry and of what papers spell out as it: a task may be taken for a method or a data set for a task, but
#: a data set that is spelt like a task is none.
_JOINED = {(kind, kind) for kind in ENTITY_KINDS} | {("method", "task"), ("task", "method"), ("dataset", "task")}
#: What is meant by names that stand apart; else a thing of the kind that their papers say.
_APART = {"token": "token", "unit": "unit", "digits": "digits"}


@dataclass(frozen=True, slots=True)
class Choice:
    """Why an atom is in its sense."""

    sense: str
    rule: str
    detail: str = ""
    #: The senses that it might have been in instead.
    others: tuple[str, ...] = ()


@dataclass(slots=True)
class Senses:
    """The outcome: the sense of each atom, and what was found on the way."""

    choices: dict[Atom, Choice] = field(default_factory=dict)
    #: Lexicon entry of a sense.
    entries: dict[str, Entry] = field(default_factory=dict)
    #: What corrections say of senses: names, kinds, and reasons to show.
    names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    notes: dict[str, list[Reason]] = field(default_factory=dict)

    def members(self) -> dict[str, list[Atom]]:
        """The atoms of each sense, senses and atoms in a certain order."""
        found: dict[str, list[Atom]] = defaultdict(list)
        for atom in sorted(self.choices, key=lambda atom: atom.rank):
            found[self.choices[atom].sense].append(atom)
        return dict(sorted(found.items()))


class _Union:
    """Sets of strings that are one; the least string of a set names it."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}

    def find(self, node: str) -> str:
        root = node
        while (above := self.parent.get(root, root)) != root:
            root = above
        while (above := self.parent.get(node, node)) != root:
            self.parent[node], node = root, above
        return root

    def join(self, one: str, other: str) -> None:
        low, high = sorted((self.find(one), self.find(other)))
        self.parent[high] = low


def entry_node(entry: Entry) -> str:
    """The name of a lexicon entry's sense."""
    return f"e|{entry.kind}|{normal(entry.name, entry.kind).key}"


def assign(atoms: Sequence[Atom]) -> Senses:
    """Sort atoms into senses."""
    return _Assignment(sorted(atoms, key=lambda atom: atom.rank)).run()


class _Assignment:
    """One run; its steps narrow down in turn which sense each atom has."""

    def __init__(self, atoms: list[Atom]) -> None:
        self.atoms = atoms
        self.union = _Union()
        self.senses = Senses()
        self.context = Context(atoms)
        #: Short form → long forms that papers define for it, each with the atoms that do.
        self.defined: dict[str, dict[str, list[Atom]]] = defaultdict(lambda: defaultdict(list))
        #: Long form → the kinds of the short forms that papers define for it.
        self.long_kinds: dict[str, set[str]] = defaultdict(set)
        #: Long form → the short forms.
        self.shorts: dict[str, list[str]] = defaultdict(list)
        self.short_kinds: dict[str, str] = {}
        #: Long forms that are adjectives → the short forms that papers define by them.
        self.qualities: dict[str, list[str]] = defaultdict(list)
        #: Lexicon entry of a set of joined nodes, by the set's name at the end of step two.
        self.known: dict[str, Entry] = {}
        self.bare: dict[str, list[Atom]] = defaultdict(list)
        #: The atoms that are certain to have a sense: they define it, spell it out or coin it.
        self.anchors: dict[str, list[Atom]] = defaultdict(list)

    def run(self) -> Senses:
        for atom in self.atoms:
            if atom.long_key:
                self.defined[atom.short][atom.long_key].append(atom)
            self.bare[atom.normal.key].append(atom)
        for short in sorted(self.defined):
            kinds = Counter(_known_kind(atom) for atoms in self.defined[short].values() for atom in atoms)
            self.short_kinds[short] = min(kinds, key=lambda kind: (-kinds[kind], kind))
            for long in self.defined[short]:
                self.long_kinds[long].add(self.short_kinds[short])
                self.shorts[long].append(short)
                if is_quality(self.defined[short][long][0].long):
                    self.qualities[long].append(short)
        for short in sorted(self.defined):
            self._join_long_forms(short)
        self._join_known()
        # What the lexicon lists under the short form goes before what it lists under a long form alone.
        for by_name in (True, False):
            for short in sorted(self.defined):
                self._find_entries(short, by_name=by_name)
        rest: dict[str, list[Atom]] = defaultdict(list)
        for atom in self.atoms:
            if not self._anchor(atom):
                rest[atom.normal.key].append(atom)
        for name in sorted(rest):
            self._place(name, rest[name])
        return self.senses

    def _long(self, long: str, kind: str, short: str) -> str:
        """The sense of a long form; a dataset may be spelt like the task that another short form stands for (CoQA).

        An adjective is no sense by itself: NAR and NAT are two things, though papers spell out no more than
        *non-autoregressive*.
        """
        if long in self.qualities:
            return self.union.find(f"l|{long}|{short}")
        apart = kind == "dataset" and len(self.long_kinds[long]) > 1
        return self.union.find(f"l|{long}|dataset" if apart else f"l|{long}")

    # Step one: long forms of one short form that say the same.

    def _join_long_forms(self, short: str) -> None:
        longs = self.defined[short]
        kind = self.short_kinds[short]
        users = {
            atom.document.id for atoms in (*longs.values(), self.bare[short]) for atom in atoms if not atom.proposed
        }
        used = len(users) >= ESTABLISHED
        clusters: list[list[str]] = []
        for long in sorted(longs, key=lambda long: (-len(longs[long]), long)):
            for cluster in clusters:
                head = cluster[0]
                # Two papers that each coin the name mean the same only if they spell it out in the same words.
                strict = not used and _any_proposed(longs[head]) and _any_proposed(longs[long])
                if _are_known_apart(longs[head], longs[long]):
                    continue
                if same_expansion(longs[head][0].long, longs[long][0].long, strict=strict) or (
                    used and any(_adds_words(longs[one][0].long, longs[long][0].long) for one in cluster[1:])
                ):
                    self.union.join(self._long(head, kind, short), self._long(long, kind, short))
                    cluster.append(long)
                    break
            else:
                clusters.append([long])

    def _join_known(self) -> None:
        """Join long forms that the lexicon has as two names of one thing, though papers abbreviate them apart.

        Intent detection (ID) is intent classification (IC). A data set that is spelt like a task is none.
        """
        meant: dict[str, list[str]] = defaultdict(list)
        known: dict[str, Entry] = {}
        for short in sorted(self.defined):
            kind = self.short_kinds[short]
            for long, atoms in sorted(self.defined[short].items()):
                entries = {
                    entry_node(entry): entry
                    for atom in atoms
                    for entry in atom.long_entries
                    if (entry.kind, kind) in _JOINED
                }
                if len(entries) == 1 and long not in self.qualities:
                    known |= entries
                    meant[min(entries)].append(self._long(long, kind, short))
        for node, longs in meant.items():
            for long in longs:
                self.union.join(node, long)
        for node, entry in known.items():
            self.known[self.union.find(node)] = self.known[node] = entry

    # Step two: what the lexicon knows of a short form, and of which long form it speaks.

    def _find_entries(self, short: str, *, by_name: bool) -> None:
        longs = self.defined[short]
        clusters: dict[str, list[Atom]] = defaultdict(list)
        for long in sorted(longs):
            clusters[self._long(long, self.short_kinds[short], short)] += longs[long]
        entries = sorted(
            {
                entry_node(entry): entry
                for atoms in longs.values()
                for atom in atoms
                for entry in (atom.entries if by_name else atom.long_entries)
                if by_name or (entry.kind, self.short_kinds[short]) != ("task", "dataset")
            }.items()
        )
        for node, entry in entries:
            if node in self.known:
                continue
            cluster = self._cluster_of(entry, clusters)
            if cluster and cluster not in self.known:
                self.union.join(node, cluster)
                self.known[self.union.find(node)] = self.known[node] = entry

    def _cluster_of(self, entry: Entry, clusters: dict[str, list[Atom]]) -> str:
        forms = (entry.name, *entry.aliases)
        for root, atoms in sorted(clusters.items()):
            if any(same_expansion(form, atom.long) for form in forms for atom in atoms):
                return root
        if any(is_definition(short, long) for short in forms for long in forms):
            return ""  # The lexicon spells it out, and no paper means that.
        ranked = sorted(clusters, key=lambda root: (-len(clusters[root]), root))
        for root in ranked:
            kinds = Counter(atom.kind for atom in clusters[root])
            fits = kinds[entry.kind] or not _any_proposed(clusters[root])
            if fits and not self._is_news(clusters[root]):
                return root
        return ""

    def _is_news(self, cluster: list[Atom]) -> bool:
        """Whether these papers coin a name that others had used before, and so cannot be its origin."""
        coined = [atom for atom in cluster if atom.proposed and atom.document.year]
        if not coined or len(coined) < len(cluster):
            return False
        first = min(atom.document.year or 0 for atom in coined)
        before = {a.document.id for a in self.bare[coined[0].short] if a.document.year and a.document.year < first}
        return bool(before)

    # Step three: atoms whose sense is certain by their long form.

    def _anchor(self, atom: Atom) -> bool:
        if atom.long_key:
            sense = self._long(atom.long_key, self.short_kinds[atom.short], atom.short)
            choice = Choice(sense, "definition", atom.long)
        elif atom.normal.key in self.long_kinds and not self._is_only_spelt_like(atom):
            [short, *others] = self.qualities.get(atom.normal.key, [""])
            if others:
                return False
            choice = Choice(self._long(atom.normal.key, atom.kind, short), "long-form", atom.entity.name)
        else:
            return False
        self._choose(atom, choice, anchor=True)
        return True

    def _is_only_spelt_like(self, atom: Atom) -> bool:
        """Whether a task is written in small letters like the long form of a data set: multilingual QA, and MLQA."""
        if atom.kind != "task" or " " not in atom.entity.name or not atom.entity.name[1:].islower():
            return False
        for short in self.shorts[atom.normal.key]:
            # Of a short form with several meanings, only who defines this one tells its kind.
            definers = [one.kind for one in self.defined[short][atom.normal.key]]
            kinds = definers if len(self.defined[short]) > 1 else [self.short_kinds[short]]
            if 2 * kinds.count("dataset") <= len(kinds):
                return False
        return True

    def _choose(self, atom: Atom, choice: Choice, *, anchor: bool = False) -> None:
        self.senses.choices[atom] = choice
        if anchor:
            self.anchors[choice.sense].append(atom)
        if (entry := self.known.get(choice.sense)) is not None:
            self.senses.entries[choice.sense] = entry

    # Step four: names without a long form in their paper.

    def _place(self, name: str, atoms: list[Atom]) -> None:
        if len(atoms) == 1 and name not in self.defined and not (atoms[0].entries or atoms[0].apart):
            self._choose_alone(name, atoms[0])
            return
        for atom in atoms:
            if atom.apart:
                self._choose(atom, Choice(f"n|{name}|{_APART.get(atom.apart, atom.kind)}", atom.apart))
        words, others = self._words(name, [atom for atom in atoms if not atom.apart])
        if words:
            for atom in words:
                entries = [entry_node(entry) for entry in _own_kind(atom) if entry.kind == atom.kind]
                sense = self.union.find(entries[0]) if len(entries) == 1 else f"n|{name}|word"
                if entries:
                    self.known.setdefault(self.union.find(entries[0]), _own_kind(atom)[0])
                self._choose(atom, Choice(sense, "same-name"))
        if others:
            self._place_names(name, others)

    def _choose_alone(self, name: str, atom: Atom) -> None:
        """The choice of all that follows, where one paper uses a name of which nothing else is known: most names."""
        coined = atom.proposed and is_proper(atom.entity.name)
        choice = Choice(f"p|{atom.paper}|{name}", "proposer", atom.document.id) if coined else _same_name(name)
        self._choose(atom, choice, anchor=atom.proposed)

    def _words(self, name: str, atoms: list[Atom]) -> tuple[list[Atom], list[Atom]]:
        """Common words such as math or cost, apart from what another kind writes like a name (MATH, CoST)."""
        words: list[Atom] = []
        others: list[Atom] = []
        for atom in atoms:
            (words if atom.entity.name.islower() and atom.entity.name.isalpha() else others).append(atom)
        kinds = {atom.kind for atom in others}
        kinds |= {a.kind for longs in self.defined.get(name, {}).values() for a in longs}
        kind = Counter(atom.kind for atom in words).most_common(1)[0][0] if words else ""
        marked = bool(self.defined.get(name)) or any(sum(map(str.isupper, a.entity.name)) > 1 for a in others)
        return (words, others) if words and marked and kind not in kinds else ([], atoms)

    def _place_names(self, name: str, atoms: list[Atom]) -> None:
        candidates = self._candidates(name, atoms)
        older = self._older(atoms, candidates)
        for atom in atoms:
            if atom in older:
                self._choose(atom, Choice(f"n|{name}|{atom.kind}", "earlier", "named before it was coined"))
        atoms = [atom for atom in atoms if atom not in older]
        proposers, bare = self._claimants(atoms, candidates)
        definers = [
            a for long in sorted(self.defined.get(name, ())) for a in self.defined[name][long] if not a.proposed
        ]
        users, claimants = ({a.document.id for a in some} for some in ([*bare, *definers], proposers))
        established = len(users) >= max(ESTABLISHED, 2 * len(claimants))
        families = _families(proposers)
        origin = min(families, key=lambda family: (family[0].document.year or 9999, family[0].rank), default=[])
        for family in families:
            # One claim, or claims on what many use: it is one thing, and the first to claim it is its origin.
            alone = len(families) == 1 or established
            paper = (origin if alone else family)[0].paper
            for atom in family:
                self._choose(atom, self._claim(name, atom, candidates, paper, alone, established), anchor=True)
        senses = sorted({*candidates, *(self.senses.choices[atom].sense for atom in proposers)})
        for atom in bare:
            self._choose(atom, self._fit(name, atom, senses))

    def _older(self, atoms: Sequence[Atom], candidates: Sequence[str]) -> set[Atom]:
        """Those that take the name for another kind than the one paper that coins it, if some are older than it.

        ACE, the corpus, was there before a method was called so.
        """
        if len(candidates) != 1 or candidates[0] in self.known:
            return set()
        anchors = self.anchors[candidates[0]]
        years = [anchor.document.year for anchor in anchors if anchor.proposed and anchor.document.year]
        kinds = {anchor.kind for anchor in anchors}
        if len(years) < len(anchors) or len(kinds) != 1:
            return set()
        others = [atom for atom in atoms if atom.kind not in kinds and is_proper(atom.entity.name)]
        kind = min((atom.kind for atom in others), key=lambda k: (-sum(a.kind == k for a in others), k), default="")
        same = {atom for atom in others if atom.kind == kind}
        before = {atom.document.id for atom in same if (atom.document.year or 9999) < min(years)}
        return same if len(before) >= OLDER else set()

    def _claimants(self, atoms: list[Atom], candidates: Iterable[str]) -> tuple[list[Atom], list[Atom]]:
        """Those that claim a name, and those that use it.

        A paper that defines the name elsewhere in its text says again what it says there. Where some claimant has the
        name in its title, one that has it not, in a title that we know, merely uses it.
        """
        claimed = [atom for atom in atoms if atom.proposed]
        anchors = [atom for sense in candidates for atom in self.anchors[sense] if atom.proposed]
        if any(_in_title(atom) for atom in (*claimed, *anchors)):
            claimed = [atom for atom in claimed if _in_title(atom) or not atom.document.title]
        own = {atom.document.id for atom in anchors}
        chosen = {atom.rank for atom in claimed if atom.document.id not in own}
        return [a for a in atoms if a.rank in chosen], [a for a in atoms if a.rank not in chosen]

    def _candidates(self, name: str, atoms: Iterable[Atom]) -> list[str]:
        found = self._spelt(name)
        for atom in atoms:
            for entry in _own_kind(atom):
                node = self.union.find(entry_node(entry))
                self.known.setdefault(node, entry)
                found.add(node)
        return sorted(found)

    def _claim(
        self, name: str, atom: Atom, candidates: list[str], paper: str, alone: bool, established: bool
    ) -> Choice:
        """The sense of a name that its paper claims; `paper` is the one that it comes from."""
        if alone:
            # Where many use a well-known name, even a claim on it as another kind of thing is a slip of extraction.
            meant = [c for c in candidates if self._is_meant(c, atom)]
            lexical = [c for c in meant if established or self.known[c].kind == atom.kind]
            if len(lexical) == 1:
                return Choice(lexical[0], "lexicon-alias", atom.entity.name)
            spelt = [c for c in candidates if c not in self.known or c in self._spelt(name)]
            unknown = (
                len(candidates) == len(spelt) == 1 and not meant and self._may_be(candidates[0], atom, established)
            )
            if unknown and (established or not _any_proposed(self.anchors[candidates[0]])):
                return Choice(candidates[0], "only-proposer", atom.document.id)
        if not is_proper(atom.entity.name) or (established and self._has_kind(candidates, atom.kind)):
            return self._fit(name, atom, candidates)
        return Choice(f"p|{paper}|{name}", "proposer", atom.document.id, tuple(candidates))

    def _may_be(self, sense: str, atom: Atom, established: bool) -> bool:
        """Whether what a paper coins may be a well-known thing that others abbreviate so: no data set is a task."""
        kinds = {self.known[sense].kind if sense in self.known else atom.kind, atom.kind}
        return established or len(kinds) == 1 or kinds == {"method", "task"}

    def _has_kind(self, candidates: Iterable[str], kind: str) -> bool:
        """Whether some paper takes one of the senses for this kind, or the lexicon does."""
        return any(
            (c in self.known and self.known[c].kind == kind) or any(anchor.kind == kind for anchor in self.anchors[c])
            for c in candidates
        )

    def _fit(self, name: str, atom: Atom, senses: list[str]) -> Choice:
        """The one sense of several that a bare name has in its paper."""
        here = [sense for sense in senses if any(a.document.id == atom.document.id for a in self.anchors[sense])]
        if len(here) == 1:
            return Choice(here[0], "same-paper", atom.entity.name)
        spelt = self._spelt(name)
        senses = [s for s in senses if s not in self.known or s in spelt or self._is_meant(s, atom)]
        possible = [s for s in senses if not self._is_later(s, atom) and not self._is_uncountable(s, atom)]
        if not possible:
            if not senses:
                return _same_name(name)
            return Choice(f"n|{name}", "earlier", "older than every paper that coins the name", tuple(senses))
        if len(possible) == 1:
            return Choice(possible[0], self._why(possible[0], atom), "", tuple(s for s in senses if s != possible[0]))
        return self._by_context(name, atom, possible)

    def _spelt(self, name: str) -> set[str]:
        """The senses that papers spell out for a name."""
        return {self._long(long, self.short_kinds[name], name) for long in self.defined.get(name, ())}

    def _is_meant(self, sense: str, atom: Atom) -> bool:
        """Whether the lexicon knows the sense by the name of the atom, and not by its long form alone."""
        return sense in self.known and self.known[sense] in (_own_kind(atom) or atom.entries)

    def _why(self, sense: str, atom: Atom) -> str:
        if self._is_meant(sense, atom):
            return "lexicon-alias"
        return {"e": "only-definition", "l": "only-definition", "p": "only-proposer"}.get(sense[0], "same-name")

    def _is_later(self, sense: str, atom: Atom) -> bool:
        """Whether the sense was coined years after the atom's paper; one year is allowed for preprints."""
        year, anchors = atom.document.year, self.anchors[sense]
        if year is None or sense in self.known or not _any_proposed(anchors):
            return False
        return all(anchor.document.year is not None and anchor.document.year > year + 1 for anchor in anchors)

    def _is_uncountable(self, sense: str, atom: Atom) -> bool:
        """Whether the name is a plural and the sense a task that no paper counts: IDs are no intent detections."""
        anchors = self.anchors[sense]
        if "plural" not in atom.normal.rules or not anchors or any(anchor.kind != "task" for anchor in anchors):
            return False
        return not any("plural" in anchor.normal.rules for anchor in anchors)

    def _by_context(self, name: str, atom: Atom, senses: list[str]) -> Choice:
        fits: list[tuple[float, str, Fit]] = []
        heard = max(len(self.anchors[sense]) for sense in senses)
        # Nobody spells out what the lexicon has, and many something else (WSD is seldom a schedule of learning rates).
        unheard = {sense for sense in senses if heard >= MANY and not self.anchors[sense]}
        for sense in senses:
            entry = self.known[sense] if self._is_meant(sense, atom) else None
            fit = self.context.fit(atom, self.anchors[sense], entry.kind if entry else "")
            # What everyone knows is meant unless something speaks for another sense.
            fits.append((fit.score + (KNOWN if entry and sense not in unheard else 0.0), sense, fit))
        fits.sort(key=lambda item: (-item[0], item[1]))
        (best, sense, fit), (second, *_) = fits[:2]
        others = tuple(other for other in senses if other != sense)
        if best >= ENOUGH and best >= AHEAD * second:
            rule = "context" if fit.shared or not self._is_meant(sense, atom) else "lexicon-alias"
            return Choice(sense, rule, ", ".join(fit.shared), others)
        # A lexicon entry has several names; those who spell out another say nothing of this one.
        sizes = Counter(
            {s: len({a.document.id for a in self.anchors[s] if name in (a.short, a.long_key)}) for s in senses}
        )
        (most, size), (_, next_size) = sizes.most_common(2)
        if size >= ESTABLISHED and size >= DOMINANT * next_size:
            return Choice(
                most, "usual-sense", f"{size} papers against {next_size}", tuple(s for s in senses if s != most)
            )
        meant = [s for s in senses if self._is_meant(s, atom) and self.known[s].kind == atom.kind]
        users = {a.document.id for a in self.bare[name]}
        if len(meant) == 1 and len(users) >= max(MANY, MANY * max(n for s, n in sizes.items() if s not in meant)):
            # What so many use without a word is what everyone knows, not what one paper spells out.
            return Choice(meant[0], "lexicon-alias", "", tuple(s for s in senses if s not in meant))
        if not is_proper(atom.entity.name):  # A phrase means what it says, whatever else is called so.
            return Choice(f"n|{name}", "same-name", "", tuple(senses))
        return Choice(f"u|{atom.paper}|{name}", "ambiguous", "", tuple(senses))


def _same_name(name: str) -> Choice:
    return Choice(f"n|{name}", "same-name")


def _are_known_apart(one: Sequence[Atom], other: Sequence[Atom]) -> bool:
    """Whether the lexicon has two long forms as two things: event extraction, event argument extraction."""
    left, right = ({entry_node(e) for atom in atoms for e in atom.long_entries} for atoms in (one, other))
    return bool(left and right) and left.isdisjoint(right)


def _adds_words(one: str, other: str) -> bool:
    """Whether two long forms mean the same and one merely has words more: (neural) machine translation."""
    left, right = stems(one), stems(other)
    return (left <= right or right <= left) and same_expansion(one, other)


def _own_kind(atom: Atom) -> tuple[Entry, ...]:
    """The entries that an atom may mean: those of its kind, or if there are none and its paper does not coin it, all.

    What has the name as its first name goes before what has it among its aliases.
    """
    same = tuple(entry for entry in atom.entries if entry.kind == atom.kind)
    claimed = atom.proposed and is_proper(atom.entity.name)
    some = same or (() if claimed else atom.entries)
    first = tuple(entry for entry in some if normal(entry.name, entry.kind).key == atom.normal.key)
    return first or some


def _known_kind(atom: Atom) -> str:
    """The lexicon's kind of a name that its paper does not coin; CoQA is a dataset, whatever a paper calls it."""
    kinds = {entry.kind for entry in atom.entries}
    return kinds.pop() if len(kinds) == 1 and not atom.proposed else atom.kind


def _in_title(atom: Atom) -> bool:
    """Whether the paper's title holds the name as a word of its own, as titles of papers that coin a name do."""
    return _is_word_of(atom.entity.name, atom.document.title)


@remembered()
def _is_word_of(name: str, title: str) -> bool:
    name, title = clean(name).casefold(), clean(title).casefold()
    return name in title and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", title) is not None


def _any_proposed(atoms: Iterable[Atom]) -> bool:
    return any(atom.proposed for atom in atoms)


def _families(atoms: list[Atom]) -> list[list[Atom]]:
    """Papers that coin one name, those with a common author together: a group calls one thing by one name."""
    families: list[list[Atom]] = []
    for atom in atoms:
        authors = set(atom.document.authors)
        for family in families:
            if family[0].document.id == atom.document.id or any(authors & set(a.document.authors) for a in family):
                family.append(atom)
                break
        else:
            families.append([atom])
    return families
