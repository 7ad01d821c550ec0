"""When two spellings are one name, and when a short form stands for a long one: pure rules over strings.

`normal` undoes what a writer may vary without naming another thing: case, dashes and spaces (by `names.key`), the
plural, British spelling, a generic head word (``GRPO algorithm``), the writing of a year (``AIME 2024``, ``AIME24``).
Nothing here measures how much two names look alike: they are equal in their normal form or they are not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from sotagraph import names
from sotagraph.languages import spell_pairs
from sotagraph.memo import remembered

__all__ = [
    "Normal",
    "clean",
    "core",
    "is_definition",
    "is_proper",
    "is_quality",
    "key",
    "normal",
    "roots",
    "same_expansion",
    "singular",
    "stems",
]


@remembered()
def clean(text: str) -> str:
    """`sotagraph.names.clean`, remembered from one build to the next."""
    return names.clean(text)


@remembered()
def key(name: str) -> str:
    """`sotagraph.names.key`, likewise."""
    return names.key(name)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words that end in s and are no plurals, or whose plural is the same.
_NO_PLURAL = _words(
    "news series species lens bias canvas atlas alias chaos cosmos always physics pegasus python axis analysis basis "
    "synthesis hypothesis genesis oasis mars paris texas gas bus plus class loss less pass process"
)
_IRREGULAR = {
    "indices": "index",
    "matrices": "matrix",
    "vertices": "vertex",
    "corpora": "corpus",
    "analyses": "analysis",
    "hypotheses": "hypothesis",
    "syntheses": "synthesis",
    "movies": "movie",
    "criteria": "criterion",
    "automata": "automaton",
    "caches": "cache",
}

#: Endings that British and American writers spell differently, British first.
_SPELLINGS = (
    (re.compile(r"isation(?=s?\b)"), "ization"),
    (re.compile(r"ising\b"), "izing"),
    (re.compile(r"ised\b"), "ized"),
    (re.compile(r"(?<=[mv])odell(?=ing|ed)", re.I), "odel"),
    (re.compile(r"\b(l)abell(?=ing|ed)", re.I), r"\1abel"),
    (re.compile(r"\b(arm|behavi|col|fav|flav|hum|neighb|rum|tum|vap)our", re.I), r"\1or"),
    (re.compile(r"\b(def|off)ence\b", re.I), r"\1ense"),
    (re.compile(r"\b(jud)gement", re.I), r"\1gment"),
    (re.compile(r"\b(dial|catal)ogue", re.I), r"\1og"),
    (re.compile(r"\b([Aa])daption"), r"\1daptation"),
)
#: Words like "raising" and "promised" that merely look British; they stay.
_NOT_BRITISH = _words(
    "raising advertising promising noising denoising raised supervised unsupervised revised advised semisupervised"
)

#: What makes an attribute of a name: "BERT-based" is no coinage.
_ATTRIBUTES = _words("based like style aware level free specific trained tuned enhanced augmented powered only")
#: Generic words that a writer may add to a name of that kind.
_HEADS = {
    "method": "algorithm|framework|architecture|optimizer|optimiser|method|approach|model|network|loss|technique",
    "dataset": "dataset|data set|benchmark|corpus|corpora|benchmark dataset|benchmark suite|challenge|leaderboard"
    "|test set|test suite",
    "metric": "score|measure|metric|value",
    "task": "task|problem",
}
_HEAD = {kind: re.compile(rf"(?P<rest>\S.*?)[\s\-–]+(?:{heads})s?$", re.I) for kind, heads in _HEADS.items()}
#: "English to German" is "English-German".
_LANGUAGE_PAIR = re.compile(r"([A-Z][a-z]+)[-\s]to[-\s]([A-Z][a-z]+)")
#: "Cross-language retrieval" is "cross-lingual retrieval".
_CROSS_LANGUAGE = re.compile(r"\b([Cc])ross[-\s]?[Ll]anguage\b")
#: Words before the name of a task that say for what or from what it is done; their order says nothing.
_SETTINGS = (
    r"(?:zero|few|one|low)-(?:shot|resource)|(?:cross|multi)-?(?:lingual|domain|modal|document|task)"
    r"|(?:un|semi-|weakly[- ]|self-|distantly[- ])?supervised|open-domain|end-to-end|(?:document|sentence)-level"
    r"|abstractive|extractive|neural|joint|interactive|online"
)
_SETTING = re.compile(_SETTINGS, re.I)
_SET = re.compile(rf"((?:(?:{_SETTINGS})\s+){{2,}})(\S.*)", re.I)
#: "Detecting stance" is "stance detection".
_DOING = re.compile(r"(detect|generat|extract|classify|recogni[sz]|predict|answer)(?:e|ing)?\s+(\w[\w\s-]*)", re.I)
_DONE = {
    "classify": "classification",
    "recogniz": "recognition",
    "recognis": "recognition",
    "generat": "generation",
    "answer": "answering",
}
_YEAR = re.compile(r"(?P<name>.*[a-z])-?'?(?:19|20)(?P<year>\d\d)")
#: Adjectives by their endings, and nouns that end so.
_QUALITY = re.compile(r"(?:[^aeiou]ed|[^aeiou]sive|tive)$")
_NOUNS = _words("objective perspective narrative adjective alternative directive initiative motive native incentive")
#: A text that lost a space: "GLUEbenchmark" is the GLUE benchmark, "theTransformer" the Transformer.
_GLUED = re.compile(
    r"(?P<name>\w[\w.-]*[A-Z0-9]\w*?)(?:(?P<head>points?|benchmarks?|datasets?|corpus|corpora|tasks?|models?)"
    r"|(?<=[A-Z]{2})(?:and|with|from|using|outperforms|achieves|improves))"
)
_GLUED_ARTICLE = re.compile(r"^(?:the|our)+(?=[A-Z])")
#: "F1-Macro" is "macro-F1".
_AVERAGE_LAST = re.compile(r"(F1|F-?score|accuracy|precision|recall)[-_\s](macro|micro|weighted)", re.I)
#: Words that say nothing of what a long form names.
_SMALL_WORDS = _words("a an and as at based by for from in into of on or the to using via with without")


@dataclass(frozen=True, slots=True)
class Normal:
    """A name without what writers vary freely."""

    #: What all spellings of the name share.
    key: str
    #: The name as far as the rules undid it, still readable.
    text: str
    #: The rules that changed more than case, dashes and spaces.
    rules: tuple[str, ...] = ()


@remembered(pack=lambda one: (one.key, one.text, one.rules), unpack=lambda values: Normal(*values))
def normal(name: str, kind: str) -> Normal:
    """The normal form of a name of a kind, with the rules that led to it.

    >>> normal("large language models", "method").key, normal("GRPO algorithm", "method")
    ('largelanguagemodel', Normal(key='grpo', text='GRPO', rules=('head-word',)))
    >>> normal("AIME 2024", "dataset").key == normal("AIME24", "dataset").key
    True
    """
    text = clean(name).strip(" -_‐‑–—.,;:")
    rules = []
    if (spaced := _spaced(text)) != text:
        text = spaced
        rules.append("space")
    # A size in brackets is a size: "Llama-3.3 (70B)" is "Llama-3.3-70B", and no "Llama-3.370B".
    text = re.sub(r"\s*\((\d[^()]*)\)", r" \1", text)
    # An abbreviation in brackets says again what stands before it: "key-value (KV) cache".
    text = re.sub(r"(?<=\w)\s*\([A-Z][A-Za-z]{0,5}[A-Z]s?\)(?=\s\w)", "", text)
    if (owner := re.sub(r"(?<=\w)['’]s$", "", text)) != text:
        text = owner
        rules.append("possessive")
    if (pair := spell_pairs(_LANGUAGE_PAIR.sub(r"\1-\2", text))) != text:
        text = pair
        rules.append("pair")
    if (lingual := _CROSS_LANGUAGE.sub(r"\1ross-lingual", text)) != text and kind == "task":
        text = lingual
        rules.append("word-form")
    if kind == "task" and (ordered := _in_one_order(text)) != text:
        text = ordered
        rules.append("word-order")
    if (first := _AVERAGE_LAST.sub(r"\2-\1", text)) != text and _AVERAGE_LAST.fullmatch(text):
        text = first
        rules.append("word-order")
    if kind == "metric":  # The next sentence begins without a space: "F1-score.All".
        text = re.sub(r"(?<=[a-z]{3})\.[A-Z][a-z]+$", "", text)
    if kind == "task":
        text = re.sub(r"^tasks?\s+[-–:]\s+", "", text)
    if kind == "task" and (noun := _as_noun(text)) != text:
        text = noun
        rules.append("verb")
    american = _american(text)
    if american != text:
        rules.append("spelling")
    one = singular(american)
    if kind == "task":  # The extraction of opinion terms is opinion term extraction.
        one = re.sub(r"\b[a-z]{5,}s(?= [\w-])", lambda word: singular(word[0]), one)
    if one != american:
        rules.append("plural")
    bare = _without_head(one, kind)
    if bare != one:
        rules.append("head-word")
    found = key(bare)
    if match := _YEAR.fullmatch(found):
        found = match["name"] + match["year"]
        rules.append("year-form")
    if not found:  # A name of symbols alone still needs something to be told by.
        found = "u" + "-".join(f"{ord(c):x}" for c in name.strip())
    return Normal(found, bare, tuple(rules))


def _spaced(text: str) -> str:
    """A name without the words that a lost space joined to it; what only says of what kind it is gets its space back.

    >>> _spaced("GLUEbenchmark"), _spaced("theTransformer"), _spaced("SciBERTand"), _spaced("Metadataset")
    ('GLUE benchmark', 'Transformer', 'SciBERT', 'Metadataset')
    """
    text = _GLUED_ARTICLE.sub("", text)
    if match := _GLUED.fullmatch(text):
        return " ".join(filter(None, match.group("name", "head")))
    return text


def _as_noun(text: str) -> str:
    """A task that is told by a verb and its object alone, as names of tasks are written.

    >>> _as_noun("Generating paraphrases"), _as_noun("detect hate speech"), _as_noun("detecting hate speech in tweets")
    ('paraphrase generation', 'hate speech detection', 'detecting hate speech in tweets')
    """
    match = _DOING.fullmatch(text)
    if not match or _SMALL_WORDS & set(match[2].casefold().split()):
        return text
    verb = match[1].casefold()
    return f"{singular(match[2])} {_DONE.get(verb, verb + 'ion')}"


def _in_one_order(text: str) -> str:
    """A task with the words before it that tell its setting in one order.

    >>> _in_one_order("zero-shot cross-lingual transfer") == _in_one_order("cross-lingual zero-shot transfer")
    True
    """
    match = _SET.fullmatch(text)
    return " ".join([*sorted(_SETTING.findall(match[1]), key=str.casefold), match[2]]) if match else text


def _american(text: str) -> str:
    def change(match: re.Match[str]) -> str:
        word = match[0]
        if word.lower() in _NOT_BRITISH:
            return word
        for pattern, replacement in _SPELLINGS:
            word = pattern.sub(replacement, word)
        return word

    return re.sub(r"[A-Za-z]{5,}", change, text)


@remembered()
def singular(text: str) -> str:
    """A name with its last word in the singular; words that only end in s stay.

    >>> singular("success rates"), singular("GANs"), singular("policies"), singular("Kinetics"), singular("DARTS")
    ('success rate', 'GAN', 'policy', 'Kinetics', 'DARTS')
    """
    match = re.search(r"[^\W\d_]*s$|[^\W_]+s$|\w*(?:ices|ora|ria|ata)$", text)
    if not match or not match[0]:
        return text
    word, before = match[0], text[: match.start()]
    lower = word.lower()
    if lower in _IRREGULAR and not word.isupper():
        return before + word[0] + _IRREGULAR[lower][1:]
    if not word.endswith("s") or lower in _NO_PLURAL or word.isupper():
        return text
    if re.search(r"[A-Z0-9]s$", word):
        return before + word[:-1] if len(word) > 2 else text
    if len(word) < 4 or re.search(r"(?:ss|us|is|ics|ous|as|os)$", lower):
        return text
    if lower.endswith("ies") and len(word) > 4:
        return before + word[:-3] + "y"
    if re.search(r"(?:ches|shes|xes|sses|zzes)$", lower):
        return before + word[:-2]
    return before + word[:-1]


def _without_head(text: str, kind: str) -> str:
    """The name without a generic head word, where what stays is a name by itself and not a common word."""
    match = _HEAD[kind].fullmatch(text) if kind in _HEAD else None
    if not match:
        return text
    rest = match["rest"]
    words = re.split(r"\s+", rest)
    if len(words) > 3 or not _is_marked(words[-1]):
        return text
    # ARC-Challenge is a part of ARC; the SQuAD challenge is SQuAD.
    return text if re.search(r"\bChallenges?$", text) else rest


def _is_marked(word: str) -> bool:
    """Whether a word is written like a name wherever it stands: capitals or digits beyond the first letter."""
    return bool(re.search(r"[A-Z0-9]", word[1:])) and any(c.isalpha() for c in word)


@remembered()
def is_proper(name: str) -> bool:
    """Whether a name is coined rather than descriptive, by its capitals.

    Some word has a capital or digit beyond its first letter, or the name is one capitalised word.

    >>> is_proper("PRISM"), is_proper("knowledge distillation"), is_proper("Kanzi"), is_proper("Machine translation")
    (True, False, True, False)
    """
    words = re.split(r"[\s\-]+", clean(name))
    if words[-1].casefold() in _ATTRIBUTES:
        return False
    if any(_is_marked(word) for word in words if word):
        return True
    return len(words) == 1 and words[0][:1].isupper()


@remembered()
def is_definition(short: str, long: str) -> bool:
    """Whether `short` can abbreviate `long`: its characters stand in it in order, from the first letter on.

    After Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions in biomedical text",
    read from the front, since here both forms are given. The short form is one word with two capitals; a phrase that
    holds the short form as a word modifies it and does not define it, nor does one whose last words alone have its
    initials.

    >>> is_definition("LVR", "Latent Visual Reasoning"), is_definition("GANs", "generative adversarial networks")
    (True, True)
    >>> is_definition("BLEU", "accuracy"), is_definition("RAG", "retrieval for agentic RAG")
    (False, False)
    >>> is_definition("NER", "named entity recognition"), is_definition("NER", "nested named entity recognition")
    (True, False)
    """
    short, long = singular(clean(short)), clean(long)
    letters = [c for c in short.casefold() if c.isalnum()]
    words = re.findall(r"[^\W_]+", long.casefold())
    if " " in short or not 2 <= len(letters) <= 14 or sum(c.isupper() for c in short) < 2:
        return False
    if len(long) <= len(short) or (len(words) < 2 and len(long) < 3 * len(short)):
        return False
    parts = {key(part) for part in re.split(r"\s+", singular(long))}
    first = long.split()[0]
    if key(short) in parts or (_is_marked(first) and key(first).startswith(key(short))):
        return False
    while words and words[0] in _SMALL_WORDS and words[0][0] != letters[0]:
        words.pop(0)
    return _in_order(letters, " ".join(words)) and not _is_narrowed("".join(letters), words)


def _is_narrowed(letters: str, words: list[str]) -> bool:
    """Whether the letters are the initials of the last words, and those before narrow what they name."""
    told = [word for word in words if word not in _SMALL_WORDS]
    first = "".join(word[0] for word in told)
    return first != letters and len(first) > len(letters) and first.endswith(letters)


@remembered()
def is_quality(long: str) -> bool:
    """Whether a long form ends in an adjective, and so names a quality that things of several names have.

    >>> is_quality("Non-Autoregressive"), is_quality("masked language objective"), is_quality("knowledge graph")
    (True, False, False)
    """
    words = re.findall(r"[^\W_]+", clean(long).casefold())
    return bool(words) and words[-1] not in _NOUNS and _QUALITY.search(words[-1]) is not None


def core(long: str) -> str:
    """A long form without what only follows it: an added clause, or words that lead to something else.

    >>> core("Cyclic Kernel Modulator, using dynamic kernels"), core("Across-variable Convolution architecture for")
    ('Cyclic Kernel Modulator', 'Across-variable Convolution architecture')
    """
    words = re.split(r"\s*[,;:(]\s", clean(long))[0].split(" ")
    while len(words) > 1 and words[-1].casefold() in _SMALL_WORDS:
        words.pop()
    return " ".join(words)


def _in_order(letters: list[str], text: str) -> bool:
    if not text.startswith(letters[0]):
        return False
    at = 0
    for letter in letters[1:]:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return True


@remembered()
def stems(text: str) -> frozenset[str]:
    """The content words of a phrase without their endings; enough to see that two long forms use the same words.

    >>> sorted(stems("Convolutional Neural Networks")) == sorted(stems("convolution neural network"))
    True
    """
    words = re.findall(r"[^\W_]+", _american(singular(clean(text))).casefold())
    return frozenset(_stem(word) for word in words if word not in _SMALL_WORDS)


#: The first that fits goes.
_ENDINGS = (
    *("ational", "ization", "ation", "ional", "ative", "ating", "ated"),
    *("ing", "ion", "ive", "ate", "ize", "al", "ed", "er", "or", "e"),
)


#: What turns one noun into another of the same thing, at the end of a word (argument, argumentation; topic, topical).
_FORMS = ("ational", "ation", "ional", "ating", "ing", "ion", "al")


@remembered()
def roots(text: str) -> tuple[str, ...]:
    """The words of a phrase in their order, each without what makes another noun or adjective of it.

    Less is taken off than by `stems`: a structured prediction is none of structures, and a parser is no parsing.

    >>> roots("relational classification") == roots("relation classification")
    True
    >>> roots("structured prediction") == roots("structure prediction")
    False
    """
    words = re.findall(r"[^\W_]+", _american(singular(clean(text))).casefold())
    return tuple(_root(word) for word in words)


def _root(word: str) -> str:
    for ending in _FORMS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _stem(word: str) -> str:
    word = singular(word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def same_expansion(one: str, other: str, *, strict: bool = False) -> bool:
    """Whether two long forms of one short form mean the same: over three fifths of their words are shared, or all.

    Only to be asked of phrases that some paper abbreviates by the same letters; it is no measure of likeness of names.

    >>> same_expansion("dense passage retrieval", "Dense Passage Retriever")
    True
    >>> same_expansion("dense passage retrieval", "dense phrase retrieval")
    False
    >>> same_expansion("multimodal LLMs", "Multimodal Large Language Models")
    True
    """
    if key(one) == key(other):
        return True
    left, right = stems(one), stems(other)
    if not left or not right:
        return False
    if _spelt_out(one, other) or _spelt_out(other, one):
        return True
    pairs = sum(any(_same_word(a, b) for b in right) for a in left)
    shared = pairs / (len(left) + len(right) - pairs)
    return shared >= 1 if strict else shared > 0.6


def _same_word(one: str, other: str) -> bool:
    """Whether two stems are of one word: five letters or all of the shorter agree, and three at most follow."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return one == other or (same >= min(5, len(one), len(other)) >= 4 and max(len(one), len(other)) - same <= 3)


@remembered()
def initials(text: str) -> str:
    """The first letters of a phrase's words, small words left out; those of an abbreviation in it all.

    >>> initials("multimodal LLMs"), initials("Features at Convergence Theorem")
    ('mllm', 'fct')
    """
    words = [word for word in re.findall(r"[^\W_]+", singular(clean(text))) if word.casefold() not in _SMALL_WORDS]
    return "".join(word if sum(c.isupper() for c in word) > 1 else word[0] for word in words).casefold()


def _spelt_out(one: str, other: str) -> bool:
    """Whether `other` is `one` with the abbreviations in it written out."""
    words = re.findall(r"[^\W_]+", singular(clean(one)))
    short = [word for word in words if sum(c.isupper() for c in word) > 1]
    rest = {word.casefold() for word in words if word not in short} - _SMALL_WORDS
    written = set(re.findall(r"[^\W_]+", singular(clean(other)).casefold()))
    return bool(short) and len(words) > 1 and rest <= written and initials(one) == initials(other)
