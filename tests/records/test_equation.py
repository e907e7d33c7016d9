import dataclasses

import numpy as np
import pytest
import sympy

from scalesr import Equation, evaluate, fit, parse
from scalesr.errors import DataError
from scalesr.records.equation import round_to_error

X = np.linspace(1.0, 3.0, 40)[:, np.newaxis]


@pytest.fixture
def law():
    skeleton = parse("1 + C*x^2 + C", names=["x"])
    y = 3.0 + 2.0 * X[:, 0] ** 2 + 0.01 * np.random.default_rng(0).normal(size=len(X))
    return Equation.from_fit(fit(skeleton, X, y), names=["x"])


def test_constants_are_all_numbers_of_the_formula_and_given_ones_have_no_error(law):
    assert law.constants == pytest.approx([1.0, 2.0, 2.0], abs=0.02)
    errors = law.standard_errors
    assert errors[0] == 0
    assert (errors[1:] > 0).all()
    assert (errors[1:] < 0.01).all()


def test_standard_errors_are_those_of_linear_regression(law):
    design = np.stack([X[:, 0] ** 2, np.ones(len(X))], axis=1)
    y = 3.0 + 2.0 * X[:, 0] ** 2 + 0.01 * np.random.default_rng(0).normal(size=len(X))
    _, rss, _, _ = np.linalg.lstsq(design, y)
    expected = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * rss / (len(X) - 2))
    assert law.standard_errors[1:] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("value", "error", "expected"),
    [(364.26720715, 0.476, 364.27), (1.50314, 0.00107, 1.5031), (123456.0, 4321.0, 123500.0), (0.1, 0.0, 0.1)],
)
def test_rounding_keeps_two_uncertain_digits(value, error, expected):
    assert round_to_error(value, error) == expected


def test_the_rounded_law_is_the_same_law_to_read(law):
    assert np.abs(law.rounded().constants - law.constants).max() < law.standard_errors.max()
    assert str(law) == str(law.rounded()) == law.rounded().text()
    assert len(str(law)) < len(law.text())


def test_digits_are_those_that_keep_the_law_where_errors_go_together():
    x = np.linspace(1, 2, 50)[:, np.newaxis]
    y = 4.9 * x[:, 0] ** 2 + 1e-3 * np.random.default_rng(0).normal(size=50)
    done = fit(parse("C*(C*x0)^2"), x, y, starts=[[0.11, 6.7]])  # of which the rows tell the product alone
    law = Equation.from_fit(done, ["x"])
    assert law.rounded().predict(x) == pytest.approx(law.predict(x), rel=1e-4)
    assert len(str(law)) < len(law.text())


def test_predict_is_the_formula(law):
    assert np.array_equal(law.predict(X), evaluate(law.expression, X))
    assert law.predict([[2.0]]) == pytest.approx([11.0], abs=0.05)


def test_text_reads_back_and_sympy_agrees(law):
    assert parse(law.text(), names=["x"]) == law.expression
    assert float(law.sympy().subs(sympy.Symbol("x"), 2)) == pytest.approx(law.predict([[2.0]])[0])
    assert "x" in law.latex()
    assert law.complexity == law.expression.complexity


def test_equal_laws_are_equal_and_hash_alike(law):
    twin = Equation(law.expression, law.names, law.covariance.copy())
    assert twin == law
    assert hash(twin) == hash(law)
    assert Equation(law.expression, ("t",), law.covariance) != law


def test_a_law_is_frozen(law):
    with pytest.raises(dataclasses.FrozenInstanceError):
        law.names = ("y",)
    with pytest.raises(ValueError, match="read-only"):
        law.covariance[0, 0] = 1.0


@pytest.mark.parametrize(
    ("text", "names", "size", "message"),
    [
        ("C*x", ("x",), 1, "open constants"),
        ("2*x", ("x",), 2, "1 x 1 covariance"),
        ("2*x", (), 1, "only 0 columns are named"),
    ],
)
def test_what_is_no_law_is_refused(text, names, size, message):
    with pytest.raises(DataError, match=message):
        Equation(parse(text, names=["x"]), names, np.zeros((size, size)))


def test_a_table_of_another_width_is_refused(law):
    with pytest.raises(DataError, match=r"columns x; its shape is \(2, 3\)"):
        law.predict(np.ones((2, 3)))


def test_what_is_no_covariance_leaves_the_law_readable():
    """A file may hold any numbers: correlations of a hundred decades are none."""
    law = parse("2.5*x0 + 1.5")
    covariance = np.array([[1e-300, 1e300], [1e300, 1e-300]])
    assert str(Equation(law, ("x0",), covariance))
