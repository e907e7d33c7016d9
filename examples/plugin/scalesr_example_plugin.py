"""A package that extends ScaleSR: its pyproject.toml names what is here as entry points.

Once it is installed (pip install examples/plugin), the names work wherever ScaleSR takes one:

    ScaleSRRegressor(search="ladder", generator="rbf", operators=Operators("physics", "softsign"))
    scalesr fit table.csv --target y --search ladder --generator rbf --operators physics,softsign
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import RBFInterpolator
from scipy.spatial import cKDTree

from scalesr import Operators, define_operator, parse
from scalesr.records.budget import Budget, Report
from scalesr.records.dataset import Dataset
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.scoring import Scorer

Floats = NDArray[np.float64]

SOFTSIGN = define_operator(
    "softsign",
    lambda x: x / (1 + abs(x)),
    sympy=lambda x: x / (1 + abs(x)),
    derivative=(lambda x: 1 / (1 + abs(x)) ** 2,),
)

RUNGS = ("C*x0", "C*x0 + C", "C*x0^2", "C*x0^2 + C", "C*x0^2 + C*x0 + C", "C*softsign(C*x0) + C", "C*exp(C*x0) + C")


class LadderSearch:
    """Tries a short list of formulas, the simple ones first."""

    def __init__(self, *, operators: Operators) -> None:
        self.operators = operators

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank the formulas of the list whose operators are allowed."""
        del rng  # nothing here is left to chance
        scorer = Scorer(sweep, budget, progress=progress)
        scorer.stage = "climbing the ladder"
        with scorer.running():
            scorer.score([parse(rung) for rung in RUNGS if self._allows(rung)])
        return scorer.ranking()

    def _allows(self, rung: str) -> bool:
        return all(name in self.operators for name in ("exp", "softsign") if name in rung)


@dataclass(frozen=True)
class RbfGenerator:
    """A smooth function through the rows."""

    interpolate: RBFInterpolator
    rows: cKDTree
    reach: float  # distance from the nearest row within which values are trusted
    noise: float

    @property
    def description(self) -> str:
        return f"Radial basis functions through the rows, off by {self.noise:.2g} on rows they had not seen."

    def predict(self, X: Floats) -> Floats:
        """Values at rows of a table."""
        return np.asarray(self.interpolate(X), np.float64)

    def gradient(self, X: Floats) -> Floats:
        """Derivatives by central differences."""
        steps = 1e-4 * np.eye(X.shape[1])
        return np.column_stack([(self.predict(X + step) - self.predict(X - step)) / 2e-4 for step in steps])

    def trusted(self, X: Floats) -> NDArray[np.bool_]:
        """Which rows lie near the data."""
        return np.asarray(self.rows.query(X)[0] <= self.reach)


def learn_rbf(data: Dataset, *, rng: np.random.Generator) -> RbfGenerator:
    """Learn from four rows of five, and measure the error on the others."""
    known, held = data.split(data.n_rows // 5, rng=rng)
    trial = RBFInterpolator(known.table, known.y, neighbors=50)
    noise = float(np.sqrt(np.mean((trial(held.table) - held.y) ** 2)))
    rows = cKDTree(data.table)
    reach = 2 * float(np.median(rows.query(data.table, k=2)[0][:, 1]))
    return RbfGenerator(RBFInterpolator(data.table, data.y, neighbors=50), rows, reach, noise)
