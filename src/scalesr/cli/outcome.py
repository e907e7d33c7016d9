"""What a fit found, as lines for people and as values for JSON."""

from __future__ import annotations

import math
import shutil
import sys
from typing import TYPE_CHECKING, Any

from scalesr.records.discovery import Verdict
from scalesr.records.outcome import Ending

if TYPE_CHECKING:
    from scalesr.records.discovery import Discovery, Law
    from scalesr.records.noise import Noise

NOTHING_FOUND = 1
SHOWN_CONSTANTS = 12
SHOWN_LAWS = 8  # of the front
SHOWN_LONGER = 2  # than the best, of these


def lines_of(discovery: Discovery, target: str, next_step: str) -> list[str]:
    """The law, its verdict, its constants, the front, and what to do next."""
    law = discovery.equation.rounded()
    lines = ["", f"{target} = {law}", "", discovery.sentence, *filter(None, [discovery.odds])]
    if discovery.ending in (Ending.TIME, Ending.WORK, Ending.INTERRUPTED):
        lines.append(discovery.ended)
    lines += _constants(discovery)
    lines += _front(discovery, target)
    return [*lines, "", f"Next: {next_step}"]


def _constants(discovery: Discovery) -> list[str]:
    """A line per fitted constant with its standard error; those that were snapped to a number have none."""
    law = discovery.equation.rounded()
    pairs = [
        (value, error)
        for value, error in zip(law.constants.tolist(), law.standard_errors.tolist(), strict=True)
        if error != 0
    ]
    if not pairs:
        return []
    lines = ["", f"{'constant':>16}  {'standard error':>14}"]
    for value, error in pairs[:SHOWN_CONSTANTS]:
        told = f"{error:.2g}" if math.isfinite(error) else "not known"
        lines.append(f"{value:>16.10g}  {told:>14}")
    if len(pairs) > SHOWN_CONSTANTS:
        lines.append(f"{'...':>16}  {len(pairs) - SHOWN_CONSTANTS:>9} more")
    return lines


def _front(discovery: Discovery, target: str) -> list[str]:
    """The laws that no other beats in both complexity and error, as far as they are near the best, which is marked."""
    best = discovery.law
    others = [law for law in discovery.front if law.equation != best.equation]
    simpler = [law for law in others if law.complexity < best.complexity]
    longer = [law for law in others if law.complexity >= best.complexity][:SHOWN_LONGER]
    lines = ["", f"  {'complexity':>10}  {'error':>9}  law"]
    for law in [*simpler[-(SHOWN_LAWS - 1 - SHOWN_LONGER) :], best, *longer]:
        mark = "*" if law is best else " "
        text = f"{mark} {law.complexity:>10}  {math.sqrt(law.loss):>9.3g}  {target} = {law.equation.rounded()}"
        lines.append(_cut(text))
    return lines


def _cut(text: str) -> str:
    """A line of a table as wide as the terminal; whole where there is none."""
    width = shutil.get_terminal_size().columns
    return text if not sys.stdout.isatty() or len(text) <= width else text[: max(width - 3, 20)] + "..."


def next_step(discovery: Discovery, *, saved: str | None, time_limit: float | None) -> str:
    """What a user would do now."""
    match discovery.verdict:
        case Verdict.NOT_TRIED:
            return f"give it more time: --time-limit {10 * (time_limit or 60):g}."
        case Verdict.NO_LAW if discovery.ending is Ending.TIME:
            return f"let it run on, with --time-limit {10 * (time_limit or 60):g}, or choose columns with --features."
        case Verdict.NO_LAW | Verdict.APPROXIMATE if discovery.ending is Ending.WORK:
            return "let it do more, with a larger --max-work."
        case Verdict.NO_LAW:
            return "give columns that bear on the target, or more rows; with these nothing can be said."
        case Verdict.NOT_IDENTIFIABLE:
            return "leave one of the columns out with --drop, or measure rows in which they move independently."
        case Verdict.APPROXIMATE if discovery.ending is Ending.TIME:
            return f"let it run on, with --time-limit {10 * (time_limit or 60):g}."
        case Verdict.APPROXIMATE if discovery.ending is Ending.INTERRUPTED:
            return "let it run to its end."
        case Verdict.APPROXIMATE:
            return "look at what is left with --report report.html; more rows, a column or an operator may be missing."
    if saved is None:
        return "keep the law with --save law.json, then scalesr predict law.json TABLE on rows it has not seen."
    return f"scalesr predict {saved} TABLE, on rows that the law has not seen."


def values_of(discovery: Discovery, target: str) -> dict[str, Any]:
    """The same for a program."""
    law = discovery.equation
    return {
        "target": target,
        "law": str(law),
        "latex": law.latex(),
        "verdict": str(discovery.verdict),
        "reason": discovery.reason,
        "ended": discovery.ended,
        "complexity": law.complexity,
        "constants": [
            {"value": finite(value), "standard_error": finite(error)}
            for value, error in zip(law.constants.tolist(), law.standard_errors.tolist(), strict=True)
        ],
        "error": finite(math.sqrt(discovery.law.loss)),
        "held_error": finite(math.sqrt(discovery.law.held_loss)),
        "noise": None if discovery.noise is None else _noise_values(discovery.noise),
        "probability": discovery.probability,
        "rivals": [_front_values(one.law) | {"probability": one.probability} for one in discovery.rivals],
        "front": [_front_values(one) for one in discovery.front],
        "ruled_out": list(discovery.ruled_out),
        "seconds": discovery.seconds,
        "seconds_per_stage": discovery.timings,
    }


def _noise_values(noise: Noise) -> dict[str, Any]:
    scale = None if noise.scale is None else finite(noise.scale)
    return {"kind": noise.kind, "scale": scale, "relative": noise.relative, "outliers": noise.outliers}


def _front_values(law: Law) -> dict[str, Any]:
    return {"complexity": law.complexity, "error": finite(math.sqrt(law.loss)), "law": str(law.equation)}


def finite(value: float) -> float | None:
    """A number that JSON has, or null."""
    return value if math.isfinite(value) else None
