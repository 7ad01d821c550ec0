"""Comparisons that a sentence states right before a name or its list, whichever role the name has otherwise.

"Matches MLA" and "unlike MMaDa" compare without a winner; "outperforms TALE" and "a 2x speedup over MDLM" have one. The
trained figures of a name tell these apart badly, since a paper that compares two things often says no more about them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sotagraph.extract.clauses import list_head
from sotagraph.extract.reading import Reading

__all__ = ["Comparisons"]

_REACH = 90
#: What may stand between a comparison and the name: a description of it, and the opening of examples.
_UP_TO_NAME = r"(?:,| \(e\.g\.,?| \()? $"
_EVEN = re.compile(
    r"\b(?:match(?:es|ing|ed)?|rival(?:s|ing)?|par with"
    r"|(?:comparable|competitive|similar|equivalent|identical|close) (?:[\w-]+ ){0,4}?(?:to|with|against)"
    r"|same (?:[\w-]+ ){1,5}as|in contrast to|contrary to|unlike|as opposed to)"
    rf"(?: [\w-]+){{0,7}}{_UP_TO_NAME}",
    re.IGNORECASE,
)
_DESCRIPTION = (
    r"(?: (?:the|its|their|a|an|of|both|strong|standard|existing|previous|prior|popular|vanilla|original|base|"
    r"baselines?|models?|methods?|approaches|sota|state-of-the-art|leading|current|competitive|like|such|as|"
    r"including|larger|recent|specialized|proprietary|open-source)){0,6}"
)
_WON = re.compile(
    r"\b(?:(?:outperform|surpass|exceed|beat)(?:e?s|ing|ed|en)?|superior to|(?:better|faster) than|than|relative to"
    r"|(?:improv|gain|speed-?up|advantage|increas|reduction)\w* (?:[\w%.,~×$\\-]+ ){0,6}?over"
    rf"|compared (?:to|with|against)){_DESCRIPTION}{_UP_TO_NAME}",
    re.IGNORECASE,
)
_WIDER = re.compile(
    r"\b(?:generali[sz](?:e|es|ing)|generali[sz]ations? of|subsum(?:e|es|ing)|unif(?:y|ies|ying)|encompass(?:es|ing)?)"
    rf"(?: (?!(?:to|by|for|on|in|over|across|under|with|beyond)\b)[\w-]+){{0,5}}{_UP_TO_NAME}",
    re.IGNORECASE,
)
#: A victory told anywhere before a name in its sentence, for a name that is found even elsewhere.
_VICTORY = re.compile(r"\b(?:outperform|surpass|exceed|beat|superior to|better|faster)\w*[^.;]{0,40}$", re.IGNORECASE)
Place = tuple[int, int]


class Comparisons:
    """What stands before the names of one document; `names` are the places of all of them.

    >>> from sotagraph.extract.reading import read_document
    >>> from sotagraph.model import Document
    >>> reading = read_document(Document(id="a", text="LVR matches MLA and GQA, and outperforms PPO."))
    >>> said = Comparisons(reading, [(0, 3), (12, 15), (20, 23), (41, 44)])
    >>> said.even([(20, 23)]), said.won([(20, 23)]), said.even([(41, 44)]), said.won([(41, 44)])
    (True, False, False, True)
    """

    def __init__(self, reading: Reading, names: Sequence[Place]) -> None:
        self._reading = reading
        self._begin_of = {end: start for start, end in names}

    def _before(self, start: int) -> str:
        """The text before the list that a name stands in, within its sentence."""
        reading = self._reading
        low = reading.bounds[reading.sentence_of(start)][0]
        head = list_head(reading.text, start, low, self._begin_of)
        return reading.text[max(low, head - _REACH) : head]

    def even(self, places: Sequence[Place]) -> bool:
        """Whether a name is compared without a winner, and nowhere beaten."""
        before = [self._before(start) for start, _ in places]
        found = [_EVEN.search(text) is not None for text in before]
        return any(found) and not any(
            _VICTORY.search(text) for text, even in zip(before, found, strict=True) if not even
        )

    def won(self, places: Sequence[Place]) -> bool:
        """Whether a name is said to be beaten."""
        return any(_WON.search(self._before(start)) for start, _ in places)

    def generalized(self, places: Sequence[Place]) -> bool:
        """Whether something is said to generalize or to subsume a name."""
        return any(_WIDER.search(self._before(start)) for start, _ in places)
