import copy
import json
from dataclasses import replace

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.integrate import solve_ivp

import scalesr
from scalesr import ScaleSRDynamics, Verdict, load
from scalesr.dynamics import find
from scalesr.dynamics.simulate import simulated, trajectory_score
from scalesr.dynamics.system import system_of
from scalesr.errors import DataError, SettingError
from scalesr.estimators import looking
from scalesr.estimators.trajectory_inputs import Columns, read_trajectories
from scalesr.expr.text import parse
from scalesr.records.outcome import Ending

T = np.linspace(0, 3, 61)


def decay(n_runs=8, noise=0.0, seed=0):
    """x' = -2 x + y, y' = -0.5 y."""
    rng, runs = np.random.default_rng(seed), []
    for _ in range(n_runs):
        done = solve_ivp(
            lambda _, x: [-2 * x[0] + x[1], -0.5 * x[1]], (0, 3), rng.uniform(1, 4, 2), t_eval=T, rtol=1e-10, atol=1e-12
        )  # fmt: skip
        runs.append(done.y.T + noise * rng.normal(size=(61, 2)))
    return runs


def as_table(runs):
    parts = [pd.DataFrame({"run": k, "t": T, "x": run[:, 0], "y": run[:, 1]}) for k, run in enumerate(runs)]
    return pd.concat(parts)


@pytest.fixture(scope="module")
def system():
    return ScaleSRDynamics(random_state=0, time_limit=None, max_work=2000).fit(decay(), T, states=["x", "y"])


def test_the_laws_of_a_decay_are_found(system):
    assert str(system) == "dx/dt = y - 2*x\ndy/dt = -0.5*y"
    assert [one.verdict for one in system.discoveries_] == [Verdict.EXACT, Verdict.EXACT]
    assert [str(law) for law in system.sympy()] == ["-2*x + y", "-0.5*y"]
    assert r"\dot{x}" in system.latex()


def test_constant_terms_are_told_of(system):
    assert sum("cannot be distinguished from zero" in text for text in system.statements_) == 2


def test_simulation_is_the_closed_solution(system):
    found = system.simulate([0.0, 1.0], T)
    assert found[:, 1] == pytest.approx(np.exp(-0.5 * T), abs=1e-8)
    assert found[:, 0] == pytest.approx((np.exp(-0.5 * T) - np.exp(-2 * T)) / 1.5, abs=1e-8)
    assert system.simulate([[0.0, 1.0], [1.0, 0.0]], T).shape == (2, 61, 2)


def test_new_starts_are_foretold(system):
    assert system.score(decay(3, seed=9), T) > 1 - 1e-9


def test_laws_are_saved_and_loaded_by_their_kind(system, tmp_path):
    system.save(tmp_path / "laws.json")
    again = scalesr.load(tmp_path / "laws.json")
    assert isinstance(again, ScaleSRDynamics)
    assert again.equations_ == system.equations_
    assert again.statements_ == system.statements_
    assert again.get_params() == system.get_params()
    assert np.array_equal(again.simulate([1.0, 1.0], T), system.simulate([1.0, 1.0], T))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 99}, "version 99"),
        ({"states": ["x"]}, "'y'|discoveries"),
        ({"extra": 1}, "unknown field"),
        ({"statements": [3]}, "no text"),
    ],
)
def test_a_file_that_was_tampered_with_is_refused(system, tmp_path, change, message):
    path = tmp_path / "laws.json"
    system.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(DataError, match=message):
        scalesr.load(path)


def test_a_table_gives_the_trajectories_that_arrays_give(system):
    runs = decay(3)
    table = as_table(runs).assign(note=1.0)
    found = read_trajectories(table, None, Columns(("x", "y"), "t", "run"), inputs=["note"])
    assert found.names == ("x", "y", "note")
    for one, run in zip(found.runs, runs, strict=True):
        assert np.array_equal(one.states, run)
        assert np.array_equal(one.times, T)
    assert system.score(as_table(runs), time="t", trajectory="run") > 1 - 1e-9


@pytest.mark.parametrize("given", [decay(2), np.stack(decay(2)), [run.tolist() for run in decay(2)]])
def test_lists_and_arrays_are_the_same_runs(given):
    found = read_trajectories(given, T, Columns())
    assert [run.n_points for run in found.runs] == [61, 61]
    assert np.array_equal(found.runs[1].states, decay(2)[1])
    assert found.states == ("x0", "x1")


