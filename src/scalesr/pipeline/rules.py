"""Rules: what a run says of the constraints that it was given, and the searches spared by them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from scalesr.evidence.archive import Archive
from scalesr.evidence.refit import FitData
from scalesr.evidence.verdict import ALIKE
from scalesr.expr.expression import variable
from scalesr.expr.operators import Operators, operator
from scalesr.records.config import Settings
from scalesr.records.constraints import Constraint, Count, Size, Uses
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Step, Verdict
from scalesr.records.equation import Equation
from scalesr.reduce.reduction import ONE, Reduction, untouched

STAGE: Final = "constraints"


def spared(settings: Settings) -> Settings:
    """Settings under which searches do not try what constraints on the form rule out."""
    never = {code for one in settings.rules if isinstance(one, Count) and one.most == 0 for code in one.codes}
    most = [one.most for one in settings.rules if isinstance(one, Size) and one.of == "complexity"]
    if settings.max_complexity is not None:
        most.append(settings.max_complexity)
    return replace(
        settings, operators=_without(settings.operators, never), max_complexity=min(most) if most else None
    )  # fmt: skip


def _without(operators: Operators, never: set[int]) -> Operators:
    kept = [row.name for row in operators if row.code not in never]
    ends = [name for name in operators.outermost if operator(name).code not in never]
    return Operators(*kept, outermost=ends) if never and kept else operators


def allowed_columns(data: Dataset, rules: tuple[Constraint, ...]) -> Reduction:
    """The rows with the columns that may be in the law."""
    never = {one.column for one in rules if isinstance(one, Uses) and not one.wanted}
    kept = [column for column in range(data.n_variables) if column not in never]
    if not never or not kept:
        return untouched(data)
    return Reduction(data.select(kept), tuple(variable(column) for column in kept), ONE, data.names)


def told_of_rules(archive: Archive, verdict: Verdict, reason: str) -> tuple[str, list[Step]]:
    """The reason with what a law without the constraints would be, where that is better; and steps for the trace."""
    if archive.rules is None:
        return reason, []
    law = archive.best.equation
    steps = [Step(STAGE, _count(archive), 0.0)]
    for one in archive.rules.constraints:
        found = archive.rules.finding(law.expression, one)
        steps.append(Step(STAGE, f"{one.text}: {'holds' if found.holds else 'does not hold'}, {found.by}.", 0.0))
    other = archive.best_ruled_out
    if verdict in (Verdict.EXACT, Verdict.WITHIN_NOISE) or other is None:
        return reason, steps
    if archive.rows.evidence.score(other).total > archive.best.score - ALIKE:
        return reason, steps
    broken = archive.rules.broken(other.expression)
    error = math.sqrt(FitData(archive.data).loss(other.expression))
    said = (
        f"No law with the constraint {broken.text!r} that was tried fits; without it: "
        f"{Equation.from_fit(other, archive.data.names)}, which errs by {error:.3g}."
        if broken is not None
        else ""
    )
    return f"{reason} {said}".strip(), steps


def _count(archive: Archive) -> str:
    """How many laws were ruled out, and by what."""
    if not archive.ruled_out:
        return "No law that was tried breaks the constraints."
    each = ", ".join(f"{count} by {text!r}" for text, count in archive.ruled_out.most_common())
    return f"{sum(archive.ruled_out.values())} laws that were tried break a constraint and were ruled out: {each}."
