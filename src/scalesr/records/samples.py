"""Samples: how densely control variables are sampled, the numbers that the paper's ablations vary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FEWEST_POINTS: Final = 6  # of either: fewer points tell no formula from another


@dataclass(frozen=True, slots=True)
class Samples:
    """Sizes of the experiments on a generator, at each of a few settings of the held variables."""

    n_points: int = 24  # M, along the variable of a curve, and of each learned variable in a group
    n_groups: int = 24  # K, values of a new variable

    def __post_init__(self) -> None:
        for name in ("n_points", "n_groups"):
            if getattr(self, name) < FEWEST_POINTS:
                raise ValueError(f"{name} is {FEWEST_POINTS} or more, not {getattr(self, name)}.")
