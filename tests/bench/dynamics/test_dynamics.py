import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.expr.text import parse
from scalesr_bench.dynamics.drawing import draw_runs
from scalesr_bench.dynamics.judging import errors_of_runs, explained, judge_state
from scalesr_bench.dynamics.measure import DynamicsSettings
from scalesr_bench.dynamics.methods import METHODS
from scalesr_bench.dynamics.systems import SYSTEMS, systems_called


def test_the_systems_are_those_of_the_paper_and_of_strogatz():
    assert [one.name for one in systems_called("strogatz")] == [
        "bacres", "barmag", "glider", "lv", "predprey", "shearflow", "vdp",
    ]  # fmt: skip
    toggle, repressilator = SYSTEMS["toggle"], SYSTEMS["repressilator"]
    assert (toggle.n_trajectories, toggle.n_held, toggle.n_points) == (800, 200, 101)
    assert (repressilator.n_trajectories, repressilator.n_held, repressilator.n_points) == (4000, 1000, 401)
    with pytest.raises(DataError, match="no system 'perpetuum'"):
        systems_called("perpetuum")


def test_drawn_runs_obey_their_laws():
    drawn = draw_runs(SYSTEMS["vdp"], seed=1, noise=0.0, n_trajectories=2)
    x, y = drawn.measured[0].T
    rate = np.gradient(y, drawn.times)
    assert np.abs(rate + x / 10)[2:-2].max() < 0.01
    again = draw_runs(SYSTEMS["vdp"], seed=1, noise=0.0, n_trajectories=2)
    assert np.array_equal(again.measured, drawn.measured)


def test_noise_is_a_share_of_each_state():
    clean = draw_runs(SYSTEMS["barmag"], seed=0, noise=0.0, n_trajectories=5)
    noisy = draw_runs(SYSTEMS["barmag"], seed=0, noise=0.1, n_trajectories=5)
    share = (noisy.measured - clean.measured).std(axis=(0, 1)) / clean.measured.std(axis=(0, 1))
    assert share == pytest.approx([0.1, 0.1], rel=0.15)
    assert np.array_equal(noisy.held, clean.held)


@pytest.mark.parametrize(
    ("found", "form", "right"),
    [
        ("4/(1 + V^3) - U", True, True),
        ("3.919/(0.972 + V^3) - U", True, False),
        ("4/(1 + V^2) - U", False, False),
        ("4/(1 + V^3) - U + 0.1", False, False),
    ],
)
def test_forms_and_constants_are_judged(found, form, right):
    law = SYSTEMS["toggle"].laws[0]
    judged = judge_state("U", parse(found, law.names), law, noise=0.0, rng=np.random.default_rng(0))
    assert (judged.form, judged.right) == (form, right)


def test_errors_of_runs_are_those_of_the_paper():
    truth = np.random.default_rng(0).uniform(1, 2, (3, 5, 2))
    nmse, msre = errors_of_runs(1.01 * truth, truth)
    assert msre == pytest.approx(1e-4, rel=1e-3)
    assert nmse == pytest.approx(max(1e-4 * (truth**2).mean(axis=(0, 1)) / truth.var(axis=(0, 1))), rel=1e-6)
    assert errors_of_runs(np.full((3, 5, 2), np.nan), truth) == (np.inf, np.inf)


def test_half_of_the_textbook_systems_is_put_aside_by_their_names():
    seen, aside = systems_called("textbook"), systems_called("textbook-aside")
    assert len(seen) + len(aside) == 52
    assert not {one.name for one in seen} & {one.name for one in aside}
    assert min(len(seen), len(aside)) >= 20
    assert {len(one.states) for one in (*seen, *aside)} == {1, 2, 3, 4}
    assert all(one.n_points == 150 for one in (*seen, *aside))


def test_the_worst_state_decides_how_much_is_explained():
    truth = np.random.default_rng(0).normal(size=(2, 50, 2))
    found = truth + np.array([0.1, 0.5]) * np.random.default_rng(1).normal(size=truth.shape)
    assert explained(truth, truth) == 1.0
    assert explained(found, truth) == pytest.approx(0.75, abs=0.07)
    assert explained(np.full_like(truth, np.nan), truth) == -np.inf


def test_the_weak_form_of_pysindy_is_measured_beside_ours():
    pytest.importorskip("pysindy")
    drawn = draw_runs(SYSTEMS["damped-spring"], seed=0, noise=0.01, n_trajectories=3)
    found = METHODS["weak-sindy"](drawn, seed=0, n_jobs=1, time_limit=1.0)
    judged = [
        judge_state(state, law.expression, problem, noise=0.01, rng=np.random.default_rng(0))
        for state, law, problem in zip(("x", "y"), found.laws, drawn.system.laws, strict=True)
    ]
    assert all(one.right for one in judged)
    assert explained(found.simulate(drawn.held[:, 0], drawn.times), drawn.held) > 0.99


def test_an_unknown_method_is_refused():
    with pytest.raises(DataError, match="no method 'guess'"):
        DynamicsSettings("textbook", method="guess")
