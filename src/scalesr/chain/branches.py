"""Branches: formulas in some of the variables, and the beam in which they grow.

The open constants of a branch are functions of the variables it has not yet. Branches of the same
variables are compared by description length on the same rows: a wrong formula for the first
variable often fits, but its constants then need long formulas in the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.chain.coefficients import coefficient_formulas, in_variable
from scalesr.chain.config import CHAIN
from scalesr.chain.merge import choices, merged
from scalesr.chain.seeker import Seeker
from scalesr.chain.track import Tracks, follow
from scalesr.evidence.criterion import description_length, is_within_noise
from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.expr.redundancy import remove_redundant
from scalesr.records.grid import Grid
from scalesr.records.skeleton import Skeleton

Floats = NDArray[np.float64]

WARM = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=100)


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A formula in the first `n_learned` variables of an order."""

    skeleton: Expression
    constants: Floats  # (settings, open constants)
    order: tuple[int, ...]
    n_learned: int
    score: float  # description length, to compare with branches of the same variables
    fits: bool  # whether it leaves no more than the noise
    tracks: Tracks | None = None  # the coefficients that the last variable was found by

    @classmethod
    def root(cls, skeleton: Skeleton, order: tuple[int, ...]) -> Branch:
        """A formula for the curves of the first variable."""
        form = in_variable(skeleton.expression, order[0])
        return cls(form, skeleton.constants, order, 1, skeleton.score, skeleton.within_noise)

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


@dataclass
class Generation:
    """Branches in the same variables, the best first; each is taken once, and once more if it was put off."""

    waiting: list[Branch] = field(default_factory=list)
    put_off: list[Branch] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def add(self, branches: list[Branch]) -> None:
        """Put branches in their places; forms that have been here are left out."""
        for branch in branches:
            key = canonical_key(branch.skeleton)
            if key not in self._seen and np.isfinite(branch.score):
                self._seen.add(key)
                self.waiting.append(branch)
        self.waiting.sort(key=lambda branch: branch.score)

    def take(self, number: int, *, fitting: bool) -> list[Branch]:
        """The best that have not been taken yet; `fitting`: of those that fit."""
        taken = [branch for branch in self.waiting if branch.fits or not fitting][:number]
        self.waiting = [branch for branch in self.waiting if branch not in taken]
        return taken

    def reopen(self) -> None:
        """Let those that were put off wait again."""
        self.waiting = sorted([*self.waiting, *self.put_off], key=lambda branch: branch.score)
        self.put_off = []


def grow(branch: Branch, grid: Grid, seeker: Seeker, *, n_thorough: int) -> list[Branch]:
    """The branch with its next variable, the best way first; nothing where its coefficients are not to be had."""
    branch = tightened(branch, grid)
    tracks = follow(branch.skeleton, grid, branch.constants)
    formulas = None if tracks is None else coefficient_formulas(tracks, branch.new, seeker, n_thorough=n_thorough)
    if tracks is None or formulas is None:
        return []
    found = [merged(branch.skeleton, tracks.centres(), taken) for taken in choices(formulas, CHAIN.n_children)]
    grown = replace(branch, n_learned=branch.n_learned + 1, tracks=tracks)
    children = [replace(grown, skeleton=s, constants=c) for s, c in found]
    return sorted((scored(child, grid) for child in children), key=lambda child: child.score)[: CHAIN.n_children_kept]


def tightened(branch: Branch, grid: Grid) -> Branch:
    """The branch without constants that the others make superfluous: those would wander along the new variable."""
    rows = grid.columns[:, : CHAIN.n_rank_rows].T
    skeleton = remove_redundant(branch.skeleton, rows, constants=branch.constants[0])
    if skeleton.n_open == branch.skeleton.n_open:
        return branch
    return replace(branch, skeleton=skeleton, constants=np.empty((0, skeleton.n_open)))


def scored(branch: Branch, grid: Grid) -> Branch:
    """The branch with constants fitted to all groups of a setting at once."""
    sweep = grid.by_setting()
    guesses = np.tile(branch.constants[np.newaxis], (sweep.n_groups, 1, 1))
    fits = fit_grid([branch.skeleton], sweep.columns, sweep.row_starts, sweep.y, np.empty(0), guesses, WARM)
    constants = fits.constants[:, : branch.skeleton.n_open]
    if (fits.n_failed > 0).any() or not np.isfinite(constants).all():
        return replace(branch, score=np.inf, fits=False)
    rss = float(fits.rss.sum())
    fitting = is_within_noise(rss, branch.skeleton.n_open, sweep)
    return replace(branch, constants=constants, score=description_length(branch.skeleton, rss, sweep), fits=fitting)
