"""`discover`: the discovery for a table or a function, without a model to keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scalesr.errors import DataError
from scalesr.estimators.given import rows_of_box
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.records.discovery import Discovery
from scalesr.records.oracle import Oracle

N_ROWS: Final = 2000  # of a box that a function is asked for


def discover(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    groups: Any = None,
    box: Mapping[str, tuple[float, float]] | None = None,
    n_rows: int = N_ROWS,
    **settings: Any,
) -> Discovery | tuple[Discovery, ...]:
    """The discovery for a table and its target, or for a function; `settings` are parameters of ScaleSRRegressor.

    A function in the place of X is asked for `n_rows` random rows of `box`, which names its columns and
    their ranges as {"x": (0, 1), "v": (1, 5)}, and for more in the course of the search. `groups` is as in `fit`.
    """
    if not callable(X) and not isinstance(X, Oracle):
        if box is not None:
            raise DataError("A box is for functions; give a function in the place of X, or leave out box.")
        return ScaleSRRegressor(**settings).fit(X, y, sample_weight, groups=groups).discovery_
    if y is not None or sample_weight is not None or groups is not None or "generator" in settings:
        raise DataError(
            "A function in the place of X gives its own targets; leave out y, weights, groups and generator."
        )
    model = ScaleSRRegressor(generator=X, **settings)
    return model.fit(rows_of_box(box, n_rows, model.random_state)).discovery_
