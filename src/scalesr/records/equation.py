"""Equation: a closed formula with the names of its variables and the uncertainty of its constants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import DataError, SettingError
from scalesr.expr.evaluate import evaluate
from scalesr.expr.export import to_c, to_jax, to_python, to_torch
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.expr.functions import ArrayFunction, jax_function, torch_function
from scalesr.expr.printing import to_latex, to_text
from scalesr.expr.signs import with_signs_before_terms
from scalesr.masks import require_unmasked

CORRELATION_ROUNDING: Final = 1e-12  # of a correlation matrix: smaller parts of it are rounding
TOLD_TOGETHER: Final = 1e-8  # relative error that constants are printed with which the rows only tell together
LANGUAGES: Final = {"python": to_python, "torch": to_torch, "jax": to_jax, "c": to_c}


@dataclass(frozen=True, slots=True, eq=False)
class Equation:
    """A law: `expression` over columns called `names`, every constant closed."""

    expression: Expression
    names: tuple[str, ...]  # one per column of the table
    covariance: NDArray[np.float64]  # (constants, constants); zero for constants that were given, not fitted

    def __post_init__(self) -> None:
        if self.expression.n_open:
            raise DataError(
                f"An equation is closed; {self.text()} has {self.expression.n_open} open constants. Fit it first."
            )
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
        expression, signs = with_signs_before_terms(fit.expression)
        return cls(expression, tuple(names), covariance * np.outer(signs, signs))

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
        """The law with the digits that its errors leave, for reading.

        A constant has two digits that are uncertain while the others stay as they are: errors that go together, as
        those of a and b in a*(b*x + 1), would else leave digits that give another law.
        """
        pairs = zip(self.constants.tolist(), self._errors_alone().tolist(), strict=True)
        constants = [round_to_error(value, error) for value, error in pairs]
        return Equation(self.expression.skeleton().bind(constants), self.names, self.covariance)

    def _errors_alone(self) -> NDArray[np.float64]:
        """The standard error of each constant if all others were known."""
        errors = self.standard_errors
        fitted = np.flatnonzero(errors > 0)
        if not len(fitted) or not np.isfinite(self.covariance).all():
            return errors
        scale = errors[fitted]
        with np.errstate(all="ignore"):
            correlations = self.covariance[np.ix_(fitted, fitted)] / scale / scale[:, np.newaxis]
        if not np.isfinite(correlations).all():  # a file may hold what is not a covariance
            return errors
        sizes, ways = np.linalg.eigh(correlations)
        told = sizes > CORRELATION_ROUNDING  # the others are lost in rounding: constants that only go together
        precision = (ways[:, told] ** 2 / sizes[told]).sum(axis=1)
        only_together = (ways[:, ~told] ** 2).sum(axis=1) > CORRELATION_ROUNDING
        sharp = TOLD_TOGETHER * np.abs(self.constants[fitted])
        alone = errors.copy()
        alone[fitted] = np.where(only_together, np.minimum(scale, sharp), scale / np.sqrt(np.maximum(precision, 1.0)))
        return alone

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:  # (rows, columns) -> (rows,)
        """The law's values on a table with the columns `names`."""
        require_unmasked(X, "the table X")
        table = np.asarray(X, np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.names):
            raise DataError(f"The law needs a table with columns {', '.join(self.names)}; its shape is {table.shape}.")
        return evaluate(self.expression, table)

    def latex(self) -> str:
        """The formula as LaTeX source, with the digits that its errors leave."""
        return to_latex(self.rounded().expression, self.names)

    def _repr_latex_(self) -> str:
        """What a notebook shows."""
        return f"${self.latex()}$"

    def torch(self) -> ArrayFunction:
        """The formula as a function of a torch tensor (rows, columns)."""
        return torch_function(self.expression)

    def jax(self) -> ArrayFunction:
        """The formula as a function of a JAX array (rows, columns)."""
        return jax_function(self.expression)

    def source(self, language: str = "python", function_name: str = "law") -> str:
        """The source of a function, in "python", "torch", "jax" or "c"; constants keep every digit."""
        if language not in LANGUAGES:
            raise SettingError(f"No source code is written in {language!r}; known are {', '.join(LANGUAGES)}.")
        return LANGUAGES[language](self.expression, self.names, function_name)

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

    def text(self) -> str:
        """The formula with every digit, as `parse` reads it back."""
        return to_text(self.expression, self.names)

    def __str__(self) -> str:
        """The formula for reading, with the digits that its errors leave."""
        return self.rounded().text()


def round_to_error(value: float, error: float) -> float:
    """`value` to the second digit of `error`, and to two of its own at least; unchanged where there is no error."""
    if not (math.isfinite(error) and error > 0) or value == 0:
        return value
    try:
        return round(value, 1 - math.floor(math.log10(min(error, abs(value)))))
    except OverflowError:  # the rounded number is beyond the largest
        return value
