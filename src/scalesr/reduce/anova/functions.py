"""Functions of one column: plain ones, and waves and exponentials with a rate that is to be fitted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.operators import Operators
from scalesr.expr.substitute import substitute
from scalesr.expr.text import parse
from scalesr.records.precision import SLOPE_STEP
from scalesr.reduce.anova.config import ANOVA

Floats = NDArray[np.float64]

PLAIN: Final = (
    "x0", "x0^2", "1/x0", "sin(x0)", "cos(x0)", "exp(-x0)", "x0^3", "log(x0)", "sqrt(x0)", "exp(x0)", "1/x0^2",
    "tanh(x0)", "x0^4",
)  # fmt: skip
RATED: Final = ("exp", "sin", "cos")
RATES: Final = (0.5, 30.0)  # over the range of a column: slower ones are lines, faster ones need more polynomials
VALUES: Final[dict[str, Callable[[Floats], Floats]]] = {"exp": lambda u: np.exp(-u), "sin": np.sin, "cos": np.cos}


@dataclass(frozen=True, slots=True)
class CurveFunction:
    """A plain formula in x0, or the name of a wave or a decaying exponential and its rate."""

    text: str
    rate: float | None = None

    def values(self, x: Floats) -> Floats:
        """On the values of a column."""
        if self.rate is not None:
            return VALUES[self.text](self.rate * x)
        with np.errstate(all="ignore"):
            return evaluate(_parsed(self.text), x[:, np.newaxis])

    def slope(self, x: Floats) -> Floats:
        """By the logarithm of the rate."""
        if self.rate is None:
            return np.zeros(len(x))
        step = SLOPE_STEP * self.rate
        up, down = self.at(self.rate + step), self.at(self.rate - step)
        return np.asarray((up.values(x) - down.values(x)) / (2 * SLOPE_STEP))

    def at(self, rate: float) -> CurveFunction:
        """The same with another rate."""
        return replace(self, rate=rate)

    def written(self, column: int) -> Expression:
        """The formula over a table's columns."""
        if self.rate is None:
            return substitute(_parsed(self.text), {0: variable(column)})
        rate = -self.rate if self.text == "exp" else self.rate
        return apply(self.text, apply("*", constant(rate), variable(column)))


def functions_over(low: float, high: float, operators: Operators) -> list[CurveFunction]:
    """Plain functions with values over a range, then waves and exponentials with rates on a grid."""
    points = np.linspace(low, high, 50)
    plain = [CurveFunction(text) for text in PLAIN if operators.can_write(_parsed(text).codes.tolist())]
    usable = [one for one in plain if has_size(one.values(points))]
    rates = np.geomspace(*RATES, ANOVA.n_rates) / (high - low)
    return usable + [CurveFunction(name, float(rate)) for name in RATED if name in operators for rate in rates]


def has_size(values: Floats) -> bool:
    """Whether the squares of values add up to a number that is not 0."""
    with np.errstate(all="ignore"):
        total = float(np.square(values).sum())
    return math.isfinite(total) and total > 0


@cache
def _parsed(text: str) -> Expression:
    return parse(text)
