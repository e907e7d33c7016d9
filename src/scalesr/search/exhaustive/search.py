"""ExhaustiveSearch: screens all skeletons of a size on few rows, then fits the promising ones to all.

Sizes go up until something fits within the noise. On exact data the search ends there: two
formulas that agree on all rows to rounding error are the same function. On noisy data a wrong form
may fit by luck, so larger sizes are still searched for forms that would be the shorter description:
those with fewer constants, or with constants that may turn out to be simple numbers.

Lists of operators that do not come with the package are made when they are first asked for. Where time is limited,
making one takes half of what is left at most; what there is of it by then is gone through, and the next search
goes on with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from scalesr.evidence.criterion import EXACT, constants_length, description_length, is_within_noise, structure_length
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.exhaustive.config import EXHAUSTIVE
from scalesr.search.exhaustive.ladders import ladders
from scalesr.search.exhaustive.lists import Level, SkeletonLists, skeleton_lists
from scalesr.search.pruning import prune
from scalesr.search.scoring import MANY_CONSTANTS, Scorer

# Of random curves of forms up to size 6 with 2 % noise, 48 rows each, the first way of screening finds the form's fit
# for 93 %, the second for 96 % in twice the time (and one of a third of the time for 89 %).
QUICK = Effort(n_screened=24, n_polished=6, polish_trials=10, final_trials=15)
CAREFUL = Effort(n_screened=64, n_polished=10, polish_trials=20, final_trials=30)
THOROUGH = Effort(n_screened=64, n_polished=10)
LARGEST = {1: 8, 2: 6, 3: 6}  # by number of variables: lists of some ten thousand skeletons


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
        scorer.believed_constants = EXHAUSTIVE.many_constants
        for size in range(1, self._largest(sweep) + 1):
            scorer.stage = f"all formulas of size {size}"
            level, is_whole = _made(lists, size, scorer)
            tried_all = self._try_level(scorer, level)
            if is_whole and tried_all and (scorer.complete_up_to or 0) == size - 1:
                scorer.complete_up_to = size
            if size == EXHAUSTIVE.ladders_after and not scorer.fits_noise:
                scorer.stage = "polynomials and ratios"
                scorer.score(ladders(self.operators, sweep.n_variables))
            if size == EXHAUSTIVE.sizes_beside_ladders:
                scorer.believed_constants = MANY_CONSTANTS
                scorer.check()
            if not is_whole or (_is_exact(sweep) and _is_decided(scorer, size)):
                break
        scorer.believed_constants = MANY_CONSTANTS
        scorer.stage = "pruning"
        prune(scorer)

    def _largest(self, sweep: Sweep) -> int:
        return self.max_size or LARGEST.get(sweep.n_variables, EXHAUSTIVE.largest_otherwise)

    def _try_level(self, scorer: Scorer, level: Level) -> bool:
        """Screen a level and score what looks best; returns whether every skeleton of it was tried.

        On exact data a fit is scored at once and ends the level: it is the law.
        """
        is_noisy = _is_noisy_curve(scorer.sweep)
        quick = (
            scorer.sweep.averaged(EXHAUSTIVE.quick_rows)
            if is_noisy
            else scorer.sweep.thinned(EXHAUSTIVE.quick_groups, EXHAUSTIVE.quick_rows)
        )
        n_promoted = EXHAUSTIVE.promoted_noisy if is_noisy else EXHAUSTIVE.promoted
        worth_trying = level.prior_lengths(_least_per_constant(scorer.sweep)) <= _longest_worth_trying(scorer)
        effort = CAREFUL if np.count_nonzero(worth_trying) <= EXHAUSTIVE.screened_with_care else QUICK
        promising: list[tuple[float, Expression]] = []
        for chunk in level.chunks(worth_trying):
            scores, rss = self._screen(chunk, quick, effort, scorer.stop)
            scorer.count(len(chunk))
            promising += zip(scores, chunk, strict=True)
            promising = sorted(promising, key=itemgetter(0))[:n_promoted]  # of equals, those that came first
            hits = [form for form, r in zip(chunk, rss, strict=True) if is_within_noise(r, form.n_open, quick)]
            if hits and _is_exact(scorer.sweep):
                scorer.score(hits)
                if scorer.fits_noise:
                    return False
        scorer.score([form for score, form in promising if np.isfinite(score)])
        return bool(worth_trying.all())

    def _screen(
        self, forms: list[Expression], quick: Sweep, effort: Effort, stop: Stop | None
    ) -> tuple[list[float], list[float]]:
        """Description length and residual of each skeleton on few rows."""
        fits = fit_grid(
            forms, quick.columns, quick.row_starts, quick.y, quick.roots, effort=effort, n_threads=self.n_threads,
            watch=stop,
        )  # fmt: skip
        failed = fits.n_failed.reshape(len(forms), -1).any(axis=1)
        rss = np.where(failed, np.inf, fits.rss.reshape(len(forms), -1).sum(axis=1)).tolist()
        return [description_length(form, r, quick) for form, r in zip(forms, rss, strict=True)], rss


class _LongEnough(Exception):
    """Making a list has had its share of the time."""


def _made(lists: SkeletonLists, size: int, scorer: Scorer) -> tuple[Level, bool]:
    """The list of a size, or as much of it as its share of the time allows, and whether it is whole."""
    left = scorer.seconds_left
    until = None if left is None else scorer.seconds + EXHAUSTIVE.making_share * left

    def check() -> None:
        scorer.check()
        if until is not None and scorer.seconds >= until:
            raise _LongEnough

    try:
        return lists.level(size, check=check), True
    except _LongEnough:
        return lists.begun(size), False


def _least_per_constant(sweep: Sweep) -> float:
    """What a constant may cost: one of a single group may turn out to be a simple number."""
    whole = constants_length(1, sweep)
    return min(whole, EXHAUSTIVE.simple_number) if sweep.n_groups == 1 else whole


def _longest_worth_trying(scorer: Scorer) -> float:
    """Length, before any data, above which a form cannot beat one that fits within the noise already."""
    fitting = [skeleton.expression for skeleton in scorer.ranking().skeletons if skeleton.within_noise]
    lengths = [structure_length(form) + constants_length(form.n_open, scorer.sweep) for form in fitting]
    return min(lengths, default=np.inf) + EXHAUSTIVE.luck


def _is_decided(scorer: Scorer, size: int) -> bool:
    """Whether exact data are explained, and not by a ladder while shorter forms have not been tried."""
    short = any(s.within_noise and s.expression.n_open <= EXHAUSTIVE.many_constants for s in scorer.ranking().skeletons)
    return short or (scorer.fits_noise and size >= EXHAUSTIVE.sizes_beside_ladders)


def _is_noisy_curve(sweep: Sweep) -> bool:
    """Whether the rows are one curve with noise, of which averages say more than single rows."""
    return sweep.n_groups == sweep.n_variables == 1 and sweep.noise is not None and not _is_exact(sweep)


def _is_exact(sweep: Sweep) -> bool:
    """Whether the rows carry nothing but rounding errors."""
    return sweep.noise is not None and sweep.noise <= EXACT * sweep.scale
