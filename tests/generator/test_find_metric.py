import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.stats import multivariate_normal

from scalesr.generator.config import GENERATOR
from scalesr.generator.find_metric import find_metric
from scalesr.generator.likelihood import likelihood
from scalesr.generator.metric import Metric


def test_the_likelihood_is_that_of_a_normal_distribution_at_its_best_variance(rng):
    Z, t = rng.normal(size=(12, 2)), rng.normal(size=12)
    near = np.exp(-0.5 * ((Z[:, np.newaxis] - Z) ** 2).sum(axis=2))
    value, _, _ = likelihood(near.copy(), 0.1, t)
    covariance = near + (0.1 + GENERATOR.jitter) * np.eye(12)
    variance = t @ np.linalg.solve(covariance, t) / 12
    expected = -multivariate_normal(np.zeros(12), variance * covariance).logpdf(t)
    assert value + 6 * (1 + np.log(2 * np.pi)) == pytest.approx(expected)


def test_the_matrix_of_slopes_of_the_likelihood(rng):
    Z, t, change = rng.normal(size=(12, 2)), rng.normal(size=12), rng.normal(size=(12, 12))
    near, change = np.exp(-0.5 * ((Z[:, np.newaxis] - Z) ** 2).sum(axis=2)), change + change.T

    def cost(step):
        return likelihood(near + step[0] * change, 0.5, t)[0]

    def slope(step):
        return np.array([0.5 * np.sum(likelihood(near + step[0] * change, 0.5, t)[1] * change)])

    assert check_grad(cost, slope, np.zeros(1)) < 1e-4


def test_a_function_of_a_difference_has_one_fast_direction(rng):
    Z = rng.uniform(-1.7, 1.7, (150, 4))
    metric = find_metric(Z, np.sin(2 * (Z[:, 0] - Z[:, 1])) + Z[:, 2])
    left, rates, _ = np.linalg.svd(metric.directions)
    assert rates[1] < 0.05 * rates[0]
    np.testing.assert_allclose(np.abs(left[:, 0]), [0.5**0.5, 0.5**0.5, 0, 0], atol=0.02)


def test_a_variable_that_does_nothing_is_slow(rng):
    Z = rng.uniform(-1.7, 1.7, (150, 3))
    metric = find_metric(Z, np.exp(Z[:, 0]) * Z[:, 1])
    rates = np.linalg.norm(metric.directions, axis=1)
    assert rates[2] < 0.05 * rates[0]


def test_noise_is_told_from_the_function(rng):
    Z = rng.uniform(-1.7, 1.7, (200, 1))
    t = np.sin(2 * Z[:, 0]) + 0.1 * rng.normal(size=200)
    metric = find_metric(Z, t)
    guess = metric.leave_one_out(Z, t)
    assert 0.08 < np.std(guess - t) < 0.13
    assert np.std(guess - np.sin(2 * Z[:, 0])) < 0.05


def test_fast_waves_are_found_too(rng):
    Z = rng.uniform(-1.7, 1.7, (100, 1))
    t = np.sin(12 * Z[:, 0])
    assert np.std(find_metric(Z, t).leave_one_out(Z, t) - t) < 0.1


def test_what_is_left_out_is_not_used(rng):
    Z, t = rng.normal(size=(20, 2)), rng.normal(size=20)
    metric = Metric(np.eye(2), 0.1, 0.5, 0.0)
    shares = np.linalg.solve(metric.noisy_covariance(Z[1:]), t[1:])
    assert metric.leave_one_out(Z, t)[0] == pytest.approx(metric.covariance(Z[:1], Z[1:])[0] @ shares)
