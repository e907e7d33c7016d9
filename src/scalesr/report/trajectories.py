"""Trajectories beside the laws of motion that were found: measured points, and lines from the first of each run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError, MissingExtra
from scalesr.report.picture_file import write_figure
from scalesr.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Curve = tuple[Floats, Floats, Floats]  # times (points,), measured and simulated states (points, states)

MOST_RUNS = 5  # that are drawn
SUFFIXES = (".svg", ".png", ".pdf")


def trajectory_figure(times: Floats, truth: Floats, found: Floats, states: Sequence[str]) -> Figure:
    """One trajectory and what laws make of it, (points, states) each, a panel per state."""
    return runs_figure([(times, truth, found)], states)


def runs_figure(curves: Sequence[Curve], states: Sequence[str]) -> Figure:
    """One panel per state: measured points and simulated lines, a colour per run."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("Plots need matplotlib: pip install 'scalesr[plot]'") from error
    figure = Figure(figsize=(7.0, 0.6 + 2.2 * len(states)), layout="constrained")
    panels = figure.subplots(len(states), 1, sharex=True, squeeze=False)[:, 0]
    for place, (panel, state) in enumerate(zip(panels, states, strict=True)):
        for k, (times, measured, simulated) in enumerate(curves[:MOST_RUNS]):
            panel.plot(times, measured[:, place], ".", color=f"C{k}", markersize=3, alpha=0.5)
            panel.plot(times, simulated[:, place], "-", color=f"C{k}", linewidth=1.2)
        panel.set_ylabel(visible(state), parse_math=False)
    panels[0].set_title("points: measured, lines: the laws from fitted starts", fontsize=9)
    panels[-1].set_xlabel("time")
    return figure


def write_trajectories(path: Path, curves: Sequence[Curve], states: Sequence[str]) -> None:
    """Draw trajectories into a file, of the kind that its name ends in."""
    if path.suffix.lower() not in SUFFIXES:
        raise DataError(f"{path} does not end in {', '.join(SUFFIXES)}; name a picture that way.")
    write_figure(path, runs_figure(curves, states))
