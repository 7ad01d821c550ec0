"""The page: one HTML file with the network, leaderboards, lineage and papers, that needs no server and no network."""

from __future__ import annotations

from sotagraph.view.page import to_html

__all__ = ["to_html"]
