import json

import numpy as np
import pytest

from scalesr.bench.mcts_speed import PowellScores, measure_mcts
from scalesr.expr.canonical import canonical
from scalesr.expr.text import parse
from scalesr.records.sweep import Sweep


def test_powell_reaches_the_least_squares_of_a_straight_line():
    x = np.linspace(0, 1, 30)
    scores = PowellScores(Sweep.from_groups([x], [2 * x + 1]), seconds=60.0, form=canonical)
    line, undefined = scores.score([parse("C*x0 + C"), parse("log(x0 - 2)")])
    assert line < 1e-3
    assert undefined == np.inf
    assert scores.n_scored == 2


def test_the_compiled_search_scores_more_skeletons_than_powell():
    measured = measure_mcts(seconds=0.4, n_rows=50)
    json.dumps(measured)
    assert measured["ratio"] == pytest.approx(
        measured["compiled"]["skeletons_per_second"] / measured["powell"]["skeletons_per_second"]
    )
    assert measured["ratio"] > 1
