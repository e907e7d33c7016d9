"""Walks THE table: every row is checked against mpmath and sympy, so that a new row is tested by being there."""

from __future__ import annotations

import copy
import re
import string

import mpmath
import numpy as np
import pytest
import sympy

from scalesr.errors import OperatorError
from scalesr.expr.derivative import derivative
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.operators import (
    ATOM,
    BY_CODE,
    BY_NAME,
    POWER,
    PRESETS,
    SUM,
    Operator,
    Operators,
    define_operator,
    operator,
)
from scalesr.expr.sympy_bridge import to_sympy
from scalesr.expr.text import parse
from scalesr.kernels import codes
from tests.expr.oracle import EXACT, custom_row, registered, values
from tests.expr.strategies import built_in

POWERS = (-3, -1, 0, 1, 2, 5)
ROWS = [
    pytest.param(row, power, id=f"{row.name}{power or ''}")
    for row in built_in()
    for power in (POWERS if row.name == "powi" else (0,))
]
EDGES = np.array([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])


def formula(row: Operator, power: int) -> Expression:
    return apply(row.name, *(variable(column) for column in range(row.arity)), power=power)


def inside(row: Operator) -> list[np.ndarray]:
    """Points of the operator's domain, one array per operand."""
    rng = np.random.default_rng(row.code)
    points = [np.concatenate([rng.uniform(-3, 3, 60), rng.integers(-3, 4, 20)]) for _ in range(row.arity)]
    kept = row.domain(*points)
    assert kept.sum() > 15
    return [values[kept] for values in points]


def exact(row: Operator, power: int, point: tuple[float, ...]) -> mpmath.mpf:
    operands = [mpmath.mpf(value) for value in point]
    return EXACT[row.name](*operands, power) if row.code == codes.POWI else EXACT[row.name](*operands)


def test_every_row_has_an_oracle() -> None:
    assert {row.name for row in built_in()} == set(EXACT)


def test_names_and_codes_are_unique_and_agree() -> None:
    assert len(BY_NAME) == len(BY_CODE)
    assert all(BY_NAME[row.name] is row and row.code == code for code, row in BY_CODE.items())


@pytest.mark.parametrize(("row", "power"), ROWS)
def test_arity_is_what_the_code_says(row: Operator, power: int) -> None:
    assert formula(row, power).arities()[-1] == row.arity
    assert (codes.ADD <= row.code <= codes.LAST_BINARY) == (row.arity == 2)


@pytest.mark.parametrize("row", built_in(), ids=lambda row: row.name)
@pytest.mark.parametrize("field", ["text", "latex", "numpy", "torch", "c"])
def test_templates_have_a_place_for_every_operand_and_balanced_brackets(row: Operator, field: str) -> None:
    template = getattr(row, field)
    places = {place for _, place, _, _ in string.Formatter().parse(template) if place is not None}
    assert places == {str(place) for place in range(row.arity)} | ({"k"} if row.name == "powi" else set())
    filled = template.format("a", "b", k=2)
    assert all(filled.count(left) == filled.count(right) for left, right in ["()", "{}", "[]"])
    assert filled.count(r"\left") == filled.count(r"\right")


@pytest.mark.parametrize("row", built_in(), ids=lambda row: row.name)
def test_only_symbols_have_a_precedence_below_a_call(row: Operator) -> None:
    assert (
        row.is_call == (row.precedence == ATOM) == (re.fullmatch(rf"{re.escape(row.name)}\(.*\)", row.text) is not None)
    )
    assert SUM <= row.precedence <= ATOM
    assert row.precedence != POWER or "^" in row.text


@pytest.mark.parametrize(("row", "power"), ROWS)
def test_sympy_means_the_same_as_mpmath(row: Operator, power: int) -> None:
    points = inside(row)
    symbols = sympy.symbols([f"x{column}" for column in range(row.arity)])
    compiled = sympy.lambdify(symbols, to_sympy(formula(row, power)), "mpmath")
    for point in zip(*(column.tolist() for column in points), strict=True):
        wanted = exact(row, power, point)
        assert mpmath.almosteq(compiled(*map(mpmath.mpf, point)), wanted, 1e-12, 1e-12)


@pytest.mark.parametrize(("row", "power"), ROWS)
def test_values_within_the_domain_are_finite_and_equal_mpmath(row: Operator, power: int) -> None:
    points = inside(row)
    found = values(formula(row, power), points)
    wanted = [float(exact(row, power, point)) for point in zip(*(column.tolist() for column in points), strict=True)]
    np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(("row", "power"), ROWS)
