"""What a user knows of the target's errors: a noise, a loss as other tools call it, outliers, an error per row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from scalesr.errors import DataError, SettingError
from scalesr.estimators.numbers import Floats, numbers_of, require_finite
from scalesr.masks import require_unmasked
from scalesr.records.noise import BINARY, GivenNoise, Noise, noise_called

AUTO: Final = "auto"
# What other tools call a loss is a noise: the one under which minimising the loss is most likely right.
LOSSES: Final[Mapping[str, GivenNoise]] = {
    "squared": GivenNoise(Noise("constant", source="given"), outliers=False),
    "absolute": GivenNoise(Noise("constant", source="given"), outliers=True),
    "huber": GivenNoise(Noise("constant", source="given"), outliers=True),
    "relative": GivenNoise(Noise("proportional", source="given"), outliers=False),
    "poisson": GivenNoise(Noise("counts", 1.0, source="given"), outliers=False),
    "logistic": GivenNoise(Noise(BINARY, source="given"), outliers=False),
}


def given_noise(noise: Any, outliers: Any, loss: Any) -> GivenNoise | None:
    """The noise that the parameters give; None where all of it is to be estimated."""
    may_have = _may_have_outliers(outliers)
    if loss is not None:
        if loss not in LOSSES:
            raise SettingError(f"loss={loss!r} is unknown; known are {', '.join(map(repr, LOSSES))}.")
        if not (isinstance(noise, str) and noise == AUTO):
            raise SettingError(f"loss={loss!r} and noise={noise!r} both say what errors are like; give one of them.")
        return LOSSES[loss] if outliers == AUTO else replace(LOSSES[loss], outliers=may_have)
    if isinstance(noise, Noise):
        return GivenNoise(replace(noise, source="given"), may_have)
    if not isinstance(noise, str):
        raise SettingError(f"noise={noise!r} is neither a kind of noise nor Noise(...); write 'proportional'.")
    if noise == AUTO:
        return None if may_have else GivenNoise(None, outliers=False)
    try:
        return GivenNoise(noise_called(noise), may_have)
    except DataError as error:
        raise SettingError(f"noise={noise!r}: {error}") from error


def read_errors(y_error: Any, n_rows: int) -> Floats | None:  # (rows,)
    """The standard error of each row of the target, above 0; None where it is not known."""
    if y_error is None:
        return None
    require_unmasked(y_error, "y_error")
    array = np.asarray(y_error)
    if array.ndim == 0:
        array = np.full(n_rows, array)
    if array.shape != (n_rows,):
        raise DataError(f"y_error has the shape {array.shape}; give one number, or one per row, {n_rows} in all.")
    errors = numbers_of(array, "y_error")
    require_finite([errors], ["y_error"])
    if (errors <= 0).any():
        place = int((errors <= 0).argmax())
        raise DataError(f"y_error is {errors[place]:g} in row {place} (from 0); a standard error is above zero.")
    return errors


def as_weights(errors: Floats, weights: Floats | None, given: GivenNoise | None) -> tuple[Floats, GivenNoise]:
    """Known errors as weights of rows, and the noise of a row of average weight."""
    if weights is not None:
        raise DataError("sample_weight and y_error both say how much rows count; give y_error alone.")
    if given is not None and given.noise is not None:
        raise SettingError(f"y_error and noise={given.noise.text!r} both say how large errors are; give one of them.")
    shares = (errors.min() / errors) ** 2
    scale = float(errors.min() / np.sqrt(shares.mean()))
    outliers = True if given is None else given.outliers
    return shares, GivenNoise(Noise("constant", scale, source="given"), outliers)


def _may_have_outliers(outliers: Any) -> bool:
    if isinstance(outliers, str) and outliers == AUTO:
        return True
    if isinstance(outliers, bool | np.bool_):
        return bool(outliers)
    raise SettingError(f"outliers={outliers!r} is neither 'auto' nor True nor False.")
