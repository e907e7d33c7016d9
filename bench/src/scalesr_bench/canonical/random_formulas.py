"""Random formulas and skeletons over the physics operators, small enough to coincide often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scalesr.expr.expression import Expression, apply, constant, open_constant, variable

NUMBERS: Final = (-1.0, 0.5, 1.0, 2.0, 3.0)
POWERS: Final = (-2, -1, 2, 2, 2, 3)
ARITHMETIC: Final = ("+", "-", "*", "/")
FUNCTIONS: Final = ("sin", "cos", "exp", "log", "sqrt", "powi", "powi", "tan", "tanh")
FUNCTION_SHARE: Final = 0.3
POWER_SHARE: Final = 0.06  # of the binary operators: real exponents


@dataclass(frozen=True, slots=True)
class Mixture:
    """What the leaves of random formulas are; the rest are numbers."""

    n_columns: int = 2
    variable_share: float = 0.65
    open_share: float = 0.0


CLOSED: Final = Mixture()
SKELETONS: Final = Mixture(variable_share=0.55, open_share=0.4)


def random_formula(n_nodes: int, mixture: Mixture, rng: np.random.Generator) -> Expression:
    """A random tree of exactly `n_nodes` nodes."""
    if n_nodes == 1:
        return _leaf(mixture, rng)
    if n_nodes == 2 or rng.random() < FUNCTION_SHARE:
        name = FUNCTIONS[rng.integers(len(FUNCTIONS))]
        power = POWERS[rng.integers(len(POWERS))] if name == "powi" else 0
        return apply(name, random_formula(n_nodes - 1, mixture, rng), power=power)
    left = int(rng.integers(1, n_nodes - 1))
    name = "^" if rng.random() < POWER_SHARE else ARITHMETIC[rng.integers(len(ARITHMETIC))]
    first = random_formula(left, mixture, rng)
    return apply(name, first, random_formula(n_nodes - 1 - left, mixture, rng))


def _leaf(mixture: Mixture, rng: np.random.Generator) -> Expression:
    draw = rng.random()
    if draw < mixture.variable_share:
        return variable(int(rng.integers(mixture.n_columns)))
    if draw < mixture.variable_share + mixture.open_share:
        return open_constant()
    return constant(NUMBERS[rng.integers(len(NUMBERS))])
