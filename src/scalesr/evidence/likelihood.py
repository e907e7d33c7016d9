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
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from scalesr.evidence.config import EVIDENCE
from scalesr.records.noise import GivenNoise, Noise, NoiseKind

Floats = NDArray[np.float64]

KIND_COST = {"constant": math.log(2), "proportional": math.log(6), "counts": math.log(6), "mixed": math.log(6)}
MIXED = (0.003, 0.03, 0.1, 0.3)  # constant part of mixed errors, over the typical size of the values
FAR = 5.0  # robust standard deviations: a residual beyond, in so many rows as there are, hints at outliers
WIDER = 3.0  # times: the tail of a mixture that is not this much wider is no tail
LARGEST_SHARE = 0.4  # of outliers: the law has to hold for most rows


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """The rows under one law: their cost in nats, the noise that suits them and which rows it takes for good ones."""

    cost: float
    noise: Noise
    good: Floats | None = None  # (rows,) probability of being no outlier; None: all are good

    @property
    def are_outliers(self) -> NDArray[np.bool_] | None:
        """The rows that are more likely outliers than not; None: no row is."""
        return None if self.good is None else self.good < 0.5


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """How the errors of rows compare: their variances up to a scale."""

    kind: NoiseKind
    variances: Floats | None = None  # (rows,) None: all alike
    constant: float = 0.0  # "mixed": the constant part
    share: float = 0.0  # the same over the typical size of the values

    def divided(self, residual: Floats) -> Floats:
        return residual if self.variances is None else residual / np.sqrt(self.variances)

    def floor(self, rounding: float) -> float:
        """The rounding of a typical row, divided likewise."""
        return rounding if self.variances is None else rounding / math.sqrt(float(np.median(self.variances)))

    def price(self, n_rows: int) -> float:
        """Cost of the kind, and the logarithms that make it a density of the target."""
        kind = KIND_COST.get(self.kind, 0.0) + (0.5 * math.log(n_rows) if self.kind == "mixed" else 0.0)
        return kind + (0.0 if self.variances is None else 0.5 * float(np.log(self.variances).sum()))

    def noise(self, scale: float, outliers: float) -> Noise:
        if self.kind == "mixed":
            return Noise("mixed", scale * self.constant, relative=scale, outliers=outliers)
        return Noise(self.kind, scale, outliers=outliers)


