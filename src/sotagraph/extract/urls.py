"""Web addresses, and which of them are said to hold the paper's code, weights or data."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["code_urls", "urls"]

_URL = re.compile(
    r"\bhttps?://[^\s<>\"'{}|\\^`\[\]()]+(?:\([^\s()]*\)[^\s<>\"'{}|\\^`\[\]()]*)*"
    r"|\bwww\.[^\s<>\"'{}()]+|\b(?:github|gitlab|huggingface|bitbucket)\.(?:com|co|org)/[^\s<>\"'{}()]+"
)
_HOLDS = re.compile(
    r"\b(?:codes?|codebase|source|implementations?|data|datasets?|benchmarks?|models?|weights|checkpoints?|"
    r"repository|repo|software|package|library|toolkit|open-?sourced?|released?|scripts?)\b",
    re.IGNORECASE,
)
_PAGE = re.compile(r"\b(?:project|demo|web|home)\s*-?(?:page|site|website)?s?\b|\bvideos?\b|\bwebsite\b", re.IGNORECASE)
_HOST = re.compile(
    r"(?:github\.com|gitlab\.com|bitbucket\.org|4open\.science|huggingface\.co|zenodo\.org|osf\.io|codeocean|"
    r"figshare|kaggle\.com)",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"github\.com/?$|github\.com/(?:xxx|anonymous)/?$|example\.(?:com|org)", re.IGNORECASE)


def urls(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of web addresses without the punctuation that ends a sentence.

    >>> text = "Code: https://github.com/a/b. More at (https://x.org/y)."
    >>> [text[a:b] for a, b in urls(text)]
    ['https://github.com/a/b', 'https://x.org/y']
    """
    out = []
    for match in _URL.finditer(text):
        url = match.group().rstrip(".,;:!?*_$")
        if not url.endswith(("://", "www")):
            out.append((match.start(), match.start() + len(url)))
    return out


def code_urls(text: str, bounds: Sequence[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """(start, end) of each address said to hold code, weights or data, and the range of the sentence that says it.

    An address on a host of repositories counts by itself; any other needs a sentence that speaks of code or data and
    not of a project page.

    >>> text = "Project page: https://x.io/p. Code is at https://github.com/a/b."
    >>> [text[a:b] for a, b, *_ in code_urls(text, [(0, 29), (30, 64)])]
    ['https://github.com/a/b']
    """
    out = []
    for start, end in urls(text):
        low, high = next(((a, b) for a, b in bounds if a <= start < b), (max(0, start - 200), end))
        url, said = text[start:end], text[low:start] + " " + text[end:high]
        if _PLACEHOLDER.search(url):
            continue
        if _HOST.search(url) or (_HOLDS.search(said) and not _PAGE.search(said)):
            out.append((start, end, low, high))
    return out
