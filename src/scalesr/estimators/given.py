"""Given: what a fit begins from, with values that a function was asked for where the user has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from scalesr.errors import DataError
from scalesr.estimators.errors_of_rows import as_weights, read_errors
from scalesr.estimators.inputs import Targets, read_targets, read_weights
from scalesr.estimators.numbers import Floats
from scalesr.estimators.parameters import random_sources
from scalesr.generator.asked_rows import ask_rows, checked_box, rows_in
from scalesr.records.config import Settings
from scalesr.records.groups import Labels
from scalesr.records.oracle import Oracle


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Rows, targets and weights that were read, and the settings they are looked at with."""

    table: Floats  # (rows, columns)
    targets: Targets
    weights: Floats | None  # (rows,)
    settings: Settings
    notes: tuple[str, ...] = ()  # what became of the rows, in sentences
    labels: Labels | None = None  # of the groups of rows, where there are any
    categories: tuple[Labels, ...] = ()  # of columns of text, each of which may define groups
    x_errors: Floats | None = None  # (rows, columns) standard errors of the cells


def read_given(  # noqa: PLR0913 - all that may be known of the rows
    table: Floats,
    y: Any,
    sample_weight: Any,
    settings: Settings,
    *,
    y_error: Any = None,
    labels: Labels | None = None,
    categories: tuple[Labels, ...] = (),
    notes: tuple[str, ...] = (),
    x_errors: Floats | None = None,
) -> Given:
    """The target and the weights of a table's rows; without y the oracle of the settings is asked for it."""
    weights = read_weights(sample_weight, len(table))
    if (errors := read_errors(y_error, len(table))) is not None:
        weights, known = as_weights(errors, weights, settings.given_noise)
        settings = replace(settings, given_noise=known)
    if y is not None or not isinstance(settings.generator, Oracle):
        return Given(table, read_targets(y, len(table)), weights, settings, notes, labels, categories, x_errors)
    asked = ask_rows(settings.generator, table)
    return Given(
        table[asked.answered],
        Targets(asked.y[np.newaxis], ("y",)),
        None if weights is None else weights[asked.answered],
        replace(settings, generator=asked.oracle),
        (asked.note,),
    )


def rows_of_box(box: Mapping[str, tuple[float, float]] | None, n_rows: Any, random_state: Any) -> pd.DataFrame:
    """Random rows of a box, to ask a function at."""
    if box is None:
        raise DataError(
            "A function needs a box in which it is evaluated; give box={'x': (0, 1), ...} with all its columns."
        )
    if isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < 2:
        raise DataError(f"n_rows={n_rows!r} is not a number of rows; give 2 or more.")
    ranges = checked_box(box)
    rng = random_sources(random_state, 2)[1]  # the first is the one of the fit
    return pd.DataFrame(rows_in(list(ranges.values()), int(n_rows), rng=rng), columns=list(ranges))
