"""Pure string rules for names: one comparable form, one key, and markup seen through without moving offsets.

Nothing here knows any particular name, apart from Greek letters and LaTeX commands that are part of the writing system.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Plain", "clean", "form", "key", "plain", "scan"]

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ",
    "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Delta": "Δ", "Gamma": "Γ", "Lambda": "Λ", "Omega": "Ω",
    "Phi": "Φ", "Pi": "Π", "Psi": "Ψ", "Sigma": "Σ", "Theta": "Θ",
}  # fmt: skip
_SYMBOLS = {
    "times": "×", "approx": "≈", "sim": "~", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "pm": "±", "rightarrow": "→",
    "to": "→", "uparrow": "↑", "downarrow": "↓", "cdot": "·", "ldots": "…", "dots": "…", "infty": "∞", "ell": "ℓ",
}  # fmt: skip
_WRAPPERS = (
    "url|href|textit|textbf|texttt|textsc|textsf|textrm|textmd|textnormal|textsuperscript|textsubscript|emph|underline|"
    "mathrm|mathbf|mathit|mathsf|mathtt|mathcal|mathbb|bm|boldsymbol|text|mbox|ensuremath|operatorname"
)
_TOKEN = re.compile(
    rf"\\(?:{_WRAPPERS})(?![A-Za-z])\s*"
    rf"|\\(?P<greek>{'|'.join(_GREEK)})(?![A-Za-z])|\\(?P<symbol>{'|'.join(_SYMBOLS)})(?![A-Za-z])"
    r"|\\(?P<escaped>[%&_#$*\{\}])|(?P<tie>~)(?=\S)|(?P<long>---|—)|(?P<dash>[‐-–―−]|--)"
    r"|(?P<markup>[{}$`]|\*+|(?<!\w)_(?=\w)|(?<=\w)_(?!\w))"
)
#: What every match of `_TOKEN` begins with.
_SIGN = re.compile(r"[\\~—‐-―−{}$`*_-]")


@dataclass(frozen=True, slots=True)
class Plain:
    """A text with its markup seen through, and the way back to the original offsets."""

    text: str
    #: For each character of `text`, its offset in the original; one more entry holds the original's length.
    offsets: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of the original that shows ``text[start:end]``, without markup at either side."""
        if start >= end:
            return self.offsets[start], self.offsets[start]
        last = end - 1
        stop = self.offsets[last] + 1
        # A character that stands for a command (π for \pi) takes the whole command with it.
        if self._is_command(last):
            stop = self.offsets[end]
        return self.offsets[start], stop

    def _is_command(self, index: int) -> bool:
        return self.offsets[index + 1] - self.offsets[index] > 1 and self.text[index] in _COMMAND_CHARACTERS

    def position(self, offset: int) -> int:
        """The index in `text` of the first character that stands at or after `offset` of the original."""
        return bisect_left(self.offsets, offset)


_COMMAND_CHARACTERS = frozenset(_GREEK.values()) | frozenset(_SYMBOLS.values()) | frozenset("%&_#$*-—")


# Several components ask for the same document, one after the other.
@lru_cache(maxsize=1 << 9)
def plain(text: str) -> Plain:
    r"""See through LaTeX and Markdown: wrappers, ``$`` and ``*`` go, ``\%`` becomes %, Greek commands become letters.

    >>> plain(r"**Goedel** scores $90.4\%$").text
    'Goedel scores 90.4%'
    >>> plain("*A* is found by A* and V*").text
    'A is found by A* and V*'
    >>> plain(r"**Retro\*** is new").text
    'Retro* is new'
    >>> p = plain(r"by \textbf{LVR} here")
    >>> at = p.text.index("LVR"); p.span(at, at + 3)
    (11, 14)
    """
    out: list[str] = []
    offsets: list[int] = []
    last = 0
    emphasised = False
    for match in scan(_TOKEN, _SIGN, text):
        if match.group().startswith("*"):
            opens = not emphasised and _opens(text, *match.span())
            if not emphasised and not opens:
                continue  # the star of A*, or of a product
            emphasised = opens
        out.append(text[last : match.start()])
        offsets.extend(range(last, match.start()))
        replacement = _replacement(match, text)
        out.append(replacement)
        offsets.extend([match.start()] * len(replacement))
        last = match.end()
    out.append(text[last:])
    offsets.extend(range(last, len(text) + 1))
    return Plain("".join(out), tuple(offsets))


