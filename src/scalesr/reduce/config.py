"""ReduceConfig: which columns and transformations are tried, and what they have to reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ReduceConfig:
    """Counts and limits, grouped by the file that uses them."""

    # columns.py
    n_probed_rows: int = 4  # rows that tell most pairs of columns apart

    # holes.py
    # of a part, and what these enter as: the rows say little about functions of more
    columns_of_a_part: int = 3
    arguments_of_a_part: int = 2
    least_weight_of_a_part: float = 1e-9  # of the largest: rows on which the law hardly depends on a part say nothing
    rows_of_gradients: int = 200  # on which directions are compared

    # leading.py
    n_leading: int = 16  # at most
    n_leading_rounds: int = 2  # of columns that are added when few are not enough
    n_guessed_columns: int = 6  # where the target clearly depends on none
    # functions x rows, and rows, of the look
    leading_max_values: int = 8_000_000
    leading_fewest_rows: int = 200
    leading_most_rows: int = 2000
    bounded_logarithm: float = 6.0  # typical deviations beyond which a logarithm counts no more

    # parts.py
    # rows of the two parts, at most
    n_learned: int = 3000
    n_measured: int = 1500
    no_worse: float = 1.03  # times the error before: what chance may add to the error of a right transformation
    trimmed_share: float = 0.9  # share of the rows that are the error is taken of, trimmed
    difference_sigmas: float = 2.5  # of the mean of differences, up to which they may be chance

    # polynomials.py
    max_degree: int = 12  # of polynomials of one column

    # pursuit.py
    n_bent: int = 3  # Legendre polynomials of the ranks: traces of functions that are none of these
    product_degree: int = 3  # of the products of two columns that are taken in together
    n_paired: int = 700  # columns that are multiplied by each other, at most
    n_likely_functions: int = 8  # of the best functions, that are looked at closely
    extreme_rows: float = 0.03  # of the rows, without which a function has to be needed as well
    sure_nats: float = 7.0  # nats beyond those that chance gives the best of this many
    # squared share of a line outside the span of others below which it is linearly dependent
    linearly_dependent: float = 1e-8
    nothing_left: float = 1e-20  # of the sum of squares, below which nothing is left
    rows_per_term: int = 3  # at least

    # relevance.py
    # effect of a column, as a share of the standard deviation of the target, below which it is doubted
    slight_effect: float = 0.1
    needed_column: float = 1.25  # times the error with a column: the error without it, from which it is taken back
    n_columns_back: int = 10  # columns that are asked about again, those most correlated with the target first

    # scale.py
    usual_magnitude: float = 1e3  # magnitudes up to this, and down to its inverse, stay as they are
    # the same, where constants are drawn at random: the nearest power of ten is divided by
    near_one: float = 10**0.5

    # shrink.py
    # of derivatives, above which a transformation is not tried
    most_misfit: float = 0.4
    least_misfit: float = 0.02
    per_error: float = 50.0  # times the error of values: what the error of derivatives may come to
    as_well_supported: float = 3.0  # times the smallest misfit: transformations that are tried together
    # transformations of a kind that are tried one by one, and of those with functions
    n_trials: int = 8
    n_function_trials: int = 4
    negligible: float = (
        2e-4  # relative error that a right transformation may end in, however well the rows were learned before
    )
    much_better: float = 0.5  # times the error before: what a transformation with a function has to reach,
    better: float = 0.8  # and one that no derivative speaks for
    # relative error above which derivatives say little; rows from which it is noise
    unlearned: float = 0.03
    few_rows: int = 600
    proof: float = 1e-5  # relative error that only a right transformation ends in
    much_worse: float = 2.0  # times the error before: what a generator's luck may add on clean rows

    # symmetry.py
    n_probes: int = 600  # rows at which derivatives are compared
    largest_exponent: float = 30.0  # and with these no exponents
    max_power: int = 6  # of a column in a product that derivatives suggest

    # together.py
    rows_of_linear_law: int = 1000  # that a linear law of all columns is learned from
    correlation_sigmas: float = 4.0  # of a correlation that is no chance

    # units.py
    most_groups: int = 4  # whose powers are tried in the product: 3^4 products

    # view.py
    heavy_tail_rows: float = 0.01  # share of the rows, the largest, that
    # carry so much of the variance of a target with heavy tails: of a normal one it is 0.08
    heavy_tail_variance: float = 0.5
    smooth_degree: int = 6  # of the polynomials that a smooth function is made of
    rows_per_function: int = 8  # rows that each of them asks for
    smooth_rows: int = 1000  # from which it is fitted


REDUCE: Final = ReduceConfig()
