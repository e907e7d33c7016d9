"""Powers of a product from logarithms, beside SciPy's least squares."""

import numpy as np
import pytest
from scipy.linalg import lstsq

from scalesr.reduce.sparse.log_fit import fit_logarithms


@pytest.mark.parametrize("weighted", [False, True])
def test_powers_and_errors_are_those_of_weighted_least_squares(rng, weighted):
    logs = rng.normal(size=(6, 200))
    target = 2 * logs[1] - 0.5 * logs[4] + 0.7 + 0.01 * rng.normal(size=200)
    roots = np.sqrt(rng.uniform(0.2, 3, 200)) if weighted else np.ones(200)
    roots /= np.sqrt(np.mean(roots**2))
    for found in fit_logarithms(logs, target, roots):
        order = np.argsort(found.places)
        assert [found.places[k] for k in order] == [1, 4]
        columns = np.column_stack([np.ones(200), logs[1], logs[4]]) * roots[:, np.newaxis]
        expected, rss, *_ = lstsq(columns, target * roots)
        np.testing.assert_allclose(found.powers[order], expected[1:], rtol=1e-10)
        assert found.rss == pytest.approx(rss, rel=1e-8)
        errors = np.sqrt(np.diag(np.linalg.inv(columns.T @ columns)) * rss / 197)
        np.testing.assert_allclose(found.errors[order], errors[1:], rtol=1e-8)


def test_a_factor_that_says_nothing_new_is_taken_once(rng):
    logs = rng.normal(size=(2, 100))
    fits = fit_logarithms(np.vstack([logs, logs[0]]), 3 * logs[0], np.ones(100))
    assert {len(found.places) for found in fits} == {1}
    assert all(found.powers == pytest.approx([3.0]) for found in fits)


def test_of_noise_nothing_is_left(rng):
    assert all(
        found.places == () for found in fit_logarithms(rng.normal(size=(5, 300)), rng.normal(size=300), np.ones(300))
    )