def test_derivative_texts_equal_numerical_derivatives_within_the_domain(row: Operator, power: int) -> None:
    points = inside(row)
    for place in range(row.arity):
        slopes = values(derivative(formula(row, power), place), points)
        real = np.ones(len(slopes), bool) if (row.name, place) != ("^", 1) else points[0] > 0
        assert np.isfinite(slopes[real]).all()
        for index in np.flatnonzero(real)[:20]:
            point = tuple(float(column[index]) for column in points)

            def along(value: mpmath.mpf, point: tuple[float, ...] = point, place: int = place) -> mpmath.mpf:
                return exact(row, power, (*point[:place], value, *point[place + 1 :]))

            assert slopes[index] == pytest.approx(float(mpmath.diff(along, point[place])), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("row", [row for row in built_in() if row.name != "powi"], ids=lambda row: row.name)
def test_outside_the_domain_value_or_derivative_is_not_finite(row: Operator) -> None:
    points = [column.ravel() for column in np.meshgrid(*[EDGES] * row.arity)]
    outside = ~row.domain(*points)
    expr = formula(row, 0)
    facts = [values(expr, points), *(values(derivative(expr, place), points) for place in range(row.arity))]
    assert not np.isfinite(np.array(facts)[:, outside]).all(axis=0).any()


def test_integer_power_is_undefined_at_zero_for_negative_exponents() -> None:
    row = operator("powi")
    assert row.domain(EDGES).tolist() == (EDGES != 0).tolist()
    assert np.isinf(values(formula(row, -1), [np.array([0.0])]))


@pytest.mark.parametrize("row", [row for row in built_in() if row.arity == 2], ids=lambda row: row.name)
def test_commutative_means_that_operands_can_be_swapped(row: Operator) -> None:
    left, right = inside(row)
    swapped = apply(row.name, variable(1), variable(0))
    same = np.array_equal(values(formula(row, 0), [left, right]), values(swapped, [left, right]), equal_nan=True)
    assert same == row.commutative


def test_unknown_operator_names_the_known_ones() -> None:
    with pytest.raises(OperatorError, match=r"Unknown operator 'sinh'.*tanh"):
        operator("sinh")


def test_presets_are_sets_of_rows_in_their_order() -> None:
    assert Operators("paper").names == PRESETS["paper"]
    assert len(Operators("physics")) == len(PRESETS["physics"])
    assert Operators("paper", "sqrt", "sin").names == (*PRESETS["paper"], "sqrt")


def test_operator_sets_are_equal_whatever_the_order() -> None:
    assert Operators("+", "sin") == Operators(operator("sin"), "+")
    assert hash(Operators("+", "sin")) == hash(Operators("sin", "+"))
    assert Operators("+") != Operators("-")
    assert "sin" in Operators("paper")
    assert operator("tan") not in Operators("paper")
    assert list(Operators("+", "sin")) == [operator("+"), operator("sin")]
    assert repr(Operators("+", "sin")) == "Operators('+', 'sin')"


def test_outermost_functions_are_known_and_are_no_members() -> None:
    physics = Operators("physics")
    assert "asin" not in physics
    assert "asin" not in [row.name for row in physics]
    assert physics.can_end_with("asin")
    assert not Operators("paper").can_end_with("asin")
    assert operator("asin").code in physics.codes
    assert "asin" in Operators("physics", "asin")
    assert "asin" not in Operators("physics", "asin").outermost
    assert physics != Operators(*physics.names)
    assert copy.copy(physics) == physics
    with pytest.raises(OperatorError, match="Unknown operator"):
        Operators("+", outermost=["arc"])


@pytest.mark.parametrize(("members", "advice"), [((), "needs a member"), (("sinus",), "presets are paper, physics")])
def test_bad_operator_sets_are_refused_with_advice(members: tuple[str, ...], advice: str) -> None:
    with pytest.raises(OperatorError, match=advice):
        Operators(*members)


@pytest.mark.parametrize("name", ["sin", "C", "C1", "C_2", "pi", "x0", "x12", "u", "v", "k", "neg"])
def test_names_with_a_meaning_cannot_be_defined_again(name: str) -> None:
    with pytest.raises(OperatorError, match="taken"):
        define_operator(name, lambda u: u, sympy=lambda u: u)


@pytest.mark.parametrize("name", ["", "2x", "my op", "sin()", "é", "a-b"])
def test_operator_names_are_plain_identifiers(name: str) -> None:
    with pytest.raises(OperatorError, match="letters, digits"):
        define_operator(name, lambda u: u, sympy=lambda u: u)


@pytest.mark.parametrize(("arity", "n_derivatives"), [(0, 0), (3, 0), (1, 2), (2, 1)])
def test_arity_and_derivatives_of_a_new_operator_must_agree(arity: int, n_derivatives: int) -> None:
    with pytest.raises(OperatorError, match="arity must be 1 or 2"):
        define_operator("fresh", lambda u: u, sympy=lambda u: u, arity=arity, derivative=(lambda u: u,) * n_derivatives)
    assert "fresh" not in BY_NAME


def test_a_row_of_ones_own_is_read_printed_and_differentiated() -> None:
    with registered(custom_row(derivative=("2*u",))) as row:
        expr = parse("square_it(3*x0)")
        assert expr == apply(row.name, apply("*", constant(3), variable(0)))
        assert str(expr) == "square_it(3*x0)"
        assert str(derivative(expr, 0)) == "2*(3*x0)*3"
        assert row.is_custom
    assert "square_it" not in BY_NAME
