"""Grader: rewards of token sequences, each worked out once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.search.policy.library import Library, Tokens
from scalesr.search.scoring import Scorer


class Grader:
    """Scores sequences as skeletons; one that was met before costs nothing."""

    def __init__(self, scorer: Scorer, library: Library) -> None:
        self._scorer, self._library = scorer, library
        self._known: dict[bytes, float] = {}  # errors by the tokens of a sequence

    def errors(self, tokens: Tokens) -> NDArray[np.float64]:
        """Relative error (sequences,) of each sequence's best fit, infinite where it has no values."""
        keys = [row.tobytes() for row in tokens.astype(np.int16)]
        fresh = {key: row for key, row in zip(keys, tokens, strict=True) if key not in self._known}
        found = self._scorer.score([self._library.expression(row) for row in fresh.values()])
        self._known.update(zip(fresh, found.tolist(), strict=True))
        return np.array([self._known[key] for key in keys])


def reward(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + error): 1 for a law, 0 for a formula without values."""
    return np.asarray(1 / (1 + errors))


def is_done(scorer: Scorer) -> bool:
    """Whether the best so far leaves nothing but noise; ends the search where the budget is spent."""
    scorer.check()
    return scorer.best is not None and scorer.best.within_noise
