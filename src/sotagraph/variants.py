"""Which names are sizes, versions, splits, years or settings of another name: pure rules over one string.

Each rule takes one piece off a name and says what that piece was; applied again to what is left, the rules climb from
``Qwen2.5-VL-7B-Instruct`` to ``Qwen2.5-VL``. A rule only proposes: linking draws an edge where the corpus knows the
other name too, and never joins a variant with what it is a variant of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sotagraph.languages import NAMES
from sotagraph.memo import remembered
from sotagraph.names import clean

__all__ = ["Base", "bases", "parents"]


@dataclass(frozen=True, slots=True, order=True)
class Base:
    """What a name is a variant of, and in which respect."""

    name: str
    #: ``size``, ``version``, ``training``, ``setting``, ``year``, ``split``, ``average``, ``cutoff`` or ``modified``.
    rule: str
    #: The piece that was taken off, as written.
    piece: str


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    kinds: tuple[str, ...]
    #: Matches a whole name; group ``base`` is what stays, group ``piece`` what goes.
    pattern: re.Pattern[str]
    #: How the base is written, from the group ``base``.
    template: str = "{base}"


_JOIN = r"(?:\s*[-–_ ]\s*)"


def _end(name: str, kinds: str, piece: str, *, joined: bool = False, flags: int = 0, template: str = "{base}") -> _Rule:
    """A rule for a piece at the end of a name, behind a dash or space, or written together if `joined`."""
    join = _JOIN + ("?" if joined else "")
    return _Rule(
        name, tuple(kinds.split()), re.compile(rf"(?P<base>.*[^\W_].*?){join}(?P<piece>{piece})", flags), template
    )


_SIZES = "tiny|mini|small|base|medium|large|huge|giant|nano|micro|xs|xl|xxl|xlarge|xxlarge|big"
_TRAINED = (
    "instruct|instruction|chat|it|sft|dpo|rlhf|thinking|reasoning|preview|distill|distilled|cased|uncased"
    "|turbo|pro|flash|ultra|lite|plus|max|fast"
)
_SPLITS = (
    "test|dev|val|valid|validation|train|test-std|test-dev|testmini|mini|small|full|hard|easy|verified|diamond|lite"
    "|pro|plus|redux|extended|challenge"
)
_PAIR = "|".join(sorted({*NAMES.values(), *(code.upper() for code in NAMES)}))
_ARROW = r"\s?(?:-to-|-|→|⇒|->|–|⇔|↔|to)\s?"
_LANGUAGES = rf"[A-Z][a-z]?[a-z]?{_ARROW}[A-Z][a-z][a-z]?|(?:{_PAIR}){_ARROW}(?:{_PAIR})"
_AVERAGES = r"(?:macro|micro|weighted|sample|mean|average|averaged|avg\.?|overall|median|balanced)(?:[-\s]averaged?)?"
_MEASURES = r"accurac(?:y|ies)|F1|F1[-\s]scores?|precision|recall|AUROC|success rates?|error rates?"
_YEAR = r"['’]?(?:(?:19|20)\d\d|(?<=[-A-Za-z'’ ])[012]\d)"

#: What narrows a task when it stands before its name; what stays is tied to only where the corpus names it too.
_SETTINGS = (
    "(?:zero|few|one)-shot|(?:low|high)-resource|(?:cross|multi|mono)-?lingual|(?:cross|multi|open|closed)-domain"
    "|(?:cross|multi)-?modal|multi-(?:document|hop|label|task|turn|source)|(?:document|sentence|token|word)-level"
    "|unsupervised|(?:self|semi|weakly|distantly)[- ]supervised|non-autoregressive|simultaneous|conversational"
    "|abstractive|extractive|fine-grained|nested|neural|visual|biomedical|clinical|legal|scientific|Chinese"
)

#: In the order in which they are tried; the first that matches a name tells its nearest base.
_RULES = (
    # With or without something: "BERT w/ CRF", "ResNet without pre-training".
    _Rule("setting", ("method",), re.compile(r"(?P<base>.*[^\W_].*?)\s+(?P<piece>(?:w/o?|with|without)\s?.+)")),
    # Sizes in brackets or at the end: 7B, 1.5b, 8x7B, 671B-A37B, 0.6M.
    _Rule("size", ("method",), re.compile(r"(?P<base>.*[^\W_].*?)\s*\((?P<piece>\d+(?:\.\d+)?\s?[BMK])\)", re.I)),
    _end("size", "method", r"(?:\d+x)?\d+(?:\.\d+)?\s?[BMbm](?:-A\d+(?:\.\d+)?B)?"),
    _end("size", "method", _SIZES, flags=re.I),
    # ViT-B/16, ViT-L: one letter, then perhaps the patch.
    _end("size", "method", r"[TSBLHG](?:/\d{1,2})?"),
    _end("training", "method", _TRAINED, flags=re.I),
    # Dates of a release: GPT-4-0613, GPT-4o-2024-08-06.
    _end("version", "method", r"20\d\d-\d\d-\d\d|0[1-9]\d\d|1[0-2]\d\d"),
    _end("version", "method dataset metric", r"(?i:v|ver\.?|version)\s?\d+(?:\.\d+)*", joined=True),
    _end("version", "method dataset", r"\d+\.\d+"),
    # A number directly behind letters or a dash: ResNet-50, GPT-2, Llama3, SAM 2, Llama 3.1.
    _Rule("version", ("method",), re.compile(r"(?P<base>.*[^\W\d_]{2,})[-–\s]?(?P<piece>\d{1,3}(?:\.\d+)?)")),
    # Years before counts, so that AIME 2024 is a year and MATH-500 a count.
    _Rule("year", ("dataset",), re.compile(rf"(?P<base>.*[^\W\d_])[-–\s]?(?P<piece>{_YEAR})(?!\d)")),
    _end("split", "dataset", _LANGUAGES),
    # One task of a campaign: SemEval-2014 Task 4.
    _end("split", "dataset", r"[Tt]ask[-\s]?\d+[A-Za-z]?"),
    _end("split", "dataset", _SPLITS, flags=re.I),
    _end("split", "dataset", r"[A-Z]"),
    _end("split", "dataset", r"\d+(?:\.\d+)?[KkM]?"),
    _Rule("version", ("dataset",), re.compile(r"(?P<base>.*[^\W_])(?P<piece>[+*])")),
    # pass@1 under pass@k, Hits@10 under Hits@k.
    _Rule("cutoff", ("metric",), re.compile(r"(?P<base>.*[^\W_].*?)\s?@\s?(?P<piece>\d+)"), "{base}@k"),
    _Rule("cutoff", ("metric",), re.compile(r"top[-\s](?P<piece>\d+) (?P<base>.+)", re.I)),
    _Rule("average", ("metric",), re.compile(rf"(?P<piece>{_AVERAGES})[-\s](?P<base>.+)", re.I)),
    _Rule("average", ("metric",), re.compile(r"(?P<piece>m)(?P<base>IoU|AP|Dice|PCK|AUC|AUROC)(?!\w)")),
    # ROUGE-L, BLEU-4, AP50.
    _Rule("version", ("metric",), re.compile(r"(?P<base>[A-Z][A-Za-z]*[A-Z])[-\s]?(?P<piece>\d{1,2}|[LWS]u?)")),
    _Rule("setting", ("task",), re.compile(rf"(?P<piece>{_SETTINGS})\s+(?P<base>\S.*)", re.I)),
    # "translation accuracy" is accuracy of something.
    _Rule("modified", ("metric",), re.compile(rf"(?P<piece>\S.*)[\s-](?P<base>{_MEASURES})", re.I)),
)  # fmt: skip


@remembered(
    pack=lambda found: tuple((base.name, base.rule, base.piece) for base in found),
    unpack=lambda values: tuple(Base(*value) for value in values),
)
def bases(name: str, kind: str) -> tuple[Base, ...]:
    """What the rules make of a name in one step, nearest first; each base is shorter than the name.

    >>> bases("Goedel-Prover-V2-8B", "method")[0]
    Base(name='Goedel-Prover-V2', rule='size', piece='8B')
    >>> [b.name for b in bases("pass@32", "metric")], bases("GPT-4o", "method"), bases("pass@k", "metric")
    (['pass@k'], (), ())
    """
    text = clean(name)
    found = {}
    for rule in _RULES:
        if kind in rule.kinds and (match := rule.pattern.fullmatch(text)):
            base = rule.template.format(base=match["base"].strip(" -–_"))
            if len(re.findall(r"[^\W_]", base)) >= 2 and base not in found:
                found[base] = Base(base, rule.name, match["piece"].strip())
    return tuple(found.values())


def parents(name: str, kind: str) -> Iterator[tuple[Base, ...]]:
    """Chains of bases from the nearest to the farthest: every way to climb from a name, shortest chains first.

    >>> [" < ".join(base.name for base in chain) for chain in parents("Qwen2.5-VL-7B-Instruct", "method")][:2]
    ['Qwen2.5-VL-7B', 'Qwen2.5-VL-7B < Qwen2.5-VL']
    """
    level: list[tuple[Base, ...]] = [(base,) for base in bases(name, kind)]
    seen: set[str] = set()
    while level:
        following = []
        for chain in level:
            if chain[-1].name not in seen:
                seen.add(chain[-1].name)
                yield chain
                following += [(*chain, base) for base in bases(chain[-1].name, kind)]
        level = following
