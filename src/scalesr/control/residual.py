"""Residual: a generator without what a formula explains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate, gradient
from scalesr.expr.expression import Expression
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Residual:
    """What a formula leaves of another generator's values; the error stays."""

    generator: Generator
    formula: Expression

    @property
    def noise(self) -> float:
        return self.generator.noise

    @property
    def description(self) -> str:
        return f"{self.generator.description}, less a formula"

    def predict(self, X: Floats) -> Floats:
        """Values at rows of a table."""
        return self.generator.predict(X) - evaluate(self.formula, X)

    def gradient(self, X: Floats) -> Floats:
        """Derivatives by each variable."""
        return self.generator.gradient(X) - gradient(self.formula, X)

    def trusted(self, X: Floats) -> NDArray[np.bool_]:
        """Which rows lie near the data."""
        return self.generator.trusted(X)
