"""Tables without a law: smooth functions that no short formula fits, and targets that are noise alone.

A smooth function is a sum of 60 waves with normally distributed frequencies: nearly a draw from a
Gaussian process with a squared-exponential kernel of the length `length`, in boxes of side 2.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr_bench.problems.problem import Range, Sampling

Floats = NDArray[np.float64]

N_WAVES: Final = 60
N_SMOOTH: Final = 100
N_NOISE: Final = 20
_LENGTHS: Final = (0.25, 1.0)  # least and greatest
_LOWS: Final = (-1.0, 0.0, 1.0)  # where a box may begin; its side is 2
_NAMES: Final = ("x", "y", "z")
_SAMPLING: Final = Sampling(1000)


@dataclass(frozen=True, slots=True)
class NoLaw:
    """A target that no formula gives; `length` is None where the columns do not determine it at all."""

    name: str
    names: tuple[str, ...]
    box: tuple[Range, ...]
    length: float | None
    suite: str = "no-law"
    sampling: Sampling = _SAMPLING

    @property
    def key(self) -> str:
        return f"{self.suite}/{self.name}"

    @property
    def is_noise(self) -> bool:
        return self.length is None

    @property
    def text(self) -> str:
        """What the target is, for reading."""
        return "noise alone" if self.length is None else f"{N_WAVES} waves of length {self.length:.2f}"

    def values(self, X: Floats) -> Floats:  # (rows, variables) -> (rows,)
        """What the columns tell of the target: nothing, or the smooth function."""
        if self.length is None:
            return np.zeros(len(X))
        rng = np.random.default_rng(zlib.crc32(self.key.encode()))
        frequencies = rng.normal(scale=1 / self.length, size=(len(self.names), N_WAVES))
        phases, heights = rng.uniform(0, 2 * np.pi, N_WAVES), rng.normal(size=N_WAVES)
        return np.cos(X @ frequencies + phases) @ heights


def tables_without_law(seed: int = 0) -> tuple[NoLaw, ...]:
    """100 smooth functions and 20 targets of noise, of one to three variables each."""
    smooth = [_no_law(f"smooth-{seed}-{place}", place, is_noise=False) for place in range(N_SMOOTH)]
    noise = [_no_law(f"noise-{seed}-{place}", place, is_noise=True) for place in range(N_NOISE)]
    return (*smooth, *noise)


def _no_law(name: str, place: int, *, is_noise: bool) -> NoLaw:
    rng = np.random.default_rng(zlib.crc32(f"no-law box of {name}".encode()))
    names = _NAMES[: 1 + place % 3]
    low = float(rng.choice(_LOWS))
    return NoLaw(name, names, ((low, low + 2),) * len(names), None if is_noise else float(rng.uniform(*_LENGTHS)))
