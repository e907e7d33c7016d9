"""Track: the coefficients of a skeleton, followed from group to group along the new variable.

Groups that are fitted alone disagree about signs, phases and order: sin(Cx + C) has many copies.
So the best-conditioned group is taken first and each next one starts from its neighbour. Groups
that no longer fit, where a frequency passes zero for example, are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.chain.classify import is_constant, weighted_mean
from scalesr.chain.config import CHAIN
from scalesr.chain.merge import replace_open
from scalesr.expr.expression import Expression, constant
from scalesr.expr.fitting import Effort, Fits, fit_grid
from scalesr.records.grid import Grid

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CONTINUED = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=60)


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """Coefficients along the new variable, at one setting."""

    values: Floats  # (groups,) of the new variable
    constants: Floats  # (groups, coefficients)
    errors: Floats  # (groups, coefficients) standard errors, given the coefficients that are held constant
    loose: Floats  # (groups, coefficients) the same with all coefficients free
    kept: Flags  # (groups,) which groups fit

    @property
    def is_usable(self) -> bool:
        return bool(np.count_nonzero(self.kept) >= min(CHAIN.fewest_groups, len(self.kept)))

    def of(self, place: int) -> tuple[Floats, Floats, Floats]:
        """Values of the new variable, of a coefficient and its errors in the groups that fit."""
        return self.values[self.kept], self.constants[self.kept, place], self.errors[self.kept, place]

    def uncertainty(self, place: int) -> Floats:
        """Errors of a coefficient in the groups that fit, with a share for frozen ones that are a little off."""
        return np.asarray(np.hypot(self.errors[self.kept, place], CHAIN.frozen_off * self.loose[self.kept, place]))


@dataclass(frozen=True, slots=True, eq=False)
class Tracks:
    """Coefficients at all settings, and which of them stay constant along the new variable."""

    settings: tuple[Track, ...]
    varies: Flags  # (coefficients,)

    def centres(self) -> Floats:
        """One value per setting and coefficient, (settings, coefficients)."""
        places = range(len(self.varies))
        return np.array([[weighted_mean(*track.of(place)[1:]) for place in places] for track in self.settings])


def follow(skeleton: Expression, grid: Grid, guesses: Floats) -> Tracks | None:
    """Coefficients of a skeleton along a grid; None where they cannot be followed at any setting.

    `guesses` (guesses, coefficients) are tried beside starts of the fits' own.
    """
    fixed: list[dict[int, float]] = [{} for _ in range(grid.n_settings)]
    tracks = _all_settings(skeleton, grid, fixed, guesses)
    for _ in range(CHAIN.tracking_rounds):
        usable = [track for track in tracks if track is not None]
        if not usable:
            return None
        fresh = _constant_places(usable, skeleton.n_open) - set(fixed[0])
        if not fresh:
            break
        trial = [_with_centres(known, track, fresh) for known, track in zip(fixed, tracks, strict=True)]
        again = _all_settings(skeleton, grid, trial, guesses)
        if not _as_good(again, tracks):
            break
        fixed, tracks = trial, [_loosened(new, old) for new, old in zip(again, tracks, strict=True)]
    varies = np.array([place not in fixed[0] for place in range(skeleton.n_open)], bool)
    return Tracks(tuple(track for track in tracks if track is not None), varies)


def _loosened(track: Track | None, before: Track | None) -> Track | None:
    """A track that remembers how uncertain its coefficients were before others were frozen."""
    return None if track is None else replace(track, loose=track.errors if before is None else before.loose)


def _all_settings(
    skeleton: Expression, grid: Grid, fixed: Sequence[dict[int, float]], guesses: Floats
) -> list[Track | None]:
    return [_follow_setting(skeleton, grid, setting, known, guesses) for setting, known in enumerate(fixed)]


def _constant_places(tracks: Sequence[Track], n_open: int) -> set[int]:
    """Coefficients that are constant at every setting."""
    return {place for place in range(n_open) if all(is_constant(*track.of(place)[1:]) for track in tracks)}


def _with_centres(known: dict[int, float], track: Track | None, fresh: set[int]) -> dict[int, float]:
    if track is None:
        return {**known, **dict.fromkeys(fresh, 1.0)}
    return {**known, **{place: weighted_mean(*track.of(place)[1:]) for place in fresh}}


def _as_good(again: Sequence[Track | None], before: Sequence[Track | None]) -> bool:
    """Whether nearly as many groups fit as before constants were frozen."""
    counts = [sum(int(track.kept.sum()) for track in tracks if track is not None) for tracks in (again, before)]
    return counts[0] >= 0.8 * counts[1]


def _follow_setting(
    skeleton: Expression, grid: Grid, setting: int, fixed: dict[int, float], guesses: Floats
) -> Track | None:
    """Follow the coefficients that are not fixed; fixed ones have no error."""
    groups = grid.groups_of(setting)
    reduced = replace_open(skeleton, {place: constant(value) for place, value in fixed.items()})
    free = [place for place in range(skeleton.n_open) if place not in fixed]
    walk = _Walk(reduced, grid, groups)
    if not walk.start_anywhere(guesses[:, free]):
        return None
    walk.go(range(walk.first + 1, len(groups)))
    walk.go(range(walk.first - 1, -1, -1))
    constants = np.empty((len(groups), skeleton.n_open))
    errors = np.zeros((len(groups), skeleton.n_open))
    constants[:, free], errors[:, free] = walk.constants, walk.errors
    for place, value in fixed.items():
        constants[:, place] = value
    track = Track(grid.values[groups], constants, errors, errors, walk.kept)
    return track if track.is_usable else None


class _Walk:
    """The way along the groups of one setting."""

    def __init__(self, skeleton: Expression, grid: Grid, groups: NDArray[np.int64]) -> None:
        self.skeleton, self.grid, self.groups = skeleton, grid, groups
        self.values = grid.values[groups]
        self.constants = np.full((len(groups), skeleton.n_open), np.nan)
        self.errors = np.full((len(groups), skeleton.n_open), np.inf)
        self.kept = np.zeros(len(groups), bool)
        self.first = 0
        self._sizes = np.ones(skeleton.n_open)  # of the coefficients
        self._level = np.inf  # mean square residual above which a group does not fit

    def start_anywhere(self, guesses: Floats) -> bool:
        """Fit every group by itself and begin with the one that determines its coefficients best."""
        fits, squares = self._alone(None)
        if len(guesses) and self.skeleton.n_open:
            warm, warm_squares = self._alone(guesses[np.newaxis])
            if np.median(warm_squares) < np.median(squares):
                fits, squares = warm, warm_squares
        if not np.isfinite(squares).any():
            return False
        usual = float(np.quantile(squares, 0.25, method="lower"))
        scale = float(np.abs(self.grid.y).max()) * 1e-13
        self._level = CHAIN.gate * max(usual, self.grid.noise**2, scale**2)
        errors, constants = self._standard_errors(fits), fits.constants[:, : self.skeleton.n_open]
        if self.skeleton.n_open == 0:
            self.first = int(np.argmin(squares))
        else:
            self._sizes = np.median(np.abs(constants[squares <= self._level]), axis=0) + 1e-300
            sizes = np.maximum(np.abs(constants), self._sizes)
            worst = np.where(squares <= self._level, (errors / sizes).max(axis=1), np.inf)
            self.first = int(np.argmin(worst))
        self._keep(self.first, constants[self.first], errors[self.first])
        return True

    def _alone(self, starts: Floats | None) -> tuple[Fits, Floats]:
        """Every group by itself, and the mean square that each leaves."""
        fits = self._fit(range(len(self.groups)), starts, None)
        squares = fits.rss / np.maximum(fits.n_rows - self.skeleton.n_open, 1)
        squares[(fits.n_failed > 0) | ~np.isfinite(fits.constants).all(axis=1)] = np.inf
        return fits, squares

    def go(self, way: range) -> None:
        """Continue from neighbour to neighbour."""
        firm, last = [self.first], self.first
        for place in way:
            expected = self._expected(firm, place)
            found = self._nearest(place, [expected, self.constants[last]])
            if found is None:
                continue
            self._keep(place, *found)
            last = place
            if (found[1] <= CHAIN.firm * self._sizes).all():
                firm.append(place)

    def _nearest(self, place: int, starts: list[Floats]) -> tuple[Floats, Floats] | None:
        """Of the fits from each start that fit, the one that comes nearest to the first start."""
        found: list[tuple[float, int, Floats, Floats]] = []
        for start in starts if self.skeleton.n_open else starts[:1]:
            fits = self._fit([place], start[np.newaxis, np.newaxis], CONTINUED)
            square = float(fits.rss[0]) / max(int(fits.n_rows[0]) - self.skeleton.n_open, 1)
            constants = fits.constants[0, : self.skeleton.n_open]
            if fits.n_failed[0] == 0 and square <= self._level and np.isfinite(constants).all():
                distance = float((np.abs(constants - starts[0]) / self._sizes).max(initial=0.0))
                found.append((distance, len(found), constants, self._standard_errors(fits)[0]))
        return min(found, key=lambda one: one[:2])[2:] if found else None

    def _expected(self, firm: list[int], place: int) -> Floats:
        """Continued in a straight line from the last two groups with well-determined coefficients."""
        last = self.constants[firm[-1]]
        if len(firm) < 2:
            return np.asarray(last)
        before = self.constants[firm[-2]]
        share = (self.values[place] - self.values[firm[-1]]) / (self.values[firm[-1]] - self.values[firm[-2]])
        return np.asarray(last + share * (last - before))

    def _keep(self, place: int, constants: Floats, errors: Floats) -> None:
        self.constants[place], self.errors[place], self.kept[place] = constants, errors, True

    def _fit(self, places: Sequence[int], starts: Floats | None, effort: Effort | None) -> Fits:
        grid = self.grid
        ranges = [slice(grid.row_starts[g], grid.row_starts[g + 1]) for g in self.groups[list(places)]]
        columns = np.ascontiguousarray(np.concatenate([grid.columns[:, rows] for rows in ranges], axis=1))
        y = np.concatenate([grid.y[rows] for rows in ranges])
        row_starts = np.concatenate([[0], np.cumsum([rows.stop - rows.start for rows in ranges])])
        return fit_grid([self.skeleton], columns, row_starts, y, np.empty(0), starts, effort)

    def _standard_errors(self, fits: Fits) -> Floats:
        """Of the fit's own residual or of the grid's noise, whichever is larger, (fits, coefficients)."""
        freedom = np.maximum(fits.n_rows - self.skeleton.n_open, 1)
        n_open = self.skeleton.n_open
        own = fits.rss / freedom
        noise = np.maximum(self.grid.noise, 1e-15 * np.abs(self.grid.y).max()) ** 2
        factor = np.where(own > 0, np.maximum(noise / np.where(own > 0, own, 1.0), 1.0), 1.0)
        variances = np.diagonal(fits.covariance[:, :n_open, :n_open], axis1=1, axis2=2) * factor[:, np.newaxis]
        return np.where(np.isfinite(variances), np.sqrt(np.abs(variances)), np.inf)
