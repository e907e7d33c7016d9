"""The linear fit of logarithms: which factors a product has, and to which powers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

COLLINEAR = 1e-8  # share of a column outside the span of those before it, below which it is no news
KEEPS = 10.0  # nats that a factor has to save
ROUNDING = 1e-14  # of logarithms


@dataclass(frozen=True, slots=True, eq=False)
class LogFit:
    """Powers of some of the factors."""

    places: tuple[int, ...]
    powers: Floats  # (places,)
    errors: Floats  # (places,) standard errors
    rss: float


def fit_logarithms(logs: Floats, target: Floats) -> LogFit:
    """Least squares on lines `logs` and a constant, without the factors that do not shorten the description."""
    lines = np.vstack([np.ones(len(target)), logs])
    found = _solved(lines, target, _independent(lines))
    while found.places:
        strength = np.abs(found.powers) / np.maximum(found.errors, 1e-300)
        weakest = found.places[int(np.argmin(strength))]
        shorter = _solved(lines, target, tuple(place for place in found.places if place != weakest))
        if _data_length(shorter.rss, len(target)) > _data_length(found.rss, len(target)) + KEEPS:
            break
        found = shorter
    return found


def _independent(lines: Floats) -> tuple[int, ...]:
    """Places of lines, the constant not counted, outside the span of those before them."""
    sizes = np.sqrt((lines**2).sum(axis=1, keepdims=True))
    triangle = np.asarray(np.linalg.qr((lines / sizes).T, mode="r"))
    return tuple((np.flatnonzero(np.abs(np.diag(triangle))[1:] > COLLINEAR)).tolist())


def _solved(lines: Floats, target: Floats, places: tuple[int, ...]) -> LogFit:
    columns = lines[[0, *(place + 1 for place in places)]].T
    q, r = np.linalg.qr(columns)
    inverse = np.linalg.inv(r)
    weights = inverse @ (q.T @ target)
    left = target - columns @ weights
    rss = float(left @ left)
    variance = rss / max(len(target) - columns.shape[1], 1)
    errors = np.sqrt((inverse**2).sum(axis=1) * variance)
    return LogFit(places, weights[1:], errors[1:], rss)


def _data_length(rss: float, n_rows: int) -> float:
    return 0.5 * n_rows * float(np.log(rss / n_rows + ROUNDING**2))
