"""Random features: one layer of random waves whose last layer is solved in closed form.

The waves follow the metric: fast where the function changes fast, constant along directions that
it does not depend on. So 400 of them reach what thousands of isotropic ones do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.generator.metric import Metric
from scalesr.generator.ridge import root_weights, solve_ridge

Floats = NDArray[np.float64]

SHARPNESS = (0.5, 1.0, 2.0)  # factors of the metric's rates, of which one is chosen with half of the features


@dataclass(frozen=True, slots=True, eq=False)
class FeatureModel:
    """The columns 1, Z and cos(Z W + b), and a weight for each."""

    waves: Floats  # W, (variables, features)
    phases: Floats  # b, (features,)
    solution: Floats  # (1 + variables + features,)
    error: float  # root mean square on unseen rows, as cross-validation estimates it

    def values(self, Z: Floats) -> Floats:
        """Values (rows,)."""
        found: Floats = _columns(Z, self.waves, self.phases) @ self.solution
        return found

    def gradient(self, Z: Floats) -> Floats:
        """Derivatives by each scaled input (rows, variables)."""
        first = 1 + Z.shape[1]
        slopes = np.sin(Z @ self.waves + self.phases) * self.solution[first:]
        gradient: Floats = self.solution[1:first] - slopes @ self.waves.T
        return gradient

    def refitted(self, Z: Floats, t: Floats, weights: Floats | None, *, rng: np.random.Generator) -> FeatureModel:
        """The same waves, weighed by other rows."""
        del rng  # all rows are used
        return _solved(Z, t, self.waves, self.phases, root_weights(weights, len(t)))


def fit_features(
    Z: Floats, t: Floats, metric: Metric, *, n_features: int, rng: np.random.Generator, weights: Floats | None = None
) -> FeatureModel:
    """The model of scaled inputs and target whose sharpness and ridge validate best."""
    n_rows, n_features = len(t), min(n_features, len(t) // 2)
    root = root_weights(weights, n_rows)
    waves = metric.directions @ rng.normal(size=(metric.directions.shape[1], n_features))
    phases = rng.uniform(0, 2 * np.pi, size=n_features)
    half = n_features // 2
    some = rng.permutation(n_rows)[: 4 * half + 10]
    pilots = [
        _solved(Z[some], t[some], sharpness * waves[:, :half], phases[:half], root[some]).error
        for sharpness in SHARPNESS
    ]
    return _solved(Z, t, SHARPNESS[int(np.argmin(pilots))] * waves, phases, root)


def _solved(Z: Floats, t: Floats, waves: Floats, phases: Floats, root: Floats) -> FeatureModel:
    solution, error = solve_ridge(_columns(Z, waves, phases) * root[:, np.newaxis], t * root)
    return FeatureModel(waves, phases, solution, error)


def _columns(Z: Floats, waves: Floats, phases: Floats) -> Floats:
    return np.hstack([np.ones((len(Z), 1)), Z, np.cos(Z @ waves + phases)])
