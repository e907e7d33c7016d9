"""Ratios of low polynomials with all their terms, stripped of those that the rows do not miss."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
from numpy.typing import NDArray

from scalesr.records.sweep import Sweep
from scalesr.search.linear.growth import Grower, Ratio
from scalesr.search.linear.monomials import Exponents, monomial_values, polynomial_exponents
from scalesr.search.linear.relations import Relation

Floats = NDArray[np.float64]

DEGREES = ((1, 1), (2, 1), (2, 2), (3, 2))  # above and below the bar
MAX_CONSTANTS = 30
ROUNDS = 4  # of weights that turn the error of a relation into one of the ratio


def low_ratios(sweep: Sweep) -> Iterator[Relation]:
    """Ratios of polynomials, the lowest degrees first."""
    n = sweep.n_variables
    for high, low in DEGREES:
        if comb(n + high, high) + comb(n + low, low) - 1 <= min(MAX_CONSTANTS, sweep.n_rows // 4):
            yield from _stripped(polynomial_exponents(n, high), polynomial_exponents(n, low), sweep)


def _stripped(above: tuple[Exponents, ...], below: tuple[Exponents, ...], sweep: Sweep) -> Iterator[Relation]:
    """The best of the ratios that are met when the least certain term is taken out again and again."""
    weights = _null_vector(above, below, sweep)
    if weights is None:
        return
    unit = len(above) + int(np.argmax(np.abs(weights[len(above) :])))
    every = [_over((*above, *below)[place], below[unit - len(above)]) for place in range(len(weights))]
    names = tuple(dict.fromkeys(every))
    grower = Grower(names, sweep)
    if len(grower.exponents) < len(names):
        return  # some quotient has no values
    places = [names.index(one) for one in every]
    found = grower.fitted(
        tuple(places[: len(above)]), tuple(place for k, place in enumerate(places) if len(above) <= k != unit)
    )  # fmt: skip
    yield from grower.relations(_best_on_the_way(grower, found))


def _best_on_the_way(grower: Grower, found: Ratio) -> Ratio:
    best = found
    while len(found.constants) > 2 and np.isfinite(found.length):
        certainty = np.abs(found.constants) / np.where(np.isfinite(found.errors), found.errors, np.inf)
        order = np.argsort(certainty, kind="stable")
        found = grower.without(found, int(order[0]))
        best = found if found.length < best.length else best
    return best


def _null_vector(above: tuple[Exponents, ...], below: tuple[Exponents, ...], sweep: Sweep) -> Floats | None:
    """Weights, times the size of each column, for which sum a m - y sum b m is smallest in units of the ratio."""
    up, down = monomial_values(above, sweep.columns), monomial_values(below, sweep.columns)
    with np.errstate(all="ignore"):
        table = np.vstack([up, -down * sweep.y])
        sizes = np.sqrt((table**2).mean(axis=1))
    if not (np.isfinite(sizes).all() and (sizes > 0).all()):
        return None
    units = sweep.weighed(table / sizes[:, np.newaxis])
    over = np.ones(sweep.n_rows)
    for _ in range(ROUNDS):
        weights = np.linalg.svd((units / over).T, full_matrices=False)[2][-1]
        over = np.abs((weights[len(above) :] / sizes[len(above) :]) @ down)
        over = np.maximum(over / np.median(over), 1e-3)
    return np.asarray(weights)


def _over(one: Exponents, unit: Exponents) -> Exponents:
    return tuple(e - u for e, u in zip(one, unit, strict=True))
