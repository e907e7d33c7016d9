"""Oracle: a function that is asked instead of a learned one, a simulator or an instrument."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from scalesr.errors import SettingError

Function = Callable[[Any], Any]  # a table (rows, variables) -> values (rows,)


@dataclass(frozen=True, slots=True)
class Oracle:
    """A function of tables (rows, columns) that answers with values (rows,), for at most `budget` rows in a fit."""

    function: Function
    budget: int | None = None  # None: as many rows as are of use

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise SettingError(f"An oracle is a function of tables, not {self.function!r}.")
        budget: object = self.budget  # whatever the user wrote
        if budget is not None and not (isinstance(budget, int | np.integer) and budget >= 0):
            raise SettingError(f"budget={self.budget!r} is not a number of rows; give 0 or more, or None for no limit.")
