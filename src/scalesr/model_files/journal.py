"""Journal: finished searches and long fits of a run, so that a run that was killed does not make them again.

A run is determined by its table, settings and seed, and goes the same way each time. To resume it is
to go that way again; what the file knows is answered from there, with the source of randomness left
as a search had left it.
"""

from __future__ import annotations

import hashlib
import json
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from scalesr import __version__
from scalesr.errors import DataError, ScaleSRWarning
from scalesr.expr.fit_memory import Arrays
from scalesr.model_files.checkpoint import (
    MAX_BYTES,
    Checkpoint,
    FinishedSearch,
    FitArrays,
    cannot_resume,
    fit_of,
    fit_text,
    is_of_run,
    read_checkpoint,
    search_of,
    search_text,
    write_checkpoint,
)
from scalesr.model_files.fingerprint import described
from scalesr.model_files.values import Fault
from scalesr.records.budget import Budget, Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Search
from scalesr.records.skeleton import Ranking
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep

SHARE: Final = 20.0  # times as long as it takes to write the file passes between two writings
LONGEST: Final = 60.0  # seconds between two writings, as far as something ends in them
LONG_FIT: Final = 0.02  # seconds from which a fit is kept
LARGEST: Final = MAX_BYTES // 2  # characters of all that is kept; what is not kept is done again
GENERATOR: Final = "PCG64"
CUT_ONLY: Final = frozenset({"time_limit", "max_work", "checkpoint"})  # settings that decide only when a run ends
OTHER_RUN: Final = (
    "it belongs to another table, other settings, another seed or version of ScaleSR ({about}); give the same as "
    "before or another file, or start over with --restart or by removing it"
)
N_NAMED: Final = 6  # columns in a description
LONGEST_ABOUT: Final = 300  # characters of a description that are shown


class Journal:
    """What one run has finished, in memory and in its file."""

    def __init__(self, path: Path, run: str, about: str) -> None:
        self._path, self._run = path, run
        self._before = read_checkpoint(path) if path.exists() else Checkpoint(run, about, {}, {})
        if self._before.run != run:
            raise cannot_resume(path, OTHER_RUN.format(about=self._before.about[:LONGEST_ABOUT]))
        self._searches = {key: json.dumps(value) for key, value in self._before.searches.items()}
        self._fits = {key: json.dumps(value) for key, value in self._before.fits.items()}
        self._size = sum(map(len, (*self._searches.values(), *self._fits.values())))
        self._is_saved, self._next = True, 0.0
        self._write()

    def recall_search(self, key: str) -> FinishedSearch | None:
        """What a search had found."""
        document = self._before.searches.get(key)
        try:
            return None if document is None else search_of(document)
        except Fault as fault:
            raise cannot_resume(self._path, fault) from fault

    def remember_search(self, key: str, done: FinishedSearch, n_fits_before: int) -> None:
        """Keep a finished search; the long fits that it has made since so many were known are of no more use."""
        for fit in list(self._fits)[n_fits_before:]:
            self._size -= len(self._fits.pop(fit))
        self._keep(self._searches, key, search_text(done))

    @property
    def n_fits(self) -> int:
        """Long fits that are kept."""
        return len(self._fits)

    def recall_fit(self, key: str) -> FitArrays | None:
        """What a fit had found."""
        document = self._before.fits.get(key)
        try:
            return None if document is None else fit_of(document)
        except Fault as fault:
            raise cannot_resume(self._path, fault) from fault

    def remember_fit(self, key: str, results: Arrays, seconds: float) -> None:
        """Keep a fit if it took long."""
        if seconds >= LONG_FIT:
            values, covariance, rss, counts = results
            self._keep(self._fits, key, fit_text((values, covariance, rss, counts)))

    def save(self) -> None:
        """Write what is new."""
        if not self._is_saved:
            self._save_or_warn()

    def _keep(self, kept: dict[str, str], key: str, text: str) -> None:
        if self._size + len(text) > LARGEST:
            return
        kept[key] = text
        self._size += len(text)
        self._is_saved = False
        if time.monotonic() >= self._next:
            self._save_or_warn()

    def _save_or_warn(self) -> None:
        """Write the file; where that fails the work goes on and the file keeps what it had."""
        try:
            self._write()
        except DataError as error:
            warnings.warn(f"{error} The fit goes on; its checkpoint stays as it was.", ScaleSRWarning, stacklevel=2)
            self._next = time.monotonic() + LONGEST

    def _write(self) -> None:
        if self._path.exists() and not is_of_run(self._path, self._run):
            raise DataError(f"{self._path} belongs to another run or to something else by now; give each run its own.")
        started = time.monotonic()
        write_checkpoint(self._path, self._run, self._before.about, self._searches, self._fits)
        ended = time.monotonic()
        self._next = ended + min(SHARE * (ended - started), LONGEST)
        self._is_saved = True


