"""Coefficients: formulas in the new variable for each coefficient that varies along it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.combine.merge import Piece
from scalesr.combine.seeker import Seeker
from scalesr.combine.track import Tracks
from scalesr.expr.expression import Expression, variable
from scalesr.expr.substitute import substitute
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]

N_FITS = 4000  # of the search for one coefficient
N_ALTERNATIVES = 4  # formulas kept for each
UNSURE = 4.0  # times the median error: a group above it says nothing about its coefficient
FLOOR = 1e-10  # of the size of a coefficient: what a fit to exact values leaves of its digits
WORSE = 40.0  # nats by which an alternative may be longer than the best


def find_pieces(tracks: Tracks, new: int, seeker: Seeker) -> dict[int, list[Piece]] | None:
    """Alternatives for each varying coefficient, by place; None where one of them has none."""
    found: dict[int, list[Piece]] = {}
    for place in np.flatnonzero(tracks.varies).tolist():
        ranking = seeker.rank(coefficient_sweep(tracks, place), N_FITS)
        pieces = [
            Piece(in_variable(skeleton.expression, new), skeleton.constants, skeleton.score)
            for skeleton in ranking.skeletons
            if np.isfinite(skeleton.constants).all()
        ]
        if not pieces:
            return None
        near = [piece for piece in pieces if piece.score <= pieces[0].score + WORSE]
        found[place] = (near if len(near) > 1 else pieces[:2])[:N_ALTERNATIVES]
    return found


def in_variable(expression: Expression, new: int) -> Expression:
    """A formula in variable 0 as one in the new variable."""
    return substitute(expression, {0: variable(new)}) if expression.variables else expression


def coefficient_sweep(tracks: Tracks, place: int) -> Sweep:
    """Values of one coefficient along the new variable, one group per setting, where they are known well."""
    tables, targets, errors = [], [], []
    for track in tracks.settings:
        values, constants, sigma = track.of(place)
        typical = np.median(sigma)
        sure = sigma <= UNSURE * typical if np.isfinite(typical) else np.ones(len(sigma), bool)
        tables.append(values[sure])
        targets.append(constants[sure])
        errors.append(sigma[sure])
    size = float(np.abs(np.concatenate(targets)).max())
    known = np.concatenate(errors)
    noise = float(np.median(known[np.isfinite(known)])) if np.isfinite(known).any() else 0.0
    return Sweep.from_groups(tables, targets, noise=max(noise, FLOOR * size))
