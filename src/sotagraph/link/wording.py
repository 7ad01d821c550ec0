"""One thing in other words: plurals, words that say nothing, other forms of the same words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sotagraph.link.atoms import Atom, Entry
from sotagraph.link.definitions import USUAL
from sotagraph.link.forms import Normal, is_proper, key, normal, roots
from sotagraph.memo import remembered

__all__ = ["drop_heads", "find_plurals", "join_word_forms", "settle_words", "share_entries"]


def settle_words(atoms: Iterable[Atom]) -> None:
    """Believe the lexicon on a name that is a word too, where over a third of its papers mean that kind of thing."""
    named: dict[tuple[str, str], list[Atom]] = defaultdict(list)
    for atom in atoms:
        if not atom.entity.name.islower():
            for entry in (*atom.entries, *atom.doubted):
                if entry.context:
                    named[atom.normal.key, _entry_id(entry)].append(atom)
    for (_, entry_id), found in sorted(named.items()):
        sure = [atom for atom in found if entry_id in map(_entry_id, atom.entries)]
        # What a paper coins by the name is another thing; where nobody does, extraction takes one thing for two kinds,
        # and nearly as often for the wrong one (Wikipedia: 18 papers as data, 20 as a method).
        rest = [atom for atom in found if atom not in sure and not atom.proposed]
        if 2 * len(sure) > len(rest):
            for atom in rest:
                meant = tuple(entry for entry in atom.doubted if _entry_id(entry) == entry_id)
                atom.entries += meant
                atom.doubted = tuple(entry for entry in atom.doubted if entry not in meant)


def _entry_id(entry: Entry) -> str:
    return f"{entry.kind}|{key(entry.name)}"


def find_plurals(atoms: Sequence[Atom]) -> None:
    """See plurals that end like singulars (RoBERTas), where far more papers write the name without the s."""
    counts = Counter((atom.kind, atom.normal.key) for atom in atoms)
    entries = {(atom.kind, atom.normal.key): atom.entries for atom in atoms}
    for atom in atoms:
        name, one = atom.normal.key, atom.normal.key[:-1]
        usual = counts[atom.kind, one] >= USUAL * counts[atom.kind, name]
        if usual and len(one) > 3 and atom.entity.name.endswith("s"):
            atom.normal = Normal(one, atom.normal.text[:-1], (*atom.normal.rules, "plural"))
            atom.short = one if atom.short == name else atom.short
            atom.entries = atom.entries or entries[atom.kind, one]


def drop_heads(atoms: Sequence[Atom]) -> None:
    """Give "accuracy score" the key of accuracy, and "automatic summarization" that of summarization.

    What stays has to be a thing of that kind by itself: some paper names it so, or where the word might say more than
    what kind of thing it is, the lexicon does.
    """
    names: dict[tuple[str, str], tuple[Entry, ...]] = {(atom.kind, atom.normal.key): () for atom in atoms}
    known: dict[tuple[str, str], tuple[Entry, ...]] = {
        (kind, normal(form, kind).key): (entry,)
        for kind, entry in _entries(atoms)
        for form in (entry.name, *entry.aliases)
    }
    for atom in atoms:  # Snips has the key of a plural, SNIPS has not.
        if own := tuple(entry for entry in atom.entries if entry.kind == atom.kind):
            known[atom.kind, atom.normal.key] = own
    there = {"known": known, "named": {**names, **known}}
    for atom in atoms:
        _drop_automatic(atom, known)
    longs = {atom.long_key for atom in atoms}
    for atom in atoms:
        if atom.long_key or atom.normal.key in longs:
            continue
        if (atom.kind == "task" and atom.proposed) or any(entry.kind == atom.kind for entry in atom.entries):
            continue
        for wanted, rest in _without(atom.normal.text, atom.kind):
            found = normal(rest, atom.kind)
            if (atom.kind, found.key) in there[wanted]:
                atom.normal = Normal(found.key, found.text, (*atom.normal.rules, "head-word"))
                atom.short = found.key
                atom.entries = known.get((atom.kind, found.key), ())
                break


@remembered()
def _without(text: str, kind: str) -> tuple[tuple[str, str], ...]:
    """A name without what adds nothing to it, with where the rest has to be found."""
    rests = ((wanted, pattern.sub("", text)) for pattern, wanted in _SAYS_NOTHING.get(kind, ()))
    return tuple((wanted, rest) for wanted, rest in rests if rest != text)


def _entries(atoms: Iterable[Atom]) -> Iterator[tuple[str, Entry]]:
    """The entries that some atom of their kind may mean, each once, with that kind."""
    seen = set()
    for atom in atoms:
        for entry in (*atom.entries, *atom.long_entries):
            if entry.kind == atom.kind and (place := _entry_id(entry)) not in seen:
                seen.add(place)
                yield entry.kind, entry


def _drop_automatic(atom: Atom, known: Mapping[tuple[str, str], tuple[Entry, ...]]) -> None:
    """AQG and QG are one thing, where one is spelt out with the word *automatic* and the other without."""
    if not atom.long or atom.kind != "task" or atom.proposed or atom.long_entries:
        return
    rest = _AUTOMATIC.sub("", atom.long)
    found = normal(rest, "task").key
    if rest != atom.long and ("task", found) in known:
        atom.long_key, atom.long_entries = found, known["task", found]


_AUTOMATIC = re.compile(r"^automat(?:ic|ed)\s+", re.I)
#: What stands before a task and does not narrow it.
_IDLE = re.compile(
    r"^(?:common|down-?stream|real[- ]world|standard|traditional|conventional|classical|modern|existing|current|typical"
    r"|popular|general|large[- ]scale|state[- ]of[- ]the[- ]art|sota|neural|use|using|modeling|number of"
    # what praises it, says in general how it is done, or was cut from "joint X and Y"
    r"|joint|broad|rich|representative|crafty|instantaneous|fast|vanilla|statistical|practical|plain|naive"
    r"|accurate|improved|high[- ]quality|challenging|better|successful|free[- ]text"
    # what is done about it
    r"|posing|blocking|learning|improving|addressing|tackling|studying|performing)\s+",
    re.I,
)
#: By kind: what adds nothing to a name, and whether the rest has to be known to the lexicon or only to some paper.
_SAYS_NOTHING = {
    "metric": (
        (
            re.compile(
                r"\s+(?:score|value|measure|metric|point|rate|score point|improve|improvement|gain)"
                r"(?:\s+(?:relatively|absolutely))?$"
            ),
            "known",
        ),
        (
            re.compile(r"^(?:points?|terms of|loss of|additional|initial|final|predictive|sota|sota test)\s+", re.I),
            "known",
        ),
    ),
    "dataset": ((re.compile(r"(?<=[A-Z]\w|\w\w)\s+(?:dataset|data set|corpus|benchmark)$", re.I), "named"),),
    "method": (
        (
            re.compile(
                r"\s+(?:algorithm|method|technique|mechanism|framework|formulation|layer|series|(?:loss )?function"
                r"|(?:neural )?network)$",
                re.I,
            ),
            "known",
        ),
        (re.compile(r"^(?:vanilla|conventional|traditional)\s+", re.I), "known"),
        # What a model gives goes by its name; in small letters a name is a word (word embedding).
        (re.compile(r"(?:(?<=[A-Z0-9])|(?<=[A-Z][a-z]))\s+(?:embedding|vector)$"), "known"),
        (re.compile(r"-series$"), "known"),
        (re.compile(r"^(?:fast|simple|plain|basic|random)\s+"), "known"),
    ),
    "task": (
        (re.compile(r"\s+(?:task|problem|sub-?task)$", re.I), "named"),
        (
            re.compile(
                r"\s+(?:system|research|model(?:ing)?(?: training)?|setting|building|induction|learning"
                r"|(?:in|for|of|from) texts?)$",
                re.I,
            ),
            "known",
        ),
        (re.compile(r"^modeling\s+", re.I), "known"),
        (_AUTOMATIC, "known"),
        (_IDLE, "known"),
    ),
}


def join_word_forms(atoms: Sequence[Atom]) -> None:
    """Give a task that the lexicon lacks the key of one that it has, where other forms of the same words make it up.

    Argumentation mining is argument mining, and disambiguating senses of words is disambiguation.
    """
    known: dict[tuple[str, ...], dict[str, Entry]] = defaultdict(dict)
    for kind, entry in _entries(atoms):
        if kind == "task" and not entry.context:
            for name in (entry.name, *entry.aliases):
                if " " in name:
                    known[roots(name)][_entry_id(entry)] = entry
    for atom in atoms:
        if atom.kind not in ("task", "method") or atom.entries or atom.long_key:
            continue
        if atom.proposed and (
            atom.kind == "task" or is_proper(atom.entity.name)
        ):  # A phrase in plain words coins none.
            continue
        phrase = re.search(r"\w[ -]\w", atom.normal.text) is not None
        own = (atom.normal.text, *_doers(atom.normal.text)) if atom.kind == "task" and phrase else ()
        for text in (*own, *_turned(atom.normal.text)):
            if len(found := known.get(roots(text), {})) == 1:
                [entry] = found.values()
                meant = next(normal(n, "task") for n in (entry.name, *entry.aliases) if roots(n) == roots(text))
                atom.normal = Normal(meant.key, meant.text, (*atom.normal.rules, "word-form"))
                atom.short, atom.entries = meant.key, (entry,)
                break


def _turned(text: str) -> Iterator[str]:
    """The name of a task that is told with its verb first.

    >>> list(_turned("Learning Representation")), list(_turned("machines answering question"))
    (['Representation Learning'], ['question answering'])
    """
    if match := re.fullmatch(r"(?:(?:machine|model|system)s? )?(\w+ing) ([\w -]+)", text):
        yield f"{match[2]} {match[1]}"


def _doers(text: str) -> Iterator[str]:
    """What a task that is called by who does it may be called by itself.

    >>> list(_doers("semantic dependency parser")), list(_doers("topic classifier"))
    (['semantic dependency parsing', 'semantic dependency parsion'], ['topic classification'])
    """
    if text.endswith("ifier"):
        yield f"{text[:-2]}cation"
    elif re.search(r"[a-z]{3}[eo]r$", text):
        yield f"{text[:-2]}ing"
        yield f"{text[:-2]}ion"


def share_entries(atoms: Iterable[Atom]) -> None:
    """Give a spelling what the lexicon has for another of the same normal form: dialog, dialogue generation."""
    groups: dict[tuple[str, str], list[Atom]] = defaultdict(list)
    for atom in atoms:
        groups[atom.kind, atom.normal.key].append(atom)
    for found in groups.values():
        entries = {
            _entry_id(entry): entry
            for atom in found
            for entry in atom.entries
            if entry.kind == atom.kind and not entry.context
        }
        shared = tuple(entries[name] for name in sorted(entries))
        for atom in found:
            # A challenge (ARC-Challenge) may be part of the benchmark that is called so without the word.
            headless = "head-word" in atom.normal.rules and atom.kind != "metric"
            if not (atom.entries or atom.doubted or headless):
                atom.entries = shared
