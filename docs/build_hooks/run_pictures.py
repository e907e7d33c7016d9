"""The run that the docs show, and the figure of scaling, as pictures and words."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from scalesr import ScaleSRRegressor, load
from scalesr.records.discovery import Step
from scalesr.report.formula import STYLE, to_html
from scalesr.report.html import picture
from scalesr.report.palette import PAGE
from scalesr.report.pictures import Draw, figure_of, front, seen
from scalesr.report.svg import to_svg
from scalesr_bench.figures.scaling import scaling_draws
from scalesr_bench.scaling import from_json

SCALING = ("Seconds against rows", "Seconds against variables", "Peak memory of the whole process against rows")


@cache
def saved_run(path: Path) -> ScaleSRRegressor:
    """The model that was saved after the run."""
    return load(path)


def run_html(path: Path, what: str) -> str:
    """The law, the Pareto front, the curves of each variable, or the coefficients along the next one."""
    discovery = saved_run(path).discovery_
    if what == "law":
        law = discovery.equation.rounded()
        return f"<div><style>{STYLE}</style>{to_html(law.expression, law.names, left='y')}</div>"
    if what == "front":
        return _grid([_drawn(front(discovery), "front", "Error against complexity; the law is the large dot")])
    stage = {"search": "search", "coefficients": "combine"}[what]
    steps = [step for step in discovery.trace if step.stage == stage and step.curves]
    drawn = [
        _drawn(seen(curves), f"{what}{place}{number}", curves.caption)
        for place, step in enumerate(steps)
        for number, curves in enumerate(step.curves)
    ]
    return _grid(drawn)


def trace_markdown(path: Path, stage: str) -> str:
    """What a stage said in the run."""
    steps = [step for step in saved_run(path).discovery_.trace if step.stage == stage]
    return "\n".join(_lines(step) for step in steps)


def scaling_html(path: Path) -> str:
    """Time and memory of stored discoveries against the size of their tables."""
    lines = from_json(json.loads(path.read_text(encoding="utf-8")))
    drawn = zip(scaling_draws(lines), SCALING, strict=True)
    return _grid([_drawn(draw, f"scaling{place}", caption) for place, (draw, caption) in enumerate(drawn)])


def _lines(step: Step) -> str:
    rejected = "".join(f"\n    - not taken: `{line}`" for line in step.rejected[:3])
    more = f"\n    - and {len(step.rejected) - 3} more" if len(step.rejected) > 3 else ""
    return f"- {step.seconds:.2f} s: `{step.summary}`{rejected}{more}"


def _drawn(draw: Draw, key: str, caption: str) -> str:
    return picture(to_svg(figure_of([draw], PAGE), key=key, label=caption), caption)


def _grid(drawn: list[str]) -> str:
    return f'<div class="pictures">{"".join(drawn)}</div>'
