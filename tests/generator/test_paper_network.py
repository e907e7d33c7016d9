"""The paper's network, written out by hand: against torch's own layers and derivatives."""

from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from scalesr.generator import paper_network  # noqa: E402
from scalesr.generator.annealing import PAPER_TRAINING  # noqa: E402
from scalesr.generator.config import GENERATOR  # noqa: E402
from scalesr.generator.paper_network import train_paper_network  # noqa: E402
from scalesr.records.dataset import Dataset  # noqa: E402
from scalesr.records.stop import Stop  # noqa: E402
from tests.generator.slopes import by_difference  # noqa: E402

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (1200, 2))
Y = np.sin(X[:, 0]) * X[:, 1]


def trained(n_steps, *, seed=0, n_threads=1, stop=None):
    data = Dataset.from_table(X, Y)
    rng, training = np.random.default_rng(seed), replace(PAPER_TRAINING, n_steps=n_steps)
    return train_paper_network(
        data.thinned(900), data, rng=rng, stop=stop or Stop(), training=training, n_threads=n_threads
    )


def untrained(block):
    share = paper_network._sharing(1, block)
    return paper_network._Network(X, Y, X[:200], Y[:200], rng=np.random.default_rng(1), share=share)


def torchs_own(network):
    """The same network out of torch's layers, in double precision."""
    parts, sizes = [], (2, *paper_network.WIDTHS)
    for before, after in pairwise(sizes):
        parts += [nn.Linear(before, after, bias=False), nn.BatchNorm1d(after, momentum=1.0), nn.Tanh()]
    model = nn.Sequential(*parts, nn.Linear(sizes[-1], 1)).double()
    with torch.no_grad():
        for place, layer in enumerate(network._layers):
            model[3 * place].weight.copy_(layer.weight)
            model[3 * place + 1].weight.copy_(layer.gain[:, 0])
            model[3 * place + 1].bias.copy_(layer.shift[:, 0])
        model[-1].weight.copy_(network._last[0][None])
        model[-1].bias.copy_(network._last[1])
    return model


def as_vector(network, model):
    """Torch's gradient in the order of the network's weights."""
    parts = [model[-1].weight.grad, model[-1].bias.grad]
    for place in range(len(network._layers)):
        parts += [model[3 * place].weight.grad, model[3 * place + 1].weight.grad, model[3 * place + 1].bias.grad]
    return np.concatenate([part.numpy().ravel() for part in parts])


def test_the_gradient_is_that_of_torch():
    with ExitStack() as block:
        network = untrained(block)
        network._weights += 0.05 * torch.from_numpy(RNG.normal(size=len(network._weights)).astype(np.float32))
        model = torchs_own(network)
        goal = torch.tensor(GENERATOR.goal_std * Y)
        nn.functional.mse_loss(model(torch.tensor(X))[:, 0], goal).backward()
        network._forward()
        network._backward()
        theirs = as_vector(network, model)
        np.testing.assert_allclose(network._gradient.numpy(), theirs, atol=1e-5 * np.abs(theirs).max())


def test_what_is_kept_has_the_values_of_torch_with_the_statistics_of_the_training_rows():
    with ExitStack() as block:
        network = untrained(block)
        network.step(0.1)
        error = network.held_error()
        network.keep()
        model = torchs_own(network)
        model(torch.tensor(X))  # its running statistics
        theirs = model.eval()(torch.tensor(X))[:, 0].detach().numpy() / GENERATOR.goal_std
        np.testing.assert_allclose(network.kept.values(X), theirs, rtol=1e-3, atol=1e-3)
        assert error == pytest.approx(float(np.sqrt(np.mean((theirs - Y)[:200] ** 2))), rel=1e-3)


def test_it_learns_and_says_how_well():
    generator = trained(60)
    off = generator.predict(X) - Y
    assert generator.noise == pytest.approx(np.sqrt(np.mean(off**2)))
    assert generator.noise < 0.3 * Y.std()
    assert "60 steps of cosine annealing, annealed to the end" in generator.description


def test_the_same_seed_gives_the_same_network_with_any_number_of_threads_and_another_seed_does_not():
    first, again, shared = (trained(5, n_threads=n).predict(X) for n in (1, 1, 3))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first, shared)
    assert np.abs(first - trained(5, seed=1).predict(X)).max() > 1e-3


def test_derivatives_are_those_of_its_values():
    generator = trained(10)
    np.testing.assert_allclose(
        generator.gradient(X[:20]), by_difference(generator.predict, X[:20]), rtol=1e-3, atol=1e-4
    )


def test_work_ends_the_training_at_the_same_step_with_the_same_weights():
    stop = Stop(work=3 * GENERATOR.step_work * 0.9)  # 900 rows
    generator = trained(10**6, stop=stop)
    assert "3 steps" in generator.description
    np.testing.assert_array_equal(
        generator.predict(X), trained(10**6, stop=Stop(work=3 * GENERATOR.step_work * 0.9)).predict(X)
    )


def test_training_ends_at_the_deadline():
    assert np.isfinite(trained(10**6, stop=Stop(seconds=0.0)).noise)
