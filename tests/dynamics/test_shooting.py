import numpy as np
import pytest
from scipy.integrate import solve_ivp

from scalesr.dynamics.flow import run, run_with_slopes
from scalesr.dynamics.segments import cut
from scalesr.dynamics.shooting import enough_steps, shoot, std_of
from scalesr.dynamics.system import system_of
from scalesr.dynamics.trajectories import Trajectory, whole_trajectories
from scalesr.expr.text import parse

NAMES = ["x", "y"]
LAWS = ["1.1*x - 0.4*x*y", "0.1*x*y - 0.4*y"]


def prey(t, x):
    return [1.1 * x[0] - 0.4 * x[0] * x[1], 0.1 * x[0] * x[1] - 0.4 * x[1]]


def trajectories(n_runs=12, noise=0.0, seed=0):
    rng = np.random.default_rng(seed)
    runs = []
    for _ in range(n_runs):
        t = np.sort(rng.uniform(0, 4, 50))
        y = solve_ivp(prey, (t[0], t[-1]), rng.uniform(2, 8, 2), t_eval=t, rtol=1e-11, atol=1e-12).y.T
        runs.append(Trajectory(t, y + noise * rng.normal(size=y.shape), np.empty((50, 0))))
    return whole_trajectories(runs, NAMES)


def segments(data, n_points=50):
    return cut(data, n_points, 100, rng=np.random.default_rng(0))


def test_the_flow_is_that_of_scipy_at_uneven_times():
    here = segments(trajectories())
    system = system_of([parse(law, NAMES) for law in LAWS])
    assert np.abs(run(system, here, here.states[:, 0], n_sub=2) - here.states).max() < 1e-7


def test_slopes_by_constants_and_starts_are_those_of_differences():
    here = segments(trajectories(3))
    system, starts, step = system_of([parse(law, NAMES) for law in LAWS]), here.states[:, 0], 1e-6
    _, slopes = run_with_slopes(system, here, starts)
    for k in range(system.n_free):
        moved = system.values + step * np.eye(system.n_free)[k]
        back = system.values - step * np.eye(system.n_free)[k]
        numeric = (
            (run(system.with_values(moved), here, starts) - run(system.with_values(back), here, starts)) / step / 2
        )
        assert slopes[:, :, :, k] == pytest.approx(numeric, rel=1e-4, abs=1e-4)
    for j in range(2):
        shift = step * np.eye(2)[j]
        numeric = (run(system, here, starts + shift) - run(system, here, starts - shift)) / step / 2
        assert slopes[:, :, :, system.n_free + j] == pytest.approx(numeric, rel=1e-4, abs=1e-4)


def test_constants_come_from_trajectories_without_bias():
    here = segments(trajectories(40, noise=0.05))
    wrong = system_of([parse(law, NAMES) for law in ("1.3*x - 0.5*x*y", "0.12*x*y - 0.3*y")])
    shot = shoot(wrong, here, n_sub=2)
    off = (shot.system.values - [1.1, 0.4, 0.1, 0.4]) / np.sqrt(np.diag(shot.covariance))
    assert np.abs(off).max() < 4
    assert np.sqrt(np.diag(shot.covariance)).max() < 0.01
    assert shot.errors == pytest.approx([0.05, 0.05], rel=0.1)


def test_steps_are_halved_until_a_fast_system_is_followed():
    t = np.linspace(0, 2, 11)
    runs = [Trajectory(t, (np.exp(-30 * t) * start)[:, np.newaxis], np.empty((11, 0))) for start in (1.0, 2.0)]
    here = segments(whole_trajectories(runs, ["x"]), 11)
    system = system_of([parse("-30*x", ["x"])])
    n_sub, followed = enough_steps(system, here, 1e-8 * std_of(here))
    assert followed.all()
    assert n_sub > 1
    assert np.abs(run(system, here, here.states[:, 0], n_sub=n_sub) - here.states).max() < 1e-6


def test_a_system_that_blows_up_is_told_and_not_crashed_on():
    here = segments(trajectories(3))
    shot = shoot(system_of([parse("x^2*y^2", NAMES), parse("y^3", NAMES)]), here)
    assert not shot.is_finite


def test_a_map_is_fitted_step_by_step():
    values = [0.3]
    for _ in range(60):
        values.append(3.7 * values[-1] * (1 - values[-1]))
    data = whole_trajectories(
        [Trajectory(np.arange(61.0), np.array(values)[:, np.newaxis], np.empty((61, 0)))], ["x"], is_map=True
    )
    shot = shoot(system_of([parse("3.5*x*(1 - x)", ["x"])], is_map=True), segments(data, 6))
    assert shot.errors[0] < 1e-9
