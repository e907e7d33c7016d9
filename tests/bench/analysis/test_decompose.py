import numpy as np

from scalesr.expr.text import parse
from scalesr_bench.analysis.counts import count_trees
from scalesr_bench.analysis.decompose import brute_force, by_control_variables, chain, complexity
from scalesr_bench.analysis.searched import effort_of_chain, effort_of_default, effort_of_tree_search, runnable
from scalesr_bench.analysis.study import Sampled, sample_equations, summarise


def steps(text):
    return [(step.variable, str(step.skeleton)) for step in chain(parse(text))]


def test_a_chain_has_a_formula_per_variable_and_coefficient():
    assert steps("x0*x1 + sin(x1 + C)") == [(0, "x0*C + C"), (1, "x0"), (1, "sin(x0 + C)")]


def test_a_variable_that_is_missing_is_a_constant_to_be_seen_through():
    assert steps("x1*C") == [(0, "C"), (1, "x0*C")]


def test_sizes_are_sums_of_counts():
    tree = parse("x0*x1 + sin(x1 + C)")
    assert complexity(tree) == 7
    assert brute_force(tree) == count_trees(5, 7).up_to(7)
    two = count_trees(2, 7)
    assert by_control_variables(tree) == two.up_to(4) + two.up_to(0) + two.up_to(3)


def test_control_variables_shrink_the_space_of_every_complex_formula():
    equations = sample_equations(62, rng=np.random.default_rng(0))
    lines = summarise(equations)
    assert [line.complexity for line in lines] == list(range(1, 32))
    assert all(line.n_equations == 2 for line in lines)
    assert all(line.most_control < line.brute_force for line in lines[5:])


def test_searches_count_what_they_score_until_the_law_is_found():
    tree = parse("x0*x1")
    (one,) = runnable([Sampled(2, tree, 0, 0)], rng=np.random.default_rng(0))
    rng = np.random.default_rng(1)
    together = effort_of_tree_search(one, cap=20_000, seconds=120.0, rng=rng)
    chained = effort_of_chain(one, cap=20_000, seconds=120.0, rng=rng)
    default = effort_of_default(one, seconds=120.0, rng=rng)
    assert not any(effort.censored for effort in (together, chained, default))
    assert chained.n_scored > 0
    assert 0 < together.n_scored <= 20_000
    tight = effort_of_tree_search(one, cap=1, seconds=120.0, rng=rng)
    assert tight.censored


def test_formulas_without_values_are_not_run():
    assert not runnable([Sampled(2, parse("x0 - x0"), 0, 0)], rng=np.random.default_rng(0))
    assert not runnable([Sampled(3, parse("log(x0 - x1 - x2)"), 0, 0)], rng=np.random.default_rng(0))
