"""The search on the rates of each state, on as many processes as are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from joblib import Parallel, delayed

from scalesr import pipeline
from scalesr.dynamics.candidates import Candidates, candidates_of
from scalesr.dynamics.find import Look
from scalesr.estimators.telling import tell_end, teller
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import INTERRUPTED, Discovery
from scalesr.records.outcome import Ending
from scalesr.records.proposal import Proposal

HURRIED = 0.2  # seconds for each state that is left after an interrupt, of the two that SIGTERM may take
SEARCH_SHARE = 0.35  # of the limits, for the search on all columns of all states; the views take as much at most
TRAJECTORY_SHARE = 1 - 2 * SEARCH_SHARE  # of the work, for the choice on the trajectories


class _Hurry:
    """Whether somebody has interrupted one of the searches."""

    def __init__(self) -> None:
        self.is_on = False

    def limit(self, seconds: float | None) -> float | None:
        """The time for the next search."""
        return min(HURRIED, HURRIED if seconds is None else seconds) if self.is_on else seconds


@dataclass(frozen=True, slots=True)
class _Discover:
    """The whole method on one table, with its own share of the time and its own random numbers."""

    settings: Settings
    seed: int
    verbose: int | Report
    hurry: _Hurry

    def __call__(
        self, data: Dataset, *, share: float, error: float, start: tuple[Proposal, ...] = ()
    ) -> Discovery:  # fmt: skip
        limit = None if self.settings.time_limit is None else share * self.settings.time_limit
        work = None if self.settings.max_work is None else share * self.settings.max_work
        own = replace(self.settings, time_limit=self.hurry.limit(limit), max_work=work, error=error, start=start)
        rng = np.random.default_rng(self.seed)
        found = pipeline.discover(data, own, rng=rng, progress=teller(self.verbose, data.target))
        self.hurry.is_on |= found.was_interrupted
        if self.verbose and not callable(self.verbose):
            tell_end(found, data.target)
        return replace(found, ended=INTERRUPTED, ending=Ending.INTERRUPTED) if self.hurry.is_on else found


def look_for(settings: Settings, *, seed: int, n_states: int, verbose: int | Report) -> Look:
    """A search for candidates of all states."""
    n_jobs = min(settings.n_jobs, n_states)
    if callable(verbose) and n_jobs > 1:
        verbose = 0  # a function of this process cannot be called from others
    limit = settings.time_limit
    per_state = None if limit is None else SEARCH_SHARE * limit * n_jobs / n_states
    work = None if settings.max_work is None else SEARCH_SHARE * settings.max_work / n_states
    each = replace(settings, time_limit=per_state, max_work=work, n_jobs=1)

    def look(tables: Sequence[tuple[Dataset, int | None, float]]) -> list[Candidates]:
        hurry = _Hurry()
        jobs = [
            (data, own, error, _Discover(each, seed + place, verbose, hurry))
            for place, (data, own, error) in enumerate(tables)
        ]
        if n_jobs > 1:
            try:
                return list(Parallel(n_jobs=n_jobs)(delayed(candidates_of)(*job) for job in jobs))
            except KeyboardInterrupt:  # what other processes have found is lost
                hurry.is_on = True
        return [candidates_of(*job) for job in jobs]

    return look
