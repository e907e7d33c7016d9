"""GeneticConfig: the genetic search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class GeneticConfig:
    """Counts and limits, grouped by the file that uses them."""

    # population.py
    tries: int = 8  # at each formula that may join
    crossover_share: float = 0.5  # of the children; the others are mutations
    start_share: float = 0.5  # of the first members that are given, at most

    # search.py
    reduced: int = 2  # skeletons whose reductions are tried after each generation
    most_counted_rows: int = 20  # this many rows at most count in the score, so that size always matters

    # symbols.py
    unary_share: float = 0.35  # of the operators of a random formula
    open_share: float = 0.3  # of the binary operators: one operand is an open constant
    leaf_share: float = 0.2  # of the places where a formula may grow and stops

    # variation.py
    top_power: int = 6  # to which a whole exponent may grow, step by step
    inner_share: float = 0.8  # of the places chosen in a tree: operators rather than leaves


GENETIC: Final = GeneticConfig()
