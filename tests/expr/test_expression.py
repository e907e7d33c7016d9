from __future__ import annotations

import copy
import pickle
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings

from scalesr.errors import FormulaError, OperatorError
from scalesr.expr.expression import MAX_NODES, MAX_POWER, Expression, apply, constant, join, open_constant, variable
from scalesr.expr.fold import fold
from scalesr.expr.text import parse
from scalesr.kernels.codes import ADD, CONSTANT, MUL, OPEN, POWI, SIN, VARIABLE
from tests.expr.strategies import expressions

X, Y = variable(0), variable(1)
SUM = ([VARIABLE, CONSTANT, ADD], [0, 0, 0], [2.0])

BAD_ARRAYS = {
    "nothing": ([], [], [], "1 to 100000 nodes"),
    "two formulas": ([VARIABLE, VARIABLE], [0, 0], [], "2 formulas"),
    "no operands": ([ADD], [0], [], "lacks operands"),
    "operator first": ([SIN, VARIABLE], [0, 0], [], "lacks operands"),
    "too few args": ([VARIABLE], [], [], "as many args"),
    "unknown code": ([VARIABLE, 50], [0, 0], [], "unknown operator code 50"),
    "unknown custom code": ([VARIABLE, 1000], [0, 0], [], "unknown operator code"),
    "negative code": ([-1], [0], [], "unknown operator code"),
    "negative column": ([VARIABLE], [-1], [], "column must be 0 or more"),
    "constant without a value": ([CONSTANT], [0], [], "numbered"),
    "value without a constant": ([VARIABLE], [0], [1.0], "numbered"),
    "constants out of order": ([CONSTANT, CONSTANT, ADD], [1, 0, 0], [1.0, 2.0], "numbered"),
    "constant used twice": ([CONSTANT, CONSTANT, ADD], [0, 0, 0], [1.0], "numbered"),
    "infinite constant": ([CONSTANT], [0], [np.inf], "finite value"),
    "closed constant without value": ([CONSTANT], [0], [np.nan], "finite value"),
    "open constant with a value": ([OPEN], [0], [1.0], "open one NaN"),
    "power too large": ([VARIABLE, POWI], [0, MAX_POWER + 1], [], "integer power"),
    "arg where there is none": ([VARIABLE, SIN], [0, 3], [], "have an arg"),
    "fractions": ([0.5], [0], [], "whole numbers"),
    "two dimensions": ([[VARIABLE]], [[0]], [], "whole numbers"),
    "letters": (["x"], [0], [], "whole numbers"),
    "beyond 32 bits": ([VARIABLE], [2**40], [], "whole numbers"),
}


@pytest.mark.parametrize(("codes", "args", "constants", "reason"), BAD_ARRAYS.values(), ids=BAD_ARRAYS)
def test_arrays_that_are_no_tree_are_refused(codes: list, args: list, constants: list, reason: str) -> None:
    with pytest.raises(FormulaError, match=reason):
        Expression.from_arrays(codes, args, constants)


def test_more_nodes_than_the_bound_are_refused() -> None:
    codes = [VARIABLE] + [SIN] * MAX_NODES
    with pytest.raises(FormulaError, match="100001"):
        Expression.from_arrays(codes, [0] * len(codes))


def test_arrays_of_a_formula_cannot_be_written() -> None:
    expr = Expression.from_arrays(*SUM)
    for array in (expr.codes, expr.args, expr.constants):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        expr.codes = np.zeros(3, np.int32)  # type: ignore[misc]


def test_formulas_do_not_change_with_the_arrays_they_came_from() -> None:
    constants = np.array([2.0])
    expr = Expression.from_arrays(SUM[0], SUM[1], constants)
    constants[0] = 7.0
    assert expr.constants[0] == 2.0


@pytest.mark.parametrize("copied", [lambda expr: pickle.loads(pickle.dumps(expr)), copy.copy, copy.deepcopy])  # noqa: S301
def test_copies_are_equal_and_frozen(copied) -> None:
    expr = parse("C*x0 + 2")
    twin = copied(expr)
    assert twin == expr
    assert not any(array.flags.writeable for array in (twin.codes, twin.args, twin.constants))


