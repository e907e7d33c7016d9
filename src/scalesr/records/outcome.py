"""Outcome: what came of a step, for those who count; Ending: why a discovery ended. Sentences tell it to people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a step was about."""

    GENERATOR = "generator"  # a function to ask in place of the rows
    CURVES = "curves"  # a formula for the curves over one variable
    GROWTH = "growth"  # one more variable for a formula


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a step came to something: a generator with an error, a formula that explains the curves, a child."""

    kind: Kind
    succeeded: bool
    error: float | None = None  # of the standard deviation of what was to be explained; None where nothing was measured


class Ending(StrEnum):
    """Why a discovery ended."""

    COMPLETE = "complete"  # all has been tried
    EXACT = "exact"  # an exact law was found, or one as sharp as the rows are known to be
    WITHIN_NOISE = "within noise"  # a law leaves nothing but noise
    STUCK = "stuck"  # a step of the paper's chain cannot be made
    TIME = "time"  # the limit was reached
    WORK = "work"  # the limit of counted work was reached
    INTERRUPTED = "interrupted"  # somebody did not want to wait longer
