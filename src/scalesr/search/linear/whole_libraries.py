"""Libraries that are solved for at once: of terms few enough that the rows can tell all of them apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb

import numpy as np

from scalesr.evidence.criterion import structure_length
from scalesr.expr.operators import Operators
from scalesr.records.precision import WIDE
from scalesr.records.sweep import Sweep
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.library import WAVES, Library, Room, make_library, n_thrice
from scalesr.search.linear.monomials import Exponents, laurent_exponents, monomial, n_laurent

THEMSELVES = Room(singles=1, products=0, powers=0, triples=0, monomials=0, multiplied=0, degree=1)


def whole_libraries(sweep: Sweep, operators: Operators) -> Iterator[Library]:
    """Monomials with negative exponents too, then products of many functions of two variables.

    Of many variables first the variables themselves.
    """
    most = min(sweep.n_rows // sweep.n_groups // LINEAR.rows_per_term, LINEAR.whole_terms)
    if sweep.n_variables > WIDE:
        yield from _if_borne(make_library(sweep, operators, THEMSELVES), most)
    if sweep.n_variables > 1 and "*" in operators and "/" in operators:
        yield from _if_borne(_with_laurent(sweep, operators), most)
    if sweep.n_variables >= LINEAR.many_variables and "*" in operators:
        yield from _if_borne(_with_products(sweep, operators, most), most)


def _if_borne(library: Library, most: int) -> Iterator[Library]:
    if len(library.terms) <= most:
        order = np.argsort([structure_length(term) for term in library.terms], kind="stable")
        yield Library(tuple(library.terms[k] for k in order), library.degrees[order], library.n_variables[order])


def _with_laurent(sweep: Sweep, operators: Operators) -> Library:
    """Functions of one variable, and monomials with exponents of either sign."""
    singles = make_library(
        sweep, operators, Room(LINEAR.whole_singles, products=0, powers=0, triples=0, monomials=0, multiplied=0)
    )
    added = [monomial(exponents) for exponents in _laurent(sweep.n_variables)]
    terms = tuple(dict.fromkeys([*singles.terms, *added]))
    return Library(terms, np.full(len(terms), -1), np.array([len(term.variables) for term in terms]))


@lru_cache(16)
def _laurent(n_variables: int) -> tuple[Exponents, ...]:
    """All monomials up to the highest degree that there is room for."""
    found: tuple[Exponents, ...] = ()
    for degree in range(1, LINEAR.whole_degree + 1):
        if n_laurent(n_variables, degree) > LINEAR.max_laurent:
            break
        found = laurent_exponents(n_variables, degree)
    return found


def _with_products(sweep: Sweep, operators: Operators, most: int) -> Library:
    """Products of functions of two variables and of powers of three, as many as there is room for."""
    n_pairs, n_triples = comb(sweep.n_variables, 2), comb(sweep.n_variables, 3)
    total = max(most - (LINEAR.whole_singles + 2) * sweep.n_variables, 0)
    triples = max(n for k in range(6) if (n := n_thrice(n_triples, k, len(WAVES))) <= total // 4)
    products = min(total - triples, n_pairs * LINEAR.whole_paired**2)
    return make_library(
        sweep,
        operators,
        Room(
            LINEAR.whole_singles,
            products,
            powers=0,
            triples=total - products,
            waves=len(WAVES),
            monomials=0,
            multiplied=0,
        ),
    )
