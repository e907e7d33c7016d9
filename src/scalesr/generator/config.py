"""GeneratorConfig: how learned functions are made, compared and trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class GeneratorConfig:
    """Counts and limits, grouped by the file that uses them."""

    # asked_rows.py
    # a range whose ends are both positive and this many times apart is drawn from evenly in its logarithm
    range_ratio: float = 100.0

    # choose.py
    quick_rows: int = 2500  # of a cheap function, its features, and rows of one of pairs
    quick_features: int = 256
    quick_pair_rows: int = 800
    pair_rows: int = 2500  # of a function of pairs, whose time grows with their square
    # that are learned from to choose, and in the end; more hardly help
    judge_rows: int = 5000
    most_rows: int = 12_000
    features: int = 400
    many_features: int = 1000
    screen_rows: int = 100  # that tell which variants are likely
    metric_rows: int = 250  # from which the metric of a likely variant is found
    refine_rows: int = 600  # on which the metric of pairs is refined
    unlikely_by: float = 1.0  # a variant that makes each row less likely than the best by more nats is not tried
    solved: float = 1e-9  # relative error below which nothing better is looked for
    penalty_of_fewer_rows: float = 1.05  # factor of the error of a way that learns from some of the rows only
    smooth_error: float = 0.02  # relative error below which the other ways have always been better than a network
    network_rows: int = 2000  # to learn from, that a network needs to be better than they are at kinks and steps
    # times the error, from half of the rows, of a function that lacks rows; noise gives 1.02 at most
    gain_of_more_rows: float = 1.1
    agreeing: float = 0.95  # two ways with this ratio of errors, and no small ones, meet the noise of the rows

    # find_metric.py
    rate_spread: float = 1.5  # ... and how far from it a rate may lie, both as logarithms
    little_explained: float = 0.5  # error on left-out rows, relative to the standard deviation
    # of the fastest rate: what lets a learned function mend directions that are a little off
    slowest_rate: float = 0.01
    n_metric_evaluations: int = 50  # of the likelihood, in each of the three steps

    # kernel.py
    most_exact: int = 1200  # rows; from here up more rows help more than more centres do
    n_centres: int = 700  # of an approximate process: its time grows with their square

    # learned.py
    rows_at_a_time: int = 10_000  # rows that are evaluated at a time, so that memory stays small

    # likelihood.py
    jitter: float = 1e-11  # of the variance: below it a Cholesky factor has no digits left
    impossible: float = 1e10  # cost of a metric that has no Cholesky factor

    # network.py
    network_rate: float = 3e-3  # of our network, its steps, and rows of each
    network_steps: int = 1500
    network_batch: int = 256

    # oracle.py
    n_twice: int = 16  # rows that are asked twice, for the noise
    oracle_step: float = 1e-4  # of a variable's range, for derivatives

    # paper_network.py
    # units of a layer that are worked on at a time: their values at 6400 rows, 1.6 MB, stay in the cache
    part_units: int = 64
    # The paper states neither of the next two. They were chosen on random smooth functions of two and three variables,
    # none of them the paper's: after 1500 steps the first halved the error at least, the second helped on one of two.
    # Standard deviation of what the network learns: at a rate of 0.1 one step moves the last layer by several units.
    goal_std: float = 30.0
    # Adam's decay of squared gradients: with all rows in a step they have no noise to be averaged over 1000 steps
    square_decay: float = 0.99
    # units of work of a step per 1000 rows: on one core it takes as long as the paper's tree search for so many
    step_work: float = 0.4

    # pair_model.py
    n_grid_nodes: int = 40  # on which a function of a pair is kept
    tune_rows: int = 800  # from which the noise is found
    faintest: float = 1e-12  # of the largest eigenvalue: functions below it are rounding

    # pairs.py
    # of the likelihood, to find a metric and to refine it
    n_pair_evaluations: int = 40
    n_refining_evaluations: int = 25
    n_noises: int = 60  # levels of noise that are compared
    pair_block: int = 64  # rows at a time, so that the work stays in the cache

    # questions.py
    question_rows: int = 10_000  # rows of one question
    n_questions: int = 500  # that a batch is split into at most where the function fails

    # scaling.py
    # ratio of the 95 % and 5 % quantiles from which a positive column spans orders of magnitude
    range_of_orders: float = 40.0
    longest_tail: float = 4.0  # standard deviations
    logarithm_alike: float = 0.98  # correlation of a column with its logarithm from which the two say the same

    # trial.py
    held_share: float = 0.2  # share of the rows that is held back
    folded_rows: int = 150  # from here down errors are found by cross-validation
    n_folds: int = 5  # of cross-validation
    fold_metric_rows: int = 60  # from which the metric of another fold is found: it starts from a good one

    # trust.py
    trust_rows: int = 2000  # kept; enough to tell where the data are, and quick to ask
    n_neighbours: int = 3  # whose mean distance says how far a point is from the data
    # a point may be this many times farther from the data than nearly all rows are
    nearly_all: float = 0.98
    trust_slack: float = 1.5
    range_margin: float = 0.01  # of a column's range, that a point may lie outside of it
    thinnest_direction: float = 1e-4  # relative standard deviation of a direction, below which the data count as flat

    # unseen.py
    n_unseen_parts: int = 4  # each predicted by what the others teach

    # variant.py
    explained_by: float = -8.5  # nats per row, relative to rows that scatter about their mean


GENERATOR: Final = GeneratorConfig()
