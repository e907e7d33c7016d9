"""Ways to find laws of motion, side by side: ours, and the weak form of pysindy with the best of its settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.simulate import simulated
from scalesr.dynamics.system import system_of
from scalesr.estimators.dynamics import ScaleSRDynamics
from scalesr.records.equation import Equation
from scalesr_bench.dynamics.drawing import DrawnRuns
from scalesr_bench.dynamics.weak_sindy import weak_sindy_laws

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FoundLaws:
    """The laws that a method returned and what it said of them."""

    laws: tuple[Equation, ...]
    verdicts: tuple[str, ...]
    reasons: tuple[str, ...]
    statements: tuple[str, ...]

    def simulate(self, starts: Floats, times: Floats) -> Floats:
        """States (runs, points, states) from starts (runs, states)."""
        system = system_of([law.expression for law in self.laws])
        none = np.empty((len(times), 0))
        return np.stack([simulated(system, start, times, none) for start in starts])


def _ours(drawn: DrawnRuns, *, seed: int, n_jobs: int, time_limit: float) -> FoundLaws:
    model = ScaleSRDynamics(random_state=seed, n_jobs=n_jobs, time_limit=time_limit)
    model.fit(drawn.measured, drawn.times, states=drawn.system.states)
    verdicts = tuple(str(one.verdict) for one in model.discoveries_)
    return FoundLaws(model.equations_, verdicts, tuple(one.reason for one in model.discoveries_), model.statements_)


def _weak_sindy(drawn: DrawnRuns, *, seed: int, n_jobs: int, time_limit: float) -> FoundLaws:
    del seed, n_jobs, time_limit  # it draws its own test functions, with a fixed seed, and is quick
    laws = weak_sindy_laws(drawn)
    return FoundLaws(laws, ("",) * len(laws), ("",) * len(laws), ())


METHODS: Final[dict[str, Callable[..., FoundLaws]]] = {"scalesr": _ours, "weak-sindy": _weak_sindy}
