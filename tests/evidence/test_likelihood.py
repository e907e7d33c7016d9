from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from scalesr.evidence.likelihood import KIND_COST, explain

Z = np.random.default_rng(0).standard_normal(2000)
VALUES = 10 ** np.random.default_rng(1).uniform(0, 4, 2000)
IS_BAD = np.random.default_rng(2).random(2000) < 0.05


@pytest.mark.parametrize(
    ("kind", "residual", "scale"),
    [
        ("constant", 100 * Z, 100.0),
        ("proportional", 0.1 * VALUES * Z, 0.1),
        ("counts", np.sqrt(VALUES) * Z, 1.0),
    ],
)
def test_the_kind_of_the_noise_is_told_by_the_rows(kind: str, residual: np.ndarray, scale: float) -> None:
    noise = explain(residual, VALUES, 3, rounding=1e-12).noise
    assert noise.kind == kind
    assert noise.scale == pytest.approx(scale, rel=0.05)
    assert noise.outliers == 0


def test_mixed_errors_have_both_parts() -> None:
    noise = explain(np.sqrt(100 + (0.05 * VALUES) ** 2) * Z, VALUES, 3, rounding=1e-12).noise
    assert noise.kind == "mixed"
    assert noise.scale == pytest.approx(10, rel=0.4)
    assert noise.relative == pytest.approx(0.05, rel=0.2)


@pytest.mark.parametrize("share", [1.0, 0.1 * VALUES])
def test_outliers_are_found_whatever_the_kind_of_the_noise(share: float | np.ndarray) -> None:
    found = explain(np.where(IS_BAD, 50 * Z * share, Z * share), VALUES, 3, rounding=1e-12)
    assert found.good is not None
    flagged = found.good < 0.5
    assert found.noise.outliers == pytest.approx(0.05, abs=0.015)
    assert (flagged & ~IS_BAD).mean() < 0.005
    assert (flagged & IS_BAD).sum() > 0.85 * IS_BAD.sum()


def test_rows_that_are_exact_but_for_some_have_outliers_and_no_noise() -> None:
    found = explain(np.where(IS_BAD, Z, 0.0), VALUES, 1, rounding=1e-9)
    assert found.noise.scale == pytest.approx(1e-9, rel=0.5)
    assert found.noise.outliers == pytest.approx(IS_BAD.mean(), abs=0.01)


def test_normal_noise_has_no_outliers() -> None:
    rng = np.random.default_rng(3)
    shares = [explain(rng.standard_normal(300), np.ones(300), 2, rounding=0.0).noise.outliers for _ in range(40)]
    assert sum(share > 0 for share in shares) <= 2


def test_the_cost_is_the_marginal_likelihood_with_the_scale_integrated_out() -> None:
    residual = np.array([0.3, -1.1, 0.7, 0.2, -0.4])

    def likelihood(log_scale: float) -> float:
        scale = np.exp(log_scale)
        return float(np.prod(np.exp(-0.5 * (residual / scale) ** 2) / (np.sqrt(2 * np.pi) * scale)))

    marginal, _ = quad(likelihood, -12, 12, limit=200)
    cost = explain(residual, np.ones(5), 0, rounding=0.0).cost
    assert cost - KIND_COST["constant"] == pytest.approx(-np.log(2 * marginal), abs=1e-6)


def test_rows_of_which_most_have_no_error_at_all_have_a_cost() -> None:
    residual = np.zeros(300)
    residual[:3] = 1.0  # as where a function that was learned says 0 of rare events
    found = explain(residual, np.zeros(300), 0, rounding=0.0)
    assert np.isfinite(found.cost)
    assert found.good is None
