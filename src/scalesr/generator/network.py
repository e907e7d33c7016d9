"""Networks trained in torch, the one door to it in this stage: the paper's, and ours with a solved last layer.

A GPU is used where there is one. Weights start from a seed drawn from `rng`, and after training they
leave torch: normalisation is folded into the layers it stands before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import MissingExtra
from scalesr.expr.threads import kept_to_one
from scalesr.generator.config import GENERATOR
from scalesr.generator.layers import Activation, Layers
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

from torch import Tensor, nn

Floats = NDArray[np.float64]

WIDTHS = (128, 256, 128)


def train_paper_network(
    data: Dataset,
    held: Dataset,
    *,
    rng: np.random.Generator,
    stop: Stop,
    n_steps: int,
) -> LearnedGenerator:
    """The paper's network: tanh after batch normalisation, Adam at 0.1 with cosine annealing, all rows in each step.

    `held` are rows that it does not learn from and that its error is measured on.
    """
    every = np.arange(data.n_variables)
    scaling, target = Scaling.of(data.table, every, np.zeros(len(every), bool)), Target.of(data.y, 0)
    model = _network(data.n_variables, nn.Tanh, normalised=True, rng=rng)
    Z, t = _tensor(scaling.apply(data.table)), _tensor(target.forward(data.y))
    batches = ((Z, t) for _ in range(n_steps))
    _train(model, batches, n_steps, rates=(GENERATOR.paper_rate, GENERATOR.paper_last_rate), stop=stop)
    function = Function(_layers(model, "tanh", solves_last=False), scaling, target)
    error = float(np.sqrt(np.mean((function.values(held.table) - held.y) ** 2)))
    std = data.std or 1.0
    description = f"the paper's network, {n_steps} steps: relative error {error / std:.1e} on unseen rows"
    return LearnedGenerator(function, Neighbourhood.of(data.table, scaling, rng=rng), error, description)


def fit_network(Z: Floats, t: Floats, *, rng: np.random.Generator, weights: Floats | None) -> Layers:
    """Our network: trained in small batches, then its last layer solved in double precision."""
    model = _network(Z.shape[1], nn.SiLU, normalised=False, rng=rng)
    inputs, goal = _tensor(Z), _tensor(t)
    chosen = [rng.integers(len(t), size=min(GENERATOR.network_batch, len(t))) for _ in range(GENERATOR.network_steps)]
    batches = ((inputs[rows], goal[rows]) for rows in chosen)
    _train(
        model,
        batches,
        GENERATOR.network_steps,
        rates=(GENERATOR.network_rate, GENERATOR.network_rate / 100),
        stop=Stop(),
    )
    return _layers(model, "silu", solves_last=True).solved(Z, t, weights)


def _network(
    n_inputs: int, activation: type[nn.Module], *, normalised: bool, rng: np.random.Generator
) -> nn.Sequential:
    sizes = (n_inputs, *WIDTHS)
    with torch.random.fork_rng():
        torch.manual_seed(int(rng.integers(2**31)))
        parts: list[nn.Module] = []
        for before, after in pairwise(sizes):
            parts += [nn.Linear(before, after), *([nn.BatchNorm1d(after)] if normalised else []), activation()]
        return nn.Sequential(*parts, nn.Linear(sizes[-1], 1)).to(_device())


def _train(
    model: nn.Sequential,
    batches: Iterator[tuple[Tensor, Tensor]],
    n_steps: int,
    *,
    rates: tuple[float, float],
    stop: Stop,
) -> None:
    optimizer = torch.optim.Adam(model.parameters(), lr=rates[0])
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, n_steps, eta_min=rates[1])
    model.train()
    with kept_to_one(torch.get_num_threads, torch.set_num_threads):  # so small a network gains nothing by more
        for Z, t in batches:
            if stop.passed:
                break
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(Z)[:, 0], t)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    model.eval()


def _layers(model: nn.Sequential, activation: Activation, *, solves_last: bool) -> Layers:
    """The trained weights in double precision, normalisation by running statistics folded in."""
    weights: list[Floats] = []
    biases: list[Floats] = []
    for part in model:
        if isinstance(part, nn.Linear):
            weights.append(_array(part.weight).T)
            biases.append(_array(part.bias))
        elif isinstance(part, nn.BatchNorm1d):
            assert part.running_mean is not None
            assert part.running_var is not None
            gain = _array(part.weight) / np.sqrt(_array(part.running_var) + part.eps)
            weights[-1] = weights[-1] * gain
            biases[-1] = (biases[-1] - _array(part.running_mean)) * gain + _array(part.bias)
    return Layers(tuple(weights), tuple(biases), activation, solves_last)


def _device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _tensor(values: Floats | Sequence[float]) -> Tensor:
    return torch.tensor(np.asarray(values), dtype=torch.float32, device=_device())


def _array(tensor: Tensor) -> Floats:
    return np.asarray(tensor.detach().cpu().numpy(), np.float64)
