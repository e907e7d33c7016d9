import json

import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.records.sweep import Sweep
from scalesr.search.mcts.families import Family, families_of
from scalesr.search.mcts.productions import spl_grammar
from scalesr_bench.mcts_speed import PowellScores, measure_mcts

GRAMMAR = spl_grammar(Operators("+", "*", "log"), 1)
PLUS, C, SCALED, X, LOG, INSIDE_X = 0, 2, 3, 4, 10, 9


@pytest.mark.parametrize("form", [Family.written, Family.representative])
def test_powell_reaches_the_least_squares_of_a_straight_line(form):
    x = np.linspace(0, 1, 30)
    scores = PowellScores(Sweep.from_groups([x], [2 * x + 1]), seconds=60.0, form=form)
    forms, (line, undefined) = scores.fitted(families_of(GRAMMAR, [[PLUS, SCALED, X, C], [LOG, INSIDE_X]]))
    assert line < 1e-5
    assert undefined == np.inf  # log(0)
    assert scores.n_scored == 2
    assert scores.score(forms[:1]) == pytest.approx(np.sqrt(line / 30) / (2 * x).std())


def test_the_compiled_search_scores_more_skeletons_than_powell():
    measured = measure_mcts(seconds=0.4, n_rows=50)
    json.dumps(measured)
    assert measured["ratio"] == pytest.approx(
        measured["compiled"]["skeletons_per_second"] / measured["powell"]["skeletons_per_second"]
    )
    assert measured["ratio"] > 1
    assert measured["ratio_on_the_same_candidates"] > 1
    assert 0 < measured["share_of_the_sample_with_a_compiled_fit_no_worse"] <= 1
