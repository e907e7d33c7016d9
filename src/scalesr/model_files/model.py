"""Model: what a file holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scalesr.records.discovery import Discovery

FORMAT: Final = "scalesr-law"
VERSION: Final = 3
READABLE: Final = (1, 2, VERSION)  # 1 has no curves in its steps; 1 and 2 lack outcomes and the ending
MAX_BYTES: Final = 2**24

Value = str | float | bool | tuple[str, ...] | None  # of a setting


@dataclass(frozen=True, slots=True)
class Model:
    """Laws of one table: one discovery per target, and what they were asked for with."""

    discoveries: tuple[Discovery, ...]
    names: tuple[str, ...]  # of the table's columns
    targets: tuple[str, ...]
    are_names_given: bool  # by the user; False: x0, x1, ...
    settings: Mapping[str, Value]
    library: str  # the version of ScaleSR that wrote it
