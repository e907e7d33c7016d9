"""The figure of search spaces: formulas to be looked at against the complexity of the law."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from scalesr.report.palette import Palette
from scalesr.report.pictures import figure_of
from scalesr_bench.analysis.searched import SearchEffort
from scalesr_bench.analysis.study import SpaceLine

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def space_figure(lines: Sequence[SpaceLine], efforts: Sequence[SearchEffort] = ()) -> Figure:
    """Counted sizes as lines with a band from least to most; scored skeletons as marks, open where censored."""

    def draw(axes: Axes, palette: Palette) -> None:
        n = [line.complexity for line in lines]
        axes.plot(n, [float(line.brute_force) for line in lines], "--", color=palette.ink, label="brute force")
        axes.plot(n, [line.median_control for line in lines], color=palette.first, label="control variables, median")
        least, most = [float(line.least_control) for line in lines], [float(line.most_control) for line in lines]
        axes.fill_between(n, least, most, color=palette.first, alpha=0.15, linewidth=0)
        marks = {
            "mcts": ("s", palette.second),
            "mcts, control variables": ("^", palette.third),
            "default": ("o", palette.rows),
        }
        for way, (mark, colour) in marks.items():
            _scored(axes, [effort for effort in efforts if effort.way == way], mark, colour)
        axes.set_yscale("log")
        axes.set_xlabel("complexity of the law")
        axes.set_ylabel("formulas to look at")
        axes.legend(fontsize="small", frameon=False, labelcolor=palette.ink)

    return figure_of([draw])


def _scored(axes: Axes, efforts: Sequence[SearchEffort], mark: str, colour: str) -> None:
    """Medians of one way of searching; open marks where some formula was not found."""
    for place, n in enumerate(sorted({effort.complexity for effort in efforts})):
        chosen = [effort for effort in efforts if effort.complexity == n]
        is_open = any(effort.censored for effort in chosen)
        label = f"{chosen[0].way}, scored" if place == 0 else "_"
        size = max(median(effort.n_scored for effort in chosen), 1)
        axes.plot([n], [size], mark, color=colour, markerfacecolor="none" if is_open else colour, label=label)
