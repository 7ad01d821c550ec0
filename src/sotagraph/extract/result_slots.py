"""Which method, dataset, metric and baseline a number belongs to: features of each candidate, weighed by linear models.

A slot's candidates are the document's entities of its kind, "nothing", and for the method the paper itself. Each is
described by where it stands to the number (side, distance, what lies between, the preposition before it, its place in a
parallel list) and by its role; the best sum wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sotagraph.extract.linear import Weights, scores, softmax
from sotagraph.extract.result_context import Line, Page, cue, stem
from sotagraph.extract.result_constructions import chains

__all__ = ["NOTHING", "RESPECTIVELY", "SLOTS", "THE_PAPER", "Number", "candidates", "choose", "groups", "slot_features"]

SLOTS = ("method", "dataset", "metric", "baseline")
_KIND = {"method": "method", "dataset": "dataset", "metric": "metric", "baseline": "method"}
#: Stands for an empty slot, and for the paper itself, among indices into `Page.entities`.
NOTHING = -1
THE_PAPER = -2
RESPECTIVELY = frozenset((stem("respectively"), stem("respective")))
_SEPARATORS = frozenset(", and or / & - +".split())
_COMPARING = frozenset(stem(w) for w in "than over against vs versus outperforms surpasses exceeds beats".split())
_COMPARED = frozenset(stem(w) for w in "compared comparison relative respect contrast comparable".split())
_SKIP = frozenset(
    "the a an our its their propos standard strong state-of-the-art sota existing previou prior best vanilla origin challeng popular "
    "average model baselin method".split()
)


@dataclass(frozen=True, slots=True)
class Number:
    """The number whose slots are filled: the `index`-th of a line, with its kind."""

    line: Line
    index: int
    kind: str

    @property
    def position(self) -> int:
        """Its place among the items of the line."""
        return self.line.numbers[self.index]


def candidates(page: Page, slot: str) -> list[int]:
    """All that may fill a slot: entity indices, `NOTHING`, and for methods `THE_PAPER`."""
    named = [i for i, e in enumerate(page.entities) if e.kind == _KIND[slot]]
    return [*named, NOTHING, THE_PAPER] if slot == "method" else [*named, NOTHING]


def choose(page: Page, number: Number, slot: str, weights: Weights) -> tuple[int, float]:
    """The best candidate of a slot, and the model's probability for it."""
    options = candidates(page, slot)
    told = softmax([scores(weights, slot_features(page, number, slot, c), 1)[0] for c in options])
    best = max(range(len(options)), key=lambda i: (told[i], -i))
    return options[best], told[best]


@lru_cache(maxsize=32)
def groups(line: Line, kind: str) -> list[list[int]]:
    """Positions of the names of one kind, as parallel lists: "A, B and C" is one list of three."""
    out: list[list[int]] = []
    for position, item in enumerate(line.items):
        if item.text != kind.upper():
            continue
        if out and _parallel(line, out[-1][-1], position):
            out[-1].append(position)
        else:
            out.append([position])
    return out


def _parallel(line: Line, first: int, second: int) -> bool:
    between = line.items[first + 1 : second]
    if len(between) > 6 or any(item.kind == "number" for item in between):
        return False
    texts = [item.text for item in between]
    return (not texts or bool(set(texts) & _SEPARATORS)) and all(
        text in _SEPARATORS or text in _SKIP or text in "()" or line.depth[first + 1 + i] for i, text in enumerate(texts)
    )


def slot_features(page: Page, number: Number, slot: str, candidate: int) -> list[str]:
    """The features of one candidate of a slot; each also stands with the kind of result where that tells more."""
    if candidate in (NOTHING, THE_PAPER):
        return _empty(page, number, slot, candidate)
    entity = page.entities[candidate]
    out = ["named", f"role={entity.role}", f"role={entity.role}&{number.kind}"]
    places = page.places[candidate]
    out.append(f"count={min(4, len(places))}")
    if candidate == page.main:
        out += ["main", f"main&{number.kind}"]
    if sum(e.kind == entity.kind for e in page.entities) == 1:
        out.append("alone")
    if entity.role == "introduced" and page.main is None:
        out.append("introduced&no-method")
    if not any(c.isupper() or c.isdigit() for c in entity.name):
        out.append("lower")
    here = [p for line, p in places if line == number.line.index]
    side = _sides(page, number, here, entity.role, slot)
    return out + (side or _elsewhere(number, places, entity.role))


