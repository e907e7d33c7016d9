"""Masked arrays: their masks are respected at every door, by refusing what is masked out.

NumPy reads a masked array as if it had no mask, so that a cell that somebody has masked out would count again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scalesr.errors import DataError


def require_unmasked(values: Any, what: str) -> None:
    """Refuse an array with masked cells, and lists that hold such arrays or cells."""
    n_masked = _n_masked(values)
    if n_masked:
        raise DataError(
            f"{what[0].upper()}{what[1:]} is a masked array, and {n_masked} of its cells are masked out. Leave out "
            f"their rows (keep = ~numpy.ma.getmaskarray(X).any(axis=1)) in X, y and sample_weight, or fill them in."
        )


def _n_masked(values: Any) -> int:
    if isinstance(values, np.ma.MaskedArray):
        return int(np.asarray(np.ma.getmaskarray(values).tolist(), bool).sum())  # by way of lists: rows may be records
    if isinstance(values, list | tuple):
        return sum(_n_masked(part) for part in values if isinstance(part, list | tuple | np.ma.MaskedArray))
    return 0
