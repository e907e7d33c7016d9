"""Grader: errors of token sequences, each worked out once, all of them quickly and the best of them well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.search.policy.training import elite
from scalesr.search.policy.vocabulary import Tokens, Vocabulary
from scalesr.search.scoring import SKELETONS_AT_ONCE, Scorer

QUICK: Final = Effort(n_screened=8, n_polished=2, polish_trials=20, final_trials=60)


class Grader:
    """Fits sequences as they are written with little effort, and has the scorer rank the best share of them.

    A canonical form takes several times as long as a quick fit: only what may matter gets one.
    """

    def __init__(self, scorer: Scorer, vocabulary: Vocabulary, *, share: float, n_threads: int = 1) -> None:
        self._scorer, self._vocabulary = scorer, vocabulary
        self._share, self._n_threads, self._std = share, n_threads, scorer.sweep.std
        self._known: dict[bytes, float] = {}  # errors by the tokens of a sequence

    def errors(self, tokens: Tokens) -> NDArray[np.float64]:
        """Relative error (sequences,) of each sequence, infinite where it has no values."""
        keys = [row.tobytes() for row in tokens.astype(np.int16)]
        fresh = {key: row for key, row in zip(keys, tokens, strict=True) if key not in self._known}
        waiting = list(fresh)
        for start in range(0, len(waiting), SKELETONS_AT_ONCE):
            part = waiting[start : start + SKELETONS_AT_ONCE]
            found = self._graded([self._vocabulary.expression(fresh[key]) for key in part])
            self._known.update(zip(part, found.tolist(), strict=True))
        return np.array([self._known[key] for key in keys])

    def is_done(self) -> bool:
        """Whether the best so far leaves nothing but noise; ends the search where the budget is spent."""
        self._scorer.check()
        return self._scorer.best is not None and self._scorer.best.within_noise

    def _graded(self, skeletons: Sequence[Expression]) -> NDArray[np.float64]:
        """Errors of quick fits, and of full ones for the best of them."""
        errors = self._quick(skeletons)
        best = [place for place in elite(reward(errors), self._share) if np.isfinite(errors[place])]
        full = self._scorer.score([skeletons[place] for place in best])
        errors[best] = np.minimum(errors[best], full)
        self._scorer.count(len(skeletons) * self._scorer.sweep.n_groups)
        return errors

    def _quick(self, skeletons: Sequence[Expression]) -> NDArray[np.float64]:
        sweep = self._scorer.sweep
        fits = fit_grid(
            skeletons, sweep.columns, sweep.row_starts, sweep.y, sweep.roots, effort=QUICK, n_threads=self._n_threads,
            watch=self._scorer.stop,
        )  # fmt: skip
        rss = np.where(fits.n_failed > 0, np.inf, fits.rss).reshape(len(skeletons), sweep.n_groups).sum(axis=1)
        return np.asarray(np.sqrt(rss / sweep.n_rows) / self._std)


def reward(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + error): 1 for a law, 0 for a formula without values."""
    return np.asarray(1 / (1 + errors))
