"""The generic library of a linear search: powers and plain functions of each variable, and products of them.

All terms are written with the given operators; an integer power stands for a product. The more
variables there are, the fewer functions of each enter the products, so that the size stays bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate_many
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.operators import BY_CODE, Operators
from scalesr.expr.text import parse
from scalesr.kernels.codes import COS, LAST_LEAF, SIN, TAN
from scalesr.records.sweep import Sweep

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

MAX_PRODUCTS = 500  # of functions of two variables
MAX_TRIPLES = 130  # of powers of three variables
MAX_MONOMIALS = 150
MAX_DEGREE = 6
MAX_ANGLE = 1e6  # the sine of a larger number is noise
LARGEST = 1e140  # its square is still a number
_STANDS_FOR = {"powi": "*", "neg": "-"}


@dataclass(frozen=True, slots=True)
class Library:
    """Terms of a sum, the constant first; `degrees` are those of monomials, -1 for all else."""

    terms: tuple[Expression, ...]
    degrees: NDArray[np.int64]  # (terms,)
    n_variables: NDArray[np.int64]  # (terms,) how many variables each term has


def make_library(sweep: Sweep, operators: Operators) -> Library:
    """All terms whose single functions have values on every row of the sweep."""
    usable = tuple(_usable(column, operators, sweep) for column in range(sweep.n_variables))
    return _library(usable, "*" in operators)


@lru_cache(64)
def _library(usable: tuple[tuple[Expression, ...], ...], with_products: bool) -> Library:
    """Single functions and their products, no term twice."""
    degrees = {constant(1.0): 0}
    terms = dict.fromkeys([constant(1.0), *(term for part in usable for term in part)])
    if with_products:
        degrees |= _monomials(len(usable))
        terms |= dict.fromkeys([*degrees, *_across(usable), *_thrice(usable), *_within(usable)])
    return Library(
        tuple(terms),
        np.array([degrees.get(term, -1) for term in terms]),
        np.array([len(term.variables) for term in terms]),
    )


@lru_cache(1000)
def _functions(column: int, operators: Operators) -> tuple[Expression, ...]:
    """Functions of one variable that the operators can write, with those that users have defined."""
    own = [f"{row.name}({{x}})" for row in operators if row.is_custom and row.arity == 1]
    parsed = _parsed([*FUNCTIONS, *own], column)
    return tuple(function for function in parsed if _is_writable(function, operators))


def _parsed(texts: Sequence[str], column: int) -> list[Expression]:
    return [parse(text.format(x=f"x{column}")) for text in texts]


def _is_writable(function: Expression, operators: Operators) -> bool:
    needed = {BY_CODE[code].name for code in function.codes.tolist() if code > LAST_LEAF}
    return all(name in operators or _STANDS_FOR.get(name) in operators for name in needed)


def _usable(column: int, operators: Operators, sweep: Sweep) -> tuple[Expression, ...]:
    """Functions of a variable that have values on every row; periodic ones of moderate angles only."""
    functions = list(_functions(column, operators))
    if np.abs(sweep.columns[column]).max() > MAX_ANGLE:
        functions = [function for function in functions if not np.isin(function.codes, (SIN, COS, TAN)).any()]
    values = evaluate_many(functions, sweep.columns.T)
    return tuple(function for function, good in zip(functions, has_values(values), strict=True) if good)


def has_values(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which lines are numbers throughout whose squares are numbers too."""
    with np.errstate(invalid="ignore"):
        largest = np.abs(values).max(axis=-1)
        found: NDArray[np.bool_] = (largest < LARGEST) & (largest > 1 / LARGEST)
    return found


def _across(usable: Sequence[Sequence[Expression]]) -> list[Expression]:
    """Products of functions of two variables: of each as many as there is room for."""
    pairs = list(combinations(usable, 2))
    n_each = int((MAX_PRODUCTS / max(len(pairs), 1)) ** (1 / 2))
    return [apply("*", f, g) for pair in pairs for f, g in product(*(part[:n_each] for part in pair))]


def _thrice(usable: Sequence[Sequence[Expression]]) -> list[Expression]:
    """Products of powers of three variables, as few of each as there is room for."""
    factors = [[power for power in _parsed(FACTORS, column) if power in part] for column, part in enumerate(usable)]
    triples = list(combinations(factors, 3))
    n_each = int((MAX_TRIPLES / max(len(triples), 1)) ** (1 / 3))
    chosen = [one for triple in triples for one in product(*(part[:n_each] for part in triple))]
    return [apply("*", apply("*", f, g), h) for f, g, h in chosen]


def _within(usable: Sequence[Sequence[Expression]]) -> list[Expression]:
    """Products of a power and a function, or of two functions, of the same variable."""
    products = []
    for column, functions in enumerate(usable):
        multipliers = [function for function in _parsed(MULTIPLIERS, column) if function in functions]
        multiplied = [function for function in _parsed(MULTIPLIED, column) if function in functions]
        products += [apply("*", f, g) for f in multipliers for g in multiplied]
        products += [apply("*", f, g) for f, g in combinations(multiplied, 2)]
    return products


@lru_cache(16)
def _monomials(n_variables: int) -> dict[Expression, int]:
    """Monomials and their degrees: all up to the degree that there is room for, and powers of each variable."""
    return {_monomial(exponents): sum(exponents) for exponents in _exponents(n_variables)}


def _exponents(n_variables: int) -> list[tuple[int, ...]]:
    units = np.eye(n_variables, dtype=int)
    found = {tuple((k * unit).tolist()) for unit in units for k in range(1, MAX_DEGREE + 1)}
    layer = {(0,) * n_variables}
    for _ in range(MAX_DEGREE):
        layer = {tuple((unit + one).tolist()) for one in layer for unit in units}
        if len(found | layer) > MAX_MONOMIALS:
            break
        found |= layer
    return sorted(found, key=lambda one: (sum(one), one))


def _monomial(exponents: tuple[int, ...]) -> Expression:
    """A product of powers, written as products of functions are."""
    factors = [variable(j) if e == 1 else apply("powi", variable(j), power=e) for j, e in enumerate(exponents) if e]
    return reduce(lambda left, right: apply("*", left, right), factors)
