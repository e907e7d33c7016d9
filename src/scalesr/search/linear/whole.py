"""A whole library at once, and what is left of it when the terms are gone that the rows do not miss.

Where the law is in the library, the variance of the residual stays what it is while the other terms
go. Where it is not, the variance grows long before few terms are left, and there is nothing to find.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scalesr.evidence.criterion import structure_length
from scalesr.expr.expression import Expression
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.design import Basis, Design, basis, losses
from scalesr.search.linear.selection import Selection, is_rounding, leap, shed, strip


@dataclass(frozen=True, slots=True)
class Threshold:
    """What a new sum has to beat."""

    variance: float  # of the residual of the best law so far
    law: Expression

    def is_beyond(self, design: Design, variance: float) -> bool:
        """Whether no sum that leaves this variance or more can have a shorter description."""
        constants = 0.5 * self.law.n_open * math.log(design.n_rows)
        length = structure_length(self.law) + constants + design.data_length(design.n_rows * self.variance)
        return bool(design.data_length(design.n_rows * variance) + design.lengths[1:].min(initial=0.0) >= length)


def reduce_whole(selection: Selection, bar: Threshold) -> None:
    """Note the sums that are left of a whole library."""
    design = selection.design
    found = basis(design, tuple(range(len(design.terms))))
    allowed = LINEAR.unchanged_variance * _variance(design, found)
    if bar.is_beyond(design, _variance(design, found)):
        return
    found = leap(design, found)
    while len(found.support) > selection.max_terms:
        found = shed(design, found, losses(found))
        if _variance(design, found) > allowed and not is_rounding(design, found.rss):
            return
    strip(selection, found.support)


def _variance(design: Design, found: Basis) -> float:
    return found.rss / max(design.n_rows - len(found.support), 1)
