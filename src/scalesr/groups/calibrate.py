"""Calibration: the constants of a new group of a law whose other constants are known."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.expr.evaluate import gradient, jacobian
from scalesr.groups.blocks import fit_blocks
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Law
from scalesr.records.groups import GroupedData

Floats = NDArray[np.float64]

N_STARTS: Final = 24  # groups whose constants are first guesses


def calibrated(law: Law, data: Dataset) -> tuple[Floats, Floats]:
    """The constants (letters,) of the group that some rows are of, and their covariance; the shared ones stay.

    The errors of rows are taken for those of the groups of the fit, and the shared constants for as uncertain as
    these have left them.
    """
    known = law.groups
    assert known is not None
    n_letters = len(known.letters)
    if data.n_rows < n_letters:
        raise DataError(
            f"{data.n_rows} row{'' if data.n_rows == 1 else 's'} cannot determine the {n_letters} constants that "
            f"differ between groups; give {n_letters} or more."
        )
    form = law.equation.expression
    rows = GroupedData(data, np.array([0, data.n_rows]), ("new",), known.by)
    starts = [known.values.mean(axis=0), *known.values[:: max(len(known.values) // N_STARTS, 1)]]
    fits = [fit_blocks(form, rows, np.empty(0), start[np.newaxis]) for start in starts if np.isfinite(start).all()]
    best = min((one for one in fits if one is not None), key=lambda one: one.rss, default=None)
    if best is None:
        raise DataError("The law has no values on these rows, whatever the group's constants are; look at the rows.")
    table = np.column_stack([data.table, np.repeat(best.own, data.n_rows, axis=0)])
    weights = np.ones(data.n_rows) if data.weights is None else data.weights / data.weights.mean()
    own = gradient(form, table)[:, data.n_variables :]
    pinned = np.linalg.pinv((own * weights[:, np.newaxis]).T @ own)
    reach = (
        pinned @ (own * weights[:, np.newaxis]).T @ jacobian(form, table)
    )  # how the constants follow the shared ones
    with np.errstate(all="ignore"):  # a file may hold any noise and any covariance
        covariance = pinned * known.noise * known.noise + reach @ law.equation.covariance @ reach.T
    if not (np.isfinite(best.own_covariance).all() and np.isfinite(covariance).all()):
        covariance = np.full((n_letters, n_letters), np.nan)
    return best.own[0], covariance
