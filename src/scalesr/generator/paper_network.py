"""The paper's network: tanh after batch normalisation, Adam at 0.1 with cosine annealing, all rows in each step.

A step always has all rows, so the statistics of a batch are those of the training rows, and a step is a fixed chain
of matrix products. It is written out here, forward and backward, over arrays that are made once. Units are split
into parts of a fixed size that do not need each other within a layer: a part stays in the cache, several threads
share the parts, and no number of threads changes a bit of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import MissingExtra
from scalesr.expr.threads import kept_to_one
from scalesr.generator.annealing import Annealing, Trained, anneal
from scalesr.generator.config import GENERATOR
from scalesr.generator.layers import Layers
from scalesr.generator.learned import Function, LearnedGenerator
from scalesr.generator.scaling import Scaling
from scalesr.generator.target import Target
from scalesr.generator.trust import Neighbourhood
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop

try:
    import torch
except ImportError as error:
    raise MissingExtra("The generator 'network' needs torch: pip install 'scalesr[torch]'") from error

from torch import Tensor

Floats = NDArray[np.float64]
Share = Callable[[Callable[[slice], None], int], None]  # calls a function on parts that cover so many units

WIDTHS: Final = (128, 256, 128)  # of the hidden layers, the paper's
EPSILON: Final = 1e-5  # added to the variance of a unit, torch's default


def train_paper_network(
    data: Dataset,
    held: Dataset,
    *,
    rng: np.random.Generator,
    stop: Stop,
    training: Annealing,
    n_threads: int = 1,
) -> LearnedGenerator:
    """The paper's network, trained as planned; `held` are rows that it never learns from."""
    every = np.arange(data.n_variables)
    scaling, target = Scaling.of(data.table, every, np.zeros(len(every), bool)), Target.of(data.y, 0)
    rows = [(scaling.apply(part.table), target.forward(part.y)) for part in (data, held)]
    with ExitStack() as block:
        block.enter_context(kept_to_one(torch.get_num_threads, torch.set_num_threads))  # threads share parts instead
        network = _Network(*rows[0], *rows[1], rng=rng, share=_sharing(n_threads, block))
        work = GENERATOR.step_work * data.n_rows / 1000
        trained = anneal(network, training, work=work, stop=stop)
    function = Function(network.kept, scaling, target)
    error = float(np.sqrt(np.mean((function.values(held.table) - held.y) ** 2)))
    told = _told(trained, error / (data.std or 1.0))
    return LearnedGenerator(function, Neighbourhood.of(data.table, scaling, rng=rng), error, told)


def _told(trained: Trained, relative_error: float) -> str:
    """A sentence for the trace."""
    return (
        f"the paper's network, {trained.n_steps} steps of cosine annealing, {trained.ended.value}: "
        f"relative error {relative_error:.1e} on unseen rows"
    )


def _sharing(n_threads: int, block: ExitStack) -> Share:
    """How the units of a layer are worked on: all at once on a GPU, else in parts of a fixed size."""
    if torch.cuda.is_available():
        return lambda work, n_units: work(slice(0, n_units))
    pool = block.enter_context(ThreadPoolExecutor(n_threads)) if n_threads > 1 else None

    def share(work: Callable[[slice], None], n_units: int) -> None:
        parts = [slice(at, at + GENERATOR.part_units) for at in range(0, n_units, GENERATOR.part_units)]
        for _ in map(work, parts) if pool is None else pool.map(work, parts):
            pass

    return share


