"""The benchmark of laws of motion: trajectories of known systems, the estimator on each, one judge."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import numpy as np

from scalesr.bench.dynamics.drawing import DrawnRuns, draw_runs
from scalesr.bench.dynamics.judging import LawOfState, errors_of_runs, judge_state
from scalesr.bench.dynamics.systems import SystemProblem, systems_called
from scalesr.bench.laws.runs import warm_up
from scalesr.errors import DataError
from scalesr.estimators.dynamics import ScaleSRDynamics

MOST_JUDGED = 200  # held-back runs that are simulated


@dataclass(frozen=True, slots=True)
class DynamicsSettings:
    """What is measured."""

    systems: str
    n_seeds: int = 5
    first_seed: int = 0
    noise: float = 0.0  # share of each state's standard deviation
    n_trajectories: int | None = None  # None: the usual number
    time_limit: float = 300.0  # seconds per fit
    n_jobs: int = 2

    def __post_init__(self) -> None:
        if not 0 <= self.noise < 1:
            raise DataError(f"A level of noise is a share from 0 to 1, not {self.noise}.")

    @property
    def label(self) -> str:
        """A name for the file of results."""
        parts = ["dynamics", *self.systems.split(",")]
        parts += [f"noise-{self.noise:g}"] if self.noise else []
        parts += [f"{self.n_trajectories}-trajectories"] if self.n_trajectories else []
        return "-".join(parts)


@dataclass(frozen=True, slots=True)
class DynamicsRun:
    """One fit and what is right about it."""

    system: str
    seed: int
    seconds: float
    laws: tuple[LawOfState, ...]
    statements: tuple[str, ...]
    nmse: float | None  # of held-out trajectories: mean square error over variance, the worst state
    msre: float | None  # the paper's mean square relative error

    @property
    def all_forms(self) -> bool:
        return all(law.form for law in self.laws)

    @property
    def all_right(self) -> bool:
        return all(law.right for law in self.laws)


@dataclass(frozen=True, slots=True)
class DynamicsResult:
    """All runs, and what they amount to."""

    settings: DynamicsSettings
    runs: tuple[DynamicsRun, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "settings": asdict(self.settings),
            "summary": [self.summary(name) for name in dict.fromkeys(run.system for run in self.runs)],
            "runs": [asdict(run) for run in self.runs],
        }

    def summary(self, system: str) -> dict[str, object]:
        """Counts and worst cases of one system."""
        runs = [run for run in self.runs if run.system == system]
        laws = [law for run in runs for law in run.laws]
        offs = [law.off for law in laws if law.off is not None]
        return {
            "system": system,
            "runs": len(runs),
            "runs_with_all_forms": sum(run.all_forms for run in runs),
            "runs_all_right": sum(run.all_right for run in runs),
            "laws": len(laws),
            "laws_with_form": sum(law.form for law in laws),
            "laws_right": sum(law.right for law in laws),
            "largest_error_of_constants": max(offs, default=None),
            "largest_nmse": _worst([run.nmse for run in runs]),
            "largest_msre": _worst([run.msre for run in runs]),
            "median_seconds": float(np.median([run.seconds for run in runs])),
            "slowest_seconds": max(run.seconds for run in runs),
        }


def measure_dynamics(
    settings: DynamicsSettings, *, progress: Callable[[DynamicsRun], None] | None = None
) -> DynamicsResult:
    """Fit every system with every seed."""
    warm_up("default")
    runs = []
    for system in systems_called(settings.systems):
        for seed in range(settings.first_seed, settings.first_seed + settings.n_seeds):
            runs.append(_run(system, seed, settings))
            if progress is not None:
                progress(runs[-1])
    return DynamicsResult(settings, tuple(runs))


def _run(system: SystemProblem, seed: int, settings: DynamicsSettings) -> DynamicsRun:
    drawn = draw_runs(system, seed=seed, noise=settings.noise, n_trajectories=settings.n_trajectories)
    model = ScaleSRDynamics(random_state=seed, n_jobs=settings.n_jobs, time_limit=settings.time_limit)
    started = time.perf_counter()
    model.fit(drawn.measured, drawn.times, states=system.states)
    seconds = time.perf_counter() - started
    nmse, msre = _errors(model, drawn)
    laws = tuple(_judged(model, place, drawn, settings.noise, seed) for place in range(len(system.states)))
    return DynamicsRun(system.name, seed, seconds, laws, model.statements_, _number(nmse), _number(msre))


def _judged(model: ScaleSRDynamics, place: int, drawn: DrawnRuns, noise: float, seed: int) -> LawOfState:
    equation, discovery = model.equations_[place], model.discoveries_[place]
    rng = np.random.default_rng([seed, place])
    bare = judge_state(
        drawn.system.states[place], equation.expression, drawn.system.laws[place], noise=noise, rng=rng
    )  # fmt: skip
    return replace(bare, found=str(equation), verdict=str(discovery.verdict), reason=discovery.reason)


def _errors(model: ScaleSRDynamics, drawn: DrawnRuns) -> tuple[float, float]:
    held = drawn.held[:MOST_JUDGED]
    return errors_of_runs(model.simulate(held[:, 0], drawn.times), held)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _worst(values: list[float | None]) -> float | None:
    return None if None in values else max(value for value in values if value is not None)
