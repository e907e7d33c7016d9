"""Rows: a table, its target and what a law says of each row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scalesr.combine.structure import UNLIKELY, structure_left
from scalesr.errors import DataError
from scalesr.records.equation import Equation

Floats = NDArray[np.float64]

MAX_TESTED = 30_000  # rows in which structure is looked for
ROUNDING = 1e-12  # of the largest target: less than that is left by arithmetic alone


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows on which a law has a value; `n_without` have none."""

    equation: Equation
    target: str
    table: Floats  # (rows, columns)
    y: Floats  # (rows,)
    n_without: int

    @classmethod
    def of(cls, equation: Equation, table: Floats, y: Floats, target: str) -> Rows:
        """Rows of a table (rows, columns) and a target (rows,)."""
        if table.ndim != 2 or table.shape[1] != len(equation.names) or len(table) != len(y):
            raise DataError(
                f"A table of shape {table.shape} and {len(y)} targets do not go with the law's columns, "
                f"{', '.join(equation.names)}."
            )
        usable = np.isfinite(equation.predict(table)) & np.isfinite(y)
        if not usable.any():
            raise DataError("The law has no finite value on any row, so that nothing can be drawn; give other rows.")
        return cls(equation, target, table[usable], y[usable], int((~usable).sum()))

    @cached_property
    def predicted(self) -> Floats:
        return self.equation.predict(self.table)

    @property
    def residual(self) -> Floats:
        return self.y - self.predicted

    @property
    def error(self) -> float:
        """Root of the mean squared residual."""
        return float(np.sqrt(np.mean(self.residual**2)))

    @property
    def explained(self) -> float:
        """Share of the target's variance."""
        spread = float(np.mean((self.y - self.y.mean()) ** 2))
        return 1 - self.error**2 / spread if spread > 0 else float("nan")

    @property
    def is_rounding(self) -> bool:
        """Whether the law gives the rows to rounding."""
        return self.error <= ROUNDING * float(np.abs(self.y).max())

    def what_is_left(self) -> str:
        """Whether structure is left in the residual, as a sentence."""
        if self.is_rounding:
            return "The residual is rounding; nothing is left to be explained."
        chosen = slice(None, None, max(len(self.y) // MAX_TESTED, 1))
        n_constants = int(np.count_nonzero(self.equation.standard_errors))
        probability, where = structure_left(self.residual[chosen], self.table[chosen].T, n_constants)
        if probability < UNLIKELY:
            return f"Structure is left: {where} (by chance with a probability of {probability:.0e})."
        return f"No structure is found: noise alone leaves as much with a probability of {probability:.2g}."
