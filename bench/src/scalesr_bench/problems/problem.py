"""Problem: a law with the box its variables come from and the rows it is usually given by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse

Floats = NDArray[np.float64]
Range = tuple[float, float]
Spacing = Literal["uniform", "even", "log-uniform"]
NoiseUnit = Literal["std", "size", "value"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many rows a problem usually has, how they lie in its box, and what a share of noise is a share of."""

    n_rows: int | None = None  # None where the literature leaves it open
    spacing: Spacing = "uniform"  # "even": from end to end, one variable only
    noise: NoiseUnit = "std"  # of the target; "size": the root of its mean square; "value": each value


@dataclass(frozen=True, slots=True)
class Problem:
    """A law y = formula(names) on a box."""

    name: str  # unique within its suite
    suite: str
    names: tuple[str, ...]  # of the variables
    formula: str
    box: tuple[Range, ...]  # (low, high) per variable
    sampling: Sampling = Sampling()
    table: str = ""  # a bundled table of measured rows, where there is one
    target: str = "y"  # its column

    def __post_init__(self) -> None:
        if len(self.box) != len(self.names) or not all(low < high for low, high in self.box):
            raise DataError(f"{self.key} needs a range (low, high) for each of {', '.join(self.names)}: {self.box}.")

    @property
    def key(self) -> str:
        """The name among all suites."""
        return f"{self.suite}/{self.name}"

    @property
    def n_variables(self) -> int:
        return len(self.names)

    @property
    def is_measured(self) -> bool:
        """Whether the rows were measured, with the noise they have."""
        return bool(self.table)

    @property
    def text(self) -> str:
        """The law, for reading."""
        return self.formula

    @property
    def expression(self) -> Expression:
        """The formula as a tree."""
        return parse(self.formula, self.names)

    def values(self, X: Floats) -> Floats:  # (rows, variables) -> (rows,)
        """The law on the rows of a table."""
        return evaluate(self.expression, X)
