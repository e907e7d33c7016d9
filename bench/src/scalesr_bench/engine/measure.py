"""The engine's benchmark: evaluation, fits, groups, memory and compile time in one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from scalesr_bench.engine.compile_time import CompileTime, measure_compile_time
from scalesr_bench.engine.fits import BATCH_SAME_START, MINPACK, FitSpeeds, measure_fits
from scalesr_bench.engine.memory import Memory, measure_memory
from scalesr_bench.engine.speed import Speed, measure_speed
from scalesr_bench.timing import one_core

ROWS: Final = (200, 1000, 6400)


@dataclass(frozen=True, slots=True)
class MeasuredSize:
    """How much is measured."""

    n_trees: int
    n_curves: int
    repeats: int
    n_evaluations: int  # while memory is watched


FULL: Final = MeasuredSize(n_trees=300, n_curves=200, repeats=30, n_evaluations=1_000_000)
QUICK: Final = MeasuredSize(n_trees=30, n_curves=20, repeats=3, n_evaluations=20_000)


@dataclass(frozen=True, slots=True)
class Bar:
    """A ratio and the least it has to be."""

    what: str
    ratio: float
    at_least: float

    @property
    def is_met(self) -> bool:
        return self.ratio >= self.at_least

    def as_json(self) -> dict[str, object]:
        """The record with keys that say what was measured."""
        return {"what": self.what, "ratio": self.ratio, "at_least": self.at_least, "is_met": self.is_met}


@dataclass(frozen=True, slots=True)
class EngineResult:
    """All measurements of one run."""

    speeds: tuple[Speed, ...]
    fits: FitSpeeds
    memory: Memory
    compile_time: CompileTime

    def bars(self) -> list[Bar]:
        """What the engine promises: with functions mixed in, and per fit in a batch."""
        mixed = [speed for speed in self.speeds if speed.kind == "mixed"]
        each = [Bar(f"evaluate to Evaluate, {s.rows} rows", s.ratio_each, 1.0) for s in mixed if s.ratio_each]
        batch = [
            Bar(f"evaluate_many to EvaluateTrees, {s.rows} rows", s.ratio_batch, 0.6) for s in mixed if s.ratio_batch
        ]
        fits = Bar("fits per second in a batch, to MINPACK's", self.fits.ratio_to_minpack(BATCH_SAME_START), 100.0)
        success = self.fits[BATCH_SAME_START].success_rate / self.fits[MINPACK].success_rate
        bars = [*each, *batch, fits, Bar("success from the same starts, to MINPACK's", success, 1.0)]
        if self.memory.ratio_before_to_after is not None:
            bars.append(
                Bar(
                    f"memory before {self.memory.n_evaluations} evaluations to after",
                    self.memory.ratio_before_to_after,
                    0.95,
                )
            )
        return bars

    def as_json(self) -> dict[str, object]:
        """The record with keys that say what was measured."""
        return {
            "evaluation": [speed.as_json() for speed in self.speeds],
            "fits": self.fits.as_json(),
            "memory": self.memory.as_json(),
            "compile_time": self.compile_time.as_json(),
            "bars": [bar.as_json() for bar in self.bars()],
        }


def measure_engine(effort: MeasuredSize, *, seed: int, progress: Callable[[str], None]) -> EngineResult:
    """Measure everything; `progress` is told what comes next."""
    rng = np.random.default_rng(seed)
    with one_core():
        speeds = []
        for mixed in (False, True):
            for rows in ROWS:
                progress(f"{'mixed' if mixed else 'arithmetic'} trees on {rows} rows")
                speeds.append(
                    measure_speed(mixed=mixed, rows=rows, n_trees=effort.n_trees, repeats=effort.repeats, rng=rng)
                )
        progress(f"fits of {effort.n_curves} curves")
        fits = measure_fits(n_curves=effort.n_curves, repeats=max(effort.repeats // 5, 1), rng=rng)
        progress(f"memory over {effort.n_evaluations} evaluations")
        memory = measure_memory(effort.n_evaluations, rng=rng)
    progress("compile time of a first and a second process")
    return EngineResult(tuple(speeds), fits, memory, measure_compile_time())
