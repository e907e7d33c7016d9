"""Calibrating by a table: the constants of every group in it become those of a model."""

from __future__ import annotations

import numpy as np

from scalesr.errors import DataError
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.records.groups import Label
from scalesr.tables import Table, columns_called, group_labels


def calibrate_table(model: ScaleSRRegressor, table: Table) -> tuple[Label, ...]:
    """Let a model know the groups of a table, which has the columns of its laws and their targets; returns them."""
    found = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    first = found[0].taken
    if first.groups is None:
        raise DataError("The law was fitted without groups, so that none can be calibrated; fit it with --groups.")
    labels = group_labels(table, first.groups.by)
    X, whole = columns_called(table, first.columns)
    y, known = columns_called(table, model.target_names_)
    whole &= known & np.array([label is not None for label in labels])
    new = tuple(
        dict.fromkeys(label for label, is_whole in zip(labels, whole, strict=True) if is_whole and label is not None)
    )
    if not new:
        raise DataError(f"No row of {table.source} has a group and a number in every column that the law needs.")
    for label in new:
        rows = whole & np.array([one == label for one in labels])
        model.calibrate(model.named(X[rows]), y[rows] if y.shape[1] > 1 else y[rows, 0], group=label)
    return new
