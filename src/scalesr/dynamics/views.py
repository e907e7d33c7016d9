"""Views: the target of a state seen so that less is left to find; the trajectories decide whether that was right.

Much that moves decays by itself, x' = c*x + g(the rest), or grows in proportion, x' = x*g. The rest
has fewer columns, or is simpler.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.substitute import substitute
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

HIGHEST = 24  # degree of the polynomials that stand for the rest
MOST_TERMS = 300
ALMOST = 0.02  # of the target's standard deviation: what one column may leave unexplained to be looked at alone
APART = 1e-3  # of the largest size of a state: where it comes nearer to 0, nothing is divided by it


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Another dataset, and how its law becomes one of the original."""

    name: str
    data: Dataset
    restore: Callable[[Expression], Expression]


def views(data: Dataset, own: int) -> Iterator[View]:
    """Views of a table whose target is the rate of column `own`."""
    x = data.columns[own]
    if data.n_variables > 1:
        rest = _telling_columns(data, own)
        c = own_coefficient(data.select([own, *rest]), 0)
        if np.isfinite(c) and c != 0:
            name = f"{data.target} less a share of {data.names[own]}"
            left = data.select(rest).with_target(data.y - c * x, name)
            yield View(name, left, lambda law: apply("+", apply("*", constant(c), variable(own)), _back(law, rest)))
    if np.abs(x).min() > APART * np.abs(x).max():
        name = f"{data.target} over {data.names[own]}"
        shares = Dataset(data.columns, data.y / x, data.names, name, x**2 / np.mean(x**2))
        yield View(name, shares, lambda law: apply("*", variable(own), law))


def _telling_columns(data: Dataset, own: int) -> list[int]:
    """The one other column that with a share of its own explains a rate almost alone, or all others."""
    rest = [j for j in range(data.n_variables) if j != own]
    left = []
    for j in rest:
        basis = np.column_stack([data.columns[own], _polynomials(data.columns[j : j + 1])])
        left.append(float(np.std(data.y - basis @ np.linalg.lstsq(basis, data.y, rcond=1e-10)[0])))
    best = int(np.argmin(left))
    return [rest[best]] if len(rest) > 1 and left[best] < ALMOST * data.std else rest


def own_coefficient(data: Dataset, own: int) -> float:
    """The share of a column in the target, with all that polynomials of the others explain taken out of both."""
    others = np.delete(data.columns, own, axis=0)
    basis = _polynomials(others)
    both = np.stack([data.columns[own], data.y], axis=1)
    left = both - basis @ np.linalg.lstsq(basis, both, rcond=1e-10)[0]
    size = float(left[:, 0] @ left[:, 0])
    return float(left[:, 0] @ left[:, 1]) / size if size > 0 else 0.0


def _polynomials(columns: Floats) -> Floats:
    """Low powers and products of columns, (rows, terms)."""
    low, width = columns.min(axis=1, keepdims=True), np.ptp(columns, axis=1, keepdims=True)
    scaled = 2 * (columns - low) / np.where(width > 0, width, 1.0) - 1
    powers = legvander(scaled, HIGHEST)  # (columns, rows, degrees)
    most = min(MOST_TERMS, columns.shape[1] // 8)
    terms = [np.ones(columns.shape[1])]
    for degree in range(1, HIGHEST + 1):
        for places in combinations_with_replacement(range(len(columns)), degree):
            if len(terms) >= most:
                return np.stack(terms, axis=1)
            counts = Counter(places)
            terms.append(np.prod([powers[j, :, count] for j, count in counts.items()], axis=0))
    return np.stack(terms, axis=1)


def _back(law: Expression, places: list[int]) -> Expression:
    """A law of some columns as one of all."""
    return substitute(law, {j: variable(place) for j, place in enumerate(places)})
