"""Grader: errors of token sequences, each worked out once, all of them quickly and the best of them well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.search.policy.vocabulary import Vocabulary, Tokens
from scalesr.search.policy.training import elite
from scalesr.search.scoring import BATCH, Scorer

QUICK: Final = Effort(n_screened=8, n_polished=2, polish_trials=20, final_trials=60)


class Grader:
    """Fits sequences as they are written with little effort, and has the scorer rank the best share of each batch.

    A canonical form takes several times as long as a quick fit: only what may matter gets one.
    """

    def __init__(self, scorer: Scorer, vocabulary: Vocabulary, *, share: float, n_threads: int = 1) -> None:
        self._scorer, self._vocabulary = scorer, vocabulary
        self._share, self._n_threads, self._spread = share, n_threads, scorer.sweep.spread
        self._known: dict[bytes, float] = {}  # errors by the tokens of a sequence
        self._ranked: set[bytes] = set()

    def errors(self, tokens: Tokens) -> NDArray[np.float64]:
        """Relative error (sequences,) of each sequence, infinite where it has no values."""
        keys = [row.tobytes() for row in tokens.astype(np.int16)]
        fresh = {key: row for key, row in zip(keys, tokens, strict=True) if key not in self._known}
        self._known.update(zip(fresh, self._quick([*fresh.values()]), strict=True))
        best = elite(reward(self._look_up(keys)), self._share)
        self._rank({keys[place]: tokens[place] for place in best})
        return self._look_up(keys)

    def is_done(self) -> bool:
        """Whether the best so far leaves nothing but noise; ends the search where the budget is spent."""
        self._scorer.check()
        return self._scorer.best is not None and self._scorer.best.within_noise

    def _look_up(self, keys: list[bytes]) -> NDArray[np.float64]:
        return np.array([self._known[key] for key in keys])

    def _quick(self, rows: list[Tokens]) -> list[float]:
        found: list[float] = []
        for start in range(0, len(rows), BATCH):
            skeletons = [self._vocabulary.expression(row) for row in rows[start : start + BATCH]]
            found += self._fitted(skeletons).tolist()
        return found

    def _fitted(self, skeletons: Sequence[Expression]) -> NDArray[np.float64]:
        sweep = self._scorer.sweep
        fits = fit_grid(
            skeletons, sweep.columns, sweep.row_starts, sweep.y, np.empty(0), effort=QUICK, n_threads=self._n_threads
        )
        self._scorer.count(len(fits))
        rss = np.where(fits.n_failed > 0, np.inf, fits.rss).reshape(len(skeletons), sweep.n_groups).sum(axis=1)
        return np.asarray(np.sqrt(rss / sweep.n_rows) / self._spread)

    def _rank(self, best: dict[bytes, Tokens]) -> None:
        """Have the scorer fit what it has not seen yet; the better of the two fits counts."""
        waiting = {key: row for key, row in best.items() if key not in self._ranked and self._known[key] < np.inf}
        found = self._scorer.score([self._vocabulary.expression(row) for row in waiting.values()])
        self._ranked.update(waiting)
        for key, error in zip(waiting, found.tolist(), strict=True):
            self._known[key] = min(self._known[key], error)


def reward(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + error): 1 for a law, 0 for a formula without values."""
    return np.asarray(1 / (1 + errors))
