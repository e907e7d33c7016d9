"""Find waves: scan, take the best peak in, fit, and scan what is left, as long as that shortens the description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.residual_tests import bounded
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import ADD, COS, MUL, SIN
from scalesr.records.dataset import Dataset
from scalesr.records.precision import WIDE
from scalesr.records.stop import Stop
from scalesr.reduce.polynomials import Polynomials
from scalesr.reduce.waves.config import WAVE
from scalesr.reduce.waves.coordinates import Scan, scans
from scalesr.reduce.waves.model import FittedWaves, Wave, fitted, refined, turned
from scalesr.reduce.waves.spectrum import Peak, highest_peak

Floats = NDArray[np.float64]

LEAST: Final = 0.8 / WAVE.max_waves  # of a residual's sum of squares: with smaller peaks, max_waves are too few
_WAVE_CODES: Final = (ADD, MUL, SIN, COS)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Waves in the rows."""

    fitted: FittedWaves
    share: float  # of what smooth functions leave, that the waves explain
    needed: tuple[int, ...]  # columns that amplitudes and the smooth part depend on


def find_waves(data: Dataset, operators: Operators, stop: Stop) -> Found | None:
    """Waves that explain what smooth functions of the columns leave; None where no peak is significant."""
    rows = data.thinned(WAVE.scanned_rows)
    if rows.n_rows < WAVE.fewest_rows or not operators.can_write(_WAVE_CODES):
        return None
    y = rows.y / (float(np.abs(rows.y).max()) or 1.0)
    polynomials = Polynomials(rows.columns)
    n_most = rows.n_rows / WAVE.rows_per_number
    smooth = polynomials.upto(min(WAVE.smooth_degree, polynomials.largest_degree(n_most)))
    nothing = fitted(y, (), smooth, smooth)
    if _is_smooth(rows, y, smooth, nothing):
        return None
    search = _Search(rows, y, smooth, polynomials.upto(min(1, polynomials.largest_degree(n_most))), data.n_rows)
    plain, best = nothing, (nothing, 0)
    while len(plain.waves) < WAVE.max_waves and best[0].rss > WAVE.little_rest * nothing.rss > 0 and not stop.passed:
        longer = search.with_another(plain, operators, stop)
        if longer is None or longer.length >= plain.length:
            break
        plain = longer
        detailed = _detailed(y, plain, polynomials, n_most, most=WAVE.much_rest * nothing.rss)
        best = min(best, detailed, key=lambda one: one[0].length)
    found, degree = best
    if not found.waves:
        return None
    return Found(found, 1 - found.rss / nothing.rss, _needed(y, found, polynomials, degree))


