"""Symbols: what random formulas are made of, and how one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import POW, POWI, SQRT, VARIABLE
from scalesr.search.genetic.config import GENETIC
from scalesr.search.genetic.trees import OPEN_NODE, Node, skeleton

POWERS: Final = (2, 3)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Symbols:
    """The nodes a random formula may have. Make them with `over`.

    An open constant is an operand of a binary operator or an exponent, nothing else.
    """

    binary: tuple[Node, ...]  # without real powers
    unary: tuple[Node, ...]  # with integer powers
    n_variables: int
    nesting: int = 1  # functions inside one another; powers, roots and signs do not count
    has_power: bool = False  # real exponents: an open constant or, of several, a variable

    @classmethod
    def over(cls, operators: Operators, n_variables: int, *, nesting: int = 1) -> Symbols:
        """The symbols of an operator set."""
        rows = [row for row in operators if row.code not in (POW, POWI)]
        powers = tuple((POWI, power) for power in POWERS) if "powi" in operators else ()
        return cls(
            tuple((row.code, 0) for row in rows if row.arity == 2),
            powers + tuple((row.code, 0) for row in rows if row.arity == 1),
            n_variables,
            nesting,
            "^" in operators,
        )

    def unary_within(self, nesting: int) -> tuple[Node, ...]:
        """The unary nodes that may stand above `nesting` free levels of functions."""
        return self.unary if nesting > 0 else tuple(node for node in self.unary if not is_function(node))


def is_function(node: Node) -> bool:
    """Whether a unary node counts in the nesting of functions."""
    return node[0] > SQRT


def pick(items: Sequence[T], rng: np.random.Generator) -> T:
    """One of the items, all equally likely."""
    return items[int(rng.random() * len(items))]


def random_expression(symbols: Symbols, rng: np.random.Generator, *, depth: int, full: bool = False) -> Expression:
    """A random skeleton of at most `depth` levels, not counting constants; `full` grows every branch to the end."""
    nodes: list[Node] = []
    _grow(nodes, symbols, rng, depth, symbols.nesting, full)
    return skeleton(nodes)


def random_variable(symbols: Symbols, rng: np.random.Generator) -> Node:
    """One of the variables."""
    return VARIABLE, int(rng.random() * symbols.n_variables)


def random_exponent(symbols: Symbols, rng: np.random.Generator) -> Node:
    """An open constant, or at times a variable where there are several."""
    if symbols.n_variables > 1 and rng.random() < 0.3:
        return random_variable(symbols, rng)
    return OPEN_NODE


def _grow(nodes: list[Node], symbols: Symbols, rng: np.random.Generator, depth: int, nesting: int, full: bool) -> None:
    """Append a random subtree that has at least one variable."""
    unary = symbols.unary_within(nesting)
    stops = depth <= 1 or (not full and rng.random() < GENETIC.leaf_share)
    if stops or not (unary or symbols.binary or symbols.has_power):
        nodes.append(random_variable(symbols, rng))
    elif not symbols.binary or rng.random() < GENETIC.unary_share:
        _grow_unary(nodes, symbols, rng, depth, nesting, full)
    else:
        _grow_binary(nodes, symbols, rng, depth, nesting, full)


def _grow_unary(
    nodes: list[Node], symbols: Symbols, rng: np.random.Generator, depth: int, nesting: int, full: bool
) -> None:
    choices: list[Node | None] = [*symbols.unary_within(nesting), *([None] if symbols.has_power else [])]
    above = pick(choices, rng) if choices else None
    if not choices:
        nodes.append(random_variable(symbols, rng))
    elif above is None:
        _grow(nodes, symbols, rng, depth - 1, nesting, full)
        nodes += [random_exponent(symbols, rng), (POW, 0)]
    else:
        _grow(nodes, symbols, rng, depth - 1, nesting - is_function(above), full)
        nodes.append(above)


def _grow_binary(
    nodes: list[Node], symbols: Symbols, rng: np.random.Generator, depth: int, nesting: int, full: bool
) -> None:
    constant_side = int(rng.random() * 2) if rng.random() < GENETIC.open_share else -1
    for side in range(2):
        if side == constant_side:
            nodes.append(OPEN_NODE)
        else:
            _grow(nodes, symbols, rng, depth - 1, nesting, full)
    nodes.append(pick(symbols.binary, rng))
