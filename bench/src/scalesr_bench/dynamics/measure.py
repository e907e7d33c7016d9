"""The benchmark of laws of motion: trajectories of known systems, the estimator on each, one judge."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import numpy as np

from scalesr.errors import DataError
from scalesr_bench.dynamics.drawing import DrawnRuns, draw_runs
from scalesr_bench.dynamics.judging import LawOfState, errors_of_runs, explained, judge_state
from scalesr_bench.dynamics.methods import METHODS, FoundLaws
from scalesr_bench.dynamics.problem import SystemProblem
from scalesr_bench.dynamics.systems import systems_called
from scalesr_bench.laws.runs import warm_up

MOST_JUDGED = 200  # held-back runs that are simulated
CLOSE = 0.9  # R2 from which on laws reconstruct or generalise
SURE = ("exact", "within noise")


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
    method: str = "scalesr"

    def __post_init__(self) -> None:
        if not 0 <= self.noise < 1:
            raise DataError(f"A level of noise is a share from 0 to 1, not {self.noise}.")
        if self.method not in METHODS:
            raise DataError(f"There is no method {self.method!r}; there are {', '.join(METHODS)}.")

    @property
    def label(self) -> str:
        """A name for the file of results."""
        parts = ["dynamics", *self.systems.split(",")]
        parts += [f"noise-{self.noise:g}"] if self.noise else []
        parts += [f"{self.n_trajectories}-trajectories"] if self.n_trajectories else []
        parts += [self.method] if self.method != "scalesr" else []
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
    reconstructs: float | None  # R2 of the fitted trajectories from their true starts, the worst state
    generalises: float | None  # R2 of unseen trajectories

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
            "totals": self.totals(),
            "summary": [self.summary(name) for name in dict.fromkeys(run.system for run in self.runs)],
            "runs": [asdict(run) for run in self.runs],
        }

    def totals(self) -> dict[str, object]:
        """Counts over all systems, and how often a wrong law was called exact or within noise."""
        sure = [run for run in self.runs if all(law.verdict in SURE for law in run.laws)]
        return {
            "runs": len(self.runs),
            "forms": sum(run.all_forms for run in self.runs),
            "right": sum(run.all_right for run in self.runs),
            "reconstruct": sum(_is_close(run.reconstructs) for run in self.runs),
            "generalise": sum(_is_close(run.generalises) for run in self.runs),
            "called_right": len(sure),
            "called_right_with_a_wrong_form": sum(not run.all_forms for run in sure),
            "median_seconds": float(np.median([run.seconds for run in self.runs])),
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
    started = time.perf_counter()
    found = METHODS[settings.method](drawn, seed=seed, n_jobs=settings.n_jobs, time_limit=settings.time_limit)
    seconds = time.perf_counter() - started
    held, known = drawn.held[:MOST_JUDGED], drawn.clean[:MOST_JUDGED]
    ahead, again = found.simulate(held[:, 0], drawn.times), found.simulate(known[:, 0], drawn.times)
    nmse, msre = errors_of_runs(ahead, held)
    laws = tuple(_judged(found, place, drawn, settings.noise, seed) for place in range(len(system.states)))
    return DynamicsRun(
        system.name, seed, seconds, laws, found.statements, _number(nmse), _number(msre),
        _number(explained(again, known)), _number(explained(ahead, held)),
    )  # fmt: skip


def _judged(found: FoundLaws, place: int, drawn: DrawnRuns, noise: float, seed: int) -> LawOfState:
    law = found.laws[place]
    rng = np.random.default_rng([seed, place])
    bare = judge_state(drawn.system.states[place], law.expression, drawn.system.laws[place], noise=noise, rng=rng)
    return replace(bare, found=str(law), verdict=found.verdicts[place], reason=found.reasons[place])


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _is_close(explained_share: float | None) -> bool:
    return explained_share is not None and explained_share > CLOSE


def _worst(values: list[float | None]) -> float | None:
    return None if None in values else max(value for value in values if value is not None)
