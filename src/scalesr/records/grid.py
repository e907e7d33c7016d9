"""Grid: what a generator says where some variables move and the others are held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Rows in groups: one group per setting, or one per value of a new variable at each setting.

    Groups of a setting stand together, in ascending order of the new variable.
    """

    columns: Floats  # (variables, rows), contiguous: all columns of the table
    y: Floats  # (rows,)
    row_starts: NDArray[np.int64]  # (groups + 1,)
    settings: NDArray[np.int64]  # (groups,) number of the setting, ascending
    values: Floats  # (groups,) of the new variable; NaN where there is none
    noise: float  # standard deviation of the error of y that later tests allow for
    names: tuple[str, ...]

    @property
    def n_groups(self) -> int:
        return len(self.settings)

    @property
    def n_settings(self) -> int:
        return int(self.settings[-1]) + 1 if len(self.settings) else 0

    def groups_of(self, setting: int) -> NDArray[np.int64]:
        """The groups of one setting, in ascending order of the new variable."""
        return np.flatnonzero(self.settings == setting)

    def by_setting(self) -> Sweep:
        """All columns, one group per setting."""
        firsts = [int(self.groups_of(setting)[0]) for setting in range(self.n_settings)]
        starts = np.array([*self.row_starts[firsts], self.row_starts[-1]], np.int64)
        return Sweep(self.columns, self.y, starts, self.names, self.noise)

    def curve(self, variable: int) -> Sweep:
        """One column, one group per group: what a search in one variable works on."""
        column = np.ascontiguousarray(self.columns[[variable]])
        return Sweep(column, self.y, self.row_starts, (self.names[variable],), self.noise)
