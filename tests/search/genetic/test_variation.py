"""The genetic operators give whole trees, within what they promise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.kernels.codes import ADD, DIV, LAST_LEAF, MUL, OPEN, POW, SIN, SUB, VARIABLE
from scalesr.search.genetic.symbols import Symbols, random_expression
from scalesr.search.genetic.trees import nesting, replaced, starts, subtree, with_constants_folded
from scalesr.search.genetic.variation import (
    SizeLimits,
    crossover,
    mutate_hoist,
    mutate_insert,
    mutate_point,
    mutate_shrink,
    mutate_subtree,
    tournament,
)
from tests.expr.strategies import expressions

PHYSICS = Symbols.over(Operators("physics"), 2)
SETS = [
    PHYSICS,
    Symbols.over(Operators("paper"), 1),
    Symbols.over(Operators("physics", "min", "neg", "abs"), 3, nesting=2),
    Symbols.over(Operators("sin"), 1),
    Symbols.over(Operators("^"), 1),
    Symbols.over(Operators("+"), 2),
]
MUTATIONS: dict[str, Callable[[Expression, Symbols, np.random.Generator], Expression]] = {
    "subtree": mutate_subtree,
    "point": mutate_point,
    "insert": mutate_insert,
    "shrink": mutate_shrink,
    "hoist": lambda expr, symbols, rng: mutate_hoist(expr, rng),
    "crossover": lambda expr, symbols, rng: crossover(expr, random_expression(symbols, rng, depth=3), rng),
}
SEEDS = st.integers(0, 2**32 - 1)


def is_whole(expr: Expression) -> bool:
    return Expression.from_arrays(expr.codes, expr.args, expr.constants) == expr


def operands(expr: Expression, root: int) -> list[int]:
    """Places of the operands of the node at `root`, the last first."""
    places, place = [], root - 1
    for _ in range(expr.arities()[root]):
        places.append(place)
        place = starts(expr)[place] - 1
    return places


def constants_stand_well(expr: Expression) -> bool:
    """Whether each open constant is next to something with a variable, or an exponent."""
    for root in np.flatnonzero(expr.codes > LAST_LEAF).tolist():
        places = operands(expr, root)
        if all(not (subtree(expr, place).codes == VARIABLE).any() for place in places):
            return False
        if any(expr.codes[place] == OPEN for place in places) and len(places) == 1:
            return False
    return True


@given(SEEDS, st.sampled_from(SETS), st.integers(1, 6), st.booleans())
def test_random_formulas_are_whole_and_keep_to_depth_and_nesting(
    seed: int, symbols: Symbols, depth: int, full: bool
) -> None:
    expr = random_expression(symbols, np.random.default_rng(seed), depth=depth, full=full)
    assert is_whole(expr)
    assert expr.depth <= depth + 1  # constants do not count
    assert nesting(expr) <= symbols.nesting
    assert constants_stand_well(expr)
    assert set(expr.variables) <= set(range(symbols.n_variables))
    assert expr.variables


@pytest.mark.parametrize("name", MUTATIONS)
@given(seed=SEEDS, symbols=st.sampled_from(SETS))
def test_a_chain_of_variations_stays_well_formed(name: str, seed: int, symbols: Symbols) -> None:
    rng = np.random.default_rng(seed)
    expr = random_expression(symbols, rng, depth=4)
    for _ in range(4):
        expr = MUTATIONS[name](expr, symbols, rng)
        assert is_whole(expr)
        assert constants_stand_well(expr)
        assert set(expr.variables) <= set(range(symbols.n_variables))


@pytest.mark.parametrize("name", MUTATIONS)
@given(seed=SEEDS, expr=expressions(n_variables=2, open_constants=True))
def test_variations_take_any_formula(name: str, seed: int, expr: Expression) -> None:
    assert is_whole(MUTATIONS[name](expr, PHYSICS, np.random.default_rng(seed)))


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_variation_is_decided_by_its_random_numbers(name: str) -> None:
    expr = parse("sin(x0^2 + C*x1)/(x0 + C) + exp(x1)")
    first, second = (MUTATIONS[name](expr, PHYSICS, np.random.default_rng(5)) for _ in range(2))
    assert first == second


@given(expressions(n_variables=2, open_constants=True), st.data())
def test_a_subtree_put_back_in_its_place_changes_nothing(expr: Expression, data: st.DataObject) -> None:
    root = data.draw(st.integers(0, expr.n_nodes - 1))
    assert replaced(expr, root, subtree(expr, root)) == expr


@given(expressions(n_variables=2, open_constants=True), expressions(n_variables=2, open_constants=True), st.data())
def test_replacing_keeps_the_values_of_all_other_constants(a: Expression, b: Expression, data: st.DataObject) -> None:
    root = data.draw(st.integers(0, a.n_nodes - 1))
    whole = replaced(a, root, b)
    assert is_whole(whole)
    assert subtree(whole, starts(a)[root] + b.n_nodes - 1) == b


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("C*C + x0", "C + x0"),
        ("sin(C)", "C"),
        ("x0^(C + C)", "x0^C"),
        ("(C - C/C)*x0 + exp(C)", "C*x0 + C"),
        ("x0 + C", "x0 + C"),
        ("x0", "x0"),
    ],
)
def test_constants_fold_where_no_variable_is_between(text: str, folded: str) -> None:
    assert with_constants_folded(parse(text)) == parse(folded)


@pytest.mark.parametrize(
    ("text", "levels"),
    [("x0", 0), ("sqrt(x0^2)", 0), ("sin(x0) + exp(x0)", 1), ("sin(sqrt(1 + cos(x0)))", 2), ("C^x0", 0)],
)
def test_nesting_counts_functions_on_one_path(text: str, levels: int) -> None:
    assert nesting(parse(text)) == levels


@pytest.mark.parametrize(
    ("text", "allowed"),
    [("x0 + C*x0", True), ("C", False), ("sin(cos(x0))", False), ("x0 + x0 + x0 + x0", False), ("C + C*x0", False)],
)
def test_limits_refuse_large_nested_and_constant_formulas(text: str, allowed: bool) -> None:
    assert SizeLimits(max_nodes=6, max_open=1).allow(parse(text)) == allowed


def test_a_point_mutation_keeps_the_shape() -> None:
    rng = np.random.default_rng(0)
    expr = parse("sin(x0*x1) + x0/x1")
    for _ in range(50):
        changed = mutate_point(expr, PHYSICS, rng)
        assert changed.n_nodes == expr.n_nodes
        assert np.count_nonzero(changed.codes != expr.codes) + np.count_nonzero(changed.args != expr.args) > 0


def test_hoisting_never_grows_and_inserting_never_shrinks() -> None:
    rng = np.random.default_rng(1)
    expr = parse("sin(x0*x1 + C) - x0/(x1 + C)")
    for _ in range(50):
        assert mutate_hoist(expr, rng).n_nodes < expr.n_nodes
        assert mutate_insert(parse("x0*x1"), PHYSICS, rng).n_nodes > 3


def test_a_tournament_prefers_low_scores_and_never_picks_infinity_over_a_number() -> None:
    scores = np.array([3.0, np.inf, 1.0, 2.0])
    winners = tournament(scores, 400, np.random.default_rng(0), size=3)
    counts = np.bincount(winners, minlength=4)
    assert counts[2] > counts[3] > counts[0] > counts[1]


def test_symbols_hold_what_the_operator_set_names() -> None:
    symbols = Symbols.over(Operators("+", "-", "*", "/", "sin"), 1)
    assert symbols.binary == ((ADD, 0), (SUB, 0), (MUL, 0), (DIV, 0))
    assert symbols.unary == ((SIN, 0),)
    assert not symbols.has_power
    assert POW not in {code for code, _ in PHYSICS.binary}
