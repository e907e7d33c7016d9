"""Scale: columns and target of any magnitude brought near one, by powers of ten."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.records.dataset import Dataset
from scalesr.reduce.config import REDUCE
from scalesr.reduce.reduction import ONE, Transformation

Floats = NDArray[np.float64]


def rescaling(data: Dataset, usual: float = REDUCE.usual_magnitude) -> Transformation | None:
    """The transformation that divides by powers of ten whatever is very large or small; None where nothing is."""
    units = [_unit(column, usual) for column in data.columns]
    target = _unit(data.y, usual)
    changed = [j for j, unit in enumerate(units) if unit != 1.0]
    if not changed and target == 1.0:
        return None
    new = [_in_units(j, unit) for j, unit in enumerate(units)]
    return Transformation(tuple(range(data.n_variables)), tuple(new), ONE if target == 1.0 else constant(target), 0.0)


def _unit(values: Floats, usual: float) -> float:
    """A power of ten of the size of the numbers, or 1 where they are of usual size."""
    sizes = np.abs(values[values != 0])
    if not len(sizes):
        return 1.0
    typical = float(np.exp(np.median(np.log(sizes))))
    if 1 / usual <= typical <= usual:
        return 1.0
    return float(10.0 ** np.clip(round(np.log10(typical)), -300, 300))


def _in_units(column: int, unit: float) -> Expression:
    return variable(column) if unit == 1.0 else apply("/", variable(column), constant(unit))
