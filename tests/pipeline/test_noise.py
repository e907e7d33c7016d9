from __future__ import annotations

import numpy as np
import pytest

from scalesr.generator.choose import quick_generator
from scalesr.pipeline.method import discover
from scalesr.pipeline.noise import first_look
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict

N_ROWS = 800


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def look(X: np.ndarray, y: np.ndarray):
    learn = lambda data: quick_generator(data, rng=np.random.default_rng(3))  # noqa: E731 - a learner is a function
    return first_look(Dataset.from_table(X, y), learn, rng=np.random.default_rng(2))


def test_a_learned_function_shows_which_rows_are_outliers(rng):
    X = rng.uniform(1, 3, (N_ROWS, 3))
    clean = X[:, 0] * X[:, 1] / X[:, 2]
    is_bad = rng.random(N_ROWS) < 0.05
    y = clean + clean.std() * np.where(
        is_bad, rng.choice([-1, 1], N_ROWS) * rng.uniform(0.2, 1, N_ROWS), 0.01 * rng.standard_normal(N_ROWS)
    )
    found = look(X, y)
    assert found.weights is not None
    flagged = found.weights == 0
    assert (flagged & is_bad).sum() > 0.95 * is_bad.sum()
    assert (flagged & ~is_bad).sum() < 0.03 * N_ROWS


def test_rows_without_noise_all_count_alike(rng):
    X = rng.uniform(1, 3, (N_ROWS, 2))
    found = look(X, X[:, 0] * X[:, 1] ** 2)
    assert found.noise is None
    assert found.weights is None


def test_errors_that_grow_with_the_value_make_small_values_count_more(rng):
    X = 10 ** rng.uniform(0, 2, (N_ROWS, 2))
    y = X[:, 0] * X[:, 1] * (1 + 0.1 * rng.standard_normal(N_ROWS))
    found = look(X, y)
    assert found.weights is not None
    assert found.noise is not None
    assert found.noise.kind in ("proportional", "mixed")
    assert np.corrcoef(np.log(found.weights), np.log(y))[0, 1] < -0.8


def run(X, y, **settings):
    given = {"time_limit": None, "max_work": 60.0} | settings
    return discover(Dataset.from_table(X, y), Settings(**given), rng=np.random.default_rng(0))


def test_a_law_is_found_beside_outliers_and_they_are_named(rng):
    X = rng.uniform(1, 3, (400, 2))
    clean = 3 * X[:, 0] / X[:, 1] ** 2
    y = clean + 0.01 * clean.std() * rng.standard_normal(400)
    y[::20] += 2 * clean.std()
    found = run(X, y)
    assert found.noise.outliers == pytest.approx(0.05, abs=0.02)
    np.testing.assert_allclose(found.equation.predict(X), clean, atol=0.02 * clean.std())


def test_newtons_law_over_ten_decades_with_proportional_noise(rng):
    m = 10 ** rng.uniform(20, 25, (600, 2))
    r = 10 ** rng.uniform(6, 9, 600)
    y = 6.674e-11 * m[:, 0] * m[:, 1] / r**2 * (1 + 0.01 * rng.standard_normal(600))
    found = run(np.column_stack([m, r]), y)
    assert found.verdict is Verdict.WITHIN_NOISE
    assert found.noise.kind == "proportional"
    assert found.equation.complexity < 15
    fresh = np.array([[1e21, 1e24, 1e8], [1e25, 1e20, 1e6]])
    np.testing.assert_allclose(
        found.equation.predict(fresh), 6.674e-11 * fresh[:, 0] * fresh[:, 1] / fresh[:, 2] ** 2, rtol=0.01
    )


def test_one_wild_row_does_not_hide_an_exact_law(rng):
    X = rng.uniform(1, 3, (300, 2))
    y = 3 * X[:, 0] / X[:, 1]
    y[7] = 50.0
    found = run(X, y)
    assert found.verdict is Verdict.EXACT
    assert str(found.equation) == "3*x0/x1"


def test_levels_with_arbitrary_values_are_not_called_exact(rng):
    levels, k, x = rng.normal(size=5), rng.integers(0, 5, 300), rng.uniform(1, 3, 300)
    found = run(np.column_stack([k, x]), levels[k] * x)
    assert found.verdict is not Verdict.EXACT


def test_coins_and_rare_events_are_not_called_exact(rng):
    coins = rng.integers(0, 2, (12, 20)).astype(float)
    assert run(coins, rng.integers(0, 2, 12).astype(float)).verdict is not Verdict.EXACT
    many = rng.integers(0, 2, (400, 30)).astype(float)
    rare = np.zeros(400)
    rare[17] = 1.0
    assert run(many, rare, max_work=30.0).verdict is not Verdict.EXACT


def test_time_that_is_up_before_anything_was_tried_is_its_own_word(rng):
    X = rng.uniform(1, 3, (50, 2))
    found = run(X, X[:, 0] * X[:, 1], max_work=0.0)
    assert found.verdict is Verdict.NOT_TRIED
    assert "Nothing had been tried" in found.reason
