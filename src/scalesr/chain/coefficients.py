"""Coefficients: formulas in the new variable for each coefficient that varies along it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scalesr.chain.config import CHAIN
from scalesr.chain.seeker import Seeker
from scalesr.chain.track import Tracks
from scalesr.expr.expression import Expression, variable
from scalesr.expr.substitute import substitute
from scalesr.records.curves import Curves
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]


def coefficient_formulas(
    tracks: Tracks, new: int, seeker: Seeker, *, n_thorough: int
) -> dict[int, list[Skeleton]] | None:
    """Alternatives for each varying coefficient, by place; None where one of them has none.

    A coefficient that no short formula fits gets a thorough search, `n_thorough` of them at most.
    With none of these, it has none.
    """
    found: dict[int, list[Skeleton]] = {}
    n_left = n_thorough
    for place in np.flatnonzero(tracks.varies).tolist():
        sweep = coefficient_sweep(tracks, place)
        ranking = seeker.rank(sweep, CHAIN.quick_fits)
        if not any(skeleton.within_noise for skeleton in ranking.skeletons):
            if n_thorough == 0:
                return None
            if n_left:
                ranking = seeker.rank(sweep, CHAIN.thorough_fits)
                n_left -= 1
        found[place] = alternatives(ranking, new)
        if not found[place]:
            return None
    return found


def alternatives(ranking: Ranking, new: int) -> list[Skeleton]:
    """The best formulas for a coefficient, and simpler ones that come near: its errors are known roughly only."""
    usable = [skeleton for skeleton in ranking.skeletons if np.isfinite(skeleton.constants).all()]
    best = usable[: CHAIN.n_best_pieces]
    near = [skeleton for skeleton in ranking.front if skeleton in usable and skeleton.error <= CHAIN.near_coefficient]
    chosen = list(dict.fromkeys([*best, *near[: CHAIN.n_simple_pieces]]))
    return [replace(one, expression=in_variable(one.expression, new)) for one in chosen]


def in_variable(expression: Expression, new: int) -> Expression:
    """A formula in variable 0 as one in the new variable."""
    return substitute(expression, {0: variable(new)}) if expression.variables else expression


def coefficient_sweep(tracks: Tracks, place: int) -> Sweep:
    """Values of one coefficient along the new variable, one group per setting, where they are known well.

    They count by their errors.
    """
    tables, targets, errors = [], [], []
    for track in tracks.settings:
        values, constants, _ = track.of(place)
        sigma = track.uncertainty(place)
        typical = np.median(sigma)
        sure = sigma <= CHAIN.unsure * typical if np.isfinite(typical) else np.ones(len(sigma), bool)
        tables.append(values[sure])
        targets.append(constants[sure])
        errors.append(sigma[sure])
    floor = CHAIN.coefficient_floor * float(np.abs(np.concatenate(targets)).max())
    known = np.concatenate(errors)
    if not np.isfinite(known).all():
        noise = float(np.median(known[np.isfinite(known)])) if np.isfinite(known).any() else 0.0
        return Sweep.from_groups(tables, targets, noise=max(noise, floor))
    least = max(float(np.quantile(known, CHAIN.surest, method="lower")), floor)
    weights = [(least / np.maximum(own, least)) ** 2 if least else np.ones(len(own)) for own in errors]
    noise = least / float(np.sqrt(np.concatenate(weights).mean()))  # of a value of average weight
    return Sweep.from_groups(tables, targets, noise=noise, weights=weights)


def coefficient_curves(tracks: Tracks | None, name: str) -> tuple[Curves, ...]:
    """How each coefficient varies along a variable; constant ones are left out."""
    if tracks is None:
        return ()
    places = np.flatnonzero(tracks.varies).tolist()
    return tuple(Curves.of(coefficient_sweep(tracks, place), f"C{place + 1}", x=name) for place in places)
