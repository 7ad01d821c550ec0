"""What must be seen over all papers before atoms can be sorted: doubtful definitions, common words, names spelt out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sotagraph.link.atoms import Atom, Entry
from sotagraph.link.forms import Normal, initials, is_definition, is_proper, normal, roots
from sotagraph.names import clean, key

__all__ = ["prepare"]

#: A definition is doubtful where this many times as many papers abbreviate the long form otherwise, by its initials.
DOUBTFUL = 5
#: An abbreviation is spelt out inside a longer name where so many papers define it, and this many times as many as any
#: other meaning.
SPELT = 3
USUAL = 4


def prepare(atoms: Sequence[Atom]) -> None:
    """Settle in place what single papers could not know."""
    find_definitions(atoms)
    read_brackets(atoms)
    complete_definitions(atoms)
    complete_compounds(atoms)
    drop_doubtful(atoms)
    settle_words(atoms)
    find_plurals(atoms)
    spell_out(atoms)
    drop_heads(atoms)
    join_word_forms(atoms)
    complete_shortened(atoms)
    share_entries(atoms)
    know_long_forms(atoms)
    part_pairs(atoms)
    part_lists(atoms)
    part_marks(atoms)


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
        for pattern, wanted in _SAYS_NOTHING.get(atom.kind, ()):
            rest = pattern.sub("", atom.normal.text)
            found = normal(rest, atom.kind)
            if rest != atom.normal.text and (atom.kind, found.key) in there[wanted]:
                atom.normal = Normal(found.key, found.text, (*atom.normal.rules, "head-word"))
                atom.short = found.key
                atom.entries = known.get((atom.kind, found.key), ())
                break


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
    rest = _AUTOMATIC.sub("", atom.long)
    found = normal(rest, "task").key
    if (
        atom.kind == "task"
        and rest != atom.long
        and not atom.proposed
        and not atom.long_entries
        and ("task", found) in known
    ):
        atom.long_key, atom.long_entries = found, known["task", found]


_AUTOMATIC = re.compile(r"^automat(?:ic|ed)\s+", re.I)
#: What stands before a task and does not narrow it.
_IDLE = re.compile(
    r"^(?:common|downstream|real[- ]world|standard|traditional|conventional|classical|modern|existing|current|typical"
    r"|popular|general|state[- ]of[- ]the[- ]art|sota|use|using|modeling|number of)\s+",
    re.I,
)
#: By kind: what adds nothing to a name, and whether the rest has to be known to the lexicon or only to some paper.
_SAYS_NOTHING = {
    "metric": (
        (
            re.compile(r"\s+(?:score|value|measure|metric|point|rate|score point)(?:\s+(?:relatively|absolutely))?$"),
            "known",
        ),
    ),
    "dataset": ((re.compile(r"(?<=[A-Z]\w|\w\w)\s+(?:dataset|data set|corpus|benchmark)$", re.I), "named"),),
    "method": (
        (re.compile(r"\s+(?:algorithm|method|technique|mechanism|framework|formulation)$", re.I), "known"),
        (re.compile(r"^(?:vanilla|conventional|traditional)\s+", re.I), "known"),
    ),
    "task": (
        (re.compile(r"\s+(?:task|problem)$", re.I), "named"),
        (re.compile(r"\s+(?:system|research|model(?:ing)?)$", re.I), "known"),
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


def complete_shortened(atoms: Sequence[Atom]) -> None:
    """Give a task whose name lost its first words what most papers mean by it: state tracking is that of dialogues.

    They write it beside the whole name, for one task that the lexicon has; by itself it is a thing to no more of them.
    """
    meant: dict[str, Counter[str]] = defaultdict(Counter)
    whole: dict[str, Entry] = {}
    alone: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        if atom.kind != "task":
            continue
        if not (atom.entries or atom.long_key or atom.proposed):
            alone[atom.normal.key].append(atom)
        own = {_entry_id(entry): entry for entry in (*atom.entries, *atom.long_entries) if entry.kind == "task"}
        for found, entry in own.items() if len(own) == 1 else ():
            whole[found] = entry
            for name in {normal(form, "task") for form in atom.forms}:
                if " " in name.text and _ends_like(entry, name.text):
                    meant[name.key][found] += 1
    for key_, counts in meant.items():
        [(found, most), *others] = counts.most_common(2)
        if most >= max(SPELT, len(alone[key_])) and not others:
            full = normal(whole[found].name, "task")
            for atom in alone[key_]:
                atom.normal = Normal(full.key, full.text, (*atom.normal.rules, "shortened"))
                atom.short, atom.entries = full.key, (whole[found],)


def _ends_like(entry: Entry, text: str) -> bool:
    """Whether a name of a thing is a phrase with more words before it."""
    return any(
        normal(name, "task").text.casefold().endswith(f" {text.casefold()}") for name in (entry.name, *entry.aliases)
    )


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


def part_pairs(atoms: Iterable[Atom]) -> None:
    """See that a name is a corpus, though the lexicon knows another thing by it: the CNN of CNN/Daily Mail.

    Some papers have to write it before a slash and another corpus; others may then write it alone.
    """
    papers: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        if atom.kind == "dataset" and not atom.proposed:
            papers[atom.document.id].append(atom)
    pairs: Counter[str] = Counter()
    halves: list[Atom] = []
    for found in papers.values():
        starts = {m.start for atom in found if not _is_otherwise_known(atom) for m in atom.entity.mentions}
        for atom in found:
            if _is_otherwise_known(atom) and not atom.long_key:
                halves.append(atom)
                ends = (_SLASH.match(atom.document.text, mention.end) for mention in atom.entity.mentions)
                pairs[atom.normal.key] += any(gap and gap.end() in starts for gap in ends)
    for atom in halves:
        atom.apart = "half-of-pair" if pairs[atom.normal.key] >= SPELT else ""


_SLASH = re.compile(r"\s?/\s?")


def _is_otherwise_known(atom: Atom) -> bool:
    """Whether the lexicon knows the name, and not as a thing of the atom's kind."""
    return bool(atom.entries) and all(entry.kind != atom.kind for entry in atom.entries)


