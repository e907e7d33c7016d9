from __future__ import annotations

from fractions import Fraction

import numpy as np

from scalesr.evidence.rounding import HALF_ULP, is_at_rounding, rounding, shift
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from tests.evidence.tables import dataset

NONE = np.empty(0, np.int64)


def test_rounding_covers_the_true_error_of_a_form_that_cancels() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(100, 101, 200)
    X = np.stack([x, x + rng.uniform(0.01, 0.1, 200)], axis=1)
    exact = [float((Fraction(a) - Fraction(b)) ** 2) for a, b in X.tolist()]
    expanded = parse("x0^2 - 2*x0*x1 + x1^2")
    error = np.abs(evaluate(expanded, X) - exact)
    expected = rounding(expanded, Dataset.from_table(X, exact))
    assert np.sqrt(np.mean((error / expected) ** 2)) < 3
    assert np.median(error) > 1e3 * HALF_ULP * np.median(exact)  # so that a plain tolerance would not do


def test_an_expanded_square_is_at_rounding_where_its_relative_error_is_large() -> None:
    data = dataset(lambda x, y: (x - y) ** 2, 300, (100, 101), (100, 101))
    assert is_at_rounding(parse("x0^2 - 2*x0*x1 + x1^2"), NONE, data, data)
    assert not is_at_rounding(parse("x0^2 - 2.0000000001*x0*x1 + x1^2"), NONE, data, data)


def test_a_law_that_is_right_on_the_large_rows_only_is_not_at_rounding() -> None:
    data = dataset(lambda x: np.exp(x) + np.sin(x), 300, (0.0, 80.0))
    assert not is_at_rounding(parse("exp(x0)"), NONE, data, data)
    assert is_at_rounding(parse("exp(x0) + sin(x0)"), NONE, data, data)


def test_shift_is_the_spread_of_fits_to_rounded_rows() -> None:
    data = dataset(lambda x: 3.7 * x**2, 400, (1.0, 2.0))
    law = parse("3.7*x0^2")
    rng = np.random.default_rng(0)
    basis = data.columns[0] ** 2
    noise = rounding(law, data) * rng.normal(size=(2000, data.n_rows))
    spread = (noise @ basis / (basis @ basis)).std() * basis
    assert np.allclose(shift(law, np.array([0]), data, data), spread, rtol=0.1)


def test_a_law_that_was_computed_carelessly_is_at_rounding_and_one_with_a_faint_term_is_not() -> None:
    careless = dataset(lambda x, y: ((100 * x + y) ** 2 - 1e4 * x**2 - y**2) / 200, 400, (1.0, 2.0), (1.0, 2.0))
    assert is_at_rounding(parse("x0*x1"), NONE, careless, careless)
    faint = dataset(lambda x, y: x * y + 3e-14 * np.sin(3 * x), 400, (1.0, 2.0), (1.0, 2.0))
    assert not is_at_rounding(parse("x0*x1"), NONE, faint, faint)
