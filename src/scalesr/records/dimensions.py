"""Dimensions: what the columns of a table and its target are measured in, as exact exponents of base dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scalesr.errors import DataError

Exponents = tuple[Fraction, ...]  # one per base dimension


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Exponents of the base dimensions of each column and of the target, and the size of each unit in base units."""

    bases: tuple[str, ...]  # length, mass, time, ...
    columns: tuple[Exponents, ...]  # one per column
    target: Exponents
    scales: tuple[float, ...] = ()  # of each column's unit and, last, of the target's; empty: all 1

    def __post_init__(self) -> None:
        if any(len(one) != len(self.bases) for one in (*self.columns, self.target)):
            raise DataError(f"Every dimension needs an exponent for each of {', '.join(self.bases)}.")
        if self.scales and len(self.scales) != len(self.columns) + 1:
            raise DataError(f"{len(self.columns)} columns and a target need as many scales; got {len(self.scales)}.")

    def scale(self, column: int) -> float:
        """How many base units the unit of a column has."""
        return self.scales[column] if self.scales else 1.0

    def select(self, chosen: Sequence[int]) -> Dimensions:
        """Those of some of the columns."""
        scales = (*(self.scale(j) for j in chosen), self.scales[-1]) if self.scales else ()
        return Dimensions(self.bases, tuple(self.columns[j] for j in chosen), self.target, scales)
