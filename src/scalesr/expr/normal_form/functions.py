"""The functions of the operator table as rules on forms."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final

from scalesr.expr.normal_form.closed_products import exact_root
from scalesr.expr.normal_form.form import (
    GROUP,
    Atom,
    Form,
    Monomial,
    Powers,
    make_atom,
    make_form,
    make_monomial,
    number,
    power_of,
    remembered,
    single,
)
from scalesr.expr.normal_form.groups import divided_by, leading
from scalesr.expr.normal_form.numbers import Scalar, is_odd, near_integer
from scalesr.expr.normal_form.powers import (
    NotReal,
    absolute_form,
    as_product,
    negated,
    power,
    split_signs,
    upright,
    without_signed_factor,
)
from scalesr.expr.normal_form.products import integer_power, multiply, normal_term, open_multiple, scale
from scalesr.expr.normal_form.sums import add
from scalesr.kernels.codes import ABS, ACOS, ASIN, ATAN, COS, EXP, LOG, MAX, MIN, POW, SIN, TAN, TANH

_QUARTER_TURN: Final = math.pi / 2


@remembered
def function(code: int, form: Form) -> Form:
    """A function of one form."""
    if form.is_constant:
        folded = _constant(code, form)
        if folded is not None:
            return folded
    rule = _RULES.get(code)
    return rule(form) if rule else power_of(make_atom(code, form))


def _constant(code: int, form: Form) -> Form | None:
    """A function of a number, or of an open constant, which is an open constant again."""
    value = form.terms[0][0] if form.terms else 0.0
    if value is None:
        return number(None)
    known = _NUMBERS.get(code)
    return None if known is None else number(known(value))


def _logarithm(value: float) -> float:
    if value <= 0:
        raise NotReal
    return math.log(value)


def _arc(function: Callable[[float], float]) -> Callable[[float], float]:
    def of(value: float) -> float:
        if abs(value) > 1:
            raise NotReal
        return function(value)

    return of


_NUMBERS: Final[dict[int, Callable[[float], float]]] = {
    SIN: math.sin, COS: math.cos, TAN: math.tan, TANH: math.tanh, EXP: math.exp, LOG: _logarithm, ABS: abs,
    ASIN: _arc(math.asin), ACOS: _arc(math.acos), ATAN: math.atan,
}  # fmt: skip


def _exponential(form: Form) -> Form:
    """exp of a sum as a product: numbers come out, logarithms become powers."""
    whole = number(1.0)
    for coefficient, monomial in form.terms:
        whole = multiply(whole, _exponential_of_term(coefficient, monomial))
    return whole


def _exponential_of_term(coefficient: Scalar, monomial: Monomial) -> Form:
    if not monomial.powers:
        return number(None if coefficient is None else math.exp(coefficient))
    if len(monomial.powers) == 1:
        ((atom, exponent),) = monomial.powers
        if atom.code == LOG and exponent == 1.0:
            return power(atom.operands[0], coefficient)
    return power_of(make_atom(EXP, single(1.0, monomial.powers)), coefficient)


def logarithm(form: Form) -> Form:
    """log of a product as a sum, as far as the signs of the factors are known.

    The sign of an open coefficient of a monomial is not kept: log(C*x) is C + log(x).
    """
    root = exact_root(form, 2)
    if root is not None:
        return scale(2.0, logarithm(absolute_form(root)))
    if len(form.terms) == 1:
        return _logarithm_of_product(*form.terms[0])
    if form.closed:
        return _logarithm_of_product(*as_product(form))
    outside, rest = without_signed_factor(form)
    size = abs(leading(rest))
    inner = power_of(make_atom(LOG, divided_by(rest, size)))
    return add(add(number(math.log(size)), _logarithm_of_powers(outside)), inner)


def _logarithm_of_product(coefficient: Scalar, monomial: Monomial) -> Form:
    outside, inside, whole = split_signs(monomial.powers)
    sign = 1.0 if coefficient is None else math.copysign(1.0, coefficient)
    offset = None if coefficient is None else math.log(abs(coefficient))
    if not inside and sign < 0:
        raise NotReal
    known = add(number(offset), _logarithm_of_powers(outside))
    return add(known, scale(float(whole), _logarithm_of_signed(sign, inside)))


def _logarithm_of_powers(powers: Powers) -> Form:
    """log of a product of powers that are not negative."""
    total = number(0.0)
    for atom, exponent in powers:
        inner = atom.operands[0] if atom.code == EXP else _logarithm_of_atom(atom)
        total = add(total, scale(exponent, inner))
    return total


def _logarithm_of_atom(atom: Atom) -> Form:
    return power_of(make_atom(LOG, atom.operands[0] if atom.code == GROUP else power_of(atom)))


def _logarithm_of_signed(sign: float, powers: Powers) -> Form:
    """log of a product of odd powers of either sign."""
    if not powers:
        return number(0.0)
    if len(powers) > 1:
        turn, powers = upright(powers)
        return scale(turn, power_of(make_atom(LOG, single(sign, powers))))
    ((atom, exponent),) = powers
    return scale(exponent, _logarithm_of_atom(atom if sign > 0 else negated(atom)))


def _sine(form: Form, quarter_turns: int = 0) -> Form:
    """sin(form + quarter_turns * pi/2); an open phase makes every sine and cosine a sine."""
    phase, monomial = form.terms[-1]
    if not monomial.powers and phase is None:
        return normal_term(1.0, make_monomial(((make_atom(SIN, _positive(form)[1]), 1.0),)))
    turns = near_integer(phase / _QUARTER_TURN) if phase is not None and not monomial.powers else None
    if turns:
        return _sine(make_form(form.terms[:-1]), (quarter_turns + turns) % 4)
    sign, angle = _positive(form)
    code = COS if quarter_turns % 2 else SIN
    if quarter_turns in (2, 3):
        sign = -sign if code == SIN else -1.0
    elif code == COS:
        sign = 1.0
    return normal_term(sign, make_monomial(((make_atom(code, angle), 1.0),)))


def _cosine(form: Form) -> Form:
    plain = _without_abs(form)
    return function(COS, plain) if plain.is_constant else _sine(plain, 1)


def _without_abs(form: Form) -> Form:
    """A term without the absolute values in it, which an even function does not see."""
    ((coefficient, monomial), *others) = form.terms
    if others or not any(atom.code == ABS and is_odd(exponent) for atom, exponent in monomial.powers):
        return form
    plain = number(coefficient)
    for atom, exponent in monomial.powers:
        inside = atom.operands[0] if atom.code == ABS and is_odd(exponent) else power_of(atom)
        plain = multiply(plain, power(inside, exponent))
    return plain


def _tangent(form: Form) -> Form:
    """tan of a closed form as sin/cos, which cancel against others; of an open one as it is."""
    if form.closed:
        return multiply(_sine(form), integer_power(_cosine(form), -1))
    return _odd(TAN, form)


def _odd(code: int, form: Form) -> Form:
    sign, inner = _positive(form)
    return normal_term(sign, make_monomial(((make_atom(code, inner), 1.0),)))


def _positive(form: Form) -> tuple[float, Form]:
    """A sign x the form whose first coefficient that has a sign is positive."""
    turned = scale(-1.0, form)
    for (before, _), (after, _) in zip(form.terms, turned.terms, strict=False):
        if before is not None and before != after:
            return (1.0, form) if before > 0 else (-1.0, turned)
    return 1.0, form


_RULES: Final[dict[int, Callable[[Form], Form]]] = {
    EXP: _exponential, LOG: logarithm, SIN: _sine, COS: _cosine, TAN: _tangent, ABS: absolute_form,
    TANH: partial(_odd, TANH), ASIN: partial(_odd, ASIN), ATAN: partial(_odd, ATAN),
}  # fmt: skip


@remembered
def function_of_two(code: int, first: Form, second: Form) -> Form:
    """A function of two forms: a power with any exponent, min, max or an operator of the user's."""
    if code == POW:
        return _general_power(first, second)
    if code in (MIN, MAX):
        if first.is_constant and second.is_constant:
            return _choice(code, first, second)
        first, second = sorted((first, second), key=lambda form: form.key)
        if first is second and first.closed:
            return first
    elif first.is_constant and second.is_constant and not (first.closed and second.closed):
        return number(None)
    return power_of(make_atom(code, first, second))


def _choice(code: int, first: Form, second: Form) -> Form:
    values = [form.terms[0][0] if form.terms else 0.0 for form in (first, second)]
    if values[0] is None or values[1] is None:
        return number(None)
    return number((min if code == MIN else max)(values[0], values[1]))


def _general_power(base: Form, exponent: Form) -> Form:
    """base^exponent; with an exponent that varies it is exp(exponent*log(base))."""
    if exponent.is_constant:
        return power(base, exponent.terms[0][0] if exponent.terms else 0.0)
    if base.is_constant and base.terms and base.terms[0][0] is None:
        return function(EXP, open_multiple(exponent))
    if base.is_constant and (not base.terms or (base.terms[0][0] or 0.0) < 0):
        return power_of(make_atom(POW, base, exponent))
    return function(EXP, multiply(exponent, function(LOG, base)))
