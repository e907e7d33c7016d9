"""Training: how a policy learns, and from which of its sequences."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Training:
    """The network and its steps; `epsilon` is the share of a batch that is learned from."""

    n_units: int = 32
    learning_rate: float = 5e-4
    epsilon: float = 0.05
    entropy_weight: float = 0.03
    entropy_decay: float = 0.7  # per place in the sequence
    device: str = "auto"  # as torch names it; auto is a GPU where there is one

    def __post_init__(self) -> None:
        if not (0 < self.epsilon <= 1 and self.n_units >= 1 and self.learning_rate > 0):
            raise ValueError(f"A share lies in (0, 1], and units and the learning rate are above 0: {self}.")


def share_of(n_all: int, share: float) -> int:
    """How many a share is, at least one."""
    return max(1, math.ceil(share * n_all))


def elite(rewards: NDArray[np.float64], epsilon: float) -> NDArray[np.int64]:
    """Places of the best share of a batch, best first."""
    return np.argsort(-rewards, kind="stable")[: share_of(len(rewards), epsilon)]


def risk_seeking_weights(rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of the policy gradient of an elite: rewards above the least of them, the 1 - epsilon quantile."""
    return np.asarray((rewards - rewards.min()) / len(rewards))
