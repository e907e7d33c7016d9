"""The one-variable suite: which sweeps there are, and one job per method, sweep, noise and seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scalesr.errors import DataError
from scalesr_bench.problems.registry import SUITES
from scalesr_bench.search.sweeps import SweepProblem

SWEPT: Final = ("paper", "strogatz", "feynman")  # suites whose laws in many variables are swept one by one
QUICK: Final = 40  # sweeps of the quick suite
_SHUFFLE_SEED: Final = 3


@dataclass(frozen=True, slots=True)
class SearchJob:
    """One search on one sweep."""

    method: str
    source: SweepProblem
    noise: float  # share of the standard deviation
    seed: int
    time_limit: float

    @property
    def key(self) -> str:
        return f"{self.method} | {self.source.key} | noise {self.noise:g} | seed {self.seed}"


@dataclass(frozen=True, slots=True)
class SweepSelection:
    """Sweeps of a benchmark, and how many were left out because the law does not have the variable."""

    sweeps: tuple[SweepProblem, ...]
    n_without_variable: int
    is_whole: bool  # nothing else was left out


def select_sweeps(suite: str = "all", *, only: str = "", limit: int | None = None) -> SweepSelection:
    """The sweeps of a suite: "all", "quick" (40 at random, the same always), or names of problem suites.

    `only` keeps sweeps whose name has that text; `limit` keeps this many of them at random, always the same.
    """
    suites = tuple(SUITES) if suite in ("all", "quick") else tuple(suite.split(","))
    everything = [sweep for name in suites for sweep in _sweeps_of(name)]
    matching = [sweep for sweep in everything if only in sweep.key]
    mattering = [sweep for sweep in matching if sweep.matters]
    count = QUICK if suite == "quick" and limit is None else limit
    chosen = mattering if count is None else _sample(mattering, count)
    if not chosen:
        raise DataError(f"No sweep is left of suite {suite!r} with {only!r} in its name.")
    is_whole = suite == "all" and len(chosen) == len(mattering) and len(matching) == len(everything)
    return SweepSelection(tuple(chosen), len(matching) - len(mattering), is_whole)


def _sweeps_of(suite: str) -> list[SweepProblem]:
    if suite not in SUITES:
        raise DataError(f"Unknown suite {suite!r}; known are all, quick, {', '.join(SUITES)}.")
    problems = [p for p in SUITES[suite] if p.n_variables == 1 or suite in SWEPT]
    return [SweepProblem(problem, column) for problem in problems for column in range(problem.n_variables)]


def _sample(sweeps: Sequence[SweepProblem], count: int) -> list[SweepProblem]:
    """Some of the sweeps in their own order; a larger sample contains the smaller ones."""
    places = np.random.default_rng(_SHUFFLE_SEED).permutation(len(sweeps))[:count]
    return [sweeps[place] for place in sorted(places)]


def plan(
    selection: SweepSelection,
    *,
    methods: Sequence[str],
    noises: Sequence[float],
    seeds: Sequence[int],
    time_limit: float,
) -> list[SearchJob]:
    """All jobs, in an order that lets methods and noise levels be compared before the end."""
    return [
        SearchJob(method, source, noise, seed, time_limit)
        for seed in seeds
        for source in selection.sweeps
        for noise in noises
        for method in methods
    ]
