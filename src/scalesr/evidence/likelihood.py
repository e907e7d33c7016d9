"""Likelihood: how probable a law makes the rows, under the kind of noise that suits its residual best.

The scale of the noise is integrated out (flat in its logarithm), which for n rows and k fitted
constants leaves Gamma((n - k)/2) (pi RSS)^(-(n - k)/2). Rows whose errors grow with the value are
divided by what their errors are proportional to, and pay for that by its logarithm, so that all
kinds are densities of the same target and can be compared. Outliers are a second, wider normal
distribution that a share of the rows comes from.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from scalesr.records.noise import Noise, NoiseKind

Floats = NDArray[np.float64]

KIND_COST = {"constant": math.log(2), "proportional": math.log(6), "counts": math.log(6), "mixed": math.log(6)}
MIXED = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)  # constant part of mixed errors, over the typical size of the values
SAMPLE = 20_000  # rows that tell the kind of the noise; more tell the same
FAR = 5.0  # robust standard deviations: a residual beyond, in so many rows as there are, hints at outliers
N_STEPS = 30  # of the reweighting for outliers
WIDEST = 0.4  # share of outliers, at most: the law has to hold for most rows


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """The rows under one law: their cost in nats, the noise that suits them and which rows it takes for good ones."""

    cost: float
    noise: Noise
    good: Floats | None = None  # (rows,) probability of being no outlier; None: all are good


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """How the errors of rows compare: variances (rows,) up to their scale."""

    kind: NoiseKind
    variances: Floats | None  # None: all alike
    floor: float = 0.0  # "mixed": the constant part

    def divided(self, residual: Floats) -> Floats:
        return residual if self.variances is None else residual / np.sqrt(self.variances)

    def logarithms(self) -> float:
        return 0.0 if self.variances is None else 0.5 * float(np.log(self.variances).sum())


def explain(
    residual: Floats, values: Floats, n_constants: int, *, rounding: float, kinds: tuple[str, ...] = tuple(KIND_COST)
) -> Explained:
    """The cost of the rows under the kind of noise that makes them cheapest.

    `residual` is already divided by the errors that the user knows, up to their scale; `rounding` is the
    standard deviation below which residuals are rounding.
    """
    n_rows = len(residual)
    step = max(n_rows // SAMPLE, 1)
    some, at = residual[::step], values[::step]
    shapes = [shape for shape in _shapes(at) if shape.kind in kinds]
    found = [_cost(some, shape, n_constants, rounding, with_outliers=True) for shape in shapes]
    best = min(range(len(found)), key=lambda place: found[place].cost)
    if step == 1:
        return found[best]
    whole = [shape for shape in _shapes(values) if shape.kind in kinds][best]
    return _cost(residual, whole, n_constants, rounding, with_outliers=found[best].good is not None)


def _shapes(values: Floats) -> Iterator[_Shape]:
    yield _Shape("constant", None)
    size = np.abs(values)
    typical = float(np.sqrt(np.mean(size**2)))
    if typical == 0 or not np.isfinite(typical):
        return
    least = 1e-3 * float(np.quantile(size, 0.01)) + 1e-12 * typical  # a value of 0 has some error too
    yield _Shape("proportional", (size + least) ** 2)
    if values.min() >= 0:
        yield _Shape("counts", size + least)
    for share in MIXED:
        yield _Shape("mixed", size**2 + (share * typical) ** 2, share * typical)


def _cost(residual: Floats, shape: _Shape, n_constants: int, rounding: float, *, with_outliers: bool) -> Explained:
    """The rows under one shape of errors, with outliers where these pay."""
    n_rows = len(residual)
    scaled = shape.divided(residual)
    floor = rounding if shape.variances is None else rounding / math.sqrt(float(np.median(shape.variances)))
    freedom = max(n_rows - n_constants, 1)
    extra = KIND_COST[shape.kind] + shape.logarithms() + (0.5 * math.log(n_rows) if shape.kind == "mixed" else 0.0)
    total = float(scaled @ scaled) + n_rows * floor**2
    plain = Explained(_student(total, n_rows, freedom) + extra, _noise(shape, math.sqrt(total / freedom), 0.0))
    if not with_outliers or not _has_tail(scaled, floor):
        return plain
    mixed = _with_outliers(scaled, n_constants, floor)
    if mixed is None or mixed[0] + extra >= plain.cost:
        return plain
    cost, scale, share, good = mixed
    return Explained(cost + extra, _noise(shape, scale, share), good)


def _student(total: float, n_rows: int, freedom: int) -> float:
    """Minus the log of the marginal likelihood, but for what the constants cost."""
    if total <= 0:
        return -math.inf
    n_constants = n_rows - freedom
    return (
        0.5 * freedom * math.log(math.pi * total)
        - float(gammaln(freedom / 2))
        + 0.5 * n_constants * math.log(2 * math.pi * total / freedom)
    )


def _has_tail(scaled: Floats, floor: float) -> bool:
    """Whether some residual is much larger than most are."""
    size = np.abs(scaled)
    return bool(size.max(initial=0.0) > FAR * max(1.4826 * float(np.median(size)), floor))


def _with_outliers(scaled: Floats, n_constants: int, floor: float) -> tuple[float, float, float, Floats] | None:
    """Cost, scale, share and good rows of a mixture of two normal distributions; None where it has no two parts."""
    n_rows, size = len(scaled), np.abs(scaled)
    narrow = max(1.4826 * float(np.median(size)), floor)
    wide, share = max(float(np.sqrt(np.mean(scaled**2))), 3 * narrow), 0.05
    good = np.ones(n_rows)
    for _ in range(N_STEPS):
        inner, outer = _density(scaled, narrow, 1 - share), _density(scaled, wide, share)
        good = 1 / (1 + np.exp(np.clip(outer - inner, -700, 700)))
        bad = n_rows - float(good.sum())
        if bad < 0.5:
            return None
        narrow = math.sqrt(max(float(good @ scaled**2) / max(n_rows - bad - n_constants, 1.0), floor**2))
        wide = math.sqrt(float((1 - good) @ scaled**2) / bad)
        share = min(bad / n_rows, WIDEST)
        if wide < 3 * narrow or narrow == 0:
            return None
    inner, outer = _density(scaled, narrow, 1 - share), _density(scaled, wide, share)
    cost = -float(np.logaddexp(inner, outer).sum()) + 0.5 * n_constants * math.log(2 * math.pi * narrow**2)
    freedom = max(n_rows - n_constants, 1)
    occam = 0.5 * math.log(freedom / (4 * math.pi)) + math.log(n_rows)  # the scale, and the share and width of the tail
    return cost + occam, narrow, share, good


def _density(scaled: Floats, deviation: float, share: float) -> Floats:
    """Logarithm of a share of a normal density."""
    return np.asarray(
        math.log(share) - 0.5 * math.log(2 * math.pi) - math.log(deviation) - 0.5 * (scaled / deviation) ** 2
    )


def _noise(shape: _Shape, scale: float, outliers: float) -> Noise:
    if shape.kind == "mixed":
        return Noise("mixed", scale * shape.floor, relative=scale, outliers=outliers)
    return Noise(shape.kind, scale, outliers=outliers)