def _elsewhere(number: Number, places: Sequence[tuple[int, int]], role: str | None) -> list[str]:
    gaps = [number.line.index - line for line, _ in places]
    back = [g for g in gaps if g > 0]
    near = f"back{min(4, min(back))}" if back else "ahead" if gaps else "unplaced"
    return [f"far={near}", f"far&role={role}", f"far={near}&{number.kind}", f"far={near}&role={role}"]


def _sides(page: Page, number: Number, here: list[int], role: str | None, slot: str) -> list[str]:
    left = max((p for p in here if p < number.position), default=None)
    right = min((p for p in here if p > number.position), default=None)
    out: list[str] = []
    if left is not None:
        out += _side(page, number, left, "L", slot)
        out.append(f"L&role={role}")
    if right is not None:
        out += _side(page, number, right, "R", slot)
        out.append(f"R&role={role}")
    if out:
        out += [f"in={(left is not None) * 'L'}{(right is not None) * 'R'}", f"here&{number.kind}"]
    return out


def _side(page: Page, number: Number, place: int, tag: str, slot: str) -> list[str]:
    line, position = number.line, number.position
    low, high = min(place, position), max(place, position)
    between = line.items[low + 1 : high]
    kind = line.text(place)
    same = sum(item.text == kind for item in between)
    numbers = sum(item.kind == "number" for item in between)
    distance = len(between)
    near = next(i for i, limit in enumerate((0, 1, 2, 4, 7, 12, 20, 999)) if distance <= limit)
    before, governed = _before(line, place)
    out = [
        f"{tag}:near={near}", f"{tag}:same={min(3, same)}", f"{tag}:numbers={min(2, numbers)}", f"{tag}:pre={before}",
        f"{tag}:pre={before}&{number.kind}", f"{tag}:next={line.text(place + 1)}", f"{tag}:numbers={min(2, numbers)}&same={min(2, same)}",
        f"{tag}:{number.kind}&same={min(2, same)}", f"{tag}:near={near}&{number.kind}", f"{tag}:gov={governed}",
        f"{tag}:gov={governed}&{number.kind}", f"{tag}:gov={governed}&same={min(2, same)}&numbers={min(2, numbers)}",
    ]  # fmt: skip
    out += [f"{tag}:cut={mark}" for mark in (";", ",", stem("while"), "and", "compar", "with", "when", "than", "over", "outperform", "surpass", "vs", "against", ":") if any(item.text == mark for item in between)]
    out += [f"{tag}:vs"] if any(cue(item.text) == "versus" for item in between) else []
    if _claimed(line, place, position):
        out += ["claimed", f"claimed&numbers={min(2, numbers)}"]
    out += _ends(number, place, governed)
    if distance <= 2:
        out.append(f"{tag}:gap={'_'.join(item.text for item in between)}")
    if line.depth[position] > line.depth[place]:
        out.append(f"{tag}:outside")
        if distance == 1 and tag == "L":
            out.append("L:opens")
    elif line.depth[position] < line.depth[place]:
        out.append(f"{tag}:deeper")
    elif line.depth[position]:
        out.append(f"{tag}:both-inside")
    return out + _alignment(number, place, kind, tag) + _pattern(number, kind, tag, same, numbers)


@lru_cache(maxsize=256)
def _before(line: Line, place: int) -> tuple[str, str]:
    """The word that governs a name, for a name in a list the one before the list; and its class."""
    group = next((g for g in groups(line, line.text(place).lower()) if place in g), [place])
    position = group[0] - 1
    while position > 0 and (line.text(position) in _SKIP or line.text(position) in "(\"'") and group[0] - position <= 6:
        position -= 1
    word, earlier = line.text(position), line.text(position - 1)
    if word in _COMPARING or (word in ("to", "with") and earlier in _COMPARED):
        return word, "versus"
    return word, cue(word) or ("in" if word in ("on", "in", "for", "across", "under", "at", "within") else "")


