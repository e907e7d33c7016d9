"""Breeder: genetic programming on sequences that a policy has drawn, under the policy's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scalesr.expr.expression import Expression
from scalesr.search.genetic.symbols import Symbols, pick
from scalesr.search.genetic.variation import (
    crossover,
    mutate_insert,
    mutate_point,
    mutate_shrink,
    mutate_subtree,
    tournament,
)
from scalesr.search.hybrid.pool import Pool
from scalesr.search.policy.grading import Grader
from scalesr.search.policy.vocabulary import Vocabulary, Tokens, padded
from scalesr.search.policy.rules import Rules
from scalesr.search.policy.sampling import lessons, obey

MUTATIONS: Final = (mutate_subtree, mutate_point, mutate_insert, mutate_shrink)


@dataclass(frozen=True, slots=True)
class Evolution:
    """The genetic programming between two steps of the policy."""

    n_generations: int = 20
    tournament_size: int = 5
    crossover_share: float = 0.5
    mutation_share: float = 0.5
    n_returned: int = 50  # of the best sequences, which go back into the batch


@dataclass(frozen=True, slots=True)
class Breeder:
    """Everything but the population and the luck."""

    vocabulary: Vocabulary
    rules: Rules
    symbols: Symbols
    evolution: Evolution

    def evolve(self, seeds: Pool, grader: Grader, rng: np.random.Generator) -> Pool:
        """The best sequences of all generations that grow out of the seeds."""
        population, best = seeds, seeds.best(self.evolution.n_returned)
        for _ in range(self.evolution.n_generations):
            if grader.is_done():
                break
            winners = tournament(population.errors, len(seeds), rng, size=self.evolution.tournament_size)
            tokens = self.offspring(population.tokens[winners], rng)
            population = Pool(tokens, grader.errors(tokens))
            best = best.joined(population).best(self.evolution.n_returned)
        return best

    def offspring(self, parents: Tokens, rng: np.random.Generator) -> Tokens:
        """One child of each parent; the parent itself where the child breaks a rule."""
        expressions = [self.vocabulary.expression(row) for row in parents]
        children = self._varied(expressions, rng)
        fits = [child.n_nodes <= self.rules.max_length and self.vocabulary.knows(child) for child in children]
        known = np.flatnonzero(fits)
        sequences = [self.vocabulary.sequence(children[place]) for place in known]
        tokens = padded(sequences, self.vocabulary, self.rules.max_length)
        lawful = obey(lessons(tokens, self.vocabulary, self.rules))
        following = parents.copy()
        following[known[lawful]] = tokens[lawful]
        return following

    def _varied(self, parents: Sequence[Expression], rng: np.random.Generator) -> list[Expression]:
        children = []
        for place, parent in enumerate(parents):
            child = parent
            if rng.random() < self.evolution.crossover_share:
                child = crossover(child, parents[place - 1], rng)
            if rng.random() < self.evolution.mutation_share:
                child = pick(MUTATIONS, rng)(child, self.symbols, rng)
            children.append(child)
        return children
