from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings

from scalesr.errors import FormulaError, OperatorError
from scalesr.expr.expression import Expression, apply, variable
from scalesr.expr.printing import to_text
from scalesr.expr.sympy_bridge import from_sympy, to_sympy
from scalesr.expr.text import parse
from tests.expr.effort import effort
from tests.expr.oracle import custom_row, is_defined, registered, values
from tests.expr.strategies import MODERATE, SMALL_POWERS, built_in, expressions

POINTS = [np.array([0.31, 0.77, 1.3, 2.1]), np.array([0.52, 1.71, 0.9, 1.1])]
x, y = sympy.symbols("x y")
NAMES = ["x", "y"]


def assert_same_values(found: Expression, wanted: Expression, rtol: float = 1e-9) -> None:
    mine, theirs = values(found, POINTS), values(wanted, POINTS)
    both = np.isfinite(mine) & np.isfinite(theirs) & (np.abs(theirs) < 1e12)
    np.testing.assert_allclose(mine[both], theirs[both], rtol=rtol, atol=1e-9)


@settings(deadline=None, max_examples=100)
@given(expressions(max_nodes=8, constants=MODERATE, powers=SMALL_POWERS))
def test_there_and_back_computes_the_same(expr: Expression) -> None:
    try:
        there = to_sympy(expr, assumptions={"positive": True})
    except FormulaError:
        assert not is_defined(expr, POINTS)
        return
    assume(not there.has(sympy.I))
    assert_same_values(from_sympy(there), expr)


@pytest.mark.parametrize("row", built_in(), ids=lambda row: row.name)
def test_every_operator_comes_back_as_itself_or_its_like(row) -> None:
    expr = apply(row.name, *[variable(0), variable(1)][: row.arity], power=3 if row.name == "powi" else 0)
    assert from_sympy(to_sympy(expr)) == expr


def test_symbols_may_have_any_name() -> None:
    names = ["I", "E", "S", "N", "beta", "gamma", "my col", "lambda", "pi"]
    expr = parse(" + ".join(f"x{column}^2" for column in range(len(names))))
    there = to_sympy(expr, names)
    assert there.free_symbols == {sympy.Symbol(name) for name in names}
    assert set(from_sympy(there, names).variables) == set(range(len(names)))


def test_symbols_have_the_assumptions_asked_for() -> None:
    (plain,) = to_sympy(parse("x0 + 1")).free_symbols
    (positive,) = to_sympy(parse("x0 + 1"), assumptions={"positive": True}).free_symbols
    assert (plain.is_positive, positive.is_positive) == (None, True)
    assert to_sympy(parse("sqrt(x0^2)"), assumptions={"positive": True}) == positive


TO = {
    "2*x0": 2 * sympy.Symbol("x0"),
    "x0^0.5": sympy.sqrt(sympy.Symbol("x0")),
    "x0^1.5": sympy.Symbol("x0") ** sympy.Rational(3, 2),
    "x0^2.0": sympy.Symbol("x0") ** 2,
    "sqrt(2)": sympy.sqrt(2),
    "1/3": sympy.Rational(1, 3),
    "0.1": sympy.Float(0.1),
    "C*x0 + C": sympy.Symbol("C_1") * sympy.Symbol("x0") + sympy.Symbol("C_2"),
}


@pytest.mark.parametrize(("text", "expected"), TO.items())
def test_whole_numbers_and_halves_stay_exact(text: str, expected: sympy.Expr) -> None:
    assert to_sympy(parse(text)) == expected


FROM = {
    -x: "-x",
    x - y: "x - y",
    y - x: "y - x",
    -x - y: "-x - y",
    x / 3: "x/3",
    -x / 3: "-x/3",
    2 * x / (3 * y): "2*x/(3*y)",
    1 / x: "1/x",
    -1 / x: "-1/x",
    x**-2: "1/x^2",
    y / x**2: "y/x^2",
    sympy.sqrt(x): "sqrt(x)",
    1 / sympy.sqrt(x): "1/sqrt(x)",
    x ** sympy.Rational(3, 2): "x^1.5",
    x ** sympy.Rational(1, 3): "x^(1/3)",
    x**1001: "x^1001.0",
    x**y: "x^y",
    2**x: "2^x",
    sympy.Float(0.5) * x: "0.5*x",
    sympy.pi: "pi",
    sympy.E: "2.718281828459045",
    sympy.Rational(1, 3): "1/3",
    sympy.Rational(1, 2): "0.5",
    sympy.Integer(0): "0",
    sympy.exp(x): "exp(x)",
    sympy.Abs(x): "abs(x)",
    sympy.tanh(x): "tanh(x)",
    sympy.Min(x, y): "min(x, y)",
    sympy.Symbol("C_2") * x: "C*x",
    sympy.Mul(2, 3, evaluate=False): "2*(3)",
    sympy.Add(x, x, evaluate=False): "x + x",
}


@pytest.mark.parametrize(("expression", "text"), FROM.items(), ids=str)
def test_sympy_expressions_are_read_in_their_plainest_form(expression: sympy.Expr, text: str) -> None:
    assert to_text(from_sympy(expression, NAMES), NAMES) == text


REWRITTEN = [
    sympy.cot, sympy.sec, sympy.csc, sympy.sinh, sympy.cosh, sympy.coth, sympy.sech, sympy.csch,
    sympy.asinh, sympy.acosh, sympy.atanh, sympy.acoth, sympy.sign,
]  # fmt: skip


