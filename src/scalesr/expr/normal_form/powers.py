"""Real and open powers, and what of a product keeps its sign under them."""

from __future__ import annotations

import math

from scalesr.expr.normal_form.closed_products import closed_multiply, exact_root, sum_bases
from scalesr.expr.normal_form.form import (
    GROUP,
    Atom,
    Form,
    Monomial,
    Powers,
    Term,
    make_atom,
    make_form,
    make_monomial,
    number,
    power_of,
    remembered,
    single,
)
from scalesr.expr.normal_form.groups import (
    common_factor,
    divided_by,
    leading,
    primitive,
    scaled,
    without_factor,
)
from scalesr.expr.normal_form.monomials import merged, quotient, raised
from scalesr.expr.normal_form.numbers import Scalar, is_even, is_odd, is_whole, tidy, times
from scalesr.expr.normal_form.products import integer_power, normal_term, open_multiple
from scalesr.expr.normal_form.rational import common_denominator
from scalesr.kernels.codes import ABS


class NotReal(ArithmeticError):
    """A number that is not real, such as the root of a negative one."""


@remembered
def power(form: Form, exponent: Scalar) -> Form:
    """A form to a constant power; a power that is not a whole number needs a base that is not negative."""
    exponent = tidy(exponent)
    if exponent is not None and is_whole(exponent):
        return integer_power(form, int(exponent))
    if form.is_constant:
        return number(_constant_power(form, exponent))
    if len(form.terms) > 1:
        return _power_of_sum(form, exponent)
    return _power_of_term(*form.terms[0], exponent)


def _constant_power(form: Form, exponent: Scalar) -> Scalar:
    value = form.terms[0][0] if form.terms else 0.0
    if value is not None and (value < 0 or (value == 0 and (exponent is None or exponent < 0))):
        raise NotReal
    if value == 1.0:
        return 1.0
    return None if value is None or exponent is None else math.pow(value, exponent)


def _power_of_term(coefficient: Scalar, monomial: Monomial, exponent: Scalar) -> Form:
    """(k*m)^p; the sign of an open coefficient of a monomial is not kept: sqrt(C*x) is C*sqrt(x)."""
    if coefficient is None:
        coefficient, monomial = _into_group(monomial)
    inner = 1.0 if coefficient is None else coefficient
    if exponent is None:
        weight, powers = None if coefficient is None else 1.0, _open_power(inner, monomial)
    else:
        weight = None if coefficient is None else math.pow(abs(inner), exponent)
        powers = _real_power(math.copysign(1.0, inner), monomial, exponent)
    return normal_term(weight, make_monomial(merged(powers)))


def _real_power(sign: float, monomial: Monomial, exponent: float) -> Powers:
    outside, inside, whole = split_signs(monomial.powers)
    if not inside and sign < 0:
        raise NotReal
    powers = tuple((atom, tidy(times(power, exponent))) for atom, power in outside)
    if not inside:
        return powers
    atom, power = _root(sign, inside, whole * exponent)
    return (*powers, (atom, tidy(power)))


def _into_group(monomial: Monomial) -> Term:
    """C x monomial, with C inside a sum to an odd power, which takes any scale: C/(x + C) is 1/(C*x + C)."""
    for place, (atom, exponent) in enumerate(monomial.powers):
        if atom.code == GROUP and is_odd(exponent) and not atom.closed:
            whole = (make_atom(GROUP, open_multiple(atom.operands[0])), exponent)
            return 1.0, make_monomial(merged((*monomial.powers[:place], whole, *monomial.powers[place + 1 :])))
    return None, monomial


def _open_power(inner: float, monomial: Monomial) -> Powers:
    """(k*m)^C: one exponent for several factors can only stand outside of them."""
    if len(monomial.powers) > 1 or inner != 1.0:
        return ((make_atom(GROUP, single(inner, monomial.powers)), None),)
    ((atom, exponent),) = monomial.powers
    return ((absolute(atom) if is_even(exponent) else atom, None),)


def _root(sign: float, inside: Powers, exponent: float) -> tuple[Atom, Scalar]:
    """The power of factors of either sign: of one atom if it is alone, else of their product."""
    if len(inside) > 1:
        turn, powers = upright(inside)
        return make_atom(GROUP, single(sign, powers)), turn * exponent
    ((atom, power),) = inside
    return (atom if sign > 0 else negated(atom)), times(power, exponent)


