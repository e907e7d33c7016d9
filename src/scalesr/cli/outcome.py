"""What a fit found, as lines for people."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from scalesr.estimators.known_constants import NamedConstant, told_constants
from scalesr.records.discovery import Verdict
from scalesr.records.equation import round_to_error
from scalesr.records.groups import Label
from scalesr.records.outcome import Ending

if TYPE_CHECKING:
    from scalesr.records.discovery import Discovery

NOTHING_FOUND = 1
SHOWN_CONSTANTS = 12
SHOWN_GROUPS = 12
SHOWN_LAWS = 8  # of the Pareto front
SHOWN_LONGER = 2  # than the best, of these


def lines_of(
    discovery: Discovery, target: str, next_step: str, units: Sequence[tuple[str, str]] = ()
) -> list[str]:  # fmt: skip
    """The law, its verdict, its constants, the Pareto front, and what to do next; `units` are those of the columns."""
    parts = [f"  {part}" for part in discovery.taken.parts]
    lines = ["", f"{target} = {discovery.equation}", *parts, "", discovery.sentence, *filter(None, [discovery.odds])]
    if discovery.ending in (Ending.TIME, Ending.WORK, Ending.INTERRUPTED):
        lines.append(discovery.ended)
    lines += _constants(told_constants(discovery.equation.rounded(), units, target))
    lines += group_lines(discovery)
    lines += _front(discovery, target)
    return [*lines, "", f"Next: {next_step}"]


def _constants(constants: Sequence[NamedConstant]) -> list[str]:
    """A line per constant that was fitted or has a unit; those that were snapped to a plain number have none."""
    shown = [one for one in constants if one.error != 0 or one.unit]
    if not shown:
        return []
    lines = ["", f"{'constant':>16}  {'standard error':>14}"]
    for one in shown[:SHOWN_CONSTANTS]:
        error = f"{one.error:.2g}" if math.isfinite(one.error) else "not known"
        lines.append(f"{one.value:>16.10g}  {error:>14}  {one.unit}  {one.name}".rstrip())
    if len(shown) > SHOWN_CONSTANTS:
        lines.append(f"{'...':>16}  {len(shown) - SHOWN_CONSTANTS:>9} more")
    return lines


def group_lines(discovery: Discovery, chosen: Collection[Label] | None = None) -> list[str]:
    """A line per group with the constants that are its own: for those that are chosen, or for the first groups."""
    groups = discovery.taken.groups
    if groups is None:
        return []
    if not groups.letters:
        return ["", f"All constants are shared by the {len(groups.labels)} groups by {groups.by}."]
    lines = ["", f"{groups.by:>16}  " + "  ".join(f"{letter:>12}  {'+-':>8}" for letter in groups.letters)]
    errors = groups.standard_errors
    shown = [place for place, label in enumerate(groups.labels) if chosen is None or label in chosen]
    for place in shown[:SHOWN_GROUPS] if chosen is None else shown:
        pairs = zip(groups.values[place].tolist(), errors[place].tolist(), strict=True)
        cells = [
            f"{round_to_error(value, error):>12.8g}  {f'{error:.2g}' if math.isfinite(error) else 'unknown':>8}"
            for value, error in pairs
        ]
        lines.append(f"{groups.labels[place]!s:>16}  " + "  ".join(cells))
    if chosen is None and len(groups.labels) > SHOWN_GROUPS:
        lines.append(f"{'...':>16}  {len(groups.labels) - SHOWN_GROUPS} more groups, in --json and --save")
    return lines


def _front(discovery: Discovery, target: str) -> list[str]:
    """The laws that no other beats in both complexity and error, as far as they are near the best, which is marked."""
    best = discovery.taken
    others = [law for law in discovery.front if law.equation != best.equation]
    simpler = [law for law in others if law.complexity < best.complexity]
    longer = [law for law in others if law.complexity >= best.complexity][:SHOWN_LONGER]
    lines = ["", f"  {'complexity':>10}  {'error':>9}  law"]
    for law in [*simpler[-(SHOWN_LAWS - 1 - SHOWN_LONGER) :], best, *longer]:
        mark = "*" if law is best else " "
        text = f"{mark} {law.complexity:>10}  {math.sqrt(law.loss):>9.3g}  {target} = {law.equation}"
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
            return "allow more work, with a larger --max-work."
        case Verdict.NO_LAW if any(step.stage == "constraints" for step in discovery.trace):
            return "leave a --constraint out; no law that was tried fits the rows and obeys all of them."
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
