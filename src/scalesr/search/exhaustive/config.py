"""ExhaustiveConfig: all forms in order of size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ExhaustiveConfig:
    """Counts and limits, grouped by the file that uses them.

    What shapes the lists themselves stands in the files that the names of stored lists are made of (`rules_stamp`).
    """

    # ladders.py
    ladder_degree: int = 10  # of polynomials
    max_top: int = 6  # degree above the bar of a ratio, and below it
    max_bottom: int = 4
    max_inner: int = 4  # degree of a polynomial within a function
    max_over_root: int = 3  # degree of a polynomial over a root, and of what is under it
    under_root: tuple[int, ...] = (1, 2, 4)

    # list_file.py
    max_bytes: int = 2**28  # of the arrays: a hundred times the largest list

    # search.py
    quick_groups: int = 1
    quick_rows: int = 48
    screened_with_care: int = 10_000  # forms of a size, about a second's work
    # skeletons of a size that are fitted to all rows
    promoted: int = 40
    promoted_noisy: int = 100
    ladders_after: int = 5  # the size after which polynomials and ratios of any length are tried
    sizes_beside_ladders: int = 7  # a ladder's many constants imitate smooth laws: shorter forms get their chance
    # what forms of that size have at most: one with more may imitate a smooth law, so that larger sizes are looked at
    many_constants: int = 4
    making_share: float = 0.5  # of the time that is left, for a list of formulas: fitting them takes longer
    simple_number: float = 1.0  # nats that a simple number costs, about
    luck: float = 5.0  # nats by which noise may favour a form over the true one
    largest_otherwise: int = 5  # size up to which forms are listed where `LARGEST` has no entry


EXHAUSTIVE: Final = ExhaustiveConfig()
