"""The figure of recovery: the share of laws that are found against the rows of their tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from scalesr.report.palette import PAPER, Palette
from scalesr.report.pictures import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES = ("-", "--", ":", "-.")  # a method each


class NoisyRows(Protocol):
    """What noise the rows had."""

    @property
    def noise_words(self) -> str: ...


class Recovered(Protocol):
    """How many laws a method found with this many rows."""

    @property
    def method(self) -> str: ...
    @property
    def condition(self) -> NoisyRows: ...
    @property
    def given_rows(self) -> int | None: ...
    @property
    def share(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


def recovery_figure(lines: Sequence[Recovered], palette: Palette = PAPER) -> Figure:
    """A line per method and noise with the 95 % intervals of its shares; tables of their usual rows are left out."""
    drawn = [line for line in lines if line.given_rows]
    methods = list(dict.fromkeys(line.method for line in drawn))
    noises = list(dict.fromkeys(line.condition.noise_words for line in drawn))

    def draw(axes: Axes, palette: Palette) -> None:
        colours = (palette.first, palette.second, palette.third, palette.rows)
        for place, method in enumerate(methods):
            for colour, noise in enumerate(noises):
                own = [one for one in drawn if (one.method, one.condition.noise_words) == (method, noise)]
                name = f"noise {noise}" if len(methods) == 1 else f"{method}, noise {noise}"
                _line(axes, own, name, STYLES[place % len(STYLES)], colours[colour % len(colours)])
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.set_ylim(0, 1)
        axes.set_xlabel("rows")
        axes.set_ylabel("share of laws recovered")
        axes.legend(fontsize="small", frameon=False, labelcolor=palette.ink)

    return figure_of([draw], palette)


def _line(axes: Axes, lines: Sequence[Recovered], name: str, style: str, colour: str) -> None:
    own = sorted(lines, key=lambda line: line.given_rows or 0)
    if not own:
        return
    shares = [line.share for line in own]
    below, above = [one.share - one.low for one in own], [one.high - one.share for one in own]
    rows = [line.given_rows for line in own]
    axes.errorbar(
        rows, shares, yerr=[below, above], fmt=f"o{style}", color=colour, linewidth=1.4, markersize=4, capsize=2,
        label=name,
    )  # fmt: skip