def explain(
    residual: Floats, values: Floats, n_constants: int, *, rounding: float, given: GivenNoise | None = None
) -> Explained:
    """The cost of the rows under the kind of noise that makes them cheapest, or under the one that is given.

    `residual` is already divided by the errors that the user knows, up to their scale; `rounding` is the
    standard deviation below which residuals are rounding.
    """
    if given is not None and given.noise is not None:
        return _as_given(residual, values, n_constants, rounding, given)
    step = max(len(residual) // EVIDENCE.rows_of_noise_kind, 1)
    some, at = residual[::step], values[::step]
    shape = min(_shapes(at), key=lambda one: _robust_cost(some, one, rounding))
    if step > 1:
        shape = next(one for one in _shapes(values) if (one.kind, one.share) == (shape.kind, shape.share))
    plain = _cost(residual, shape, n_constants, rounding)
    may_have = given is None or given.outliers
    mixed = _with_outliers(residual, shape, n_constants, rounding) if may_have else None
    return plain if mixed is None or plain.cost <= mixed.cost else mixed


def _as_given(residual: Floats, values: Floats, n_constants: int, rounding: float, given: GivenNoise) -> Explained:
    """The rows under a noise that is known: its kind, and its scale where that is known too."""
    noise = given.noise
    assert noise is not None
    if noise.kind == "exact" or noise.scale is not None:
        size = max(rounding, noise.digits) if noise.kind == "exact" else rounding
        variances = (noise.variances(values) if noise.kind != "exact" else 0.0) + np.full(len(values), size**2)
        plain = Explained(_normal_cost(residual, variances), noise)
        shape = _Shape(noise.kind, variances)
    else:
        shape = min(
            (one for one in _shapes(values) if one.kind == noise.kind),
            key=lambda one: _robust_cost(residual, one, rounding),
            default=_Shape("constant"),
        )
        plain = _cost(residual, shape, n_constants, rounding)
        plain = replace(plain, noise=replace(plain.noise, source="given"))
    mixed = _with_outliers(residual, shape, n_constants, rounding) if given.outliers else None
    if mixed is None or plain.cost <= mixed.cost:
        return plain
    scale = mixed.noise.scale if noise.scale is None else noise.scale
    return replace(mixed, noise=replace(noise, scale=scale, outliers=mixed.noise.outliers))


def _normal_cost(residual: Floats, variances: Floats) -> float:
    """Minus the logarithm of a normal density of known variances."""
    with np.errstate(all="ignore"):
        cost = 0.5 * float((residual**2 / variances + np.log(2 * math.pi * variances)).sum())
    return cost if math.isfinite(cost) else math.inf


def _robust_cost(residual: Floats, shape: _Shape, rounding: float) -> float:
    """About what the rows cost under a shape of errors, whatever a few outliers among them are."""
    size = np.abs(shape.divided(residual))
    scale = max(1.4826 * float(np.median(size)), shape.floor(rounding))
    if scale == 0:
        return -math.inf
    return (
        len(size) * math.log(scale)
        + 0.5 * float(np.minimum(size / scale, FAR) @ np.minimum(size / scale, FAR))
        + (shape.price(len(size)))
    )


def _shapes(values: Floats) -> Iterator[_Shape]:
    yield _Shape("constant")
    size = np.abs(values)
    typical = float(np.sqrt(np.mean(size**2)))
    if typical == 0 or not np.isfinite(typical):
        return
    least = 1e-3 * float(np.quantile(size, 0.01)) + 1e-12 * typical  # a value of 0 has some error too
    yield _Shape("proportional", (size + least) ** 2)
    if values.min() >= 0:
        yield _Shape("counts", size + least)
    for share in MIXED:
        yield _Shape("mixed", size**2 + (share * typical) ** 2, share * typical, share)


def _cost(residual: Floats, shape: _Shape, n_constants: int, rounding: float) -> Explained:
    """The rows under one shape of errors, without outliers."""
    n_rows = len(residual)
    scaled = shape.divided(residual)
    freedom = max(n_rows - n_constants, 1)
    total = float(scaled @ scaled) + n_rows * shape.floor(rounding) ** 2
    cost = _student(total, n_rows, freedom) + shape.price(n_rows)
    return Explained(cost, shape.noise(math.sqrt(total / freedom), 0.0))


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


def _with_outliers(residual: Floats, shape: _Shape, n_constants: int, rounding: float) -> Explained | None:
    """The rows as a mixture of two normal distributions; None where there are no two parts."""
    scaled, floor, n_rows = shape.divided(residual), shape.floor(rounding), len(residual)
    narrow = max(1.4826 * float(np.median(np.abs(scaled))), floor)
    if np.abs(scaled).max(initial=0.0) <= FAR * narrow:
        return None
    wide, share = max(float(np.sqrt(np.mean(scaled**2))), WIDER * narrow), 0.05
    squares = scaled**2
    for _ in range(EVIDENCE.reweighting_steps):
        good = _good(squares, narrow, wide, share)
        bad = n_rows - float(good.sum())
        before, share = share, min(bad / n_rows, LARGEST_SHARE)
        if bad < 0.5:  # not one row
            return None
        narrow = math.sqrt(max(float(good @ squares) / max(n_rows - bad - n_constants, 1.0), floor**2))
        wide = math.sqrt(float((1 - good) @ squares) / bad)
        if wide < WIDER * narrow or narrow == 0:
            return None
        if abs(share - before) < EVIDENCE.reweighting_converged * share:
            break
    inner, outer = _density(squares, narrow, 1 - share), _density(squares, wide, share)
    rows = -float(np.logaddexp(inner, outer).sum())
    # the scale is paid for as in Student's form, the share and the width of the tail by half a logarithm each
    occam = 0.5 * math.log(max(n_rows - n_constants, 1) / (4 * math.pi)) + math.log(n_rows)
    return Explained(rows + occam + shape.price(n_rows), shape.noise(narrow, share), good)


def _good(squares: Floats, narrow: float, wide: float, share: float) -> Floats:
    """Probability of each row to belong to the narrow part."""
    odds = _density(squares, wide, share) - _density(squares, narrow, 1 - share)
    return np.asarray(1 / (1 + np.exp(np.clip(odds, -700, 700))))


def _density(squares: Floats, deviation: float, share: float) -> Floats:
    """Logarithm of a share of a normal density."""
    return np.asarray(
        (-0.5 / deviation**2) * squares + (math.log(share) - 0.5 * math.log(2 * math.pi) - math.log(deviation))
    )