def test_runs_may_have_times_of_their_own_and_different_lengths():
    runs = [decay(2)[0], decay(2)[1][:30]]
    found = read_trajectories(runs, [T, T[:30]], Columns())
    assert [run.n_points for run in found.runs] == [61, 30]
    assert np.array_equal(read_trajectories(runs, 0.05, Columns()).runs[1].times, 0.05 * np.arange(30))


def test_a_map_is_found():
    x = [0.3]
    for _ in range(80):
        x.append(3.6 * x[-1] * (1 - x[-1]))
    found = ScaleSRDynamics(kind="map", random_state=0, time_limit=None, max_work=2000).fit(np.array(x), states=["x"])
    law = found.equations_[0]
    grid = np.linspace(0, 1, 20)[:, np.newaxis]
    assert law.predict(grid) == pytest.approx(3.6 * grid[:, 0] * (1 - grid[:, 0]), abs=1e-6)
    assert found.simulate([0.3], np.arange(5))[:, 0] == pytest.approx(x[:5], abs=1e-6)


def test_inputs_and_parameters_are_columns_of_the_laws():
    rng, runs, inputs = np.random.default_rng(3), [], []
    rates = rng.uniform(0.5, 2, 10)
    for rate in rates:
        curve = np.sin(T)
        done = solve_ivp(
            lambda t, x, rate=rate: [-rate * x[0] + 3 * np.sin(t)], (0, 3), rng.uniform(1, 3, 1), t_eval=T, rtol=1e-10
        )  # fmt: skip
        runs.append(done.y.T)
        inputs.append(curve)
    found = ScaleSRDynamics(random_state=0, time_limit=None, max_work=100).fit(
        runs, T, states=["x"], inputs={"u": inputs}, parameters={"k": rates}
    )  # fmt: skip
    X = rng.uniform(0.5, 2, (30, 3))
    assert found.equations_[0].predict(X) == pytest.approx(3 * X[:, 1] - X[:, 2] * X[:, 0], abs=1e-3)
    ahead = found.simulate(runs[0][0], T, inputs={"u": np.sin(T), "k": rates[0]})
    assert ahead == pytest.approx(runs[0], abs=1e-3)


def test_states_that_move_together_are_not_identifiable():
    rng, runs = np.random.default_rng(0), []
    for _ in range(8):
        start = rng.uniform(0.1, 0.9)
        sick = start * np.exp(2 * T) / (1 - start + start * np.exp(2 * T))
        runs.append(np.stack([1 - sick, sick], axis=1))
    found = ScaleSRDynamics(random_state=0, time_limit=None, max_work=2000).fit(runs, T, states=["s", "i"])
    assert {one.verdict for one in found.discoveries_} == {Verdict.NOT_IDENTIFIABLE}
    assert "move together" in found.statements_[0]


def test_gaps_split_trajectories_and_are_told_of():
    runs = decay(2)
    runs[0][20] = np.nan
    runs[1][3, 1] = np.nan
    found = read_trajectories(runs, T, Columns())
    assert [run.n_points for run in found.runs] == [20, 40, 57]
    assert "2 points with missing numbers were left out" in found.notes[0]
    assert "1 pieces of fewer than 5 points" in found.notes[1]


@pytest.mark.parametrize(
    ("runs", "t", "message"),
    [
        ([np.ones((5, 2))], T[:5][::-1], "do not increase"),
        ([np.ones((5, 2))], [0, 1, 1, 2, 3], "twice"),
        ([np.ones((3, 2))], [0, 1, 2], "No trajectory has 5 points"),
        ([np.ones((9, 2))], np.arange(9), "never changes"),
        ([np.full((9, 2), np.nan)], np.arange(9), "No trajectory has 5 points"),
        ([np.ones((9, 2))], None, "Times are missing"),
        ([np.ones((9, 2))], np.arange(8), "9 points and 8 times"),
        ([np.ones((9, 2)), np.ones((9, 3))], np.arange(9), "3 states"),
        ([], np.arange(9), "no trajectories"),
        (np.empty((0, 9, 2)), np.arange(9), "no trajectories"),
        ("text", None, "not str"),
        ([np.ones((9, 1)) * 1j], np.arange(9), "complex"),
    ],
)
def test_data_that_cannot_be_used_are_refused_with_the_reason(runs, t, message):
    with pytest.raises(DataError, match=message):
        ScaleSRDynamics().fit(runs, t)


def test_a_table_without_its_columns_is_refused():
    table = as_table(decay(2))
    with pytest.raises(DataError, match="column of times"):
        ScaleSRDynamics().fit(table)
    with pytest.raises(DataError, match="no column 'z'"):
        ScaleSRDynamics().fit(table, time="t", states=["z"])
    with pytest.raises(DataError, match=r"twice|do not increase"):
        ScaleSRDynamics().fit(table, time="t", states=["x", "y"])


