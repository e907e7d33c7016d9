"""Oracle: a given function in the place of a learned one: a simulator, an instrument."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.records.config import Oracle
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

BATCH = 10_000  # rows of one question
N_QUESTIONS = 500  # that a batch is split into at most where the function fails
N_TWICE = 16  # rows that are asked twice, for the noise
STEP = 1e-4  # of a variable's range, for derivatives


class OracleGenerator:
    """Asks a function, at most `budget` rows in all, and counts them in `n_queries`.

    Rows where the function raises, or returns NaN or an infinite number, have no value: NaN. It may
    be asked anywhere inside the box of the data.
    """

    def __init__(self, function: Oracle, data: Dataset, *, budget: int | None = None) -> None:
        self._function, self._budget = function, budget
        self.n_queries = 0
        self._low, self._high = data.columns.min(axis=1), data.columns.max(axis=1)
        self.noise = self._measured(data.thinned(N_TWICE).table)

    @property
    def description(self) -> str:
        known = "always the same answer" if self.noise == 0 else f"answers that vary by {self.noise:.2g}"
        return f"a given function, asked for {self.n_queries} rows so far: {known}"

    def predict(self, X: Floats) -> Floats:
        """Values at rows of a table; NaN where there is none, or where the budget is spent."""
        table = np.ascontiguousarray(X, np.float64)
        values = np.full(len(table), np.nan)
        allowed = self._left(len(table))
        for start in range(0, allowed, BATCH):
            part = table[start : min(start + BATCH, allowed)]
            values[start : start + len(part)] = self._asked(part)
        return values

    def gradient(self, X: Floats) -> Floats:
        """Derivatives by central differences, which cost two rows per variable and row."""
        table = np.asarray(X, np.float64)
        slopes = np.empty_like(table)
        for j, width in enumerate(self._high - self._low):
            step = np.zeros(table.shape[1])
            step[j] = STEP * width
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

    def _left(self, n_rows: int) -> int:
        """How many of so many rows the budget still allows."""
        return n_rows if self._budget is None else max(min(self._budget - self.n_queries, n_rows), 0)

    def _asked(self, table: Floats) -> Floats:
        """One batch; if it fails as a whole, its halves, down to single rows and to so many questions."""
        values, left, reason = np.full(len(table), np.nan), [(0, len(table))], ""
        for _ in range(N_QUESTIONS):
            if not left or self._left(1) == 0:
                break
            start, end = left.pop()
            end = start + self._left(end - start)
            self.n_queries += end - start
            try:
                values[start:end] = self._checked(self._function(table[start:end]), end - start)
            except DataError:
                raise
            except Exception as error:  # a simulator may fail in any way
                reason = repr(error)
                middle = (start + end) // 2
                left += [(middle, end), (start, middle)] if end - start > 1 else []
        if reason and not np.isfinite(values).any():
            raise DataError(f"The given function fails at every row it is asked for: {reason}.")
        return values

    @staticmethod
    def _checked(answer: object, n_rows: int) -> Floats:
        values = np.asarray(answer, np.float64)
        if values.shape not in {(n_rows,), (n_rows, 1)}:
            raise DataError(
                f"The given function returned the shape {values.shape} for {n_rows} rows; it should be ({n_rows},)."
            )
        return np.where(np.isfinite(values), values, np.nan).ravel()
