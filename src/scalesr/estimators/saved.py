"""An estimator's parameters as values that a file can hold, and back."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Final

import numpy as np

from scalesr import __version__
from scalesr.errors import DataError, OperatorError, ScaleSRWarning, SettingError
from scalesr.estimators.parameters import random_sources, settings_of
from scalesr.estimators.units import named_units
from scalesr.expr.operators import Operators
from scalesr.model_files import Model, Value
from scalesr.records.noise import Noise

OF_THE_PLACE: Final = ("checkpoint",)  # parameters that mean something only where a fit is made
# Parameters that older files do not have: their fits were made with the default.
LATER: Final = (
    "max_work",
    "max_complexity",
    "model_selection",
    "units",
    "noise",
    "outliers",
    "loss",
    "start",
    "sample_rows",
    "template",
    "constraints",
)


def to_values(parameters: Mapping[str, Any]) -> dict[str, Value]:
    """The parameters without those that are objects of the user's own: a file holds nothing to run."""
    values: dict[str, Value] = {}
    for name, value in parameters.items():
        if name in OF_THE_PLACE:
            continue
        if name == "units" and value is not None:
            pairs = [(column.replace(",", "\\,"), unit) for column, unit in named_units(value)]
            values[name] = ",".join(f"{column}={unit}" for column, unit in pairs)
        elif isinstance(value, Noise):
            values[name] = value.text
        elif isinstance(value, Operators):
            values[name] = value.names
        elif value is None or isinstance(value, str):
            values[name] = value
        elif isinstance(value, list | tuple) and all(isinstance(member, str) for member in value):
            values[name] = tuple(value)
        elif isinstance(value, bool | np.bool_):
            values[name] = bool(value)
        elif isinstance(value, Integral):
            values[name] = int(value)
        elif isinstance(value, Real):
            values[name] = float(value) if np.isfinite(float(value)) else None
    return values


def model_of_fit(fitted: Any, names: tuple[str, ...]) -> Model:
    """The model that a file holds of a fitted regressor; its columns have these names, given or not."""
    found = fitted.discovery_
    return Model(
        discoveries=found if isinstance(found, tuple) else (found,),
        names=names,
        targets=fitted.target_names_,
        are_names_given="feature_names_in_" in vars(fitted),
        settings=to_values(fitted.get_params(deep=False)),
        library=__version__,
    )


def from_values(
    values: Mapping[str, Value], defaults: Mapping[str, Any], extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Checked parameters; those that the file does not hold have their defaults, and a warning says so.

    `extra` are parameters that the method asks for and this estimator does not have.
    """
    known = [name for name in defaults if name not in OF_THE_PLACE]
    if unknown := sorted(values.keys() - set(known)):
        raise DataError(f"The model file has the unknown parameter {unknown[0]!r}; known are {', '.join(known)}.")
    if missing := [name for name in known if name not in (*values, *LATER)]:
        message = f"The file does not hold {', '.join(missing)}; before a new fit, set what is not to be the default."
        warnings.warn(message, ScaleSRWarning, stacklevel=3)
    try:
        parameters = {**defaults, **values}
        if isinstance(names := values.get("operators"), tuple):
            parameters["operators"] = Operators(*names)
        settings_of({**(extra or {}), **parameters})
        random_sources(parameters["random_state"], 1)
    except (OperatorError, SettingError) as error:
        raise DataError(f"The model file has a parameter that cannot be used: {error}") from error
    return parameters
