"""The page inside a notebook, or opened from Python."""

from __future__ import annotations

import html
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sotagraph.staging import write_file
from sotagraph.view.page import to_html

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Page", "view"]


@dataclass(frozen=True, slots=True)
class Page:
    """The page as a value: a notebook shows it, `write` saves it, `open` shows it in the browser."""

    html: str
    #: Height of the frame in a notebook, in CSS pixels.
    height: int = 680

    def _repr_html_(self) -> str:
        """A frame that may run the page's own scripts and nothing of the notebook around it."""
        return (
            f'<iframe title="sotagraph" srcdoc="{html.escape(self.html)}" width="100%" height="{self.height}" '
            'sandbox="allow-scripts allow-popups" allow="clipboard-write" frameborder="0"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<sotagraph page, {len(self.html):,} characters>"

    def write(self, path: str | Path) -> Path:
        """Save the page; the file holds the old page or the new one at any moment."""
        target = Path(path)
        write_file(target, self.html)
        return target

    def open(self, path: str | Path) -> Path:
        """Save the page and show it in the browser of this machine."""
        target = self.write(path)
        webbrowser.open(target.resolve().as_uri())
        return target


def view(graph: nx.MultiDiGraph[str], *, title: str = "", height: int = 680) -> Page:
    """The page of a graph, which a notebook shows where this stands last in a cell.

    Raises:
        InputError: a node or an edge has a kind or predicate that the page does not know.

    >>> from sotagraph.view.sample import small
    >>> page = view(small())
    >>> page._repr_html_().startswith('<iframe title="sotagraph" srcdoc="&lt;!doctype html&gt;')
    True
    """
    return Page(to_html(graph, title=title), height)
