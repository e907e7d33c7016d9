"""ScoredSequences: token sequences with their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.search.policy.vocabulary import Tokens, Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSequences:
    """Sequences and how badly each fits."""

    tokens: Tokens  # (sequences, length)
    errors: NDArray[np.float64]  # (sequences,) infinite where a sequence has no values

    @classmethod
    def empty(cls, vocabulary: Vocabulary, length: int) -> ScoredSequences:
        """No sequences, to which others can be joined."""
        return cls(np.full((0, length), vocabulary.none), np.empty(0))

    def __len__(self) -> int:
        return len(self.errors)

    def joined(self, other: ScoredSequences) -> ScoredSequences:
        """These and the others."""
        return ScoredSequences(np.concatenate([self.tokens, other.tokens]), np.concatenate([self.errors, other.errors]))

    def best(self, n_most: int) -> ScoredSequences:
        """The distinct sequences with the smallest errors, best first; none without values."""
        chosen: dict[bytes, int] = {}
        for place in np.argsort(self.errors, kind="stable").tolist():
            if len(chosen) >= n_most or not np.isfinite(self.errors[place]):
                break
            chosen.setdefault(self.tokens[place].tobytes(), place)
        places = np.array([*chosen.values()], np.int64)
        return ScoredSequences(self.tokens[places], self.errors[places])
