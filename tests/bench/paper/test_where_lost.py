"""Where the paper's chain loses a law: shown on runs whose generator is a function that is made to err."""

from dataclasses import replace

import numpy as np
import pytest

from scalesr.paper.method import run_as_in_the_paper
from scalesr.paper.settings import LiteralSettings
from scalesr.records.config import Settings
from scalesr.records.oracle import Oracle
from scalesr_bench.laws.drawing import draw_table
from scalesr_bench.paper.where_lost import FOUND, LostLimit, held_against_the_truth, lost_table, plan_lost
from scalesr_bench.problems.problem import Problem, Sampling

PLANE = Problem("plane", "made", ("x", "y"), "2.5*x + y^2", ((0.5, 2.0), (0.5, 2.0)), Sampling(300))
SMALL = LiteralSettings(n_points=25, n_groups=25, n_fits=400)


def lost(error):
    """The chain with the true function and an error, held against the truth."""
    drawn = draw_table(PLANE, seed=1)
    settings = Settings(preset="paper", time_limit=None, generator=Oracle(lambda X: PLANE.values(X) + error(X)))
    run = run_as_in_the_paper(drawn.data, settings, rng=np.random.default_rng(1), literal=SMALL)
    return held_against_the_truth(run, drawn, PLANE, eta=SMALL.eta)


def test_a_law_is_found_where_the_generator_makes_no_error():
    found = lost(lambda X: np.zeros(len(X)))
    assert (found.lost, found.network_error, found.strict) == (FOUND, 0.0, True)
    assert found.first_true.startswith("2.5*x + ")


def test_a_generator_with_another_first_curve_loses_the_law_there():
    found = lost(lambda X: np.exp(X[:, 0]))
    assert found.lost == "curve (network)"
    assert found.network_error > 1


def test_a_generator_that_errs_in_the_second_variable_loses_a_coefficient():
    found = lost(lambda X: np.exp(X[:, 1]) - X[:, 1] ** 2)
    assert found.lost == "coefficient (network)"
    assert found.first_true.startswith("2.5*x + ")
    assert len(found.coefficients) == 2


def test_every_law_is_a_line_with_its_reason():
    found = lost(lambda X: np.zeros(len(X)))
    table = lost_table([found, replace(found, seed=2, lost="combination")], LostLimit(None, 1000.0, None))
    assert [row[:3] for row in table.rows] == [("plane", "1", "found"), ("plane", "2", "combination")]
    assert "1 of 2 laws found" in table.notes[0]
    assert "1000 units of counted work per run" in table.notes[0]


def test_problems_are_chosen_by_patterns_and_every_seed_is_a_run():
    jobs = plan_lost(["Jin-*"], range(2), LostLimit(700.0, None, None))
    assert len({job.key for job in jobs}) == 12
    assert {job.limit.phrase for job in jobs} == {"700 s"}


@pytest.mark.parametrize("limit", [LostLimit(700.0, None, 50), LostLimit(None, 5.0, 50)])
def test_a_limit_is_said_in_words(limit):
    assert limit.phrase in ("700 s, 50 steps of training", "5 units of counted work, 50 steps of training")
