"""ChainConfig: what the chain follows, fits and keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ChainConfig:
    """Counts and limits, grouped by the file that uses them."""

    # branches.py
    n_children: int = 32  # ways to go on from a branch
    n_children_kept: int = 12  # of these
    n_rank_rows: int = 100  # that tell how many constants a formula has

    # chain.py
    # branches of each generation that grow in a pass with simple coefficients, and with any
    quick_width: int = 6
    width: int = 3
    n_orders: int = 3  # orders of the variables that are tried with formulas that fit
    n_thorough: int = 2  # coefficients of a branch that get a thorough search
    # of the search for a variable's curves, at first and where that leads nowhere
    slice_fits: int = 9_000
    more_fits: int = 30_000
    # of a quick fit of whole laws, exact and noisy ones
    exact_rows: int = 400
    noisy_rows: int = 2000
    exact: float = 1e-12  # residual over the size of the target
    # times the noise of the rows: what a law leaves; if less, it was no noise
    no_less: float = 0.9
    no_more: float = 1.02
    n_proposed: int = 12
    doubtful: float = 3.0  # times the generator's error: a variable with less effect is left out

    # classify.py
    deviation: float = 2.5  # root mean square of a constant's deviations, in standard errors
    trimmed_groups: float = 0.1  # share of the groups, those that deviate most, that may do as they like

    # coefficients.py
    # fits of the search for one coefficient
    quick_fits: int = 1000
    thorough_fits: int = 8000
    # formulas kept for each: by description length, and the simplest that come near
    n_best_pieces: int = 4
    n_simple_pieces: int = 2
    near_coefficient: float = 0.03  # error of such a simple formula, of the standard deviation of the coefficient
    unsure: float = 4.0  # times the median error: a group above it says nothing about its coefficient
    coefficient_floor: float = 1e-10  # of the size of a coefficient: what a fit to exact values leaves of its digits
    # share of the values, those with the smallest errors, that count alike, so that none decides alone
    surest: float = 0.25

    # joint.py
    n_joined_each: int = 3  # formulas of a variable that take the place of its first one
    most_joined_constants: int = 16  # of formulas that are joined: more are not told apart on the rows of a quick fit

    # merge_slices.py
    rows_per_function: int = 3
    # times the generator's error: what a library with all functions may leave, noise included
    library_enough: float = 1.1
    library_rounding: float = 1e-12

    # seeker.py
    # error, of the standard deviation of a curve, at which a formula that fits is not an accident and ends a search
    conclusive: float = 1e-5

    # slice_terms.py
    # standard deviation of an inner constant over the settings, of its size: one constant with errors
    stable_constant: float = 0.05
    nice_constant: float = 0.03  # a stable constant this close to a multiple of one half is taken for it
    max_power: int = 6  # that a term of one variable is raised to

    # slices.py
    n_slices: int = 12  # skeletons of a variable that are followed
    n_sums: int = 8  # sums whose terms are offered to the rows
    most_functions: int = 10  # of one variable
    n_not_fitting: int = 3  # skeletons that do not fit which are followed beside some that do

    # span.py
    rows_per_spanning_term: int = 2

    # track.py
    gate: float = 9.0  # times the usual mean square residual: above, a group does not fit
    fewest_groups: int = 5  # groups that a coefficient has to be known in
    firm: float = 0.1  # of the size of a coefficient: a group with smaller errors shows the way
    frozen_off: float = 0.3  # a frozen constant may be off by this share of its error in one group
    tracking_rounds: int = 3  # of freezing constants and following the others again


CHAIN: Final = ChainConfig()
