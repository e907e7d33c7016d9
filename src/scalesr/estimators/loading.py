"""Loading: a file becomes the estimator that wrote it."""

from __future__ import annotations

from pathlib import Path

from scalesr.estimators import regressor
from scalesr.estimators.dynamics import ScaleSRDynamics, load_dynamics
from scalesr.model_files import holds_dynamics


def load(path: str | Path) -> regressor.ScaleSRRegressor | ScaleSRDynamics:
    """A fitted regressor or laws of motion from a file that `save` has written; nothing in the file is run."""
    return load_dynamics(path) if holds_dynamics(Path(path)) else regressor.load(path)
