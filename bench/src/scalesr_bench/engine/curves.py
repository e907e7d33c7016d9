"""A set of noisy curves a*exp(b*x) + c and random starts to fit them from, the same for every method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

SKELETON: Final = "C*exp(C*x) + C"
N_POINTS: Final = 200
NOISE: Final = 0.01  # of each curve's standard deviation


@dataclass(frozen=True, slots=True)
class TestCurves:
    """Curves over one x, the constants they were made with and one start each."""

    x: NDArray[np.float64]  # (points,)
    y: NDArray[np.float64]  # (curves, points)
    truth: NDArray[np.float64]  # (curves, 3)
    starts: NDArray[np.float64]  # (curves, 3)

    def where(self, mask: NDArray[np.bool_]) -> TestCurves:
        """Some of the curves."""
        return TestCurves(self.x, self.y[mask], self.truth[mask], self.starts[mask])


def random_curves(n_curves: int, *, rng: np.random.Generator) -> TestCurves:
    """Growth and decay with rates of up to 2 over x in [0, 2]; starts are standard normal."""
    x = np.linspace(0.0, 2.0, N_POINTS)
    scale = rng.uniform(0.5, 2.0, n_curves) * rng.choice([-1.0, 1.0], n_curves)
    truth = np.stack([scale, rng.uniform(-2.0, 2.0, n_curves), rng.normal(size=n_curves)], axis=1)
    clean = model(truth.T[:, :, np.newaxis], x)
    noise = NOISE * clean.std(axis=1, keepdims=True) * rng.normal(size=clean.shape)
    return TestCurves(x, clean + noise, truth, rng.normal(size=(n_curves, 3)))


def model(constants: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve itself; `constants` holds a, b and c along its first axis."""
    values: NDArray[np.float64] = constants[0] * np.exp(constants[1] * x) + constants[2]
    return values


def slopes(constants: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:  # (points, 3)
    """Derivatives of the curve by its constants."""
    growth = np.exp(constants[1] * x)
    return np.stack([growth, constants[0] * x * growth, np.ones_like(x)], axis=1)
