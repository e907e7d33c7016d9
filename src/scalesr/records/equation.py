"""Equation: a closed formula with the names of its variables and the uncertainty of its constants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import DataError
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.expr.printing import to_latex, to_text


@dataclass(frozen=True, slots=True, eq=False)
class Equation:
    """A law: `expression` over columns called `names`, every constant closed."""

    expression: Expression
    names: tuple[str, ...]  # one per column of the table
    covariance: NDArray[np.float64]  # (constants, constants); zero for constants that were given, not fitted

    def __post_init__(self) -> None:
        if self.expression.n_open:
            raise DataError(f"An equation is closed; {self} has {self.expression.n_open} open constants. Fit it first.")
        size = len(self.expression.constants)
        if self.covariance.shape != (size, size):
            raise DataError(f"{size} constants need a {size} x {size} covariance, not one of {self.covariance.shape}.")
        last = max(self.expression.variables, default=-1)
        if last >= len(self.names):
            raise DataError(f"The formula uses column {last} (from 0), and only {len(self.names)} columns are named.")
        self.covariance.setflags(write=False)

    @classmethod
    def from_fit(cls, fit: Fit, names: Sequence[str]) -> Equation:
        """The law that a fit found."""
        size, fitted = len(fit.skeleton.constants), fit.skeleton.open_indices
        covariance = np.zeros((size, size))
        covariance[np.ix_(fitted, fitted)] = fit.covariance
        return cls(fit.expression, tuple(names), covariance)

    @property
    def complexity(self) -> int:
        return self.expression.complexity

    @property
    def constants(self) -> NDArray[np.float64]:
        """The numbers in the formula, from left to right."""
        return self.expression.constants

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """One standard error per constant."""
        return np.sqrt(np.diag(self.covariance))

    def rounded(self) -> Equation:
        """The law with the digits that its errors leave, for reading; two digits of each are uncertain."""
        pairs = zip(self.constants.tolist(), self.standard_errors.tolist(), strict=True)
        constants = [round_to_error(value, error) for value, error in pairs]
        return Equation(self.expression.skeleton().bind(constants), self.names, self.covariance)

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:  # (rows, columns) -> (rows,)
        """The law's values on a table with the columns `names`."""
        table = np.asarray(X, np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.names):
            raise DataError(f"The law needs a table with columns {', '.join(self.names)}; its shape is {table.shape}.")
        return evaluate(self.expression, table)

    def latex(self) -> str:
        """The formula as LaTeX source."""
        return to_latex(self.expression, self.names)

    def _repr_latex_(self) -> str:
        """What a notebook shows."""
        return f"${self.latex()}$"

    def sympy(self) -> Any:
        """The formula as a sympy expression."""
        from scalesr.expr.sympy_bridge import to_sympy  # sympy is loaded only for those who ask

        return to_sympy(self.expression, self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equation) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Expression, tuple[str, ...], bytes]:
        return self.expression, self.names, self.covariance.tobytes()

    def __str__(self) -> str:
        return to_text(self.expression, self.names)


def round_to_error(value: float, error: float) -> float:
    """`value` to the second digit of `error`, and to two of its own at least; unchanged where there is no error."""
    if not (math.isfinite(error) and error > 0) or value == 0:
        return value
    try:
        return round(value, 1 - math.floor(math.log10(min(error, abs(value)))))
    except OverflowError:  # the rounded number is beyond the largest
        return value
