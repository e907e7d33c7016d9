"""Structure left in residuals: what a right law leaves is noise, and noise knows nothing of the columns.

Three tests look for different traces. Low polynomials in each variable and in pairs find a smooth
error; the correlation of neighbours along each variable finds a wiggly one; the correlation of
nearest neighbours in all variables finds what only shows where several of them move together.
"""

from __future__ import annotations

import math
import sys
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


def claims_structure(nats: float) -> bool:
    """Whether evidence of structure in a residual amounts to a claim of it."""
    return nats > _nats(UNLIKELY)


def structure_left(residual: Floats, columns: Floats, n_constants: int) -> tuple[float, str]:
    """Probability that noise alone leaves so much structure, and where it shows, as a phrase.

    `columns` is (variables, rows); a law with `n_constants` fitted constants left the residual.
    """
    bent = bounded(residual)
    moving = np.array([column for column in ranks(columns) if column[0] < np.inf and np.ptp(column) > 0])
    if len(moving) == 0 or not bent.any() or len(bent) < EVIDENCE.rows_per_direction:
        return 1.0, "nothing"
    found = [(_smooth(bent, moving, n_constants), "a smooth trend")]
    found += [(_along(bent, column), "neighbouring rows along a column") for column in moving]
    found.append((_nearby(bent, moving), "rows that are near each other"))
    smallest, where = min(found)
    return min(1.0, smallest * len(found)), where


def evidence_of_structure(residual: Floats, columns: Floats, n_constants: int) -> float:
    """What structure in a residual says against its law, in nats, at most CERTAIN.

    A probability p of chance speaks at most 1 / (-e p log p) times more for any other law, and for
    none where p is not small (Sellke, Bayarri and Berger, 2001).
    """
    return _nats(structure_left(residual, columns, n_constants)[0])


def _nats(probability: float) -> float:
    if probability >= 1 / math.e:
        return 0.0
    likely = max(probability, sys.float_info.min)
    return min(-math.log(-math.e * likely * math.log(likely)), CERTAIN)


def bounded(residual: Floats) -> Floats:
    """Residuals about their mean, winsorised at four typical sizes so that no row decides alone."""
    about = residual - np.median(residual)
    size = 1.4826 * float(np.median(np.abs(about)))
    drawn = np.clip(about, -4 * size, 4 * size) if size > 0 else about
    return np.asarray(drawn - drawn.mean())


def ranks(columns: Floats) -> Floats:
    """Each column spread evenly over -1 to 1 in its order; equal values stay equal."""
    even = np.zeros(columns.shape)
    for line, values in zip(even, columns, strict=True):
        different, place = np.unique(values, return_inverse=True)
        if len(different) > 1:
            line[:] = 2 * place / (len(different) - 1) - 1
    return even


def _smooth(residual: Floats, columns: Floats, n_constants: int) -> float:
    """F-test of low polynomials against the rest."""
    n = len(residual)
    inside, n_inside = _within(low_polynomials(columns, n // EVIDENCE.rows_per_direction), residual)
    total = float(residual @ residual)
    n_rest = n - n_inside - 1 - n_constants
    if n_inside == 0 or n_rest < 1 or total <= inside:
        return 1.0
    statistic = (inside / n_inside) / ((total - inside) / n_rest)
    return float(betainc(n_rest / 2, n_inside / 2, n_rest / (n_rest + n_inside * statistic)))


def _within(basis: Floats, residual: Floats) -> tuple[float, int]:
    """Squares of a residual within the span of columns, and the dimension of the span.

    The triangle of a QR decomposition tells both; its orthonormal columns would cost three times as much.
    """
    n_columns = basis.shape[1]
    if not n_columns:
        return 0.0, 0
    triangle = np.asarray(np.linalg.qr(np.column_stack([basis, residual]), mode="r"))
    left, sizes, _ = np.linalg.svd(triangle[:n_columns, :n_columns])
    kept = sizes > 1e-8 * max(float(sizes[0]), 1e-300)
    return float(((left.T @ triangle[:n_columns, n_columns])[kept] ** 2).sum()), int(kept.sum())


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
    basis = np.stack(chosen, axis=1)
    return np.asarray(basis - basis.mean(axis=0))


def _along(residual: Floats, column: Floats) -> float:
    """Correlation of each row with the next along one variable."""
    order = np.argsort(column, kind="stable")
    return _correlated(residual[order][:-1], residual[order][1:])


def _nearby(residual: Floats, columns: Floats) -> float:
    """Correlation of each row with its nearest neighbour."""
    pairs = nearest_pairs(columns)
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
    pairs = nearest_pairs(ranks(columns))
    if len(pairs) == 0:
        return 0.0
    return float(np.sqrt(np.mean((values[pairs[:, 0]] - values[pairs[:, 1]]) ** 2)))


def noise_between_neighbours(residual: Floats, columns: Floats) -> float:
    """Standard deviation of noise, from the differences of rows that are near each other."""
    pairs = nearest_pairs(ranks(columns))
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