def part_lists(atoms: Sequence[Atom]) -> None:
    """See that a short form is a data set, since it stands between data sets, whatever else it may abbreviate.

    *GAP, DPR and WNLI* are data to test on; the DPR of other papers retrieves passages.
    """
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    meant: dict[str, set[str]] = defaultdict(set)
    papers: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        kinds[atom.normal.key][atom.kind] += 1
        papers[atom.document.id].append(atom)
        if atom.long_key:
            meant[atom.short] |= {atom.kind, *(entry.kind for entry in atom.long_entries)}
        meant[atom.normal.key] |= {entry.kind for entry in atom.entries}
    for found in papers.values():
        sure = [atom for atom in found if atom.kind == "dataset" and _is_surely_data(atom, kinds)]
        starts = {mention.start for atom in sure for mention in atom.entity.mentions}
        ends = {mention.end for atom in sure for mention in atom.entity.mentions}
        for atom in found:
            name = atom.entity.name
            if atom in sure or atom.kind != "dataset" or atom.proposed or atom.long_key or not name.isupper():
                continue
            counts = kinds[atom.normal.key]
            if (
                not meant[atom.normal.key]
                or "dataset" in meant[atom.normal.key]
                or 2 * counts["dataset"] > counts.total()
            ):
                continue
            sides = [_sides(atom.document.text, m.start, m.end, starts, ends) for m in atom.entity.mentions]
            if max(sides, default=0) > bool(atom.entries):
                atom.apart = "listed"


def _is_surely_data(atom: Atom, kinds: Mapping[str, Counter[str]]) -> bool:
    """Whether the lexicon knows a name as a data set and nothing else, or nearly all papers that use it do."""
    if atom.entries:
        return all(entry.kind == "dataset" and not entry.context for entry in atom.entries)
    return _is_mostly_data(kinds[atom.normal.key])


def _is_mostly_data(kinds: Counter[str]) -> bool:
    return kinds["dataset"] >= USUAL * (kinds.total() - kinds["dataset"])


def _sides(text: str, start: int, end: int, starts: set[int], ends: set[int]) -> int:
    """On how many of its sides a name in a list stands beside what is surely a data set."""
    after, before = _NEXT.match(text, end), _NEXT_BEFORE.search(text[max(0, start - 8) : start])
    return (after is not None and after.end() in starts) + (before is not None and start - len(before[0]) in ends)


_NEXT = re.compile(r",? and |, |/")
_NEXT_BEFORE = re.compile(r"(?:,? and |, |/)$")
_UNITS = frozenset(("kb", "mb", "gb", "tb"))
#: What stands before the precision of numbers, which is no share of right answers.
_DIGITS = re.compile(
    r"\b(?:floating[- ]point|half|single|double|full|mixed|numerical|arithmetic|\d+[- ]?bit)[- ]$", re.I
)


def part_marks(atoms: Iterable[Atom]) -> None:
    """See that a name is a unit behind a number (1.7 KB), or a token in square brackets ([CLS]), wherever it stands.

    Floating-point precision is told so where it is first named.
    """
    for atom in atoms:
        text, places = atom.document.text, [(m.start, m.end) for m in atom.entity.mentions]
        if atom.long_key or atom.apart or not places:
            continue
        if atom.normal.key in _UNITS and all(re.search(r"\d\s?$", text[max(0, a - 3) : a]) for a, _ in places):
            atom.apart = "unit"
        elif atom.normal.key == "precision" and _DIGITS.search(text[: places[0][0]][-20:]):
            atom.apart = "digits"
        elif all("[" in text[max(0, a - 1) : a + 1] and text[b : b + 1] == "]" for a, b in places):
            atom.apart = "token"


def _usual_longs(atoms: Iterable[Atom]) -> dict[str, str]:
    """The key of each abbreviation that nearly all papers spell out in one way → that long form."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    texts: dict[str, Counter[str]] = defaultdict(Counter)
    for atom in atoms:
        if atom.long_key:
            counts[atom.short][atom.long_key] += 1
            texts[atom.long_key][clean(atom.long)] += 1
    found = {}
    for short, longs in counts.items():
        (long, most), *others = sorted(longs.items(), key=lambda item: (-item[1], item[0]))
        if most >= max(SPELT, USUAL * (others[0][1] if others else 0)):
            found[short] = min(texts[long], key=lambda text: (-texts[long][text], text))
    return found
