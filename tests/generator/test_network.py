import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scalesr.generator.network import fit_network, train_paper_network  # noqa: E402
from scalesr.records.dataset import Dataset  # noqa: E402
from scalesr.records.stop import Stop  # noqa: E402

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (1200, 2))
Y = np.sin(X[:, 0]) * X[:, 1]


def paper(n_steps, seed=0):
    data = Dataset.from_table(X, Y)
    rng = np.random.default_rng(seed)
    return train_paper_network(data.thinned(900), data, rng=rng, stop=Stop(), n_steps=n_steps)


def slopes_by_difference(function, Z, step=1e-6):
    moved = [(function(Z + step * e) - function(Z - step * e)) / (2 * step) for e in np.eye(Z.shape[1])]
    return np.column_stack(moved)


def test_the_papers_network_learns_and_says_how_well():
    generator = paper(60)
    off = generator.predict(X) - Y
    assert generator.noise == pytest.approx(np.sqrt(np.mean(off**2)))
    assert generator.noise < 0.3 * Y.std()


def test_the_same_seed_gives_the_same_network_and_another_one_does_not():
    first, again, other = paper(5).predict(X), paper(5).predict(X), paper(5, seed=1).predict(X)
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 1e-3


def test_derivatives_of_the_papers_network_are_those_of_its_values():
    generator = paper(10)
    np.testing.assert_allclose(
        generator.gradient(X[:20]), slopes_by_difference(generator.predict, X[:20]), rtol=1e-4, atol=1e-6
    )


def test_solving_the_last_layer_makes_our_network_far_better_than_the_papers():
    model = fit_network(X[:900], Y[:900], rng=np.random.default_rng(0), weights=None)
    error = np.sqrt(np.mean((model.values(X[900:]) - Y[900:]) ** 2))
    assert error < 1e-3 * Y.std()
    np.testing.assert_allclose(model.gradient(X[:20]), slopes_by_difference(model.values, X[:20]), rtol=1e-4, atol=1e-6)


def test_training_ends_at_the_deadline():
    data = Dataset.from_table(X, Y)
    generator = train_paper_network(data, data, rng=np.random.default_rng(0), stop=Stop(seconds=0.0), n_steps=10**6)
    assert np.isfinite(generator.noise)
