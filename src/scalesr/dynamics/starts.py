"""Starts of whole trajectories, fitted to them: the first point alone has the noise of one measurement."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.segments import cut
from scalesr.dynamics.shooting import FLOOR, enough_steps, shoot, std_of
from scalesr.dynamics.system import System
from scalesr.dynamics.trajectories import Trajectories

Floats = NDArray[np.float64]

MOST_POINTS = 400  # of a run that its start is fitted to
EXACT = 1e-9  # of the standard deviation: steps between points are small enough for clean trajectories


def fitted_starts(system: System, data: Trajectories) -> list[Floats]:
    """A start per run; its first point where the system cannot be fitted along it."""
    closed = replace(system, laws=tuple(replace(law, free=()) for law in system.laws))
    rng = np.random.default_rng(0)  # every run is cut into one segment, so that nothing is drawn
    found = []
    for place, run in enumerate(data.runs):
        segments = cut(data.some([place]), run.n_points, 1, rng=rng, n_kept=None if system.is_map else MOST_POINTS)
        n_sub, _ = enough_steps(closed, segments, np.maximum(EXACT, FLOOR) * std_of(segments))
        shot = shoot(closed, segments, n_sub=n_sub)
        found.append(shot.starts[0] if shot.is_finite else run.states[0])
    return found
