"""Products of closed forms: sums are multiplied out, fractions divided."""

from __future__ import annotations

import math
from typing import Final

from scalesr.expr.normal_form.form import (
    GROUP,
    SPECIAL,
    Atom,
    Form,
    Monomial,
    Powers,
    make_atom,
    make_form,
    make_monomial,
    number,
    remembered,
    single,
)
from scalesr.expr.normal_form.groups import divided_by, leading, primitive, scaled
from scalesr.expr.normal_form.monomials import merged, product, raised
from scalesr.expr.normal_form.numbers import Scalar, is_even, is_whole, times
from scalesr.expr.normal_form.rational import (
    common_denominator,
    division_step,
    highest_term,
    linear_factors,
    term_quotient,
    term_root,
)
from scalesr.expr.normal_form.sums import collect
from scalesr.kernels.codes import ABS

MAX_TERMS: Final = 200  # of a product that is multiplied out
MAX_POWER_TERMS: Final = 10  # of an integer power of a sum that is multiplied out
_ROUNDING: Final = 1e-10


class TooManyTerms(ArithmeticError):
    """A product that would have more than MAX_TERMS terms."""


@remembered
def closed_multiply(first: Form, second: Form) -> Form:
    """Product of two closed forms."""
    if len(first.terms) * len(second.terms) > MAX_TERMS:
        raise TooManyTerms
    return collect(
        (times(times(a, b), weight), monomial)
        for a, left in first.terms
        for b, right in second.terms
        for weight, monomial in closed_product(product(left, right)).terms
    )


@remembered
def closed_product(monomial: Monomial) -> Form:
    """The form of a closed monomial whose exponents are only merged yet."""
    if not monomial.flags & SPECIAL:
        return make_form(((1.0, monomial),))
    sums: list[Form] = []
    kept: list[tuple[Atom, Scalar]] = []
    for atom, exponent in monomial.powers:
        if exponent is not None and _dissolves(atom, exponent):
            sums.append(closed_power(atom.operands[0], int(exponent)))
        else:
            kept.append((atom, exponent))
    if not sums:
        return _divided(make_monomial(_without_needless_abs(monomial.powers)))
    whole = single(1.0, tuple(kept))
    for form in sums:
        whole = closed_multiply(whole, form)
    return whole


def _dissolves(atom: Atom, exponent: float) -> bool:
    """Whether a power of a closed group or absolute value is to be written out."""
    if atom.code == ABS:
        return is_even(exponent)
    if atom.code != GROUP or not is_whole(exponent):
        return False
    n_terms = len(atom.operands[0].terms)
    return n_terms == 1 or (exponent > 0 and _expands(n_terms, int(exponent)))


def _expands(n_terms: int, exponent: int) -> bool:
    return exponent == 1 or math.comb(exponent + n_terms - 1, n_terms - 1) <= MAX_POWER_TERMS


def _divided(monomial: Monomial) -> Form:
    """A closed monomial with fractions divided as far as they go."""
    steps = division_step(monomial)
    if steps is None:
        return make_form(((1.0, monomial),))
    return collect((times(weight, inner), part) for weight, step in steps for inner, part in closed_product(step).terms)


def _without_needless_abs(powers: Powers) -> Powers:
    """Powers without the absolute value of what a root beside it keeps from being negative."""
    roots = {atom: exponent for atom, exponent in powers if atom.code != ABS and not is_whole(exponent)}
    if not roots:
        return powers
    return merged((_inside(atom) if _inside(atom) in roots else atom, exponent) for atom, exponent in powers)


def _inside(atom: Atom) -> Atom:
    """What stands inside an absolute value if that is one atom, else the atom itself."""
    if atom.code != ABS:
        return atom
    form = atom.operands[0]
    if len(form.terms) > 1:
        return make_atom(GROUP, form)
    ((coefficient, monomial),) = form.terms
    return monomial.powers[0][0] if coefficient == 1.0 and len(monomial.powers) == 1 else atom


@remembered
def closed_power(form: Form, exponent: int) -> Form:
    """A closed form to a whole power."""
    if exponent == 0:
        return number(1.0)
    if exponent == 1:
        return form
    if not form.terms:
        if exponent < 0:
            raise ZeroDivisionError
        return form
    if len(form.terms) == 1:
        coefficient, monomial = form.terms[0]
        return closed_multiply(number((coefficient or 0.0) ** exponent), closed_product(_raised(monomial, exponent)))
    if exponent > 0 and _expands(len(form.terms), exponent):
        half = closed_power(form, exponent // 2)
        square = closed_multiply(half, half)
        return closed_multiply(square, form) if exponent % 2 else square
    return _power_of_sum(form, exponent)


def _raised(monomial: Monomial, exponent: int) -> Monomial:
    return make_monomial(merged(raised(monomial.powers, exponent)))


def _power_of_sum(form: Form, exponent: int) -> Form:
    """A power that stays a power, of the factors of the sum where they are plain to see."""
    below = common_denominator(form)
    if below.powers:
        above = closed_multiply(form, make_form(((1.0, below),)))
        return closed_multiply(closed_power(above, exponent), closed_product(_raised(below, -exponent)))
    lead, factor, rest = primitive(form)
    size, bases = sum_bases(rest)
    powers = raised(factor, exponent)
    for base, multiplicity in bases:
        powers += ((make_atom(GROUP, base), float(exponent * multiplicity)),)
    return closed_multiply(number((lead * size) ** exponent), closed_product(make_monomial(merged(powers))))


@remembered
def sum_bases(form: Form) -> tuple[float, tuple[tuple[Form, int], ...]]:
    """A sum as number x powers of simpler sums, where they are plain to see."""
    highest = highest_term(form)[0] or 1.0
    for degree in (2, 3, 5):
        root = exact_root(divided_by(form, highest), degree)
        if root is not None:
            lead = leading(root)
            size, bases = sum_bases(divided_by(root, lead))
            powers = tuple((base, degree * multiplicity) for base, multiplicity in bases)
            return highest * (lead * size) ** degree, powers
    factors = linear_factors(form)
    if len(factors) == 1:
        return 1.0, ((form, 1),)
    return 1.0, tuple(power for factor in factors for power in sum_bases(factor)[1])


@remembered
def exact_root(form: Form, degree: int) -> Form | None:
    """The closed sum whose power is `form`, found term by term from the highest one down."""
    if len(form.terms) < 3 or not form.closed:
        return None
    lead = term_root(highest_term(form), degree)
    if lead is None:
        return None
    root = make_form((lead,))
    divisor = closed_power(root, degree - 1).terms[0]
    for _ in form.terms:
        left = _difference(form, closed_power(root, degree))
        if not left.terms:
            return root
        step = term_quotient(highest_term(left), divisor)
        if step is None:
            return None
        root = collect((*root.terms, (times(step[0], 1.0 / degree), step[1])))
    return None


def _difference(first: Form, second: Form) -> Form:
    """first - second without what rounding leaves."""
    size = max(abs(coefficient or 0.0) for coefficient, _ in first.terms)
    left = collect((*first.terms, *scaled(second, -1.0).terms))
    return make_form([term for term in left.terms if abs(term[0] or 0.0) > _ROUNDING * size])
