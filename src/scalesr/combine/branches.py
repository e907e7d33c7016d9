"""Branches: formulas in some of the variables, tried in order of how far they depart from the first choice.

The open constants of a branch are functions of the variables it has not yet. The most plausible
way is followed to its end first, then those that differ from it in one choice, and so on (limited
discrepancy).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.combine.coefficients import find_pieces
from scalesr.combine.merge import choices, merged
from scalesr.combine.seeker import Seeker
from scalesr.combine.track import follow
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.records.criterion import description_length
from scalesr.records.grid import Grid

Floats = NDArray[np.float64]

BEAM = 12  # ways to go on from a branch
WARM = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=100)


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A formula in the first `n_learned` variables of an order."""

    skeleton: Expression
    constants: Floats  # (settings, open constants)
    order: tuple[int, ...]
    n_learned: int
    departures: int  # ranks of all choices that led here

    @property
    def learned(self) -> tuple[int, ...]:
        return self.order[: self.n_learned]

    @property
    def new(self) -> int:
        """The variable that comes next."""
        return self.order[self.n_learned]

    @property
    def is_whole(self) -> bool:
        return self.n_learned == len(self.order)


class Queue:
    """Branches, those with the fewest departures first, and of these the longest."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, int, Branch]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def push(self, branch: Branch) -> None:
        self._count += 1
        heapq.heappush(self._waiting, (branch.departures, -branch.n_learned, self._count, branch))

    def pop(self) -> Branch:
        return heapq.heappop(self._waiting)[-1]


def grow(branch: Branch, grid: Grid, seeker: Seeker) -> list[Branch]:
    """The branch with its next variable, the best way first; nothing where its coefficients are not to be had."""
    tracks = follow(branch.skeleton, grid)
    pieces = None if tracks is None else find_pieces(tracks, branch.new, seeker)
    if tracks is None or pieces is None:
        return []
    found = [merged(branch.skeleton, tracks.centres(), taken) for taken in choices(pieces, BEAM)]
    children = [replace(branch, skeleton=s, constants=c, n_learned=branch.n_learned + 1) for s, c in found]
    return children if children[0].is_whole else ranked(children, grid)


def ranked(children: list[Branch], grid: Grid) -> list[Branch]:
    """Children fitted to all groups of a setting at once, the shortest description first."""
    sweep = grid.by_setting()
    scored = []
    for place, child in enumerate(children):
        guesses = np.tile(child.constants[np.newaxis], (sweep.n_groups, 1, 1))
        fits = fit_grid([child.skeleton], sweep.columns, sweep.row_starts, sweep.y, np.empty(0), guesses, WARM)
        constants = fits.constants[:, : child.skeleton.n_open]
        if not (fits.n_failed > 0).any() and np.isfinite(constants).all():
            score = description_length(child.skeleton, float(fits.rss.sum()), sweep)
            scored.append((score, place, replace(child, constants=constants)))
    best = [child for _, _, child in sorted(scored, key=lambda one: one[:2])]
    return [replace(child, departures=child.departures + rank) for rank, child in enumerate(best)]
