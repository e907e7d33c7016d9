import numpy as np
import pytest

from scalesr.expr.text import parse
from scalesr_bench.analysis.decompose import complexity
from scalesr_bench.analysis.searched import Runnable, effort_of_chain, runnable
from scalesr_bench.analysis.study import Sampled
from scalesr_bench.paper.space import SpaceSettings, measure_space, space_table


def test_a_row_per_complexity_with_what_was_counted_and_scored():
    result = measure_space(SpaceSettings(n_equations=62, most_run=2, n_run=1, cap=2000, seconds=3.0, quick=True))
    table = space_table(result)
    assert [row[0] for row in table.rows] == [str(n) for n in range(1, 32)]
    assert table.rows[30][2] == "5.05e+30"
    assert "found)" in table.rows[1][6]
    assert table.rows[20][6] == "-"
    assert any(note.startswith("QUICK") for note in table.notes)


def test_the_figure_shows_every_curve():
    pytest.importorskip("matplotlib")
    from scalesr_bench.analysis.searched import SearchEffort
    from scalesr_bench.analysis.study import SpaceLine
    from scalesr_bench.figures.search_space import space_figure

    lines = [SpaceLine(n, 3, 10**n, 3.0**n, 2**n, 4**n) for n in range(1, 32)]
    efforts = [
        SearchEffort(way, n, 10 * n, n > 2) for way in ("mcts", "mcts, control variables", "default") for n in (1, 3)
    ]
    (axes,) = space_figure(lines, efforts).axes
    labels = {line.get_label() for line in axes.get_lines()}
    assert labels >= {"brute force", "control variables, median", "mcts, scored", "default, scored"}
    assert axes.get_yscale() == "log"


def test_a_chain_stops_at_the_first_formula_that_is_not_found():
    tree = parse("sin(x0*x1)/(x1 + cos(x0)) - x2/(x3 + exp(x2))")
    (one,) = runnable([Sampled(complexity(tree), tree, 1, 1)], rng=np.random.default_rng(0))
    effort = effort_of_chain(one, cap=1, seconds=20.0, rng=np.random.default_rng(0))
    assert effort.censored
    assert 0 < effort.n_scored < 40  # one batch of one search; the chain has eight


def test_a_chain_that_cannot_be_run_counts_only_what_was_scored():
    tree = parse("x0 + log(x1 - x1)")  # its second curve has no values, whatever the constants
    one = Runnable(complexity(tree), tree, tree, np.ones((300, 2)), np.ones(300))
    effort = effort_of_chain(one, cap=50, seconds=20.0, rng=np.random.default_rng(0))
    assert effort.censored
    assert 0 < effort.n_scored < 50
