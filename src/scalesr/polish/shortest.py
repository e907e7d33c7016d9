"""The shortest form of a law: pruned, and its constants read."""

from __future__ import annotations

from scalesr.evidence.refit import FitData
from scalesr.expr.fitting import Fit
from scalesr.polish.prune import pruned
from scalesr.polish.snap import snapped


def shortest(done: Fit, rows: FitData) -> Fit:
    """The law without the parts that carry nothing, its constants the simple numbers that they are."""
    return snapped(pruned(done, rows), rows)
