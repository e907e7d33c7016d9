"""ControlConfig: where curves are measured, and how many values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ControlConfig:
    """Counts and limits, grouped by the file that uses them."""

    # control.py
    smooth_error: float = 2.0  # a generator's error is smooth: it weighs more than as much independent noise
    fewest_points: int = 6  # of a group
    # at which the other variables are held
    n_settings: int = 4
    n_settings_of_groups: int = 3

    # effects.py
    effects_rows: int = 1000  # whose changes tell the effect of a variable

    # error.py
    error_rows: int = 4000  # that the error of a generator is measured on
    no_better: float = 0.5  # on rows it has seen, of its error on unseen ones: below, the error is the generator's own
    related: float = 4.0  # standard deviations by which neighbours may agree by chance
    least_error: float = 0.02  # of the error on unseen rows

    # sample.py
    edge: float = 0.02  # share of the rows at either end of a column that is left out: generators err most there
    values_looked_at_per_kept: int = 5  # times as many values are looked at as are wanted

    # settings.py
    rows_looked_at: int = 40  # rows that are candidates
    values_looked_at: int = 40  # of the variable that moves, of which few may be trusted
    response_points: int = 7  # of a sweep that measures the response
    fewest_trusted: int = 3  # trusted points that a sweep needs
    weak_response: float = 0.3  # of the median response: below, a setting hides terms


CONTROL: Final = ControlConfig()
