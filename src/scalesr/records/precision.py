"""How precise numbers are: the levels that several stages share, each under one name."""

from __future__ import annotations

from typing import Final

CLEAN: Final = 1e-3  # of the target's standard deviation: errors below it are no noise that searches have to allow for
EXACT_LAW: Final = 1e-13  # of the same: what rounding leaves of an exact law that was computed with little care
LAST_PLACES: Final = 8 * 2.0**-53  # of a number: what rounding alone makes of it
PROPORTIONAL: Final = 1e-12  # of the size of a column: differences below are rounding
SQUARABLE: Final = 1e100  # values below it can be squared and summed
SMALLEST: Final = 1e-300  # what a positive number is divided by at least
WIDE: Final = 20  # columns beyond which a table is looked at with fewer functions of each
KNOWN_TO: Final = 0.1  # of its size: a constant that is known less well is near too many other numbers
SLOPE_STEP: Final = 1e-6  # of a value, by which it is moved to take a slope
