"""Numbers that are written as fractions, multiples of pi and roots."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalesr.expr.expression import Expression, apply, constant
from scalesr.expr.numerals import PI_POWERS, Numeral, numeral
from scalesr.expr.printing import to_latex, to_text
from scalesr.expr.sympy_bridge import to_sympy
from scalesr.expr.text import parse
from tests.expr.strategies import expressions

WRITTEN = {
    2 * math.pi: "2*pi",
    -2 * math.pi: "-2*pi",
    -math.pi: "-pi",
    1 / 24: "1/24",
    -2 / 3: "-2/3",
    100 / 3: "100/3",
    4 * math.pi / 3: "4*pi/3",
    1 / (4 * math.pi): "1/(4*pi)",
    math.pi**2 / 6: "pi^2/6",
    -(math.pi**2): "-pi^2",
    1 / math.sqrt(2 * math.pi): "1/sqrt(2*pi)",
    -math.sqrt(2): "-sqrt(2)",
    0.125: "0.125",
    0.0225: "0.0225",
    1.6726219e-27: "1.6726219e-27",
    0.12345678901234568: "0.12345678901234568",
}


@pytest.mark.parametrize(("number", "text"), WRITTEN.items())
def test_numbers_are_written_as_physicists_would(number: float, text: str) -> None:
    assert to_text(constant(number)) == text
    assert parse(text) == constant(number)


@pytest.mark.parametrize("text", ["2*pi*x0", "x0*(2*pi)", "x0^(1/3)", "-(2*pi)", "(2*pi)^2", "2*pi/x0", "x0 - 1/3"])
def test_a_numeral_stands_in_brackets_only_where_it_would_be_misread(text: str) -> None:
    assert to_text(parse(text)) == text


@pytest.mark.parametrize(
    "text",
    ["2*(3)", "1/(3)", "2*(pi)", "3*((2*pi))", "sqrt((2))", "sqrt(((2*pi)))", "(pi)^2", "2^3", "1/0", "sqrt(-2)"],
)
def test_brackets_that_are_not_needed_keep_numbers_apart(text: str) -> None:
    assert parse(text).n_nodes > 1
    assert parse(to_text(parse(text))) == parse(text)


@given(
    st.integers(1, 999), st.integers(1, 999), st.sampled_from([0, *PI_POWERS]), st.booleans(), st.sampled_from([1, -1])
)
def test_a_numeral_is_read_back_as_the_same_double(top, bottom, power, is_root, sign) -> None:
    value = Numeral(top, bottom, power, is_root).value
    number = constant(sign * value)
    assert parse(to_text(number)) == number
    if math.gcd(top, bottom) == 1 and len(f"{value:.16e}".split("e")[0].rstrip("0")) > 16:
        assert numeral(value) is not None


@given(expressions(open_constants=True), st.sampled_from([["a", "b"], ["pi", "b"], ["a", "\N{GREEK SMALL LETTER PI}"]]))
def test_formulas_are_read_back_whatever_their_columns_are_called(expr: Expression, names: list[str]) -> None:
    assert parse(to_text(expr, names), names) == expr


@given(st.floats(1e-3, 1e3))
def test_a_measured_number_is_no_numeral(value: float) -> None:
    assert numeral(value) is None or numeral(value).value == value


def test_a_column_called_pi_is_not_the_number() -> None:
    law = apply("*", constant(2 * math.pi), parse("x0"))
    assert to_text(law, ["pi"]) == f"{2 * math.pi!r}*`pi`"
    assert to_latex(law, ["pi"]) == rf"{2 * math.pi!r} \pi"
    assert parse("2*pi", ["pi"]) == parse("2*x0")
    assert parse("2*pi", ["r"]) == constant(2 * math.pi)


def test_sympy_gets_the_exact_number() -> None:
    assert str(to_sympy(parse("2*pi/3*x0"))) == "2*pi*x0/3"
