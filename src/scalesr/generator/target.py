"""Target: what is learned in place of y, y itself or the logarithm of its size, to mean 0 and standard deviation 1."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Target:
    """t = (u - centre) / std with u = y, or u = log(sign y) where all of y has one sign."""

    sign: int  # 0: y itself; 1, -1: the sign of all of y, and its logarithm is learned
    centre: float
    std: float
    lowest: float  # of t that a logarithm may have: outside of the data it must not explode
    highest: float

    @classmethod
    def of(cls, y: Floats, sign: int) -> Target:
        """Mean 0 and standard deviation 1 on these rows."""
        u = np.log(sign * y) if sign else y
        size = float(np.abs(u).max()) or 1.0
        unit = u / size
        std = float(unit.std())
        whole = cls(sign, float(unit.mean()) * size, std * size if std > 1e-15 else size, -np.inf, np.inf)
        t = whole.forward(y)
        low, high = float(t.min()), float(t.max())
        return replace(whole, lowest=2 * low - high, highest=2 * high - low) if sign else whole

    def forward(self, y: Floats) -> Floats:
        """What is learned for each y."""
        u = np.log(self.sign * y) if self.sign else y
        learned: Floats = (u - self.centre) / self.std
        return learned

    def inverse(self, t: Floats) -> Floats:
        """The y of each learned number."""
        u = self.centre + self.std * np.clip(t, self.lowest, self.highest)
        return self.sign * np.exp(u) if self.sign else u

    def slope(self, t: Floats) -> Floats:
        """Derivative of y by the learned number."""
        if not self.sign:
            return np.full_like(t, self.std)
        inside = (t >= self.lowest) & (t <= self.highest)
        return self.inverse(t) * self.std * inside


def one_sign(y: Floats) -> int:
    """The sign of all of y, 0 where there is none."""
    return 1 if y.min() > 0 else -1 if y.max() < 0 else 0
