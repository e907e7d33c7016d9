import numpy as np
import pytest

from scalesr_bench.predictors import PREDICTORS, compare


def rows(n, rng):
    X = rng.uniform(-1, 1, (n, 2))
    return X, np.sin(3 * X[:, 0]) * X[:, 1]


def test_a_poor_law_is_beaten_and_the_truth_is_not(rng):
    (X, y), (fresh, fresh_y) = rows(500, rng), rows(1000, rng)
    noisy, fresh_noisy = y + 0.1 * rng.normal(size=500), fresh_y + 0.1 * rng.normal(size=1000)
    poor = compare(X, noisy, fresh, fresh_noisy, np.zeros(1000))
    assert [one.predictor for one in poor] == list(PREDICTORS)
    assert all(one.is_better for one in poor)
    assert not any(one.is_better for one in compare(X, noisy, fresh, fresh_noisy, fresh_y))


def test_an_advantage_that_is_chance_is_not_significant(rng):
    X, y = rows(300, rng)[0], rng.normal(size=300)
    fresh, fresh_y = rows(1000, rng)[0], rng.normal(size=1000)
    assert not any(one.is_better for one in compare(X, y, fresh, fresh_y, np.full(1000, y.mean())))


def test_a_law_without_values_is_beaten(rng):
    (X, y), (fresh, fresh_y) = rows(300, rng), rows(300, rng)
    law = np.where(fresh[:, 0] > 0, fresh_y, np.nan)
    assert all(one.is_better for one in compare(X, y, fresh, fresh_y, np.full(300, np.nan)))
    assert np.isfinite(compare(X, y, fresh, fresh_y, law)[0].p_value)


def test_a_few_wild_rows_decide_nothing(rng):
    (X, y), (fresh, fresh_y) = rows(500, rng), rows(1000, rng)
    wild = fresh_y.copy()
    wild[:3] = 1e6
    found = compare(X, y, fresh, wild, fresh_y)
    assert not any(one.is_better for one in found)


def test_few_rows_are_enough_to_compare(rng):
    (X, y), (fresh, fresh_y) = rows(3, rng), rows(50, rng)
    assert all(0 <= one.p_value <= 1 for one in compare(X, y, fresh, fresh_y, np.zeros(50)))


@pytest.mark.parametrize("n", [10, 200])
def test_predictions_equal_to_the_law_are_no_better(n):
    X = np.ones((n, 1))
    found = compare(X, np.zeros(n), X, np.zeros(n), np.zeros(n))
    assert [one.p_value for one in found] == [1.0, 1.0]
