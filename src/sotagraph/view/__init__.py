"""The page: one HTML file with the network, leaderboards, lineage and papers, that needs no server and no network.

`to_html` makes it as text, `view` for a notebook; `plot_leaderboard` and `plot_trend` draw, given matplotlib.
"""

from __future__ import annotations

from sotagraph.view.notebook import Page, view
from sotagraph.view.page import to_html
from sotagraph.view.plots import plot_leaderboard, plot_trend

__all__ = ["Page", "plot_leaderboard", "plot_trend", "to_html", "view"]
