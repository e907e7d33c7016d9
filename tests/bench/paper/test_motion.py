import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr_bench.dynamics.drawing import draw_runs
from scalesr_bench.dynamics.systems import SYSTEMS
from scalesr_bench.paper.motion import derivative_rows
from scalesr_bench.paper.published import BASELINES, LAWS_OF_MOTION, MSRE


def test_rows_for_other_methods_have_the_derivatives_of_the_law():
    drawn = draw_runs(SYSTEMS["toggle"], seed=0, noise=0.0, n_trajectories=20)
    data = derivative_rows(drawn, 1, rng=np.random.default_rng(0))
    np.testing.assert_allclose(data.y, drawn.system.laws[1].values(data.table), atol=1e-5)


def test_the_papers_laws_of_motion_are_near_the_truth():
    rng = np.random.default_rng(0)
    for name, laws in LAWS_OF_MOTION.items():
        system = SYSTEMS[name]
        X = rng.uniform(0.5, 3.0, (100, len(system.states)))
        for state, law in zip(system.states, system.laws, strict=True):
            theirs = evaluate(parse(laws[state], system.states), X)
            assert np.abs(theirs - law.values(X)).max() < 0.3, (name, state)
    assert BASELINES.keys() == MSRE.keys() == LAWS_OF_MOTION.keys()


def test_trajectories_are_drawn_for_every_state():
    from scalesr.report.trajectories import trajectory_figure

    times = np.linspace(0, 1, 5)
    truth = np.column_stack([times, times**2])
    figure = trajectory_figure(times, truth, truth + 0.1, ["U", "V"])
    assert [axes.get_ylabel() for axes in figure.axes] == ["U", "V"]
    assert all(len(axes.get_lines()) == 2 for axes in figure.axes)
