"""Expression trees of a given complexity, all equally likely: the paper's Algorithm 2, corrected.

Where the root of a tree with a unary operator is binary, the paper chooses the split of the complexity
as for trees without one. Here split and case (both sides, the left or the right one have a unary
operator) are drawn together, with the weights G G, G F and F G, without which trees are not equally
likely. Weights are whole numbers of any size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scalesr.expr.expression import Expression, apply, open_constant, variable
from scalesr_bench.analysis.counts import BINARY, UNARY, Counts, count_trees


def sample_tree(complexity: int, *, n_variables: int = 4, rng: np.random.Generator) -> Expression:
    """A valid tree over this many variables and a constant."""
    counts = count_trees(n_variables + 1, complexity)
    if draw([counts.without[complexity], counts.with_unary[complexity]], rng) == 0:
        return _without(complexity, counts, rng)
    return _with(complexity, counts, rng)


def draw(weights: Sequence[int], rng: np.random.Generator) -> int:
    """A place, with a probability proportional to its weight."""
    left = _below(sum(weights), rng)
    for place, weight in enumerate(weights):
        if left < weight:
            return place
        left -= weight
    raise ValueError("Weights have to be above 0 in sum.")


def _below(total: int, rng: np.random.Generator) -> int:
    """A whole number from 0 to below `total`, which may have more than 64 bits."""
    n_bits = total.bit_length()
    while True:
        value = int.from_bytes(rng.bytes((n_bits + 7) // 8)) & ((1 << n_bits) - 1)
        if value < total:
            return value


def _without(complexity: int, counts: Counts, rng: np.random.Generator) -> Expression:
    """A tree without a unary operator (the paper's SampleNU)."""
    if complexity == 0:
        return _terminal(counts.n_terminals, rng)
    f = counts.without
    left = draw([f[j] * f[complexity - 2 - j] for j in range(complexity - 1)], rng)
    operator = BINARY[int(rng.integers(len(BINARY)))]
    return apply(operator, _without(left, counts, rng), _without(complexity - 2 - left, counts, rng))


def _with(complexity: int, counts: Counts, rng: np.random.Generator) -> Expression:
    """A tree with a unary operator (SampleU)."""
    f, g = counts.without, counts.with_unary
    n_unary_roots = len(UNARY) * f[complexity - 1]
    if draw([n_unary_roots, g[complexity] - n_unary_roots], rng) == 0:
        return apply(UNARY[int(rng.integers(len(UNARY)))], _without(complexity - 1, counts, rng))
    splits = [(j, complexity - 2 - j) for j in range(complexity - 1)]
    weights = [weight for j, k in splits for weight in (g[j] * g[k], g[j] * f[k], f[j] * g[k])]
    place, case = divmod(draw(weights, rng), 3)
    left, right = splits[place]
    operator = BINARY[int(rng.integers(len(BINARY)))]
    return apply(
        operator,
        (_without if case == 2 else _with)(left, counts, rng),
        (_without if case == 1 else _with)(right, counts, rng),
    )


def _terminal(n_terminals: int, rng: np.random.Generator) -> Expression:
    """A variable, or the constant."""
    place = int(rng.integers(n_terminals))
    return open_constant() if place == n_terminals - 1 else variable(place)
