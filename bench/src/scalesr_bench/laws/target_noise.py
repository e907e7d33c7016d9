"""Noise of a target, by kind, for tables that are drawn from a law.

- constant: normal, the same for every row; the level is a share of the target's standard deviation.
- proportional: normal, the level is a share of each value.
- counts: the target is the number of events of a Poisson process whose mean is the law, scaled so that the mean
  count over the box is 1/level^2. So 0.1 means 100 events on average, 0.03 about 1100 and 0.18 about 30. The law that
  is to be found is the scaled one. Laws that are not positive everywhere in their box are left out.
- outliers: constant noise, and 5 % of the rows (at least one) are off by 10 to 100 of its standard deviations,
  log-uniformly, up or down alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError

Floats = NDArray[np.float64]
NoiseKind = Literal["constant", "proportional", "counts", "outliers"]

KINDS: Final[tuple[NoiseKind, ...]] = get_args(NoiseKind)
OUTLIER_SHARE: Final = 0.05
OUTLIER_SIZES: Final = (10.0, 100.0)  # in standard deviations of the noise of the other rows
# Levels that a kind is usually run at; constant noise has those of the suite.
USUAL_LEVELS: Final[Mapping[str, tuple[float, ...]]] = {"proportional": (0.1,), "counts": (0.1,), "outliers": (0.01,)}


@dataclass(frozen=True, slots=True)
class TargetNoise:
    """What is added to the values of a law."""

    kind: NoiseKind
    level: float  # standard deviation, or its share of each value, or 1/sqrt of the mean count; 0: no noise

    def added_to(self, values: Floats, rng: np.random.Generator) -> Floats:
        """The values as they would be measured; where there is no value to count events of, NaN."""
        if not self.level:
            return values
        if self.kind == "counts":
            return _counted(values, rng)
        sizes = np.abs(values) if self.kind == "proportional" else 1.0
        noisy = values + self.level * sizes * rng.normal(size=len(values))
        return noisy + self.level * _outliers(len(values), rng) if self.kind == "outliers" else noisy


def read_kind(text: str) -> NoiseKind | None:
    """A kind by its name; None, the suite's own, for ""."""
    for kind in KINDS:
        if text == kind:
            return kind
    if text:
        raise DataError(f"Unknown kind of noise {text!r}; it is one of {', '.join(KINDS)}.")
    return None


def _counted(values: Floats, rng: np.random.Generator) -> Floats:
    counts = np.full(len(values), np.nan)
    known = values >= 0
    counts[known] = rng.poisson(values[known])
    return counts


def _outliers(n_rows: int, rng: np.random.Generator) -> Floats:
    """By how many standard deviations each row is off besides its normal noise: 0 for most."""
    off = np.zeros(n_rows)
    rows = rng.choice(n_rows, max(1, round(OUTLIER_SHARE * n_rows)), replace=False)
    low, high = np.log(OUTLIER_SIZES)
    off[rows] = np.exp(rng.uniform(low, high, len(rows))) * rng.choice((-1.0, 1.0), len(rows))
    return off
