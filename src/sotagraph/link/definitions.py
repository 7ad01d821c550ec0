"""What abbreviations stand for, as all papers together define them: found, completed, doubted, spelt out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sotagraph.link.atoms import Atom, Entry
from sotagraph.link.forms import Normal, clean, initials, is_definition, key, normal

__all__ = [
    "DOUBTFUL",
    "SPELT",
    "USUAL",
    "complete_compounds",
    "complete_definitions",
    "drop_doubtful",
    "find_definitions",
    "know_long_forms",
    "read_brackets",
    "spell_out",
    "usual",
]

#: A definition is doubtful where this many times as many papers abbreviate the long form otherwise, by its initials.
DOUBTFUL = 5
#: An abbreviation is spelt out inside a longer name where so many papers define it, and this many times as many as any
#: other meaning.
SPELT = 3
USUAL = 4


def find_definitions(atoms: Iterable[Atom]) -> None:
    """See that one entity of a paper spells out another, where the text has one in brackets behind the other.

    Extraction gives such a pair as one entity, unless the bracket holds more: ``CSM (Cyclic Modulator, which turns)``.
    """
    papers: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        papers[atom.document.id].append(atom)
    for found in papers.values():
        starts = {mention.start: atom for atom in found for mention in atom.entity.mentions}
        for atom in found:
            for mention in atom.entity.mentions:
                gap = _BRACKET.match(atom.document.text, mention.end)
                other = starts.get(gap.end()) if gap else None
                if other and other is not atom:
                    _define(atom, other)


_BRACKET = re.compile(r"[*_}]*\s?\([*_{]*")


def _define(one: Atom, other: Atom) -> None:
    for short, long in ((one, other), (other, one)):
        if not (short.long or long.long) and is_definition(short.entity.name, long.entity.name):
            short.short, short.long, short.long_key = short.normal.key, clean(long.entity.name), long.normal.key


def read_brackets(atoms: Iterable[Atom]) -> None:
    """Read what stands before a short form in brackets, where extraction has not: evidence retrieval (ER).

    Without it a bare ER would go to the meaning that other papers give it.
    """
    for atom in atoms:
        name = atom.entity.name
        if atom.long_key or not 2 <= len(name) <= 8 or sum(map(str.isupper, name)) < 2:
            continue
        text = atom.document.text
        for mention in atom.entity.mentions:
            before = text[max(0, mention.start - 100) : mention.start]
            if before.endswith("(") and text[mention.end : mention.end + 1] == ")":
                atom.long = _spelt_before(name, before[:-1])
                atom.long_key = normal(atom.long, atom.kind).key if atom.long else ""
                atom.short = atom.normal.key
                break


def _spelt_before(short: str, before: str) -> str:
    """The last words of one clause whose initials are the short form; else nothing.

    Looser definitions are extraction's to see: here nothing has looked at the sentence.

    >>> _spelt_before("ER", "as well as fine-grained evidence retrieval "), _spelt_before("ER", "on BERT ")
    ('evidence retrieval', '')
    """
    words = re.split(r"[,;:.()]\s|—", before)[-1].split()
    # One word alone, such as speech-to-text, may only begin what is meant: "speech-to-text (ST) translation".
    for count in range(2, min(len(words), len(short) + 2) + 1):
        long = clean(" ".join(words[-count:]))
        letters = (initials(long), "".join(word[0] for word in words[-count:]).casefold())
        if short.casefold() in letters and is_definition(short, long):
            return long
    return ""


def complete_definitions(atoms: Sequence[Atom]) -> None:
    """Read the last word of a long form behind the bracket: speech-to-text (ST) translation.

    Some other paper has to spell the short form out so.
    """
    pairs = {(atom.short, atom.long_key) for atom in atoms if atom.long_key}
    known = {atom.normal.key: atom.entries for atom in atoms if any(entry.kind == "task" for entry in atom.entries)}
    for atom in atoms:
        if not atom.long_key or atom.long_entries or atom.kind != "task" or atom.long_key in known:
            continue
        for mention in atom.entity.mentions:
            if word := _BEHIND.match(atom.document.text, mention.end):
                long = f"{atom.long} {word[1]}"
                found = normal(long, "task").key
                if (atom.short, found) in pairs:
                    atom.long, atom.long_key, atom.long_entries = long, found, known.get(found, ())
                    break


_BEHIND = re.compile(r"\)\s+([a-z]{4,})\b")


def complete_compounds(atoms: Sequence[Atom]) -> None:
    """Read the first half of a compound before a name that begins with its second: open *domain question answering*.

    Some other paper has to name the whole.
    """
    known = {(atom.kind, atom.normal.key): atom.entries for atom in atoms}
    for atom in atoms:
        if atom.kind != "task" or atom.entries or atom.long_key or not _HALF.match(atom.entity.name):
            continue
        text = atom.document.text
        befores = {match and match[1] for m in atom.entity.mentions for match in [_HALF_BEFORE.search(text[: m.start])]}
        for before in sorted(filter(None, befores)) if len(befores) == 1 else ():
            whole = normal(f"{before}-{atom.entity.name}", "task")
            if ("task", whole.key) in known:
                atom.normal = Normal(whole.key, whole.text, (*atom.normal.rules, "compound"))
                atom.short, atom.entries = whole.key, known["task", whole.key]


_HALF = re.compile(r"(?:domain|shot|level|hop|lingual|modal|document|resource|turn|label)\s")
_HALF_BEFORE = re.compile(
    r"\b(open|closed|cross|multi|few|zero|one|low|high|document|sentence|word|token|aspect)\s?[-–]?\s?$", re.I
)


def drop_doubtful(atoms: Iterable[Atom]) -> None:
    """Take back what only looks like a definition: NAT is not short for the neural machine translation behind it."""
    papers: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    shorts: dict[tuple[str, str], list[Atom]] = defaultdict(list)
    for atom in atoms:
        if atom.long_key:
            papers[atom.long_key][atom.short].add(atom.document.id)
            shorts[atom.long_key, atom.short].append(atom)
    for (long, short), found in sorted(shorts.items()):
        letters = initials(found[0].long)
        usual = max(papers[long], key=lambda one: (len(papers[long][one]), one))
        if letters == usual != short and len(papers[long][usual]) >= DOUBTFUL * len(papers[long][short]):
            for atom in found:
                atom.long = atom.long_key = ""
                atom.short = atom.normal.key


def spell_out(atoms: Sequence[Atom]) -> None:
    """Give "open-domain QA" the key of "open-domain question answering", where papers use both and QA means that."""
    usual = _usual_longs(atoms)
    known = {atom.normal.key for atom in atoms} | {atom.long_key for atom in atoms}
    spelt_out: dict[str, Normal] = {}
    for atom in atoms:
        name = clean(atom.entity.name)
        if atom.long_key or " " not in name or sum(map(str.isupper, name)) < 2:
            continue
        words = re.split(r"(\s+)", name)
        spelt = "".join(usual.get(key(word), word) if sum(map(str.isupper, word)) > 1 else word for word in words)
        found = normal(spelt, atom.kind)
        if spelt != name and found.key in known and found.key != atom.normal.key:
            spelt_out[atom.normal.key] = found
            atom.normal = Normal(found.key, found.text, (*atom.normal.rules, "spelt-out"))
            atom.short = found.key
            # The dataset that is spelt like it (CommonsenseQA) is not spelt out so.
            atom.entries = tuple(entry for entry in atom.entries if _is_so_called(entry, atom))
    for atom in atoms:  # ChineseNER goes with Chinese NER, unless it is a dataset of that name.
        together = spelt_out.get(atom.normal.key)
        if together and not (atom.long_key or atom.entries or atom.kind == "dataset"):
            atom.normal = Normal(together.key, together.text, (*atom.normal.rules, "spelt-out"))
            atom.short = together.key


def _is_so_called(entry: Entry, atom: Atom) -> bool:
    """Whether an entry is of the atom's kind, or has its name as it is spelt out."""
    forms = (entry.name, *entry.aliases)
    return entry.kind == atom.kind or any(normal(form, entry.kind).key == atom.normal.key for form in forms)


