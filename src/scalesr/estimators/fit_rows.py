"""fit_rows: a model on the rows that were chosen of a table, for whoever has read it."""

from __future__ import annotations

from collections.abc import Sequence

from scalesr.estimators.frames import named_groups, named_rows
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.targets import noted
from scalesr.records.discovery import Discovery
from scalesr.records.groups import Label
from scalesr.tables import ChosenRows


def fit_rows(
    model: ScaleSRRegressor, rows: ChosenRows, *, groups: str = "", notes: Sequence[str] = ()
) -> ScaleSRRegressor:
    """Fit a model to rows; what became of their table (`notes`) is part of its story.

    `groups` is the name of the column that tells the rows of a group.
    """
    X, y = named_rows(rows.X, rows.names, rows.y, rows.target, rows.categories)
    errors = {"y_error": rows.y_error, "x_error": rows.x_error or None}
    model.fit(X, y, rows.weights, groups=named_groups(rows.groups, groups), **errors)
    found = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    (model.discovery_,) = (noted(one, list(notes)) for one in found)
    return model


def labels_of(discovery: Discovery, rows: ChosenRows) -> tuple[Label, ...] | None:  # (rows,)
    """The group of each row, where the law has constants that differ between groups."""
    known = discovery.taken.groups
    return None if known is None else rows.labels_by(known.by)
