"""Neighbourhood: which points lie as near to the data as the data lie to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from scalesr.generator.config import GENERATOR
from scalesr.generator.scaling import Scaling

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """The data's rows without their correlations, and how far from them is near."""

    scaling: Scaling
    lowest: Floats  # (variables,) in scaled inputs
    highest: Floats
    whitening: Floats  # (variables, variables)
    tree: cKDTree
    reach: float

    @classmethod
    def of(cls, X: Floats, scaling: Scaling, *, rng: np.random.Generator) -> Neighbourhood:
        """The surroundings of a table's rows (rows, variables)."""
        chosen = np.sort(rng.permutation(len(X))[: GENERATOR.trust_rows])
        Z, whole = np.unique(scaling.apply(X[chosen]), axis=0), scaling.apply(X)
        lowest, highest = whole.min(axis=0), whole.max(axis=0)
        sizes, axes = np.linalg.eigh(np.cov(Z.T, ddof=0).reshape(2 * (Z.shape[1],)) if len(Z) > 1 else 0 * Z.T @ Z)
        spreads = np.sqrt(np.maximum(sizes, 0.0))
        whitening = axes / np.maximum(spreads, GENERATOR.thinnest_direction)
        tree = cKDTree(Z @ whitening)
        itself = _mean_distance(tree, tree.data, 1 + GENERATOR.n_neighbours)  # counts itself, at no distance
        reach = (
            GENERATOR.trust_slack * (1 + 1 / GENERATOR.n_neighbours) * float(np.quantile(itself, GENERATOR.nearly_all))
        )
        margin = GENERATOR.range_margin * (highest - lowest) + 1e-9
        return cls(scaling, lowest - margin, highest + margin, whitening, tree, reach + 1e-6)

    def holds(self, X: Floats) -> NDArray[np.bool_]:
        """Whether each row is near the data (rows,)."""
        Z = self.scaling.apply(X)
        held: NDArray[np.bool_] = np.all((self.lowest <= Z) & (self.highest >= Z), axis=1)
        held[held] = _mean_distance(self.tree, Z[held] @ self.whitening, GENERATOR.n_neighbours) <= self.reach
        return held


def _mean_distance(tree: cKDTree, Z: Floats, n_neighbours: int) -> Floats:
    """To the nearest rows (rows,); there may be fewer of them than asked for."""
    distance, _ = tree.query(Z, k=np.arange(1, min(n_neighbours, tree.n) + 1))
    mean: Floats = distance.mean(axis=1)
    return mean
