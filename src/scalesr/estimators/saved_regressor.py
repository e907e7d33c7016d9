"""Regressors that were saved, read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scalesr.estimators.plugins import load_operators
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.saved import from_values
from scalesr.model_files import Model, model_of, read_model


def load_regressor(path: str | Path) -> ScaleSRRegressor:
    """A fitted regressor from a file that `save` has written; reading runs nothing that the file holds."""
    load_operators()
    return _fitted(read_model(Path(path)))


def regressor_of(content: bytes, name: str) -> ScaleSRRegressor:
    """The same from what such a file holds; `name` is that of the law, for errors."""
    load_operators()
    return _fitted(model_of(content, name))


def _fitted(model: Model) -> ScaleSRRegressor:
    regressor = ScaleSRRegressor()
    regressor.set_params(**from_values(model.settings, regressor.get_params(deep=False)))
    regressor.n_features_in_ = len(model.names)
    if model.are_names_given:
        regressor.feature_names_in_ = np.array(model.names, dtype=object)
    regressor.target_names_ = model.targets
    regressor.discovery_ = model.discoveries[0] if len(model.discoveries) == 1 else model.discoveries
    return regressor
