"""The figure of memory: how much a process holds while it works through tables of different length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scalesr.report.palette import PAPER, Palette
from scalesr.report.pictures import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MIB = 2**20
STYLES = ("-", "--", ":", "-.")  # a table each

Curve = Sequence[tuple[float, int]]  # seconds and bytes


def memory_figure(curves: Mapping[str, Curve], palette: Palette = PAPER) -> Figure:
    """Memory over the time of each run, as a share of that time, so that long and short runs lie beside each other."""

    def draw(axes: Axes, palette: Palette) -> None:
        colours = (palette.first, palette.second, palette.third, palette.rows)
        for place, (name, curve) in enumerate(curves.items()):
            last = max(seconds for seconds, _ in curve) or 1.0
            shares, sizes = [seconds / last for seconds, _ in curve], [size / MIB for _, size in curve]
            axes.plot(
                shares,
                sizes,
                STYLES[place % len(STYLES)],
                color=colours[place % len(colours)],
                label=f"{name}, {last:.0f} s",
            )
        axes.set_ylim(bottom=0)
        axes.set_xlabel("share of the time")
        axes.set_ylabel("MiB")
        axes.legend(fontsize="small", frameon=False, labelcolor=palette.ink)

    return figure_of([draw], palette, n_across=1)
