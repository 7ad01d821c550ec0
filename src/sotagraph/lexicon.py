"""Well-known names, as facts: what kind of thing a name is, how else it is written, which way a metric is better.

The table is ``data/lexicon.tsv``, a curated list of this project. A name that stands in no list is what extraction is
for; the lexicon types the known ones, joins their spellings and holds back class words such as "LLM".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from sotagraph.errors import ConfigError
from sotagraph.names import key
from sotagraph.schema import ENTITY_KINDS

__all__ = ["COLUMNS", "Lexicon", "LexiconEntry", "load", "parse"]

#: The columns of the table, in order.
COLUMNS = ("name", "kind", "aliases", "generic", "context", "direction", "links")

_DIRECTIONS = {"": None, "higher": True, "lower": False}
#: Short link schemes of the table: the SKOS property and the start of the IRI that they stand for.
_LINKS = {
    "wikidata": ("exactMatch", "http://www.wikidata.org/entity/"),
    "pwc": ("closeMatch", "https://paperswithcode.com/dataset/"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconEntry:
    """One well-known thing."""

    name: str
    kind: str
    #: Other ways to write the name that `sotagraph.names.key` does not join by itself.
    aliases: tuple[str, ...] = ()
    #: A class of things ("Transformer", "fine-tuning"), not a named thing.
    generic: bool = False
    #: A name that is also an ordinary word or a common abbreviation ("Adult", "SET"): to be believed only as spelt
    #: here and where the sentence speaks of a thing of its kind.
    context: bool = False
    higher_is_better: bool | None = None
    #: (property, IRI) pairs.
    links: tuple[tuple[str, str], ...] = ()

    @property
    def forms(self) -> tuple[str, ...]:
        """The name and its aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All entries, and the way from a surface form to them.

    >>> [entry.name for entry in load().lookup("low-rank adaptation")]
    ['LoRA']
    >>> load().higher_is_better("top-1 accuracy"), load().higher_is_better("FID"), load().higher_is_better("zebra")
    (True, False, None)
    """

    entries: tuple[LexiconEntry, ...]
    _by_key: dict[str, tuple[LexiconEntry, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index: dict[str, list[LexiconEntry]] = defaultdict(list)
        for entry in self.entries:
            for one in dict.fromkeys(map(key, entry.forms)):
                index[one].append(entry)
        object.__setattr__(self, "_by_key", {one: tuple(found) for one, found in index.items()})

    def lookup(self, name: str) -> tuple[LexiconEntry, ...]:
        """The entries whose name or alias has the key of `name`: at most one a kind, in the order of the kinds.

        >>> [(entry.name, entry.kind) for entry in load().lookup("gqa")]
        [('GQA', 'method'), ('GQA', 'dataset')]
        """
        return self._by_key.get(key(name), ())

    def higher_is_better(self, name: str) -> bool | None:
        """Whether more of the metric is better; None for what is no known metric, or has no better side.

        A cut-off (``recall@7``) and words before a known metric ("final answer accuracy") do not change the side.
        """
        for candidate in _metric_forms(name):
            for entry in self.lookup(candidate):
                if entry.kind == "metric":
                    return entry.higher_is_better
        return None


def _metric_forms(name: str) -> Iterator[str]:
    words = name.split()
    for start in range(len(words)):
        rest = " ".join(words[start:])
        yield rest
        yield re.sub(r"@\d+\b", "@k", rest)


def parse(lines: Iterable[str], *, source: str = "lexicon") -> tuple[LexiconEntry, ...]:
    r"""The entries of a table with the head line of `COLUMNS`.

    Raises:
        ConfigError: a line has other columns, an unknown kind, direction, flag or link scheme (the message says where).

    >>> head = "\t".join(COLUMNS)
    >>> parse([head, "BLEU\tmetric\tBLEU score\t\t\thigher\t"])[0].higher_is_better
    True
    """
    rows = [line.rstrip("\n").split("\t") for line in lines]
    if not rows or tuple(rows[0]) != COLUMNS:
        raise ConfigError(f"{source}:1: the head line must be {' '.join(COLUMNS)}, tab-separated")
    return tuple(_entry(row, f"{source}:{number}") for number, row in enumerate(rows[1:], 2))


def _entry(row: list[str], place: str) -> LexiconEntry:
    if len(row) != len(COLUMNS):
        raise ConfigError(f"{place}: {len(row)} columns, want {len(COLUMNS)}")
    name, kind, aliases, generic, context, direction, links = row
    if not key(name):
        raise ConfigError(f"{place}: the name {name!r} has no letter or digit")
    if kind not in ENTITY_KINDS:
        raise ConfigError(f"{place}: kind {kind!r}, want one of {', '.join(ENTITY_KINDS)}")
    if {generic, context} - {"", "1"}:
        raise ConfigError(f"{place}: generic and context must be 1 or empty")
    if direction not in _DIRECTIONS:
        raise ConfigError(f"{place}: direction {direction!r}, want higher, lower or nothing")
    return LexiconEntry(
        name=name,
        kind=kind,
        aliases=tuple(filter(None, aliases.split("|"))),
        generic=generic == "1",
        context=context == "1",
        higher_is_better=_DIRECTIONS[direction],
        links=tuple(_link(link, place) for link in filter(None, links.split("|"))),
    )


def _link(text: str, place: str) -> tuple[str, str]:
    scheme, _, value = text.partition("=")
    if scheme not in _LINKS or not value:
        raise ConfigError(f"{place}: link {text!r}, want one of {', '.join(f'{s}=…' for s in _LINKS)}")
    predicate, start = _LINKS[scheme]
    return predicate, start + value


@cache
def load() -> Lexicon:
    """The lexicon of this package, read once."""
    table = files("sotagraph") / "data" / "lexicon.tsv"
    return Lexicon(parse(table.read_text(encoding="utf-8").splitlines(), source="lexicon.tsv"))