def _is_smooth(rows: Dataset, y: Floats, smooth: Floats, found: FittedWaves) -> bool:
    """Whether low polynomials say nearly all, of the target or of its logarithm, in the columns or their logarithms."""
    if found.rss < WAVE.large_rest * len(y) * float(y.var()):
        return True
    is_positive = rows.columns.min(axis=1) > 0
    logs = np.array([np.log(x) if positive else x for x, positive in zip(rows.columns, is_positive, strict=True)])
    degree = min(WAVE.smooth_degree, Polynomials(logs).largest_degree(smooth.shape[1]))
    bases = [smooth, Polynomials(logs).upto(degree)] if is_positive.any() else [smooth]
    targets = [y] if (y.min() <= 0 <= y.max()) else [y, np.log(np.abs(y))]
    return any(
        fitted(target, (), basis, basis).rss < WAVE.large_rest * len(y) * float(target.var())
        for basis in bases
        for target in targets
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Rows that are scanned for one wave after the other."""

    rows: Dataset
    y: Floats  # (rows,) scaled
    smooth: Floats  # (rows, functions) of the smooth part
    lines: Floats  # (rows, functions) of amplitudes
    n_rows: int  # of the whole table: evenly spaced ones tell no more than half as many cycles

    def with_another(self, found: FittedWaves, operators: Operators, stop: Stop) -> FittedWaves | None:
        """The best fit with one wave more, of those that the highest peaks suggest."""
        residual, best = bounded(found.residual), None
        for group in self._groups(operators, found):
            peaks = [(scan, *self._peak(scan, residual)) for scan in group]
            significant = (one for one in peaks if one[2] > np.log(len(group)) and one[1].share > LEAST)
            for scan, peak, _ in sorted(significant, key=lambda one: -one[2])[: WAVE.n_fitted]:
                tried = self._joined(found, scan, peak)
                if all(
                    wave.cycles >= WAVE.lowest_frequency for wave in tried.waves
                ):  # else it was a smooth function after all
                    best = tried if best is None or tried.length < best.length else best
            if stop.passed or (best is not None and best.rss < WAVE.clear_wave * found.rss):
                break
        return best

    def _groups(self, operators: Operators, found: FittedWaves) -> Iterator[list[Scan]]:
        """Where to scan: along the coordinates of the waves before, then everywhere."""
        known = {id(wave.scan): wave.scan for wave in found.waves}
        if known:
            yield list(known.values())
        yield from scans(self.rows, operators)

    def _peak(self, scan: Scan, residual: Floats) -> tuple[Peak, float]:
        """The highest peak along a scan, and the nats that it saves."""
        amplitudes = self._amplitudes(scan)
        fine = all(one.is_column for one in scan) and self.rows.n_variables <= WAVE.combined_columns
        values = np.array([one.values for one in scan])
        peak = highest_peak(values, amplitudes * residual, most=self.n_rows / 2, fine=fine)
        return peak, peak.gain(self.rows.n_rows, len(amplitudes))

    def _amplitudes(self, scan: Scan) -> Floats:
        """Functions that an amplitude may be a sum of: 1 and, along one coordinate, columns that are not in it."""
        lines = [np.ones(self.rows.n_rows)]
        if len(scan) == 1 and self.rows.n_variables <= WIDE:
            others = [x for j, x in enumerate(self.rows.columns) if j not in scan[0].columns]
            lines += [(x - x.mean()) / (x.std() or 1.0) for x in others]
        return np.array(lines)

    def _joined(self, found: FittedWaves, scan: Scan, peak: Peak) -> FittedWaves:
        """The waves so far and one at a peak, fitted together.

        A peak is known to a part of a cycle: the phase comes first, then the new frequency, then all of them.
        """
        spans = np.array([float(np.ptp(one.values)) for one in scan])
        level, left = np.ones((len(self.y), 1)), found.residual
        started = turned(left, Wave(scan, 2 * np.pi * peak.cycles / spans, 0.0), self.lines, level)
        waves = (*found.waves, *refined(left, [started], self.lines, level).waves)
        return (refined if found.waves else fitted)(self.y, waves, self.lines, self.smooth)


def _detailed(
    y: Floats, found: FittedWaves, polynomials: Polynomials, n_most: float, *, most: float
) -> tuple[FittedWaves, int]:
    """The waves refitted with amplitudes of rising degree, as long as that helps; more than lines where little is left.

    Returns the fit and its degree; `most` is the sum of squares above which another wave is what is missing.
    """
    n_parts = len(found.waves) + 1
    best, last, n_idle = found, 1, 0
    highest = polynomials.largest_degree(n_most / n_parts) if found.rss < most else 0
    for degree in range(highest + 1):
        basis = polynomials.upto(degree)
        tried = refined(y, best.waves, basis, basis)
        if tried.length < best.length:
            best, last, n_idle = tried, degree, 0
        else:
            n_idle += degree > 1
        if best.rss <= WAVE.rounding**2 * len(y) or n_idle > WAVE.patience:
            break
    return best, last


def _needed(y: Floats, found: FittedWaves, polynomials: Polynomials, degree: int) -> tuple[int, ...]:
    """Columns without which amplitudes and smooth part cannot do as well."""
    n = len(polynomials.columns)
    needed = list(range(n))
    for column in range(n):
        fewer = [j for j in needed if j != column]
        basis = polynomials.upto(degree, fewer)
        if fitted(y, found.waves, basis, basis).length <= found.length:
            needed = fewer
    return tuple(needed)
