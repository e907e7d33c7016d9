"""Exact is said of laws, and never of a formula that only comes close."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scalesr.evidence.exact import polynomial_error
from scalesr.records.dataset import Dataset
from tests.evidence.tables import Floats, archive_of, dataset

PLANE = ((-3.0, 3.0), (-3.0, 3.0))
SPACE = ((1.0, 5.0),) * 4


@pytest.mark.parametrize(
    ("law", "ranges", "guess"),
    [
        (lambda x, y: x**y, ((1.0, 2.0),) * 2, "x0^(1.1*x1)"),
        (lambda x, y: 1.35 * x * y + 5.5 * np.sin((x - 1) * (y - 1)), PLANE,
         "1.3*x0*x1 + 5*sin((x0 - 1.1)*(x1 - 0.9))"),
        (lambda a, b, c, d: np.sqrt((b - a) ** 2 + (d - c) ** 2), SPACE,
         "sqrt(x0^2 - 1.9*x0*x1 + x1^2 + x2^2 - 2.1*x2*x3 + x3^2)"),
        (lambda m, n, a, b: 6.674e-11 * m * n / ((a - b) ** 2 + 1), ((1e30, 1e31), (1e20, 1e22), *SPACE[:2]),
         "1e-11*x0*x1/((x2 - x3)^2 + 1.1)"),
        (lambda f: 6.62607015e-34 * f * (1 + 2.2e-10 * f), ((1e9, 1e10),), "1e-34*x0 + 1e-43*x0^2"),
        (lambda x: 1e6 + np.sin(x), ((0.0, 6.0),), "9e5 + 1.1*sin(x0)"),
        (lambda x: 2.5 * x**6 - x + 1e-3, ((-1.0, 1.0),), "2*x0^6 - x0 + 0.1"),
    ],
)  # fmt: skip
def test_true_laws_are_exact(law: Callable[..., Floats], ranges: tuple[tuple[float, float], ...], guess: str) -> None:
    archive = archive_of(dataset(law, 600, *ranges), guess)
    assert archive.is_exact


@pytest.mark.parametrize("magnitude", [1e-34, 1e30])
def test_magnitudes_make_no_difference(magnitude: float) -> None:
    data = dataset(lambda x, y: magnitude * x / (1 + y**2), 300, (1.0, 3.0), (1.0, 3.0))
    assert archive_of(data, "x0/(1 + x1^2)").is_exact


def polynomial(degree: int, n_variables: int) -> str:
    if n_variables == 1:
        return " + ".join(["0.1", *(f"0.2*x0^{k}" for k in range(1, degree + 1))])
    return " + ".join(
        ["0.1", *(f"0.2*x0^{i}*x1^{j}" for i in range(degree + 1) for j in range(degree + 1 - i) if i + j)]
    )


def smooth_function(rng: np.random.Generator, n_variables: int, n_rows: int) -> Dataset:
    """A draw of a Gaussian process on a box, with a length scale from a third of its size to fifteen times."""
    X = rng.uniform(-1, 1, (n_rows, n_variables))
    frequencies = rng.normal(size=(60, n_variables)) / np.exp(rng.uniform(np.log(0.7), np.log(30)))
    phases, sizes = rng.uniform(0, 2 * np.pi, 60), rng.normal(size=60)
    return Dataset.from_table(X, np.cos(X @ frequencies.T + phases) @ sizes)


@pytest.mark.parametrize("part", range(2))
def test_exact_is_said_of_none_of_fifty_smooth_functions(part: int) -> None:
    n_at_rounding = 0
    for seed in range(25 * part, 25 * part + 25):
        rng = np.random.default_rng(seed)
        n_variables = 1 + seed % 2
        data = smooth_function(rng, n_variables, 120)
        degrees = (7, 10, 13) if n_variables == 1 else (2, 5)
        waves = "0.1 + 0.5*sin(0.4*x0 + 1) + 0.2*sin(1.1*x0 + 2)"
        ratio = "(0.1 + 0.2*x0 + 0.1*x0^2 + 0.1*x0^3)/(1 + 0.1*x0 + 0.1*x0^2 + 0.1*x0^3)"
        archive = archive_of(
            data, *(polynomial(degree, n_variables) for degree in degrees), (waves, ratio)[seed % 4 < 2]
        )
        assert not archive.is_exact, str(archive.best.equation)
        n_at_rounding += archive.best_candidate.at_rounding
    assert n_at_rounding > 3  # or the test would not try the question


@pytest.mark.parametrize("n_rows", [6, 10, 16])
def test_as_many_constants_as_rows_is_never_exact(n_rows: int) -> None:
    rng = np.random.default_rng(n_rows)
    data = Dataset.from_table(np.linspace(-1, 1, n_rows)[:, np.newaxis], rng.normal(size=n_rows))
    for degree in range(n_rows // 2, n_rows + 1):
        assert not archive_of(data, polynomial(degree, 1)).is_exact


def test_a_series_with_plain_coefficients_is_not_the_law_that_it_expands() -> None:
    data = dataset(lambda x: x / (1 - x), 200, (-0.01, 0.01))
    series = [" + ".join(f"x0^{k}" for k in range(1, n + 1)) for n in (5, 6, 7, 8)]
    assert not archive_of(data, *series).is_exact
    assert archive_of(data, *series, "0.9*x0/(1.1 - x0)").is_exact


def test_a_polynomial_baseline_takes_low_powers_first() -> None:
    data = dataset(lambda x, y: 1 + x - y, 100, *PLANE)
    assert polynomial_error(data, (0, 1), 3) < 1e-12
    assert polynomial_error(data, (0, 1), 2) > 0.1
