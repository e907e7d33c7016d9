"""How fast and how surely constants are fitted, next to SciPy from the same starts.

MINPACK spends most of its time on starts from which it fails, so times are taken twice: over all
curves, and over those that MINPACK fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.fitting import fit, fit_groups
from scalesr.expr.text import parse
from scalesr_bench.engine.curves import SKELETON, TestCurves, random_curves
from scalesr_bench.engine.scipy_fits import bfgs, minpack
from scalesr_bench.timing import fastest

SUCCESS: Final = 1e-6  # of the least sum of squares: a fit this close has reached it
SAME_START: Final = "fit, same start"
OWN_STARTS: Final = "fit, own starts"
BATCH_SAME_START: Final = "fit_groups, same start"
BATCH_OWN_STARTS: Final = "fit_groups, own starts"
MINPACK: Final = "SciPy MINPACK, same start"
BFGS: Final = "SciPy BFGS, same start"


@dataclass(frozen=True, slots=True)
class FitSpeed:
    """Time per fit of one method, and the share of curves it fitted."""

    method: str
    success_rate: float
    seconds_per_fit: float
    seconds_per_easy_fit: float  # over the curves that MINPACK fits


@dataclass(frozen=True, slots=True)
class FitSpeeds:
    """Every method on the same curves."""

    n_curves: int
    n_points: int
    methods: tuple[FitSpeed, ...]

    def ratio_to_minpack(self, method: str) -> float:
        """How many fits `method` does in the time of one by MINPACK."""
        return self[MINPACK].seconds_per_fit / self[method].seconds_per_fit

    def easy_ratio_to_minpack(self, method: str) -> float:
        """The same over the curves that MINPACK fits."""
        return self[MINPACK].seconds_per_easy_fit / self[method].seconds_per_easy_fit

    @property
    def seconds_for_all_groups(self) -> float:
        """Time of the one call that fits every curve as a group, from the given starts."""
        return self.n_curves * self[BATCH_SAME_START].seconds_per_fit

    def __getitem__(self, method: str) -> FitSpeed:
        return next(speed for speed in self.methods if speed.method == method)

    def as_json(self) -> dict[str, object]:
        """The record with keys that say what was measured."""
        return {
            "skeleton": SKELETON,
            "curves": self.n_curves,
            "points": self.n_points,
            "methods": [
                {
                    "method": speed.method,
                    "fits_per_second": 1 / speed.seconds_per_fit,
                    "milliseconds_per_fit": 1e3 * speed.seconds_per_fit,
                    "success_rate": speed.success_rate,
                    "ratio_to_minpack": self.ratio_to_minpack(speed.method),
                    "milliseconds_per_fit_where_minpack_succeeds": 1e3 * speed.seconds_per_easy_fit,
                    "ratio_to_minpack_where_it_succeeds": self.easy_ratio_to_minpack(speed.method),
                }
                for speed in self.methods
            ],
            "milliseconds_for_all_groups_in_one_call": 1e3 * self.seconds_for_all_groups,
        }


def measure_fits(*, n_curves: int, repeats: int, rng: np.random.Generator) -> FitSpeeds:
    """Fit every curve by every method, in turns; the first round decides who succeeded."""
    curves = random_curves(n_curves, rng=rng)
    methods = _methods(curves)
    reached = {name: method() for name, method in methods.items()}  # (curves,) sums of squares
    least = np.min([minpack(curves, curves.truth), *reached.values()], axis=0)
    succeeded = {name: sums <= least * (1 + SUCCESS) for name, sums in reached.items()}
    easy = curves.where(succeeded[MINPACK])
    times = fastest(methods, repeats=repeats)
    easy_times = fastest(_methods(easy), repeats=repeats)
    speeds = [
        FitSpeed(name, float(succeeded[name].mean()), times[name] / n_curves, easy_times[name] / len(easy.y))
        for name in methods
    ]
    return FitSpeeds(n_curves, len(curves.x), tuple(speeds))


def _methods(curves: TestCurves) -> dict[str, Callable[[], NDArray[np.float64]]]:
    skeleton = parse(SKELETON, names=["x"])
    X = curves.x[:, np.newaxis]
    tables = np.broadcast_to(X, (len(curves.y), *X.shape))
    pairs = list(zip(curves.y, curves.starts, strict=True))
    return {
        SAME_START: lambda: np.array([fit(skeleton, X, y, starts=start[np.newaxis]).rss for y, start in pairs]),
        OWN_STARTS: lambda: np.array([fit(skeleton, X, y).rss for y, _ in pairs]),
        BATCH_SAME_START: lambda: fit_groups(skeleton, tables, curves.y, starts=curves.starts[:, np.newaxis]).rss,
        BATCH_OWN_STARTS: lambda: fit_groups(skeleton, tables, curves.y).rss,
        MINPACK: lambda: minpack(curves, curves.starts),
        BFGS: lambda: bfgs(curves, curves.starts),
    }
