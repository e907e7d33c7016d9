"""Loading: a file becomes the estimator that wrote it."""

from __future__ import annotations

from pathlib import Path

from scalesr.estimators.dynamics import ScaleSRDynamics, load_dynamics
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.saved_regressor import load_regressor
from scalesr.model_files import holds_dynamics


def load(path: str | Path) -> ScaleSRRegressor | ScaleSRDynamics:
    """A fitted regressor or laws of motion from a file that `save` has written; nothing in the file is run."""
    return load_dynamics(path) if holds_dynamics(Path(path)) else load_regressor(path)
