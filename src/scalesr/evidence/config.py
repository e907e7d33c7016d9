"""EvidenceConfig: how much work goes into comparing laws; what decides between them stands beside its rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class EvidenceConfig:
    """Counts and limits, grouped by the file that uses them."""

    # archive.py
    longest_proposal: int = 300  # of a proposal: what is longer is not a law
    candidates_kept: int = 50  # candidates by description length, besides those on the Pareto front
    n_fitted_anew: int = 12  # laws that are fitted again when rows change their weights

    # identify.py
    rows_of_levels: int = 4000  # in which levels are counted

    # likelihood.py
    rows_of_noise_kind: int = 20_000  # rows that show the kind of the noise; more show the same
    reweighting_steps: int = 30  # of the reweighting for outliers, at most
    reweighting_converged: float = 1e-3  # relative change of their share at which it has converged

    # neighbours.py
    neighbours_work: int = 2_000_000  # rows x constants x neighbours in one round of fits
    neighbours_rows_per_constant: int = 5  # that even the largest formulas are fitted to

    # numbers.py
    max_denominator: int = 12  # of a simple fraction: beyond, decimals say the same
    max_digits: int = 12  # of decimals
    n_logarithms: int = 5  # the sixth logarithm of any float is below 0

    # refit.py
    quickly_shortened: int = 45  # nodes up to which shortening is quick
    first_fit_rows: int = 1_500  # rows that a first fit looks at

    # residual_tests.py
    trend_degree: int = 6  # of the polynomials in one variable
    trend_pair_degree: int = 2  # of the products in two
    rows_per_direction: int = 6  # few rows are looked at in fewer directions
    rows_of_neighbours: int = 5_000  # for the search of neighbours
    max_products: int = 1_500_000_000  # of numbers, in distances as in polynomials of many rows and columns

    # rounding.py
    rounding_rows_at_a_time: int = 50_000  # rows at a time
    rows_of_shift: int = 2_000  # rows from which the shift of the constants is worked out

    # unknown.py
    rows_of_unknown: int = 250  # of a smooth function: half a second, and enough to show most laws' lead at 10 % noise

    # verdict.py
    # rivals that are named, and the probability below which they are not
    n_rivals: int = 5
    least_share: float = 1e-3
    rows_of_verdict: int = 30_000  # in which structure is looked for


EVIDENCE: Final = EvidenceConfig()
