"""Population: distinct formulas with their scores, and how one generation follows another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression
from scalesr.search.genetic.symbols import Symbols, random_expression
from scalesr.search.genetic.variation import (
    Limits,
    crossover,
    mutate_hoist,
    mutate_insert,
    mutate_point,
    mutate_shrink,
    mutate_subtree,
    tournament,
)

DEPTHS: Final = (2, 3, 4, 5)  # of the first formulas, in turn
TRIES: Final = 4  # at a child that is allowed and not a member yet
CROSSOVER_SHARE: Final = 0.5

Mutation = Callable[[Expression, Symbols, np.random.Generator], Expression]
MUTATIONS: Final[tuple[Mutation, ...]] = (
    mutate_subtree,
    mutate_point,
    mutate_insert,
    mutate_shrink,
    lambda expr, _, rng: mutate_hoist(expr, rng),
)


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """Formulas of which no two are of one family, the best first."""

    members: tuple[Expression, ...]
    scores: NDArray[np.float64]  # (members,) the lower the better
    keys: frozenset[str]  # canonical ones of the members

    @classmethod
    def best_of(cls, members: list[Expression], scores: NDArray[np.float64], size: int) -> Population:
        """The `size` best distinct ones; of one family the first with the lowest score."""
        chosen: dict[str, int] = {}
        for place in np.argsort(scores, kind="stable").tolist():
            chosen.setdefault(canonical_key(members[place]), place)
            if len(chosen) == size:
                break
        places = list(chosen.values())
        return cls(tuple(members[place] for place in places), scores[places], frozenset(chosen))


def first_members(symbols: Symbols, limits: Limits, n_members: int, rng: np.random.Generator) -> list[Expression]:
    """Random formulas of all depths, half of them full trees, as distinct as a few tries make them."""
    made: dict[str, Expression] = {}
    for turn in range(n_members * TRIES):
        depth = DEPTHS[turn // 2 % len(DEPTHS)]
        expr = random_expression(symbols, rng, depth=depth, full=turn % 2 == 0)
        if limits.allow(expr):
            made.setdefault(canonical_key(expr), expr)
        if len(made) == n_members:
            break
    return list(made.values())


def children(
    population: Population, symbols: Symbols, limits: Limits, n_children: int, rng: np.random.Generator
) -> list[Expression]:
    """Offspring of tournament winners, none of which is a member already; fewer where tries fail."""
    made: dict[str, Expression] = {}
    parents = tournament(population.scores, 2 * n_children * TRIES, rng).tolist()
    while parents and len(made) < n_children:
        mother, father = population.members[parents.pop()], population.members[parents.pop()]
        child = _child(mother, father, symbols, rng)
        if limits.allow(child) and (key := canonical_key(child)) not in population.keys:
            made.setdefault(key, child)
    return list(made.values())


def _child(mother: Expression, father: Expression, symbols: Symbols, rng: np.random.Generator) -> Expression:
    draw = rng.random()
    if draw < CROSSOVER_SHARE:
        return crossover(mother, father, rng)
    mutation = MUTATIONS[int((draw - CROSSOVER_SHARE) / (1 - CROSSOVER_SHARE) * len(MUTATIONS))]
    return mutation(mother, symbols, rng)
