"""Levels of noise as they are typed."""

from __future__ import annotations

from scalesr.errors import DataError


def noise_levels(text: str) -> tuple[float, ...]:
    """The numbers of a list with commas."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise DataError(f"Levels of noise are numbers with commas, such as 0,0.001,0.01; not {text!r}.") from None
