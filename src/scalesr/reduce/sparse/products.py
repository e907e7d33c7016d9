"""How a product of powers is written: whole powers, one common root, real powers, and all exponentials as one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply, constant, open_constant
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import EXP

Power = Fraction | float  # a fraction belongs to the form, another number is to be fitted
Factors = Sequence[tuple[Expression, Power]]


def written_product(factors: Factors, operators: Operators) -> tuple[Expression, NDArray[np.float64]] | None:
    """C times the product and a guess of its open constants; None if the operators cannot write it."""
    exponentials = [(factor, p) for factor, p in factors if factor.codes[-1] == EXP]
    powers = [(factor, p) for factor, p in factors if factor.codes[-1] != EXP]
    halves = [(factor, p) for factor, p in powers if isinstance(p, Fraction) and p.denominator <= 2]
    others = [pair for pair in powers if pair not in halves]
    above = [_whole_power(factor, int(p)) for factor, p in halves if p >= 1]
    below = [_whole_power(factor, int(-p)) for factor, p in halves if p <= -1]
    roots = [(factor, p) for factor, p in halves if p.denominator == 2]
    roots_above, roots_below = [factor for factor, p in roots if p > 0], [factor for factor, p in roots if p < 0]
    needed = {"/": bool(below or roots_below), "sqrt": bool(roots), "^": bool(others)}
    if any(is_needed and name not in operators for name, is_needed in needed.items()):
        return None
    above += [apply("sqrt", _quotient(roots_above, roots_below))] if roots_above else []
    below += [apply("sqrt", _product(roots_below))] if roots_below and not roots_above else []
    above += [apply("^", factor, _exponent(p)) for factor, p in others]
    above += [apply("exp", _sum([_scaled(factor, p) for factor, p in exponentials]))] if exponentials else []
    fitted = [p for _, p in others if isinstance(p, float)] + [float(p) for _, p in exponentials if p != 1]
    return _quotient([open_constant(), *above], below), np.array([1.0, *fitted])


def _exponent(p: Power) -> Expression:
    return open_constant() if isinstance(p, float) else constant(float(p))


def _scaled(exponential: Expression, p: Power) -> Expression:
    inside = Expression(exponential.codes[:-1], exponential.args[:-1], exponential.constants)
    return inside if p == 1 else apply("*", open_constant(), inside)


def _whole_power(factor: Expression, power: int) -> Expression:
    return factor if power == 1 else apply("powi", factor, power=power)


def _quotient(above: Sequence[Expression], below: Sequence[Expression]) -> Expression:
    return apply("/", _product(above), _product(below)) if below else _product(above)


def _product(factors: Sequence[Expression]) -> Expression:
    return reduce(lambda left, right: apply("*", left, right), factors)


def _sum(terms: Sequence[Expression]) -> Expression:
    return reduce(lambda left, right: apply("+", left, right), terms)