class _Layer:
    """A hidden layer: a matrix, batch normalisation, tanh; units are lines and rows of the table are columns.

    There is no bias before the normalisation, which would take it away again.
    """

    def __init__(self, weight: Tensor, gain: Tensor, shift: Tensor, gradients: tuple[Tensor, Tensor, Tensor]) -> None:
        self.weight, self.gain, self.shift = weight, gain, shift  # (units, inputs), (units, 1), (units, 1)
        self._of_weight, self._of_gain, self._of_shift = gradients
        self.mean, self.scale = torch.zeros_like(gain), torch.ones_like(gain)

    def make_room(self, n_rows: int) -> None:
        """Arrays for the steps to come."""
        units = len(self.weight)
        self.hidden, self.slopes, self._centred, self._product = (
            torch.empty((units, n_rows), device=self.weight.device) for _ in range(4)
        )

    def forward(self, inputs: Tensor, part: slice) -> None:
        """Values of some units, normalised by the statistics of these rows, which are kept."""
        centred, hidden = self._centred[part], self.hidden[part]
        torch.mm(self.weight[part], inputs, out=centred)
        mean = centred.mean(1, keepdim=True)
        centred.sub_(mean)
        deviation = torch.linalg.vector_norm(centred, dim=1, keepdim=True)
        self.mean[part], self.scale[part] = mean, torch.rsqrt(deviation.square() / inputs.shape[1] + EPSILON)
        torch.mul(centred, self.scale[part] * self.gain[part], out=hidden)
        hidden.add_(self.shift[part]).tanh_()

    def backward(self, inputs: Tensor, part: slice) -> None:
        """From derivatives of the loss by values of some units to those by their weights; `slopes` change in place."""
        slopes, centred, product = self.slopes[part], self._centred[part], self._product[part]
        scale, n_rows = self.scale[part], inputs.shape[1]
        torch.mul(self.hidden[part], self.hidden[part], out=product)
        slopes.addcmul_(slopes, product, value=-1)  # the derivative of tanh is 1 - tanh^2
        total = slopes.sum(1, keepdim=True)
        torch.mul(slopes, centred, out=product)
        along = product.sum(1, keepdim=True) * scale
        self._of_shift[part], self._of_gain[part] = total, along
        slopes.sub_(total / n_rows).addcmul_(centred, along * scale / n_rows, value=-1).mul_(scale * self.gain[part])
        torch.mm(slopes, inputs.t(), out=self._of_weight[part])

    def values(self, inputs: Tensor) -> Tensor:
        """Values at other rows, normalised by the statistics that are kept."""
        factor = self.scale * self.gain
        return torch.tanh((self.weight * factor) @ inputs + (self.shift - self.mean * factor))

    def folded(self) -> tuple[Floats, Floats]:
        """The layer as a matrix (inputs, units) and a bias (units,) before tanh."""
        weight, gain, shift, mean, scale = (
            _array(part) for part in (self.weight, self.gain, self.shift, self.mean, self.scale)
        )
        factor = scale * gain
        return (weight * factor).T, (shift - mean * factor)[:, 0]


