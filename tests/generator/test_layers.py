"""A network without its library: values, derivatives and the last layer beside plain numpy."""

import itertools

import numpy as np
import pytest

from scalesr.generator.layers import Layers


def network(rng, activation, *, solves_last=True):
    sizes = (3, 8, 5, 1)
    weights = tuple(rng.normal(size=shape) for shape in itertools.pairwise(sizes))
    return Layers(weights, tuple(rng.normal(size=n) for n in sizes[1:]), activation, solves_last)


def written_out(layers, Z):
    act = np.tanh if layers.activation == "tanh" else lambda u: u / (1 + np.exp(-u))
    *hidden, last = zip(layers.weights, layers.biases, strict=True)
    for weights, bias in hidden:
        Z = act(Z @ weights + bias)
    return (Z @ last[0] + last[1])[:, 0]


@pytest.mark.parametrize("activation", ["tanh", "silu"])
def test_values_and_derivatives_are_those_of_the_network(rng, activation):
    layers, Z = network(rng, activation), rng.normal(size=(40, 3))
    np.testing.assert_allclose(layers.values(Z), written_out(layers, Z), rtol=1e-12)
    step = 1e-5
    for j in range(3):
        ahead, behind = Z + step * np.eye(3)[j], Z - step * np.eye(3)[j]
        slopes = (written_out(layers, ahead) - written_out(layers, behind)) / (2 * step)
        np.testing.assert_allclose(layers.gradient(Z)[:, j], slopes, rtol=1e-6, atol=1e-8)


def test_the_last_layer_is_solved_for_new_rows_only_where_that_is_its_way(rng):
    layers, Z = network(rng, "tanh"), rng.normal(size=(300, 3))
    other = network(rng, "tanh")
    t = Layers((*layers.weights[:-1], other.weights[-1]), layers.biases, "tanh", True).values(Z)
    np.testing.assert_allclose(layers.refitted(Z, t, None, rng=rng).values(Z), t, atol=1e-8)
    kept = network(rng, "tanh", solves_last=False)
    assert kept.refitted(Z, t, None, rng=rng) is kept


def test_rows_without_weight_do_not_count(rng):
    layers, Z = network(rng, "silu"), rng.normal(size=(200, 3))
    t, weights = layers.values(Z), np.ones(200)
    t[:50], weights[:50] = 1e3, 0.0
    solved = layers.solved(Z, t, weights)
    np.testing.assert_allclose(solved.values(Z[50:]), t[50:], atol=1e-7)
