"""Periodograms of unevenly spaced rows in one to three coordinates: rows on a fine grid, then Fourier transforms.

A wave of frequency f (cycles over the range of each coordinate) with an amplitude that is a weighted sum of
orthonormal functions b_j explains, of a residual r, the sum of squares 2/N sum_j |sum_n r_n b_jn exp(-2 pi i f u_n)|^2.
Under white noise of variance s^2 that is s^2 times a chi-square number of two degrees of freedom per function.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.fft import rfftn

from scalesr.reduce.waves.config import WAVE

Floats = NDArray[np.float64]

# Per number of coordinates: cells of the grid over the range of each, and by how much it is padded to see peaks
# between whole cycles. Frequencies go to three eighths of the cells, so that a period has two cells and more.
FINE: Final = {1: (4096, 4), 2: (256, 2), 3: (32, 2)}
COARSE: Final = {1: (512, 4), 2: (64, 2), 3: (32, 2)}  # along combinations of columns, of which there are many


@dataclass(frozen=True, slots=True, eq=False)
class Peak:
    """The frequencies that explain most."""

    cycles: Floats  # (coordinates,) over the range of each
    share: float  # of the residual's sum of squares
    n_frequencies: int  # that were compared

    def gain(self, n_rows: int, n_functions: int) -> float:
        """Nats that the peak saves: by what it explains, less its numbers and the choice among frequencies."""
        fall = -0.5 * n_rows * float(np.log1p(-min(self.share, 1 - 1e-15)))
        return fall - n_functions * float(np.log(n_rows)) - float(np.log(self.n_frequencies))


def highest_peak(coordinates: Floats, weighed: Floats, *, most: float = np.inf, fine: bool = True) -> Peak:
    """The peak over coordinates (coordinates, rows) of residuals times amplitudes (functions, rows).

    The first of the amplitudes is 1, so that the first line is the residual itself. Along one
    coordinate at most `most` cycles are looked at.
    """
    n_rows, size = weighed.shape[1], float(weighed[0] @ weighed[0])
    n_cells, padding = (FINE if fine else COARSE)[len(coordinates)]
    low = coordinates.min(axis=1, keepdims=True)
    shares = (coordinates - low) / np.ptp(coordinates, axis=1, keepdims=True)
    cells = np.minimum((shares * n_cells).astype(np.int64), n_cells - 1)
    power = _power(cells, weighed, n_cells, padding) * _correction(len(coordinates), n_cells, padding)
    if power.ndim == 1:
        power = power[: int(min(most * padding, len(power))) + 1]
    place = np.unravel_index(int(np.argmax(power)), power.shape)
    axes = _axes(len(coordinates), n_cells, padding)
    cycles = np.array([axis[index] for axis, index in zip(axes, place, strict=True)])
    share = 2 / n_rows * float(power[place]) / size if size else 0.0
    return Peak(cycles, min(share, 1.0), prod(power.shape))


def _axes(n_coordinates: int, n_cells: int, padding: int) -> list[Floats]:
    """Frequencies along each axis of a transform, in cycles."""
    whole = np.fft.fftfreq(padding * n_cells, d=1 / (padding * n_cells)) / padding
    return [whole] * (n_coordinates - 1) + [np.arange(padding * n_cells // 2 + 1) / padding]


@cache
def _correction(n_coordinates: int, n_cells: int, padding: int) -> Floats:
    """What undoes the loss that cells of finite width bring; 0 for frequencies that are too high or too low."""
    factor, is_slow = np.ones(()), np.ones((), bool)
    for axis in np.meshgrid(*_axes(n_coordinates, n_cells, padding), indexing="ij", sparse=True):
        is_known = np.abs(axis) <= WAVE.highest_frequency * n_cells
        factor = factor * np.where(is_known, np.sinc(axis / n_cells) ** -2, 0.0)
        is_slow = is_slow & (np.abs(axis) < WAVE.lowest_frequency)
    return np.where(is_slow, 0.0, factor)


def _power(cells: NDArray[np.int64], weighed: Floats, n_cells: int, padding: int) -> Floats:
    """Squared sizes of the Fourier transforms, summed over the amplitudes."""
    shape = (n_cells,) * len(cells)
    flat = np.ravel_multi_index(tuple(cells), shape)
    sums = np.array([np.bincount(flat, line, minlength=prod(shape)) for line in weighed]).reshape(-1, *shape)
    axes = tuple(range(1, len(cells) + 1))
    transformed = rfftn(sums, s=(padding * n_cells,) * len(cells), axes=axes)
    return np.asarray((transformed.real**2 + transformed.imag**2).sum(axis=0), np.float64)