def upright(powers: Powers) -> tuple[float, Powers]:
    """A product or its reciprocal, with the exponent 1 or -1 that says which: the first factor is above the bar."""
    return (1.0, powers) if (powers[0][1] or 0.0) > 0 else (-1.0, raised(powers, -1.0))


def negated(atom: Atom) -> Atom:
    """The group that is -1 x an atom."""
    whole = atom.operands[0] if atom.code == GROUP else power_of(atom)
    return make_atom(GROUP, scaled(whole, -1.0))


def split_signs(powers: Powers) -> tuple[Powers, Powers, int]:
    """Powers that are not negative, and an odd power of the others: x^3*y is |x|^2 and (x*y)^1."""
    outside: list[tuple[Atom, Scalar]] = []
    inside: list[tuple[Atom, int]] = []
    for atom, exponent in powers:
        if exponent is None or atom.nonnegative or not is_whole(exponent):
            outside.append((atom, exponent))
        elif is_even(exponent):
            outside.append((absolute(atom), exponent))
        else:
            inside.append((atom, int(exponent)))
    whole = math.gcd(*(exponent for _, exponent in inside))
    for atom, exponent in inside:
        even = exponent - math.copysign(whole, exponent)
        if even:
            outside.append((absolute(atom), even))
    return tuple(outside), tuple((atom, math.copysign(1.0, exponent)) for atom, exponent in inside), whole


def absolute(atom: Atom) -> Atom:
    """The absolute value of an atom."""
    if atom.nonnegative:
        return atom
    return make_atom(ABS, atom.operands[0] if atom.code == GROUP else power_of(atom))


def absolute_form(form: Form) -> Form:
    """abs of a product as a product; the size of a sum's leading coefficient comes out."""
    if not form.terms:
        return form
    if len(form.terms) > 1:
        if exact_root(form, 2) is not None:
            return form
        lead, factor, rest = primitive(form)
        factors = (*factor, (make_atom(GROUP, rest), 1.0))
        return normal_term(abs(lead), make_monomial(_absolute_powers(factors)))
    ((coefficient, monomial),) = form.terms
    size = None if coefficient is None else abs(coefficient)
    return normal_term(size, make_monomial(_absolute_powers(monomial.powers)))


def _absolute_powers(powers: Powers) -> Powers:
    return merged((atom if is_even(e) or not is_whole(e) else absolute(atom), e) for atom, e in powers)


def _power_of_sum(form: Form, exponent: Scalar) -> Form:
    root = exact_root(form, 2)
    if root is not None:
        return power(absolute_form(root), times(2.0, exponent))
    if exponent is None:
        return normal_term(1.0, make_monomial(((make_atom(GROUP, form), None),)))
    if form.closed:
        return _power_of_term(*as_product(form), exponent)
    outside, rest = without_signed_factor(form)
    size = abs(leading(rest))
    powers = [(atom, tidy(times(power, exponent))) for atom, power in outside]
    powers.append((make_atom(GROUP, divided_by(rest, size)), exponent))
    return normal_term(math.pow(size, exponent), make_monomial(merged(powers)))


def as_product(form: Form) -> tuple[float, Monomial]:
    """A closed sum as number x powers, some of them of groups."""
    below = common_denominator(form)
    above = closed_multiply(form, make_form(((1.0, below),))) if below.powers else form
    lead, factor, rest = primitive(above)
    size, bases = sum_bases(rest) if len(rest.terms) > 1 else (1.0, ())
    groups = tuple((make_atom(GROUP, base), float(multiplicity)) for base, multiplicity in bases)
    return lead * size, make_monomial(merged((*factor, *groups, *raised(below.powers, -1.0))))


def without_signed_factor(form: Form) -> tuple[Powers, Form]:
    """A sum as powers that are not negative x the rest."""
    factor = common_factor(form)
    outside, inside, whole = split_signs(factor.powers)
    if not outside:
        return (), form
    return outside, without_factor(form, quotient(factor, make_monomial(raised(inside, whole))))
