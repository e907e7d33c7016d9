"""Exact: a law at rounding level that is not just a long enough expansion.

An expansion reaches rounding level by degrees: with one constant less it is nearly as good. A law
stands alone: nothing simpler comes anywhere near. So each neighbour with one part less, and a
plain polynomial with one constant less, have to be worse by many digits.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.information import target_information
from scalesr.evidence.neighbours import fitted_neighbours
from scalesr.evidence.refit import POLISH, FitData
from scalesr.evidence.rounding import at_rounding, is_at_rounding, rounding, std_of
from scalesr.evidence.score import cost
from scalesr.expr.evaluate import evaluate
from scalesr.expr.fitting import Fit
from scalesr.records.dataset import Dataset
from scalesr.records.mean_squares import root_mean_square

Floats = NDArray[np.float64]

WAY = 0.4  # of the digits between the standard deviation of y and rounding, how many anything simpler may have at most
FEWEST_ROWS = 5  # fewer numbers agree by accident, above all whole ones
SHARE = 0.5  # of what the target holds, how much a law with its numbers may say at most


def is_exact(done: Fit, rows: FitData, held: Dataset) -> bool:
    """Whether a fit to all rows is the law behind them and behind the held rows."""
    if not (done.ok and at_rounding(done, rows) and is_short(done, rows)):
        return False
    if not is_at_rounding(done.expression, done.skeleton.open_indices, rows.data, held):
        return False
    return stands_alone(done, rows)


def is_short(done: Fit, rows: FitData) -> bool:
    """Whether a law with its numbers says much less than the target can hold, so that it cannot be made to measure."""
    said, told = _said_and_told(done, rows)
    return rows.data.n_rows >= FEWEST_ROWS and said <= SHARE * told


def said_beyond(done: Fit, rows: FitData) -> float:
    """By how many nats a law at rounding level is longer than the bare list of the target's values."""
    said, told = _said_and_told(done, rows)
    return said - told


def _said_and_told(done: Fit, rows: FitData) -> tuple[float, float]:
    """What a law says and what the target can hold, in nats.

    Outliers, which do not count in the fit, are listed one by one beside the law.
    """
    data = rows.judged or rows.data
    told = target_information(data.y, max(_level(done, rows.few.data), np.finfo(float).eps))
    listed = (data.n_rows - rows.data.n_rows) * (math.log(data.n_rows) + told / data.n_rows)
    return cost(done) + listed, told


def _level(done: Fit, data: Dataset) -> float:
    """Rounding on the rows, as a share of the standard deviation of y."""
    left = root_mean_square(data.y - evaluate(done.expression, data.table))
    return max(root_mean_square(rounding(done.expression, data)), left) / std_of(data)


def stands_alone(done: Fit, rows: FitData) -> bool:
    """Whether nothing simpler comes near a law at rounding level."""
    few = rows.few.data
    far = std_of(few) * max(_level(done, few), 1e-16) ** WAY
    if _smallest_share(done, rows) < far:
        return False
    if polynomial_error(few, done.expression.variables, len(done.expression.constants) - 1) < far:
        return False
    return all(math.sqrt(one.rss / one.n_rows) >= far for one in fitted_neighbours(done, rows))


def _smallest_share(done: Fit, rows: FitData) -> float:
    """The least root mean square that a constant contributes, the others making up for it as well as they can."""
    opened = rows.few.fit(done.expression.skeleton(), start=done.expression.constants, effort=POLISH)
    residual = math.sqrt(opened.rss / opened.n_rows)
    with np.errstate(all="ignore"):
        shares = np.abs(opened.constants) / opened.standard_errors * residual / math.sqrt(opened.n_rows)
    return float(np.min(shares, initial=math.inf, where=np.isfinite(shares)))


def polynomial_error(data: Dataset, variables: tuple[int, ...], n_constants: int) -> float:
    """Root mean square error of a polynomial in some variables with this many constants, low powers first."""
    if n_constants < 1:
        return std_of(data)
    scaled = [_scaled(data.columns[j]) for j in variables]
    powers = _low_powers(len(variables), n_constants)
    basis = np.stack(
        [
            np.prod([x**k for x, k in zip(scaled, power, strict=True)], axis=0) * np.ones(data.n_rows)
            for power in powers
        ],
        axis=1,
    )
    solution = np.linalg.lstsq(basis, data.y / std_of(data), rcond=None)[0]
    return root_mean_square(data.y / std_of(data) - basis @ solution) * std_of(data)


def _scaled(values: Floats) -> Floats:
    low, high = float(values.min()), float(values.max())
    return (2 * (values - low) / (high - low) - 1) if high > low else np.zeros_like(values)


def _low_powers(n_variables: int, n_wanted: int) -> list[tuple[int, ...]]:
    """Exponents of this many monomials, by total degree."""
    found: list[tuple[int, ...]] = []
    degree = 0
    while len(found) < n_wanted and (n_variables > 0 or degree == 0):
        found.extend(_of_degree(n_variables, degree))
        degree += 1
    return found[:n_wanted]


def _of_degree(n_variables: int, degree: int) -> list[tuple[int, ...]]:
    if n_variables == 0:
        return [()] if degree == 0 else []
    if n_variables == 1:
        return [(degree,)]
    return [(first, *rest) for first in range(degree, -1, -1) for rest in _of_degree(n_variables - 1, degree - first)]
