"""Under which condition a number holds, and the value it is set against: literal pieces of its sentence.

A condition is what a reader needs to compare two numbers: ``pass@32``, the base model, the mode ("in self-correction
mode"), the setting ("under 4-bit quantization"), "relative", "average", and what it is compared with where that has no
name. What already fills a slot is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sotagraph.extract.result_constructions import is_pair, run_of
from sotagraph.extract.result_context import Line, Page, stem, stems
from sotagraph.extract.result_slots import Number

__all__ = ["baseline_value_of", "condition_of", "task_of"]

_LONGEST = 12
_OPENERS = stems("in with using under at when after for on without across via given within per during against")
_COMPARES = stems("over than versus vs against")
_ENDS = stems(", ; : . ( ) [ ] — → ?") | stems(
    "and while whereas but which that is are was were outperforms surpasses achieves improves demonstrating thus"
)
_EMPTY = stems(
    "in with using under at when after for on the a an of its our benchmark benchmarks dataset datasets "
    "task tasks and "

    "terms score metric across set test over than versus vs against each all both particular addition "
    "fact general")  # fmt: skip
_FLAGS = stems("relative relatively absolute average averaged averaging zero-shot few-shot single-turn overall")
_BEATS = stems("outperforms surpasses exceeds beats")
_SIZE = re.compile(r"[\s-]*\(?(\d{2,5}\s?[×x]\s?\d{2,5})")
_ASSIGNED = re.compile(r"\b[A-Za-z]\s?[=≤≥]\s?\d+(?:\.\d+)?\b")
_AT_K = re.compile(r"@\d")


def condition_of(page: Page, number: Number, fillers: Iterable[int], likely: list[str]) -> str | None:
    """Slices of the document joined by "; ", in reading order, or None where the sentence says nothing more.

    `fillers` are the entities in the number's slots; `likely` the kinds of all numbers of the line.
    """
    taken = {f for f in fillers if f >= 0}
    at_k = _metric_at_k(page, number, taken)
    spans = [
        *at_k,
        *_flags(number),
        *_phrases(page, number, taken, likely),
        *_lead(page, number, taken),
        *_rivals(number),
        *_settings(page, number, taken),
    ]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda s: (s[0], -s[1])):
        if not merged or start >= merged[-1][1]:
            merged.append((start, end))
    merged.sort(key=lambda s: (s not in at_k, s))
    pieces = []
    for start, end in merged:
        low, high = page.plain.span(start, end)
        pieces.append(page.document.text[low:high])
    return "; ".join(dict.fromkeys(pieces)) or None


def _metric_at_k(page: Page, number: Number, taken: set[int]) -> list[tuple[int, int]]:
    """The metric's own ``@k``, which guidelines repeat in the condition."""
    for item in number.line.items:
        for entity in item.entities:
            if entity in taken and item.text == "METRIC" and _AT_K.search(page.entities[entity].name):
                return [(item.start, item.end)]
    return []


def _flags(number: Number) -> list[tuple[int, int]]:
    line, position = number.line, number.position
    near = range(max(0, position - 4), min(len(line.items), position + 4))
    return [
        (line.items[p].start, line.items[p].end)
        for p in near
        if line.items[p].text in _FLAGS and not _crossed(line, position, p)
    ]


def _crossed(line: Line, one: int, other: int) -> bool:
    low, high = min(one, other), max(one, other)
    return any(item.kind == "number" or item.text in ",;" for item in line.items[low + 1 : high])


def _phrases(page: Page, number: Number, taken: set[int], likely: list[str]) -> list[tuple[int, int]]:
    """Prepositional phrases between the number (or the end of its list) and the next clause or result."""
    line = number.line
    run = run_of(line, number.index)
    position = line.numbers[run[-1]] + 1
    stop = len(line.items)
    for later in range(run[-1] + 1, len(line.numbers)):
        if likely[later] not in ("none", "baseline"):
            stop = line.numbers[later]
            break
    out = []
    while position < stop:
        item = line.items[position]
        if item.text in ("while", stem("while"), ";", "and") and line.depth[position] == 0:
            break
        if item.text in _OPENERS or item.text in _COMPARES or _two_words(line, position):
            end = _phrase_end(line, position, stop)
            cut = end == stop and stop < len(line.items)
            if not cut and (span := _told(page, line, position, end, taken)):
                out.append(span)
            position = end - 1
        position += 1
    return out


