"""write_motion_report: laws of motion and everything about them as one HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from scalesr.records.discovery import Discovery
from scalesr.records.mean_squares import root_mean_square_error, standard_deviation
from scalesr.report import sections
from scalesr.report.html import number, paragraph, picture, section, table
from scalesr.report.page import Described, document, parameters_of, versions, write_page
from scalesr.report.palette import PAGE, Palette
from scalesr.report.pictures import Draw, dots, figure_of, label
from scalesr.report.svg import to_svg
from scalesr.report.trajectories import MOST_RUNS, Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Moving(Described, Protocol):
    """What a report asks of a fitted system."""

    state_names_: tuple[str, ...]  # those that were measured first
    statements_: tuple[str, ...]

    def shown_laws(self) -> list[tuple[str, Discovery]]:
        """What stands on the left of each law, and its discovery."""


def write_motion_report(path: str | Path, model: Moving, curves: Sequence[Curve], *, command: str) -> None:
    """Write the report of a fitted system; `curves` are its trajectories, measured and simulated (`model.compare`)."""
    write_page(path, motion_page(model, curves, command=command))


def motion_page(model: Moving, curves: Sequence[Curve], *, command: str) -> str:
    """The report as HTML."""
    named = model.shown_laws()
    states = model.state_names_[: len(named)]
    laws = [sections.law(discovery, left) for left, discovery in named]
    told = (
        section("What the data can and cannot determine", *map(paragraph, model.statements_))
        if model.statements_
        else ""
    )
    histories = [
        sections.front(discovery, f"s{place}", of=state) + sections.story(discovery, f"s{place}", of=state)
        for place, (state, (_, discovery)) in enumerate(zip(states, named, strict=True))
    ]
    about = sections.settings(parameters_of(model), versions(), command)
    title = f"The laws of {', '.join(states)}"
    runs = "1 trajectory" if len(curves) == 1 else f"{len(curves)} trajectories"
    what = paragraph(f"{runs}, {sum(len(times) for times, _, _ in curves)} points.")
    return document(title, "".join([what, *laws, told, _agreement(curves, states), *histories, about]))


def _agreement(curves: Sequence[Curve], states: Sequence[str]) -> str:
    """Measured states beside those that the laws give from starts fitted to each trajectory."""
    drawn = [
        picture(
            to_svg(
                figure_of([_along_time(curves, place, state)], PAGE), key=f"motion{place}", label=f"{state} over time"
            ),
            f"{state}: dots measured, lines by the laws from fitted starts",
        )
        for place, state in enumerate(states)
    ]
    lines = [(state, *_errors(curves, place)) for place, state in enumerate(states)]
    heads = ["state", "root mean square error", "of its standard deviation", "points without a value"]
    left_out = len(curves) - MOST_RUNS
    more = paragraph(f"The first {MOST_RUNS} trajectories are drawn, {left_out} are not.") if left_out > 0 else ""
    grid = f'<div class="pictures">{"".join(drawn)}</div>'
    return section("Laws and trajectories", more, grid, table(heads, lines))


def _errors(curves: Sequence[Curve], place: int) -> tuple[str, str, str]:
    """How far simulations are from what was measured, over all trajectories."""
    measured = np.concatenate([states[:, place] for _, states, _ in curves])
    simulated = np.concatenate([states[:, place] for _, _, states in curves])
    has_value = np.isfinite(simulated)
    error = root_mean_square_error(measured[has_value], simulated[has_value]) if has_value.any() else np.nan
    std = standard_deviation(measured)
    return number(error), number(error / std if std > 0 else np.nan), str(int((~has_value).sum()))


def _along_time(curves: Sequence[Curve], place: int, state: str) -> Draw:
    def draw(axes: Axes, palette: Palette) -> None:
        colours = (palette.first, palette.second, palette.third, palette.rows, palette.faint)
        for (times, measured, simulated), colour in zip(curves[:MOST_RUNS], colours, strict=False):
            dots(axes, times, measured[:, place], colour)
            axes.plot(times, simulated[:, place], color=colour, linewidth=1.2)
        label(axes, "time", state)

    return draw
