"""Products of functions with rates, found in rounds: the largest hide the smaller ones as long as they are not exact.

Functions of single columns stay polynomials meanwhile; products and their rates are fitted beside them, and what is
left is taken apart again. At the end each column's polynomial is read as a sum of few functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply
from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.reduce.anova.config import ANOVA
from scalesr.reduce.anova.curves import like, sums_of_functions
from scalesr.reduce.anova.decompose import Curve, curve_functions, decomposed
from scalesr.reduce.anova.functions import CurveFunction, functions_over

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Product:
    """Two functions of different columns, and the columns."""

    functions: tuple[CurveFunction, CurveFunction]
    columns: tuple[int, int]

    def values(self, x: Floats) -> Floats:  # (variables, rows) -> (rows,)
        return self.functions[0].values(x[self.columns[0]]) * self.functions[1].values(x[self.columns[1]])

    def slopes(self, x: Floats) -> list[Floats]:
        """By the logarithm of each rate."""
        (f, g), (u, v) = self.functions, (x[column] for column in self.columns)
        found = [f.slope(u) * g.values(v)] if f.rate is not None else []
        return found + ([f.values(u) * g.slope(v)] if g.rate is not None else [])

    def moved(self, steps: list[float]) -> Product:
        """With the logarithms of its rates moved."""
        functions = [f if f.rate is None else f.at(f.rate * float(np.exp(steps.pop(0)))) for f in self.functions]
        return Product((functions[0], functions[1]), self.columns)


def terms_in_rounds(data: Dataset, operators: Operators, stop: Stop) -> list[Expression]:
    """Terms of a sum over columns and pairs, each but for its coefficient; none where no pair interacts."""
    rows = data.thinned(ANOVA.rounds_n_rows)
    search = _Rounds.of(rows, operators)
    products: list[Product] = []
    for _ in range(ANOVA.rounds_n_rounds):
        left = search.residual(products)
        if stop.passed or float(np.sqrt(np.mean(left**2))) < ANOVA.smooth_rest:
            break
        new = search.new_products(left, products)
        if not new:
            break
        products = [*products, *new]
        for _ in range(ANOVA.n_sweeps):
            products = search.refined(search.renamed(products))
    if not products:
        return []
    singles = [term for column in range(rows.n_variables) for term in search.single_terms(column, products)]
    return [*(_written(one) for one in products), *singles]


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    x: Floats  # (variables, rows)
    y: Floats  # (rows,) of standard deviation 1
    candidates: list[list[CurveFunction]]  # of each column
    polynomials: Floats  # (rows, functions) of single columns
    q: Floats  # (rows, functions) an orthonormal basis of these

    @classmethod
    def of(cls, rows: Dataset, operators: Operators) -> _Rounds:
        low, high = rows.columns.min(axis=1, keepdims=True), rows.columns.max(axis=1, keepdims=True)
        scaled = 2 * (rows.columns - low) / (high - low) - 1
        singles = np.column_stack([np.ones(rows.n_rows), *(legvander(z, ANOVA.single_degree)[:, 1:] for z in scaled)])
        candidates = [functions_over(float(x.min()), float(x.max()), operators) for x in rows.columns]
        y = (rows.y - rows.y.mean()) / (rows.std or 1.0)
        return cls(rows.columns, y, candidates, singles, np.asarray(np.linalg.qr(singles)[0]))

    def outside(self, values: Floats) -> Floats:
        """What is not a sum of functions of single columns, (rows, ...)."""
        return np.asarray(values - self.q @ (self.q.T @ values))

    def residual(self, products: Sequence[Product]) -> Floats:
        """What single columns and products leave."""
        goal = self.outside(self.y)
        if not products:
            return goal
        design = self.outside(np.column_stack([one.values(self.x) for one in products]))
        return np.asarray(goal - design @ np.linalg.lstsq(design, goal, rcond=None)[0])

    def new_products(self, left: Floats, known: Sequence[Product]) -> list[Product]:
        """The products that the residual needs most."""
        found = decomposed(self.x, left)
        pairs = {} if found is None else {(f.column, g.column): (f, g) for f, g in reversed(found.products)}
        taken = {one.columns for one in known}
        fresh_pairs = [curves for pair, curves in reversed(pairs.items()) if pair not in taken]
        chosen = [self._named(curves, left) for curves in fresh_pairs or pairs.values()]
        fresh = [(gain, one) for gain, one in chosen if gain > ANOVA.product_gain and one not in known]
        strongest = sorted(fresh, key=lambda pair: -pair[0])[: ANOVA.n_per_round]
        return list(dict.fromkeys(one for _, one in strongest))

    def _named(self, curves: tuple[Curve, Curve], left: Floats) -> tuple[float, Product]:
        """The product of functions like two curves that explains most, and the nats that it saves."""
        columns = (curves[0].column, curves[1].column)
        likely = [self._like(curve) for curve in curves]
        tried = [Product((f, g), columns) for f, g in product(*likely)]
        lines = self.outside(np.column_stack([one.values(self.x) for one in tried]))
        sizes = (lines**2).sum(axis=0)
        shares = np.divide((left @ lines) ** 2, sizes, out=np.zeros(len(sizes)), where=sizes > 0) / (left @ left)
        gains = -0.5 * len(left) * np.log1p(-np.minimum(shares, 1 - 1e-15))
        n_rates = np.array([sum(f.rate is not None for f in one.functions) for one in tried])
        best = int(np.argmax(gains - ANOVA.per_rate * n_rates))
        return float(gains[best]), tried[best]

    def renamed(self, products: Sequence[Product]) -> list[Product]:
        """Each product read again from what all others leave."""
        found = list(products)
        for place, one in enumerate(products):
            left = self.residual([*found[:place], *found[place + 1 :]])
            i, j = one.columns
            both = self._legendre(i)[:, :, np.newaxis] * self._legendre(j)[:, np.newaxis, :]
            design = self.outside(both.reshape(len(left), -1))
            surface = np.linalg.lstsq(design, left, rcond=None)[0].reshape(ANOVA.pair_degree, ANOVA.pair_degree)
            up, _, down = np.linalg.svd(surface)
            gain, other = self._named((Curve(i, up[:, 0]), Curve(j, down[0])), left)
            if gain > self._gain(one, left) + 0.5:
                found[place] = other
        return found

    def _legendre(self, column: int) -> Floats:
        """Polynomials of a column as curves have them."""
        x = self.x[column]
        return curve_functions(2 * (x - x.min()) / np.ptp(x) - 1, ANOVA.pair_degree)

    def _gain(self, one: Product, left: Floats) -> float:
        """Nats that a product saves of what is left."""
        line = self.outside(one.values(self.x))
        share = float(left @ line) ** 2 / max(float(line @ line) * float(left @ left), np.finfo(np.float64).tiny)
        return -0.5 * len(left) * float(np.log1p(-min(share, 1 - 1e-15)))

    def _like(self, curve: Curve) -> list[CurveFunction]:
        """Functions that resemble a curve up to a line."""
        values = curve.values(np.linspace(-1, 1, ANOVA.n_points))
        return like(self._points(curve.column), values, self.candidates[curve.column])

    def _points(self, column: int) -> Floats:
        return np.linspace(self.x[column].min(), self.x[column].max(), ANOVA.n_points)

    def refined(self, products: Sequence[Product]) -> list[Product]:
        """Products with their rates fitted together."""
        best = list(products)
        rss = float((self.residual(best) ** 2).sum())
        for _ in range(ANOVA.n_rate_steps):
            design = self.outside(np.column_stack([one.values(self.x) for one in best]))
            sizes = np.linalg.lstsq(design, self.outside(self.y), rcond=None)[0]
            slopes = [c * line for c, one in zip(sizes, best, strict=True) for line in one.slopes(self.x)]
            if not slopes:
                return best
            whole = np.column_stack([design, self.outside(np.column_stack(slopes))])
            steps = np.linalg.lstsq(whole, self.residual(best), rcond=None)[0][len(best) :]
            queue = np.clip(steps, -0.3, 0.3).tolist()  # a third of a rate at once is as far as a slope tells
            moved = [one.moved(queue) for one in best]
            after = float((self.residual(moved) ** 2).sum())
            if not after < rss:
                return best
            best, rss = moved, after
        return best

    def single_terms(self, column: int, products: Sequence[Product]) -> list[Expression]:
        """Functions that what products and the other columns leave is the sum of."""
        design = np.column_stack([self.polynomials, *(one.values(self.x) for one in products)])
        found = np.linalg.lstsq(design, self.y, rcond=None)[0]
        left = (self.y - design @ found)[: ANOVA.n_read]
        own = slice(1 + column * ANOVA.single_degree, 1 + (column + 1) * ANOVA.single_degree)
        curve = left + self.polynomials[: ANOVA.n_read, own] @ found[own]
        error = max(float(np.sqrt(np.mean(left**2))), ANOVA.smooth_rest)
        if float(curve.std()) < 3 * error:
            return []
        x, candidates = self.x[column][: ANOVA.n_read], self.candidates[column]
        plain = [one for one in candidates if one.rate is None]
        sums = [
            *sums_of_functions(x, curve, plain, most=ANOVA.most_terms, error=error),
            *sums_of_functions(x, curve, candidates, most=ANOVA.most_terms, error=error),
        ]
        return [one.written(column) for one in min(sums, key=lambda pair: pair[0])[1]]


def _written(one: Product) -> Expression:
    f, g = (function.written(column) for function, column in zip(one.functions, one.columns, strict=True))
    return apply("*", f, g)
