"""SparseConfig: sparse linear and rational laws, and power products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SparseConfig:
    """Counts and limits, grouped by the file that uses them."""

    # candidates.py
    compared_rows: int = 4000  # on which constants are refitted and laws compared
    rounding_of_size: float = 3e-15  # with so much of its size besides

    # laws.py
    laws_n_proposed: int = 10
    n_tried: int = 4  # of the best laws of each search
    n_screened: int = 1200  # rows of the first look at a transformed target
    n_followed: int = 1  # transformed targets that get more than a look
    searched_rows: int = 10_000  # of a search, at most

    # log_fit.py
    # share of a column outside the span of those before it, below which it is linearly dependent
    linearly_dependent: float = 1e-8
    max_grown: int = 15  # factors
    max_stripped: int = 200  # factors from all of which the way down is gone
    factor_gain: float = 10.0  # nats that a factor has to save
    logarithm_rounding: float = 1e-14  # of logarithms

    # powers.py
    rows_of_powers: int = 3000  # on which exponents are found
    max_zeros: float = 0.02  # share of rows on which a factor or the target may be 0
    exponent_rounding: float = 1e-9  # to which an exponent is known at best
    exponent_sigmas: float = 4.0  # errors of an exponent within which it is read as a simple fraction
    largest_exponent: int = 12  # exponent

    # targets.py
    moderate_size: float = 30.0  # sizes of a target whose exponential still tells the small from the large
    targets_decades: float = 1e12  # largest over smallest size of a target that is divided by
    least_slope: float = 0.1  # of the usual one: where a transformation is flatter, its errors are no smaller
    # share of a target's size that values of the other sign may make up where they do no harm
    targets_forgiven: float = 0.01
    transformed_share: float = 0.9  # share of the rows that has to have a transformed target: a law is for all of them
    inverse_range: float = 1 - 1e-9  # sines and tangents closer to 1 than this have no inverse worth having


SPARSE: Final = SparseConfig()
