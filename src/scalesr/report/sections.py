"""The parts of a report, in the order in which they are read."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scalesr.records.discovery import Discovery, Step, Verdict
from scalesr.report import pictures
from scalesr.report.formula import to_html
from scalesr.report.html import details, number, paragraph, picture, section, table, text
from scalesr.report.law_on_rows import LawOnRows
from scalesr.report.palette import PAGE
from scalesr.report.svg import to_svg

COLOURS = {
    Verdict.EXACT: "good",
    Verdict.WITHIN_NOISE: "good",
    Verdict.APPROXIMATE: "fair",
    Verdict.NOT_IDENTIFIABLE: "fair",
    Verdict.NO_LAW: "poor",
    Verdict.NOT_TRIED: "poor",
}
MAX_ALONG = 12  # variables whose pictures are drawn
MAX_STEPS_SHOWN, MAX_CURVES_SHOWN = 12, 6  # steps whose curves are drawn, and curves of one step


def law(discovery: Discovery, target: str) -> str:
    """The law in mathematical type, its verdict and its constants."""
    equation = discovery.equation
    shown = equation.rounded()
    verdict = (
        f'<p><span class="verdict {COLOURS[discovery.verdict]}">{text(discovery.verdict)}</span></p>'
        + paragraph(discovery.reason if discovery.chosen is None else discovery.sentence)
    )  # fmt: skip
    math_type = f'<div class="law">{to_html(shown.expression, shown.names, left=target)}</div>'
    forms = details("As text with all digits, and as LaTeX", [f"{target} = {equation.text()}", equation.latex()])
    return section(f"{target}: the law", math_type, parts(discovery), verdict, forms, constants(discovery))


def parts(discovery: Discovery) -> str:
    """What is in the holes of a template."""
    shown = [(part.title, part.equation.rounded()) for part in discovery.taken.parts]
    return "".join(f'<div class="law">{to_html(one.expression, one.names, left=title)}</div>' for title, one in shown)


def constants(discovery: Discovery) -> str:
    """The fitted constants with their standard errors."""
    equation = discovery.equation
    pairs = zip(equation.constants.tolist(), equation.standard_errors.tolist(), strict=True)
    lines = [(number(value, 10), number(error, 2)) for value, error in pairs if error > 0]
    if not lines:
        return paragraph("The law has no fitted constants.")
    return paragraph("Fitted constants, from left to right:") + table(["constant", "standard error"], lines)


def agreement(rows: LawOnRows, key: str) -> str:
    """Prediction against data, residuals and what is left in them."""
    without = f" On {rows.n_without} more rows the law has no value." if rows.n_without else ""
    quality = (
        f"On {len(rows.y)} rows the law errs by {number(rows.error)} (root of the {_mean(rows)} square) "
        f"and explains {rows.explained:.4%} of the variance.{without}"
    )
    drawn = [
        _drawn(pictures.agreement(rows), f"{key}-agreement", "Table against law; on the line they agree"),
        _drawn(pictures.residuals(rows), f"{key}-residuals", "What the law leaves of each row"),
    ]
    if not rows.is_rounding:
        drawn.append(_drawn(pictures.residual_histogram(rows), f"{key}-histogram", "How often each residual occurs"))
    return section("Law and table", paragraph(quality), paragraph(rows.what_is_left()), _grid(drawn))


def _mean(rows: LawOnRows) -> str:
    return "mean" if (rows.weights == 1).all() else "weighted mean"


def variables(rows: LawOnRows, key: str) -> str:
    """The law along each of its variables."""
    used = sorted(rows.equation.expression.variables)
    if not used:
        return ""
    names = rows.equation.names
    drawn = [
        _drawn(pictures.along(rows, variable), f"{key}-along{variable}", f"Along {names[variable]}")
        for variable in used[:MAX_ALONG]
    ]
    what = (
        "One variable moves, the others are held as in three real rows. The dots are the table's rows, moved by the "
        "law to the middle setting: where they leave its curve, the law leaves something unexplained."
    )
    more = f" The first {MAX_ALONG} of {len(used)} variables are drawn." if len(used) > MAX_ALONG else ""
    return section("Variable by variable", paragraph(what + more), _grid(drawn))


def front(discovery: Discovery, key: str, *, of: str = "") -> str:
    """What accuracy costs in complexity; `of` names the law where a page has several."""
    lines = [(one.complexity, one.loss, str(one.equation), one.origin) for one in discovery.front]
    chosen = [one.equation for one in discovery.front]
    place = chosen.index(discovery.equation) if discovery.equation in chosen else None
    drawn = _drawn(pictures.front(discovery), f"{key}-front", "Error against complexity; the law is the large dot")
    listed = table(["complexity", "mean squared error", "formula", "found by"], lines, chosen=place)
    what = paragraph("No formula that was tried is both simpler and closer to the rows than one of these.")
    return section(f"The Pareto front of {of}" if of else "The Pareto front", what, _grid([drawn]), listed)


def story(discovery: Discovery, key: str, *, of: str = "") -> str:
    """What each stage did, in order, with the curves that it saw; `of` names the law where a page has several."""
    times = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in discovery.timings.items())
    shown = drawn_steps(discovery.trace)
    steps = "".join(
        _step(step) + (_curves(step, f"{key}-step{place}") if place in shown else "") + "</li>"
        for place, step in enumerate(discovery.trace)
    )
    ruled_out = details("What was ruled out", discovery.ruled_out)
    n_curves = sum(bool(step.curves) for step in discovery.trace)
    left_out = f" Of {n_curves} steps that saw curves, {len(shown)} show them." if len(shown) < n_curves else ""
    summary = f"{discovery.ended} {discovery.seconds:.2f} s in all: {times}.{left_out}"
    title = f"How {of} was found" if of else "How it was found"
    return section(title, paragraph(summary), f'<ol class="story">{steps}</ol>', ruled_out)


def drawn_steps(trace: Sequence[Step]) -> list[int]:
    """Places of the steps whose curves are drawn: the first of each stage and variable, then the others in order.

    Of one stage and variable, a step whose curves met a formula comes before those that found none.
    """
    places = [place for place, step in enumerate(trace) if step.curves]
    met_first = sorted(places, key=lambda place: not any(line.formula for line in trace[place].curves[0].lines))
    first: dict[tuple[str, str], int] = {}
    for place in met_first:
        first.setdefault((trace[place].stage, trace[place].curves[0].x), place)
    by_priority = dict.fromkeys([*sorted(first.values()), *places])
    return sorted(list(by_priority)[:MAX_STEPS_SHOWN])


def settings(parameters: Sequence[tuple[str, str]], versions: Sequence[tuple[str, str]], command: str) -> str:
    """What it takes to find the law again."""
    return section(
        "To find it again",
        f"<pre>{text(command)}</pre>",
        table(["setting", "value"], parameters),
        details("Versions", [f"{name} {version}" for name, version in versions]),
    )


def _step(step: Step) -> str:
    seconds = "" if math.isclose(step.seconds, 0.0) else f' <span class="seconds">{step.seconds:.2f} s</span>'
    rejected = details(f"Tried and rejected ({len(step.rejected)})", step.rejected)
    return f'<li><span class="stage">{text(step.stage)}</span>{seconds}<br>{text(step.summary)}{rejected}'


def _curves(step: Step, key: str) -> str:
    """What a step saw along a variable."""
    drawn = [
        _drawn(pictures.seen(curves), f"{key}-{place}", curves.caption)
        for place, curves in enumerate(step.curves[:MAX_CURVES_SHOWN])
    ]
    n_left = len(step.curves) - len(drawn)
    return _grid(drawn) + (paragraph(f"{n_left} more of its curves are not drawn.") if n_left > 0 else "")


def _drawn(draw: pictures.Draw, key: str, caption: str) -> str:
    return picture(to_svg(pictures.figure_of([draw], PAGE), key=key, label=caption), caption)


def _grid(drawn: Sequence[str]) -> str:
    return f'<div class="pictures">{"".join(drawn)}</div>'
