"""Scorer: what all searches share. It fits, remembers, ranks, reports and keeps to the budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import data_length, fitted_length, is_within_noise, structure_length
from scalesr.expr.canonical import canonical, canonical_key
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, Fits, fit_grid
from scalesr.expr.redundancy import remove_redundant
from scalesr.records.budget import Budget, Progress, Report
from scalesr.records.outcome import Ending
from scalesr.records.pareto import first_of_each_size
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr.records.stop import Stop, Stopped
from scalesr.records.sweep import Sweep
from scalesr.search.residual import has_structure

SKELETONS_AT_ONCE = 64  # skeletons fitted between two looks at the clock
KEPT = 50  # skeletons of a ranking
MANY_CONSTANTS = 8  # with more, a form may meet a target error without being the law
N_RANK_ROWS = 60  # that tell which constants are superfluous


class _Spent(Exception):
    """The budget is used up or the target reached; the message says which."""


class Scorer:
    """Scores skeletons on a sweep; no two with the same canonical form are ever fitted.

    Searches do their work inside `with scorer.running():`, which a spent budget, a reached target
    or an interrupt ends quietly; then `ranking()` has the best so far. It is no second archive: a skeleton
    has constants of its own in every group of a sweep, thousands of them are fitted in one compiled call, and
    what comes first goes to the archive, where the rows of the table decide.
    """

    def __init__(
        self,
        sweep: Sweep,
        budget: Budget,
        *,
        progress: Report | None = None,
        effort: Effort | None = None,
        n_threads: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.sweep, self._std = sweep, sweep.std
        self.stage = "searching"
        self.n_fits = self._n_screened = 0
        self.stop_within_noise = False  # for searches that have no end of their own
        self.complete_up_to: int | None = None  # a complete search notes here which sizes it has finished
        self.believed_constants = MANY_CONSTANTS  # a form that meets the target has at most so many, or ends nothing
        self._budget, self._progress, self._effort = budget, progress, effort
        self._n_threads, self._clock, self._started = n_threads, clock, clock()
        self._errors: dict[object, float] = {}  # by canonical key
        self._kept: list[Skeleton] = []
        self._ended, self._interrupted = "The search came to its end.", False

    @contextmanager
    def running(self) -> Iterator[None]:
        """A block of work that the budget or an interrupt may end."""
        try:
            yield
        except _Spent as reason:
            self._ended = str(reason)
        except Stopped as reason:
            self._ended, self._interrupted = str(reason), reason.ending is Ending.INTERRUPTED
        except KeyboardInterrupt:
            self._ended, self._interrupted = "The search was interrupted.", True
            if self._budget.stop is not None:
                self._budget.stop.cancel()

    @property
    def stop(self) -> Stop | None:
        """The end of the work that the search is a part of."""
        return self._budget.stop

    @property
    def seconds(self) -> float:
        return self._clock() - self._started

    @property
    def seconds_left(self) -> float | None:
        """Until the time is up, 0 or more; None where there is no limit."""
        budget = self._budget
        own = None if budget.seconds is None else max(budget.seconds - self.seconds, 0.0)
        whole = None if budget.stop is None else budget.stop.left
        return min((one for one in (own, whole) if one is not None), default=None)

    @property
    def n_scored(self) -> int:
        """Distinct skeletons so far, those that were only screened among them."""
        return len(self._errors) + self._n_screened

    @property
    def best(self) -> Skeleton | None:
        return self._kept[0] if self._kept else None

    def score(self, skeletons: Sequence[Expression]) -> NDArray[np.float64]:
        """Relative error of each skeleton, infinite where it has no finite values."""
        keys = [canonical_key(skeleton) for skeleton in skeletons]
        fresh = {key: skeleton for key, skeleton in zip(keys, skeletons, strict=True) if key not in self._errors}
        waiting = list(fresh.items())
        for start in range(0, len(waiting), SKELETONS_AT_ONCE):
            self.check()
            self._fit(dict(waiting[start : start + SKELETONS_AT_ONCE]))
        return np.array([self._errors[key] for key in keys])

    def offer(self, formulas: Sequence[Expression]) -> None:
        """Keep closed formulas that a search has fitted by itself, their constants polished; no form comes twice."""
        skeletons = {canonical_key(form): (form, one) for one in formulas if (form := one.skeleton()).variables}
        fresh = {key: pair for key, pair in skeletons.items() if key not in self._errors}
        if not fresh:
            return
        forms = [form for form, _ in fresh.values()]
        guesses = np.zeros((len(forms), 1, max(form.n_open for form in forms)))
        for line, (form, one) in enumerate(fresh.values()):
            guesses[line, 0, : form.n_open] = one.constants
        found, _ = self._fitted(forms, guesses)
        self._errors.update(zip(fresh, (skeleton.error for skeleton in found), strict=True))
        self._kept = _shortlist([*self._kept, *(one for one in found if np.isfinite(one.error))])
        self._report()

    def knows(self, skeleton: Expression) -> bool:
        """Whether this form has been fitted already."""
        return canonical_key(skeleton) in self._errors

    def error_of(self, key: str) -> float | None:
        """The error of the family with this canonical key, if it has been scored."""
        return self._errors.get(key)

    def count(self, n_fits: int, *, n_screened: int = 0) -> None:
        """Add fits that a search made by itself, to fewer rows for example, and skeletons without any other."""
        self.n_fits += n_fits
        self._n_screened += n_screened
        self.check()

    def check(self, ahead: float = 0.0) -> None:
        """End the search here if the budget is spent, or will be after a step of `ahead` seconds."""
        budget = self._budget
        if budget.stop is not None:
            budget.stop.check()
        if budget.seconds is not None and self.seconds + ahead >= budget.seconds:
            raise _Spent(f"The time limit of {budget.seconds:g} s was reached.")
        if budget.n_fits is not None and self.n_fits >= budget.n_fits:
            raise _Spent(f"The limit of {budget.n_fits} fits was reached.")
        if budget.target_error is not None and self._reached(budget.target_error):
            raise _Spent(f"The target error of {budget.target_error:g} was reached.")
        if self.stop_within_noise and self.fits_noise:
            raise _Spent("A formula fits within the noise.")

    def _reached(self, target: float) -> bool:
        """Whether the best skeleton meets the target and does not just imitate a smooth curve by many constants."""
        best = self.best
        return best is not None and best.error <= target and best.expression.n_open <= self.believed_constants

    @property
    def fits_noise(self) -> bool:
        """Whether some skeleton so far fits within the noise."""
        return any(skeleton.within_noise for skeleton in self._kept)

    def ranking(self) -> Ranking:
        """The best so far."""
        return Ranking(
            tuple(self._kept), self.sweep.names, self.n_scored, self.n_fits, self.seconds, self._ended,
            self.complete_up_to, self._interrupted,
        )  # fmt: skip

    def _fit(self, batch: dict[object, Expression]) -> None:
        """Fit a batch by key, remember the errors and keep the best."""
        forms = [canonical(skeleton) for skeleton in batch.values()]
        found, ranks = self._fitted(forms)
        self._errors.update(zip(batch, (skeleton.error for skeleton in found), strict=True))
        usable = [skeleton for skeleton in found if np.isfinite(skeleton.error)]
        loose = [one for one, rank in zip(found, ranks, strict=True) if self._is_loose(one, rank)]
        self._kept = _shortlist([*self._kept, *usable, *self._tightened(loose)])
        self._report()

    def _fitted(
        self, forms: list[Expression], guesses: NDArray[np.float64] | None = None
    ) -> tuple[list[Skeleton], list[int]]:
        """Forms fitted to every group, and how many constants the rows can tell apart.

        With guesses it is a few fits that end what was found, and the end of the work does not come before them.
        """
        sweep = self.sweep
        fits = fit_grid(
            forms, sweep.columns, sweep.row_starts, sweep.y, sweep.roots, guesses, self._effort, self._n_threads,
            watch=self.stop if guesses is None else None,
        )  # fmt: skip
        self.n_fits += len(fits)
        return [self._skeleton(form, fits, place) for place, form in enumerate(forms)], fits.rank[
            :: sweep.n_groups
        ].tolist()

    def _is_loose(self, one: Skeleton, rank: int) -> bool:
        """Whether a skeleton has more constants than the rows can tell apart, and may be among the best without."""
        if self.sweep.n_groups > 1 or rank >= one.expression.n_open or not np.isfinite(one.error):
            return False
        least = structure_length(one.expression) + data_length(float(one.rss.sum()), self.sweep)
        return len(self._kept) < KEPT or least < self._kept[KEPT - 1].score

    def _tightened(self, loose: list[Skeleton]) -> list[Skeleton]:
        """Skeletons without the constants that others make superfluous.

        C*(C*x + C)^C has one too many, and none of the four can be read before it is gone.
        """
        rows = self.sweep.columns[:, :N_RANK_ROWS].T
        forms = [remove_redundant(one.expression, rows, constants=one.constants[0]) for one in loose]
        fewer = [form for form, one in zip(forms, loose, strict=True) if form.n_open < one.expression.n_open]
        return [one for one in self._fitted(fewer)[0] if np.isfinite(one.error)] if fewer else []

    def _skeleton(self, form: Expression, fits: Fits, place: int) -> Skeleton:
        n_groups, n_open = self.sweep.n_groups, form.n_open
        lines = slice(place * n_groups, (place + 1) * n_groups)
        failed = bool(fits.n_failed[lines].any())
        rss = np.inf if failed else float(fits.rss[lines].sum())
        error = float(np.sqrt(rss / self.sweep.n_rows)) / self._std
        constants = fits.constants[lines, :n_open]
        covariance = fits.covariance[lines, :n_open, :n_open]
        within = is_within_noise(rss, n_open, self.sweep) and not has_structure(form, constants, self.sweep)
        score = fitted_length(form, constants, covariance, rss, self.sweep)
        return Skeleton(form, constants, covariance, fits.rss[lines], error, score, within)

    def _report(self) -> None:
        if self._progress is None:
            return
        best = self.best
        text, error = (str(best.expression), best.error) if best else ("", np.inf)
        variable = ", ".join(self.sweep.names[:3])
        self._progress(Progress(self.stage, self.n_scored, self.seconds, text, error, variable))


def _shortlist(skeletons: list[Skeleton]) -> list[Skeleton]:
    """The best by score, together with the best of each complexity, so that the Pareto front is whole."""
    ranked = sorted(skeletons, key=lambda s: (s.score, s.complexity))
    nearest = sorted(ranked, key=lambda skeleton: skeleton.error)
    needed = {id(skeleton) for skeleton in first_of_each_size(nearest, lambda skeleton: skeleton.complexity)}
    return [skeleton for place, skeleton in enumerate(ranked) if place < KEPT or id(skeleton) in needed]
