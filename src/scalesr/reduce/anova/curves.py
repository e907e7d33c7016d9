"""A curve as a sum of few functions: sums are followed side by side, and rates fitted at every length."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from scalesr.reduce.anova.config import ANOVA
from scalesr.reduce.anova.functions import RATES, CurveFunction, has_size

Floats = NDArray[np.float64]
Sum = tuple[CurveFunction, ...]


def sums_of_functions(
    x: Floats, curve: Floats, candidates: Sequence[CurveFunction], *, most: int, error: float
) -> list[tuple[float, Sum]]:
    """The best sums of each length up to `most` with their description lengths; `error` is the curve's own."""
    candidates = [one for one in candidates if has_size(one.values(x))]
    if not candidates:
        return []
    table = np.array([one.values(x) for one in candidates])
    table = table / np.sqrt((table**2).mean(axis=1, keepdims=True))
    beam: list[Sum] = [()]
    found: list[tuple[float, Sum]] = []
    for _ in range(most):
        fits = sorted(
            (_fitted(x, curve, one) for one in _longer(beam, x, curve, candidates, table)), key=lambda f: f[0]
        )
        found += [(_length(left, len(x), error, one), one) for left, one in fits]
        beam = [one for _, one in fits]
        if not fits or fits[0][0] < len(x) * error**2:
            break
    return found


def like(x: Floats, curve: Floats, candidates: Sequence[CurveFunction]) -> list[CurveFunction]:
    """Functions that a curve may be up to a line: the plain ones that come closest, and the closest with a rate."""
    kinds = ([one for one in candidates if one.rate is None], [one for one in candidates if one.rate is not None])
    sums = [sums_of_functions(x, curve, some, most=1, error=0.0) for some in kinds if some]
    return [one for some in sums for _, (one,) in sorted(some, key=lambda pair: pair[0])[: ANOVA.n_alike]]


def _longer(
    beam: Sequence[Sum], x: Floats, curve: Floats, candidates: Sequence[CurveFunction], table: Floats
) -> list[Sum]:  # fmt: skip
    """Sums with one function more, the best first; of up to two functions all sums of plain ones are followed."""
    found: dict[Sum, float] = {}
    for functions in beam:
        q, _ = np.linalg.qr(_design(x, functions))
        left = curve - q @ (q.T @ curve)
        outside = table - (table @ q) @ q.T
        lengths = (outside**2).sum(axis=1)
        is_new = lengths > ANOVA.linearly_dependent * len(curve)
        falls = np.divide((outside @ left) ** 2, lengths, out=np.zeros(len(table)), where=is_new)
        n_rates = sum(one.rate is not None for one in functions)
        best: dict[str, int] = {}  # of each kind the best rate alone: its neighbours are fitted to the same
        for k in np.argsort(falls).tolist():
            if candidates[k].rate is None or n_rates < ANOVA.most_rates:
                best[candidates[k].text] = k
        for k in best.values():
            found[*functions, candidates[k]] = float(left @ left) - float(falls[k])
    length = len(beam[0]) + 1
    plain = combinations((one for one in candidates if one.rate is None), length) if length <= ANOVA.all_plain else ()
    return list(dict.fromkeys([*sorted(found, key=lambda one: found[one])[: ANOVA.beam], *plain]))


def _fitted(x: Floats, curve: Floats, functions: Sum) -> tuple[float, Sum]:
    """The sum with its rates fitted, and what it leaves."""
    places = [k for k, one in enumerate(functions) if one.rate is not None]

    def at(logs: Floats) -> Sum:
        moved = list(functions)
        for k, log in zip(places, logs.tolist(), strict=True):
            moved[k] = functions[k].at(float(np.exp(log)))
        return tuple(moved)

    def left(logs: Floats) -> Floats:
        q, _ = np.linalg.qr(_design(x, at(logs)))
        return np.asarray(curve - q @ (q.T @ curve))

    start = np.log([functions[k].rate or 1.0 for k in places])
    if places:
        start = least_squares(left, start, xtol=1e-12, ftol=1e-12, gtol=1e-14, max_nfev=30).x
    residual, width = left(start), float(np.ptp(x))
    is_line = (np.exp(start) * width < RATES[0] / 2).any()  # a wave or an exponential that slow says nothing of its own
    return np.inf if is_line else float(residual @ residual), at(start)


def _design(x: Floats, functions: Sum) -> Floats:
    """A constant and functions as columns of size 1, (rows, functions + 1)."""
    design = np.column_stack([np.ones(len(x)), *(one.values(x) for one in functions)])
    return np.asarray(design / np.sqrt((design**2).mean(axis=0) + np.finfo(np.float64).tiny))


def _length(rss: float, n_points: int, error: float, functions: Sum) -> float:
    """Description length of a sum, in nats."""
    n_rates = sum(one.rate is not None for one in functions)
    fit = 0.5 * n_points * float(np.log(rss / n_points + error**2))
    return fit + ANOVA.per_function * len(functions) + ANOVA.per_rate * n_rates
