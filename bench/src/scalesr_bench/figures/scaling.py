"""The figure of scaling: what a discovery takes against the rows and the variables of its table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from scalesr.report.palette import PAPER, Palette
from scalesr.report.pictures import Draw, figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MIB = 2**20
STYLES = ("-", "--", ":", "-.")  # a method each


class Measured(Protocol):
    """What one table took."""

    @property
    def method(self) -> str: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_variables(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def peak_bytes(self) -> int: ...
    @property
    def is_right(self) -> bool: ...


Number = Callable[[Measured], float]


def scaling_figure(points: Sequence[Measured], palette: Palette = PAPER) -> Figure:
    """Seconds against rows and against variables, and memory against rows; open marks where the law was missed."""
    return figure_of(scaling_draws(points), palette, n_across=3)


def scaling_draws(points: Sequence[Measured]) -> list[Draw]:
    """The three parts of the figure."""
    return [_seconds_by_rows(points), _seconds_by_variables(points), _memory_by_rows(points)]


def _seconds_by_rows(points: Sequence[Measured]) -> Draw:
    def draw(axes: Axes, palette: Palette) -> None:
        _by_rows(axes, points, _seconds, palette)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        _label(axes, "rows", "seconds", palette)

    return draw


def _memory_by_rows(points: Sequence[Measured]) -> Draw:
    def draw(axes: Axes, palette: Palette) -> None:
        _by_rows(axes, points, _mib, palette)
        axes.set_ylim(bottom=0)
        _label(axes, "rows", "MiB", palette)

    return draw


def _by_rows(axes: Axes, points: Sequence[Measured], number: Number, palette: Palette) -> None:
    """A line for each number of variables that several numbers of rows were measured with."""
    for count in _several(points, lambda p: p.n_variables, lambda p: p.n_rows):
        own = [point for point in points if point.n_variables == count]
        _lines(axes, own, lambda p: p.n_rows, number, f"{count} variables", palette)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:,.0f}")


def _seconds_by_variables(points: Sequence[Measured]) -> Draw:
    """A line for each number of rows that several numbers of variables were measured with."""

    def draw(axes: Axes, palette: Palette) -> None:
        for count in _several(points, lambda p: p.n_rows, lambda p: p.n_variables):
            own = [point for point in points if point.n_rows == count]
            _lines(axes, own, lambda p: p.n_variables, _seconds, f"{count:,} rows", palette)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        _label(axes, "variables", "seconds", palette)

    return draw


def _several(points: Sequence[Measured], held: Number, free: Number) -> list[int]:
    """Values of one number at which another takes several; of a single table, its own."""
    values = sorted({int(held(point)) for point in points})
    moving = [value for value in values if len({free(point) for point in points if held(point) == value}) > 1]
    return moving or values[:1]


def _lines(axes: Axes, points: Sequence[Measured], x: Number, y: Number, label: str, palette: Palette) -> None:
    """A line per method, its marks open where the law was missed."""
    colours = (palette.first, palette.second, palette.third, palette.rows)
    colour = colours[len(axes.get_legend_handles_labels()[1]) % len(colours)]
    methods = list(dict.fromkeys(point.method for point in points))
    for place, method in enumerate(methods):
        own = sorted((point for point in points if point.method == method), key=x)
        name = label if len(methods) == 1 else f"{label}, {method}"
        style = STYLES[place % len(STYLES)]
        axes.plot([x(p) for p in own], [y(p) for p in own], style, color=colour, linewidth=1.4, label=name)
        for point in own:
            fill = colour if point.is_right else palette.ground
            axes.plot([x(point)], [y(point)], "o", color=colour, markersize=5, markerfacecolor=fill, label="_")


def _label(axes: Axes, x: str, y: str, palette: Palette) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend(fontsize="small", frameon=False, labelcolor=palette.ink)


def _seconds(point: Measured) -> float:
    return point.seconds


def _mib(point: Measured) -> float:
    return point.peak_bytes / MIB
