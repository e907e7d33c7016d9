"""Rows under a law: a table, its target and what the law says of each row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.evidence.residual_tests import UNLIKELY, structure_left
from scalesr.records.equation import Equation

Floats = NDArray[np.float64]

MAX_TESTED = 30_000  # rows in which structure is looked for
ROUNDING = 1e-12  # of the largest target: less than that is left by arithmetic alone


@dataclass(frozen=True, eq=False)
class LawOnRows:
    """The rows on which a law has a value; `n_without` have none."""

    equation: Equation
    target: str
    table: Floats  # (rows, columns)
    y: Floats  # (rows,)
    n_without: int
    weights: Floats  # (rows,) of the squared errors, of mean 1

    @classmethod
    def of(cls, equation: Equation, table: Floats, y: Floats, target: str, weights: Floats | None = None) -> LawOnRows:
        """Rows of a table (rows, columns) and a target (rows,), which count by `weights` (rows,) or alike."""
        if table.ndim != 2 or table.shape[1] != len(equation.names) or len(table) != len(y):
            raise DataError(
                f"A table of shape {table.shape} and {len(y)} targets do not match the law's columns, "
                f"{', '.join(equation.names)}."
            )
        given = np.ones(len(y)) if weights is None else weights
        if len(given) != len(y):
            raise DataError(f"{len(y)} rows need as many weights; got {len(given)}.")
        usable = np.isfinite(equation.predict(table)) & np.isfinite(y) & (given > 0)
        if not usable.any():
            raise DataError("The law has no finite value on any row, so that nothing can be drawn; give other rows.")
        own = given[usable]
        return cls(equation, target, table[usable], y[usable], int((~usable & (given > 0)).sum()), own / own.mean())

    @cached_property
    def predicted(self) -> Floats:
        return self.equation.predict(self.table)

    @property
    def residual(self) -> Floats:
        return self.y - self.predicted

    @property
    def error(self) -> float:
        """Root of the mean squared residual."""
        return float(np.sqrt(np.mean(self.weights * self.residual**2)))

    @property
    def explained(self) -> float:
        """Share of the target's variance."""
        level = np.average(self.y, weights=self.weights)
        variance = float(np.mean(self.weights * (self.y - level) ** 2))
        return 1 - self.error**2 / variance if variance > 0 else float("nan")

    @property
    def is_rounding(self) -> bool:
        """Whether the law gives the rows to rounding."""
        return self.error <= ROUNDING * float((np.sqrt(self.weights) * np.abs(self.y)).max())

    def what_is_left(self) -> str:
        """Whether structure is left in the residual, as a sentence."""
        if self.is_rounding:
            return "The residual is rounding; nothing is left to be explained."
        chosen = slice(None, None, max(len(self.y) // MAX_TESTED, 1))
        weighted = self.residual * np.sqrt(self.weights)
        n_constants = int(np.count_nonzero(self.equation.standard_errors))
        probability, where = structure_left(weighted[chosen], self.table[chosen].T, n_constants)
        if probability < UNLIKELY:
            return f"Structure is left: {where} (by chance with a probability of {probability:.0e})."
        return f"No structure is found: noise alone leaves as much with a probability of {probability:.2g}."
