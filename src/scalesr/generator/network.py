"""Our network, trained in torch in small batches, with its last layer solved in double precision.

A GPU is used where there is one. Weights start from a seed drawn from `rng`, and after training they leave torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import MissingExtra
from scalesr.expr.threads import kept_to_one
from scalesr.generator.config import GENERATOR
from scalesr.generator.layers import Layers

try:
    import torch
except ImportError as error:
    raise MissingExtra("The generator 'network' needs torch: pip install 'scalesr[torch]'") from error

from torch import Tensor, nn

Floats = NDArray[np.float64]

WIDTHS = (128, 256, 128)


def fit_network(
    Z: Floats, t: Floats, *, rng: np.random.Generator, weights: Floats | None, check: Callable[[], None] = lambda: None
) -> Layers:
    """Our network: trained in small batches, then its last layer solved in double precision.

    `check` is called before every batch and may raise.
    """
    model = _network(Z.shape[1], rng)
    inputs, goal = _tensor(Z), _tensor(t)
    chosen = [rng.integers(len(t), size=min(GENERATOR.network_batch, len(t))) for _ in range(GENERATOR.network_steps)]

    def batches() -> Iterator[tuple[Tensor, Tensor]]:
        for rows in chosen:
            check()
            yield inputs[rows], goal[rows]

    _train(model, batches())
    return _layers(model).solved(Z, t, weights)


def _network(n_inputs: int, rng: np.random.Generator) -> nn.Sequential:
    sizes = (n_inputs, *WIDTHS)
    with torch.random.fork_rng():
        torch.manual_seed(int(rng.integers(2**31)))
        parts: list[nn.Module] = []
        for before, after in pairwise(sizes):
            parts += [nn.Linear(before, after), nn.SiLU()]
        return nn.Sequential(*parts, nn.Linear(sizes[-1], 1)).to(_device())


def _train(model: nn.Sequential, batches: Iterator[tuple[Tensor, Tensor]]) -> None:
    optimizer = torch.optim.Adam(model.parameters(), lr=GENERATOR.network_rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, GENERATOR.network_steps, eta_min=GENERATOR.network_rate / 100
    )
    with kept_to_one(torch.get_num_threads, torch.set_num_threads):  # so small a network gains nothing by more
        for Z, t in batches:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(Z)[:, 0], t)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()


def _layers(model: nn.Sequential) -> Layers:
    """The trained weights in double precision."""
    linear = [part for part in model if isinstance(part, nn.Linear)]
    weights, biases = [_array(part.weight).T for part in linear], [_array(part.bias) for part in linear]
    return Layers(tuple(weights), tuple(biases), "silu", solves_last=True)


def _device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _tensor(values: Floats) -> Tensor:
    return torch.tensor(values, dtype=torch.float32, device=_device())


def _array(tensor: Tensor) -> Floats:
    return np.asarray(tensor.detach().cpu().numpy(), np.float64)
