"""A law along one of its variables, while the others are held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.report.law_on_rows import LawOnRows

Floats = NDArray[np.float64]

SETTINGS = (0.2, 0.5, 0.8)  # rows at these shares of the target's order, whose other values are held
N_POINTS = 160


@dataclass(frozen=True, slots=True, eq=False)
class LawAlong:
    """Curves over one variable."""

    x: Floats  # (points,)
    curves: tuple[Floats, ...]  # one per setting, (points,)
    moved_rows: Floats  # (rows,) the law at the middle setting plus what it leaves of each row


def law_along(rows: LawOnRows, variable: int) -> LawAlong:
    """The law over the range of a variable, with the others as in real rows."""
    column = rows.table[:, variable]
    x = np.linspace(column.min(), column.max(), N_POINTS)
    order = np.argsort(rows.predicted, kind="stable")
    held = [rows.table[order[int(share * (len(order) - 1))]] for share in SETTINGS]
    middle = held[len(held) // 2]
    curves = tuple(rows.equation.predict(_with(setting, variable, x)) for setting in held)
    return LawAlong(x, curves, rows.equation.predict(_with(middle, variable, column)) + rows.residual)


def _with(setting: Floats, variable: int, values: Floats) -> Floats:
    """The setting once for each value of the variable, (values, columns)."""
    table = np.tile(setting, (len(values), 1))
    table[:, variable] = values
    return table
