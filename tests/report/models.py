"""Fitted models for the tests of this folder, each made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from scalesr import ScaleSRRegressor
from scalesr.report.page import report_page

HOSTILE = ["<script>document.title='owned'</script>", "\"'><img src=x onerror=\"document.title='owned'\">", "$\\frac{"]


@cache
def exact() -> tuple[ScaleSRRegressor, pd.DataFrame, pd.Series]:
    """A law in three columns without noise."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.uniform(1, 2, (120, 3)), columns=["m", "g", "theta_1"])
    y = pd.Series(3.5 * X["m"] * X["g"] + X["theta_1"] ** 2, name="E")
    return ScaleSRRegressor(random_state=0).fit(X, y), X, y


@cache
def noisy() -> tuple[ScaleSRRegressor, np.ndarray, np.ndarray]:
    """A straight line with errors."""
    rng = np.random.default_rng(2)
    X = rng.uniform(0, 5, (80, 1))
    return _fitted(X, 2 + 3 * X[:, 0] + 0.1 * rng.normal(size=80))


@cache
def bent() -> tuple[ScaleSRRegressor, np.ndarray, np.ndarray]:
    """A model of one table shown with rows of another, so that structure is left."""
    model, X, _ = noisy()
    return model, X, 2 + 3 * X[:, 0] + np.sin(3 * X[:, 0])


@cache
def hostile() -> tuple[ScaleSRRegressor, pd.DataFrame, pd.Series]:
    """Names that would run as scripts, load pictures or break formulas."""
    _, X, y = exact()
    table = X.set_axis(HOSTILE, axis="columns")
    target = y.rename("</title><script>document.title='owned'</script>")
    return ScaleSRRegressor(random_state=0).fit(table, target), table, target


@cache
def two_targets() -> tuple[ScaleSRRegressor, pd.DataFrame, pd.DataFrame]:
    _, X, y = exact()
    targets = pd.DataFrame({"E": y, "ratio": X["m"] / X["g"]})
    return ScaleSRRegressor(random_state=0).fit(X, targets), X, targets


def _fitted(X: np.ndarray, y: np.ndarray) -> tuple[ScaleSRRegressor, np.ndarray, np.ndarray]:
    return ScaleSRRegressor(random_state=0, time_limit=None, max_work=200).fit(X, y), X, y


def page_of(case: Callable[[], tuple[Any, Any, Any]], command: str) -> str:
    """The report of a case."""
    model, X, y = case()
    return report_page(model, X, y, command=command)


made_page = cache(page_of)
