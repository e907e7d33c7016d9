"""Population: formulas with their scores, and how one generation follows another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression, variable
from scalesr.search.genetic.coefficients import with_coefficients
from scalesr.search.genetic.config import GENETIC
from scalesr.search.genetic.symbols import Symbols, random_expression
from scalesr.search.genetic.variation import (
    SizeLimits,
    crossover,
    mutate_hoist,
    mutate_insert,
    mutate_point,
    mutate_shrink,
    mutate_subtree,
    tournament,
)

DEPTHS: Final = (2, 3, 4, 5)  # of the first formulas, in turn

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
    """Formulas and their scores, the best first."""

    members: tuple[Expression, ...]
    scores: NDArray[np.float64]  # (members,) the lower the better

    def followed_by(self, members: Sequence[Expression], scores: NDArray[np.float64], size: int) -> Population:
        """The `size` best of these and others."""
        everyone = (*self.members, *members)
        all_scores = np.concatenate([self.scores, scores])
        best = np.argsort(all_scores, kind="stable")[:size]
        return Population(tuple(everyone[place] for place in best), all_scores[best])


NOBODY: Final = Population((), np.empty(0))


@dataclass(frozen=True, slots=True, eq=False)
class Nursery:
    """Who may join a population: formulas within the limits, the first of each family that is fitted."""

    symbols: Symbols
    limits: SizeLimits
    max_open: int  # with implicit coefficients
    families: set[str] = field(default_factory=set)  # canonical keys of those that came

    def admits(self, expr: Expression) -> bool:
        """Whether a formula may join; a second of its family may not."""
        if not self.limits.allow(expr):
            return False
        family = canonical_key(with_coefficients(expr, self.max_open))
        is_new = family not in self.families
        self.families.add(family)
        return is_new


def first_members(
    nursery: Nursery, n_members: int, rng: np.random.Generator, start: Sequence[Expression] = ()
) -> list[Expression]:
    """Given formulas, no more than their share, and random ones beside them: bad ones leave room for better."""
    given: list[Expression] = []
    for one in start:
        if len(given) < GENETIC.start_share * n_members and nursery.admits(one):
            given.append(one)
    return [*given, *random_members(nursery, n_members - len(given), rng)]


def random_members(nursery: Nursery, n_members: int, rng: np.random.Generator) -> list[Expression]:
    """The variables and random formulas of all depths, half of them full trees; fewer where tries fail."""
    made = [one for one in map(variable, range(nursery.symbols.n_variables)) if nursery.admits(one)]
    for turn in range(n_members * GENETIC.tries):
        if len(made) >= n_members:
            break
        depth = DEPTHS[turn // 2 % len(DEPTHS)]
        expr = random_expression(nursery.symbols, rng, depth=depth, full=turn % 2 == 0)
        if nursery.admits(expr):
            made.append(expr)
    return made


def children(population: Population, nursery: Nursery, n_children: int, rng: np.random.Generator) -> list[Expression]:
    """Offspring of tournament winners; fewer where tries fail."""
    made: list[Expression] = []
    parents = tournament(population.scores, 2 * n_children * GENETIC.tries, rng).tolist()
    while parents and len(made) < n_children:
        mother, father = population.members[parents.pop()], population.members[parents.pop()]
        child = _child(mother, father, nursery.symbols, rng)
        if nursery.admits(child):
            made.append(child)
    return made


def _child(mother: Expression, father: Expression, symbols: Symbols, rng: np.random.Generator) -> Expression:
    draw = rng.random()
    if draw < GENETIC.crossover_share:
        return crossover(mother, father, rng)
    mutation = MUTATIONS[int((draw - GENETIC.crossover_share) / (1 - GENETIC.crossover_share) * len(MUTATIONS))]
    return mutation(mother, symbols, rng)
