import numpy as np
import pytest

from scalesr.dynamics.choose import Contest
from scalesr.dynamics.constant_terms import ConstantTerm, constant_terms
from scalesr.dynamics.segments import cut
from scalesr.dynamics.system import system_of
from scalesr.dynamics.trajectories import Trajectory, whole_trajectories
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop

T = np.linspace(0, 3, 31)


def told(law, level, noise=0.0):
    """What is said of a constant term of size `level` in x' = level - x."""
    rng = np.random.default_rng(0)
    runs = [level + (start - level) * np.exp(-T) + noise * rng.normal(size=31) for start in rng.uniform(1, 3, 20)]
    data = whole_trajectories([Trajectory(T, run[:, np.newaxis], np.empty((31, 0))) for run in runs], ["x"])
    X = data.all_states
    table = Dataset.from_table(X, level - X[:, 0], names=["x"])
    contest = Contest(cut(data, 31, 50, rng=rng), 1, [table], Stop())
    best, (term,) = constant_terms(contest.shot(system_of([parse(law, ["x"])])), contest, ["x"])
    return best.system.laws[0].expression, term


@pytest.mark.parametrize("law", ["-1.1*x", "0.001 - 1.1*x"])
def test_a_tiny_term_is_told_from_zero_on_clean_trajectories(law):
    _, term = told(law, 1e-5)
    assert term.estimate == pytest.approx(1e-5, rel=1e-3)
    assert term.kept
    assert abs(term.z) > 100
    assert "differs from zero" in term.sentence


def test_a_tiny_term_is_not_told_from_zero_under_noise():
    law, term = told("-1.1*x", 1e-5, noise=0.01)
    assert not term.kept
    assert abs(term.z) < 4
    assert len(law.constants) == 1
    assert "cannot be distinguished from zero" in term.sentence


def test_a_kept_term_near_zero_is_not_said_to_be_told_from_it():
    term = ConstantTerm("x", -0.003, 0.01, kept=True)
    assert "differs from zero" not in term.sentence
    assert "belongs to the law" in term.sentence
