"""Fits against SciPy, exact laws, noise, weights, groups, threads and regions without values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares

from scalesr.errors import DataError, FormulaError
from scalesr.expr.evaluate import evaluate, jacobian
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, Status, fit, fit_groups, fit_many
from scalesr.expr.text import parse
from tests.expr.strategies import MODERATE, SMALL_POWERS, expressions

RNG = np.random.default_rng(11)
X = np.sort(RNG.uniform(0.1, 3.1, 200))

EXACT = [  # a skeleton and constants from which its data are made
    ("C*x + C*sin(C*x + C)", [1.35, 5.5, 1.7, -0.4]),
    ("C*exp(C*x) + C", [2.5, -1.3, 0.7]),
    ("C*exp(C*x) + C*exp(C*x)", [2.5, -1.3, 0.7, 0.4]),
    ("C*x^C + C", [3.0, -1.5, 4.0]),
    ("C*log(C + x) + C*x", [2.0, 0.8, -1.0]),
    ("C/(exp(C*x) - 1)", [4.0, 0.9]),
    ("C*sqrt(C - C*x^2)", [1.5, 20.0, 1.0]),
    ("C*exp(C*(x + C)^2) + C", [2.0, -1.4, -1.2, 0.3]),
    ("C*tanh(C*x + C) + C", [2.0, 1.4, -1.2, 0.3]),
    ("(C + C*x)/(1 + C*x + C*x^2)", [1.0, 2.0, 0.4, 0.3]),
    ("C + C*x + C*x^2 + C*x^3 + C*x^4", [1.0, -2.0, 3.0, -4.0, 5.0]),
    ("x^C", [1.7]),
    ("exp(C*x)*cos(C*x)", [-0.5, 4.0]),
    ("C", [3.25]),
]


@pytest.mark.parametrize(("text", "constants"), EXACT)
def test_exact_data_are_fitted_to_rounding_error(text: str, constants: list[float]) -> None:
    skeleton = parse(text, ["x"])
    y = evaluate(skeleton.bind(constants), X)
    found = fit(skeleton, X, y)
    assert found.rss < 1e-26 * (y @ y)
    assert found.ok
    np.testing.assert_allclose(evaluate(found.expression, X), y, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("scale", [1e-34, 1e-10, 1e12, 1e30])
def test_units_of_any_size_are_fitted(scale: float) -> None:
    skeleton = parse("C*x^C + C", ["x"])
    y = scale * (2.0 * X**1.5 + 3.0)
    assert fit(skeleton, X, y).rss < 1e-26 * (y @ y)
    decay = fit(parse("C*exp(C*x) + C", ["x"]), X * scale, np.exp(-X) + 2.0)
    np.testing.assert_allclose(decay.constants, [1.0, -1.0 / scale, 2.0], rtol=1e-10)


def test_error_bars_agree_with_scipy(rng: np.random.Generator) -> None:
    skeleton = parse("C*exp(C*x) + C", ["x"])
    y = evaluate(skeleton.bind([2.0, -1.0, 0.5]), X) + 0.05 * rng.standard_normal(len(X))
    found = fit(skeleton, X, y)

    def residuals(c: np.ndarray) -> np.ndarray:
        return np.asarray(c[0] * np.exp(c[1] * X) + c[2] - y)

    there = least_squares(residuals, [2.0, -1.0, 0.5], method="lm", xtol=1e-15, ftol=1e-15)
    np.testing.assert_allclose(found.constants, there.x, rtol=1e-6)
    variance = 2 * there.cost / (len(X) - 3)
    np.testing.assert_allclose(found.covariance, variance * np.linalg.inv(there.jac.T @ there.jac), rtol=1e-4)
    assert found.rank == 3
    assert found.status is Status.CONVERGED
    assert found.message == "The fit converged."


def test_weights_count_as_repeated_rows(rng: np.random.Generator) -> None:
    skeleton = parse("C*exp(C*x) + C", ["x"])
    y = np.exp(-X) + 0.1 * rng.standard_normal(len(X))
    times = rng.integers(0, 4, len(X))
    weighted = fit(skeleton, X, y, weights=times)
    repeated = fit(skeleton, np.repeat(X, times), np.repeat(y, times))
    assert (np.abs(weighted.constants - repeated.constants) < 1e-5 * repeated.standard_errors).all()
    np.testing.assert_allclose(weighted.rss, repeated.rss, rtol=1e-10)


@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    expressions(n_variables=1, max_nodes=10, constants=MODERATE, powers=SMALL_POWERS,
                operators=["+", "-", "*", "/", "sin", "cos", "exp", "log", "sqrt", "powi", "^", "tanh"]),
    st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_random_skeletons_reach_scipys_optimum_or_better(truth: Expression, seed: int) -> None:
    skeleton = truth.skeleton()
    values = evaluate(truth, X)
    assume(0 < skeleton.n_open <= 4 and np.isfinite(values).all() and 1e-3 < np.std(values) < 1e3)
    noise = np.random.default_rng(seed).standard_normal(len(X))
    y = values + 0.01 * np.std(values) * noise

    def residuals(c: np.ndarray) -> np.ndarray:
        return np.nan_to_num(np.clip(evaluate(skeleton.bind(c), X) - y, -1e6, 1e6), nan=1e6)

    def slopes(c: np.ndarray) -> np.ndarray:
        return np.nan_to_num(np.clip(jacobian(skeleton.bind(c), X), -1e9, 1e9))

    found = fit(skeleton, X, y)
    there = least_squares(residuals, np.ones(skeleton.n_open), slopes, method="trf", max_nfev=200)
    assert found.rss <= 2 * there.cost * (1 + 1e-6) + 1e-20 * (y @ y)


def test_a_warm_start_stays_in_its_basin() -> None:
    skeleton = parse("C*sin(C*x)", ["x"])
    y = 2 * np.sin(3 * X)
    assert fit(skeleton, X, y, starts=[1.0, 2.9]).constants == pytest.approx([2, 3])
    away = fit(skeleton, X, y, starts=[[1.0, 40.0]])
    assert abs(away.constants[1] - 3) > 1
    best_of_two = fit(skeleton, X, y, starts=[[1.0, 40.0], [1.0, 2.9]])
    assert best_of_two.constants == pytest.approx([2, 3])


def test_groups_have_constants_of_their_own_whatever_the_number_of_threads(rng: np.random.Generator) -> None:
    skeleton = parse("C*exp(C*x) + C", ["x"])
    truth = np.column_stack([rng.uniform(1, 3, 50), rng.uniform(-2, -0.5, 50), rng.uniform(-1, 1, 50)])
    lengths = rng.integers(20, 300, 50)
    tables = [rng.uniform(0, 3, (n, 1)) for n in lengths]
    targets = [evaluate(skeleton.bind(c), table) for c, table in zip(truth, tables, strict=True)]
    found = fit_groups(skeleton, tables, targets)
    np.testing.assert_allclose(found.constants, truth, rtol=1e-8)
    assert found.n_rows.tolist() == lengths.tolist()
    for n_threads in (2, 3):
        again = fit_groups(skeleton, tables, targets, n_threads=n_threads)
        np.testing.assert_array_equal(again.constants, found.constants)
        np.testing.assert_array_equal(again.covariance, found.covariance)
    warm = fit_groups(skeleton, tables, targets, starts=truth[:, np.newaxis] * 1.05)
    np.testing.assert_allclose(warm.constants, truth, rtol=1e-8)
    assert warm.n_trials.mean() < found.n_trials.mean()


def test_many_skeletons_are_fitted_like_each_alone_whatever_the_number_of_threads() -> None:
    skeletons = [parse(text, ["x"]) for text, _ in EXACT]
    y = np.exp(-X) + 0.1 * np.sin(5 * X)
    together = fit_many(skeletons, X, y)
    for index, skeleton in enumerate(skeletons):
        alone = fit(skeleton, X, y)
        assert together[index].rss == alone.rss
        np.testing.assert_array_equal(together[index].constants, alone.constants)
        np.testing.assert_array_equal(together[index].covariance, alone.covariance)
    np.testing.assert_array_equal(fit_many(skeletons, X, y, n_threads=3).rss, together.rss)
    assert len(fit_many([], X, y)) == 0


def test_closed_constants_stay_as_they_are() -> None:
    found = fit(parse("2*x + C", ["x"]), X, 3 * X + 1)
    assert found.constants == pytest.approx([np.mean(X + 1)])
    assert str(found.expression).startswith("2*x0 + ")
    nothing_open = fit(parse("2*x", ["x"]), X, 2 * X + 1)
    assert nothing_open.rss == pytest.approx(len(X))
    assert len(nothing_open.constants) == 0


def test_a_law_with_a_forbidden_region_is_found_from_starts_inside_it() -> None:
    skeleton = parse("log(C*x + C)", ["x"])
    y = np.log(2 * X + 1)
    found = fit(skeleton, X, y, starts=[-1.0, 1.0])  # no value for x > 1
    assert found.constants == pytest.approx([2, 1])


def test_rows_without_a_value_are_counted_and_said() -> None:
    signed = np.linspace(-1, 1, 51)
    found = fit(parse("C*log(x)", ["x"]), signed, signed)
    assert found.n_failed == 26
    assert not found.ok
    assert "26 of 51 rows" in found.message
    never = fit(parse("log(C*x^2 - C*x^2 - 1)", ["x"]), signed, signed, starts=[1.0, 1.0])
    assert never.n_failed == 51


def test_redundant_constants_lower_the_rank_and_are_said() -> None:
    found = fit(parse("C*exp(C*x + C)", ["x"]), X, 2 * np.exp(-X))
    assert found.rank == 2
    assert "2 of 3 constants" in found.message
    assert np.isnan(np.diag(found.covariance)).sum() == 1


def test_fewer_rows_than_constants_give_no_error_bars() -> None:
    found = fit(parse("C + C*x + C*x^2", ["x"]), X[:2], X[:2] ** 2)
    assert found.rank == 2
    assert np.isnan(found.covariance).all()
    assert found.rss == pytest.approx(0, abs=1e-20)


def test_the_same_fit_twice_is_the_same_to_the_last_bit(rng: np.random.Generator) -> None:
    skeleton = parse("C*sin(C*x + C) + C*exp(C*x)", ["x"])
    y = np.sin(3 * X) + 0.1 * rng.standard_normal(len(X))
    first, second = fit(skeleton, X, y), fit(skeleton, X, y)
    np.testing.assert_array_equal(first.constants, second.constants)


def test_more_effort_is_never_worse() -> None:
    skeleton = parse("C*sin(C*x + C) + C*sin(C*x + C)", ["x"])
    y = np.sin(3 * X) + 0.4 * np.sin(11 * X + 1)
    little = fit(skeleton, X, y, effort=Effort(n_screened=1, n_polished=1))
    much = fit(skeleton, X, y, effort=Effort(n_screened=200, n_polished=20))
    assert much.rss <= little.rss
    assert much.rss < 1e-20


def test_large_tables_are_fitted_on_all_rows(rng: np.random.Generator) -> None:
    x = rng.uniform(0, 3, 20_000)
    y = 2 * np.exp(-1.5 * x) + 0.3 * rng.standard_normal(len(x))
    found = fit(parse("C*exp(C*x)", ["x"]), x, y)
    assert found.rss / len(x) == pytest.approx(0.09, rel=0.05)
    assert np.abs((found.constants - [2, -1.5]) / found.standard_errors).max() < 5


@pytest.mark.parametrize(
    ("X_given", "y_given", "weights", "fragment"),
    [
        (X, X[:-1], None, "200 rows and the target 199"),
        (np.empty(0), np.empty(0), None, "0 rows"),
        (X, np.full(200, np.nan), None, "NaN"),
        (np.full(200, np.inf), X, None, "NaN or infinite"),
        (X, X, -np.ones(200), "none negative"),
        (X, X, np.zeros(200), "not all 0"),
        (X, X, np.ones(3), "200 finite numbers"),
    ],
)
def test_bad_rows_are_refused_with_advice(
    X_given: np.ndarray, y_given: np.ndarray, weights: np.ndarray | None, fragment: str
) -> None:
    with pytest.raises(DataError, match=fragment):
        fit(parse("C*x", ["x"]), X_given, y_given, weights=weights)


def test_bad_starts_and_missing_columns_are_refused() -> None:
    with pytest.raises(FormulaError, match="2 constants each"):
        fit(parse("C*x + C", ["x"]), X, X, starts=[1.0])
    with pytest.raises(FormulaError, match="finite"):
        fit(parse("C*x", ["x"]), X, X, starts=[np.nan])
    with pytest.raises(DataError, match="column 1"):
        fit(parse("C*y", ["x", "y"]), X, X)
    with pytest.raises(DataError, match="2 tables and 1 targets"):
        fit_groups(parse("C*x", ["x"]), [X, X], [X])
    with pytest.raises(ValueError, match="1 or more"):
        Effort(n_screened=0)


def test_of_constants_that_run_away_together_one_is_not_told():
    """Its trace in the rows is below its own size, and the others are known as well as if it were given."""
    rng = np.random.default_rng(0)
    table = np.column_stack([rng.uniform(100, 1000, 500), rng.uniform(0, 3, 500)])
    y = evaluate(parse("x0/(1 + x0/511*(1 - cos(x1)))", ["x0", "x1"]), table) + rng.standard_normal(500)
    form = parse("C*x0/(x0*(cos(x1)*(x1 - C) + C) + C)", ["x0", "x1"])
    size = 2.6e9
    done = fit(form, table, y, starts=[[511 * size, size, size, 511 * size]])
    assert done.rank == 3
    told = np.isfinite(done.standard_errors)
    assert told.sum() == 3
    assert (done.standard_errors[told] < 0.1 * np.abs(done.constants[told])).all()


def test_a_line_that_is_written_as_a_wave_has_one_constant_too_many():
    """The phase is near two pi, so that its own size does not show that amplitude and frequency run away with it."""
    rng = np.random.default_rng(0)
    x = rng.uniform(20, 80, (500, 1))
    y = 1.94 - 0.0139 * x[:, 0] + 0.01 * rng.standard_normal(500)
    form = parse("C*tan(C*x0 - C)", ["x0"])
    done = fit(form, x, y, starts=[[-513436.0, 2.7060388e-08, 6.283189094]])
    assert done.rank == 2


@pytest.mark.parametrize("shift", [1e-2, 1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("law", ["2*(3*x0 + {shift})^2", "2/(3/x0^2 + {shift})", "2/(3/x0 + {shift})^2"])
def test_a_redundant_constant_is_known_as_one_however_small_another_is(law, shift):
    """One of three constants can be chosen at will: the rank is two, and no error of 1e11 is reported."""
    law = parse(law.format(shift=shift), ["x0"])
    x = np.random.default_rng(0).uniform(0.5, 5, (200, 1))
    y = evaluate(law, x) + 1e-3 * np.random.default_rng(1).standard_normal(200)
    done = fit(law.skeleton(), x, y, starts=law.constants[np.newaxis])
    assert done.rank == 2
    assert np.isnan(done.covariance).any()
