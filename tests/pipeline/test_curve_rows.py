import numpy as np
import pytest

from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.curve_rows import exact_curve, local_noise, noisy_curve
from scalesr.records.dataset import Dataset


def rows(n, *, noise, seed=0, weights=None):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 6, n)
    sigma = noise if weights is None else noise / np.sqrt(weights)
    data = Dataset.from_table(x[:, np.newaxis], np.sin(x) + sigma * rng.standard_normal(n), names=["x"])
    return data if weights is None else Dataset(data.columns, data.y, data.names, data.target, weights)


def test_exact_rows_are_thinned_and_not_changed():
    data = rows(5000, noise=0.0)
    sweep = exact_curve(data, 0.0)
    assert sweep.n_rows == PIPELINE.rows_of_a_curve
    assert (np.diff(sweep.columns[0]) > 0).all()
    np.testing.assert_array_equal(sweep.y, np.sin(sweep.columns[0]))


def test_averages_of_noisy_rows_lie_nearer_to_the_curve_and_know_how_near():
    sweep = noisy_curve(rows(12_000, noise=0.3))
    off = sweep.y - np.sin(sweep.columns[0])
    assert sweep.n_rows == PIPELINE.rows_of_a_curve
    assert sweep.noise == pytest.approx(0.3 / np.sqrt(20), rel=0.05)
    assert off.std() == pytest.approx(sweep.noise, rel=0.1)


def test_rows_with_the_same_value_stay_together():
    rng = np.random.default_rng(0)
    x = np.repeat(np.arange(10.0), 300)
    data = Dataset.from_table(x[:, np.newaxis], x**2 + rng.standard_normal(3000), names=["x"])
    sweep = noisy_curve(data)
    np.testing.assert_allclose(sweep.columns[0], np.arange(10.0))
    assert np.abs(sweep.y - np.arange(10.0) ** 2).max() < 0.3


def test_the_noise_of_a_row_is_found_under_weights_and_beside_a_steep_curve():
    weights = np.random.default_rng(3).uniform(0.1, 1, 4000)
    ordered = rows(4000, noise=0.2, weights=weights)
    order = np.argsort(ordered.columns[0])
    assert local_noise(ordered.rows(order)) == pytest.approx(0.2, rel=0.05)