@pytest.mark.parametrize("function", REWRITTEN, ids=lambda function: function.__name__)
def test_functions_we_lack_are_rewritten_where_they_can_be(function) -> None:
    found = from_sympy(function(x), ["x"])
    points = np.array([0.2, 0.7, 1.4, 3.0])
    wanted = [complex(function(sympy.Float(point))) for point in points.tolist()]
    real = np.abs(np.imag(wanted)) < 1e-12
    assert real.sum() >= 2
    np.testing.assert_allclose(values(found, [points])[real], np.real(wanted)[real], rtol=1e-12)


def test_min_and_max_of_many_become_chains() -> None:
    z = sympy.Symbol("z")
    found = from_sympy(sympy.Max(x, y, z, 0), ["x", "y", "z"])
    columns = [np.array([1.0, -1.0]), np.array([0.5, -2.0]), np.array([2.0, -3.0])]
    assert values(found, columns).tolist() == [2.0, 0.0]


def test_logarithms_to_a_base_are_quotients() -> None:
    assert_same_values(from_sympy(sympy.log(x, 10), NAMES), parse("log(x0)/log(10)"))


REFUSED = [
    (sympy.erf(x), "erf"),
    (sympy.gamma(x), "gamma"),
    (sympy.Piecewise((x, x > 0), (y, True)), "Piecewise"),
    (sympy.Integral(sympy.Function("f")(x), x), "Integral"),
    (sympy.Function("f")(x), "f cannot"),
    (sympy.I * x, "I is not a real number"),
    (sympy.sqrt(-2) * x, "not a real number"),
    (sympy.oo, "oo is not"),
    (sympy.zoo, "zoo is not"),
    (sympy.nan, "nan is not"),
    (sympy.Integer(10) ** 400, "double can hold"),
    (sympy.Integer(10) ** 5000, "double can hold"),
    (sympy.Float("1e400"), "double can hold"),
    (sympy.Symbol("q"), "Unknown symbol 'q'; known are x, y"),
    (sympy.Symbol("C_1") + sympy.sin(sympy.Symbol("C_1")), "C_1 is used twice"),
    (sympy.Eq(x, y), "not Equality"),
    (sympy.Matrix([x]), "expression is needed"),
    (sympy.true, "expression is needed"),
    ("x + y", "`parse` reads text"),
    (None, "expression is needed"),
    (2, "expression is needed"),
]


@pytest.mark.parametrize(("expression", "reason"), REFUSED, ids=lambda value: str(type(value).__name__))
def test_what_cannot_be_written_is_refused_by_name(expression: object, reason: str) -> None:
    with pytest.raises(FormulaError, match=reason):
        from_sympy(expression, NAMES)


NOT_REAL = [
    "1/0",
    "x0/(x1 - x1)",
    "log(0)",
    "sqrt(-1)",
    "(-2)^0.5",
    "1e300*1e300",
    "exp(1000)",
    "9^9^9^9",
    "3^1e15",
    "exp(exp(exp(100)))",
]
LARGE = [
    "0.5^9e15",
    "((3*x0)^1000)^1000^3",
    "exp(1e15*log(3*x0))",
    "(x0*sqrt(3))^(1000^3)",
    "((2*x0 + 2)^1000)^1000",
    "x0^1e300",
]


@pytest.mark.parametrize("text", NOT_REAL)
def test_constant_parts_that_are_not_finite_and_real_are_refused(text: str) -> None:
    with pytest.raises(FormulaError, match="not a finite real number"):
        to_sympy(parse(text))


@pytest.mark.parametrize("text", NOT_REAL + LARGE)
def test_huge_powers_are_never_spelled_out(text: str) -> None:
    def asked() -> None:
        with suppress(FormulaError):
            to_sympy(parse(text))

    assert effort(asked) < 20


def test_comparisons_that_sympy_refuses_are_formula_errors() -> None:
    with pytest.raises(FormulaError, match="sympy refuses 'min'"):
        to_sympy(parse("min(log(-x0), 1)"), assumptions={"positive": True})


def test_a_variable_called_like_an_open_constant_is_refused() -> None:
    with pytest.raises(FormulaError, match="name of an open constant"):
        to_sympy(parse("C*x0"), ["C_1"])
    assert to_sympy(parse("2*x0"), ["C_1"]) == 2 * sympy.Symbol("C_1")


def test_too_deep_formulas_are_refused_rather_than_crash() -> None:
    with pytest.raises(FormulaError, match="too deep for sympy"):
        to_sympy(parse("sin(" * 5000 + "x0" + ")" * 5000))


def test_long_sums_come_back_without_recursion() -> None:
    symbols = sympy.symbols("x:300")
    found = from_sympy(sympy.Add(*symbols))
    assert found.n_nodes == 599
    assert found.variables == tuple(range(300))


def test_ones_own_operator_uses_its_sympy_form() -> None:
    with registered(custom_row(to_sympy=lambda u: u**2)):
        assert to_sympy(apply("square_it", variable(0)), ["x"]) == x**2
    with registered(custom_row("erf", to_sympy=sympy.erf)):
        expr = apply("erf", variable(0))
        assert to_sympy(expr, ["x"]) == sympy.erf(x)
        assert from_sympy(sympy.erf(x), ["x"]) == expr
    with pytest.raises(FormulaError, match="erf cannot"):
        from_sympy(sympy.erf(x), ["x"])


def test_ones_own_operator_without_a_sympy_form_is_refused() -> None:
    with registered(custom_row()), pytest.raises(OperatorError, match="'square_it' has no sympy form"):
        to_sympy(apply("square_it", variable(0)))