@dataclass(frozen=True, slots=True)
class Remembered:
    """A search whose rankings are kept; `role` tells it from others of its class."""

    inner: Search
    journal: Journal
    role: str

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons as the inner search does, or did."""
        key = _digest(_parts_of_search(self.role, self.inner, sweep, budget, rng))
        stop = budget.stop or Stop()
        known = self.journal.recall_search(key)
        if known is not None and (stop.work_left is None or known.work < stop.work_left):
            _set_source(rng, known)
            stop.spend(known.work)
            return known.ranking
        n_fits, spent = self.journal.n_fits, stop.spent
        ranking = self.inner.search(sweep, budget, rng=rng, progress=progress)
        is_late = budget.seconds is not None and ranking.seconds >= budget.seconds
        if not (ranking.interrupted or is_late or stop.passed):
            done = FinishedSearch(ranking, _state(rng), _n_spawned(rng), stop.spent - spent)
            self.journal.remember_search(key, done, n_fits)
        return ranking


def open_journal(data: Dataset, settings: Settings, rng: np.random.Generator) -> Journal | None:
    """The journal that the settings ask for, with what its file has of this run."""
    if settings.checkpoint is None:
        return None
    return Journal(settings.checkpoint, _digest(_parts_of_run(data, settings, rng)), _about(data, settings))


def _about(data: Dataset, settings: Settings) -> str:
    """What a run is about, for whoever meets its file later."""
    names = ", ".join(data.names[:N_NAMED]) + (" ..." if len(data.names) > N_NAMED else "")
    search = settings.search if isinstance(settings.search, str) else type(settings.search).__qualname__
    begun = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"{data.n_rows} rows of {names} with the target {data.target}, preset {settings.preset}, search {search}, "
        f"ScaleSR {__version__}, begun {begun}"
    )


def _parts_of_run(data: Dataset, settings: Settings, rng: np.random.Generator) -> Iterable[bytes]:
    """Everything that a run depends on; limits and the number of workers decide nothing."""
    arrays = (data.columns, data.y, *(() if data.weights is None else (data.weights,)))
    yield from (np.ascontiguousarray(array).tobytes() for array in arrays)
    chosen = described(settings, without=CUT_ONLY)
    words = [data.names, data.target, data.columns.shape, chosen, _state(rng), _n_spawned(rng)]
    yield json.dumps([__version__, *words]).encode()


def _parts_of_search(
    role: str, inner: Search, sweep: Sweep, budget: Budget, rng: np.random.Generator
) -> Iterable[bytes]:
    arrays = (sweep.columns, sweep.y, sweep.row_starts, *(() if sweep.weights is None else (sweep.weights,)))
    yield from (np.ascontiguousarray(array).tobytes() for array in arrays)
    limits = (budget.n_fits, budget.target_error, sweep.noise)
    kind = described(inner) if _is_record(inner) else type(inner).__qualname__  # others are told by the run's digest
    words = [role, kind, sweep.names, sweep.columns.shape, limits, _state(rng), _n_spawned(rng)]
    yield json.dumps(words).encode()


def _is_record(search: object) -> bool:
    """Whether what a search holds cannot change while it works."""
    return is_dataclass(search)


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _state(rng: np.random.Generator) -> dict[str, int]:
    state: dict[str, Any] = dict(rng.bit_generator.state)
    inner = state["state"]
    return {
        "state": int(inner["state"]),
        "inc": int(inner["inc"]),
        "has_uint32": int(state["has_uint32"]),
        "uinteger": int(state["uinteger"]),
    }


def _n_spawned(rng: np.random.Generator) -> int:
    seeds = rng.bit_generator.seed_seq
    return seeds.n_children_spawned if isinstance(seeds, np.random.SeedSequence) else 0


def _set_source(rng: np.random.Generator, known: FinishedSearch) -> None:
    """Leave the source of randomness as the search had left it."""
    rng.spawn(max(known.n_spawned - _n_spawned(rng), 0))
    state = known.state
    rng.bit_generator.state = {
        "bit_generator": GENERATOR,
        "state": {"state": state["state"], "inc": state["inc"]},
        "has_uint32": state["has_uint32"],
        "uinteger": state["uinteger"],
    }
