"""The study: for many sampled formulas, how many have to be looked at by each way of searching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np

from scalesr.expr.expression import Expression
from scalesr_bench.analysis.decompose import brute_force, by_control_variables
from scalesr_bench.analysis.sampling import sample_tree

MOST_COMPLEX: Final = 31
N_EQUATIONS: Final = 1000
N_VARIABLES: Final = 4


@dataclass(frozen=True, slots=True)
class Sampled:
    """One formula and the sizes of its search spaces."""

    complexity: int
    tree: Expression
    brute_force: int
    control_variables: int


@dataclass(frozen=True, slots=True)
class SpaceLine:
    """All sampled formulas of one complexity."""

    complexity: int
    n_equations: int
    brute_force: int  # the same for all of them
    median_control: float  # sizes by control variables
    least_control: int
    most_control: int


def sample_equations(
    n_equations: int = N_EQUATIONS, most: int = MOST_COMPLEX, *, rng: np.random.Generator
) -> list[Sampled]:
    """Formulas of complexity 1 to `most`, as many of each as of the next."""
    made = []
    for place in range(n_equations):
        n = 1 + place % most
        tree = sample_tree(n, n_variables=N_VARIABLES, rng=rng)
        made.append(Sampled(n, tree, brute_force(tree, N_VARIABLES), by_control_variables(tree, N_VARIABLES)))
    return made


def summarise(equations: Sequence[Sampled]) -> list[SpaceLine]:
    """A line per complexity."""
    lines = []
    for n in sorted({equation.complexity for equation in equations}):
        chosen = [equation for equation in equations if equation.complexity == n]
        sizes = sorted(equation.control_variables for equation in chosen)
        lines.append(SpaceLine(n, len(chosen), chosen[0].brute_force, float(median(sizes)), sizes[0], sizes[-1]))
    return lines
