"""Which method, dataset, metric and baseline a number belongs to: features of each candidate, weighed by linear models.

A slot's candidates are the document's entities of its kind, "nothing", and for the method the paper itself. Each is
described by where it stands to the number (side, distance, what lies between, the preposition before it, its place in a
parallel list) and by its role; the best sum wins.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sotagraph.extract.linear import Weights, scores, softmax
from sotagraph.extract.result_constructions import chains, run_of
from sotagraph.extract.result_context import Line, Page, stem, stems
from sotagraph.extract.result_lists import RESPECTIVELY, counterpart
from sotagraph.extract.result_owners import governor, groups, owners

__all__ = ["NOTHING", "SLOTS", "THE_PAPER", "Number", "candidates", "choose", "slot_features"]

SLOTS = ("method", "dataset", "metric", "baseline")
#: How much a trained head counts beside the features, where it helps; measured on papers that neither it nor the
#: weights had read, it takes away from the other slots.
SLOT_HINT_WEIGHTS = {"method": 0.5, "dataset": 0.15}
#: A baseline is named unless "nothing" is at least this likely: annotators leave it out where readers would not.
BASELINE_THRESHOLD = 0.93
#: How sure a filler is that has the number's rank in a list: so many are right of the 212 in the annotated abstracts.
LISTED = 0.97
_KIND = {"method": "method", "dataset": "dataset", "metric": "metric", "baseline": "method"}
#: Stands for an empty slot, and for the paper itself, among indices into `Page.entities`.
NOTHING = -1
THE_PAPER = -2

_SUBJECT_WORDS = ("our", "we", "model", "llm", "llms", *sorted(stems("average across benchmark approach")), "method")
#: What parts a name from a number.
_CUTS = stems("; , while and compared with when than over outperform surpass vs against :")
_ON = stems("on across")
#: What a sentence opens with to say on what it builds.
_OPENING = stems("with using")
_CLAUSE_ENDS = stems(", ; : and") | {stem("while")}
_WHERE = stems("benchmarks benchmark datasets dataset tasks websites settings domains scenarios questions problems")
_TRAINED = stems(
    "trained training fine-tuning fine-tuned finetuning finetuned tuned pretraining pretrained pre-trained"
)


@dataclass(frozen=True, slots=True)
class Number:
    """The number whose slots are filled: the `index`-th of a line, with its kind."""

    line: Line
    index: int
    kind: str
    #: The likely kinds of all numbers of the line, `kind` among them; empty where they are not known.
    likely: tuple[str, ...] = ()

    @property
    def position(self) -> int:
        """Its place among the items of the line."""
        return self.line.numbers[self.index]


def candidates(page: Page, slot: str) -> list[int]:
    """All that may fill a slot: entity indices, `NOTHING`, and for methods `THE_PAPER`."""
    named = [i for i, e in enumerate(page.entities) if e.kind == _KIND[slot]]
    return [*named, NOTHING, THE_PAPER] if slot == "method" else [*named, NOTHING]


def choose(
    page: Page,
    number: Number,
    slot: str,
    weights: Weights,
    hint: Mapping[str, float] | None = None,
    *,
    taken: int | None = None,
) -> tuple[int, float]:
    """The best candidate of a slot, and its probability.

    `hint` is a trained head's opinion, "" is nothing; `taken` is an entity that fills another slot already.
    """
    options = [c for c in candidates(page, slot) if c == NOTHING or c != taken]
    if slot == "baseline" and number.line.text(0) in _OPENING:
        options = [c for c in options if c == NOTHING or not _opens(page, number.line, c)]
    own = [scores(weights, slot_features(page, number, slot, c), 1)[0] for c in options]
    if hint and (trust := SLOT_HINT_WEIGHTS.get(slot)):
        shares = [hint.get(page.entities[c].name if c >= 0 else "", 0.0) for c in options]
        own = [value + trust * math.log(max(share, 1e-6)) for value, share in zip(own, shares, strict=True)]
    told = softmax(own)
    if slot in ("dataset", "metric") and (listed := counterpart(page, number.line, number.index, slot)) is not None:
        pick = options.index(listed if listed in options else NOTHING)
        told[pick] = max(told[pick], LISTED)
        return options[pick], told[pick]
    if slot == "baseline" and told[options.index(NOTHING)] < BASELINE_THRESHOLD and len(options) > 1:
        told[options.index(NOTHING)] = 0.0
    best = max(range(len(options)), key=lambda i: (told[i], -i))
    return options[best], told[best]


def _opens(page: Page, line: Line, candidate: int) -> bool:
    """Whether a line names a method only in its opening phrase, which tells what is built on: "With X, …"."""
    here = [p for index, p in page.places[candidate] if index == line.index]
    return bool(here) and all(line.text(p) != "," for p in range(max(here)))


def slot_features(page: Page, number: Number, slot: str, candidate: int) -> list[str]:
    """The features of one candidate of a slot; each also stands with the kind of result where that tells more."""
    if candidate in (NOTHING, THE_PAPER):
        return _empty(page, number, slot, candidate)
    entity = page.entities[candidate]
    out = ["named", f"role={entity.role}", f"role={entity.role}&{number.kind}"]
    places = page.places[candidate]
    out.append(f"count={min(4, len(places))}")
    if slot == "method" and page.main is None and any(line == number.line.index for line, _ in places):
        out += ["no-main&here", f"no-main&here&role={entity.role}"]
    if candidate == page.main:
        out += ["main", f"main&{number.kind}"]
    if page.counts[entity.kind] == 1:
        out.append("alone")
    if entity.role == "introduced" and page.main is None:
        out.append("introduced&no-method")
    if not any(c.isupper() or c.isdigit() for c in entity.name):
        out.append("lower")
    here = [p for line, p in places if line == number.line.index]
    side = _sides(number, _listed(number, here, entity.kind), entity.role)
    out += _tie(number, here, entity.kind)
    if slot == "baseline":
        out += _rivalry(number, here, entity.role)
    if slot == "dataset":
        placed = _placed(number)
        out += 2 * [f"placed={placed}"] + [f"placed={placed}&{'here' if here else 'far'}"]
    return out + (side or _elsewhere(number, places, entity.role))


def _rivalry(number: Number, here: list[int], role: str | None) -> list[str]:
    """Whether the sentence sets the candidate against something, or prints its own score."""
    line = number.line
    out = []
    if any(number.likely[i] == "baseline" for p in here for i in owners(line, p) if i < len(number.likely)):
        out += 3 * ["scored-rival"]
    found = {governor(line, p)[1] for p in here}
    for name in sorted(found & {"versus", "gain", "reduction", "speedup"}):
        out += [f"governed={name}", f"governed={name}&role={role}", f"governed={name}&{number.kind}"]
    return out


def _placed(number: Number) -> str:
    """Where the words after the number say that it holds: at a named dataset, at things without a name, or nowhere."""
    line = number.line
    run = run_of(line, number.index)
    start = line.numbers[run[-1]] + 1
    for position in range(start, min(start + 9, len(line.items))):
        item = line.items[position]
        if item.kind == "number" or item.text in _CLAUSE_ENDS:
            return "nowhere"
        if item.text in _ON:
            words = [line.items[p] for p in range(position + 1, min(position + 7, len(line.items)))]
            for word in words:
                if word.text == "DATASET":
                    return "named"
                if word.text in _WHERE:
                    return "unnamed"
                if word.kind == "mark":
                    break
            return "other"
    return "nowhere"


def _tie(number: Number, here: list[int], kind: str) -> list[str]:
    """Whether the candidate, or another of its kind, is tied to this number or to another one."""
    line = number.line
    tied = [owners(line, p) for p in here]
    rival = any(number.index in owners(line, p) for p in line.names(kind) if p not in here)
    if any(number.index in t for t in tied):
        return 2 * ["tied"] + [f"tied&{number.kind}"]
    state = "elsewhere" if tied and all(tied) else "free"
    return 2 * [f"tied={state}"] + [f"tied={state}&rival={rival}", f"rival={rival}"]


def _elsewhere(number: Number, places: Sequence[tuple[int, int]], role: str | None) -> list[str]:
    gaps = [number.line.index - line for line, _ in places]
    back = [g for g in gaps if g > 0]
    near = f"back{min(4, min(back))}" if back else "ahead" if gaps else "unplaced"
    return [f"far={near}", f"far&role={role}", f"far={near}&{number.kind}", f"far={near}&role={role}"]


def _sides(number: Number, here: list[int], role: str | None) -> list[str]:
    left = max((p for p in here if p < number.position), default=None)
    right = min((p for p in here if p > number.position), default=None)
    out: list[str] = []
    if left is not None:
        out += _side(number, left, "L")
        out.append(f"L&role={role}")
    if right is not None:
        out += _side(number, right, "R")
        out.append(f"R&role={role}")
    if out:
        out += [f"in={(left is not None) * 'L'}{(right is not None) * 'R'}", f"here&{number.kind}"]
    return out


def _side(number: Number, place: int, tag: str) -> list[str]:
    line, position = number.line, number.position
    low, high = min(place, position), max(place, position)
    between = line.items[low + 1 : high]
    kind = line.text(place)
    same = sum(item.text == kind for item in between)
    numbers = sum(item.kind == "number" for item in between)
    distance = len(between)
    near = next(i for i, limit in enumerate((0, 1, 2, 4, 7, 12, 20, 999)) if distance <= limit)
    before, governed, at = governor(line, place)
    if governed == "in" and any(line.text(p) in _TRAINED for p in range(max(0, at - 3), at)):
        governed = "trained"
    out = [
        f"{tag}:near={near}", f"{tag}:same={min(3, same)}", f"{tag}:numbers={min(2, numbers)}", f"{tag}:pre={before}",
        f"{tag}:pre={before}&{number.kind}", f"{tag}:next={line.text(place + 1)}",
        f"{tag}:numbers={min(2, numbers)}&same={min(2, same)}",
        f"{tag}:{number.kind}&same={min(2, same)}", f"{tag}:near={near}&{number.kind}", f"{tag}:gov={governed}",
        f"{tag}:gov={governed}&{number.kind}", f"{tag}:gov={governed}&same={min(2, same)}&numbers={min(2, numbers)}",
    ]  # fmt: skip
    out += [f"{tag}:cut={mark}" for mark in sorted(_CUTS & {item.text for item in between})]
    out += [f"{tag}:vs"] if any(item.cue == "versus" for item in between) else []
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


def _listed(number: Number, here: list[int], kind: str) -> list[int]:
    """Of several places of a name those in a list that goes with the number's own list, if there are any.

    "On four vision (A and B) and text (C and D) tasks it reaches 1, 2, 3 and 4 on A, B, C and D": the last four count.
    """
    line = number.line
    if len(here) < 2:
        return here
    run = run_of(line, number.index)
    if len(run) < 2:
        return here
    rank = run.index(number.index)
    lists = [g for g in groups(line, kind) if _rank(line, rank, len(run), g) is not None]
    lists = [g for g in lists if len(g) == len(run)] or lists
    return [p for p in here if any(p in g for g in lists)] or here


def _alignment(number: Number, place: int, kind: str, tag: str) -> list[str]:
    """Whether a name and the number have the same rank in two lists that go together."""
    line = number.line
    group = next((g for g in groups(line, kind) if place in g), [])
    if len(group) < 2:
        return [f"{tag}:solo"]
    run = run_of(line, number.index)
    rank = _rank(line, run.index(number.index), len(run), group)
    if rank is None:
        return [f"{tag}:list", f"{tag}:list&run={min(3, len(run))}"]
    word = "aligned" if rank == group.index(place) else "misaligned"
    said = "resp" if RESPECTIVELY & line.words else "plain"
    return 3 * [word] + 2 * [f"{word}&{said}"]


def _rank(line: Line, index: int, length: int, group: list[int]) -> int | None:
    """Which name of a list the `index`-th of `length` numbers goes with: one each, or "1/2/3 and 4/5/6 on A and B"."""
    if length == len(group):
        return index
    if length > len(group) and length % len(group) == 0:
        slashed = line.text(group[0] + 1) == "/"
        return index % len(group) if slashed else index // (length // len(group))
    return None


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


def _pattern(number: Number, kind: str, tag: str, same: int, numbers: int) -> list[str]:
    """How names and numbers take turns in the line: names first (A 1, B 2) or numbers first (1 on A, 2 on B)."""
    short = number.line.turns(kind)
    return [f"{tag}:turn={short}", f"{tag}:turn={short}&same={min(2, same)}&numbers={min(2, numbers)}"]


def _empty(page: Page, number: Number, slot: str, candidate: int) -> list[str]:
    tag = "nothing" if candidate == NOTHING else "paper"
    line, position = number.line, number.position
    unit = line.quantities[number.index].unit
    kind = _KIND[slot]
    here = len(line.names(kind))
    out = [
        tag,
        f"{tag}&{number.kind}",
        f"{tag}&unit={unit}",
        f"{tag}&{number.kind}&unit={unit}",
        f"{tag}&here={min(3, here)}",
    ]
    out.append(f"{tag}&doc={min(3, page.counts[kind])}")
    out += [f"{tag}&main={page.main is not None}", f"{tag}&main={page.main is not None}&here={min(1, here)}"]
    tied = any(number.index in owners(line, p) for p in line.names(kind))
    out += 2 * [f"{tag}&tied={tied}"]
    if slot == "dataset":
        out += 2 * [f"{tag}&placed={_placed(number)}"]
    out += [f"{tag}&L{d}={line.text(position - d)}" for d in (1, 2)]
    out += [f"{tag}&R{d}={line.text(position + d)}" for d in (1, 2, 3)]
    out += [f"{tag}&RB={line.text(position + d)}" for d in range(4, 9)]
    out += [f"{tag}&W={w}" for w in _SUBJECT_WORDS if w in line.words]
    return out
