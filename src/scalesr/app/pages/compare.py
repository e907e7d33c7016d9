"""Runs side by side."""

from __future__ import annotations

from typing import Any, Final

from scalesr.app import charts
from scalesr.app.laws import equation_html, loaded
from scalesr.app.pages.frame import frame
from scalesr.app.pages.missing import missing
from scalesr.app.parts import chart, element, heading, link, paragraph, section, table, trusted
from scalesr.app.site import Site
from scalesr.errors import ScaleSRError
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.records.discovery import Discovery
from scalesr.runs.compare import MOST, side_by_side
from scalesr.runs.progress import front_values
from scalesr.runs.run import RunFolder

COLOURS: Final = (charts.FIRST, charts.SECOND, charts.THIRD, charts.FAINT)


def compare_page(site: Site, keys: str) -> None:
    """The runs of some keys between commas."""
    try:
        runs = [site.project.run(key) for key in keys.split(",")[:MOST]]
        names = [run.name for run in runs]
        lines = side_by_side(runs)
        found = [_discoveries(run) for run in runs]
    except ScaleSRError as error:
        missing(str(error))
        return
    with frame("Runs side by side"):
        heading("Runs side by side", 1)
        heads = ["", *(f"{place}. {name}" for place, name in enumerate(names, 1))]
        laws: list[Any] = ["law", *(_laws(one, run.key) for one, run in zip(found, runs, strict=True))]
        told = [[title, *texts] for title, texts in lines if any(texts)]
        table(heads, [laws, *told], caption="Runs side by side", classes="side-by-side")
        _fronts(found)
        paragraph("Settings that all of them share are not listed.", classes="hint")


def _discoveries(run: RunFolder) -> list[tuple[str, Discovery]]:
    """The laws of a run with what each is for; none where there are none yet."""
    model = loaded(run)
    if model is None:
        return []
    if isinstance(model, ScaleSRRegressor):
        discovery = model.discovery_
        return [(model.target_names_[0], discovery)] if isinstance(discovery, Discovery) else []
    return list(model.shown_laws())


def _laws(found: list[tuple[str, Discovery]], key: str) -> Any:
    def put() -> None:
        for left, discovery in found:
            trusted(equation_html(discovery.equation, left), classes="small")
        if not found:
            element("p", "No law yet.")
        link("Open this run", f"/runs/{key}")

    return put


def _fronts(found: list[list[tuple[str, Discovery]]]) -> None:
    """The Pareto fronts in one picture, where all are for the same column."""
    alone = [laws[0] for laws in found if len(laws) == 1]
    if len(alone) != len(found) or len(alone) > len(COLOURS) or len({left for left, _ in alone}) > 1:
        return
    traces = [
        charts.front_line(front_values(discovery.front), name=f"run {place}", colour=colour)
        for place, ((_, discovery), colour) in enumerate(zip(alone, COLOURS, strict=False), 1)
    ]
    with section("Their Pareto fronts"):
        chart(charts.fronts(traces), "Error against complexity, a line for each run")
