"""Sequences drawn from a policy, and the record of how given ones were written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scalesr.search.policy.growth import Growth
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.vocabulary import Tokens, Vocabulary


class Writer(Protocol):
    """Proposes the next token of many sequences and remembers what it has read of each."""

    def start(self, n_rows: int) -> None:
        """Begin `n_rows` sequences."""
        ...

    def logits(self, rows: NDArray[np.int64], parent: Tokens, sibling: Tokens) -> NDArray[np.float64]:
        """Scores (rows, tokens) of the next token of the given rows."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Whole sequences with what a policy saw when it wrote each token."""

    tokens: Tokens  # (sequences, length), `none` behind the end
    parents: Tokens  # (sequences, length)
    siblings: Tokens  # (sequences, length)
    priors: NDArray[np.float64]  # (sequences, length, tokens), minus infinity where a rule forbids
    lengths: NDArray[np.int64]  # (sequences,)


def sample(
    writer: Writer, vocabulary: Vocabulary, rules: SequenceRules, n_rows: int, rng: np.random.Generator
) -> Tokens:
    """Draw whole sequences (rows, max_length) that obey the rules."""
    growth = Growth(vocabulary, rules, n_rows)
    writer.start(n_rows)
    for _ in range(rules.max_length):
        family = growth.family()
        if len(family.rows) == 0:
            break
        logits = writer.logits(family.rows, family.parent, family.sibling) + growth.prior(family)
        growth.write(family, np.argmax(logits + rng.gumbel(size=logits.shape), axis=1))
    return growth.tokens


def lessons(tokens: Tokens, vocabulary: Vocabulary, rules: SequenceRules) -> Lessons:
    """Write given whole sequences again and note what stood around each token."""
    n_rows, n_places = len(tokens), int((tokens != vocabulary.none).sum(axis=1).max(initial=1))
    growth = Growth(vocabulary, rules, n_rows)
    parents = np.full((n_rows, n_places), vocabulary.none)
    siblings = parents.copy()
    priors = np.zeros((n_rows, n_places, vocabulary.n_tokens))
    for place in range(n_places):
        family = growth.family()
        parents[family.rows, place], siblings[family.rows, place] = family.parent, family.sibling
        priors[family.rows, place] = growth.prior(family)
        growth.write(family, tokens[family.rows, place])
    used = tokens[:, :n_places]
    return Lessons(used, parents, siblings, priors, (used != vocabulary.none).sum(axis=1))


def obey(taught: Lessons) -> NDArray[np.bool_]:  # (sequences,)
    """Which sequences break no rule."""
    n_places, n_tokens = taught.priors.shape[1:]
    chosen = np.minimum(taught.tokens, n_tokens - 1)
    prior = np.take_along_axis(taught.priors, chosen[:, :, np.newaxis], axis=2)[:, :, 0]
    is_past = np.arange(n_places) >= taught.lengths[:, np.newaxis]
    return np.asarray((is_past | (prior > -np.inf)).all(axis=1))
