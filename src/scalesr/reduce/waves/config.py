"""WaveConfig: waves as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class WaveConfig:
    """Counts and limits, grouped by the file that uses them."""

    # columns.py
    # share of what smooth functions leave: waves that explain less are no better than chance or poles
    least_explained: float = 0.5
    same_frequency: float = 1e-4  # relative difference of frequencies that are taken for equal
    quarter_turn: float = 1e-6  # of a quarter turn, within which a phase is one

    # coordinates.py
    combined_columns: int = 6  # columns, up to which combinations of them are gone through

    # find.py
    scanned_rows: int = 1000  # that are scanned and fitted: any frequency can be determined on uneven rows
    fewest_rows: int = 60  # rows, from which a wave can be told from chance among this many
    max_waves: int = 4  # a product of three waves in three columns is the sum of four
    # of the target's variance: where smooth functions leave less, there is no oscillation to speak of
    large_rest: float = 0.01
    # of a residual's sum of squares: where a wave leaves less, the scans that come later are needless
    clear_wave: float = 0.05
    little_rest: float = 0.005  # of what smooth functions leave: where waves leave less, amplitudes are what is missing
    n_fitted: int = 3  # peaks of a group of scans that are fitted, to choose among them by more than their height
    much_rest: float = 0.5  # of the same: where waves leave more, it is another wave that is missing
    patience: int = 1  # degrees that do not help before no higher one is tried
    rows_per_number: int = 8  # rows that a linear coefficient asks for
    smooth_degree: int = 6  # of those that are taken off before the first scan

    # model.py
    n_steps: int = 15  # of Gauss and Newton: they converge in a few where they do at all
    n_halvings: int = 4  # of a step that makes matters worse
    converged: float = 1e-13  # relative change of the sum of squares that ends the steps
    rounding: float = 1e-10  # of a target of values up to 1: a residual that an exact model may have
    linearly_dependent: float = 1e-12  # share of a column outside the span of the others, below which it is left out

    # spectrum.py
    highest_frequency: float = 3 / 8
    lowest_frequency: float = 2.0  # cycles: what is slower is left to smooth functions


WAVE: Final = WaveConfig()