def test_an_unknown_kind_is_refused():
    with pytest.raises(SettingError, match="kind='pde'"):
        ScaleSRDynamics(kind="pde").fit(decay(1), T)


def test_a_blow_up_ends_in_nan_and_scores_minus_infinity():
    system = system_of([parse("x^2", ["x"])])
    ahead = simulated(system, np.array([1.0]), np.linspace(0, 10, 50), np.empty((50, 0)))
    assert np.isfinite(ahead[:4]).all()
    assert np.isnan(ahead[-1]).all()
    assert trajectory_score([np.ones((50, 1))], [ahead]) == -np.inf


def test_a_stiff_system_is_simulated():
    system = system_of([parse("1000000.0*(cos(y) - x)", ["x", "y"]), parse("0*x + 1", ["x", "y"])])
    t = np.linspace(0, 2, 9)
    ahead = simulated(system, np.array([0.0, 0.0]), t, np.empty((9, 0)))
    assert ahead[1:, 0] == pytest.approx(np.cos(t[1:]), abs=1e-5)


def test_exact_is_not_said_of_one_curve_in_two_dimensions():
    found = ScaleSRDynamics(random_state=0, time_limit=None, max_work=50).fit(decay(1), T, states=["x", "y"])
    assert Verdict.EXACT not in {one.verdict for one in found.discoveries_}
    assert "none to hold back" in found.discoveries_[0].reason


def pendulum(noise=0.0, n_runs=6):
    """Positions of x'' = -2 sin(x) - 0.15 x' alone."""
    rng, runs, t = np.random.default_rng(1), [], np.linspace(0, 8, 120)
    for _ in range(n_runs):
        done = solve_ivp(
            lambda _, x: [x[1], -2 * np.sin(x[0]) - 0.15 * x[1]], (0, 8), rng.uniform(-2, 2, 2), t_eval=t, rtol=1e-9
        )  # fmt: skip
        runs.append(done.y.T[:, :1] + noise * rng.normal(size=(120, 1)))
    return runs, t


@pytest.fixture(scope="module")
def swinging():
    runs, t = pendulum(noise=0.01)
    return ScaleSRDynamics(order=2, random_state=0, time_limit=None, max_work=2000).fit(runs, t, states=["x"])


def test_a_law_of_second_order_is_found_from_positions_alone(swinging):
    law = swinging.equations_[1]
    X = np.random.default_rng(0).uniform(-2, 2, (50, 2))
    assert law.predict(X) == pytest.approx(-2 * np.sin(X[:, 0]) - 0.15 * X[:, 1], abs=0.05)
    assert str(swinging).startswith("d2x/dt2 = ")
    assert swinging.state_names_ == ("x", "x_dot")
    assert "by definition" in swinging.discoveries_[0].reason
    assert swinging.discoveries_[1].verdict is Verdict.WITHIN_NOISE


def test_laws_of_second_order_are_simulated_compared_and_kept(swinging, tmp_path):
    t = np.linspace(0, 2, 9)
    swinging.save(tmp_path / "laws.json")
    again = scalesr.load(tmp_path / "laws.json")
    assert np.array_equal(again.simulate([1.0, 0.0], t), swinging.simulate([1.0, 0.0], t))
    runs, times = pendulum(noise=0.01)
    assert again.score(runs[:2], times) > 0.999  # from starts that are fitted, rates among them
    assert [found.shape for _, _, found in again.compare(runs[:2], times)] == [(120, 1), (120, 1)]


def test_positions_alone_get_a_hint():
    runs, t = pendulum(n_runs=2)
    found = ScaleSRDynamics(random_state=0, time_limit=None, max_work=5).fit(runs, t, states=["x"])
    assert "order=2" in found.statements_[0]
    assert not any("order=2" in text for text in ScaleSRDynamics(random_state=0, time_limit=None, max_work=50).fit(
        decay(3), T, states=["x", "y"]).statements_)  # fmt: skip


@pytest.mark.parametrize("settings", [{"order": 3}, {"order": 2, "kind": "map"}])
def test_an_unknown_order_is_refused(settings):
    with pytest.raises(SettingError, match="order="):
        ScaleSRDynamics(**settings).fit(decay(1), T)


def test_a_column_with_the_name_of_a_rate_is_refused():
    with pytest.raises(DataError, match="'x_dot' is needed"):
        ScaleSRDynamics(order=2).fit(decay(1), T, states=["x", "x_dot"])