def scan(pattern: re.Pattern[str], opening: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """What ``pattern.finditer(text)`` gives, for a pattern that matches only where `opening`, one character, does.

    The engine looks for one set of characters far faster than it tries a long pattern at every place.

    >>> [m.group() for m in scan(re.compile(r"[+-]?[0-9]+"), re.compile(r"[+0-9-]"), "7 or -21")]
    ['7', '-21']
    """
    end = 0
    for begins in opening.finditer(text):
        if begins.start() >= end and (match := pattern.match(text, begins.start())):
            end = match.end()
            yield match


def _opens(text: str, start: int, end: int) -> bool:
    """Whether a run of stars can begin an emphasis: before a word, and not behind one unless it is doubled."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return bool(after) and not after.isspace() and (not before.isalnum() or end - start > 1)


def _replacement(match: re.Match[str], text: str) -> str:
    if greek := match["greek"]:
        return _GREEK[greek]
    if symbol := match["symbol"]:
        return _SYMBOLS[symbol]
    if match["escaped"]:
        return match["escaped"]
    if match["long"]:
        return "—"  # a break in the sentence, which ties no words together
    if match["tie"]:
        before = text[match.start() - 1 : match.start()]
        return " " if before and not before.isspace() and not text[match.end()].isdigit() else "~"
    return "-" if match["dash"] else ""


@lru_cache(maxsize=1 << 16)
def clean(text: str) -> str:
    r"""A name as a reader sees it: markup gone, white space single, no punctuation at the ends.

    >>> clean(r"  \textsc{Mini}F2F, ")
    'MiniF2F'
    """
    return re.sub(r"\s+", " ", plain(text).text).strip(" .,;:")


def form(text: str) -> str:
    """One comparable form of a surface string: case, dashes, spacing, quotes and light markup do not count.

    >>> form("Mini-F2F") == form("mini f2f"), form("LLaVA") == form("LLaVA-NeXT")
    (True, False)
    """
    text = unicodedata.normalize("NFKC", plain(text).text).casefold()
    text = re.sub(r"[\"'“”‘’]", "", text)
    text = re.sub(r"[\s\-_‐-―−]+", " ", text)
    return text.strip(" .,;:()[]")


@lru_cache(maxsize=1 << 16)
def key(name: str) -> str:
    """What two spellings of one name share; fit for an IRI, and empty only for a name without letters or digits.

    Case, spaces, dashes and underscores are dropped, except between two digits, where they tell numbers apart
    (``Qwen2-7B`` is not ``Qwen-27B``: a dash before a digit stays as ``-`` when a digit stands before it too). ``+``
    and ``*`` are kept, since ``HumanEval+`` is another benchmark than ``HumanEval``.

    >>> key("MiniF2F") == key("miniF2F") == key("mini-F2F")
    True
    >>> key("Qwen2-7B"), key("Qwen-27B"), key("HumanEval+")
    ('qwen2-7b', 'qwen27b', 'humaneval+')
    """
    text = unicodedata.normalize("NFKC", plain(name).text).casefold()
    text = re.sub(r"[\s\-_‐-―−]+", " ", text).strip()
    text = re.sub(r"(?<=\d) (?=\d)", "-", text)
    return re.sub(r"[^\w+*@.∞\-]|(?<!\w)\.|\.(?!\w)|_", "", text)
