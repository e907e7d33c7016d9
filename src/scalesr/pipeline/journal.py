"""Journal: finished searches of a run, so that a run that was killed does not make them again.

A run is determined by its table, settings and seed, and goes the same way each time. To resume it is
to go that way again; each search that the file knows is answered from there, with the source of
randomness left as the search had left it.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from scalesr import __version__
from scalesr.model_files.checkpoint import MAX_BYTES, Entry, read_checkpoint, write_checkpoint
from scalesr.records.budget import Budget, Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Learner, Search
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep

SHARE: Final = 20.0  # times as long as it takes to write the file passes between two writings
LONGEST: Final = 60.0  # seconds between two writings, as far as searches end in them
GENERATOR: Final = "PCG64"


class Journal:
    """The searches of one run, in memory and in its file."""

    def __init__(self, path: Path, run: str) -> None:
        self._path, self._run = path, run
        found = read_checkpoint(path, run) if path.exists() else {}
        self._known = found
        self._texts = {key: json.dumps(entry.document()) for key, entry in found.items()}
        self._size = sum(map(len, self._texts.values()))
        self._is_saved, self._next = True, 0.0
        self._write()

    def recall(self, key: str) -> Entry | None:
        """What a search had found."""
        return self._known.get(key)

    def remember(self, key: str, entry: Entry) -> None:
        """Add a finished search; the file follows soon."""
        document = json.dumps(entry.document())
        if self._size + len(document) > MAX_BYTES // 2:
            return  # what is not in the file is searched again
        self._texts[key] = document
        self._size += len(document)
        self._is_saved = False
        if time.monotonic() >= self._next:
            self._write()

    def save(self) -> None:
        """Write what is new."""
        if not self._is_saved:
            self._write()

    def _write(self) -> None:
        started = time.monotonic()
        write_checkpoint(self._path, self._run, self._texts)
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
        known = self.journal.recall(key)
        if known is not None:
            _set_source(rng, known)
            return known.ranking
        ranking = self.inner.search(sweep, budget, rng=rng, progress=progress)
        is_cut = ranking.interrupted or (budget.seconds is not None and ranking.seconds >= budget.seconds)
        if not is_cut:
            self.journal.remember(key, Entry(ranking, _state(rng), _n_spawned(rng)))
        return ranking


def open_journal(data: Dataset, settings: Settings, rng: np.random.Generator) -> Journal | None:
    """The journal that the settings ask for, with what its file has of this run."""
    if settings.checkpoint is None:
        return None
    return Journal(settings.checkpoint, _digest(_parts_of_run(data, settings, rng)))


def _parts_of_run(data: Dataset, settings: Settings, rng: np.random.Generator) -> Iterable[bytes]:
    """Everything that a run depends on; a time limit and the number of workers decide nothing."""
    arrays = (data.columns, data.y, *(() if data.weights is None else (data.weights,)))
    yield from (np.ascontiguousarray(array).tobytes() for array in arrays)
    codes = [(row.name, int(row.code)) for row in settings.operators]
    start = [str(proposal.expression) for proposal in settings.start]
    chosen = (settings.preset, settings.plain_laws, settings.error, _label(settings.search), _label(settings.generator))
    words = [data.names, data.target, data.columns.shape, codes, start, chosen, _state(rng), _n_spawned(rng)]
    yield json.dumps([__version__, *words]).encode()


def _parts_of_search(
    role: str, inner: Search, sweep: Sweep, budget: Budget, rng: np.random.Generator
) -> Iterable[bytes]:
    yield from (np.ascontiguousarray(array).tobytes() for array in (sweep.columns, sweep.y, sweep.row_starts))
    limits = (budget.n_fits, budget.target_error, sweep.noise)
    words = [role, _label(inner), sweep.names, sweep.columns.shape, limits, _state(rng), _n_spawned(rng)]
    yield json.dumps(words).encode()


def _label(chosen: object) -> str:
    """A name for what cannot be written down: a search or an oracle of the user's own."""
    if isinstance(chosen, str):
        return chosen
    if isinstance(chosen, Learner):
        return f"learner {chosen.name}"
    kind = type(chosen)
    return f"{kind.__module__}.{kind.__qualname__} {getattr(chosen, '__qualname__', '')}"


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


def _set_source(rng: np.random.Generator, known: Entry) -> None:
    """Leave the source of randomness as the search had left it."""
    rng.spawn(max(known.n_spawned - _n_spawned(rng), 0))
    state = known.state
    rng.bit_generator.state = {
        "bit_generator": GENERATOR,
        "state": {"state": state["state"], "inc": state["inc"]},
        "has_uint32": state["has_uint32"],
        "uinteger": state["uinteger"],
    }
