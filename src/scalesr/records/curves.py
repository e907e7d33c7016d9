"""Curves: what a stage saw along one variable, in few numbers, for the story of a discovery."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]

MOST_LINES: Final = 4
MOST_POINTS: Final = 40  # of a line
CURVE_DIGITS: Final = 5


@dataclass(frozen=True, slots=True)
class Line:
    """Points along the variable at one setting, and what a formula says there."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    formula: tuple[float, ...] = ()  # as many as y, or none


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines over the same variable, one per setting."""

    x: str  # name of the variable
    y: str  # of what is seen along it: the target, or a coefficient
    lines: tuple[Line, ...]

    @classmethod
    def of(cls, sweep: Sweep, y: str, *, x: str = "", formulas: Sequence[Expression] = ()) -> Curves:
        """Some of the groups and rows of a sweep in one variable; `formulas` are closed, one per group or none."""
        chosen = range(min(sweep.n_groups, MOST_LINES))
        lines = [_line(sweep, group, formulas[group] if formulas else None) for group in chosen]
        return cls(x or sweep.names[0], y, tuple(lines))

    @property
    def caption(self) -> str:
        """What a picture of them shows."""
        settings = "one setting" if len(self.lines) == 1 else f"{len(self.lines)} settings"
        formula = "; lines: the formula" if any(line.formula for line in self.lines) else ""
        return f"{self.y} along {self.x} at {settings} of the others{formula}"


def _line(sweep: Sweep, group: int, formula: Expression | None) -> Line:
    table, y = sweep.group(group)
    order = np.argsort(table[:, 0], kind="stable")
    kept = order[(np.arange(min(len(y), MOST_POINTS)) * len(y)) // min(len(y), MOST_POINTS)]
    values = () if formula is None else _rounded(evaluate(formula, np.ascontiguousarray(table[kept])))
    return Line(_rounded(table[kept, 0]), _rounded(y[kept]), values)


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(float(f"{value:.{CURVE_DIGITS}g}") for value in values.tolist())
