"""A whole library at once, and what is left of it when the terms are gone that the rows do not miss.

Where the law is in the library, the variance of the residual stays what it is while the other terms
go. Where it is not, the variance grows long before few terms are left, and there is nothing to find.
"""

from __future__ import annotations

from scalesr.records.criterion import EXACT
from scalesr.search.linear.design import Basis, Design, basis, losses
from scalesr.search.linear.selection import Selection, is_rounding, leap, shed, strip

UNCHANGED = 1.3  # times the variance that the whole library leaves: what a part of it may leave
BETTER = 0.9  # times the variance of the best law so far: what is worth looking into


def reduce_whole(selection: Selection, variance: float) -> None:
    """Note the sums that are left of a whole library; `variance` is what the best law so far leaves."""
    design = selection.design
    found = basis(design, tuple(range(len(design.terms))))
    allowed = UNCHANGED * _variance(design, found)
    if _variance(design, found) > BETTER * variance + (EXACT * design.scale) ** 2:
        return
    found = leap(design, found)
    while len(found.support) > selection.max_terms:
        found = shed(design, found, losses(found))
        if _variance(design, found) > allowed and not is_rounding(design, found.rss):
            return
    strip(selection, found.support)


def _variance(design: Design, found: Basis) -> float:
    return found.rss / max(design.n_rows - len(found.support), 1)
