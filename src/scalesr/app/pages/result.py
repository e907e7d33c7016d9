"""The result of a run: the law with its evidence, to look at from all sides, to compare and to take away."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from scalesr.app import charts
from scalesr.app.gate import MAX_BODY
from scalesr.app.laws import Shown, equation_html, read_numbers, shown
from scalesr.app.pages.along import show_along
from scalesr.app.pages.judging import show_judging
from scalesr.app.pages.rows import RowsView
from scalesr.app.parts import button, chart, element, folded, law_box, link, listed, paragraph, section, table, trusted
from scalesr.estimators.groups import group_table
from scalesr.estimators.known_constants import told_constants
from scalesr.records.discovery import Discovery, Law, Step
from scalesr.report.groups import MAX_LINES
from scalesr.report.sections import COLOURS
from scalesr.runs.exports import EXPORTS

if TYPE_CHECKING:
    from scalesr.app.pages.run import RunPage
    from scalesr.runs.run import RunFolder


def result_parts(page: RunPage) -> Iterator[None]:
    """Everything about the law of a column, part by part: the law is read while the rest is still drawn."""
    found = shown(page.run)
    if found is None:
        paragraph("The law cannot be read; find it again.")
        return
    yield from law_parts(found.discovery, found.target, found.units)
    _groups(found.discovery)
    _rivals(found)
    yield
    rows = RowsView(found)
    yield
    show_along(found)
    yield
    rows.show_front()
    if found.discovery.taken.groups is None:
        show_judging(page, found)
    _predict(page.run)
    show_exports(page.run)
    show_story(found.discovery)
    show_command(page.run)


def law_parts(discovery: Discovery, target: str, units: Sequence[tuple[str, str]] = ()) -> Iterator[None]:
    """A law in mathematical type with its verdict, then its constants."""
    place = element("section", classes="result")
    with place:
        law_box(equation_html(discovery.equation, target))
        with element("p"):
            element("span", str(discovery.verdict), classes=f"verdict {COLOURS[discovery.verdict]}")
            if discovery.probability is not None:
                element("span", f"probability {discovery.probability:.1%}", classes="odds")
        paragraph(discovery.reason)
        if discovery.noise is not None and discovery.noise.sentence not in discovery.reason:
            paragraph(discovery.noise.sentence)
    yield
    with place:
        _constants(discovery, target, units)
        with folded("As text, with all digits"):
            element("pre", f"{target} = {discovery.equation}", tabindex=0)


def _constants(discovery: Discovery, target: str, units: Sequence[tuple[str, str]]) -> None:
    """The fitted constants with their standard errors, units and names, and how well each is known."""
    read = read_numbers(discovery.equation)
    if read:
        paragraph(f"Read as simple numbers, to which the rows do not object: {', '.join(read)}.", classes="hint")
    told = [one for one in told_constants(discovery.equation.rounded(), units, target) if one.error != 0]
    if not told:
        return
    has_units = any(one.unit for one in told)
    lines = [
        [
            f"{one.value:.10g}",
            f"± {one.error:.2g}" if math.isfinite(one.error) else "not known",
            *([one.unit, one.name] if has_units else []),
        ]
        for one in told
    ]
    heads = ["constant", "standard error", *(["unit", "known as"] if has_units else [])]
    with element("div", classes="beside"):
        table(heads, lines, caption="Fitted constants, from left to right")
        known = [one for one in told if math.isfinite(one.error) and one.value]
        if known:
            names = [f"{one.value:.4g}" for one in known]
            chart(charts.constants(names, [abs(one.error / one.value) for one in known]), "How well each is known")


def _groups(discovery: Discovery) -> None:
    """The constants that differ between groups."""
    groups = discovery.taken.groups
    if groups is None:
        return
    with section("Groups"):
        if not groups.letters:
            paragraph(f"All constants are shared by the {len(groups.labels)} groups.")
            return
        told = group_table(discovery.taken)
        n_more = len(told) - MAX_LINES
        more = f" The first {MAX_LINES} are listed; JSON and the law file have all." if n_more > 0 else ""
        paragraph(f"Constants that differ by {groups.by}; the others hold for all {len(told)} groups.{more}")
        heads = [groups.by, *(str(name).replace("_standard_error", ", standard error") for name in told.columns)]
        lines = [[str(label), *map(float, line)] for label, *line in told.head(MAX_LINES).itertuples()]
        table(heads, lines, caption="Constants of the groups")


def _rivals(found: Shown) -> None:
    """Laws of other forms that the rows leave a chance."""
    discovery = found.discovery
    if discovery.probability is None or not discovery.rivals:
        return
    with section("Its rivals"):
        paragraph("Laws of other forms, with their shares of the evidence among all that were tried.", classes="hint")
        beside = [(rival.probability, rival.law) for rival in discovery.rivals]
        lines = [
            [f"{probability:.1%}", math.sqrt(law.loss), _formula(law, found.target)]
            for probability, law in [(discovery.probability, discovery.law), *beside]
        ]
        table(["probability", "error", "law"], lines, caption="The law and its rivals", chosen=0)


def _formula(law: Law, target: str) -> Callable[[], None]:
    return lambda: trusted(equation_html(law.equation, target), classes="small")


def _predict(run: RunFolder) -> None:
    with section("Values for new rows"), element("div", data_send=f"/runs/{run.key}/predict", data_most=MAX_BODY):
        paragraph("A table with the columns that the law uses; the values come back as a CSV file.", classes="hint")
        with element("div", classes="fields"):
            with element("div"):
                element("label", "Choose a file", classes="button", for_="new-rows")
                element("input", id="new-rows", type="file", classes="away")
            with element("div"):
                element("label", "or paste cells", for_="new-cells")
                element("textarea", id="new-cells", rows=4, spellcheck="false")
                button("Predict", data_paste="new-cells")
        element("p", "", classes="said", role="status", data_said="")


def show_exports(run: RunFolder) -> None:
    """Links to everything that can be taken away."""
    with section("Take it away"), element("ul", classes="exports"):
        for form, kind in EXPORTS.items():
            with element("li"):
                link(kind.title, f"/runs/{run.key}/export/{form}", download=kind.file)


def show_story(discovery: Discovery, title: str = "How it was found") -> None:
    """What each stage did."""
    with section(title):
        paragraph(f"{discovery.ended} {discovery.seconds:.1f} s in all.")
        with element("ol", classes="story"):
            for step in discovery.trace:
                _step(step)
        if discovery.ruled_out:
            with folded("What was ruled out"):
                listed(discovery.ruled_out)


def _step(step: Step) -> None:
    with element("li"):
        element("span", step.stage, classes="stage")
        element("span", f" {step.seconds:.2f} s " if step.seconds >= 0.005 else " ", classes="seconds")
        element("span", step.summary)
        if step.rejected:
            with folded(f"Tried and rejected ({len(step.rejected)})"):
                listed(step.rejected)


def show_command(run: RunFolder) -> None:
    """The same run on the command line."""
    plan = run.plan
    if plan is not None:
        with section("The same without this page"):
            element("pre", plan.command(run.name), tabindex=0)
            paragraph(f"The table as it came is kept as {run.table}", classes="hint")
