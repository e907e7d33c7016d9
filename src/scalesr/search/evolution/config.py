"""EvolutionConfig: how many formulas live, for how long, and on how many rows they are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class EvolutionConfig:
    """Counts and limits, grouped by the file that uses them."""

    # growth.py
    growth_rows: int = 400  # on which additions are compared: the order of their gains needs no more
    n_leaders: int = 12  # members of an island that are added to, as many as a niche has
    n_grown: int = 20  # additions to one formula that are fitted: one for ten children by chance

    # population.py
    n_islands: int = 4  # that exchange a member now and then, so that not all of them end in one kind of formula
    n_each: int = 12  # members of a niche: as many ways on as a formula of this size may need
    n_children: int = 200  # between two looks at the clock: a few hundredths of a second
    n_forms: int = 1 << 17  # that an island remembers; the oldest of those that fall together is forgotten
    powers: tuple[int, ...] = (2, 3)  # others are products of these, or real
    few_rows: int = 200  # that all children are fitted to; those that may be better than a member go on to all rows
    few_rows_sigmas: float = 3.0  # standard deviations of a sum of squares over the few rows, by which these mislead
    # children begin with the constants of their parents, of which a few trials make use; seeds may be far from theirs
    trials_of_first_look: int = 8
    trials_on_all_rows: int = 12
    trials_of_seeds: int = 60

    # search.py
    shares: tuple[float, ...] = (0.4, 0.6, 0.8, 1.0)  # of the nodes, in successive lives of an island: small ones first
    patience: int = 25  # generations of an island without progress, after which it starts over
    progress: float = 1e-3  # in the logarithm of the errors of all sizes together, below which a generation was idle
    rows_per_constant: int = 3  # with fewer, formulas that pass through the rows would push out all others
    n_shown: int = 40  # formulas that each look at the islands adds to the ranking
    generations_between_looks: int = 40
    n_trimmed: int = 6  # formulas that are looked at without each of their parts
    trimming_rounds: int = 20


EVOLUTION: Final = EvolutionConfig()
