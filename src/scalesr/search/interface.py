"""The interface of every search."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep


class Search(Protocol):
    """Finds skeletons that describe every group of a sweep."""

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons; the same `rng` state gives the same ranking unless time cuts it short."""
        ...
