"""The linear fit of logarithms: which factors a product has, and to which powers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.reduce.sparse.config import SPARSE

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LogFit:
    """Powers of some of the factors."""

    places: tuple[int, ...]
    powers: Floats  # (places,)
    errors: Floats  # (places,) standard errors
    rss: float


def fit_logarithms(logs: Floats, target: Floats, roots: Floats) -> list[LogFit]:
    """Weighted least squares on lines `logs` and a constant: from all factors down, and from none up and down again.

    `roots` (rows,) are the square roots of the weights.
    """
    lines = np.vstack([np.ones(len(target)), logs, target]) * (roots / np.sqrt((roots**2).mean()))
    triangle = np.asarray(np.linalg.qr(lines.T, mode="r"), np.float64)  # has the same sums of squares in few rows
    columns, goal, n_rows = triangle[:, :-1], triangle[:, -1], len(target)
    starts = [_grown(columns, goal, n_rows)]
    if len(logs) <= SPARSE.max_stripped:
        starts.insert(0, _independent(columns))
    return [_stripped(columns, goal, start, n_rows) for start in starts]


def _stripped(columns: Floats, goal: Floats, places: tuple[int, ...], n_rows: int) -> LogFit:
    """Without the factors that do not shorten the description."""
    found = _solved(columns, goal, places, n_rows)
    while found.places:
        strength = np.abs(found.powers) / np.maximum(found.errors, 1e-300)
        weakest = found.places[int(np.argmin(strength))]
        shorter = _solved(columns, goal, tuple(place for place in found.places if place != weakest), n_rows)
        if _data_length(shorter.rss, n_rows) > _data_length(found.rss, n_rows) + SPARSE.factor_gain:
            break
        found = shorter
    return found


def _grown(columns: Floats, goal: Floats, n_rows: int) -> tuple[int, ...]:
    """Factors taken in one by one, each time the one that helps most, as long as they shorten the description."""
    chosen: list[int] = [0]
    while len(chosen) <= SPARSE.max_grown:
        q, _ = np.linalg.qr(columns[:, chosen])
        left = goal - q @ (q.T @ goal)
        lengths = (columns**2).sum(axis=0)
        outside = lengths - ((q.T @ columns) ** 2).sum(axis=0)
        is_news = outside > SPARSE.linearly_dependent * lengths
        falls = np.divide((left @ columns) ** 2, outside, out=np.zeros_like(lengths), where=is_news)
        rss, best = float(left @ left), int(np.argmax(falls))
        if _data_length(rss, n_rows) < _data_length(max(rss - float(falls[best]), 0.0), n_rows) + SPARSE.factor_gain:
            break
        chosen.append(best)
    return tuple(place - 1 for place in chosen[1:])


def _independent(columns: Floats) -> tuple[int, ...]:
    """Places of triangular columns, the constant not counted, outside the span of those before them."""
    sizes = np.sqrt((columns**2).sum(axis=0))
    return tuple((np.flatnonzero(np.abs(np.diag(columns))[1:] > SPARSE.linearly_dependent * sizes[1:])).tolist())


def _solved(columns: Floats, goal: Floats, places: tuple[int, ...], n_rows: int) -> LogFit:
    chosen = columns[:, [0, *(place + 1 for place in places)]]
    q, r = np.linalg.qr(chosen)
    inverse = np.linalg.inv(r)
    weights = inverse @ (q.T @ goal)
    left = goal - chosen @ weights
    rss = float(left @ left)
    variance = rss / max(n_rows - len(weights), 1)
    errors = np.sqrt((inverse**2).sum(axis=1) * variance)
    return LogFit(places, weights[1:], errors[1:], rss)


def _data_length(rss: float, n_rows: int) -> float:
    return 0.5 * n_rows * float(np.log(rss / n_rows + SPARSE.logarithm_rounding**2))
