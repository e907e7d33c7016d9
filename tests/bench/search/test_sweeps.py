import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.registry import SUITES
from scalesr_bench.search.suite import QUICK, plan, select_sweeps
from scalesr_bench.search.sweeps import N_POINTS, SweepProblem, draw_sweep


def problem(line):
    return read_listing("own", line)[0]


def test_the_other_variables_are_held_at_three_settings():
    drawn = draw_sweep(SweepProblem(problem("A | a*x^2 + b | a b [1, 5]; x [-3, 3]"), 2), noise=0.0, seed=1)
    assert drawn.sweep is drawn.clean
    assert (drawn.sweep.n_groups, drawn.sweep.n_rows, drawn.sweep.names) == (3, 3 * N_POINTS, ("x",))
    assert drawn.sweep.noise == 0
    curvatures = set()
    for group in range(3):
        X, y = drawn.sweep.group(group)
        assert X.min() >= -3
        assert X.max() <= 3
        a, zero, b = np.polyfit(X[:, 0], y, 2)
        assert 1 <= a <= 5
        assert 1 <= b <= 5
        assert zero == pytest.approx(0, abs=1e-10)
        assert np.allclose(drawn.truth(group, X), y, rtol=1e-12)
        assert drawn.n_nodes(group) == 6  # c*x^2 + c
        curvatures.add(round(a, 6))
    assert len(curvatures) == 3


def test_noise_has_one_level_and_the_sweep_knows_it():
    source = SweepProblem(SUITES["feynman"][4], 3)
    clean, noisy = (draw_sweep(source, noise=noise, seed=2) for noise in (0.0, 0.01))
    assert np.array_equal(clean.sweep.columns, noisy.sweep.columns)
    assert np.array_equal(noisy.clean.y, clean.sweep.y)
    assert noisy.sweep.noise == pytest.approx(0.01 * clean.sweep.std)
    assert (noisy.sweep.y - clean.sweep.y).std() == pytest.approx(noisy.sweep.noise, rel=0.1)


def test_seeds_decide_everything():
    source = SweepProblem(SUITES["paper"][0], 0)
    first, again, other = (draw_sweep(source, noise=0.01, seed=seed).sweep.y for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_one_variable_makes_one_group():
    assert draw_sweep(SweepProblem(SUITES["nguyen"][0], 0), noise=0.0, seed=0).sweep.n_groups == 1


def test_constant_sweeps_are_noticed():
    saturated = problem("A | tanh(100*x) | x [1, 2]")
    assert draw_sweep(SweepProblem(saturated, 0), noise=0.0, seed=0).is_flat
    assert not draw_sweep(SweepProblem(SUITES["nguyen"][7], 0), noise=0.0, seed=0).is_flat


def test_the_suite_has_every_variable_that_matters():
    whole = select_sweeps()
    keys = [sweep.key for sweep in whole.sweeps]
    assert (len(keys), whole.n_without_variable, whole.is_whole) == (450, 1, True)
    assert len(set(keys)) == 450
    assert "strogatz/vdp2 in x" in keys
    assert "strogatz/vdp2 in y" not in keys
    assert "nguyen/Nguyen-9 in x" not in keys  # of this suite only the one-variable problems
    quick = select_sweeps("quick")
    assert len(quick.sweeps) == QUICK
    assert not quick.is_whole
    assert {sweep.key for sweep in select_sweeps(limit=10).sweeps} < {sweep.key for sweep in quick.sweeps}


def test_a_suite_can_be_narrowed_down():
    assert [sweep.key for sweep in select_sweeps("nguyen", only="Nguyen-8").sweeps] == ["nguyen/Nguyen-8 in x"]
    with pytest.raises(DataError, match="Unknown suite 'nuygen'"):
        select_sweeps("nuygen")
    with pytest.raises(DataError, match="No sweep is left"):
        select_sweeps("nguyen", only="Jin")


def test_there_is_a_job_per_method_sweep_noise_and_seed():
    jobs = plan(select_sweeps("nguyen"), methods=["a", "b"], noises=[0, 0.1], seeds=range(3), time_limit=1)
    assert len(jobs) == 8 * 2 * 2 * 3
    assert len({job.key for job in jobs}) == len(jobs)