def _rivals(number: Number) -> list[tuple[int, int]]:
    """Whom a gain is over, where that has no name: "outperforms existing methods by 5 %"."""
    line = number.line
    by = next((p for p in range(number.position - 1, max(-1, number.position - 6), -1) if line.text(p) == "by"), -1)
    for position in range(by - 1, max(-1, by - _LONGEST), -1):
        item = line.items[position]
        if item.kind != "word" and item.text != "-":
            return []
        if item.text in _BEATS:
            return [(item.start, line.items[by - 1].end)] if by - position > 1 else []
    return []


def _settings(page: Page, number: Number, taken: set[int]) -> list[tuple[int, int]]:
    """A size after the dataset ("ImageNet 256×256") and "k = 4" in the number's clause."""
    line, text = number.line, page.plain.text
    out = []
    for item in line.items:
        if item.text == "DATASET" and set(item.entities) & taken and (size := _SIZE.match(text, item.end, line.end)):
            out.append(size.span(1))
    last = line.items[number.position].end
    clause = re.search(r"[,;.]\s|$", text[last : line.end])
    if clause and (setting := _ASSIGNED.search(text, last, last + clause.start())):
        out.append(setting.span())
    return out


def _two_words(line: Line, position: int) -> bool:
    return line.text(position) in ("compar", "relativ") and line.text(position + 1) in ("to", "with")


def _phrase_end(line: Line, start: int, stop: int) -> int:
    position = start + 1
    while position < min(stop, start + _LONGEST):
        item = line.items[position]
        begins = item.text in _COMPARES or item.text in _OPENERS - {"at", "in", "per"} or _two_words(line, position)
        if item.text in _ENDS or (item.participle and item.cue) or (begins and position > start + 1):
            break
        position += 1
    return position


def _told(page: Page, line: Line, start: int, end: int, taken: set[int]) -> tuple[int, int] | None:
    """The span of a phrase, unless all it says is already in a slot; a compared number is no condition."""
    items = list(line.items[start:end])
    if any(i.kind == "number" for i in items) and (items[0].text in _COMPARES or _two_words(line, start)):
        return None
    # "on MiniF2F at pass@32" says no more than "at pass@32" where the dataset is known.
    while len(items) > 2 and items[1].kind == "name" and set(items[1].entities) & taken and items[2].text in _OPENERS:
        items = items[2:]
    fresh = [
        i
        for i in items
        if (i.kind == "name" and not set(i.entities) & taken) or (i.kind == "word" and i.text not in _EMPTY)
    ]
    names = [i for i in items if i.kind == "name" and set(i.entities) & taken]
    if not fresh or (names and not any(i.kind == "name" for i in fresh) and len(fresh) <= 1):
        return None
    filled = {page.entities[f].kind for f in taken}
    if "dataset" in filled and all(i.text == "DATASET" for i in fresh):
        return None
    # Say "Qwen2.5-7B" rather than "with Qwen2.5-7B".
    if len(items) > 1 and items[0].text in ("with", stem("using"), "on", "for") and items[1].kind == "name":
        items = items[1:]
    return items[0].start, items[-1].end


def _lead(page: Page, number: Number, taken: set[int]) -> list[tuple[int, int]]:
    """An opening phrase that holds for the whole sentence: "With Qwen3-4B-Base, it …", "In zero-shot settings, …"."""
    line = number.line
    if not line.items or line.items[0].text not in _OPENERS:
        return []
    end = next((p for p in range(1, min(len(line.items), _LONGEST + 4)) if line.text(p) == ","), 0)
    if not end or end >= number.position:
        return []
    span = _told(page, line, 0, end, taken)
    return [span] if span else []


def baseline_value_of(number: Number, likely: list[str]) -> int | None:
    """Index of the number that this one is set against: "from 41 to 45", "x % vs y %", "compared to B (y %)"."""
    line, index = number.line, number.index
    if number.kind != "absolute":
        return None
    if is_pair(line, index - 1):
        return index - 1
    if index >= 2 and is_pair(line, index - 2) and index - 1 in run_of(line, index):
        return index - 2
    for later in range(index + 1, len(line.numbers)):
        if is_pair(line, later):
            return None
        if likely[later] == "baseline":
            return later
        if likely[later] == "absolute" and line.numbers[later] - number.position > 3:
            return None
    return None


def task_of(page: Page, number: Number) -> str | None:
    """The task named nearest to the number in its sentence, if it stands in the number's clause."""
    line, position = number.line, number.position
    places = [p for p, item in enumerate(line.items) if item.text == "TASK" and not _crossed(line, position, p)]
    if not places:
        return None
    nearest = min(places, key=lambda p: (abs(p - position), p))
    return page.entities[line.items[nearest].entities[0]].name
