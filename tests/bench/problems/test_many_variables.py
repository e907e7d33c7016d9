import numpy as np
import pytest
import sympy

from scalesr_bench.problems.many_variables import KINDS, SHAPES, LawShape, many_variables, random_law
from scalesr_bench.samplers import standard_rows

LAWS = many_variables(seed=0)


def terms(problem):
    """The terms of a law, by sympy."""
    symbols = {name: sympy.Symbol(name) for name in problem.names}
    return sympy.Add.make_args(sympy.expand(sympy.sympify(problem.formula, locals=symbols)))


def test_there_is_a_law_of_every_kind_and_shape_and_the_seed_decides_which():
    assert len(LAWS) == len(KINDS) * len(SHAPES) == 30
    assert len({law.key for law in LAWS}) == 30
    assert many_variables(seed=0) == LAWS
    others = many_variables(seed=1)
    assert not {law.formula for law in LAWS} & {law.formula for law in others}
    assert not {law.key for law in LAWS} & {law.key for law in others}


@pytest.mark.parametrize("place", range(30))
def test_a_law_has_the_terms_of_its_shape_and_every_variable(place):
    law, shape = LAWS[place], SHAPES[place % len(SHAPES)]
    sizes = [len(term.free_symbols) for term in terms(law)]
    assert sorted(sizes) == [0] + [1] * shape.n_single + [2] * shape.n_cross
    assert set().union(*(term.free_symbols for term in terms(law))) == {sympy.Symbol(name) for name in law.names}
    pairs = [term.free_symbols for term in terms(law) if len(term.free_symbols) == 2]
    assert len({frozenset(pair) for pair in pairs}) == shape.n_cross


@pytest.mark.parametrize(("kind", "functions"), [("inv", set()), ("sincos", {sympy.sin, sympy.cos})])
def test_a_kind_has_its_own_functions_and_no_other(kind, functions):
    rng = np.random.default_rng(0)
    laws = [random_law(kind, LawShape(5, 5, 8), f"law {k}", rng=rng) for k in range(5)]
    used = {node.func for law in laws for term in terms(law) for node in sympy.preorder_traversal(term)}
    assert {f for f in used if issubclass(f, sympy.Function)} == functions
    assert any("/" in law.formula for law in laws) == (kind == "inv")


def test_variables_that_no_single_term_has_come_in_by_pairs():
    rng = np.random.default_rng(3)
    for k in range(30):
        law = random_law("inv", LawShape(3, 1, 1), f"law {k}", rng=rng)
        assert set().union(*(term.free_symbols for term in terms(law))) == set(sympy.symbols("x1:4"))


def test_rows_are_log_uniform():
    X = standard_rows(LAWS[0], rng=np.random.default_rng(0))
    assert X.shape == (10_000, 2)
    assert np.mean(X < 1) == pytest.approx(0.5, abs=0.02)
    assert X.min() >= 0.1 * (1 - 1e-12)
    assert X.max() <= 10 * (1 + 1e-12)
