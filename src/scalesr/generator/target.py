"""Target: the number that is learned in place of y, y itself or the logarithm of its size, to mean 0 and spread 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Target:
    """t = (u - centre) / spread with u = y, or u = log(sign y) where all of y has one sign."""

    sign: int  # 0: y itself; 1, -1: the sign of all of y, and its logarithm is learned
    centre: float
    spread: float

    @classmethod
    def of(cls, y: Floats, sign: int) -> Target:
        """Mean 0 and standard deviation 1 on these rows."""
        u = np.log(sign * y) if sign else y
        size = float(np.abs(u).max()) or 1.0
        unit = u / size
        spread = float(unit.std())
        return cls(sign, float(unit.mean()) * size, spread * size if spread > 1e-15 else size)

    def forward(self, y: Floats) -> Floats:
        """What is learned for each y."""
        u = np.log(self.sign * y) if self.sign else y
        learned: Floats = (u - self.centre) / self.spread
        return learned

    def inverse(self, t: Floats) -> Floats:
        """The y of each learned number."""
        u = self.centre + self.spread * t
        return self.sign * np.exp(np.clip(u, -700, 700)) if self.sign else u

    def slope(self, t: Floats) -> Floats:
        """Derivative of y by the learned number."""
        return self.inverse(t) * self.spread if self.sign else np.full_like(t, self.spread)


def one_sign(y: Floats) -> int:
    """The sign of all of y, 0 where there is none."""
    return 1 if y.min() > 0 else -1 if y.max() < 0 else 0
