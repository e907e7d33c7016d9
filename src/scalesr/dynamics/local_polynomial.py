"""Local polynomials: value and slope at each point from the points around it, at even or uneven times.

With one point more than the degree they are finite differences of that order; with more points they
smooth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import legder, legval, legvander
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Window:
    """How many points around, and the degree of the polynomial through them."""

    n_points: int
    degree: int


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Linear rules for the points whose window is centred on them; rule k belongs to point `places[k]`."""

    places: Whole  # (rules,)
    neighbours: Whole  # (rules, window)
    value: Floats  # (rules, window)
    slope: Floats  # (rules, window)

    def values(self, series: Floats) -> Floats:
        """Smoothed values of a series (points, columns), (rules, columns)."""
        return np.asarray(np.einsum("kw,kwc->kc", self.value, series[self.neighbours]))

    def slopes(self, series: Floats) -> Floats:
        """Slopes of a series (points, columns), (rules, columns)."""
        return np.asarray(np.einsum("kw,kwc->kc", self.slope, series[self.neighbours]))


def centred_weights(times: Floats, window: Window) -> Weights:
    """Rules for all points that have half a window on both sides."""
    half = window.n_points // 2
    places = np.arange(half, len(times) - (window.n_points - 1 - half))
    neighbours = places[:, np.newaxis] + np.arange(-half, window.n_points - half)
    value, slope = rules_at(times[neighbours], times[places], window.degree)
    return Weights(places, neighbours, value, slope)


def rules_at(times: Floats, at: Floats, degree: int) -> tuple[Floats, Floats]:
    """Weights of value and slope at times `at` (rules,) for polynomials through points at `times` (rules, window)."""
    middle = (times[:, :1] + times[:, -1:]) / 2
    width = (times[:, -1:] - times[:, :1]) / 2
    scaled = legvander((times - middle) / width, degree)
    inverse = np.linalg.pinv(scaled)  # (rules, degree + 1, window)
    here = (at[:, np.newaxis] - middle) / width
    basis = legvander(here[:, 0], degree)
    slopes = np.stack([legval(here[:, 0], legder(unit)) for unit in np.eye(degree + 1)], axis=1) / width
    return np.einsum("kp,kpw->kw", basis, inverse), np.einsum("kp,kpw->kw", slopes, inverse)
