import numpy as np
import pytest

pytest.importorskip("torch")

from scalesr.generator.network import fit_network

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (1200, 2))
Y = np.sin(X[:, 0]) * X[:, 1]


def slopes_by_difference(function, Z, step=1e-6):
    moved = [(function(Z + step * e) - function(Z - step * e)) / (2 * step) for e in np.eye(Z.shape[1])]
    return np.column_stack(moved)


def test_solving_the_last_layer_makes_our_network_far_better_than_the_papers():
    model = fit_network(X[:900], Y[:900], rng=np.random.default_rng(0), weights=None)
    error = np.sqrt(np.mean((model.values(X[900:]) - Y[900:]) ** 2))
    assert error < 1e-3 * Y.std()
    np.testing.assert_allclose(model.gradient(X[:20]), slopes_by_difference(model.values, X[:20]), rtol=1e-4, atol=1e-6)
