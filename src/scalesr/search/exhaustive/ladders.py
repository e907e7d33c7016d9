"""Ladders: polynomials, their ratios and functions of them: long forms that a search by size meets late."""

from __future__ import annotations

from collections.abc import Sequence

from scalesr.expr.expression import Expression, apply, constant, open_constant, variable
from scalesr.expr.operators import Operators
from scalesr.search.exhaustive.config import EXHAUSTIVE


def ladders(operators: Operators, n_variables: int) -> list[Expression]:
    """Polynomials, ratios of them and functions of them in each variable alone, the short ones first."""
    if "+" not in operators or "*" not in operators:
        return []
    found = [_polynomial(j, range(d + 1)) for d in range(2, EXHAUSTIVE.ladder_degree + 1) for j in range(n_variables)]
    if "/" in operators:
        found += [
            apply("/", _polynomial(j, range(top + 1)), apply("+", constant(1.0), _polynomial(j, range(1, bottom + 1))))
            for top in range(EXHAUSTIVE.max_top + 1)
            for bottom in range(1, EXHAUSTIVE.max_bottom + 1)
            for j in range(n_variables)
        ]
    if "/" in operators and "sqrt" in operators:
        found += [
            apply("/", _polynomial(j, range(top + 1)), apply("sqrt", _polynomial(j, range(bottom + 1))))
            for top in range(EXHAUSTIVE.max_over_root + 1)
            for bottom in EXHAUSTIVE.under_root
            for j in range(n_variables)
        ]
    found += [
        _shifted_multiple(function, _polynomial(j, range(degree + 1)))
        for degree in range(2, EXHAUSTIVE.max_inner + 1)
        for function in ("log", "exp", "sqrt")
        if function in operators
        for j in range(n_variables)
    ]
    return sorted(found, key=lambda skeleton: skeleton.n_nodes)


def _shifted_multiple(function: str, argument: Expression) -> Expression:
    """C f(argument) + C."""
    return apply("+", apply("*", open_constant(), apply(function, argument)), open_constant())


def _polynomial(column: int, degrees: Sequence[int]) -> Expression:
    """A sum of powers with open coefficients."""
    whole = _term(column, degrees[0])
    for degree in degrees[1:]:
        whole = apply("+", whole, _term(column, degree))
    return whole


def _term(column: int, degree: int) -> Expression:
    if degree == 0:
        return open_constant()
    base = variable(column) if degree == 1 else apply("powi", variable(column), power=degree)
    return apply("*", open_constant(), base)