class _Network:
    """The network with its rows, those it learns from and those that are held back; a `Trainee`."""

    def __init__(
        self, Z: Floats, t: Floats, held_Z: Floats, held_t: Floats, *, rng: np.random.Generator, share: Share
    ) -> None:
        self._inputs, self._goal = _tensor(Z.T), _tensor(GENERATOR.goal_std * t)
        self._held_inputs, self._held_goal = _tensor(held_Z.T), _tensor(GENERATOR.goal_std * held_t)
        self._share = share
        self._weights, self._gradient, self._layers, self._last = _made(Z.shape[1], rng)
        self._adam = torch.optim.Adam([self._weights], lr=1.0, betas=(0.9, GENERATOR.square_decay))
        for layer in self._layers:
            layer.make_room(len(t))
        self.kept = self._folded()

    def step(self, rate: float) -> None:
        """A step of Adam with the gradient from all rows."""
        self._forward()
        self._backward()
        self._adam.param_groups[0]["lr"] = rate
        self._adam.step()

    def held_error(self) -> float:
        """Root mean square error on the held-back rows, in standard deviations of the target."""
        self._forward()  # for the statistics of the training rows with the weights as they are
        values = self._held_inputs
        for layer in self._layers:
            values = layer.values(values)
        weight, bias = self._last
        off = weight @ values + bias - self._held_goal
        return float(off.square().mean().sqrt()) / GENERATOR.goal_std

    def keep(self) -> None:
        """Remember the weights with the statistics of the last look."""
        self.kept = self._folded()

    def _forward(self) -> None:
        values = self._inputs
        for layer in self._layers:
            self._share(_at(layer.forward, values), len(layer.weight))
            values = layer.hidden

    def _backward(self) -> None:
        """The gradient of the mean squared error, from the last layer to the first."""
        (weight, bias), top = self._last, self._layers[-1]
        size = weight.numel()
        off = (weight @ top.hidden + bias - self._goal).mul_(2 / len(self._goal))
        torch.mv(top.hidden, off, out=self._gradient[:size])
        self._gradient[size] = off.sum()
        torch.mul(weight[:, None], off[None, :], out=top.slopes)
        for place in reversed(range(len(self._layers))):
            layer = self._layers[place]
            inputs = self._layers[place - 1].hidden if place else self._inputs
            self._share(_at(layer.backward, inputs), len(layer.weight))
            if place:
                below = self._layers[place - 1]
                self._share(_product(layer.weight.t(), layer.slopes, below.slopes), len(below.weight))

    def _folded(self) -> Layers:
        """The network without torch: normalisation by the training rows' statistics is part of the matrices."""
        parts = [layer.folded() for layer in self._layers]
        weight, bias = (_array(part) / GENERATOR.goal_std for part in self._last)
        weights, biases = [part[0] for part in parts], [part[1] for part in parts]
        return Layers((*weights, weight[:, np.newaxis]), (*biases, bias), "tanh", solves_last=False)


def _at(work: Callable[[Tensor, slice], None], inputs: Tensor) -> Callable[[slice], None]:
    return lambda part: work(inputs, part)


def _product(left: Tensor, right: Tensor, out: Tensor) -> Callable[[slice], None]:
    """Lines of a matrix product."""

    def work(part: slice) -> None:
        torch.mm(left[part], right, out=out[part])

    return work


def _made(n_inputs: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, list[_Layer], tuple[Tensor, Tensor]]:
    """All weights in one vector, a vector of their gradient, and the layers as views of both; the last layer first."""
    sizes = list(pairwise((n_inputs, *WIDTHS)))
    n_weights = WIDTHS[-1] + 1 + sum(after * (before + 2) for before, after in sizes)
    weights, gradient = torch.zeros(n_weights, device=_device()), torch.zeros(n_weights, device=_device())
    weights.grad = gradient
    layers, at = [], WIDTHS[-1] + 1
    last = weights[: at - 1], weights[at - 1 : at]
    _draw(weights[:at], WIDTHS[-1], rng)
    for before, after in sizes:
        ends = np.cumsum([at, after * before, after, after])
        views = [
            [flat[ends[k] : ends[k + 1]].view(after, width) for k, width in enumerate((before, 1, 1))]
            for flat in (weights, gradient)
        ]
        (weight, gain, shift), of = views
        _draw(weight, before, rng)
        gain.fill_(1.0)
        layers.append(_Layer(weight, gain, shift, (of[0], of[1], of[2])))
        at = int(ends[-1])
    return weights, gradient, layers, last


def _draw(weight: Tensor, n_inputs: int, rng: np.random.Generator) -> None:
    """Uniform weights as torch draws those of a linear layer."""
    bound = 1 / np.sqrt(n_inputs)
    weight.copy_(_tensor(rng.uniform(-bound, bound, tuple(weight.shape))))


def _device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _tensor(values: Floats) -> Tensor:
    return torch.tensor(np.ascontiguousarray(values), dtype=torch.float32, device=_device())


def _array(tensor: Tensor) -> Floats:
    return np.asarray(tensor.detach().cpu().numpy(), np.float64)
