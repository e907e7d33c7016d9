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
FAR_RESIDUAL = 5.0  # robust standard deviations: a larger residual hints at outliers
WIDER = 3.0  # times: the tail of a mixture that is not this much wider is no tail
LARGEST_SHARE = 0.4  # of outliers: the law has to hold for most rows


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """The rows under one law: their cost in nats, the noise that suits them and which rows it takes for good ones."""

    cost: float
    noise: Noise
    good: Floats | None = None  # (rows,) probability of being no outlier; None: all are good
    cut: float = math.inf  # a residual, over the shape of the errors, from which a row is more likely an outlier

    @property
    def are_outliers(self) -> NDArray[np.bool_] | None:
        """The rows that are more likely outliers than not; None: no row is."""
        return None if self.good is None else self.good < 0.5


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of a law's values, which the shapes of errors are made of."""

    typical: float  # root mean square
    least: float  # a value of 0 has some error too
    lowest: float


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
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


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What the likelihood needs of residuals divided by the shape of their errors: their squares, one by one or in
    classes of nearly equal ones, whose logarithmic density is all but linear in them.
    """

    squares: Floats  # (rows,), or (classes,) their means
    total: float  # of the squares of all rows
    median: float  # of the sizes
    largest: float  # of the sizes
    price: float  # of the shape, see Shape.price
    floor: float  # the rounding of a typical row
    counts: Floats | None = None  # (classes,) rows in each; None: `squares` are of single rows

    @property
    def n_rows(self) -> int:
        return len(self.squares) if self.counts is None else int(self.counts.sum())

    def over_rows(self, values: Floats) -> float:
        """The sum over all rows of what each, or each class, has."""
        return float(values.sum()) if self.counts is None else float(self.counts @ values)

    def products(self, shares: Floats) -> float:
        """The sum over all rows of a share of the square."""
        return float(shares @ self.squares) if self.counts is None else float((self.counts * shares) @ self.squares)


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
    shape = likeliest_shape(residual[::step], values[::step], rounding)
    if step > 1:
        shape = next(one for one in shapes_of(values) if (one.kind, one.share) == (shape.kind, shape.share))
    return explain_sums(
        _sums(residual, shape, rounding), shape, n_constants, may_have_outliers=given is None or given.outliers
    )


def explain_sums(sums: Sums, shape: Shape, n_constants: int, *, may_have_outliers: bool = True) -> Explained:
    """The cost of rows under one shape of errors, from their sums; with outliers where that is cheaper."""
    plain = _cost(sums, shape, n_constants)
    mixed = _with_outliers(sums, shape, n_constants) if may_have_outliers else None
    return plain if mixed is None or plain.cost <= mixed.cost else mixed


def _as_given(residual: Floats, values: Floats, n_constants: int, rounding: float, given: GivenNoise) -> Explained:
    """The rows under a noise that is known: its kind, and its scale where that is known too."""
    noise = given.noise
    assert noise is not None
    if noise.kind == "exact" or noise.scale is not None:
        size = max(rounding, noise.digits) if noise.kind == "exact" else rounding
        variances = (noise.variances(values) if noise.kind != "exact" else 0.0) + np.full(len(values), size**2)
        plain = Explained(_normal_cost(residual, variances), noise)
        shape = Shape(noise.kind, variances)
    else:
        shape = min(
            (one for one in shapes_of(values) if one.kind == noise.kind),
            key=lambda one: _robust_cost(residual, one, rounding),
            default=Shape("constant"),
        )
        plain = _cost(_sums(residual, shape, rounding), shape, n_constants)
        plain = replace(plain, noise=replace(plain.noise, source="given"))
    mixed = _with_outliers(_sums(residual, shape, rounding), shape, n_constants) if given.outliers else None
    if mixed is None or plain.cost <= mixed.cost:
        return plain
    scale = mixed.noise.scale if noise.scale is None else noise.scale
    return replace(mixed, noise=replace(noise, scale=scale, outliers=mixed.noise.outliers))


def _normal_cost(residual: Floats, variances: Floats) -> float:
    """Minus the logarithm of a normal density of known variances."""
    with np.errstate(all="ignore"):
        cost = 0.5 * float((residual**2 / variances + np.log(2 * math.pi * variances)).sum())
    return cost if math.isfinite(cost) else math.inf


def _robust_cost(residual: Floats, shape: Shape, rounding: float) -> float:
    """About what the rows cost under a shape of errors, whatever a few outliers among them are."""
    size = np.abs(shape.divided(residual))
    scale = max(1.4826 * float(np.median(size)), shape.floor(rounding))
    if scale == 0:
        return -math.inf
    return (
        len(size) * math.log(scale)
        + 0.5 * float(np.minimum(size / scale, FAR_RESIDUAL) @ np.minimum(size / scale, FAR_RESIDUAL))
        + (shape.price(len(size)))
    )


def sizes_of(values: Floats) -> Sizes:
    """The sizes of values."""
    size = np.abs(values)
    typical = float(np.sqrt(np.mean(size**2)))
    return Sizes(typical, 1e-3 * float(np.quantile(size, 0.01)) + 1e-12 * typical, float(values.min()))


def shapes_of(values: Floats, sizes: Sizes | None = None) -> Iterator[Shape]:
    """The shapes that errors of rows may have; `sizes` are those of all rows, where `values` are of a part of them."""
    yield Shape("constant")
    known = sizes or sizes_of(values)
    if known.typical == 0 or not np.isfinite(known.typical):
        return
    size = np.abs(values)
    yield Shape("proportional", (size + known.least) ** 2)
    if known.lowest >= 0:
        yield Shape("counts", size + known.least)
    for share in MIXED:
        yield Shape("mixed", size**2 + (share * known.typical) ** 2, share * known.typical, share)


def likeliest_shape(residual: Floats, values: Floats, rounding: float) -> Shape:
    """The shape that makes some rows cheapest."""
    return min(shapes_of(values), key=lambda one: _robust_cost(residual, one, rounding))


def _sums(residual: Floats, shape: Shape, rounding: float) -> Sums:
    """What the likelihood needs of rows that are in memory."""
    scaled = shape.divided(residual)
    size = np.abs(scaled)
    return Sums(
        scaled**2, float(scaled @ scaled), float(np.median(size)), float(size.max(initial=0.0)),
        shape.price(len(residual)), shape.floor(rounding),
    )  # fmt: skip


def _cost(sums: Sums, shape: Shape, n_constants: int) -> Explained:
    """The rows under one shape of errors, without outliers."""
    n_rows = sums.n_rows
    freedom = max(n_rows - n_constants, 1)
    total = sums.total + n_rows * sums.floor**2
    cost = _student(total, n_rows, freedom) + sums.price
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


def _with_outliers(sums: Sums, shape: Shape, n_constants: int) -> Explained | None:
    """The rows as a mixture of two normal distributions; None where there are no two parts."""
    squares, n_rows, floor = sums.squares, sums.n_rows, sums.floor
    narrow = max(1.4826 * sums.median, floor)
    if sums.largest <= FAR_RESIDUAL * narrow or narrow == 0:  # half of the rows without any error have no deviation
        return None
    wide, share = max(math.sqrt(sums.over_rows(squares) / n_rows), WIDER * narrow), 0.05
    for _ in range(EVIDENCE.reweighting_steps):
        good = _good(squares, narrow, wide, share)
        bad = n_rows - sums.over_rows(good)
        before, share = share, min(bad / n_rows, LARGEST_SHARE)
        if bad < 0.5:  # not one row
            return None
        narrow = math.sqrt(max(sums.products(good) / max(n_rows - bad - n_constants, 1.0), floor**2))
        wide = math.sqrt(sums.products(1 - good) / bad)
        if wide < WIDER * narrow or narrow == 0:
            return None
        if abs(share - before) < EVIDENCE.reweighting_converged * share:
            break
    inner, outer = _density(squares, narrow, 1 - share), _density(squares, wide, share)
    rows = -sums.over_rows(np.logaddexp(inner, outer))
    # the scale is paid for as in Student's form, the share and the width of the tail by half a logarithm each
    occam = 0.5 * math.log(max(n_rows - n_constants, 1) / (4 * math.pi)) + math.log(n_rows)
    each = good if sums.counts is None else None
    return Explained(rows + occam + sums.price, shape.noise(narrow, share), each, _cut(narrow, wide, share))


def _cut(narrow: float, wide: float, share: float) -> float:
    """The size at which a residual is as likely of one part as of the other."""
    odds = math.log((1 - share) / share) + math.log(wide / narrow)
    return math.sqrt(2 * max(odds, 0.0) / (1 / narrow**2 - 1 / wide**2))


def _good(squares: Floats, narrow: float, wide: float, share: float) -> Floats:
    """Probability of each row to belong to the narrow part."""
    odds = _density(squares, wide, share) - _density(squares, narrow, 1 - share)
    return np.asarray(1 / (1 + np.exp(np.clip(odds, -700, 700))))


def _density(squares: Floats, deviation: float, share: float) -> Floats:
    """Logarithm of a share of a normal density."""
    return np.asarray(
        (-0.5 / deviation**2) * squares + (math.log(share) - 0.5 * math.log(2 * math.pi) - math.log(deviation))
    )
