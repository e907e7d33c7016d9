"""Questions: what a given function is asked, in batches, counted and within its budget."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.generator.config import GENERATOR
from scalesr.records.oracle import Oracle

Floats = NDArray[np.float64]


class Questions:
    """Asks an oracle, at most for the rows of its budget, and counts them in `n_asked`."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self.n_asked = 0

    @property
    def n_left(self) -> int | None:
        """Rows that may still be asked for; None where there is no limit."""
        return None if self._oracle.budget is None else max(self._oracle.budget - self.n_asked, 0)

    @property
    def rest(self) -> Oracle:
        """The same function with what is left of its budget."""
        return Oracle(self._oracle.function, self.n_left)

    def may_ask(self, n_rows: int) -> bool:
        """Whether the budget allows this many rows more."""
        return self.n_left is None or self.n_left >= n_rows

    def ask(self, X: Floats) -> Floats:
        """Values (rows,): NaN where the function raises or has no finite number, or where the budget is spent."""
        table = np.ascontiguousarray(X, np.float64)
        values = np.full(len(table), np.nan)
        allowed = self._allowed(len(table))
        for start in range(0, allowed, GENERATOR.question_rows):
            part = table[start : min(start + GENERATOR.question_rows, allowed)]
            values[start : start + len(part)] = self._asked(part)
        return values

    def _allowed(self, n_rows: int) -> int:
        """How many of this many rows the budget still allows."""
        return n_rows if self.n_left is None else min(self.n_left, n_rows)

    def _asked(self, table: Floats) -> Floats:
        """One batch; if it fails as a whole, its halves, down to single rows and to this many questions."""
        values, left, reason = np.full(len(table), np.nan), [(0, len(table))], ""
        for _ in range(GENERATOR.n_questions):
            if not left or self._allowed(1) == 0:
                break
            start, end = left.pop()
            end = start + self._allowed(end - start)
            self.n_asked += end - start
            try:
                values[start:end] = _checked(self._oracle.function(table[start:end]), end - start)
            except DataError:
                raise
            except Exception as error:  # a simulator may fail in any way
                reason = repr(error)
                middle = (start + end) // 2
                left += [(middle, end), (start, middle)] if end - start > 1 else []
        if reason and not np.isfinite(values).any():
            raise DataError(f"The given function fails at every row it is asked for: {reason}.")
        return values


def _checked(answer: object, n_rows: int) -> Floats:
    given = answer.filled(np.nan) if isinstance(answer, np.ma.MaskedArray) else answer  # a masked value is none
    values = np.asarray(given, np.float64)
    if values.shape not in {(n_rows,), (n_rows, 1)}:
        raise DataError(
            f"The given function returned the shape {values.shape} for {n_rows} rows; it should be ({n_rows},)."
        )
    return np.where(np.isfinite(values), values, np.nan).ravel()
