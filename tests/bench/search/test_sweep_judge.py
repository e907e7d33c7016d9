import numpy as np
import pytest

from scalesr.expr.fitting import fit_groups
from scalesr.expr.text import parse
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.search.sweep_judge import NOTHING, RIGHT, TOO_LARGE, WRONG_CONSTANTS, WRONG_FORM, judge_ranking
from scalesr_bench.search.sweeps import SweepProblem, draw_sweep

DAMPED = read_listing("own", "A | a*exp(-b*x) + 1 | a b [1, 2]; x [0, 2]")[0]
POWERS = read_listing("own", "B | x + x^2 + x^3 | x [-1, 1]")[0]
LEVELS = (0.0, 1e-3, 1e-2)


def drawn_from(problem, noise):
    return draw_sweep(SweepProblem(problem, problem.n_variables - 1), noise=noise, seed=0)


def fitted(text, drawn, constants=None):
    """A skeleton with its least-squares constants, or given ones."""
    expression = parse(text)
    groups = [drawn.sweep.group(g) for g in range(drawn.sweep.n_groups)]
    fits = fit_groups(expression, [X for X, _ in groups], [y for _, y in groups])
    values = fits.constants if constants is None else constants(fits.constants)
    return Skeleton(expression, values, fits.covariance, fits.rss, error=0.0, score=0.0, within_noise=True)


def verdict(drawn, *skeletons):
    return judge_ranking(Ranking(skeletons, drawn.sweep.names, 1, 1, 0.0, ""), drawn)


@pytest.mark.parametrize("noise", LEVELS)
@pytest.mark.parametrize("text", ["C*exp(C*x0) + C", "(C + C*exp(C*x0))", "C + C/exp(C*x0)"])
def test_the_right_form_is_right(text, noise):
    drawn = drawn_from(DAMPED, noise)
    found = verdict(drawn, fitted(text, drawn))
    assert (found.finding, found.rank, found.recovered) == (RIGHT, 1, True)


@pytest.mark.parametrize("noise", LEVELS)
@pytest.mark.parametrize("text", ["C*exp(C*x0)", "C/(x0 + C) + C", "C*sin(C*x0 + C) + C"])
def test_another_form_is_wrong(text, noise):
    drawn = drawn_from(DAMPED, noise)
    assert verdict(drawn, fitted(text, drawn)).finding == WRONG_FORM


@pytest.mark.parametrize("noise", LEVELS)
def test_a_close_approximation_is_wrong(noise):
    drawn = drawn_from(DAMPED, noise)
    series = fitted("C + C*x0 + C*x0^2 + C*x0^3 + C*x0^4 + C*x0^5", drawn)
    assert np.sqrt(series.rss.sum() / drawn.sweep.n_rows) < max(1.5 * noise, 2e-3) * drawn.sweep.std
    assert verdict(drawn, series).finding == WRONG_FORM


@pytest.mark.parametrize("noise", LEVELS)
def test_a_bloated_form_is_too_large(noise):
    drawn = drawn_from(POWERS, noise)
    assert verdict(drawn, fitted("C*x0 + C*x0^2 + C*x0^3", drawn)).finding == RIGHT
    bloated = fitted("C*x0 + C*x0^2 + C*x0^3 + C*x0^4 + C*x0^5 + C*x0^6", drawn)
    assert verdict(drawn, bloated).finding == TOO_LARGE


@pytest.mark.parametrize(("noise", "change"), [(0.0, 1 + 1e-4), (1e-3, 1.06), (1e-2, 1.08)])
def test_wrong_constants_are_noticed(noise, change):
    drawn = drawn_from(DAMPED, noise)
    off = fitted("C*exp(C*x0) + C", drawn, lambda constants: constants * change)
    assert verdict(drawn, off).finding == WRONG_CONSTANTS


def test_constants_that_rows_do_not_determine_are_judged_by_values():
    drawn = drawn_from(POWERS, 1e-2)
    with_zero = fitted("C*x0 + C*x0^2 + C*x0^3 + C", drawn)  # the last one is 0 and no share of it can be met
    assert verdict(drawn, with_zero).finding == RIGHT
    off = fitted("C*x0 + C*x0^2 + C*x0^3 + C", drawn, lambda constants: constants + np.array([0, 0, 0, 0.2]))
    assert verdict(drawn, off).finding == WRONG_CONSTANTS


def test_every_group_has_to_be_right():
    drawn = drawn_from(DAMPED, 0.0)
    one_off = fitted("C*exp(C*x0) + C", drawn, lambda constants: constants * [[1], [1], [1.001]])
    assert verdict(drawn, one_off).finding == WRONG_CONSTANTS


def test_the_rank_is_that_of_the_first_right_skeleton():
    drawn = drawn_from(DAMPED, 1e-3)
    wrong, right = fitted("C*x0 + C", drawn), fitted("C*exp(C*x0) + C", drawn)
    found = verdict(drawn, wrong, wrong, right, right)
    assert (found.finding, found.rank) == (WRONG_FORM, 3)
    assert verdict(drawn, *[wrong] * 12, right).rank is None


def test_an_empty_ranking_found_nothing():
    found = verdict(drawn_from(DAMPED, 0.0))
    assert (found.finding, found.rank) == (NOTHING, None)
