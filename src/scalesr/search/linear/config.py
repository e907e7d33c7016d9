"""LinearConfig: sparse sums and ratios of the terms of a library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LinearConfig:
    """Counts and limits, grouped by the file that uses them."""

    # design.py
    max_groups: int = 16  # of a sweep that are looked at
    design_values: int = 500_000  # terms x rows
    min_group_rows: int = 30  # of a group, even if there are many terms
    # the share of a column outside the span of others below which it is linearly dependent
    linearly_dependent: float = 1e-9
    linearly_dependent_square: float = 1e-11  # the same for its square, which is found as a difference

    # growth.py
    grown_terms: int = 9  # above and below the bar together
    growth_starts: int = 6  # pairs of a term above and one below
    growth_exchanged: int = 4  # terms tried in the place of one, those that a linear step puts first
    growth_patience: int = 2  # terms in a row that do not shorten the description
    cancelled: float = 1e-9  # share of terms below the bar that their sum has at least
    in_tangent: float = 1e-8  # share of a column outside the tangent below which it is linearly dependent

    # library.py
    max_degree: int = 6  # of powers of one variable
    # functions of one variable that many variables have together, with one of each at least
    functions_of_wide_tables: int = 1200
    max_angle: float = 1e6  # the sine of a larger number is noise
    largest_value: float = 1e140  # its square is still a number

    # low_ratios.py
    max_constants: int = 30  # of a ratio of low polynomials
    max_instruments: int = 120  # functions that a relation is multiplied by, so that noise of the rows averages out
    weighting_rounds: int = 4  # of weights that turn the error of a relation into one of the ratio

    # monomials.py
    largest_negative_exponent: int = 2  # of a monomial with negative exponents

    # quotient.py
    weak_constant: float = 1e-3  # of the longest term below the bar: a constant shorter than that does not become 1

    # ratios.py
    max_monomials: int = 600  # of a library for ratios
    max_grown: int = 130  # monomials that ratios are grown of
    n_grown: int = 500  # rows on which they are
    n_polished: int = 2  # of the grown ratios whose terms are exchanged on more rows
    n_stripped: int = 5000  # rows on which ratios of low polynomials are stripped of terms
    fewest_rows_of_ratios: int = 20  # rows, with fewer of which any ratio fits
    # up to which ratios of few terms are followed side by side; more can bear all terms at once
    followed_side_by_side: int = 400
    rows_per_column: int = 2  # rows that each column of a relation asks for
    refitted_rows: int = 4000  # on which forms are refitted
    doubtful: float = 20.0  # times the level of `criterion.EXACT`: a residual of that size may pass for exact

    # relations.py
    rounding_rest: float = 1e-13  # the share of a column outside the span of others that rounding explains
    relation_share: float = 1e-7  # of the last column: what every term of a relation is worth at least
    max_ends: int = 8  # relations looked at, the simplest first
    relation_terms: int = 24  # of a relation that is still read as a ratio
    relation_rounds: int = 8  # of leaving terms out of a relation

    # search.py
    n_likely_terms: int = 40  # terms tried on all rows, at least
    whole_values: int = 1_500_000  # terms x rows of a library that is solved for at once, at least

    # selection.py
    sum_terms: int = 12  # that are added to a sum term by term
    selection_patience: int = 2  # forward steps that do not shorten the description before going back
    # starts of the way forward
    single_starts: int = 3
    pair_starts: int = 6
    # sums tried with each of their terms exchanged: of the best so many, this many in all
    selection_exchanged: int = 2
    max_exchanges: int = 4
    sums_offered: int = 8  # sums of a stage that get a full fit
    # sums that are followed side by side, up to this many terms
    beam: int = 40
    beam_terms: int = 8
    beam_values: int = 4_000_000  # sums x terms x rows: with more rows fewer sums are followed
    small_library: int = 20  # terms of a library that is always looked at
    one_by_one: int = 12  # terms up to which the way back is taken step by step
    clearly_missed: float = 0.25  # share of what terms cost, up to which the rows do not miss them
    exact_share: float = 1e-6  # of the size of y: what every term of an exact law is worth at least
    blurred: float = 1e-9  # share of a sum of squares that is lost in differences of rounded numbers

    # sparse_ratios.py
    sparse_ratios_followed: int = 40  # ratios that are followed,
    sparse_ratio_branches: int = 8  # terms that each is tried with, by a linear step,
    sparse_ratios_fitted: int = 120  # and of all these the ones that are fitted
    sparse_ratio_terms: int = 7  # above and below the bar together
    sparse_ratios_offered: int = 5  # ratios that get a full fit

    # terms.py
    given_terms: int = 50  # of a sum of given terms
    given_values: int = 10_000_000  # terms x rows
    n_returned: int = 8  # sums that the caller is told of

    # whole.py
    unchanged_variance: float = 1.3  # times the variance that the whole library leaves: what a part of it may leave

    # whole_libraries.py
    whole_terms: int = 1400  # columns that are solved for at once in about a second
    rows_per_term: int = 2  # at least
    max_laurent: int = 400  # monomials
    whole_degree: int = 4  # of them
    whole_singles: int = 12  # functions of each variable
    whole_paired: int = 8  # of them, that are multiplied by those of another one
    many_variables: int = 3  # from which on the narrow library leaves many products of two functions out


LINEAR: Final = LinearConfig()
