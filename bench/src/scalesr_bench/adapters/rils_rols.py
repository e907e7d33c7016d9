"""RILS-ROLS behind our interface: iterated local search with ordinary least squares.

Its operators are built in: + - * / sin cos log exp sqrt, squares and constant powers. It does not stop
at an exact formula and uses all of its time. The compiled part is called directly, as the package
around it prints and silences warnings on import.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import FormulaError, MissingExtra
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse
from scalesr_bench.adapters.adapter import ExternalSearch, has_package
from scalesr_bench.adapters.config import EXTERNAL

Floats = NDArray[np.float64]


def rils_rols_search(
    *, max_complexity: int = EXTERNAL.rils_nodes, penalty: float = EXTERNAL.rils_penalty
) -> ExternalSearch[RilsRols]:
    """A search by RILS-ROLS at its own settings; without a time limit it ends after 100 000 fits."""
    if not has_package("rils_rols_cpp"):
        raise MissingExtra(
            "This search needs rils-rols, which is compiled on installation (C++): "
            "pip install pybind11 setuptools; pip install --no-build-isolation rils-rols"
        )
    return ExternalSearch(
        lambda seed, seconds: RilsRols(seed, seconds, max_complexity, penalty), RilsRols.formulas, name="RILS-ROLS"
    )


class RilsRols:
    """One run of the compiled search."""

    def __init__(self, seed: int, seconds: float | None, max_complexity: int, penalty: float) -> None:
        import rils_rols_cpp

        n_fits = 100_000 if seconds is None else EXTERNAL.rils_limit
        limit = EXTERNAL.rils_limit if seconds is None else max(int(seconds) - EXTERNAL.rils_overrun, 1)
        self._inner: Any = rils_rols_cpp.rils_rols(False, n_fits, limit, penalty, max_complexity, 1.0, False, seed)

    def fit(self, X: Any, y: Any) -> RilsRols:
        """Search; the compiled part takes the table row after row as one column."""
        n_rows, n_columns = X.shape
        self._inner.fit(np.ascontiguousarray(X).reshape(-1, 1), np.asarray(y), n_rows, n_columns)
        return self

    def predict(self, X: Any) -> Floats:
        """Values of the best formula."""
        n_rows, n_columns = X.shape
        return np.asarray(self._inner.predict(np.ascontiguousarray(X).reshape(-1, 1), n_rows, n_columns))

    def formulas(self) -> list[Expression]:
        """The best formula, if our operators can write it."""
        try:
            return [parse(self._inner.get_model_string())]
        except FormulaError:
            return []
