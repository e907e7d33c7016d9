"""Hostile arrays, given to a regressor: strange types, masks, magnitudes at the ends of the range, few rows."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from scalesr import ScaleSRRegressor
from tests.attack.mutation import ESCAPES, PAYLOADS
from tests.attack.tally import Tally

SECONDS = 0.15  # for each fit
CELLS: tuple[Any, ...] = (
    np.nan,
    np.inf,
    -np.inf,
    1e307,
    -1e307,
    1e-307,
    5e-324,
    0.0,
    None,
    "x",
    10**400,
    1j,
    np.ma.masked,
)
POWERS = (-307, -150, -100, -75, -70, -50, -30, -10, 0, 0, 0, 0, 10, 30, 50, 70, 75, 100, 150, 307)
WIDE = (2, 10, 30, 70, 300)  # powers of ten that a column may span


def attack_arrays(draw: random.Random, n: int, tally: Tally, folder: Path) -> None:
    """Tables and targets that are fitted, or refused by an error of ours."""
    del folder
    plain = np.random.default_rng(0).normal(size=(30, 2))
    ScaleSRRegressor(time_limit=5, random_state=0).fit(plain, plain @ [1.0, 2.0])  # what is compiled is loaded
    for place in range(n):
        rng = np.random.default_rng(draw.randrange(2**32))
        X, y = _table(draw, rng)
        with tally.attempt(f"array {place}: {type(X).__name__}{np.shape(X)} {str(X)[:60]!r} -> {str(y)[:60]!r}"):
            model = ScaleSRRegressor(time_limit=SECONDS, random_state=0).fit(X, y, **_known(draw, rng, len(y)))
            assert np.shape(model.predict(X))[0] == len(X)
            tally.check_text(model.discovery_.sentence if not isinstance(model.discovery_, tuple) else "", "a verdict")


def _table(draw: random.Random, rng: np.random.Generator) -> tuple[Any, Any]:
    rows, columns = draw.choice((1, 2, 3, 5, 12, 30, 40)), draw.choice((1, 1, 2, 3))
    X = rng.uniform(-2, 3, (rows, columns)) if draw.random() < 0.5 else rng.uniform(0.5, 3, (rows, columns))
    y = draw.choice((lambda: X[:, 0] ** 2 + 1, lambda: X.sum(axis=1), lambda: rng.normal(size=rows)))()
    with np.errstate(all="ignore"):
        X = X * 10.0 ** draw.choice(POWERS)
        y = y * 10.0 ** draw.choice(POWERS)
        if draw.random() < 0.3:
            X[:, 0] = 10.0 ** (rng.uniform(-1, 1, rows) * draw.choice(WIDE))
        if draw.random() < 0.2:
            y = 10.0 ** (rng.uniform(-1, 1, rows) * draw.choice(WIDE))
    return _dressed(draw, X), _dressed(draw, y[:, np.newaxis])[:, 0] if draw.random() < 0.3 else y


def _known(draw: random.Random, rng: np.random.Generator, rows: int) -> dict[str, Any]:
    """What a user knows of the rows, if anything, as hostile as the rows."""
    with np.errstate(all="ignore"):
        values = rng.uniform(0.5, 2, (rows, 1)) * 10.0 ** draw.choice(POWERS)
    name = draw.choice((*[None] * 6, "sample_weight", "y_error", "x_error", "groups"))
    if name is None:
        return {}
    if name == "groups":
        values = rng.integers(0, 3, (rows, 1))
    return {name: _dressed(draw, values)[:, 0] if name != "x_error" else _dressed(draw, values)[0, 0]}


def _dressed(draw: random.Random, X: Any) -> Any:
    """The same numbers as another kind of array, perhaps with a strange cell."""
    match draw.randrange(16):
        case 0:
            with np.errstate(all="ignore"):
                return X.astype(draw.choice((np.float16, np.float32, np.int64, bool, np.longdouble, ">f8")))
        case 1:
            X = X.astype(object)
            X[draw.randrange(len(X)), 0] = draw.choice(CELLS)
            return X
        case 2:
            return np.ma.array(X, mask=np.random.default_rng(0).random(X.shape) < 0.1)
        case 3:
            names = [draw.choice((*ESCAPES[:-1], *PAYLOADS, "x", "sin", "C")) + str(j) for j in range(X.shape[1])]
            return pd.DataFrame(X, columns=names).to_numpy() if draw.random() < 0.2 else X
        case 4:
            return np.asfortranarray(X)[::-1]
        case _:
            return X
