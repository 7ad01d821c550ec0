"""Pictures for papers and talks, by matplotlib where it is installed: a leaderboard as bars, a trend over the years."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sotagraph.analyze import Score, leaderboard, trend
from sotagraph.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    import networkx as nx
    from matplotlib.axes import Axes

__all__ = ["plot_leaderboard", "plot_trend"]

_BEST, _REST, _INK = "#3450d2", "#b9c2d4", "#161a22"


def plot_leaderboard(
    graph: nx.MultiDiGraph[str], dataset: str, *, metric: str | None = None, axes: Axes | None = None
) -> Axes:
    """Absolute scores on a dataset as bars, the best on top; of the metric that most scores have, unless one is named.

    Args:
        graph: the graph.
        dataset: id, name or alias.
        metric: the metric to show.
        axes: where to draw; by default a new figure.

    Raises:
        ConfigError: matplotlib is not installed.
        NotFoundError: there is no such dataset or metric, or no absolute score on it.
    """
    board = leaderboard(graph, dataset, metric=metric)
    if not board.scores:
        raise NotFoundError(f"no absolute score on {board.label}; a leaderboard of gains cannot be drawn")
    shown = [score for score in board.scores if score.metric == board.scores[0].metric]
    axes = _axes(axes, height=0.9 + 0.42 * len(shown))
    labels = [_label(score) for score in shown]
    places = range(len(shown) - 1, -1, -1)
    bars = axes.barh(
        list(places),
        [float(score.value) for score in shown],
        height=0.62,
        color=[_BEST if score.rank == 1 else _REST for score in shown],
    )
    axes.bar_label(bars, labels=[score.value_text for score in shown], padding=4, fontsize=9)
    axes.set_yticks(list(places), labels)
    axes.set_xlabel(shown[0].metric or "score")
    axes.set_title(board.label, loc="left", fontweight="bold", color=_INK)
    axes.margins(x=0.12)
    return _tidy(axes)


def plot_trend(graph: nx.MultiDiGraph[str], name: str, *, axes: Axes | None = None) -> Axes:
    """How many papers a year are tied to a method, dataset, metric or task.

    Raises:
        ConfigError: matplotlib is not installed.
        NotFoundError: nothing is called so, or no paper tied to it has a year.
    """
    points = [(point.year, point.papers) for point in trend(graph, name) if point.year is not None]
    if not points:
        raise NotFoundError(f"no paper tied to {name!r} has a year; there is no trend to draw")
    counts = dict(points)
    years = list(range(points[0][0], points[-1][0] + 1))
    axes = _axes(axes, height=3.2)
    axes.bar(years, [counts.get(year, 0) for year in years], width=0.62, color=_BEST)
    axes.set_xticks(years, [str(year) for year in years])
    top = max(counts.values())
    axes.set_yticks(range(0, top + 1, max(1, top // 5)))
    axes.set_ylabel("papers")
    axes.set_title(name, loc="left", fontweight="bold", color=_INK)
    return _tidy(axes)


def _label(score: Score) -> str:
    name = score.method or score.paper
    return f"{name} ({score.condition})" if score.condition else name


def _axes(axes: Axes | None, *, height: float) -> Axes:
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ConfigError("plots need matplotlib, which is not installed; pip install 'sotagraph[plots]'") from error
    _, made = pyplot.subplots(figsize=(7.2, height), layout="constrained")
    return made


def _tidy(axes: Any) -> Axes:
    """No box around the data, only the line that it stands on."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, labelsize=9)
    found: Axes = axes
    return found
