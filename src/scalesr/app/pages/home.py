"""The first page: a table comes in, and earlier runs are listed."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from scalesr.app.examples import EXAMPLES
from scalesr.app.gate import MAX_BODY
from scalesr.app.pages.frame import frame, tell
from scalesr.app.pages.run_list import RunList
from scalesr.app.parts import button, element, heading, paragraph
from scalesr.app.site import Site
from scalesr.errors import ScaleSRError


def home(site: Site) -> None:
    """Choose, drop or paste a table, or take an example."""
    with frame("Find a law"):
        heading("Find the law behind a table", 1)
        paragraph(
            "Bring a table of numbers and say which column you want to understand. ScaleSR looks for the formula that "
            f"gives it from the other columns, and says how sure it is. {site.where_data_stay}"
        )
        with element("div", classes="ways", data_send="/tables", data_most=MAX_BODY):
            _choose()
            _paste()
            _examples(site)
        element("p", "", classes="said", role="status", data_said="")
        with element("section", id="runs"):
            heading("Runs")
            RunList(site)


def _choose() -> None:
    with element("div", classes="way drop", data_drop=""):
        heading("A file")
        paragraph("Drop it here, or choose it: CSV or other text, Excel, Parquet, NumPy, gzipped or not.")
        element("label", "Choose a file", classes="button", for_="file")
        element("input", id="file", type="file", classes="away")
        paragraph("A line of names, then a row for each measurement.", classes="hint")


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