def test_equality_and_hash_are_by_content() -> None:
    assert parse("x0 + 2") == Expression.from_arrays(*SUM)
    assert hash(parse("x0 + 2")) == hash(Expression.from_arrays(*SUM))
    assert len({parse("x0 + 2"), parse("x0+2.0"), parse("2 + x0")}) == 2
    assert parse("C") == Expression.from_arrays([OPEN], [0], [-np.float64("nan")])
    assert parse("x0") != "x0"
    assert constant(0.0) != constant(-0.0)


@settings(deadline=None, max_examples=100)
@given(expressions(open_constants=True))
def test_arrays_of_every_formula_pass_the_check(expr: Expression) -> None:
    assert Expression.from_arrays(expr.codes, expr.args, expr.constants) == expr


@settings(deadline=None, max_examples=100)
@given(expressions(open_constants=True))
def test_bind_gives_back_the_constants_that_skeleton_opened(expr: Expression) -> None:
    skeleton = expr.skeleton()
    assert skeleton.n_open == len(expr.constants)
    assert skeleton.skeleton() == skeleton
    assert skeleton.complexity == expr.complexity
    values = np.where(np.isnan(expr.constants), 1.5, expr.constants)
    closed = expr.bind(np.full(expr.n_open, 1.5))
    assert closed.n_open == 0
    assert skeleton.bind(values) == closed


def test_bind_fills_open_constants_only_and_from_the_left() -> None:
    assert str(parse("C*x0 + 2 + C").bind([3, 4])) == "3*x0 + 2 + 4"
    assert parse("C*x0 + 2 + C").open_indices.tolist() == [0, 2]


@pytest.mark.parametrize("values", [[], [1, 2, 3], 1.0])
def test_bind_refuses_a_wrong_number_of_values(values) -> None:
    with pytest.raises(FormulaError, match="2 open constants"):
        parse("C*x0 + C").bind(values)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_constants_are_finite(value: float) -> None:
    with pytest.raises(FormulaError, match="finite"):
        constant(value)
    with pytest.raises(FormulaError, match="finite"):
        open_constant().bind([value])


COMPLEXITIES = {
    "x0": 0,
    "2": 0,
    "-x0": 1,
    "x0 + x1": 2,
    "x0^2": 1,
    "x0^2.0": 2,
    "sin(x0)": 1,
    "C*x0 + C*sin(C*x0 + C)": 11,
}


@pytest.mark.parametrize(("text", "complexity"), COMPLEXITIES.items())
def test_complexity_counts_two_per_binary_and_one_per_unary_operator(text: str, complexity: int) -> None:
    assert parse(text).complexity == complexity


def test_facts_about_a_formula() -> None:
    expr = parse("sin(x3)*x1^2 + C*x3")
    assert (expr.variables, expr.n_columns, expr.n_nodes, expr.n_open, expr.depth) == ((1, 3), 4, 9, 1, 4)
    assert (parse("2").variables, parse("2").n_columns) == ((), 0)


@settings(deadline=None, max_examples=60)
@given(expressions())
def test_fold_visits_every_node_once_and_operands_in_order(expr: Expression) -> None:
    seen = fold(expr, leaf=lambda leaf: [leaf.code], node=lambda node, kids: [*chain(*kids), node.code])
    assert seen == expr.codes.tolist()


def test_apply_refuses_what_is_no_formula() -> None:
    with pytest.raises(FormulaError, match="takes 2 operands; 1"):
        apply("+", X)
    with pytest.raises(OperatorError, match="Unknown operator"):
        apply("sinh", X)
    with pytest.raises(FormulaError, match="within ±1000"):
        apply("powi", X, power=MAX_POWER + 1)
    with pytest.raises(FormulaError, match="belongs to 'powi'"):
        apply("sin", X, power=2)
    with pytest.raises(FormulaError, match="0 or more"):
        variable(-1)


def test_join_renumbers_the_constants_of_its_operands() -> None:
    left, right = parse("2*x0 + C"), parse("3 - x1")
    joined = join(MUL, [left, right])
    assert joined == parse("(2*x0 + C)*(3 - x1)")
    assert joined == Expression.from_arrays(joined.codes, joined.args, joined.constants)


def test_repr_shows_the_formula() -> None:
    assert repr(apply("+", X, Y)) == "Expression('x0 + x1')"
