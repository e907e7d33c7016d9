"""Laws proposed from weak equations: sparse sums of products, and such sums with one or two atoms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scalesr.dynamics.length import form_length
from scalesr.dynamics.weak.atoms import atoms
from scalesr.dynamics.weak.equations import WeakEquations
from scalesr.dynamics.weak.library import degree_of, monomials, weighted_sum
from scalesr.dynamics.weak.sparse import Normal, best_subsets
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators

Floats = NDArray[np.float64]

DEGREE = 3  # of products; besides atoms one less
SUMS = 3  # laws of products alone that are proposed
FIRST, SECOND = 10, 5  # atoms that are tried alone, and besides each of the best
BEST = 2  # laws with an atom that get a second one
WITH_ATOMS = 5  # laws with atoms that are proposed
REFINEMENT = {"maxiter": 40, "xatol": 1e-3, "fatol": 1e-4}  # of an inner constant, in its logarithm and in nats
NEAR = 0.7  # in the logarithm: how far an inner constant moves, which is to the next value of its grid
ALIKE = 1e-8  # of an atom's square: what products leave of one that they can say


@dataclass(frozen=True, slots=True, eq=False)
class Proposed:
    """A law of one state and its description length on the weak equations, in nats."""

    law: Expression
    length: float
    atoms: tuple[Expression, ...] = ()


class WeakSearch:
    """What the laws of all states are looked for in; the integrals of all terms are worked out once."""

    def __init__(self, equations: WeakEquations, columns: Sequence[int], operators: Operators) -> None:
        self._equations, self._n_columns = equations, equations.tables[0].shape[1]
        terms = monomials(columns, DEGREE)
        self._terms, self._products = terms, equations.integrals(terms)
        self._base = [k for k, term in enumerate(terms) if degree_of(term) < DEGREE or len(columns) == 1]
        self._basis = _orthonormal(self._products[:, self._base])
        known = atoms(equations.table, columns, operators)
        self._skeletons = [atom.skeleton for atom in known]
        owners = np.array([k for k, atom in enumerate(known) for _ in atom.bound()], np.int64)
        self._bound = [term for atom in known for term in atom.bound()]
        values = equations.integrals(self._bound)
        finite = np.isfinite(values).all(axis=0)
        self._owners = np.where(finite, owners, -1)
        self._columns = np.where(finite, values, 0.0)

    def laws(self, state: int, noise: float) -> list[Proposed]:
        """Laws of one state, those with the shortest description first."""
        left = self._equations.left(state)
        singles = self._best_atoms(left, self._basis, FIRST)
        widest = [self._products, *(np.column_stack([self._basis, self._column(term)]) for term in singles)]
        scale = max(noise, min(_residual(left, columns) for columns in widest))
        if not scale > 0:
            return []
        found = self._chosen(left, scale, range(len(self._terms)), (), SUMS)
        single = [law for term in singles for law in self._chosen(left, scale, self._base, (term,), 2)]
        single.sort(key=lambda one: one.length)
        pairs = []
        for law in _different(single)[:BEST]:
            basis = _orthonormal(np.column_stack([self._basis, self._column(law.atoms[0])]))
            for term in self._best_atoms(left, basis, SECOND):
                pairs += self._chosen(left, scale, self._base, (law.atoms[0], term), 1)
        with_atoms = sorted([*single, *pairs], key=lambda one: one.length)[:WITH_ATOMS]
        return sorted([*found, *with_atoms], key=lambda one: one.length)

    def _best_atoms(self, left: Floats, basis: Floats, n_most: int) -> list[Expression]:
        """The atoms that explain most of what a basis leaves, each with its best inner constants."""
        rest = left - basis @ (basis.T @ left)
        columns = self._columns - basis @ (basis.T @ self._columns)
        sizes, whole = (columns**2).sum(axis=0), (self._columns**2).sum(axis=0)
        says_more = (sizes > ALIKE * whole) & (self._owners >= 0)
        gains = np.where(says_more, (rest @ columns) ** 2 / np.where(says_more, sizes, 1.0), 0.0)
        found: dict[int, int] = {}
        for place in np.argsort(-gains)[: 20 * n_most].tolist():
            if gains[place] > 0 and len(found) < n_most:
                found.setdefault(int(self._owners[place]), place)
        return [self._refined(self._skeletons[own], self._bound[place], rest, basis) for own, place in found.items()]

    def _refined(self, skeleton: Expression, start: Expression, rest: Floats, basis: Floats) -> Expression:
        """An atom with the inner constants that explain most of a residual, near those it begins with."""
        if not skeleton.n_open:
            return start
        first = start.constants[skeleton.open_indices]
        power = float(rest @ rest)

        def left_over(logarithms: Floats) -> float:
            column = self._column(skeleton.bind(first * np.exp(np.clip(logarithms, -NEAR, NEAR))))
            column = column - basis @ (basis.T @ column)
            size = float(column @ column)
            gained = float(rest @ column) ** 2 / size if np.isfinite(size) and size > 0 else 0.0
            return math.log(max(power - gained, 1e-12 * power) / power)

        done = minimize(left_over, np.zeros(len(first)), method="Nelder-Mead", options=REFINEMENT)
        return skeleton.bind(first * np.exp(np.clip(done.x, -NEAR, NEAR)))

    def _column(self, term: Expression) -> Floats:
        return self._equations.integrals([term])[:, 0]

    def _chosen(
        self, left: Floats, scale: float, places: Sequence[int], extra: tuple[Expression, ...], n_most: int
    ) -> list[Proposed]:  # fmt: skip
        """The shortest laws of some products and these atoms, with a noise of this size."""
        terms = [*(self._terms[k] for k in places), *extra]
        columns = np.column_stack([self._products[:, list(places)], *(self._column(term) for term in extra)])
        if not np.isfinite(columns).all():
            return []
        per_constant = 0.5 * math.log(max(len(left), 2))
        prices = np.array(
            [
                form_length(term, self._n_columns) + per_constant * (1 + (len(term.constants) if term.variables else 0))
                for term in terms
            ]
        )
        fixed = frozenset(range(len(places), len(terms)))
        normal = Normal.of(columns / scale, left / scale, prices, fixed)
        found = []
        for subset in best_subsets(normal, n_most):
            law = weighted_sum(normal.coefficients(subset).tolist(), [terms[k] for k in sorted(subset)])
            found.append(Proposed(law, normal.length(subset), extra))
        return found


def _orthonormal(columns: Floats) -> Floats:
    """An orthonormal basis of what columns can say."""
    sizes = np.linalg.norm(columns, axis=0)
    return np.asarray(np.linalg.qr(columns / np.where(sizes > 0, sizes, 1.0))[0])


def _residual(left: Floats, columns: Floats) -> float:
    """Standard deviation of what columns leave of a left side."""
    if not np.isfinite(columns).all():
        return math.inf
    basis = _orthonormal(columns)
    rest = left - basis @ (basis.T @ left)
    return float(np.linalg.norm(rest)) / math.sqrt(max(len(left) - columns.shape[1], 1))


def _different(laws: Sequence[Proposed]) -> list[Proposed]:
    """The best law of each atom."""
    found: dict[str, Proposed] = {}
    for one in laws:
        found.setdefault(str(one.atoms[0].skeleton()), one)
    return list(found.values())
