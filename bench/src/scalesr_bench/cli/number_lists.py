"""Lists of numbers as they are typed, with commas."""

from __future__ import annotations

from scalesr.errors import DataError


def noise_levels(text: str) -> tuple[float, ...]:
    """Levels of noise."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise DataError(f"Levels of noise are numbers with commas, such as 0,0.001,0.01; not {text!r}.") from None


def whole_numbers(text: str, what: str) -> tuple[int, ...]:
    """Whole numbers above 0, none of "" ; `what` begins the sentence where they are none."""
    parts = text.split(",") if text else []
    if not all(part.strip().isdecimal() and int(part) > 0 for part in parts):
        raise DataError(f"{what} are whole numbers above 0 with commas, such as 20,100,2000; not {text!r}.")
    return tuple(int(part) for part in parts)
