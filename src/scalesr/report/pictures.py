"""The figures: each draws one thing on axes that it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scalesr.errors import MissingExtra
from scalesr.records.curves import Curves
from scalesr.records.discovery import Discovery
from scalesr.records.groups import GroupConstants
from scalesr.report.law_on_rows import LawOnRows
from scalesr.report.palette import PAPER, Palette
from scalesr.report.sweeps import law_along
from scalesr.report.symbols import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_DOTS = 800  # rows that a picture shows
SIZE = (4.6, 3.4)  # inches

Draw = Callable[["Axes", Palette], None]


def figure_of(draws: Sequence[Draw], palette: Palette = PAPER, *, n_across: int = 1) -> Figure:
    """A figure with axes for each drawing, this many beside each other."""
    figure_class = _figure_class()
    n_down = -(-len(draws) // n_across)
    figure: Figure = figure_class(figsize=(SIZE[0] * n_across, SIZE[1] * n_down), layout="constrained")
    figure.set_facecolor(palette.ground)
    for place, draw in enumerate(draws, start=1):
        axes = figure.add_subplot(n_down, n_across, place)
        draw(axes, palette)
        _colour(axes, palette)
    return figure


def agreement(rows: LawOnRows) -> Draw:
    """What the law says against what was measured."""

    def draw(axes: Axes, palette: Palette) -> None:
        shown = _thinned(len(rows.y))
        ends = [float(min(rows.y.min(), rows.predicted.min())), float(max(rows.y.max(), rows.predicted.max()))]
        axes.plot(ends, ends, color=palette.faint, linewidth=1)
        dots(axes, rows.predicted[shown], rows.y[shown], palette.first)
        label(axes, f"{rows.target} by the law", f"{rows.target} in the table")

    return draw


def residuals(rows: LawOnRows) -> Draw:
    """What the law leaves, along what it says."""

    def draw(axes: Axes, palette: Palette) -> None:
        shown = _thinned(len(rows.y))
        axes.axhline(0, color=palette.faint, linewidth=1)
        dots(axes, rows.predicted[shown], rows.residual[shown], palette.first)
        label(axes, f"{rows.target} by the law", "table minus law")

    return draw


def residual_histogram(rows: LawOnRows) -> Draw:
    """How often residuals of each size occur."""

    def draw(axes: Axes, palette: Palette) -> None:
        axes.hist(rows.residual, bins=min(40, 5 + len(rows.y) // 10), color=palette.first)
        label(axes, "table minus law", "rows")

    return draw


def front(discovery: Discovery) -> Draw:
    """Loss against complexity; the law is marked."""

    def draw(axes: Axes, palette: Palette) -> None:
        laws = discovery.front or (discovery.taken,)
        positive = [law.loss for law in (*laws, discovery.taken) if law.loss > 0]
        floor = 0.1 * min(positive, default=1.0)
        axes.plot(
            [law.complexity for law in laws], [max(law.loss, floor) for law in laws],
            color=palette.rows, marker="o", markersize=5, linewidth=1,
        )  # fmt: skip
        axes.plot(
            [discovery.taken.complexity], [max(discovery.taken.loss, floor)],
            color=palette.second, marker="o", markersize=9, linestyle="none",
        )  # fmt: skip
        axes.set_yscale("log")
        axes.xaxis.get_major_locator().set_params(integer=True)
        label(axes, "complexity", "mean squared error")

    return draw


def group_constant(groups: GroupConstants, place: int) -> Draw:
    """One constant of all groups with its standard errors, in ascending order."""

    def draw(axes: Axes, palette: Palette) -> None:
        values, errors = groups.values[:, place], np.nan_to_num(groups.standard_errors[:, place])
        order = np.argsort(values)
        axes.errorbar(
            np.arange(len(values)), values[order], errors[order], linestyle="none", marker="o", markersize=3,
            color=palette.first, ecolor=palette.faint,
        )  # fmt: skip
        label(axes, f"{groups.by}, in ascending order", groups.letters[place])

    return draw


def along(rows: LawOnRows, variable: int) -> Draw:
    """The law along one variable at three settings of the others, and the rows moved to the middle one."""

    def draw(axes: Axes, palette: Palette) -> None:
        lines = law_along(rows, variable)
        shown = _thinned(len(rows.y))
        dots(axes, rows.table[shown, variable], lines.moved_rows[shown], palette.rows)
        for curve, colour in zip(lines.curves, (palette.second, palette.first, palette.third), strict=False):
            axes.plot(lines.x, curve, color=colour, linewidth=1.6)
        label(axes, rows.equation.names[variable], rows.target)

    return draw


def seen(curves: Curves) -> Draw:
    """What a stage saw along a variable, as dots, and what its formula says, as lines."""

    def draw(axes: Axes, palette: Palette) -> None:
        colours = (palette.first, palette.second, palette.third, palette.rows)
        for line, colour in zip(curves.lines, colours, strict=False):
            dots(axes, line.x, line.y, colour)
            if line.formula:
                axes.plot(line.x, line.formula, color=colour, linewidth=1)
        label(axes, curves.x, curves.y)

    return draw


def dots(axes: Axes, x: Any, y: Any, colour: str) -> None:
    """Small dots, so that many can be seen."""
    axes.plot(x, y, linestyle="none", marker="o", markersize=3, alpha=0.6, markeredgewidth=0, color=colour)


def _thinned(n_rows: int) -> Any:
    return (np.arange(min(n_rows, MAX_DOTS)) * n_rows) // min(n_rows, MAX_DOTS)


def label(axes: Axes, x: str, y: str) -> None:
    """Names of columns as they are: a dollar sign starts no formula."""
    for text, name in ((axes.xaxis.label, x), (axes.yaxis.label, y)):
        text.set_parse_math(False)
        text.set_text(_short(printable(name)))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _colour(axes: Axes, palette: Palette) -> None:
    axes.set_facecolor(palette.ground)
    axes.tick_params(which="both", color=palette.ink, labelcolor=palette.ink, labelsize=9)
    for line in axes.spines.values():
        line.set_color(palette.ink)
    axes.spines["top"].set_visible(False)
    axes.spines["right"].set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set_color(palette.ink)
        axis.get_offset_text().set_color(palette.ink)


def _figure_class() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("Plots need matplotlib: pip install 'scalesr[plot]'") from error
    return Figure
