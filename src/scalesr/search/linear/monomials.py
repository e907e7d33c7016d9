"""Monomials with whole exponents, negative ones too: the terms above and below the bar of a ratio."""

from __future__ import annotations

from functools import lru_cache, reduce
from itertools import product

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.search.linear.config import LINEAR

Exponents = tuple[int, ...]


@lru_cache(64)
def polynomial_exponents(n_variables: int, degree: int) -> tuple[Exponents, ...]:
    """All monomials up to a degree, the simplest first."""
    return tuple(sorted(_up_to(n_variables, degree), key=_order))


@lru_cache(64)
def laurent_exponents(n_variables: int, degree: int) -> tuple[Exponents, ...]:
    """All monomials with exponents -2 to 2 whose sizes add up to at most `degree`, the simplest first."""
    found = {
        tuple(sign * e for sign, e in zip(signs, exponents, strict=True))
        for exponents in _up_to(n_variables, degree)
        if max(exponents) <= LINEAR.largest_negative_exponent
        for signs in product(*((1, -1) if e else (1,) for e in exponents))
    }
    return tuple(sorted(found, key=_order))


def n_laurent(n_variables: int, degree: int) -> int:
    """How many these are, which is known before they are made: in many variables there is no room for them."""
    counts = [1, *[0] * degree]  # by degree
    for _ in range(n_variables):
        counts = [
            counts[k] + 2 * sum(counts[max(k - LINEAR.largest_negative_exponent, 0) : k]) for k in range(degree + 1)
        ]
    return sum(counts)


def _up_to(n_variables: int, degree: int) -> set[Exponents]:
    layer = {(0,) * n_variables}
    found = set(layer)
    for _ in range(degree):
        layer = {(*one[:j], one[j] + 1, *one[j + 1 :]) for one in layer for j in range(n_variables)}
        found |= layer
    return found


def _order(exponents: Exponents) -> tuple[int, int, Exponents]:
    """Small powers first, of equal ones those without quotients."""
    sizes = [abs(e) for e in exponents]
    return sum(sizes), sum(e < 0 for e in exponents), tuple(-e for e in exponents)


def monomial_values(exponents: tuple[Exponents, ...], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values (monomials, rows) on columns (variables, rows)."""
    values = np.ones((len(exponents), columns.shape[1]))
    powers = np.array(exponents).reshape(len(exponents), len(columns))
    with np.errstate(all="ignore"):
        for column, line in zip(columns, powers.T, strict=True):
            for e in np.unique(line[line != 0]).tolist():
                values[line == e] *= column**e
    return values


@lru_cache(4096)  # ratios are made of the same few again and again
def monomial(exponents: Exponents) -> Expression:
    """The monomial as a formula: a product over a product."""
    above = [_power(j, e) for j, e in enumerate(exponents) if e > 0]
    below = [_power(j, -e) for j, e in enumerate(exponents) if e < 0]
    over = _product(above) if above else constant(1.0)
    return apply("/", over, _product(below)) if below else over


def _power(column: int, exponent: int) -> Expression:
    return variable(column) if exponent == 1 else apply("powi", variable(column), power=exponent)


def _product(factors: list[Expression]) -> Expression:
    return reduce(lambda left, right: apply("*", left, right), factors)
