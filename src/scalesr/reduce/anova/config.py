"""AnovaConfig: sums of functions of one and two columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AnovaConfig:
    """Counts and limits, grouped by the file that uses them."""

    # curves.py
    beam: int = 24  # sums of each length that are fitted and followed, besides
    all_plain: int = 2  # functions, up to which all sums of plain ones are
    most_rates: int = 2  # of one sum: with more, sums of waves and exponentials are like any other
    n_alike: int = 3  # functions of each kind that a curve may be
    per_function: float = 6.0  # nats that a function with its coefficient has to save,
    per_rate: float = 4.0  # and a rate besides
    linearly_dependent: float = 1e-9  # share outside the span of others below which a function is linearly dependent

    # decompose.py
    # degrees of the first look at all pairs,
    first_singles: int = 8
    first_pairs: int = 4
    # and of the second at those that matter
    singles: int = 12
    pairs: int = 7
    rows_per_function: float = 2.5  # that least squares asks for
    unlikely_pair: float = 1e-6  # probability under no interaction, all pairs together, below which a pair is kept
    ridge: float = 1e-10  # of the mean square of a function: it changes nothing that the rows determine
    faint_product: float = 0.02  # of the largest product of a pair: what is smaller is the error of the decomposition

    # functions.py
    n_rates: int = 40  # of exponentials and waves that are tried

    # rounds.py
    rounds_n_rows: int = 3000  # on which products are found
    single_degree: int = 14  # of the polynomials of single columns
    rounds_n_rounds: int = 5  # of adding products
    n_sweeps: int = 2  # of reading each product again beside all others
    pair_degree: int = 7  # degrees of the polynomials of a pair
    n_rate_steps: int = 8  # of Gauss and Newton for the rates
    n_per_round: int = 6  # products, the strongest: weaker ones may be errors of these
    most_terms: int = 5  # of one column
    n_points: int = 200  # of a curve that is read
    n_read: int = 300  # rows on which a column's part is read
    product_gain: float = 10.0  # nats that a product has to save
    smooth_rest: float = 1e-8  # of the standard deviation: what polynomials leave of smooth functions at best

    # terms.py
    # columns: of fewer, general libraries hold all products; of more, pairs are too many
    terms_fewest: int = 4
    terms_most: int = 16
    rows_of_products: int = 4000  # on which pairs of columns are looked at
    # of the variance: where functions of one and two columns leave more, the target is no such sum
    well_explained: float = 0.02


ANOVA: Final = AnovaConfig()
