"""Limits that the settings of every benchmark have to keep to."""

from __future__ import annotations

from collections.abc import Collection

from scalesr.errors import DataError


def check_time_limit(seconds: float) -> None:
    """Refuse a time limit that is not above 0."""
    if not seconds > 0:
        raise DataError(f"A time limit is a number of seconds above 0, not {seconds:g}.")


def check_noise_levels(levels: Collection[float]) -> None:
    """Refuse levels of noise that are not shares."""
    if not all(0 <= level < 1 for level in levels):
        raise DataError(f"Levels of noise are shares from 0 to 1, not {levels}.")
