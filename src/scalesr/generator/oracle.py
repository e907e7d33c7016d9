"""OracleGenerator: a given function in the place of a learned one."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.generator.config import GENERATOR
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]


class Answers(Protocol):
    """Something that answers for rows of a table, and counts them."""

    @property
    def n_asked(self) -> int:
        """Rows asked for so far."""
        ...

    def ask(self, X: Floats) -> Floats:
        """Values (rows,), NaN where there is none."""
        ...


class OracleGenerator:
    """Asks a function anywhere inside the box of the data."""

    def __init__(self, answers: Answers, data: Dataset) -> None:
        self._answers = answers
        self._low, self._high = data.columns.min(axis=1), data.columns.max(axis=1)
        self.noise = self._measured(data.thinned(GENERATOR.n_twice).table)

    @property
    def description(self) -> str:
        known = "always the same answer" if self.noise == 0 else f"answers that vary by {self.noise:.2g}"
        return f"a given function, asked for {self._answers.n_asked} rows so far: {known}"

    def predict(self, X: Floats) -> Floats:
        """Values at rows of a table; NaN where there is none."""
        return self._answers.ask(np.asarray(X, np.float64))

    def gradient(self, X: Floats) -> Floats:
        """Derivatives by central differences, which cost two rows per variable and row."""
        table = np.asarray(X, np.float64)
        slopes = np.empty_like(table)
        for j, width in enumerate(self._high - self._low):
            step = np.zeros(table.shape[1])
            step[j] = GENERATOR.oracle_step * width
            change = self.predict(table + step) - self.predict(table - step)
            slopes[:, j] = change / (2 * step[j]) if width > 0 else 0.0
        return slopes

    def trusted(self, X: Floats) -> NDArray[np.bool_]:
        """Rows inside the box of the data."""
        return np.asarray(((self._low <= X) & (self._high >= X)).all(axis=1))

    def _measured(self, table: Floats) -> float:
        """How much the answer to the same question varies."""
        first, again = self.predict(table), self.predict(table)
        if not np.isfinite(first).any():
            raise DataError(f"The given function has no finite value at any of {len(table)} rows of the table.")
        return float(np.sqrt(np.nanmean((first - again) ** 2) / 2))
