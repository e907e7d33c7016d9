"""Laws proposed from weak equations: sparse sums of products, and such sums with one or two atoms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scalesr.dynamics.length import form_length
from scalesr.dynamics.weak.atoms import LibraryTerm, atoms
from scalesr.dynamics.weak.equations import WeakEquations
from scalesr.dynamics.weak.library import degree_of, monomials, weighted_sum
from scalesr.dynamics.weak.sparse import Normal, Subset, best_subsets, shortest, shrunk
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import COS, EXP, SIN

Floats = NDArray[np.float64]

DEGREE = 3  # of products; besides atoms one less
SUMS = 3  # laws of products alone that are proposed
FIRST, SECOND = 10, 4  # atoms that are tried alone, and besides each of the best
BEST = 2  # laws with an atom that get a second one
FEW = (0, 1, 2)  # products besides atoms with which inner constants are fitted
EXPLAINED, FORM = 1.1, 50.0  # times the noise's share of chi-square, and nats of a form: with less a law explains all
LEAN = 8.0  # times the price of a term in a lean law
WITH_ATOMS = 4  # laws with atoms that are proposed
REFINEMENT = {"maxiter": 25, "xatol": 1e-3, "fatol": 1e-2}  # of inner constants, in their logarithms and in nats
NEAR = 0.7  # in the logarithm: how far an inner constant moves, which is to the next value of its grid
HUGE = 1e60  # integrals beyond are of no use, as their squares and those of what they are divided by overflow
ALIKE = 1e-8  # of an atom's square: what products leave of one that they can say


@dataclass(frozen=True, slots=True, eq=False)
class Proposed:
    """A law of one state and its description length on the weak equations, in nats."""

    law: Expression
    lean: Expression  # the same atoms with the few products that no error of smoothing can stand for
    length: float
    atoms: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Atoms that depend on the same inner constants, and values of these to begin with."""

    made: Callable[[Floats], tuple[Expression, ...]]
    starts: Floats  # (values, inner constants)


