"""Laws of motion: trajectories beside simulations, phase portraits, and simulations from any start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from scalesr.app import charts
from scalesr.app.laws import loaded, simulated
from scalesr.app.pages.result import law_parts, show_command, show_exports, show_story
from scalesr.app.parts import chart, element, listed, paragraph, section, select, slider
from scalesr.estimators.dynamics import ScaleSRDynamics

if TYPE_CHECKING:
    from scalesr.app.pages.run import RunPage

COLOURS = (charts.FIRST, charts.SECOND, charts.THIRD, charts.FAINT)


def motion_parts(page: RunPage) -> Iterator[None]:
    """Everything about the laws of a run's trajectories, part by part."""
    model, view = loaded(page.run), page.run.values("view")
    if view is None or not isinstance(model, ScaleSRDynamics):
        paragraph("The laws cannot be read; find them again.")
        return
    for left, discovery in model.shown_laws():
        yield from law_parts(discovery, left)
    if model.statements_:
        with section("What the data can and cannot determine"):
            listed(model.statements_)
    yield
    _over_time(view)
    if len(view["states"]) > 1:
        _portrait(view)
    yield
    _simulation(model, view)
    show_exports(page.run)
    for left, discovery in model.shown_laws():
        show_story(discovery, f"How {left} was found")
    show_command(page.run)


def _over_time(view: dict[str, Any]) -> None:
    with section("Over time"), element("div", classes="pictures"):
        for place, state in enumerate(view["states"]):
            traces = []
            for run, colour in zip(view["runs"], COLOURS, strict=False):
                traces.append(charts.scatter(run["times"], run["measured"][place], colour=colour))
                traces.append(charts.line(run["times"], run["simulated"][place], colour=colour))
            chart(charts.figure(traces, "time", state), f"{state}: dots measured, lines by the laws from fitted starts")


def _portrait(view: dict[str, Any]) -> None:
    """One state against another."""
    states = view["states"]
    options = {str(place): state for place, state in enumerate(states)}
    with section("Phase portrait"):
        with element("div", classes="fields"):
            across, up = select("Across", options, "0"), select("Up", options, "1")

        def drawn() -> charts.Figure:
            i, j = int(across.value), int(up.value)
            traces = []
            for run, colour in zip(view["runs"], COLOURS, strict=False):
                traces.append(charts.scatter(run["measured"][i], run["measured"][j], colour=colour))
                traces.append(charts.line(run["simulated"][i], run["simulated"][j], colour=colour))
            return charts.figure(traces, states[i], states[j])

        picture = chart(drawn(), "Dots measured, lines by the laws")
        for field in (across, up):
            field.on_change(lambda: picture.update_figure(drawn()))


def _simulation(model: ScaleSRDynamics, view: dict[str, Any]) -> None:
    """The course of the states from a start that sliders choose; laws with inputs are simulated in Python."""
    names, run = model.state_names_, view["runs"][0]
    if model.input_names_ or len(names) != len(view["states"]):
        return
    columns = [[value for one in view["runs"] for value in one["measured"][place]] for place in range(len(names))]
    start = [float(column[0]) for column in run["measured"]]
    length = run["times"][-1] - run["times"][0]
    with section("Simulation"):
        with element("div", classes="fields"):
            fields = [
                slider(f"{name} at the start", start[place], least=min(columns[place]), most=max(columns[place]))
                for place, name in enumerate(names)
            ]
            end = slider("Time", length, least=length / 100, most=4 * length)

        def drawn() -> charts.Figure:
            times, states = simulated(model, [field.value for field in fields], end.value)
            traces = [
                charts.line(times, course, name=name, colour=colour)
                for name, course, colour in zip(names, states, COLOURS, strict=False)
            ]
            return charts.figure(traces, "time", "states", legend=True)

        picture = chart(drawn(), "What the laws give from this start")
        for field in (*fields, end):
            field.on_change(lambda: picture.update_figure(drawn()))