def _claimed(line: Line, place: int, position: int) -> bool:
    """Whether a name to the left of the number belongs to an earlier number: "3 % on A" before it."""
    earlier = [p for p in line.numbers if p < place]
    if not earlier or place > position:
        return False
    between = line.items[earlier[-1] + 1 : place]
    return len(between) <= 8 and _before(line, place)[1] == "in" and not any(item.text in (",", ";") for item in between)


def _alignment(number: Number, place: int, kind: str, tag: str) -> list[str]:
    """Whether a name and the number have the same rank in two lists of one length."""
    line = number.line
    heads = chains(line)
    chain = [i for i, head in enumerate(heads) if head == heads[number.index]]
    group = next((g for g in groups(line, kind) if place in g), [])
    if len(group) < 2:
        return [f"{tag}:solo"]
    said = "resp" if RESPECTIVELY & line.words else "plain"
    strict = _strict(line, chain)
    if len(strict) != len(group) or number.index not in strict:
        return [f"{tag}:list", f"{tag}:list&chain={min(3, len(strict))}"]
    same = strict.index(number.index) == group.index(place)
    word = "aligned" if same else "misaligned"
    return 3 * [word] + 2 * [f"{word}&{said}"]


def _ends(number: Number, place: int, governed: str) -> list[str]:
    """Where a name stands to the whole list that the number is a part of."""
    line = number.line
    heads = chains(line)
    chain = [i for i, head in enumerate(heads) if head == heads[number.index]]
    first, last = line.numbers[chain[0]], line.numbers[chain[-1]]
    if len(chain) == 1 or first < place < last:
        return [f"chain-inside={first < place < last}"]
    tag, gap = ("LH", first - place) if place < first else ("RT", place - last)
    near = "near" if gap <= 3 else "mid" if gap <= 8 else "far"
    return [f"{tag}:{near}", f"{tag}:gov={governed}", f"{tag}:{near}&gov={governed}"]


def _strict(line: Line, chain: list[int]) -> list[int]:
    """The numbers of a chain that stand side by side without names between them."""
    runs: list[list[int]] = []
    for i in chain:
        between = line.items[line.numbers[i - 1] + 1 : line.numbers[i]] if i else ()
        if runs and i and all(item.kind != "name" for item in between):
            runs[-1].append(i)
        else:
            runs.append([i])
    return max(runs, key=len) if runs else []


def _pattern(number: Number, kind: str, tag: str, same: int, numbers: int) -> list[str]:
    """How names and numbers take turns in the line: names first (A 1, B 2) or numbers first (1 on A, 2 on B)."""
    line = number.line
    order = "".join("N" if item.kind == "number" else "E" for item in line.items if item.kind == "number" or item.text == kind)
    short = order[:1]
    for letter in order[1:]:
        if letter != short[-1]:
            short += letter
    short = short[:4]
    return [f"{tag}:turn={short}", f"{tag}:turn={short}&same={min(2, same)}&numbers={min(2, numbers)}"]


def _empty(page: Page, number: Number, slot: str, candidate: int) -> list[str]:
    tag = "nothing" if candidate == NOTHING else "paper"
    line, position = number.line, number.position
    unit = line.quantities[number.index].unit
    kind = _KIND[slot]
    here = sum(item.text == kind.upper() for item in line.items)
    out = [tag, f"{tag}&{number.kind}", f"{tag}&unit={unit}", f"{tag}&{number.kind}&unit={unit}", f"{tag}&here={min(3, here)}"]
    out.append(f"{tag}&doc={min(3, sum(e.kind == kind for e in page.entities))}")
    out.append(f"{tag}&main={page.main is not None}")
    out += [f"{tag}&L{d}={line.text(position - d)}" for d in (1, 2)]
    out += [f"{tag}&R{d}={line.text(position + d)}" for d in (1, 2, 3)]
    out += [f"{tag}&RB={line.text(position + d)}" for d in range(4, 9)]
    out += [f"{tag}&W={w}" for w in ("our", "we", "model", "llm", "llms", "average", "across", "benchmark", "method", "approach") if w in line.words]
    return out
