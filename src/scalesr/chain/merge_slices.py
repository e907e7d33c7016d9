"""Merge slices: products of the variables' own functions, of which the rows choose.

Where a law is linear in the coefficients of each variable's curves, these coefficients are sums of
the other variables' functions: the law is a sum of products, and only which products is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod

import numpy as np

from scalesr.chain.config import CHAIN
from scalesr.chain.seeker import Select
from scalesr.chain.span import left_by_span, usable_terms
from scalesr.expr.expression import Expression, apply
from scalesr.records.dataset import Dataset

MOST_PRODUCTS = {2: 1500, 3: 600}  # by the number of variables in a product

Functions = Mapping[int, Sequence[Expression]]  # by variable, the likely ones first


def merge_slices(functions: Functions, data: Dataset, noise: float, select: Select) -> Iterator[list[Expression]]:
    """Closed sums of products of the variables' functions, the best first, for each library that can do it.

    A library that leaves more of the target than the generator's error, `noise`, lacks a function.
    """
    for n_together, most in MOST_PRODUCTS.items():
        chosen = _that_fit(functions, n_together, min(most, data.n_rows // CHAIN.rows_per_function))
        if chosen is None or n_together > max(len(functions), 2):
            continue
        terms = usable_terms(products(chosen, n_together), data)
        if left_by_span(terms, data) <= CHAIN.library_enough * noise + CHAIN.library_rounding * float(
            np.abs(data.y).max()
        ):
            yield select(terms, data)


def products(functions: Functions, n_together: int) -> list[Expression]:
    """Products of functions of up to this many different variables."""
    found: list[Expression] = []
    for variables in _subsets(functions, n_together):
        for factors in product(*(functions[variable] for variable in variables)):
            whole = factors[0]
            for factor in factors[1:]:
                whole = apply("*", whole, factor)
            found.append(whole)
    return found


def _that_fit(functions: Functions, n_together: int, room: int) -> Functions | None:
    """As many functions of each variable as leave no more products than there is room for."""
    for most in range(max(map(len, functions.values())), 0, -1):
        chosen = {variable: own[:most] for variable, own in functions.items()}
        n_products = sum(prod(len(chosen[v]) for v in variables) for variables in _subsets(chosen, n_together))
        if n_products <= room:
            return chosen
    return None


def _subsets(functions: Functions, n_together: int) -> Iterator[tuple[int, ...]]:
    for n in range(1, n_together + 1):
        yield from combinations(functions, n)
