import numpy as np
import pytest

from scalesr.bench.dynamics.drawing import draw_runs
from scalesr.bench.dynamics.judging import errors_of_runs, judge_state
from scalesr.bench.dynamics.systems import SYSTEMS, systems_called
from scalesr.errors import DataError
from scalesr.expr.text import parse


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
