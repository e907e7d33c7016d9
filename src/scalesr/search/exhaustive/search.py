"""ExhaustiveSearch: screens all skeletons of a size on few rows, then fits the promising ones to all.

Sizes go up until something fits within the noise. On exact data the search ends there: two
formulas that agree on all rows to rounding error are the same function. On noisy data it goes one
size further, because a wrong form may fit within the noise by luck, and description length
decides between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.criterion import EXACT, description_length, is_within_noise
from scalesr.search.exhaustive.ladders import ladders
from scalesr.search.exhaustive.lists import Level, skeleton_lists
from scalesr.search.pruning import prune
from scalesr.search.scoring import Scorer

QUICK = Effort(n_screened=16, n_polished=3, polish_trials=10, final_trials=15)
THOROUGH = Effort(n_screened=64, n_polished=10)
QUICK_GROUPS, QUICK_ROWS = 1, 48
PROMOTED = 40  # skeletons of a size that are fitted to all rows
LADDERS_AFTER = 5  # the size after which polynomials and ratios of any length are tried
SIZES_BESIDE_LADDERS = 7  # a ladder's many constants imitate smooth laws: shorter forms get their chance
MORE_SIZES = 1  # sizes looked at beyond the first that fits noisy data
LARGEST = {1: 8, 2: 6, 3: 6}  # by number of variables: lists of some ten thousand skeletons
LARGEST_OTHERWISE = 5


@dataclass(frozen=True, slots=True)
class ExhaustiveSearch:
    """Tries every canonical skeleton in order of size, up to `max_size` (None: what is affordable)."""

    operators: Operators = field(default_factory=lambda: Operators("physics"))
    max_size: int | None = None
    nested: bool = False  # functions of functions
    n_threads: int = 1

    def search(
        self,
        sweep: Sweep,
        budget: Budget,
        *,
        rng: np.random.Generator,  # noqa: ARG002 - nothing here is left to chance
        progress: Report | None = None,
    ) -> Ranking:
        """Rank skeletons; `rng` is not used."""
        scorer = Scorer(sweep, budget, progress=progress, effort=THOROUGH, n_threads=self.n_threads)
        with scorer.running():
            self.explore(scorer)
        return scorer.ranking()

    def explore(self, scorer: Scorer) -> None:
        """Go through the sizes, scoring by `scorer`, which may end it at any time."""
        sweep = scorer.sweep
        lists = skeleton_lists(self.operators, sweep.n_variables, self.nested)
        last = self._largest(sweep)
        for size in range(1, last + 1):
            scorer.stage = f"all formulas of size {size}"
            self._try_level(scorer, lists.level(size, check=scorer.check))
            scorer.complete_up_to = size
            if scorer.fits_noise:
                last = min(last, size if _is_exact(sweep) else size + MORE_SIZES)
            elif size == LADDERS_AFTER and self._climb(scorer):
                last = min(last, SIZES_BESIDE_LADDERS)
            if size >= last:
                break
        scorer.stage = "pruning"
        prune(scorer)

    def _climb(self, scorer: Scorer) -> bool:
        """Try the ladders; returns whether one of them fits."""
        scorer.stage = "polynomials and ratios"
        scorer.score(ladders(self.operators, scorer.sweep.n_variables))
        return scorer.fits_noise

    def _largest(self, sweep: Sweep) -> int:
        return self.max_size or LARGEST.get(sweep.n_variables, LARGEST_OTHERWISE)

    def _try_level(self, scorer: Scorer, level: Level) -> None:
        """Screen a level and score what looks best; a fit within the noise is scored at once."""
        quick = scorer.sweep.thinned(QUICK_GROUPS, QUICK_ROWS)
        promising: list[tuple[float, int, Expression]] = []
        for chunk in level.chunks():
            scores, rss = self._screen(chunk, quick)
            scorer.count(len(chunk))
            promising += zip(scores, range(len(promising), len(promising) + len(chunk)), chunk, strict=True)
            promising = sorted(promising)[:PROMOTED]
            hits = [form for form, r in zip(chunk, rss, strict=True) if is_within_noise(r, form.n_open, quick)]
            if hits and _is_exact(scorer.sweep):
                scorer.score(hits)
        scorer.score([form for score, _, form in promising if np.isfinite(score)])

    def _screen(self, forms: list[Expression], quick: Sweep) -> tuple[list[float], list[float]]:
        """Description length and residual of each skeleton on few rows."""
        fits = fit_grid(
            forms, quick.columns, quick.row_starts, quick.y, np.empty(0), effort=QUICK, n_threads=self.n_threads
        )
        failed = fits.n_failed.reshape(len(forms), -1).any(axis=1)
        rss = np.where(failed, np.inf, fits.rss.reshape(len(forms), -1).sum(axis=1)).tolist()
        return [description_length(form, r, quick) for form, r in zip(forms, rss, strict=True)], rss


def _is_exact(sweep: Sweep) -> bool:
    """Whether the rows carry nothing but rounding errors."""
    return sweep.noise is not None and sweep.noise <= EXACT * sweep.scale
