"""The first page: a table comes in, and earlier runs are listed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from nicegui import ui

from scalesr.app.examples import EXAMPLES
from scalesr.app.pages.frame import frame, tell
from scalesr.app.parts import button, element, heading, link, paragraph, section, table
from scalesr.app.site import Site
from scalesr.errors import ScaleSRError
from scalesr.runs.run import Run
from scalesr.runs.state import Phase

LONGEST: Final = 70  # characters of a law in the list
SECONDS_BETWEEN: Final = 1.0  # two looks at the runs


def home(site: Site) -> None:
    """Choose, drop or paste a table, or take an example."""
    with frame("Find a law"):
        heading("Find the law behind a table", 1)
        paragraph("Everything stays on this machine.")
        with element("div", classes="ways", data_send="/tables"):
            _choose()
            _paste()
            _examples(site)
        element("p", "", classes="said", role="status", data_said="")
        with element("section", id="runs"):
            heading("Runs")
            _RunList(site)


def _choose() -> None:
    with element("div", classes="way drop", data_drop=""):
        heading("A file")
        paragraph("Drop it here, or choose it: CSV or other text, Excel, Parquet, NumPy, gzipped or not.")
        element("label", "Choose a file", classes="button", for_="file")
        element("input", id="file", type="file", classes="away")


def _paste() -> None:
    with element("div", classes="way"):
        element("label", "Cells from a spreadsheet", classes="h2", for_="cells")
        element("textarea", id="cells", rows=5, spellcheck="false", placeholder="a\tP\n0.389\t87.77\n0.724\t224.70")
        button("Use these cells", data_paste="cells")


def _examples(site: Site) -> None:
    with element("div", classes="way"):
        heading("An example")
        for key, example in EXAMPLES.items():
            with element("p", classes="example"):
                button(example.title, _taken(site, key))
                element("span", example.origin, classes="hint")


def _taken(site: Site, key: str) -> Callable[[], None]:
    example = EXAMPLES[key]

    def take() -> None:
        try:
            run = site.add(example.file, [example.make()], example.plan)
        except ScaleSRError as error:
            tell(str(error))
        else:
            ui.navigate.to(f"/runs/{run.key}")

    return take


class _RunList:
    """The runs of the project, shown anew when one of them has changed."""

    def __init__(self, site: Site) -> None:
        self._site, self._shown = site, ""
        self._body = element("div")
        ui.timer(SECONDS_BETWEEN, self._look, immediate=True)

    def _look(self) -> None:
        runs = self._site.project.runs()
        now = repr([(run.key, _phase(run)) for run in runs])
        if now != self._shown:
            self._shown = now
            self._body.clear()
            with self._body:
                _show(self._site, runs)


def _phase(run: Run) -> str:
    try:
        return str(run.state.phase)
    except ScaleSRError as error:
        return str(error)


def _show(site: Site, runs: list[Run]) -> None:
    if not runs:
        paragraph("None yet. Each table that you bring gets a folder of plain files here:", classes="hint")
        element("code", str(site.project.path))
        return
    lines = [line for run in runs if (line := _line(run)) is not None]
    table(
        ["table", "state", "law", "verdict", "error / standard deviation", "seconds"],
        lines,
        caption="Runs, the newest first",
    )
    paragraph(f"Kept as plain files in {site.project.path}", classes="hint")


def _line(run: Run) -> list[Any] | None:
    """A run in one line of the list; None where its files cannot be read."""
    try:
        state, about, name = run.state, run.values("summary") or {}, run.name
    except ScaleSRError:
        return None
    law = str(about.get("law", "")) if state.phase is Phase.DONE else ""
    error = about.get("share")
    return [
        lambda: link(name, f"/runs/{run.key}"),
        str(state.phase),
        lambda: element("code", law if len(law) <= LONGEST else law[: LONGEST - 3] + "..."),
        str(about.get("verdict", "")) if law else "",
        float(error) if law and isinstance(error, int | float) else "",
        f"{state.seconds:.1f}" if state.seconds else "",
    ]


def missing(why: str) -> None:
    """A page that is not there."""
    with frame("Not found"), section("There is nothing here"):
        paragraph(why)
        link("All runs", "/")
