import numpy as np

from scalesr.generator.ridge import root_weights, solve_ridge


def test_exact_data_are_fitted_to_the_last_digits_though_the_columns_are_nearly_dependent():
    x = np.linspace(-1, 1, 400)
    columns = np.vander(x, 25)  # condition number 1e9, that of its normal equations 1e18
    t = np.sin(3 * x)
    solution, error = solve_ridge(columns, t)
    assert np.abs(columns @ solution - t).max() < 1e-11
    assert error < 1e-11


def test_the_estimated_error_is_that_on_fresh_rows_under_noise(rng):
    columns = rng.normal(size=(3000, 60))
    truth = columns @ rng.normal(size=60)
    noisy = truth + 0.5 * rng.normal(size=3000)
    solution, error = solve_ridge(columns[:300], noisy[:300])
    fresh = np.sqrt(np.mean((columns[300:] @ solution - noisy[300:]) ** 2))
    assert abs(error / fresh - 1) < 0.1


def test_more_columns_than_rows_have_a_solution(rng):
    columns = rng.normal(size=(20, 50))
    solution, _ = solve_ridge(columns, rng.normal(size=20))
    assert np.isfinite(solution).all()


def test_rows_without_weights_count_the_same():
    np.testing.assert_array_equal(root_weights(None, 3), np.ones(3))
    assert np.mean(root_weights(np.array([1.0, 2.0, 9.0]), 3) ** 2) == 1.0
