"""Variation: pure functions from formulas to formulas, and the choice of parents.

Every result is one whole tree in which constants without a variable between them are folded into
one. It may be larger than its parents, or nest functions: ask `Limits.allow`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.kernels.codes import LAST_LEAF, OPEN, POW, POWI, VARIABLE
from scalesr.search.genetic.config import GENETIC
from scalesr.search.genetic.symbols import Symbols, pick, random_exponent, random_expression
from scalesr.search.genetic.trees import (
    OPEN_NODE,
    Node,
    nesting,
    replaced,
    skeleton,
    starts,
    subtree,
    with_constants_folded,
)


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """How large a formula may become."""

    max_nodes: int = 30
    max_open: int = 10
    nesting: int = 1  # functions inside one another; powers, roots and signs do not count

    def scaled(self, share: float) -> SizeLimits:
        """Limits on a share of the nodes, and on the square of that share of the open constants."""
        return SizeLimits(math.ceil(share * self.max_nodes), math.ceil(share**2 * self.max_open), self.nesting)

    def allow(self, expr: Expression) -> bool:
        """Whether a formula is within the limits and has a variable."""
        return (
            expr.n_nodes <= self.max_nodes
            and expr.n_open <= self.max_open
            and bool((expr.codes == VARIABLE).any())
            and nesting(expr) <= self.nesting
        )


def tournament(
    scores: NDArray[np.float64], n_winners: int, rng: np.random.Generator, *, size: int = 5
) -> NDArray[np.int64]:
    """Places of the winners, each the lowest score among `size` drawn with replacement."""
    entrants = rng.integers(len(scores), size=(n_winners, size))
    best = np.argmin(scores[entrants], axis=1)
    return np.asarray(entrants[np.arange(n_winners), best], np.int64)


def crossover(a: Expression, b: Expression, rng: np.random.Generator) -> Expression:
    """`a` with one of its subtrees exchanged for one of `b`."""
    return with_constants_folded(replaced(a, _place(a, rng), subtree(b, _place(b, rng))))


def mutate_subtree(expr: Expression, symbols: Symbols, rng: np.random.Generator, *, depth: int = 3) -> Expression:
    """A subtree exchanged for a random one of at most `depth` levels."""
    return with_constants_folded(replaced(expr, _place(expr, rng), random_expression(symbols, rng, depth=depth)))


def mutate_point(expr: Expression, symbols: Symbols, rng: np.random.Generator) -> Expression:
    """One node exchanged for another with as many operands; real powers stay."""
    root = pick(_places(expr), rng)
    code, arg, arity = int(expr.codes[root]), int(expr.args[root]), expr.arities()[root]
    if arity == 0:
        return with_constants_folded(replaced(expr, root, skeleton([_other_leaf(code, arg, symbols, rng)])))
    choices = [node for node in (symbols.unary if arity == 1 else symbols.binary) if node != (code, arg)]
    if code == POWI:
        choices += [(POWI, power) for power in (arg - 1, arg + 1) if 1 < abs(power) <= GENETIC.top_power]
    if code == POW or not choices:
        return expr
    codes, args = expr.codes.copy(), expr.args.copy()
    codes[root], args[root] = pick(choices, rng)
    return Expression(codes, args, expr.constants)


def mutate_insert(expr: Expression, symbols: Symbols, rng: np.random.Generator) -> Expression:
    """A random operator put above a node; a second operand is a constant or a small formula."""
    root = pick(_places(expr), rng)
    below = subtree(expr, root)
    tails = [*symbols.unary, *symbols.binary, *([(POW, 0)] if symbols.has_power else [])]
    if not tails:
        return expr
    above = pick(tails, rng)
    return with_constants_folded(replaced(expr, root, _above(below, above, symbols, rng)))


def mutate_shrink(expr: Expression, symbols: Symbols, rng: np.random.Generator) -> Expression:
    """A subtree exchanged for a leaf."""
    leaf = _other_leaf(OPEN, 0, symbols, rng) if rng.random() > GENETIC.open_share else OPEN_NODE
    return with_constants_folded(replaced(expr, _place(expr, rng), skeleton([leaf])))


def mutate_hoist(expr: Expression, rng: np.random.Generator) -> Expression:
    """A subtree exchanged for a part of itself, so that an operator above it goes."""
    operators = _operators(expr)
    if not operators:
        return expr
    root = pick(operators, rng)
    first = starts(expr)[root]
    inside = first + int(rng.random() * (root - first))
    return with_constants_folded(replaced(expr, root, subtree(expr, inside)))


def _above(below: Expression, above: Node, symbols: Symbols, rng: np.random.Generator) -> Expression:
    """An operator over a formula and whatever else it needs."""
    template: list[Node] = [(VARIABLE, 0), above]
    if above[0] == POW:
        template.insert(1, random_exponent(symbols, rng))
        return replaced(skeleton(template), 0, below)
    if above in symbols.unary:
        return replaced(skeleton(template), 0, below)
    operand = skeleton([OPEN_NODE]) if rng.random() < GENETIC.open_share else random_expression(symbols, rng, depth=2)
    whole = skeleton([(VARIABLE, 0), (VARIABLE, 0), above])
    first, second = (below, operand) if rng.random() < 0.5 else (operand, below)
    return replaced(replaced(whole, 1, second), 0, first)


def _other_leaf(code: int, column: int, symbols: Symbols, rng: np.random.Generator) -> Node:
    """A leaf that is not this one: an open constant counts as much as a variable."""
    choices: list[Node] = [(VARIABLE, j) for j in range(symbols.n_variables) if (code, column) != (VARIABLE, j)]
    return pick([*choices, OPEN_NODE] if code != OPEN else choices, rng)


def _place(expr: Expression, rng: np.random.Generator) -> int:
    """A place in a tree, more often an operator's than a leaf's."""
    inner = _operators(expr)
    return pick(inner if inner and rng.random() < GENETIC.inner_share else _places(expr), rng)


def _operators(expr: Expression) -> list[int]:
    return np.flatnonzero(expr.codes > LAST_LEAF).tolist()


def _places(expr: Expression) -> list[int]:
    """All places but those of the leaves that are exponents."""
    codes = expr.codes.tolist()
    return [
        place
        for place, code in enumerate(codes)
        if code > LAST_LEAF or place + 1 == len(codes) or codes[place + 1] != POW
    ]
