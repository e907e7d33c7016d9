import math

import numpy as np
import pytest

from scalesr.expr.text import parse
from scalesr_bench.laws.drawing import draw_table
from scalesr_bench.laws.lost_by import Preference, is_simple, preference, score
from scalesr_bench.laws.runs import LawJob, LawRun, run_job
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.no_law import tables_without_law

PLANE, CURVE, WEAK = read_listing(
    "own",
    """
    plane | 2.3*x - 3*y + 1        | x y [0, 1] | 400
    curve | 1.7*sin(3*x) + y       | x y [0, 1] | 400
    weak  | 2.3*x + 0.001*sin(9*y) | x y [0, 1] | 400
    """,
)


def test_the_rows_prefer_the_truth_to_a_law_that_fits_worse():
    drawn = draw_table(CURVE, seed=0, noise=0.1)
    found = preference(drawn.data, CURVE.expression, parse("1.1*x + 0.9*y", CURVE.names))
    assert found.lost_by == "search"
    assert found.nats > 50


def test_rows_that_cannot_tell_prefer_the_shorter_law():
    drawn = draw_table(WEAK, seed=0, noise=0.1)
    found = preference(drawn.data, WEAK.expression, parse("2.3*x", WEAK.names))
    assert found.lost_by == "data"
    assert found.nats < 0


def test_the_same_form_with_other_constants_is_a_tie_that_the_data_decide():
    drawn = draw_table(CURVE, seed=0, noise=0.1)
    truth = parse("1.7071*sin(3.0303*x) + y", CURVE.names)  # none of them a number to be written as it is
    found = preference(drawn.data, truth, parse("1.6171*sin(3.1313*x) + y", CURVE.names))
    assert abs(found.nats) < 1e-6
    assert found.lost_by == "data"


def test_constants_are_fitted_and_simple_numbers_may_stay():
    drawn = draw_table(PLANE, seed=0, noise=0.1)
    off = score(drawn.data, parse("9.7*x - 5.1*y + 77.7", PLANE.names))
    assert off == pytest.approx(score(drawn.data, parse("2.31*x - 2.97*y + 1.01", PLANE.names)))
    assert score(drawn.data, PLANE.expression) <= off  # -3 and 1 are written, not fitted


def test_numbers_that_laws_are_made_of_are_told_from_measured_ones():
    assert all(map(is_simple, (0.0, 1.0, -2.0, 0.5, 4 / 3, np.pi, 4 * np.pi, 1 / (2 * np.pi), 8 * np.pi**2, 140.0)))
    assert not any(map(is_simple, (9.81, 8.314, 6.674e-11, 96485.0, 1.43996)))


def test_a_law_that_fits_nowhere_loses_and_nothing_is_said_of_two_such():
    drawn = draw_table(PLANE, seed=0, n_rows=3)
    wild = parse("1.117*x + 2.217*y + 3.317*x*y + 4.417*x^2", PLANE.names)  # more constants than rows
    assert score(drawn.data, wild) == math.inf
    assert preference(drawn.data, wild, wild) == Preference(0.0)


def run(source, method, **rest):
    return LawRun.from_record(run_job(LawJob(f"tests.bench.stub_method:{method}", source, 0, 5.0, **rest)))


def test_a_run_that_missed_says_what_lost_the_law():
    missed = run(CURVE, "plane")
    assert (missed.finding, missed.lost_by) == ("form", "search")
    assert missed.truth_ahead > 100
    assert run(WEAK, "plane", noise=0.5).lost_by == "data"


def test_nothing_is_lost_where_the_law_was_found_or_there_is_none():
    assert run(PLANE, "plane").lost_by == ""
    assert run(tables_without_law()[0], "boaster").lost_by == ""
