"""Which part of a found stretch is the name: lists taken apart, loose ends cut off.

Sources mark more than the name: an article before it, its generic head or a reading behind it, two names of a list.
What is cut here is cut for every source, so that all of them propose the same stretch for the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from sotagraph import lexicon
from sotagraph.extract.shapes import LEADING, PLACEHOLDER, WITH_LEADING, is_led, looks_named, not_a_name, strip_heads
from sotagraph.languages import NAMES

__all__ = ["is_measure", "names_in", "split", "trim"]

Stretch = tuple[int, int]

#: The second half of "2D and 3D MRI": what data are of, and no name of them.
_OTHER_DIMENSION, _DIMENSION = re.compile(r"\b\dD (?:and|or|to) $"), re.compile(r"\dD ")
#: What stands before the first word of a sentence, and a short form behind the name that it belongs to.
_FIRST_OF_SENTENCE, _DEFINED = re.compile(r"(?:^|[.!?:]\W?\s)$"), re.compile(r"\s?\(([A-Z])[\w-]*\)")
#: A compound that may be written with a space between its halves.
_OPEN = re.compile(r"[Oo]pen (?:domain|vocabulary|ended|set|world|book)\b")
#: A word with a capital that may be of a known name with what follows, and how many letters it may have with its space.
_CAPITAL_BEFORE, _LONGEST = re.compile(r"(?<![\w-])[A-Z][\w-]*\s$"), 16
_LANGUAGE = "|".join(sorted({*NAMES.values(), *map(str.title, NAMES)}))
#: The task of a campaign, or the second of two languages, that a source may leave out: "SemEval 2019 task 12".
_EDITION_BEGUN = re.compile(rf"(?:\b(?:19|20)\d\d|['’-]\d\d|\b(?:{_LANGUAGE}))$")
_EDITION_REST = re.compile(
    r"\s[Tt]ask[ -]?\d+[A-Za-z]?\b|\s?(?:→|⇒|↔|⇔|->|\$\\(?:left)?rightarrow\$)\s?[A-Z][a-z]+\b"
    rf"|(?:-|\s)to(?:-|\s)(?:{_LANGUAGE})\b"
)
#: What makes an adjective of a name: the -based of "WQRM-based".
_SUFFIX = re.compile(
    r"-(?:based|style|like|trained|tuned|finetuned|guided|driven|enhanced|augmented|powered|"
    r"generated|aware|inspired|level|specific|centric|only)$"
)
_FIRST_WORD = re.compile(r"([\w-]+)\s+")
_LAST_WORD = re.compile(r"\s+([\w-]+)$")
_CUT = re.compile(r"@\d+(?:\.\d+)?[kK]?\b")
#: The rest of a cut-off that a source ends too early: the .5 of mAP@0.5.
_CUT_BEGUN, _CUT_REST = re.compile(r"@\d+$"), re.compile(r"\.\d+\b")
#: What stands before a measure and is of it, though a source may leave it out.
_STATISTIC = re.compile(r"\b(?:mean|peak|maximum|minimum|median|worst-case)\s+$")
#: Behind a capitalised name: "the Harmonic Mean metric".
_METRIC = ("metric", "metrics")
#: A count that a source ends too early: "average number of steps".
_COUNTED = re.compile(r"\s+of\s+(?:\w+\s+)?[a-z]+s\b")
#: Words that no name ends with: the last ones say what became of a measure (the drop of "ASR drop").
_LOOSE = frozenset(
    "baseline baselines counterpart counterparts drop drops gain gains improvement improvements reduction reductions "
    "increase increases decrease decreases degradation "
    "of with for in on to by and or from at via the a an as that which is are under over into than".split()
)
#: Words before a name that praise it or say how it came about.
_BEFORE = LEADING | frozenset(
    "in of exceptional impressive remarkable outstanding superior competitive promising notable significant "
    "substantial measured reported estimated corresponding resulting so-called well-known and or but".split()
)
#: Words before a name that only compare it or its examples, where they are small: Faster R-CNN is a name.
_COMPARED = frozenset("higher lower stronger weaker better worse greater faster smaller top diverse".split())
#: Words that a question begins with, where a title or sentence does: "Can mBERT", but CAN bus.
_ASKING = frozenset("Can Could Does Do Is Are Should Why".split())
#: Words that say what became of a measure, behind a known one: a loss of throughput is no loss function.
_BECAME = frozenset("gap gaps loss losses saving savings boost boosts decline declines".split())
#: Words that say of a measure only that it is one, behind a known one or an acronym: "IRER errors".
_GIVEN_AS = frozenset("score scores measure measures value values error errors point points".split())
_ACRONYM = re.compile(r"\b[A-Z]{3,}$")
#: A measure of the best few, whose accuracy and whose error are two.
_TOP = re.compile(r"top[ -]\d+$", re.IGNORECASE)
#: The part of a known dataset that is measured on.
_PART = re.compile(r"\s(?:val|validation|minival|test|test-dev|dev)(?: (?:sets?|splits?|images|data))?$")
#: Words before a known measure that say what became of it, or how it is given: "pushing accuracy", "dB PSNR".
_BEFORE_MEASURE = frozenset(
    "pushing boosting raising lifting improving increasing enhancing maximizing reducing lowering decreasing cutting "
    "minimizing sacrificing compromising maintaining preserving retaining degrading harming achieving reaching "
    "attaining yielding ensuring matching exceeding surpassing accelerating speeding "
    "higher lower better worse greater faster smaller absolute relative top best highest lowest sota "
    "regarding concerning competitive competitable comparable lossless perfect near-perfect satisfactory decent "
    "excellent good strong solid db kb mb gb ms".split()
)
#: A measure with a cut-off, before which plain words only say of what or when: "final pass@1".
_CUT_OFF_TAIL = re.compile(r"(?:[a-z][a-z-]*\s+)+(?=[A-Za-z]+@(?:\d+|[kKnN])$)")
#: Words that name no measure by themselves, however a change is told of them.
_NO_MEASURE = frozenset(
    "final joint absolute relative overall average mean total stronger weaker higher lower better faster metric "
    "metrics rate rates ratio ratios number best top consumption dB KB MB GB".split()
)
#: Before the name of a model: "7B Qwen-2.5", "open source Mistral".
_SIZE_FIRST = re.compile(r"(?:\d+(?:\.\d+)?[BM]|[Oo]pen[ -]source)\s+(?=[A-Z])")
#: What is counted is a metric with its "number of".
_NUMBER_OF = re.compile(r"(?:number|amount) of (?:the )?$")
#: What became of a measure or leads to it, before it.
_CHANGE_IN = re.compile(
    r"(?:(?:increase|decrease|reduction|improvement|gain|drop|consumption)s? (?:in|of)|terms of) (?=\w)", re.IGNORECASE
)
#: Behind a name but not of it: a reference, what it owns, the size of its pictures, a plural head, where it was taken.
_BEHIND = (
    re.compile(rf"\s{PLACEHOLDER}$"),
    re.compile(r"(?<=\d) (?:datasets?|benchmarks?|corpus|corpora)$"),
    re.compile(r"['’]s?$"),
    re.compile(r"\s\d+\s?[×x]\s?\d+$"),
    re.compile(r"(?<=\w) (?:Datasets|Benchmarks|Corpora|Models)$"),
    re.compile(r"(?<=[a-z]) on [a-z ]+$"),
)
#: One capitalised word before a noun for data: the Replica dataset.
_ONE_WORD_DATA = re.compile(r"[A-Z][a-z]+(?= (?:datasets?|benchmarks?|corpus|suite)$)")
#: What is done with chains of thought; the technique is named without it.
_THOUGHT = re.compile(r"(?:\bchains?[- ]of[- ]thoughts?|\bCoT)(?=\s(?:reasoning|prompting|prompts)$)", re.IGNORECASE)
#: What a task is done with, which is a name by itself: "CLIP-based image classification".
_BASED = re.compile(r"(?=[\w-]*[A-Z])[\w+-]+-based\s+(?=[a-z])")
#: What is done, as most tasks are worded.
_DONE = re.compile(r"(?:[a-z][\w-]*\s+)*[a-z-]+(?:ion|ing|ment|sis|ance)(?:\s+tasks?)?")
_TASKS = re.compile(r"\s+tasks?$")
#: The number that a dash ties to a measure: "PSNR-21%".
_READING = re.compile(r"-\d+(?:\.\d+)?$")
#: The other years or sizes of "CIFAR-10/100", which are no names by themselves.
_ELLIPSIS = re.compile(r"(?<=\d)/\d+$")
_AND_NAME = re.compile(r",? (?:and|or) (?P<next>[\w.+/-]*[\w+])")
_COMMA, _SLASH = re.compile(r",\s+"), re.compile("/")


# Candidates, clusters and features ask about the same stretches of one document.
@lru_cache(maxsize=1 << 11)
def names_in(start: int, end: int, text: str) -> tuple[Stretch, ...]:
    """Each name of a stretch that some source marked.

    >>> text = "It uses GRPO, PPO and more."
    >>> [text[a:b] for a, b in names_in(8, 17, text)]
    ['GRPO', 'PPO']
    """
    return tuple(name for part in split(start, end, text) if (name := trim(*part, text)))


def split(start: int, end: int, text: str) -> Iterator[Stretch]:
    """The single names of a stretch that holds several: "GRPO/PPO", "GRPO, PPO", and lists that lost their commas.

    >>> text = "Results on CUB SUN and AwA2."
    >>> [text[a:b] for a, b in split(11, 18, text)]
    ['CUB', 'SUN']
    """
    for first, last in _at(_COMMA, start, end, text):
        for one, other in _at(_SLASH, first, last, text):
            yield from _unlisted(one, other, text)


def _at(border: re.Pattern[str], start: int, end: int, text: str) -> list[Stretch]:
    """The stretch cut at a border, if both sides of each cut are names and the whole is none (CNN/DailyMail)."""
    cuts = [m.span() for m in border.finditer(text, start, end)]
    if not cuts or "(" in text[start:end] or lexicon.load().lookup(text[start:end]):
        return [(start, end)]
    starts, ends = [start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end]
    parts = list(zip(starts, ends, strict=True))
    if all(b - a > 2 and looks_named(text[a:b].strip().rsplit(" ", 1)[-1]) for a, b in parts):
        return parts
    return [(start, end)]


def _unlisted(start: int, end: int, text: str) -> Iterator[Stretch]:
    """Names side by side before "and NAME" in a text that lost its commas; else the stretch as it is.

    Some collections strip commas, and no abstract is written without one. A coined word ends a name; capitalised words
    before it belong to it: "TileNet Image Adaptive YOLO and DENet" holds three.
    """
    if "," in text:
        yield start, end
        return
    behind = _AND_NAME.match(text, end)
    words = [(start + m.start(), start + m.end()) for m in re.finditer(r"\S+", text[start:end])]
    coined = [looks_named(text[a:b]) for a, b in words]
    if not (behind and looks_named(behind["next"])) or sum(coined) < 2 or not coined[-1]:
        yield start, end
        return
    if lexicon.load().lookup(text[start:end]):
        yield start, end
        return
    first = 0
    for i, ends in enumerate(coined):
        if ends:
            yield words[first][0], words[i][1]
            first = i + 1


def trim(start: int, end: int, text: str) -> Stretch | None:
    """The name inside a stretch, without articles, quotes, loose ends and a generic head noun; None where none is left.

    >>> text = "The Chatbot Arena's votes"
    >>> a, b = trim(0, 19, text); text[a:b]
    'Chatbot Arena'
    """
    start, end = _ends(start, end, text)
    start = _with_first_half(start, text)
    if cut := _CUT.match(text, end - 1 if text[end - 1 : end] == "@" else end):
        end = cut.end()
    elif _CUT_BEGUN.search(text, start, end) and (rest := _CUT_REST.match(text, end)):
        end = rest.end()
    start, end = _without_loose_words(start, _without_behind(start, end, text), text)
    if suffix := _SUFFIX.search(text, start, end):
        end = suffix.start()
    start, end = _ends(start, _without_head(start, end, text), text)
    start = _coined_tail(start, end, text)
    start = _measure_alone(start, end, text)
    start, end = _task_alone(start, end, text)
    start, end = _whole_measure(start, end, text)
    if (rest := _EDITION_REST.match(text, end)) and _EDITION_BEGUN.search(text, start, end):
        end = rest.end()
    name = text[start:end]
    if end - start < 2 or not any(c.isalpha() for c in name) or not_a_name(name) or _half_bracketed(name):
        return None
    if _DIMENSION.match(name) and _OTHER_DIMENSION.search(text, max(0, start - 8), start):
        return None
    return None if name in _NO_MEASURE else (start, end)


def _with_first_half(start: int, text: str) -> int:
    """Where a name begins whose first word is half of another: "open domain parsing", "MS COCO 2014"."""
    half = start - len("open ")
    if half >= 0 and _OPEN.match(text, half) and not text[half - 1 : half].isalpha():
        return half
    before = _CAPITAL_BEFORE.search(text, max(0, start - _LONGEST), start)
    return before.start() if before and lexicon.load().lookup(text[before.start() : _word_end(start, text)]) else start


def _word_end(start: int, text: str) -> int:
    end = text.find(" ", start)
    return len(text) if end < 0 else end


def _whole_measure(start: int, end: int, text: str) -> Stretch:
    """A count with its "number of", a measure with its statistic: "number of steps", "peak memory"."""
    name = text[start:end]
    if not name.islower():
        return start, end
    if name.endswith("number") and (counted := _COUNTED.match(text, end)):
        end = counted.end()
    for more in (_NUMBER_OF, _STATISTIC):
        if said := more.search(text, max(0, start - 16), start):
            start -= len(said.group())
    return start, end


def _measure_alone(start: int, end: int, text: str) -> int:
    """Where a known measure begins behind words that are not of it, be they a data set: "ImageNet accuracy"."""
    if cut_off := _CUT_OFF_TAIL.match(text, start, end):
        return cut_off.end()
    words = [start + m.start() for m in re.finditer(r"\S+", text[start:end])]
    for at, behind in pairwise(words):
        before, rest = text[at:behind].strip(), text[behind:end]
        if not (before.lower() in _BEFORE_MEASURE or (at == start and _is_known(before, "dataset"))):
            return at
        if not _is_known(rest, "metric") or _is_known(text[at:end], "metric"):
            return at
    return words[-1] if words else start


def _task_alone(start: int, end: int, text: str) -> Stretch:
    """What is done, without the data or the method that it is done with: "CLIP-based image classification"."""
    if thought := _THOUGHT.search(text, start, end):
        return start, thought.end()
    first = _FIRST_WORD.match(text, start, end)
    if first is None or not _DONE.fullmatch(text, first.end(), end):
        return start, end
    if (based := _BASED.match(text, start, end)) or _is_known(first[1], "dataset"):
        start = based.end() if based else first.end()
    tasks = _TASKS.search(text, start, end)
    return start, tasks.start() if tasks else end


def is_measure(name: str) -> bool:
    """Whether the lexicon has a metric of this name, be it an ordinary word too.

    >>> is_measure("recall"), is_measure("recall model")
    (True, False)
    """
    return any(entry.kind == "metric" for entry in lexicon.load().lookup(name))


def _is_known(name: str, kind: str) -> bool:
    return any(entry.kind == kind and not entry.context for entry in lexicon.load().lookup(name))


def _ends(start: int, end: int, text: str) -> Stretch:
    while start < end and not (text[start].isalnum() or text[start] in "∇∞"):
        start += 1
    while end > start and not (text[end - 1].isalnum() or text[end - 1] in "+*@)"):
        end -= 1
    if text[end - 1 : end] == ")" and "(" not in text[start:end]:
        end -= 1
    return start, end


def _half_bracketed(name: str) -> bool:
    """Whether a bracket closes that does not open: the middle of two things."""
    return ")" in name and name.find("(", 0, name.find(")")) < 0


def _without_behind(start: int, end: int, text: str) -> int:
    for pattern in _BEHIND:
        if found := pattern.search(text, start, end):
            end = found.start()
    if (found := _READING.search(text, start, end)) and text[end : end + 1] == "%":
        end = found.start()
    if found := _ELLIPSIS.search(text, start, end):
        end = found.start()
    if (found := _PART.search(text, start, end)) and _is_known(text[start : found.start()], "dataset"):
        end = found.start()
    return end


def _without_loose_words(start: int, end: int, text: str) -> Stretch:
    if len(text[start:end].split(None, 1)) < 2:
        return start, end  # one word, as most names are
    if size := _SIZE_FIRST.match(text, start, end):
        start = size.end()
    if change := _CHANGE_IN.match(text, start, end):
        start = change.end()
    first = _FIRST_WORD.match(text, start, end)
    while first and _is_loose_before(first.start(), end, text):
        start = first.end()
        first = _FIRST_WORD.match(text, start, end)
    last = _LAST_WORD.search(text, start, end)
    if last and last[1] in _METRIC and text[start : last.start()].split()[-1].istitle():
        end = last.start()
        last = _LAST_WORD.search(text, start, end)
    while last and _is_loose_behind(text[start:end], text[start : last.start()], last[1]):
        end = last.start()
        last = _LAST_WORD.search(text, start, end)
    return start, end


def _is_loose_before(start: int, end: int, text: str) -> bool:
    """Whether the first word of a stretch only introduces the name, praises it or compares it.

    Where it has a capital as the first word of a sentence, a definition behind the name tells whether it is of it.
    """
    name = text[start:end]
    word = name.split(None, 1)[0]
    if word.lower() not in LEADING:
        return word.lower() in _BEFORE or word in _COMPARED or word in _ASKING
    if is_led(name):
        return not lexicon.load().lookup(name)
    if WITH_LEADING.match(name) or not _FIRST_OF_SENTENCE.search(text, max(0, start - 3), start):
        return False
    defined = _DEFINED.match(text, end)
    return defined is None or defined[1] != word[0]


def _is_loose_behind(name: str, before: str, last: str) -> bool:
    """Whether the last word of a stretch is not of the name; the gain of "discounted cumulative gain" is."""
    return (last.lower() in _LOOSE and not is_measure(name)) or _of_measure(before, last)


def _of_measure(before: str, last: str) -> bool:
    if last.lower() in _GIVEN_AS and not _TOP.match(before):
        return (is_measure(before) or _ACRONYM.search(before) is not None) and not is_measure(f"{before} {last}")
    return last.lower() in _BECAME and is_measure(before)


def _without_head(start: int, end: int, text: str) -> int:
    """The end of a coined name before its generic head (GRPO algorithm); a phrase keeps its head (policy network)."""
    name = text[start:end]
    if data := _ONE_WORD_DATA.match(name):
        return start + data.end()
    short = strip_heads(name)
    return start + len(short) if short != name and name.startswith(short) else end


def _coined_tail(start: int, end: int, text: str) -> int:
    """Where a newly coined last word begins, behind words that only describe it (the guardrail model Safiron).

    A known name keeps its words: normalized SGD is another thing than SGD.
    """
    words = text[start:end].split(" ")
    described = len(words) > 1 and all(w.islower() and w.isalpha() for w in words[:-1])
    if described and looks_named(words[-1]) and not lexicon.load().lookup(words[-1]):
        return end - len(words[-1])
    return start
