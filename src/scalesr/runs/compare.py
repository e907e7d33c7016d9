"""Runs side by side: what each was asked for and what came of it, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from scalesr.runs.plan import Plan
from scalesr.runs.run import RunFolder

MOST: Final = 6  # runs that are still read side by side

_ASKED: Final = {
    "kind": "kind", "target": "target", "features": "columns", "weights": "weights", "groups": "groups",
    "units": "units", "y_error": "error of the target", "start": "begun from", "template": "template",
    "constraints": "constraints", "operators": "operators", "time_limit": "time at most", "seed": "seed",
    "time": "times", "trajectory": "runs", "states": "states", "order": "order",
}  # fmt: skip
_FOUND: Final = {
    "verdict": "verdict", "probability": "probability", "complexity": "complexity", "error": "error",
    "share": "error / standard deviation", "n_rows": "rows",
}  # fmt: skip


def side_by_side(runs: Sequence[RunFolder]) -> list[tuple[str, list[str]]]:
    """Lines of a title and a text for each run; settings that all have alike are left out."""
    abouts = [run.values("summary") or {} for run in runs]
    plans = [run.plan for run in runs]
    states = [run.state for run in runs]
    lines = [("state", [str(state.phase) for state in states])]
    lines += [(title, [_found(about.get(name)) for about in abouts]) for name, title in _FOUND.items()]
    lines.append(("seconds", [f"{state.seconds:.1f}" for state in states]))
    asked = [(title, [_asked(plan, name) for plan in plans]) for name, title in _ASKED.items()]
    return lines + [(title, texts) for title, texts in asked if len(set(texts)) > 1]


def _found(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value)


def _asked(plan: Plan | None, name: str) -> str:
    """A setting of a plan, where there is one."""
    value = "" if plan is None else getattr(plan, name)
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
