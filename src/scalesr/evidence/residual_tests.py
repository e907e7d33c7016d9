"""Structure left in residuals: what a right law leaves is noise, and noise knows nothing of the columns.

Three tests look for different traces. Low polynomials in each variable and in pairs find a smooth
error; the correlation of neighbours along each variable finds a wiggly one; the correlation of
nearest neighbours in all variables finds what only shows where several of them move together.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, islice

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.special import betainc

from scalesr.evidence.config import EVIDENCE
from scalesr.records.precision import WIDE

Floats = NDArray[np.float64]

UNLIKELY = 1e-4  # probability under noise alone, all tests together, below which structure is claimed
CERTAIN = 20.0  # nats: evidence beyond it says no more
FREEDOM = 7  # pairs of neighbours but one, below which their correlation says nothing
# Squared lengths of directions as shares of the largest, whose rounding errors are about 1e-16 times their number.
LEAST_SQUARE = 1e-12  # below it a direction has rounding errors only
EVEN_SQUARES = 1e-4  # above it all directions are orthogonal to twelve digits
N_LAYOUTS = 2  # tables that are looked at in turn: some rows while laws are compared, more of them for the verdict


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """What the tests ask of columns, whatever the residual."""

    orders: NDArray[np.int64]  # (columns that move, rows)
    pairs: NDArray[np.int64]  # (pairs, 2) of rows that are near each other
    directions: Floats  # (rows, directions), orthonormal: what low polynomials span

    @classmethod
    def of(cls, columns: Floats) -> Layout:
        """The layout of columns (variables, rows), which is kept, as many residuals have the same columns."""
        return _layout(np.ascontiguousarray(columns, np.float64).tobytes(), columns.shape)


@lru_cache(N_LAYOUTS)
def _layout(content: bytes, shape: tuple[int, int]) -> Layout:
    ranked = ranks(np.frombuffer(content).reshape(shape))
    moving = ranked[[bool(np.ptp(column) > 0) for column in ranked]] if shape[1] else ranked[:0]
    orders = np.argsort(moving, axis=1, kind="stable")
    n_most = min(shape[1] // EVIDENCE.rows_per_direction, math.isqrt(EVIDENCE.max_products // max(shape[1], 1)))
    return Layout(orders, nearest_pairs(moving if len(moving) else ranked), _span(low_polynomials(moving, n_most)))


def claims_structure(nats: float) -> bool:
    """Whether evidence of structure in a residual amounts to a claim of it."""
    return nats > nats_against(UNLIKELY)


def structure_left(residual: Floats, columns: Floats, n_constants: int) -> tuple[float, str]:
    """Probability that noise alone leaves so much structure, and where it shows, as a phrase.

    `columns` is (variables, rows); a law with `n_constants` fitted constants left the residual.
    """
    bent = bounded(residual)
    if not bent.any() or len(bent) < EVIDENCE.rows_per_direction:
        return 1.0, "nothing"
    layout = Layout.of(columns)
    if len(layout.orders) == 0:
        return 1.0, "nothing"
    found = [(_smooth(bent, layout.directions, n_constants), "a smooth trend")]
    found += [(_along(bent, order), "neighbouring rows along a column") for order in layout.orders]
    found.append((_nearby(bent, layout.pairs), "rows that are near each other"))
    smallest, where = min(found)
    return min(1.0, smallest * len(found)), where


def evidence_of_structure(residual: Floats, columns: Floats, n_constants: int) -> float:
    """What structure in a residual says against its law, in nats, at most CERTAIN."""
    return nats_against(structure_left(residual, columns, n_constants)[0])


def nats_against(probability: float) -> float:
    """What a probability of chance says against a law, in nats, at most CERTAIN.

    A probability p of chance speaks at most 1 / (-e p log p) times more for any other law, and for
    none where p is not small (Sellke, Bayarri and Berger, 2001).
    """
    if probability >= 1 / math.e:
        return 0.0
    likely = max(probability, sys.float_info.min)
    return min(-math.log(-math.e * likely * math.log(likely)), CERTAIN)


def bounded(residual: Floats) -> Floats:
    """Residuals about their mean, winsorised at four typical sizes so that no row decides alone."""
    drawn = winsorised(residual, *bounds_of(residual))
    return np.asarray(drawn - drawn.mean())


def bounds_of(residual: Floats) -> tuple[float, float]:
    """The middle of residuals, and how far from it they count."""
    middle = float(np.median(residual))
    return middle, 4 * 1.4826 * float(np.median(np.abs(residual - middle)))


def winsorised(residual: Floats, middle: float, most: float) -> Floats:
    """Residuals about a middle, those further off at the bound; without a bound as they are."""
    about = residual - middle
    return np.clip(about, -most, most) if most > 0 else about


def ranks(columns: Floats) -> Floats:
    """Each column spread evenly over -1 to 1 in its order; equal values stay equal."""
    even = np.zeros(columns.shape)
    for line, values in zip(even, columns, strict=True):
        different, place = np.unique(values, return_inverse=True)
        if len(different) > 1:
            line[:] = 2 * place / (len(different) - 1) - 1
    return even


def _smooth(residual: Floats, directions: Floats, n_constants: int) -> float:
    """F-test of low polynomials against the rest."""
    n, n_inside = directions.shape
    inside = float(((directions.T @ residual) ** 2).sum())
    total = float(residual @ residual)
    return trend_by_chance(inside, n_inside, total, n - n_inside - 1 - n_constants)


def trend_by_chance(inside: float, n_inside: int, total: float, n_rest: int) -> float:
    """Probability that noise has so large a part of its squares in this many directions (F-test)."""
    if n_inside == 0 or n_rest < 1 or total <= inside:
        return 1.0
    statistic = (inside / n_inside) / ((total - inside) / n_rest)
    return float(betainc(n_rest / 2, n_inside / 2, n_rest / (n_rest + n_inside * statistic)))


def _span(basis: Floats) -> Floats:
    """Orthonormal columns that span those of a basis, without directions in which it has rounding errors only."""
    if not basis.shape[1]:
        return basis
    across = basis
    for _ in range(2):  # from products, at a quarter of the time of a QR; again where rounding shows in them
        squares, turn = np.linalg.eigh(across.T @ across)
        largest = max(float(squares[-1]), sys.float_info.min)
        kept = squares > LEAST_SQUARE * largest
        across = across @ (turn[:, kept] / np.sqrt(squares[kept]))
        if float(squares[kept].min(initial=largest)) > EVEN_SQUARES * largest:
            break
    return np.asarray(across)


def low_polynomials(columns: Floats, n_most: int) -> Floats:
    """Low polynomials of ranks about their means, (rows, polynomials); the lowest degrees first."""
    single = [legvander(values, EVIDENCE.trend_degree)[:, 1:] for values in columns]
    parts = [powers[:, degree] for degree in range(EVIDENCE.trend_degree) for powers in single]
    pairs = (  # of many columns more than could be held
        first[:, i] * second[:, j]
        for first, second in combinations(single, 2)
        for i in range(EVIDENCE.trend_pair_degree)
        for j in range(EVIDENCE.trend_pair_degree)
    )
    n_first = 2 * len(columns)
    chosen = list(islice(chain(parts[:n_first], pairs, parts[n_first:]), max(n_most, 0)))
    if not chosen:
        return np.empty((columns.shape[1], 0))
    basis = np.stack(chosen)
    basis -= basis.mean(axis=1, keepdims=True)
    return basis.T


def _along(residual: Floats, order: NDArray[np.int64]) -> float:
    """Correlation of each row with the next along one variable."""
    return _correlated(residual[order][:-1], residual[order][1:])


def _nearby(residual: Floats, pairs: NDArray[np.int64]) -> float:
    """Correlation of each row with its nearest neighbour."""
    return _correlated(residual[pairs[:, 0]], residual[pairs[:, 1]])


def nearest_pairs(columns: Floats) -> NDArray[np.int64]:
    """Rows and their nearest neighbours, each pair once, (pairs, 2); of many rows the first."""
    points = columns[:, : EVIDENCE.rows_of_neighbours].T
    if len(points) < 2:
        return np.empty((0, 2), np.int64)
    other = _nearest_of_many(points) if len(columns) > WIDE else _nearest(points)
    own = np.arange(len(other))
    return np.unique(np.sort(np.stack([own, other], axis=1), axis=1), axis=0)


def _nearest(points: Floats) -> NDArray[np.int64]:
    """The row nearest to each other row."""
    _, nearest = cKDTree(points).query(points, k=2)
    return np.asarray(np.where(nearest[:, 0] == np.arange(len(points)), nearest[:, 1], nearest[:, 0]))


def _nearest_of_many(points: Floats) -> NDArray[np.int64]:
    """The same by all distances of some rows: in many columns a tree leaves out none of them."""
    some = points[: max(math.isqrt(EVIDENCE.max_products // points.shape[1]), 2)]
    squares = (some**2).sum(axis=1)
    distances = squares - 2 * some @ some.T  # up to what a row has in common with itself
    np.fill_diagonal(distances, np.inf)
    return np.asarray(distances.argmin(axis=1))


def change_between_neighbours(values: Floats, columns: Floats) -> float:
    """Root mean square difference of values at rows that are near each other; 0 where there are no two rows."""
    pairs = Layout.of(columns).pairs
    if len(pairs) == 0:
        return 0.0
    return float(np.sqrt(np.mean((values[pairs[:, 0]] - values[pairs[:, 1]]) ** 2)))


def noise_between_neighbours(residual: Floats, columns: Floats) -> float:
    """Standard deviation of noise, from the differences of rows that are near each other."""
    pairs = Layout.of(columns).pairs
    if len(pairs) == 0:
        return float(np.std(residual))
    return float(np.sqrt(np.mean((residual[pairs[:, 0]] - residual[pairs[:, 1]]) ** 2) / 2))


def _correlated(left: Floats, right: Floats) -> float:
    """Probability of so positive a correlation by chance, by Student's test."""
    norm = math.sqrt(float((left**2).sum() * (right**2).sum()))
    freedom = len(left) - 1
    if norm == 0 or freedom < FREEDOM:
        return 1.0
    correlation = min(float(left @ right) / norm, 1.0)
    both_sides = float(betainc(freedom / 2, 0.5, 1 - correlation**2))
    return both_sides / 2 if correlation > 0 else 1 - both_sides / 2
