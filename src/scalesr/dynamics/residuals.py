"""Residuals along trajectories: whether they are as large as the noise, and whether they are autocorrelated."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.shooting import Shot

Floats = NDArray[np.float64]

LAGS = 4  # points over which residuals of a wrong law still follow each other, added up in one test
CLEAR = 3.3  # standard errors: the level of a test at one in two thousand
SIGMAS = 2.0  # of the error of a standard deviation, by which a residual may be larger by chance
FITS = 1.25  # times the noise: residuals of a right law, with a noise that is known to a tenth


@dataclass(frozen=True, slots=True)
class ResidualTest:
    """What is known of the residual of one state."""

    error: float  # root mean square
    noise: float  # estimated without any law
    n_points: int
    z: float  # of the autocorrelation over the first lags, in standard errors

    @property
    def is_noise(self) -> bool:
        """Whether the residual is no larger than the noise and shows no structure along time."""
        by_chance = 1 + SIGMAS / math.sqrt(max(2 * self.n_points, 1))
        return self.error <= FITS * by_chance * self.noise and self.z <= CLEAR


def residual_tests(shot: Shot, counts: NDArray[np.bool_], noise: Floats) -> tuple[ResidualTest, ...]:
    """A test per state, over all segments."""
    return tuple(
        ResidualTest(float(error), float(level), shot.n_points, autocorrelation(shot.residuals[:, :, place], counts))
        for place, (error, level) in enumerate(zip(shot.errors, noise, strict=True))
    )


def autocorrelation(residuals: Floats, counts: NDArray[np.bool_]) -> float:
    """The sum of the first autocorrelations in standard errors of independent residuals (segments, points)."""
    power = float((residuals**2).sum()) / max(int(counts.sum()), 1)
    if not (power > 0 and math.isfinite(power)):
        return 0.0 if power == 0 else math.inf
    found = 0.0
    n_pairs = 0
    for lag in range(1, min(LAGS, residuals.shape[1] - 1) + 1):
        pairs = counts[:, lag:] & counts[:, :-lag]
        found += float((residuals[:, lag:] * residuals[:, :-lag] * pairs).sum()) / power
        n_pairs += int(pairs.sum())
    return found / math.sqrt(n_pairs) if n_pairs else 0.0