def test_noisy_laws_are_found_and_shown_with_the_digits_they_have():
    runs = decay(6, noise=0.02)
    found = ScaleSRDynamics(random_state=0, time_limit=None, max_work=2000).fit(runs, T, states=["x", "y"])
    X = np.random.default_rng(0).uniform(1, 4, (50, 2))
    assert found.equations_[0].predict(X) == pytest.approx(X[:, 1] - 2 * X[:, 0], abs=0.2)
    assert found.equations_[1].predict(X) == pytest.approx(-0.5 * X[:, 1], abs=0.1)
    assert max(len(word) for word in str(found).replace("*", " ").split()) <= 9
    assert "Noise of the measurements" in found.statements_[-1]
    assert "x 0.0" in found.statements_[-1]


@pytest.mark.parametrize(("kind", "stages"), [("ode", {"dynamics"}), ("map", {"dynamics", "reduce", "combine"})])
def test_counted_work_cuts_at_the_same_place_with_any_number_of_workers_and_says_so(kind, stages):
    runs = decay(6, noise=0.3)

    def cut(n_jobs: int) -> ScaleSRDynamics:
        system = ScaleSRDynamics(kind=kind, random_state=0, time_limit=None, max_work=10, n_jobs=n_jobs)
        return system.fit(runs, T, states=["x", "y"])

    one = cut(1)
    with joblib.parallel_config(backend="threading"):  # threads need not load anything
        two = cut(2)
    for first, second in zip(one.discoveries_, two.discoveries_, strict=True):
        assert first.equation == second.equation
        assert [step.summary for step in first.trace] == [step.summary for step in second.trace]
    assert stages <= {step.stage for step in one.discoveries_[0].trace}
    assert one.statements_ == two.statements_
    assert "The choice between laws was cut short: The limit of " in " ".join(one.statements_)
    with pytest.raises(SettingError, match="max_work"):
        ScaleSRDynamics(max_work=-1).fit(runs, T)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Laws of motion of which a state is called as no state should be, and what their file holds."""
    runs = [np.exp(-T)[:, np.newaxis]]
    path = tmp_path_factory.mktemp("laws") / "law.json"
    system = ScaleSRDynamics(random_state=0, time_limit=None, max_work=5).fit(runs, T, states=[r"\write18{true}"])
    system.save(path)
    return system, json.loads(path.read_text())


def test_names_of_states_are_no_commands_of_latex(hostile):
    system, _ = hostile
    assert r"\write" not in system.latex()
    assert "write18" in system.latex()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": 1.0}, "order=1.0 is unknown"),
        ({"order": True}, "order=True is unknown"),
        ({"order": 2}, "1 states have no rates each"),
        ({"kind": "pde"}, "kind='pde' is unknown"),
        ({"order": 2, "kind": "map"}, "order=2 is unknown"),
    ],
)
def test_a_file_of_laws_of_motion_of_no_known_kind_is_refused(hostile, tmp_path, settings, message):
    document = copy.deepcopy(hostile[1])
    document["settings"] |= settings
    (tmp_path / "law.json").write_text(json.dumps(document))
    with pytest.raises(DataError, match=rf"law\.json is not a model file that can be read: {message}"):
        load(tmp_path / "law.json")


def test_a_simulation_that_does_not_come_to_the_end_of_its_first_step_has_no_values():
    system = system_of([parse("exp(x^4)", ["x"])])
    ahead = simulated(system, np.array([30.0]), np.linspace(0, 1, 5), np.empty((5, 0)))
    assert not np.isfinite(ahead[1:]).any()


def test_all_that_is_done_after_an_interrupt_takes_less_than_two_seconds(monkeypatch):
    """As far as it is limited by time: SIGTERM may take no more, and the searches of four states are hurried."""
    limits, discover, stop = [], looking.pipeline.discover, find.Stop

    def interrupted(data, settings, **given):
        if limits:
            limits.append(settings.time_limit)
        found = discover(data, replace(settings, time_limit=None, max_work=1.0), **given)
        limits.append(0.0)
        return replace(found, ending=Ending.INTERRUPTED)

    def stopped(*given, seconds=None, **others):
        limits.append(seconds or 0.0)
        return stop(*given, seconds=seconds, **others)

    monkeypatch.setattr(looking.pipeline, "discover", interrupted)
    monkeypatch.setattr(find, "Stop", stopped)
    t = np.linspace(0, 3, 31)
    runs = [np.exp(-np.outer(t, [1.0, 2.0, 3.0, 0.5]))]
    ScaleSRDynamics(random_state=0, time_limit=None, max_work=20).fit(runs, t)
    assert limits.count(0.0) >= 4
    assert 0 < sum(limits) < 2
