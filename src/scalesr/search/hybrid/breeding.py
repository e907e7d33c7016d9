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
from scalesr.search.hybrid.sequences import ScoredSequences
from scalesr.search.policy.grading import Grader
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.sampling import lessons, obey
from scalesr.search.policy.vocabulary import Tokens, Vocabulary, padded

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
    rules: SequenceRules
    symbols: Symbols
    evolution: Evolution

    def evolve(self, seeds: ScoredSequences, grader: Grader, rng: np.random.Generator) -> ScoredSequences:
        """The best sequences of all generations that grow out of the seeds."""
        population, best = seeds, seeds.best(self.evolution.n_returned)
        forms = [self.vocabulary.expression(row) for row in seeds.tokens]
        for _ in range(self.evolution.n_generations):
            if grader.is_done():
                break
            winners = tournament(population.errors, len(seeds), rng, size=self.evolution.tournament_size)
            forms, tokens = self.offspring([forms[place] for place in winners], population.tokens[winners], rng)
            population = ScoredSequences(tokens, grader.errors(tokens))
            best = best.joined(population).best(self.evolution.n_returned)
        return best

    def offspring(
        self, parents: list[Expression], tokens: Tokens, rng: np.random.Generator
    ) -> tuple[list[Expression], Tokens]:
        """One child of each parent, given and returned as formulas and tokens; no child that breaks a rule."""
        children = self._varied(parents, rng)
        places = [place for place, child in enumerate(children) if self._is_new(child, parents[place])]
        sequences = [self.vocabulary.sequence(children[place]) for place in places]
        changed = padded(sequences, self.vocabulary, self.rules.max_length)
        lawful = obey(lessons(changed, self.vocabulary, self.rules))
        accepted = np.array(places, np.int64)[lawful]
        following, forms = tokens.copy(), list(parents)
        following[accepted] = changed[lawful]
        for place in accepted:
            forms[place] = children[place]
        return forms, following

    def _is_new(self, child: Expression, parent: Expression) -> bool:
        """Whether a child differs from its parent and has a sequence of tokens that is not too long."""
        return child is not parent and child.n_nodes <= self.rules.max_length and self.vocabulary.knows(child)

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
