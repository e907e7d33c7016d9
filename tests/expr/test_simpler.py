from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.simpler import cleared, simpler, unwrapped, with_number, with_usual_signs
from scalesr.expr.text import parse


def texts(formulas: list[Expression]) -> set[str]:
    return {str(one) for one in formulas}


def test_each_binary_operator_gives_way_to_each_of_its_operands() -> None:
    assert texts(simpler(parse("2*x0 + sin(x1)"))) == {"2*x0", "sin(x1)", "2 + sin(x1)", "x0 + sin(x1)"}


def test_coefficients_and_exponents_can_stay() -> None:
    assert texts(simpler(parse("2*x0 + x1^0.5"), coefficients=False)) == {"2*x0", "x1^0.5", "2 + x1^0.5", "2*x0 + 0.5"}


def test_functions_and_whole_powers_are_taken_off() -> None:
    assert texts(unwrapped(parse("sin(x0^2) + 1"))) == {"x0^2 + 1", "sin(x0) + 1"}


def test_parts_are_replaced_by_a_number() -> None:
    assert texts(with_number(parse("3*x0 + sin(2*x1)"), 7.0)) == {
        "3*(7) + sin(2*x1)", "7 + sin(2*x1)", "3*x0 + sin(2*(7))", "3*x0 + sin(7)", "3*x0 + 7",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        ("0*x0 + x1", "x1"),
        ("x0 - 0*exp(x1)", "x0"),
        ("0 - x0", "-x0"),
        ("1*x0/1", "x0"),
        ("0/x0 + 2*x1", "2*x1"),
        ("x0^1.0", "x0"),
    ],
)
def test_zeros_and_ones_are_cleared_away(text: str, clear: str) -> None:
    assert cleared(parse(text)) == parse(clear)


def test_clearing_keeps_values_and_everything_else() -> None:
    law = parse("x0 + 1*(x1 - 0) + 0*x0^2 - 2*x1/(1*x0 + 3)")
    X = np.random.default_rng(0).uniform(1, 2, (20, 2))
    assert np.array_equal(evaluate(cleared(law), X), evaluate(law, X))
    assert cleared(parse("x0*x1 + 2*2")) == parse("x0*x1 + 2*2")


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("exp(-1*x0)", "exp(-x0)"), ("-1*x0*x1 + -2*x0", "-x0*x1 + -2*x0"), ("x0*(-1) + x1^2", "x0*(-1) + x1^2"),
        ("x0 + x0^(-1)", "x0 + 1/x0"), ("2*(x0 + x1)^(-1.0)", "2*(1/(x0 + x1))"), ("x0^(-2)", "x0^(-2)"),
    ],
)  # fmt: skip
def test_minus_ones_are_written_as_signs_and_reciprocals(text: str, usual: str) -> None:
    assert with_usual_signs(cleared(parse(text))) == parse(usual)
