"""Errors: how far a generator is off, and the rows it was learned from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Errors:
    """Standard deviations, in units of the target."""

    unseen: float  # of the generator on rows that it had not seen
    values: float  # of the generator's values, without the noise of rows
    rows: float  # of the rows; 0 where it cannot be told from the generator's error
