"""Ratios of low polynomials with all their terms, stripped of those that the rows do not miss.

The relation sum a m = y sum b m has the noise of the target in its right-hand columns, and least squares would
make these small. So it is asked to hold on average, against many functions of the variables alone: noise has no
part in these averages, and what is left of it falls with the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import comb

import numpy as np
from numpy.typing import NDArray

from scalesr.records.sweep import Sweep
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.growth import Grower, Ratio
from scalesr.search.linear.monomials import Exponents, monomial_values, polynomial_exponents
from scalesr.search.linear.relations import LinearRelation

Floats = NDArray[np.float64]

DEGREES = ((1, 1), (2, 1), (2, 2), (3, 2))  # above and below the bar


def low_ratios(sweep: Sweep) -> Iterator[LinearRelation]:
    """Ratios of polynomials, the lowest degrees first."""
    n = sweep.n_variables
    for high, low in DEGREES:
        if comb(n + high, high) + comb(n + low, low) - 1 <= min(LINEAR.max_constants, sweep.n_rows // 4):
            yield from _stripped(polynomial_exponents(n, high), polynomial_exponents(n, low), sweep)


def _stripped(above: tuple[Exponents, ...], below: tuple[Exponents, ...], sweep: Sweep) -> Iterator[LinearRelation]:
    """The best of the ratios that are left when the least certain term is taken out again and again."""
    relation = _null_vector(above, below, sweep)
    if relation is None:
        return
    weights, sizes = relation
    unit = len(above) + int(np.argmax(np.abs(weights[len(above) :] * sizes[len(above) :])))
    every = [_over((*above, *below)[place], below[unit - len(above)]) for place in range(len(weights))]
    names = tuple(dict.fromkeys(every))
    grower = Grower(names, sweep)
    if len(grower.exponents) < len(names):
        return  # some quotient has no values
    places = [names.index(one) for one in every]
    found = grower.fitted(
        tuple(places[: len(above)]),
        tuple(place for k, place in enumerate(places) if len(above) <= k != unit),
        np.delete(weights, unit) / weights[unit],
    )
    yield from grower.relations(_best_on_the_way(grower, found))


def _best_on_the_way(grower: Grower, found: Ratio) -> Ratio:
    best = found
    while len(found.constants) > 2 and np.isfinite(found.length):
        certainty = np.abs(found.constants) / np.where(np.isfinite(found.errors), found.errors, np.inf)
        order = np.argsort(certainty, kind="stable")
        found = grower.without(found, int(order[0]))
        best = found if found.length < best.length else best
    return best


def _null_vector(
    above: tuple[Exponents, ...], below: tuple[Exponents, ...], sweep: Sweep
) -> tuple[Floats, Floats] | None:
    """Weights a and b for which sum a m - y sum b m is smallest in units of the ratio, and the sizes of the columns."""
    up, down = monomial_values(above, sweep.columns), monomial_values(below, sweep.columns)
    with np.errstate(all="ignore"):
        table = np.vstack([up, -down * sweep.y])
        sizes = np.sqrt((table**2).mean(axis=1))
    if not (np.isfinite(sizes).all() and (sizes > 0).all()):
        return None
    units, against = sweep.weighed(table / sizes[:, np.newaxis]), _instruments(sweep, len(table))
    under = sweep.weighed(down / sizes[len(above) :, np.newaxis])
    over = np.ones(sweep.n_rows)
    try:
        for _ in range(LINEAR.weighting_rounds):
            weights = _least(against.T @ (units / over).T, (under / over).T, len(above))
            over = np.abs((weights[len(above) :] / sizes[len(above) :]) @ down)
            over = np.maximum(over / np.median(over), 1e-3)
    except np.linalg.LinAlgError:
        return None
    return np.asarray(weights / sizes), sizes


def _least(table: Floats, under: Floats, n_above: int) -> Floats:
    """The weights with the smallest sum against that of the terms below the bar, which noise adds to in proportion."""
    triangle, size = (np.asarray(np.linalg.qr(part, mode="r"), np.float64) for part in (table, under))
    inner = np.linalg.solve(size.T, triangle[n_above:, n_above:].T).T
    below = np.linalg.solve(size, np.linalg.svd(inner)[2][-1])
    above = -np.linalg.solve(triangle[:n_above, :n_above], triangle[:n_above, n_above:] @ below)
    return np.concatenate([above, below])


def _instruments(sweep: Sweep, n_columns: int) -> Floats:  # (rows, functions)
    """Orthonormal functions of the variables, more than a relation has columns."""
    n = sweep.n_variables
    most = max(min(LINEAR.max_instruments, sweep.n_rows // 4), n_columns)
    degree = next(d for d in count(1) if comb(n + d + 1, d + 1) > most and comb(n + d, d) >= n_columns)
    centred = sweep.columns - sweep.columns.mean(axis=1, keepdims=True)
    values = monomial_values(polynomial_exponents(n, degree), centred / centred.std(axis=1, keepdims=True))
    return np.asarray(np.linalg.qr(sweep.weighed(values).T)[0])


def _over(one: Exponents, unit: Exponents) -> Exponents:
    return tuple(e - u for e, u in zip(one, unit, strict=True))
