"""The reliability diagram: how many laws of a probability are right, against that probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from scalesr.report.palette import PAPER, Palette
from scalesr.report.pictures import Draw, figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Bin(Protocol):
    """Laws of about the same probability."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def n_claims(self) -> int: ...
    @property
    def mean_probability(self) -> float: ...
    @property
    def share_right(self) -> float: ...
    @property
    def least(self) -> float: ...
    @property
    def most(self) -> float: ...


def reliability_figure(methods: Mapping[str, Sequence[Bin]], palette: Palette = PAPER) -> Figure:
    """Share of right laws against probability with its 95 % interval, and how many laws were given each."""
    return figure_of([_shares(methods), _counts(methods)], palette, n_across=2)


def _shares(methods: Mapping[str, Sequence[Bin]]) -> Draw:
    def draw(axes: Axes, palette: Palette) -> None:
        axes.plot([0, 1], [0, 1], "--", color=palette.faint, linewidth=1, label="as many as said")
        for colour, (method, bins) in zip(_colours(palette, methods), methods.items(), strict=True):
            x, y = [one.mean_probability for one in bins], [one.share_right for one in bins]
            below = [one.share_right - one.least for one in bins]
            above = [one.most - one.share_right for one in bins]
            axes.errorbar(x, y, yerr=[below, above], fmt="o-", color=colour, linewidth=1.4, markersize=5, label=method)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        _label(axes, "probability given", "share that is right", palette)

    return draw


def _counts(methods: Mapping[str, Sequence[Bin]]) -> Draw:
    def draw(axes: Axes, palette: Palette) -> None:
        for place, (colour, (method, bins)) in enumerate(zip(_colours(palette, methods), methods.items(), strict=True)):
            widths = [(one.high - one.low) / len(methods) for one in bins]
            lefts = [one.low + place * width for one, width in zip(bins, widths, strict=True)]
            axes.bar(lefts, [one.n_claims for one in bins], widths, align="edge", color=colour, label=method)
        axes.set_xlim(0, 1)
        _label(axes, "probability given", "laws", palette)

    return draw


def _colours(palette: Palette, methods: Mapping[str, Sequence[Bin]]) -> list[str]:
    known = (palette.first, palette.second, palette.third, palette.rows)
    return [known[place % len(known)] for place in range(len(methods))]


def _label(axes: Axes, x: str, y: str, palette: Palette) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend(fontsize="small", frameon=False, labelcolor=palette.ink)
