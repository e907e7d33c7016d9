"""Values and derivatives of random formulas against independent oracles."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scalesr.errors import DataError, FormulaError
from scalesr.expr.evaluate import evaluate, evaluate_many, gradient, jacobian
from scalesr.expr.export import to_python
from scalesr.expr.expression import Expression, apply, constant, join, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.operators import BY_CODE
from scalesr.expr.sympy_bridge import to_sympy
from scalesr.expr.text import parse
from scalesr.kernels.codes import POWI, VARIABLE
from tests.expr.oracle import EXACT
from tests.expr.strategies import MODERATE, SMALL_POWERS, expressions

RNG = np.random.default_rng(5)
TABLE = RNG.uniform(0.2, 2.0, (40, 2))
smooth = expressions(  # no power of 0: it is 1 even where its base has no value
    max_nodes=14, constants=MODERATE, powers=SMALL_POWERS.filter(bool)
)


def in_numpy(expr: Expression, X: np.ndarray) -> np.ndarray:
    """The exported numpy function, an implementation that shares nothing with the kernels."""
    space: dict[str, object] = {}
    exec(to_python(expr), space)  # noqa: S102 - our own source
    columns = [X[:, j] for j in range(X.shape[1])]
    with np.errstate(all="ignore"):
        value = space["law"](*columns[: expr.n_columns])  # type: ignore[operator]
    return np.broadcast_to(np.asarray(value, float), len(X))


def well_conditioned(expr: Expression) -> bool:
    """Whether rounding in the constants and operands stays small in the result."""
    values = evaluate(expr, TABLE)
    moved = evaluate(expr, TABLE * (1 + 1e-13))
    return bool(np.isfinite(values).all() and np.allclose(values, moved, rtol=1e-9, atol=1e-300))


@given(smooth)
def test_values_agree_with_the_exported_numpy_function(expr: Expression) -> None:
    assume(well_conditioned(expr))
    np.testing.assert_allclose(evaluate(expr, TABLE), in_numpy(expr, TABLE), rtol=1e-7, atol=1e-12)


def inside_its_domain(expr: Expression) -> bool:
    """Whether every operator gets moderate operands at which its value and derivative are finite."""
    inside: list[bool] = []

    def check(node: Node, operands: list[Expression]) -> Expression:
        values = [evaluate(operand, TABLE) for operand in operands]
        moderate = bool((np.abs(values) < 1e6).all())  # NaN and infinity are not
        inside.append(moderate and bool(BY_CODE[node.code].domain(*values).all()))
        return join(node.code, operands, power=node.power)

    fold(expr, _leaf, check)
    return all(inside)


def _leaf(leaf: Leaf) -> Expression:
    return variable(leaf.index) if leaf.code == VARIABLE else constant(leaf.value)


@given(smooth)
def test_values_agree_with_forty_digits(expr: Expression) -> None:
    assume(inside_its_domain(expr) and well_conditioned(expr))
    found = evaluate(expr, TABLE[:4])
    with mpmath.workdps(40):
        for row, value in zip(TABLE[:4], found, strict=True):
            exact = in_mpmath(expr, [mpmath.mpf(float(cell)) for cell in row])
            assert abs(mpmath.mpf(float(value)) - exact) <= 1e-8 * abs(exact) + 1e-12


def in_mpmath(expr: Expression, row: list[mpmath.mpf]) -> mpmath.mpf:
    """The formula at one row, in arithmetic of many digits."""

    def node(node: Node, operands: list[mpmath.mpf]) -> mpmath.mpf:
        exponent = [node.power] if node.code == POWI else []
        return EXACT[BY_CODE[node.code].name](*operands, *exponent)

    return fold(expr, lambda leaf: row[leaf.index] if leaf.code == VARIABLE else mpmath.mpf(leaf.value), node)


@settings(max_examples=40)
@given(
    expressions(max_nodes=9, constants=MODERATE, powers=SMALL_POWERS.filter(bool),
                operators=["+", "-", "*", "/", "^", "neg", "powi", "sqrt", "sin", "cos", "tan", "exp", "log", "tanh"]),
)  # fmt: skip
def test_derivatives_agree_with_sympys(expr: Expression) -> None:
    assume(inside_its_domain(expr) and well_conditioned(expr))
    names = ["x", "y"]
    symbols = [sympy.Symbol(name, positive=True) for name in names]
    law = to_sympy(expr, names, assumptions={"positive": True})
    slopes = gradient(expr, TABLE[:3])
    for column, symbol in enumerate(symbols):
        exact = sympy.lambdify(symbols, law.diff(symbol), "mpmath")
        for row, slope in zip(TABLE[:3], slopes[:, column], strict=True):
            wanted = exact(*(mpmath.mpf(float(cell)) for cell in row))
            assert abs(slope - wanted) <= 1e-7 * abs(wanted) + 1e-9 * (1 + abs(evaluate(expr, TABLE[:3])).max())


@given(smooth)
def test_gradient_agrees_with_differences(expr: Expression) -> None:
    assume(inside_its_domain(expr))
    found = gradient(expr, TABLE)
    for j in range(2):
        slope, reliable = differences(lambda h, j=j: evaluate(expr, TABLE + h * np.eye(2)[j]), 2e-5)
        np.testing.assert_allclose(found[reliable, j], slope[reliable], rtol=1e-3, atol=1e-3)


@given(smooth)
def test_jacobian_agrees_with_differences(expr: Expression) -> None:
    assume(inside_its_domain(expr))
    found = jacobian(expr, TABLE)
    skeleton = expr.skeleton()
    for k in range(len(expr.constants)):
        step = np.eye(len(expr.constants))[k] * max(abs(expr.constants[k]), 1.0)
        slope, reliable = differences(
            lambda h, step=step: evaluate(skeleton.bind(expr.constants + h * step), TABLE), 2e-5
        )
        np.testing.assert_allclose(found[reliable, k] * step[k], slope[reliable], rtol=1e-3, atol=1e-3)


def differences(values: Callable[[float], np.ndarray], h: float) -> tuple[np.ndarray, np.ndarray]:
    """Central difference, and where it can be trusted: smooth there, finite, little rounding."""
    with np.errstate(all="ignore"):
        middle, left, right = values(0.0), values(-h), values(h)
        slope = (values(h / 2) - values(-h / 2)) / h
        error = np.abs(slope - (right - left) / (2 * h))
        kink = np.abs((right - middle) - (middle - left)) / h
        size = 1 + np.abs(slope)
        return slope, (error < 1e-4 * size) & (kink < 5e-4 * size) & (np.abs(middle) < 1e6)


@pytest.mark.parametrize("n_rows", [1, 2, 7, 255, 256, 257, 513, 1000])
def test_every_row_counts_whatever_the_number_of_rows(n_rows: int, rng: np.random.Generator) -> None:
    X = rng.uniform(0.5, 2, (n_rows, 2))
    expr = parse("2.5*sin(x*y) + exp(-y)/(x^2 + log(y + 3))", ["x", "y"])
    x, y = X.T
    bottom = x**2 + np.log(y + 3)
    np.testing.assert_allclose(evaluate(expr, X), 2.5 * np.sin(x * y) + np.exp(-y) / bottom, rtol=1e-13)
    slope = 2.5 * y * np.cos(x * y) - np.exp(-y) * 2 * x / bottom**2
    np.testing.assert_allclose(gradient(expr, X)[:, 0], slope, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(jacobian(expr, X)[:, 0], np.sin(x * y), rtol=1e-13)


@given(st.lists(smooth, min_size=1, max_size=12))
def test_many_formulas_at_once_equal_each_alone_with_any_number_of_threads(exprs: list[Expression]) -> None:
    alone = np.array([evaluate(expr, TABLE) for expr in exprs])
    for n_threads in (1, 2, 5):
        np.testing.assert_array_equal(evaluate_many(exprs, TABLE, n_threads=n_threads), alone)


def test_layout_and_type_of_the_table_do_not_matter() -> None:
    expr = parse("x/y + 1", ["x", "y"])
    expected = TABLE[:, 0] / TABLE[:, 1] + 1
    frozen = TABLE.copy()
    frozen.setflags(write=False)
    for X in (TABLE, np.asfortranarray(TABLE), TABLE[::-1][::-1], frozen, TABLE.tolist()):
        np.testing.assert_array_equal(evaluate(expr, X), expected)
    np.testing.assert_allclose(evaluate(expr, TABLE.astype(np.float32)), expected, rtol=1e-6)


def test_a_leaf_alone_is_a_formula() -> None:
    np.testing.assert_array_equal(evaluate(variable(1), TABLE), TABLE[:, 1])
    np.testing.assert_array_equal(evaluate(constant(3.5), TABLE), np.full(40, 3.5))
    np.testing.assert_array_equal(jacobian(constant(3.5), TABLE), np.ones((40, 1)))
    np.testing.assert_array_equal(gradient(variable(1), TABLE), np.tile([0.0, 1.0], (40, 1)))


def test_a_deep_tree_is_evaluated_without_recursion() -> None:
    expr = variable(0)
    for _ in range(3000):
        expr = apply("+", constant(1.0), expr)
    np.testing.assert_allclose(evaluate(expr, TABLE), TABLE[:, 0] + 3000)
    np.testing.assert_allclose(gradient(expr, TABLE)[:, 0], 1.0)


def test_an_empty_table_has_no_values() -> None:
    assert evaluate(parse("sin(x)", ["x"]), np.empty((0, 1))).shape == (0,)
    assert evaluate_many([], TABLE).shape == (0, 40)


def test_missing_columns_and_open_constants_are_refused() -> None:
    with pytest.raises(DataError, match="uses column 1"):
        evaluate(variable(1), TABLE[:, :1])
    with pytest.raises(FormulaError, match="open constants"):
        evaluate(parse("C*x", ["x"]), TABLE)
    with pytest.raises(DataError, match="3 dimensions"):
        evaluate(variable(0), np.zeros((2, 2, 2)))
