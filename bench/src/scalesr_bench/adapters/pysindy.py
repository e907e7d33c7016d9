"""pysindy behind our interface: a sparse linear fit over a library of functions and their products.

The library has the powers 1 to 4 and -1 to -2 of every variable, every function of one variable, and the
products of any two of these. There are no constants inside of functions and no functions of sums.
Sparse fits fail where columns are nearly the same, so that smaller libraries are tried, too: single
terms, powers alone, products of different variables alone. Coefficients are thresholded one after
the other (STLSQ) at several levels, in units of each column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant
from scalesr.expr.text import parse
from scalesr.records.precision import SQUARABLE
from scalesr_bench.adapters.adapter import ExternalSearch, require
from scalesr_bench.adapters.config import EXTERNAL

Floats = NDArray[np.float64]

POWERS: Final = (1, 2, 3, 4, -1, -2)
THRESHOLDS: Final = (0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4)  # of the root mean square of y, per column
_VARIABLE: Final = re.compile(r"x\d+")

# Operator -> its values; what a function is not defined for becomes NaN and leaves the library.
FUNCTIONS: Final[Mapping[str, Callable[[Floats], Floats]]] = {
    "sin": np.sin, "cos": np.cos, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh,
}  # fmt: skip


def pysindy_search(*, functions: Sequence[str] = ("sin", "cos", "exp", "log", "sqrt")) -> ExternalSearch[Sparse]:
    """A search by pysindy's STLSQ over a library of powers, the given functions and products of two."""
    require("pysindy")
    import pysindy  # noqa: F401  it takes seconds to load, and a search has a time limit

    return ExternalSearch(
        lambda seed, seconds: Sparse(functions),
        Sparse.formulas,
        lambda regressor, _: regressor.has_more,
        name="pysindy",
    )


class Sparse:
    """Sparse fits of one table at several thresholds, one library after the other."""

    def __init__(self, functions: Sequence[str]) -> None:
        self._functions = functions
        self._found: list[Expression] = []
        self._n_fits, self.has_more = 0, True

    def fit(self, X: Any, y: Any) -> Sparse:
        """Fit the next library at every threshold."""
        names, table = self._library(np.asarray(X, np.float64))
        parts = _parts(names)
        part = parts[self._n_fits]
        self._n_fits += 1
        self.has_more = self._n_fits < len(parts)
        scale = np.sqrt(np.mean(table[:, part] ** 2, axis=0))
        size = float(np.sqrt(np.mean(np.square(y)))) or 1.0
        chosen = [_sparse(table[:, part] / scale, y / size, threshold) for threshold in THRESHOLDS]
        short = [weights for weights in chosen if 0 < np.count_nonzero(weights) <= EXTERNAL.sindy_terms]
        self._found = [_sum([names[j] for j in part], size * weights / scale) for weights in short]
        return self

    def predict(self, X: Any) -> Floats:
        """Values of the formula with most terms."""
        return evaluate(self._found[-1], np.asarray(X, np.float64))

    def formulas(self) -> list[Expression]:
        """A formula per threshold that leaves a term and not too many."""
        return self._found

    def _library(self, X: Floats) -> tuple[list[str], Floats]:
        """Names in our way of writing and columns, those without values left out."""
        from pysindy import CustomLibrary

        texts = [_power_text(power) for power in POWERS] + [f"{name}({{}})" for name in self._functions]
        made = [_power(power) for power in POWERS] + [_function(FUNCTIONS[name]) for name in self._functions]
        single = CustomLibrary(library_functions=made, function_names=[text.format for text in texts])
        n_single = len(made) * X.shape[1]
        library: Any = single if n_single**2 > EXTERNAL.sindy_columns else single + single * single
        variables = [f"x{column}" for column in range(X.shape[1])]
        with np.errstate(all="ignore"):
            table = np.asarray(library.fit_transform(X))
        names = ["1", *(name.replace(" ", "*") for name in library.get_feature_names(variables))]
        table = np.column_stack([np.ones(len(X)), table])
        largest = np.abs(table).max(axis=0)
        is_usable = (largest > 0) & (largest < SQUARABLE)  # False for NaN
        distinct: dict[str, int] = {}
        for place in np.flatnonzero(is_usable):
            distinct.setdefault(canonical_key(parse(names[place])), int(place))
        kept = list(distinct.values())
        return [names[place] for place in kept], table[:, kept]


def _parts(names: Sequence[str]) -> list[list[int]]:
    """Places of the columns of each library, the smallest first."""
    is_single = ["*" not in name for name in names]
    in_two = [single or len(set(_VARIABLE.findall(name))) == 2 for name, single in zip(names, is_single, strict=True)]
    is_power = ["(x" not in name for name in names]
    columns = range(len(names))
    libraries = [
        [j for j in columns if is_single[j] and is_power[j]],
        [j for j in columns if is_single[j]],
        [j for j in columns if is_power[j] and in_two[j]],
        [j for j in columns if in_two[j]],
        list(columns),
    ]
    return [part for place, part in enumerate(libraries) if part and part not in libraries[:place]]


def _sparse(table: Floats, y: Floats, threshold: float) -> Floats:
    """Coefficients after thresholding one after the other; all zero where nothing is left."""
    from pysindy import STLSQ

    with np.errstate(all="ignore"):
        optimizer = STLSQ(threshold=threshold, alpha=EXTERNAL.sindy_ridge, max_iter=30)
        optimizer.fit(table, np.asarray(y)[:, np.newaxis])
    return np.asarray(optimizer.coef_, np.float64).ravel()


def _sum(names: Sequence[str], weights: Floats) -> Expression:
    terms = [apply("*", constant(float(w)), parse(name)) for name, w in zip(names, weights, strict=True) if w]
    return reduce(lambda left, right: apply("+", left, right), terms)


def _power_text(power: int) -> str:
    return "{}" if power == 1 else f"{{}}^{power}" if power > 0 else f"{{}}^({power})"


def _power(power: int) -> Callable[[Floats], Floats]:
    return lambda x: x**power


def _function(function: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """A plain function: pysindy counts its arguments, which numpy's own do not tell."""
    return lambda x: np.asarray(function(x), np.float64)
