"""sotagraph: research papers in, knowledge graph out."""

from __future__ import annotations

__version__ = "0.1.0"
