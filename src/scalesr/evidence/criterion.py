"""The yardstick between skeletons: description length, in nats.

A skeleton has to pay for its structure (the choice of each symbol), for its constants (half the
logarithm of the number of rows each, in every group) and for the data given both. With a known
noise level the data cost chi-square over two; without one, the logarithm of the residual.
Below a relative residual of EXACT all fits count as equally exact and the simpler one wins.
"""

from __future__ import annotations

import math
import sys

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.constants import constants_cost, read_constants
from scalesr.expr.expression import Expression
from scalesr.kernels.codes import (
    ABS,
    ACOS,
    ASIN,
    ATAN,
    CONSTANT,
    COS,
    EXP,
    FIRST_CUSTOM,
    LOG,
    MAX,
    MIN,
    OPEN,
    SIN,
    TAN,
    TANH,
)
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]

EXACT = 1e-14  # of the scale of y: about what rounding leaves of an exact law
PER_SYMBOL = math.log(16)  # a choice among about this many operators and variables
FUNCTION = math.log(4)  # besides, for a function that laws of nature have less often than arithmetic, powers and roots
RARE = math.log(16)  # besides, for a function that they have seldom
CHI_SQUARE_SIGMAS = 4.0  # chi-square may exceed its mean by this many standard deviations


def _lengths() -> NDArray[np.float64]:
    lengths = np.full(FIRST_CUSTOM + 1, PER_SYMBOL)
    lengths[[CONSTANT, OPEN]] = 0.0
    lengths[[SIN, COS, EXP, LOG]] += FUNCTION
    lengths[[TAN, TANH, ASIN, ACOS, ATAN, ABS, MIN, MAX, FIRST_CUSTOM]] += RARE
    return lengths


_LENGTHS = _lengths()


def structure_length(expr: Expression) -> float:
    """Cost of a form: its operators and variables; constants are paid for by `constants_length`."""
    return float(symbol_lengths(expr.codes).sum())


def symbol_lengths(codes: NDArray[np.integer]) -> NDArray[np.float64]:
    """Cost of each symbol of formulas; 0 for constants."""
    return np.asarray(_LENGTHS[np.minimum(codes, FIRST_CUSTOM)], np.float64)


def constants_length(n_open: int, sweep: Sweep) -> float:
    """Cost of writing a skeleton's constants down, to the precision that the rows give."""
    per_group = np.log(np.maximum(np.diff(sweep.row_starts), 2))
    return 0.5 * n_open * float(per_group.sum())


def data_length(rss: float, sweep: Sweep) -> float:
    """Cost of the rows, given the law and its constants."""
    if not math.isfinite(rss):
        return math.inf
    floor = (EXACT * sweep.scale) ** 2
    if sweep.noise is not None and sweep.noise**2 > floor:
        return rss / (2 * sweep.noise**2)
    smallest = sys.float_info.min  # the squares of y below 1e-150 vanish
    return 0.5 * sweep.n_rows * math.log(max(rss / sweep.n_rows + floor, smallest))


def description_length(expr: Expression, rss: float, sweep: Sweep) -> float:
    """Total cost of a skeleton whose residual sum of squares over all groups is `rss`."""
    return structure_length(expr) + constants_length(expr.n_open, sweep) + data_length(rss, sweep)


def fitted_length(expr: Expression, constants: Floats, covariance: Floats, rss: float, sweep: Sweep) -> float:
    """Total cost of a skeleton with the constants (groups, open constants) that a fit found.

    In one group the constants are read: 1/sqrt(1 - x^2), found as 0.998/sqrt(1.003 - 0.999*x^2), has none
    to pay for. In several groups they are numbers of each group, to be explained later.
    """
    if sweep.n_groups > 1 or not math.isfinite(rss):
        return description_length(expr, rss, sweep)
    numbers = constants_cost(constants[0], covariance[0]) - read_constants(constants[0], covariance[0]).saved
    return structure_length(expr) + numbers + data_length(rss, sweep)


def is_within_noise(rss: float, n_open: int, sweep: Sweep) -> bool:
    """Whether a residual is no larger than the noise explains; False where the noise is unknown.

    With fewer degrees of freedom than constants anything fits, and nothing is said.
    """
    freedom = sweep.n_rows - n_open * sweep.n_groups
    if sweep.noise is None or freedom <= 0 or not math.isfinite(rss):
        return False
    variance = sweep.noise**2 + (10 * EXACT * sweep.scale) ** 2
    return rss / variance <= freedom + CHI_SQUARE_SIGMAS * math.sqrt(2 * freedom)