def know_long_forms(atoms: Iterable[Atom]) -> None:
    """Give a long form that was found over several papers what the lexicon has by that name: opinion mining (OM)."""
    known = {
        (atom.kind, atom.normal.key): tuple(e for e in atom.entries if e.kind == atom.kind and not e.context)
        for atom in atoms
        if not atom.long_key
    }
    for atom in atoms:
        if atom.long_key and not atom.long_entries:
            atom.long_entries = known.get((atom.kind, atom.long_key), ())


def _usual_longs(atoms: Iterable[Atom]) -> dict[str, str]:
    """The key of each abbreviation that nearly all papers spell out in one way → that long form."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    texts: dict[str, Counter[str]] = defaultdict(Counter)
    for atom in atoms:
        if atom.long_key:
            counts[atom.short][atom.long_key] += 1
            texts[atom.long_key][clean(atom.long)] += 1
    found = {short: long for short, longs in counts.items() if (long := usual(longs)) is not None}
    return {short: min(texts[long], key=lambda text: (-texts[long][text], text)) for short, long in found.items()}


def usual(longs: Mapping[str, int]) -> str | None:
    """The long form that nearly all papers give an abbreviation, counted by paper; None where they differ.

    >>> usual({"mean average precision": 9, "mean accuracy": 1}), usual({"relation extraction": 2})
    ('mean average precision', None)
    """
    (long, most), *others = sorted(longs.items(), key=lambda item: (-item[1], item[0]))
    return long if most >= max(SPELT, USUAL * (others[0][1] if others else 0)) else None
