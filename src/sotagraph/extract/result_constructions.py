"""The construction that a number stands in, by rule: what governs it, and what that says about its kind.

Named after the words that make it: ``right:reduction`` ("a 30 % drop in latency"), ``by:gain`` ("improves F1 by 2.1"),
``of:metric`` ("an accuracy of 91.3"), ``to:reduction`` ("lowers WER to 5.1"), ``lead:absolute`` ("achieves 90.4 %"),
``pair2`` (the new value of "from 41 to 45"). A number without a construction of its own takes that of the first number
of its list ("8 and 4 points", "by 2.1 on A and 3.5 on B"), marked with ``+``.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from sotagraph.extract.result_context import Line, cue, stem, stems

__all__ = ["chains", "construction", "is_pair", "run_of", "runs"]


_CHANGES = ("gain", "reduction", "speedup")
_LINKS = stems(
    ", and or / & ( ) + - ; vs as well on in for at to by over the a an from respectively with average of "
    "about around up approximately nearly only just relative "
    "absolute than under benchmark task point another additional dataset set"
)
_STOP_RIGHT = stems(
    ", ; : ( . on in over for at while compar with than from by to when —  under across using after "
    "against without that which "
    "respectively and or vs where as through via"
)
_BOUND_WORDS = stems(
    "up to over about around approximately approximat nearly roughly almost more less than at least most "
    "just only even an a the average "
    "averag averaging additional impressive remarkable further relative absolute ~ ≈ + ( ± < > ≤ ≥ "
    "another significant substantial "
    "fewer above below under within mean maximum as much high low close respectively"
)
_CONNECTORS = {
    "by": "by", "of": "of", "to": "to", "from": "from", "reach": "reach", "is": "of", "was": "of", "are": "of",
    "were": "of",
    "averag": "of", "at": "at", "with": "with", "=": "of", ":": "of", "exceed": "reach", "be": "of",
    stem("being"): "of", "approach": "reach", "total": "reach", "attain": "reach",
}  # fmt: skip
#: Words right before (with "of" or "=" between) or after a number that make it a setting.
_SETTINGS = stems("probability temperature dropout seed")
_SETTINGS_AFTER = stems("sparsity dropout epochs epoch probability confidence gpus gpu layers warmup")
_SETTING_PAIRS = {
    stem(a): stems(b)
    for a, b in (
        ("learning", "rate rates"),
        ("batch", "size sizes"),
        ("weight", "decay"),
        ("confidence", "level levels"),
    )
}
_THRESHOLD, _AT = stems("threshold thresholds"), ["at", "METRIC", "="]
_CLAUSE = stems("; while whereas but when —")
_MEASURES = stems("more less fewer lower higher greater smaller larger better")
_RANGE_WORDS = stems("ranging range ranges between")
_REACH = 16


@lru_cache(maxsize=16)
def chains(line: Line) -> list[int]:
    """For each number of a line the index of the first of its list: "8 and 4", "2.1 on A and 3.5 on B".

    Only names, marks and small words may stand between two numbers of a list.
    """
    heads: list[int] = []
    for i, position in enumerate(line.numbers):
        heads.append(i)
        if i == 0:
            continue
        between = line.items[line.numbers[i - 1] + 1 : position]
        linked = len(between) <= 14 and all(
            it.kind == "name" or it.text in _LINKS or line.depth[line.numbers[i - 1] + 1 + n] > line.depth[position]
            for n, it in enumerate(between)
        )
        before = line.quantities[i - 1]
        now = line.quantities[i]
        open_end = (before.unit is None and not before.measure) or (
            now.unit is None and not now.measure and before.unit == "points"
        )
        if linked and (now.unit == before.unit or open_end):
            heads[i] = heads[i - 1]
    return heads


@lru_cache(maxsize=16)
def runs(line: Line) -> list[list[int]]:
    """Numbers that stand side by side, without names between them: "85.3 and 79.1", "7 %/4 %"."""
    out: list[list[int]] = []
    heads = chains(line)
    for i, position in enumerate(line.numbers):
        between = line.items[line.numbers[i - 1] + 1 : position] if i else ()
        side = len(between) <= 4 and all(
            item.text in [",", "and", "or", "/", "+", "&", "to", "by", "up"] for item in between
        )
        if i and heads[i] == heads[i - 1] and side and not is_pair(line, i - 1):
            out[-1].append(i)
        else:
            out.append([i])
    return out


def run_of(line: Line, index: int) -> list[int]:
    """The numbers that stand side by side with the `index`-th, itself among them; see `runs`."""
    return next(run for run in runs(line) if index in run)


def is_pair(line: Line, index: int) -> bool:
    """Whether a number and the next are the two ends of a change: "from 41 to 45", "41 → 45", "(41.0 45.2)"."""
    if index < 0 or index + 1 >= len(line.numbers):
        return False
    first, second = line.numbers[index], line.numbers[index + 1]
    between = [line.text(p) for p in range(first + 1, second)]
    if "→" in between and len(between) <= 3:
        return True
    alone = line.text(first - 1) == "("
    if alone and ((not between and line.text(second + 1) == ")") or between == ["to"]):
        return True  # "(41.0 to 45.2)", or the arrow is lost
    if (
        line.quantities[index].value_max is not None
        or line.quantities[index + 1].value_max is not None
        or len(between) > 12
    ):
        return False
    before = [line.text(p) for p in range(max(0, first - 4), first)]
    arrives = any(text == "to" and between[max(0, i - 1) : i] != ["up"] for i, text in enumerate(between))
    return "from" in before and arrives and not any(cue(text) in _CHANGES for text in between)


@lru_cache(maxsize=64)
def construction(line: Line, index: int) -> str:
    """The construction of the `index`-th number of a line, empty where none is known."""
    if said := _no_result(line, index):
        return said
    if is_pair(line, index - 1):
        return "pair2"
    if is_pair(line, index):
        return "pair1"
    own = _own(line, index)
    if own and not own.endswith(":"):
        return own
    for earlier in range(index - 1, max(-1, index - 4), -1):
        found = "pair2" if is_pair(line, earlier - 1) else _own(line, earlier)
        if found and not found.endswith(":"):
            near = chains(line)[index] <= earlier
            return f"{'+' if near else '~'}{found}" if _same_list(line, earlier, index, own) else own
    return own


def _no_result(line: Line, index: int) -> str:
    """Settings of an experiment and statements of probability, which are no results whatever stands around them."""
    position = line.numbers[index]
    before = [line.text(p) for p in range(max(0, position - 5), position)]
    after = [line.text(p) for p in range(position + 1, min(position + 3, len(line.items)))]
    if after[:1] and after[0] in _SETTINGS_AFTER:
        return "setting:"
    if any(word in _SETTINGS for word in before[-3:]) and not any(
        line.items[p].cue or line.text(p) == "with" for p in range(max(0, position - 2), position)
    ):
        return "setting:"
    if any(a in _SETTING_PAIRS and b in _SETTING_PAIRS[a] for a, b in pairwise(before)):
        return "setting:"
    return "setting:" if _is_threshold(before, after) else ""


def _is_threshold(before: list[str], after: list[str]) -> bool:
    """Whether a number says from where on something counts: "at tIoU=0.5", "the 0.5 IoU threshold"."""
    if not _THRESHOLD.isdisjoint(after) or before[-3:] == _AT:
        return True
    return "METRIC" in before[-2:] and "," not in before and not _THRESHOLD.isdisjoint(before)


def _own(line: Line, index: int) -> str:
    run = run_of(line, index)
    right, left = _right(line, run[-1]), _left(line, run[0])
    if right == "right:metric" and left.startswith("by:") and left != "by:":
        return left
    return right or left


def _same_list(line: Line, earlier: int, index: int, own: str) -> bool:
    """Whether two numbers of one unit may share a governor: nothing but "and" and commas parts their clauses."""
    between = line.items[line.numbers[earlier] + 1 : line.numbers[index]]
    if own == "by:":
        second = line.items[line.numbers[earlier] + 1 : line.numbers[run_of(line, index)[0]]]
        if [item.text for item in second[-2:]] == ["and", "by"]:
            return not any(item.cue in _CHANGES for item in second)
    if (line.quantities[earlier].unit != line.quantities[index].unit and own != "by:") or len(between) > 24:
        return False
    return not any(item.text in _CLAUSE or item.cue in _CHANGES for item in between)


def _right(line: Line, index: int) -> str:
    start = line.numbers[index] + 1
    for position in range(start, min(start + 6, len(line.items))):
        item = line.items[position]
        if item.kind == "number" or item.text in _STOP_RIGHT or (item.participle and item.cue):
            return ""
        if item.cue in _CHANGES:
            words = [line.text(p) for p in range(position + 1, min(position + 5, len(line.items)))]
            quick = item.cue == "gain" and "speed" in words and words[0] in ("in", "of", "train", "inf")
            return f"right:{'speedup' if quick else item.cue}"
        if item.kind == "name":
            inner = _right_of_name(line, position)
            return f"right:{inner}" if inner else f"right:{item.text.casefold()}" if item.text == "METRIC" else ""
    return ""


def _right_of_name(line: Line, position: int) -> str:
    """The change right after a name, also behind its short form: "a 14 % accuracy gain", "5 % error rate (ER) drop"."""
    if line.text(position + 1) == "(" and line.text(position + 3) == ")":
        position += 3
    for after in range(position + 1, min(position + 4, len(line.items))):
        text = line.text(after)
        if text in _STOP_RIGHT or line.items[after].kind == "number":
            return ""
        if line.items[after].cue in _CHANGES:
            return line.items[after].cue
    return ""


def _left(line: Line, index: int) -> str:
    position = line.numbers[index] - 1
    connector = ""
    while position >= 0:
        text = line.text(position)
        if _compares(line, position):
            return "versus:baseline"
        if text in _RANGE_WORDS:
            connector = "of"
        elif text in _CONNECTORS and not (text in ("to", "at") and line.text(position - 1) in ("up", "at")):
            # "by up to an average of": the outermost connector counts.
            connector = _CONNECTORS[text] if _CONNECTORS[text] != "of" or not connector else connector
        elif text not in _BOUND_WORDS and not (text == "." and line.text(position - 1) in ("vs", "approx")):
            break
        position -= 1
    return _governor(line, position, connector)


def _compares(line: Line, position: int) -> bool:
    """Whether a comparison ends here: "compared to 66.7", "vs. 41", "than the 51.4 achieved by"."""
    text, before = line.text(position), line.text(position - 1)
    if text in ("to", "with"):
        return before in ("compar", "relativ")
    if text == "than":
        return before not in _MEASURES
    return text in ("vs", "versu", "against")


def _governor(line: Line, position: int, connector: str) -> str:
    reach = {"of": 6, "": 5, "with": 4, "at": 5, "reach": 4}.get(connector, _REACH)
    name = connector or "lead"
    for distance, place in enumerate(range(position, max(-1, position - reach), -1)):
        item = line.items[place]
        if item.kind == "number" or item.text == ";":
            break
        found = item.cue
        if found in _CHANGES or (found == "absolute" and connector != "by"):
            words = (line.text(p) for p in range(place, position + 1))
            return f"{name}:speedup" if found == "gain" and "speed" in words else f"{name}:{found}"
        if item.text == "METRIC" and connector in ("of", "at", "") and distance <= 2:
            return f"{name}:metric"
    return "reach:absolute" if connector == "reach" else f"{name}:"
