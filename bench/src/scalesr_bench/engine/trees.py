"""Random formulas of a given size, for measuring speed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from scalesr.expr.expression import Expression, apply, constant, variable

ARITHMETIC: Final = ("+", "-", "*", "/")
FUNCTIONS: Final = ("sin", "cos", "exp", "log", "sqrt", "tanh")
SIZES: Final = (15, 25)  # nodes, leaves included: 20 on average
FUNCTION_SHARE: Final = 1 / 3  # of the operators in a mixed tree
VARIABLE_SHARE: Final = 0.7  # of the leaves


def random_trees(*, n_columns: int, mixed: bool, rng: np.random.Generator) -> Iterator[Expression]:
    """Endless random trees: arithmetic only, or `mixed` with functions."""
    low, high = SIZES
    while True:
        size = int(rng.integers(low, high + 1))
        yield _grow(size if mixed else size | 1, n_columns, FUNCTION_SHARE if mixed else 0.0, rng)


def _grow(size: int, n_columns: int, function_share: float, rng: np.random.Generator) -> Expression:
    """A tree of exactly `size` nodes; without functions the size is odd."""
    if size == 1:
        if rng.random() < VARIABLE_SHARE:
            return variable(int(rng.integers(n_columns)))
        return constant(rng.uniform(0.5, 2.0))
    if size == 2 or rng.random() < function_share:
        return apply(str(rng.choice(FUNCTIONS)), _grow(size - 1, n_columns, function_share, rng))
    step = 1 if function_share else 2
    left = int(rng.choice(np.arange(1, size - 1, step)))
    return apply(
        str(rng.choice(ARITHMETIC)),
        _grow(left, n_columns, function_share, rng),
        _grow(size - 1 - left, n_columns, function_share, rng),
    )
