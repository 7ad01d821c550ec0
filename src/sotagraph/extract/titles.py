"""What the title of a paper says of a name of its abstract.

"LVR: latent visual reasoning" calls what the paper proposes by its name. No name is taken from a title (one that stands
there alone is none of the abstract's, by the guidelines), and a title that says more than this says little that the
abstract does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sotagraph.names import clean, form

__all__ = ["is_titled", "lead"]

_LEAD = re.compile(r"[\"“'‘]?(?P<name>[^\s:–—][^:–—]*?)[\"”'’]?\s*(?::|\s[-–—]+)\s+\S")
#: Longer beginnings are phrases: "Attention is all you need: …".
_MOST_WORDS = 4


@lru_cache(maxsize=1 << 9)
def lead(title: str) -> str:
    """The form of the name that a title begins with, before a colon or a spaced dash; empty where there is none.

    >>> lead("LVR: Latent Visual Reasoning"), lead("MoE-LoRA - Mixing Experts"), lead("Latent Visual Reasoning")
    ('lvr', 'moe lora', '')
    """
    match = _LEAD.match(clean(title))
    return form(match["name"]) if match is not None and len(match["name"].split()) <= _MOST_WORDS else ""


def is_titled(title: str, surfaces: Iterable[str]) -> bool:
    """Whether the title begins with one of the surfaces of a name.

    >>> is_titled("LVR: Latent Visual Reasoning", ["latent visual reasoning", "LVR"])
    True
    >>> is_titled("LVR: Latent Visual Reasoning", ["latent visual reasoning"])
    False
    """
    begins = lead(title)
    return bool(begins) and any(form(surface) == begins for surface in surfaces)
