"""The generic library of a linear search: powers and plain functions of each variable, and products of them.

All terms are written with the given operators; an integer power stands for a product. The more
variables there are, the fewer functions of each enter the products, so that the size stays within
the room there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import combinations, permutations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate_many
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.kernels.codes import COS, SIN, TAN
from scalesr.records.precision import WIDE
from scalesr.records.sweep import Sweep
from scalesr.search.linear.config import LINEAR

# Functions of one variable, the most common first: products take as many from the front as there is room for.
FUNCTIONS = (
    "{x}", "{x}^2", "1/{x}", "sin({x})", "cos({x})", "exp({x})", "{x}^3", "log({x})", "sqrt({x})", "exp(-{x})",
    "{x}^4", "1/{x}^2", "{x}^5", "{x}^6", "{x}*sqrt({x})", "1/sqrt({x})", "tanh({x})", "sin(2*{x})", "cos(2*{x})",
    "sin({x}^2)", "cos({x}^2)", "exp(2*{x})", "exp({x}^2)", "exp(-{x}^2)", "log({x} + 1)", "log({x}^2 + 1)",
    "tan({x})", "abs({x})",
)  # fmt: skip
MULTIPLIERS = ("{x}", "{x}^2", "{x}^3", "1/{x}")  # of the functions below, within one variable
MULTIPLIED = ("sin({x})", "cos({x})", "exp({x})", "exp(-{x})", "log({x})", "sin({x}^2)", "cos({x}^2)")
FACTORS = ("{x}", "1/{x}", "{x}^2", "sqrt({x})", "1/{x}^2")  # of products of three variables
POWERS = ("{x}", "{x}^2", "1/{x}", "1/{x}^2")  # of products of two variables
WAVES = ("sin({x})", "cos({x})")  # of which one may be among the three


Usable = tuple[int, tuple[Expression, ...]]  # a column and the functions of it that have values


@dataclass(frozen=True, slots=True)
class Room:
    """How many terms of each kind a library may have."""

    singles: int = 1000  # functions of each variable
    products: int = 500  # of functions of two variables
    powers: int = 350  # products of powers of two variables
    triples: int = 130  # products of powers of three variables
    waves: int = 0  # functions that one of the three factors may be instead of a power
    monomials: int = 150
    multiplied: int = len(MULTIPLIED)  # functions of each variable that are multiplied by others of the same one
    degree: int = LINEAR.max_degree  # of powers of each variable

    def shared(self, n_variables: int) -> Room:
        """What is left of it where many variables have to share it."""
        if n_variables <= WIDE:
            return self
        each = max(LINEAR.functions_of_wide_tables // n_variables, 1)
        return replace(self, singles=min(self.singles, each), multiplied=0, degree=min(self.degree, each))


@dataclass(frozen=True, slots=True)
class Library:
    """Terms of a sum, the constant first; `degrees` are those of polynomials, -1 for all other terms."""

    terms: tuple[Expression, ...]
    degrees: NDArray[np.int64]  # (terms,)
    n_variables: NDArray[np.int64]  # (terms,) how many variables each term has


def make_library(
    sweep: Sweep, operators: Operators, room: Room | None = None, variables: Sequence[int] | None = None
) -> Library:
    """All terms whose single functions have values on every row of the sweep, in all or some of the variables."""
    columns = range(sweep.n_variables) if variables is None else variables
    room = (room or Room()).shared(len(columns))
    n_common = len(FUNCTIONS) if len(columns) <= WIDE else room.singles
    usable = tuple((column, _usable(column, operators, sweep, n_common)) for column in columns)
    return _library(usable, "*" in operators, room)


@lru_cache(64)
def _library(usable: tuple[Usable, ...], with_products: bool, room: Room) -> Library:
    """Single functions and their products, no term twice."""
    degrees = {constant(1.0): 0}
    terms = dict.fromkeys([constant(1.0), *(term for _, part in usable for term in part[: room.singles])])
    if with_products:
        degrees |= _monomials(tuple(column for column, _ in usable), room.monomials, room.degree)
        terms |= dict.fromkeys([*degrees, *_across(usable, room.products), *_powers_across(usable, room.powers)])
        terms |= dict.fromkeys([*_thrice(usable, room.triples, room.waves), *_within(usable, room.multiplied)])
    return Library(
        tuple(terms),
        np.array([degrees.get(term, -1) for term in terms]),
        np.array([len(term.variables) for term in terms]),
    )


@lru_cache(1000)
def _functions(column: int, operators: Operators, n_common: int) -> tuple[Expression, ...]:
    """The most common functions of one variable that the operators can write, with those that users have defined."""
    own = [f"{row.name}({{x}})" for row in operators if row.is_custom and row.arity == 1]
    parsed = _parsed([*FUNCTIONS[:n_common], *own], column)
    return tuple(function for function in parsed if operators.can_write(function.codes.tolist()))


def _parsed(texts: Sequence[str], column: int) -> list[Expression]:
    return [parse(text.format(x=f"x{column}")) for text in texts]


def _usable(column: int, operators: Operators, sweep: Sweep, n_common: int) -> tuple[Expression, ...]:
    """Functions of a variable that have values on every row; periodic ones of moderate angles only."""
    functions, values = _functions(column, operators, n_common), sweep.columns[column]
    good = has_values(evaluate_many(_functions(0, operators, n_common), values[:, np.newaxis]))
    if np.abs(values).max() > LINEAR.max_angle:
        good &= [not np.isin(function.codes, (SIN, COS, TAN)).any() for function in functions]
    return tuple(function for function, is_good in zip(functions, good, strict=True) if is_good)


def has_values(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which lines are numbers throughout whose squares are numbers too."""
    with np.errstate(invalid="ignore"):
        largest = np.abs(values).max(axis=-1)
        found: NDArray[np.bool_] = (largest < LINEAR.largest_value) & (largest > 1 / LINEAR.largest_value)
    return found


