"""Methods that predict held-out rows of a table: ours, a line, and other tools as their users run them.

gplearn and pyoperon are run by themselves, with their own choice of the final formula, not by our end as in
the benchmark of laws: there is no law to be compared with here, and what counts is what their users get.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError, MissingExtra
from scalesr.expr.evaluate import evaluate
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr_bench.laws.methods import make_method
from scalesr_bench.laws.runs import warm_up
from scalesr_bench.predictors import linear_regression

Floats = NDArray[np.float64]
Predict = Callable[[Dataset, Floats, float, int], "Prediction"]

_GENERATIONS: Final = 50  # of gplearn, in which time its programs stop improving or the limit has come
_SYMBOLS: Final = "add,sub,mul,div,sin,cos,exp,log,sqrt,constant,variable"
_FUNCTIONS: Final = ("add", "sub", "mul", "div", "sin", "cos", "log", "sqrt")


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """What a method says of rows it has not seen, and how long its formula is."""

    values: Floats
    n_nodes: int
    formula: str
    verdict: str = ""


def predictor(method: str) -> Predict:
    """A method by its name."""
    if method in _OTHERS:
        package = _PACKAGES.get(method)
        if package and find_spec(package) is None:
            raise MissingExtra(f"{method} is not installed: pip install 'scalesr-bench[rivals]'")
        return _OTHERS[method]
    try:
        own = make_method(method)
    except DataError as error:
        raise DataError(f"{error} For public tables {', '.join(_OTHERS)} are known, too.") from error

    def predict(data: Dataset, fresh: Floats, time_limit: float, seed: int) -> Prediction:
        found = own(data, Settings(time_limit=time_limit), rng=np.random.default_rng(seed))
        with np.errstate(all="ignore"):
            values = evaluate(found.equation.expression, fresh)
        return Prediction(values, found.equation.expression.n_nodes, found.equation.text(), str(found.verdict))

    return predict


def prepare(method: str) -> None:
    """Let a method of ours compile what it needs before the clock starts."""
    if method not in _OTHERS:
        warm_up(method)


def _linear(data: Dataset, fresh: Floats, _: float, __: int) -> Prediction:
    """Ordinary least squares: a constant, and a coefficient, a product and a sum for every column."""
    return Prediction(linear_regression(data.table, data.y, fresh), 4 * data.n_variables + 1, "all columns, linear")


def _gplearn(data: Dataset, fresh: Floats, time_limit: float, seed: int) -> Prediction:
    """One generation after another until the time is up; gplearn itself knows no limit."""
    from gplearn.genetic import SymbolicRegressor

    model: Any = SymbolicRegressor(function_set=_FUNCTIONS, warm_start=True, low_memory=True, random_state=seed)
    end = time.monotonic() + time_limit
    for generation in range(1, _GENERATIONS + 1):
        model.set_params(generations=generation)
        _quietly(model, data)
        if time.monotonic() > end:
            break
    return Prediction(_predicted(model, fresh), int(model._program.length_), str(model._program))


def _pyoperon(data: Dataset, fresh: Floats, time_limit: float, seed: int) -> Prediction:
    from pyoperon.sklearn import SymbolicRegressor

    model: Any = SymbolicRegressor(
        allowed_symbols=_SYMBOLS, objectives=["r2", "length"], optimizer_iterations=5, max_length=50,
        generations=1_000_000, max_evaluations=1_000_000_000, max_time=max(ceil(time_limit), 1), random_state=seed,
    )  # fmt: skip
    _quietly(model, data)
    text = model.get_model_string(model.model_, 6)
    return Prediction(_predicted(model, fresh), int(model.stats_["model_complexity"]), str(text))


def _quietly(model: Any, data: Dataset) -> None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of someone else's numerics
        model.fit(data.table, data.y)


def _predicted(model: Any, fresh: Floats) -> Floats:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return np.asarray(model.predict(fresh), np.float64)


_OTHERS: Final[Mapping[str, Predict]] = {"linear": _linear, "gplearn": _gplearn, "pyoperon": _pyoperon}
_PACKAGES: Final[Mapping[str, str]] = {"gplearn": "gplearn", "pyoperon": "pyoperon"}
