"""Rows of named columns as scikit-learn knows names: DataFrames."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from scalesr.estimators.numbers import Floats


def named_rows(X: Floats, names: Sequence[str], y: Floats, target: str) -> tuple[pd.DataFrame, pd.Series]:
    """A table and its target, with their names."""
    return pd.DataFrame(X, columns=list(names)), pd.Series(y, name=target)