class WeakSearch:
    """What the laws of all states are looked for in; the integrals of all terms are worked out once."""

    def __init__(self, equations: WeakEquations, columns: Sequence[int], operators: Operators) -> None:
        self._equations, self._n_columns = equations, equations.tables[0].shape[1]
        terms = monomials(columns, DEGREE)
        self._terms, self._products = terms, equations.integrals(terms)
        self._base = [k for k, term in enumerate(terms) if degree_of(term) < DEGREE or len(columns) == 1]
        self._basis = _orthonormal(self._products[:, self._base])
        self._atoms = atoms(equations.table, columns, operators)
        owners = np.array([k for k, atom in enumerate(self._atoms) for _ in atom.bound()], np.int64)
        values = equations.integrals([term for atom in self._atoms for term in atom.bound()])
        finite = _are_usable(values)
        self._owners = np.where(finite, owners, -1)
        self._columns = np.where(finite, values, 0.0)

    def laws(self, state: int, noise: float) -> list[Proposed]:
        """Laws of one state, those with the shortest description first."""
        left = self._equations.left(state)
        likely, least = self._likely(left, self._basis, FIRST)
        scale = max(noise, min(least, _residual(left, self._products)))
        if not scale > 0:
            return []
        found = self._chosen(left, scale, range(len(self._terms)), (), SUMS)
        octaves = [_octave(atom) for atom in self._atoms if _has_octaves(atom)]
        single = self._tuned_all(left, scale, [*map(_alone, likely), *octaves])
        pairs = [] if _explains([*found, *single], len(left)) else self._pairs(left, scale, single)
        with_atoms = sorted([*single, *pairs], key=lambda one: one.length)[:WITH_ATOMS]
        return sorted([*found, *with_atoms], key=lambda one: one.length)

    def _pairs(self, left: Floats, scale: float, single: Sequence[Proposed]) -> list[Proposed]:
        """Laws with a second atom besides each of the best."""
        groups: list[_Group] = []
        for law in _different(single)[:BEST]:
            basis = _orthonormal(np.column_stack([self._basis, *map(self._column, law.atoms)]))
            groups += [_besides(law.atoms[0], atom) for atom in self._likely(left, basis, SECOND)[0]]
        return self._tuned_all(left, scale, groups)

    def _likely(self, left: Floats, basis: Floats, n_most: int) -> tuple[list[LibraryTerm], float]:
        """The atoms that explain most of what a basis leaves, and the standard deviation that the best one leaves."""
        rest = left - basis @ (basis.T @ left)
        columns = self._columns - basis @ (basis.T @ self._columns)
        sizes, whole = (columns**2).sum(axis=0), (self._columns**2).sum(axis=0)
        says_more = (sizes > ALIKE * whole) & (self._owners >= 0)
        gains = np.where(says_more, (rest @ columns) ** 2 / np.where(says_more, sizes, 1.0), 0.0)
        found: dict[int, LibraryTerm] = {}
        for place in np.argsort(-gains).tolist():
            if gains[place] <= 0 or len(found) == n_most:
                break
            found.setdefault(int(self._owners[place]), self._atoms[self._owners[place]])
        freedom = max(len(left) - basis.shape[1] - 1, 1)
        return list(found.values()), math.sqrt(max(float(rest @ rest) - gains.max(initial=0.0), 0.0) / freedom)

    def _tuned_all(self, left: Floats, scale: float, groups: Sequence[_Group]) -> list[Proposed]:
        """The best law of each group, the shortest first."""
        found = [law for group in groups for law in self._tuned(left, scale, group)]
        return sorted(found, key=lambda one: one.length)

    def _tuned(self, left: Floats, scale: float, group: _Group) -> list[Proposed]:
        """The best law of products and a group of atoms.

        Many products make up for inner constants that are wrong, so that these are fitted with few: with
        each number of them in FEW, and with those that a high price leaves.
        """
        normals = [(start, self._normal(left, scale, self._base, group.made(start))) for start in group.starts]
        known = [(start, replace(one, prices=LEAN * one.prices)) for start, one in normals if one is not None]
        best: dict[int, tuple[float, int, Subset]] = {}
        for place, (_, normal) in enumerate(known):
            fewest = shrunk(normal)
            lean = min(fewest, key=normal.length, default=normal.fixed)
            trials = [(-1, lean), *((len(one - normal.fixed), one) for one in (*fewest, normal.fixed))]
            for n_products, subset in trials:
                if n_products < 0 or n_products in FEW:
                    best[n_products] = min(best.get(n_products, (math.inf, 0, subset)),
                                           (normal.length(subset), place, subset), key=lambda one: one[:2])  # fmt: skip
        found = []
        for places, place in sorted({(self._products_of(subset), place) for _, place, subset in best.values()}):
            inner = self._refined(left, scale, list(places), group, known[place][0])
            found += self._chosen(left, scale, self._base, group.made(inner))
        return sorted(found, key=lambda one: one.length)[:1]

    def _products_of(self, subset: Subset) -> tuple[int, ...]:
        """The products of a subset of the base and atoms behind it."""
        return tuple(self._base[k] for k in sorted(subset) if k < len(self._base))

    def _refined(self, left: Floats, scale: float, places: list[int], group: _Group, start: Floats) -> Floats:
        """Inner constants near those at the start, fitted together with some products."""
        if not len(start):
            return start

        def constants(logarithms: Floats) -> Floats:
            return np.asarray(start * np.exp(np.clip(logarithms, -NEAR, NEAR)))

        def chi_square(logarithms: Floats) -> float:
            normal = self._normal(left, scale, places, group.made(constants(logarithms)))
            return math.inf if normal is None else normal.chi_square(range(normal.n_terms))

        done = minimize(chi_square, np.zeros(len(start)), method="Nelder-Mead", options=REFINEMENT)
        return constants(done.x)

    def _column(self, term: Expression) -> Floats:
        return self._equations.integrals([term])[:, 0]

    def _normal(
        self, left: Floats, scale: float, places: Sequence[int], extra: tuple[Expression, ...]
    ) -> Normal | None:  # fmt: skip
        """The regression on some products and these atoms, which stay; None where an atom has no values."""
        columns = np.column_stack([self._products[:, list(places)], *(self._column(term) for term in extra)])
        if not _are_usable(columns).all():
            return None
        per_constant = 0.5 * math.log(max(len(left), 2))
        prices = [
            form_length(term, self._n_columns) + per_constant * (1 + (len(term.constants) if term.variables else 0))
            for term in (*(self._terms[k] for k in places), *extra)
        ]
        fixed = frozenset(range(len(places), len(prices)))
        return Normal.of(columns / scale, left / scale, np.array(prices), fixed)

    def _chosen(
        self, left: Floats, scale: float, places: Sequence[int], extra: tuple[Expression, ...], n_most: int = 1
    ) -> list[Proposed]:  # fmt: skip
        """The shortest laws of some products and these atoms, with a noise of this size."""
        normal = self._normal(left, scale, places, extra)
        if normal is None:
            return []
        terms = [*(self._terms[k] for k in places), *extra]

        def law(subset: Subset) -> Expression:
            return weighted_sum(normal.coefficients(subset).tolist(), [terms[k] for k in sorted(subset)])

        lean = shortest(replace(normal, prices=LEAN * normal.prices))
        best = best_subsets(normal, n_most)
        return [Proposed(law(subset), law(lean), normal.length(subset), extra) for subset in best]


def _are_usable(columns: Floats) -> NDArray[np.bool_]:
    """Which columns have values that can be squared and divided by; an exponential far from zero may have none."""
    with np.errstate(all="ignore"):
        largest = np.abs(columns).max(axis=0)
        return np.asarray((largest < HUGE) & (largest > 1 / HUGE))


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


def _explains(laws: Sequence[Proposed], n_rows: int) -> bool:
    """Whether the best law leaves no more than the noise: half a nat per row, and what its form costs."""
    return min((one.length for one in laws), default=math.inf) <= EXPLAINED * n_rows / 2 + FORM


def _has_octaves(atom: LibraryTerm) -> bool:
    """Whether it is a bare function that laws often have together with the one of twice its inner constant."""
    return atom.skeleton.n_open == 1 and atom.skeleton.n_nodes == 4 and int(atom.skeleton.codes[-1]) in (EXP, SIN, COS)


def _alone(atom: LibraryTerm) -> _Group:
    return _Group(lambda inner: (atom.skeleton.bind(inner),), atom.starts)


def _octave(atom: LibraryTerm) -> _Group:
    return _Group(lambda inner: (atom.skeleton.bind(inner), atom.skeleton.bind(2 * inner)), atom.starts)


def _besides(first: Expression, atom: LibraryTerm) -> _Group:
    """A second atom besides one that stays."""
    return _Group(lambda k: (first, atom.skeleton.bind(k)), atom.starts)


def _different(laws: Sequence[Proposed]) -> list[Proposed]:
    """The best law of each set of atoms."""
    found: dict[str, Proposed] = {}
    for one in laws:
        found.setdefault(str([atom.skeleton() for atom in one.atoms]), one)
    return list(found.values())
