"""PipelineConfig: what the method gives to each of its steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """Counts and limits, grouped by the file that uses them."""

    # curve_rows.py
    rows_of_a_curve: int = 600  # that formulas in one variable are fitted to

    # lifting.py
    n_lifting_steps: int = 40  # of Gauss and Newton
    near_row: float = 1e-10  # of a column's range: an original row that has the values of a row, but for one more step
    flat_direction: float = 1e-12  # of the steepest direction: below, a formula does not change along it

    # method.py
    ways_under_noise: int = 3  # down to smaller problems, each with other rows to learn from and to measure on
    share_of_groups: float = 0.6  # of the time, for laws of dimensionless groups
    # of the time, for laws of waves: a frequency that is a little off hides the law for good
    share_of_waves: float = 0.5

    # noise.py
    n_noise_rounds: int = 3  # of learning without the rows that were outliers before
    same_outliers: float = 0.005  # of the rows may change sides before another round
    least_quantile: float = 0.02  # of the variances: a value near 0 does not make a row count without limit
    least_share: float = 1e-12  # of the largest variance, for the same reason
    # times as often as by chance: outliers whose neighbours are outliers too are a misfit
    outliers_together: float = 3.0

    # parts.py
    n_offered_sums: int = 3  # sums that the rows are asked about
    # columns, from which reading products one by one is worth its seconds: few are held in turn instead
    columns_read_one_by_one: int = 6
    pairs_rest: float = 1e-3  # of the variance: pairs that leave more leave out what is not a pair

    # revise.py
    mended_by_a_part: float = 0.5  # of what a law lacks: one that lacks more is wrong as a whole, and not revised
    laws_revised: int = 2  # one after the other, each the best by then that has not been revised
    longest_revised: int = 60  # nodes: what is longer imitates, and has no parts that mean something
    # of a law: those first that could gain most
    parts_revised: int = 6
    pairs_revised: int = 2
    fits_of_a_part: int = 20_000  # all small forms of one argument, or a few generations of formulas of two
    # nats from the best, of laws that are revised and of their parts: no simple numbers bring back what is further off
    close_parts: float = 15.0

    # run.py
    held_share: float = 0.2  # of the rows, held back for the verdict
    # share and seconds of the time limit that are kept for the last laws
    reserve: float = 0.1
    most_reserved: float = 5.0
    n_named_laws: int = 6  # laws that the trace names beside the best
    enough_to_learn: int = 60  # rows, from which a function of several variables can be learned
    fewest_split_rows: int = 30  # tables that are too small to hold rows back from
    hurried: float = 0.5  # seconds for the last touches after an interrupt
    short_law: int = 8  # constants that a law may have at most to be believed by a sharp error alone

    # starts.py
    most_parts: int = 8  # formulas of one variable that are joined
    most_laws: int = 20  # found so far

    # steps.py
    fits_of_a_curve: int = 120_000  # of one search, however many the rows
    fits_per_row: int = 1000  # of a curve: six rows cannot tell more than the two thousand small forms apart
    # the last resort, some minutes: turns of the target and of what it is seen through, and fits of each in a turn
    turns_of_a_table: int = 8
    fits_of_a_turn: int = 100_000
    rows_of_a_table: int = 2000  # that formulas in all variables are fitted to
    bred_at_once: int = 50_000  # formulas in all variables that are looked at before other searches have their turn,
    bred_under_noise: int = 200_000  # and under noise, where chains of searches seldom come to an end
    small_forms: int = 6  # size of formulas in one variable, of which there are some two thousand
    enough_to_transform: int = 24  # rows, from which symmetries are worth a trial
    enough_to_ask: int = 1000  # rows that a budget has to allow for curves over several variables
    n_quick_looks: int = 3  # products of powers for functions of the target, sums for these, and ratios
    n_offered: int = 10  # skeletons of a search that the rows are asked about,
    n_offered_noisy: int = 30  # and under noise, where constants that turn out to be simple numbers put some ahead

    # template.py
    share_of_template: float = 0.75  # of time and work; what is left is for a look without it, where no law of it fits
    work_without: float = 1000.0  # units, some complete searches of one variable: that look is a quick one
    work_of_a_surface: float = 300.0  # units for a hole of several arguments, at first,
    times_as_thorough: float = 4.0  # and how much more where that did not do
    share_of_a_hole: float = 0.5  # of what is left of time and work: the rest is for the fits of its formulas
    forms_of_a_hole: int = 8  # that are combined with those of others
    joined_at_once: int = 60  # combinations that are fitted jointly,
    joined_and_finished: int = 3  # and of these the best, which are pruned and read
    turns_of_holes: int = 4  # in which every hole is emptied and found again, at most
    fewest_template_rows: int = 8  # from which functions without a formula are fitted: two for each spline of a cubic

    # views.py
    much_better: float = 0.5  # of the error without: what columns that explain the target have to reach


PIPELINE: Final = PipelineConfig()
