import numpy as np

from scalesr.dynamics.choose import Contest
from scalesr.dynamics.rivals import best_of_rivals
from scalesr.dynamics.segments import cut
from scalesr.dynamics.system import system_of
from scalesr.expr.printing import to_text
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from tests.dynamics.systems import runs_of


def compared(laws, *, noise, starts):
    """The best of some laws of x' = 0.7 - sin(x) and its rivals."""
    data = runs_of(["0.7 - sin(x)"], ["x"], starts=[starts], duration=6, noise=noise, n_runs=3)
    tables = [Dataset.from_table(data.all_states, data.all_states[:, 0], names=["x"])]
    contest = Contest(cut(data, 120, 50, rng=np.random.default_rng(0)), 1, tables, Stop())
    best = None
    for law in laws:
        trial = contest.shot(system_of([parse(law, ["x"])]))
        best = trial if best is None or contest.is_better(trial, best) else best
    winner, rivals = best_of_rivals(best, contest)
    return to_text(winner.system.laws[0].expression, ["x"]), [rival.law for rival in rivals]


LAWS = ["0.76 - 1.26*x + 0.36*x^2", "0.71 - 1.02*sin(x)"]


def test_a_law_that_trajectories_cannot_tell_from_the_best_is_its_rival():
    _, rivals = compared(LAWS, noise=0.3, starts=(0.0, 1.0))
    assert len(rivals) == 1


def test_where_trajectories_tell_laws_apart_there_is_none():
    law, rivals = compared(LAWS, noise=0.01, starts=(-3.0, 2.0))
    assert "sin(x)" in law
    assert not rivals
