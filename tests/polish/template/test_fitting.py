"""Frames with functions and formulas in their holes: fitted jointly, written shortly, one function where used twice."""

import numpy as np
import pytest

from scalesr.evidence.refit import FitData
from scalesr.expr.evaluate import evaluate
from scalesr.expr.frame import parse_frame
from scalesr.expr.text import parse
from scalesr.polish.template.filling import empty, filled
from scalesr.polish.template.fitting import fitted, on_all, pruned, shortest, snapped
from scalesr.polish.template.smooth import smooth
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop

NAMES = ["x", "y", "z"]
table = np.random.default_rng(0).uniform(0.5, 3, (400, 3))
x, y, z = table.T


def told(values) -> Dataset:
    return Dataset.from_table(table, values, names=NAMES, target="t")


@pytest.mark.parametrize(
    ("text", "values", "worst"),
    [
        ("f(x)*cos(y)", (1 / x + x) * np.cos(y), 1e-3),
        ("f(x)*g(y)", (1 / x + x) * np.sin(2 * y), 1e-3),
        ("f(x)*y + g(x)", (1 / x + x) * y + np.exp(x), 1e-3),
        ("f(x) - f(y)", 3 * np.exp(-x) - 3 * np.exp(-y), 1e-4),
        ("sqrt(f(x) + g(y))", np.sqrt(x**2 + 3 * y), 1e-4),
        ("exp(f(x))*g(y)", np.exp(-0.5 * x**2) * (y**2 - 4), 1e-3),
        ("a*f(x) + g(y, z)", 2 * x**2 * np.exp(-x) + np.sin(y * z), 0.05),
    ],
)
def test_functions_without_a_formula_come_near_the_law(text, values, worst):
    data = told(values)
    found = smooth(empty(parse_frame(text, NAMES)), data, rng=np.random.default_rng(1), watch=Stop())
    assert np.sqrt(found.loss) < worst * data.std


def test_the_rows_tell_a_hole_what_it_should_have_been():
    data = told((1 / x + x) * np.cos(y))
    found = smooth(empty(parse_frame("f(x)*cos(y)", NAMES)), data, rng=np.random.default_rng(1), watch=Stop())
    rows = found.told(0, data)
    assert rows.names == ("x",)
    assert rows.y == pytest.approx(1 / rows.columns[0] + rows.columns[0], abs=1e-9)


def test_a_summand_and_a_factor_that_may_move_between_holes_are_written_once():
    data = told(2 * (x**2 * np.exp(-x)) + np.sin(y) + 1.5)
    rows = FitData(data)
    begun = filled(
        empty(parse_frame("a*f(x) + g(y)", NAMES)),
        [parse("1.1*x0^2*exp(-1.1*x0) + 0.9"), parse("sin(1.01*x0)*1.0 + 0.3")],
    )
    one = fitted(begun, rows)
    assert one.fit.rank == len(one.fit.constants) - 2
    one = shortest(one, rows)
    assert one.fit.rank == len(one.fit.constants)
    one = snapped(on_all(one, rows), rows)
    assert [str(part) for part in one.filling.told(one.fit.covariance)] == ["f(x) = x^2*exp(-x)", "g(y) = sin(y) + 1.5"]
    assert str(one.fit.expression) == "2*x0^2*exp(-x0) + sin(x1) + 1.5"


def test_a_hole_that_is_used_twice_has_its_constants_once_under_noise():
    noise = 0.05 * np.random.default_rng(2).normal(size=len(x))
    rows = FitData(told(3 * np.exp(-0.7 * x) - 3 * np.exp(-0.7 * y) + noise))
    one = fitted(filled(empty(parse_frame("f(x) - f(y)", NAMES)), [parse("2.5*exp(-0.6*x0)")]), rows)
    first, rate, second, again = one.fit.expression.constants.tolist()
    assert (first, rate) == (second, again)
    assert one.filling.values == pytest.approx([3, -0.7], abs=0.05)
    swapped = table[:, [1, 0, 2]]
    assert evaluate(one.fit.expression, swapped) == pytest.approx(-evaluate(one.fit.expression, table))
    errors = one.fit.standard_errors
    assert errors[0] == errors[2]
    assert 0 < errors[0] < 0.05


def test_parts_that_carry_nothing_are_left_out_of_their_hole():
    noise = 0.05 * np.random.default_rng(2).normal(size=len(x))
    rows = FitData(told(np.sin(2 * y) * x**2 + noise))
    begun = filled(empty(parse_frame("f(x)*g(y)", NAMES)), [parse("1.0*x0^2 + 0.01*x0 + 0.01"), parse("1.0*sin(2*x0)")])
    one = shortest(fitted(begun, rows), rows)
    one = snapped(pruned(on_all(one, rows), rows, Stop()), rows)
    assert [str(part) for part in one.filling.told(one.fit.covariance)] == ["f(x) = x^2", "g(y) = sin(2*y)"]


def test_a_constant_of_the_frame_that_does_nothing_is_left_out():
    rows = FitData(told(x**2))
    one = fitted(filled(empty(parse_frame("a*f(x) + b", NAMES)), [parse("1.1*x0^2")]), rows)
    one = snapped(pruned(on_all(shortest(one, rows), rows), rows, Stop()), rows)
    assert str(one.fit.expression) == "x0^2"
