"""What a name looks like: the shapes of tokens, runs of them, and the nouns that say what kind of thing it is."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = [
    "HEADS",
    "LEADING",
    "NAME",
    "PLACEHOLDER",
    "TOKEN",
    "WITH_LEADING",
    "head_kind",
    "is_led",
    "is_variant_name",
    "looks_named",
    "not_a_name",
    "strip_heads",
]

# A run of letters is taken at once, where a choice between letter and sign would be made at each.
_RUN = r"[\w+*@α-ωΑ-Ω²³]*"
#: One token of a name: letters and digits with inner points, dashes, slashes, pluses; never a trailing full stop.
TOKEN = rf"(?:[^\W_]|[α-ωΑ-Ω]){_RUN}(?:[.\-/'’&](?=[\w+*α-ωΑ-Ω]){_RUN})*"
#: One token, then more that carry capitals or digits of their own.
NAME = rf"{TOKEN}(?: (?:(?:of|for|in|the|with|on|to|and|via|at) )?(?=[^ ]*[A-Z0-9]){TOKEN}){{0,6}}"

#: Head nouns that tell the kind of what they follow or stand for.
HEADS: dict[str, str] = {
    **dict.fromkeys(
        "framework frameworks method methods approach approaches algorithm algorithms model models "
        "architecture architectures network networks module modules loss losses optimizer optimizers "
        "technique techniques strategy strategies paradigm paradigms system systems pipeline pipelines "
        "mechanism mechanisms scheme layer layers attention policy agent agents library toolkit package "
        "estimator estimators regularizer regularization sampler planner solver decoder encoder adapter "
        "tokenizer kernel operator transformer transformers family series protocol procedure baseline baselines "
        "engine compiler interface plugin".split(),
        "method",
    ),
    **dict.fromkeys(
        "dataset datasets benchmark benchmarks corpus corpora suite testbed simulator simulators environment "
        "environments collection leaderboard challenge database".split(),
        "dataset",
    ),
    **dict.fromkeys(["metric", "metrics", "score", "scores", "measure", "measures", "index", "rate"], "metric"),
    **dict.fromkeys(["task", "tasks", "problem", "problems", "setting"], "task"),
}
_GENERIC_HEAD = re.compile(
    rf"(?<=[\w)]) (?:{'|'.join(sorted(HEADS, key=len, reverse=True))})$", re.IGNORECASE
)  # "GRPO algorithm" names GRPO
#: Words that open a noun phrase and belong to no name.
LEADING = frozenset(
    "a an the our its their this that these those novel new simple effective efficient proposed two three "
    "first largest comprehensive unified general generic lightweight open open-source such popular "
    "recent standard existing latest both".split()
)
#: Names that begin with one of these words all the same.
WITH_LEADING = re.compile(
    r"New (?:York|England|Zealand|Orleans|Delhi|Jersey|Mexico|Testament)"
    r"|(?:[Oo]pen|[Gg]eneral) (?:[Dd]omain|[Vv]ocabulary|[Ee]nded|[Ss]et|[Ww]orld|[Bb]ook)\b"
)
#: Those of them that a title may begin with: Open Graph Benchmark, Unified Medical Language System.
_TITLING = frozenset("Novel New Simple Effective Efficient Unified General Generic Lightweight Open First".split())
_SMALL_WORDS = frozenset("a an and as at based by for from in into of on or over the to via with".split())
#: Capitalised words that open sentences or carry no name of their own.
_COMMON_CAPITALS = frozenset(
    "We Our The This These Those In To For On With By As At It Its However Moreover Furthermore Additionally "
    "Specifically Empirically Experiments Extensive Experimental Results Code Data Recent Despite While "
    "Although Since When Where Here Unlike Given Based Using Through Finally First Second Third Then Thus "
    "Hence Therefore Also Both Each Many Most Such Several Existing Current Compared Notably Importantly "
    "Motivated Inspired Leveraging Building Across Among Under Over Without Beyond During After Before "
    "Between Project Website Section Figure Table Theorem Algorithm Appendix I II III IV AI ML GPU GPUs CPU "
    "CPUs API APIs US USA UK EU URL PDF SOTA SoTA OOD ID USD STEM NLP CV IoT QA i.e e.g".split()
)


@lru_cache(maxsize=1 << 15)
def looks_named(text: str) -> bool:
    """Whether a token has the shape of a coined name, not of a word: MiniF2F, GRPO, Qwen2.5-VL, but not Method or of.

    >>> [looks_named(t) for t in ("MiniF2F", "GRPO", "InFOM", "Kanzi", "method", "DC-3")]
    [True, True, True, False, False, True]
    """
    if text in _COMMON_CAPITALS or len(text) < 2 or not any(c.isalpha() for c in text):
        return False
    return any(c.isupper() for c in text[1:]) or (
        any(c.isdigit() for c in text) and text[0].isalpha() and text[0].isupper()
    )


#: Makers, venues and what stands for a result: capitalised, and no methods, datasets or metrics (guideline 2).
_MAKERS = frozenset(
    "ours sota openai nvidia google deepmind microsoft meta anthropic amazon apple ibm intel amd alibaba tencent baidu "
    "bytedance huawei samsung github gitlab twitter facebook youtube linux windows android ios "
    "acl iclr neurips icml cvpr emnlp aaai".split()
)
_MACHINE = re.compile(
    r"(?:(?:NVIDIA|Nvidia|AMD|Intel)\b.*|[AVHPTBL]\d{1,3}0[A-Z]?|GH200|GB200|MI\d{3}X?|"
    r"RTX.*|GTX.*|TPU.*|Jetson.*|Xeon.*|Raspberry Pi.*|Apple M\d.*)"
)


#: Sizes and aggregates by themselves: 7B, 1-2B, sub-10B, 7B-scale.
_BARE_SIZE = re.compile(
    r"(?:sub-|\d+(?:\.\d+)?-)?\d+(?:\.\d+)?[BMK](?:\s*[-/]\s*\d+(?:\.\d+)?[BMK])*"
    r"(?:-(?:scale|parameters?|class|sized?|level))?|average|mean|median|overall|total|averages|maximum|minimum|"
    r"scores?|results?|\dD|\d+(?:\.\d+)?[x×]",
    re.IGNORECASE,
)


#: What preparing a text left in the place of a reference.
PLACEHOLDER = r"(?:CIT(?:ATIONS?|E[PT]?)|(?:BIB|FIG|TAB|SEC|EQ)REF\d*|TODO)"
_PLACEHOLDER = re.compile(PLACEHOLDER)


def not_a_name(text: str) -> bool:
    """Whether a capitalised stretch is a maker, a venue, a machine, a pronoun or a placeholder: none is in the graph.

    >>> [not_a_name(t) for t in ("OpenAI", "A100", "RTX 4090", "Ours", "CITATION", "GPT-4")]
    [True, True, True, True, True, False]
    """
    return text.lower() in _MAKERS or any(p.fullmatch(text) for p in (_MACHINE, _BARE_SIZE, _PLACEHOLDER))


def is_variant_name(name: str, base: str) -> bool:
    """Whether a name is another's with a size, a version or words behind it, or a capitalised word before it.

    >>> [is_variant_name(n, "GRAPE") for n in ("GRAPE-7B", "Sparse GRAPE", "GRAPEVINE", "GRAPE")]
    [True, True, False, False]
    """
    if len(base) < 2 or not any(c.isupper() for c in base):
        return False
    behind = name.startswith(base) and re.fullmatch(r"[- ](?:[\w.]+[- ])*[\w.+]+", name[len(base) :]) is not None
    return behind or (name.endswith(" " + base) and name[0].isupper())


def is_capitalised_word(text: str) -> bool:
    """Whether a token is an ordinary capitalised word that may be part of a name inside a sentence."""
    return len(text) > 1 and text[0].isupper() and text not in _COMMON_CAPITALS


_ARTICLES = frozenset("a an the our its which who".split())
#: Words that the longest part of a list of adjectives has, with its article and adverb.
_ADJECTIVES = 4


def head_kind(phrase: str) -> str | None:
    """The kind that the last head noun of a noun phrase tells, before its first clause ends.

    >>> head_kind("a comprehensive benchmark for spatial reasoning"), head_kind("something else")
    ('dataset', None)
    >>> head_kind("a large-scale, multilingual, and multimodal dataset of problems")
    'dataset'
    """
    stop = re.split(
        r"\b(?:for|that|which|to|of|with|from|designed|based|using|in|on|where|built|consisting|"
        r"comprising|capable)\b|[;:(]",
        phrase,
    )[0]
    for number, part in enumerate(stop.split(",")):
        words = re.findall(r"[\w-]+", part)
        # Only adjectives may stand before a comma that the noun comes after: "a large, diverse, and open dataset".
        if number and (not words or words[0].lower() in _ARTICLES or len(words) > _ADJECTIVES):
            return None
        for word in reversed(re.findall(r"[A-Za-z]+", part)):
            if kind := HEADS.get(word.lower()):
                return kind
        if len(words) > _ADJECTIVES:
            return None
    return None


#: Heads that no name keeps behind a coined word and a capitalised one.
_PLAIN_HEADS = frozenset("model models baseline baselines dataset datasets benchmark benchmarks series family".split())
#: Ordinary words joined by dashes in a title: the head of "Row-Aware Regularization" belongs to it.
_TITLE_WORD = re.compile(r"[A-Z][a-z]+(?:-[A-Z]?[a-z]+)+")


def is_led(name: str) -> bool:
    """Whether the first of several words only introduces a name; a title has capitals throughout.

    >>> is_led("the GRPO algorithm"), is_led("Simple Video-Text Pre-training"), is_led("Simple video pre-training")
    (True, False, True)
    >>> is_led("New York Times"), is_led("open domain question answering"), is_led("open source models")
    (False, False, True)
    """
    first, *rest = name.split() or ("",)
    if not rest or first.lower() not in LEADING or WITH_LEADING.match(name):
        return False
    return first not in _TITLING or not all(word[0].isupper() or word in _SMALL_WORDS for word in rest)


@lru_cache(maxsize=1 << 14)
def strip_heads(name: str) -> str:
    """A name without a generic head noun behind it or an article before it.

    >>> strip_heads("the GRPO algorithm"), strip_heads("Vision Transformer"), strip_heads("the New York Times")
    ('GRPO', 'Vision Transformer', 'New York Times')
    >>> strip_heads("Row-Aware Regularization")
    'Row-Aware Regularization'
    """
    words = name.split()
    while is_led(" ".join(words)):
        words = words[1:]
    short = _GENERIC_HEAD.sub("", " ".join(words))
    # A head goes only where a name stays: Vision Transformer and graph neural network are whole.
    left = short.split()
    if len(left) > 1 and words[-1] in _PLAIN_HEADS and is_capitalised_word(left[-1]) and any(map(looks_named, left)):
        return short  # Qwen-2.5 7B Instruct model
    titled = bool(left) and words[-1][0].isupper() and _TITLE_WORD.fullmatch(left[-1])
    return short if left and looks_named(left[-1]) and not titled else " ".join(words)
