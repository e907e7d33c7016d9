"""Total least squares, compared with the plain minimum over constants and places together."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from scalesr.expr.text import parse
from scalesr.polish.total_least_squares import MeasuredRows, total_fit


def measured(rng, truth, n_rows=60, x_error=0.2, y_error=0.1, *, is_known=True):
    x = rng.uniform(0.5, 4, n_rows)
    y = truth(x) + y_error * rng.normal(size=n_rows)
    seen = x + x_error * rng.normal(size=n_rows)
    size = y_error if is_known else 1.0
    return MeasuredRows(
        seen[:, np.newaxis], y, np.full((n_rows, 1), x_error), np.full(n_rows, size), is_known
    )  # fmt: skip


def test_constants_are_those_of_the_joint_minimum(rng):
    law = parse("3*exp(-0.7*x) + 0.5", ["x"])
    rows = measured(rng, lambda x: 3 * np.exp(-0.7 * x) + 0.5)
    found = total_fit(law, np.arange(len(law.constants)), rows)
    seen = rows.table[:, 0]

    def off(parameters):
        (a, b, c), places = parameters[:3], parameters[3:]
        return np.concatenate([(rows.y - a * np.exp(-b * places) - c) / 0.1, (seen - places) / 0.2])

    joint = least_squares(off, [3, 0.7, 0.5, *seen], xtol=1e-12, ftol=1e-12)
    assert np.sort(np.abs(found.constants)) == pytest.approx(np.sort(np.abs(joint.x[:3])), rel=1e-2)
    assert found.chi_square == pytest.approx(2 * joint.cost, rel=1e-3)


@pytest.mark.parametrize("is_known", [True, False])
def test_slopes_are_not_too_small_and_errors_cover_the_truth(is_known):
    law = parse("2*x + 1", ["x"])
    slopes, covered, plain = [], [], []
    for seed in range(60):
        rows = measured(np.random.default_rng(seed), lambda x: 2 * x + 1, x_error=0.4, is_known=is_known)
        found = total_fit(law, np.arange(2), rows)
        slopes.append(found.constants[0])
        covered.append(abs(found.constants[0] - 2) < 1.96 * np.sqrt(found.covariance[0, 0]))
        plain.append(np.polyfit(rows.table[:, 0], rows.y, 1)[0])
    assert np.mean(plain) < 1.9
    assert np.mean(slopes) == pytest.approx(2.0, abs=0.05)
    assert np.mean(covered) > 0.85


def test_columns_without_errors_are_plain_least_squares(rng):
    rows = measured(rng, lambda x: 2 * x + 1, x_error=0.0)
    found = total_fit(parse("1.5*x + 2", ["x"]), np.arange(2), rows)
    slope, level = np.polyfit(rows.table[:, 0], rows.y, 1)
    assert found.constants == pytest.approx([slope, level])


def test_the_targets_error_is_told_where_it_is_not_known(rng):
    rows = measured(rng, lambda x: 2 * x + 1, n_rows=400, x_error=0.05, y_error=0.3, is_known=False)
    assert total_fit(parse("2*x + 1", ["x"]), np.arange(2), rows).y_error == pytest.approx(0.3, rel=0.15)


def test_a_law_without_constants_or_values_is_left_alone(rng):
    rows = measured(rng, lambda x: 2 * x + 1)
    assert total_fit(parse("x^2", ["x"]), np.arange(0), rows) is None
    assert total_fit(parse("log(x - 3)", ["x"]), np.arange(1), rows) is None
