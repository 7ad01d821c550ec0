"""Corrections (stub)."""
from __future__ import annotations
from dataclasses import dataclass
@dataclass(frozen=True)
class Correction:
    action: str
