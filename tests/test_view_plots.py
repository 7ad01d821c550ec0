from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

import pytest

from sotagraph.errors import ConfigError, NotFoundError
from sotagraph.view import plot_leaderboard, plot_trend
from sotagraph.view.sample import small


@pytest.fixture
def pyplot() -> Iterator[Any]:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is an extra: pip install 'sotagraph[plots]'")
    matplotlib.use("agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_a_leaderboard_as_bars(pyplot: Any) -> None:
    axes: Any = plot_leaderboard(small(), "miniF2F")
    assert axes.get_title(loc="left") == "MiniF2F"
    assert axes.get_xlabel() == "pass@32"
    bars = [patch.get_width() for patch in axes.patches]
    assert bars == [90.4, 88.1, 84.6, 80.7]
    assert axes.get_yticklabels()[0].get_text() == "Larch-32B (pass@32, self-correction)"
    assert axes.patches[0].get_facecolor() != axes.patches[1].get_facecolor()
    assert axes.patches[0].get_y() > axes.patches[1].get_y(), "the best stands on top"


def test_a_trend_fills_the_years_between(pyplot: Any) -> None:
    axes: Any = plot_trend(small(), "theorem proving")
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2023", "2024", "2025"]
    assert [patch.get_height() for patch in axes.patches] == [1, 0, 1]


def test_it_draws_where_it_is_told(pyplot: Any) -> None:
    _, given = pyplot.subplots()
    assert plot_leaderboard(small(), "MiniF2F", axes=given) is given
    assert plot_trend(small(), "GRPO", axes=given) is given


def test_it_can_be_saved(pyplot: Any, tmp_path: Any) -> None:
    axes: Any = plot_leaderboard(small(), "MiniF2F")
    axes.figure.savefig(tmp_path / "board.png")
    assert (tmp_path / "board.png").stat().st_size > 5000


def test_without_a_score_or_a_year_it_says_so() -> None:
    graph = small()
    with pytest.raises(NotFoundError, match="MiniF3F"):
        plot_leaderboard(graph, "MiniF3F")
    for node in [node for node in graph if graph.nodes[node]["kind"] == "Result"]:
        graph.remove_node(node)
    with pytest.raises(NotFoundError, match="no absolute score on MiniF2F"):
        plot_leaderboard(graph, "MiniF2F")
    for node in graph:
        graph.nodes[node].pop("year", None)
    with pytest.raises(NotFoundError, match="has a year"):
        plot_trend(graph, "GRPO")


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ConfigError, match=r"pip install 'sotagraph\[plots\]'"):
        plot_leaderboard(small(), "MiniF2F")