def _across(usable: Sequence[Usable], most: int) -> list[Expression]:
    """Products of functions of two variables: of each as many as there is room for."""
    n_pairs = comb(len(usable), 2)
    n_each = int((most / max(n_pairs, 1)) ** (1 / 2))
    if n_each == 0:
        return []  # and there may be too many pairs to list
    pairs = combinations((part for _, part in usable), 2)
    return [apply("*", f, g) for pair in pairs for f, g in product(*(part[:n_each] for part in pair))]


def _powers_across(usable: Sequence[Usable], most: int) -> list[Expression]:
    """Products of powers of two variables, where there is room for those of all pairs."""
    if comb(len(usable), 2) * len(POWERS) ** 2 > most:
        return []
    powers = [_offered(POWERS, one) for one in usable]
    return [apply("*", f, g) for pair in combinations(powers, 2) for f, g in product(*pair)]


def _thrice(usable: Sequence[Usable], most: int, n_waves: int) -> list[Expression]:
    """Products of three variables, powers or one wave and powers, as few of each as there is room for."""
    n_triples = comb(len(usable), 3)
    n_each = max((n for n in range(len(FACTORS) + 1) if n_thrice(n_triples, n, n_waves) <= most), default=0)
    if n_each == 0:
        return []  # and there may be too many triples to list
    triples = list(combinations(range(len(usable)), 3))
    powers = [_offered(FACTORS[:n_each], one) for one in usable]
    waves = [_offered(WAVES[:n_waves], one) for one in usable]
    chosen = [one for triple in triples for one in product(*(powers[j] for j in triple))]
    for wave, *rest in (one for triple in triples for one in permutations(triple) if one[1] < one[2]):
        chosen += product(powers[rest[0]], powers[rest[1]], waves[wave])
    return [apply("*", apply("*", f, g), h) for f, g, h in chosen]


def n_thrice(n_triples: int, n_each: int, n_waves: int) -> int:
    """How many products of three there are of `n_each` powers and `n_waves` waves of each variable."""
    return n_triples * (n_each**3 + 3 * n_waves * n_each**2)


def _offered(texts: Sequence[str], usable: Usable) -> list[Expression]:
    column, functions = usable
    return [function for function in _parsed(texts, column) if function in functions]


def _within(usable: Sequence[Usable], n_multiplied: int) -> list[Expression]:
    """Products of a power and a function, or of two functions, of the same variable."""
    products = []
    for one in usable:
        multiplied = _offered(MULTIPLIED[:n_multiplied], one)
        products += [apply("*", f, g) for f in _offered(MULTIPLIERS, one) for g in multiplied]
        products += [apply("*", f, g) for f, g in combinations(multiplied, 2)]
    return products


@lru_cache(16)
def _monomials(columns: tuple[int, ...], most: int, degree: int) -> dict[Expression, int]:
    """Monomials and their degrees: all up to the degree that there is room for, and powers of each variable."""
    return {_monomial(columns, exponents): sum(exponents) for exponents in _exponents(len(columns), most, degree)}


def _exponents(n_variables: int, most: int, degree: int) -> list[tuple[int, ...]]:
    units = np.eye(n_variables, dtype=int)
    found = {tuple((k * unit).tolist()) for unit in units for k in range(1, degree + 1)}
    layer = {(0,) * n_variables}
    for height in range(1, degree + 1):
        if comb(n_variables + height - 1, height) > most:
            break
        layer = {tuple((unit + one).tolist()) for one in layer for unit in units}
        if len(found | layer) > most:
            break
        found |= layer
    return sorted(found, key=lambda one: (sum(one), one))


def _monomial(columns: tuple[int, ...], exponents: tuple[int, ...]) -> Expression:
    """A product of powers, written as products of functions are."""
    pairs = [(variable(columns[place]), exponents[place]) for place in np.flatnonzero(exponents).tolist()]
    factors = [column if e == 1 else apply("powi", column, power=e) for column, e in pairs]
    return reduce(lambda left, right: apply("*", left, right), factors)
