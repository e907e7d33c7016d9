"""Multiplication and integer powers of forms with open constants.

Sums are multiplied out if the result has as many independent constants as the product:
(x + C)*(x + C) is x^2 + C*x + C, while (x + C)*(y + C) stays. The scale of a product is free if
its coefficient is open, or if a factor takes any scale to an odd power. A factor that is a sum can
then have its first coefficient set to 1. A sum under a root takes positive scales only, so its
signs must stay free: C*sqrt(x + C) and C*sqrt(C - x) both become C*sqrt(C*x + C).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from scalesr.expr.normal_form.closed_products import (
    MAX_TERMS,
    TooManyTerms,
    closed_multiply,
    closed_power,
    closed_product,
)
from scalesr.expr.normal_form.form import (
    GROUP,
    RESCALED,
    SPECIAL,
    Atom,
    Form,
    Monomial,
    Powers,
    Term,
    make_atom,
    make_form,
    make_monomial,
    number,
    remembered,
    single,
)
from scalesr.expr.normal_form.groups import (
    divided_by,
    group_factor,
    leading,
    primitive,
    scaled,
    term_vector,
    vector_term,
)
from scalesr.expr.normal_form.monomials import merged, product, quotient, raised
from scalesr.expr.normal_form.numbers import Scalar, is_even, is_odd, is_whole, times
from scalesr.expr.normal_form.sums import add, collect, freed
from scalesr.kernels.codes import ABS, COS, EXP, ODD, SIN


@remembered
def multiply(first: Form, second: Form) -> Form:
    """Product of two forms."""
    if first.closed and second.closed:
        return closed_multiply(first, second)
    if not first.terms or not second.terms:
        return number(0.0)
    if len(second.terms) == 1:
        first, second = second, first
    if len(first.terms) == 1:
        return _term_times_form(*first.terms[0], second)
    return expanded(first, second) if may_expand(first, second) else _from_factors(1.0, [first, second], ())


@remembered
def integer_power(form: Form, exponent: int) -> Form:
    """A form to a whole power."""
    if form.closed:
        return closed_power(form, exponent)
    if exponent == 0 or exponent == 1:
        return form if exponent else number(1.0)
    if len(form.terms) > 1:
        return _from_factors(1.0, [], ((make_atom(GROUP, form), float(exponent)),))
    ((coefficient, monomial),) = form.terms
    value = None if coefficient is None else coefficient**exponent
    return normal_term(value, make_monomial(merged(raised(monomial.powers, exponent))))


@remembered
def scale(factor: Scalar, form: Form) -> Form:
    """A form times a scalar."""
    if factor is None:
        return open_multiple(form)
    if factor == 0.0 or factor == 1.0:
        return form if factor else number(0.0)
    if not form.flags & RESCALED:
        return scaled(form, factor)
    return _sum(normal_term(times(coefficient, factor), monomial) for coefficient, monomial in form.terms)


@remembered
def open_multiple(form: Form) -> Form:
    """C x form: terms with a coefficient of their own drop out of the product."""
    if form.flat:
        return freed(form)
    fixed = make_form(form.fixed)
    if len(fixed.terms) == 1:
        return _sum((normal_term(None, fixed.terms[0][1]), make_form(form.free)))
    if fixed.closed:
        return collect((vector_term(fixed), *form.free) if fixed.terms else form.free)
    return collect(((None, make_monomial(merged(group_factor(fixed)[1]))), *form.free))


@remembered
def normal_term(coefficient: Scalar, monomial: Monomial) -> Form:
    """Coefficient x monomial, where the exponents of the monomial are only merged yet."""
    if not monomial.flags & (SPECIAL | RESCALED):
        return make_form(((coefficient, monomial),))
    if monomial.closed:
        return scale(coefficient, closed_product(monomial))
    return _from_factors(coefficient, [], monomial.powers)


def _sum(forms: Iterable[Form]) -> Form:
    return collect(term for form in forms for term in form.terms)


def _term_times_form(coefficient: Scalar, monomial: Monomial, form: Form) -> Form:
    if len(form.terms) == 1:
        ((other, factor),) = form.terms
        return normal_term(times(coefficient, other), product(monomial, factor))
    if not monomial.closed:
        return _from_factors(coefficient, [form], monomial.powers)
    if not monomial.powers:
        return scale(coefficient, form)
    return scale(coefficient, _sum(normal_term(c, product(monomial, m)) for c, m in form.terms))


def may_expand(first: Form, second: Form) -> bool:
    """Whether a product of sums is the same family when it is multiplied out."""
    if not (first.flat and second.flat):
        return False
    if len(first.terms) * len(second.terms) > MAX_TERMS:
        raise TooManyTerms
    if first.closed or second.closed:
        return True
    n_constants = len(first.free) + len(second.free) - (first.homogeneous and second.homogeneous)
    return len(expanded(first, second).free) == n_constants


@remembered
def expanded(first: Form, second: Form) -> Form:
    """The product of two flat sums, multiplied out.

    The numbers of a sum stay together under an open coefficient; products of two open coefficients
    become one of their own.
    """
    left, right = make_form(first.fixed), make_form(second.fixed)
    parts = [closed_multiply(left, right)]
    parts += [freed(closed_multiply(single(1.0, m.powers), right)) for _, m in first.free if right.terms]
    parts += [freed(closed_multiply(left, single(1.0, m.powers))) for _, m in second.free if left.terms]
    parts += [freed(closed_product(product(m, n))) for _, m in first.free for _, n in second.free]
    return _sum(parts)


@remembered
def projective(form: Form) -> Form:
    """A sum whose scale is free: the first of its functions gets the coefficient 1, the others open ones."""
    if len(form.terms) < 2:
        return form
    whole = open_multiple(form)
    first = whole.terms[0][1]
    return make_form([*_under_coefficient(first), *whole.terms[1:]])


def _under_coefficient(monomial: Monomial) -> tuple[Term, ...]:
    """The terms that stand under one open coefficient."""
    if not monomial.closed and len(monomial.powers) > 1:
        return ((1.0, monomial),)
    return term_vector(monomial)


def _from_factors(coefficient: Scalar, sums: Iterable[Form], powers: Powers) -> Form:
    """A product with open factors."""
    parts = _Product(coefficient)
    parts.take(powers)
    for form in sums:
        parts.take_form(form)
    parts.close_numbers()
    parts.fix_scale()
    parts.expand_sums()
    return parts.form()


class _Product:
    """A product in the making: a coefficient, closed powers, sums, and open powers."""

    def __init__(self, coefficient: Scalar) -> None:
        self.coefficient = coefficient
        self.closed: Powers = ()
        self.sums: list[Form] = []
        self.open: list[tuple[Atom, Scalar]] = []

    def take(self, powers: Powers) -> None:
        """Sort powers into closed ones, sums and open ones."""
        for atom, exponent in powers:
            if atom.closed and exponent is not None:
                self.closed += ((atom, exponent),)
            elif atom.code == GROUP and exponent == 1.0:
                self.take_form(atom.operands[0])
            elif (atom.code == GROUP and is_whole(exponent) and len(atom.operands[0].terms) == 1) or (
                atom.code == ABS and is_even(exponent)
            ):
                self.take_form(integer_power(atom.operands[0], int(exponent or 0)))
            else:
                self.open.append((atom, exponent))

    def take_form(self, form: Form) -> None:
        """Multiply by a form."""
        if len(form.terms) == 1:
            self.coefficient = times(self.coefficient, form.terms[0][0])
            self.take(form.terms[0][1].powers)
        else:
            self.sums.append(form)

    def close_numbers(self) -> None:
        """Multiply the closed powers out; what becomes a sum joins the sums."""
        whole = closed_product(make_monomial(merged(self.closed)))
        if len(whole.terms) == 1:
            self.coefficient = times(self.coefficient, whole.terms[0][0])
            self.closed = whole.terms[0][1].powers
        else:
            self.sums.append(whole)
            self.closed = ()

    def fix_scale(self) -> None:
        """Let the factors take up what the coefficient can lose, and lose what it can take up."""
        free = self.coefficient is None or any(form.homogeneous for form in self.sums)
        free = free or any(_takes_any_scale(atom, exponent) for atom, exponent in self.open)
        if free:
            self.coefficient = None
            self.open = [item for item in self.open if not self._split_phase(*item)]
            self.sums = [projective(form) for form in self.sums]
        resolved = [_resolved(atom, exponent, free) for atom, exponent in self.open]
        if self.coefficient is not None:
            factor = math.prod(weight for weight, _ in resolved)
            self.coefficient = _absorbed(self.coefficient * factor, self.open)
        self.open = []
        for _, powers in resolved:
            self.closed += tuple(item for item in powers if item[0].closed and item[1] is not None)
            self.open += [item for item in powers if not item[0].closed or item[1] is None]

    def _split_phase(self, atom: Atom, exponent: Scalar) -> bool:
        """C*sin(u + C) is C*sin(u) + C*cos(u), for a closed u."""
        angle = _angle(atom) if exponent == 1.0 else None
        if angle is None:
            return False
        sine, cosine = (make_monomial(((make_atom(code, angle), 1.0),)) for code in (SIN, COS))
        self.sums.append(make_form(((1.0, sine), (None, cosine))))
        return True

    def expand_sums(self) -> None:
        """Multiply pairs of sums out where that is the same family."""
        waiting, self.sums = self.sums, []
        for form in waiting:
            self._join(form)

    def _join(self, form: Form) -> None:
        for place, other in enumerate(self.sums):
            left = open_multiple(other) if self.coefficient is None else other
            if may_expand(left, form):
                del self.sums[place]
                whole = expanded(left, form)
                self._join(projective(whole) if self.coefficient is None else whole)
                return
        self.sums.append(form)

    def form(self) -> Form:
        """The product, multiplied out or divided if what is left allows it."""
        monomial = make_monomial(merged(self.closed))
        if not self.open and len(self.sums) < 2:
            whole = self.sums[0] if self.sums else number(1.0)
            return _term_times_form(self.coefficient, monomial, whole)
        divided = self._divided(monomial)
        if divided is not None:
            return divided
        coefficient = self.coefficient
        powers = [*self.closed, *self.open]
        for form in self.sums:
            lead, factors = group_factor(form)
            coefficient = times(coefficient, lead)
            powers += factors
        return single(coefficient, merged(powers))

    def _divided(self, monomial: Monomial) -> Form | None:
        """(C*x + C)/(x + C) as C + C/(x + C): a numerator that holds multiples of all denominator terms."""
        if len(self.open) != 1 or len(self.sums) != 1 or not self.sums[0].flat:
            return None
        atom, exponent = self.open[0]
        if atom.code != GROUP or exponent != -1.0 or not atom.operands[0].flat or len(atom.operands[0].fixed) != 1:
            return None
        above = _term_times_form(self.coefficient, monomial, self.sums[0])
        ((lead, first),) = atom.operands[0].fixed
        free = {m for _, m in above.free}
        for weight, numerator in above.terms:
            part = quotient(numerator, first)
            if all(product(part, m) in free for _, m in atom.operands[0].free):
                rest = make_form([term for term in above.terms if term[1] is not numerator])
                share = None if weight is None else weight / (lead or 1.0)
                return add(single(share, part.powers), _from_factors(1.0, [rest], ((atom, -1.0),)))
        return None


def _takes_any_scale(atom: Atom, exponent: Scalar) -> bool:
    return atom.code == GROUP and is_odd(exponent) and atom.operands[0].homogeneous


def _resolved(atom: Atom, exponent: Scalar, free: bool) -> tuple[float, Powers]:
    """A factor as number x powers, with its scale normalised as far as it is free."""
    if atom.code == EXP and exponent is not None:
        ((weight, monomial),) = scale(exponent, atom.operands[0]).terms
        return 1.0, ((make_atom(EXP, single(1.0, monomial.powers)), weight),)
    if atom.code not in (GROUP, ABS) or (len(atom.operands[0].terms) == 1 and exponent is not None):
        return 1.0, ((atom, exponent),)
    form = atom.operands[0]
    if atom.code == GROUP and not is_whole(exponent):
        return _resolved_root(form, exponent, free)
    if atom.code == ABS:
        lead, rest = leading(form), divided_by(form, leading(form))
        inside = projective(rest) if free else rest
        weight = 1.0 if exponent is None else abs(lead) ** exponent
        return weight, ((make_atom(ABS, inside), exponent),)
    lead, factor, rest = primitive(form)
    inside = projective(rest) if free else rest
    power = exponent or 0.0
    return lead**power, (*raised(factor, power), (make_atom(GROUP, inside), exponent))


def _resolved_root(form: Form, exponent: Scalar, free: bool) -> tuple[float, Powers]:
    size = abs(leading(form)) if free or exponent is not None else 1.0
    rest = divided_by(form, size)
    if free and not form.closed:
        rest = open_multiple(rest)
    weight = 1.0 if exponent is None else size**exponent
    if rest.closed and len(rest.terms) == 1 and rest.terms[0][0] == 1.0 and len(rest.terms[0][1].powers) == 1:
        ((base, _),) = rest.terms[0][1].powers
        return weight, ((base, exponent),)
    return weight, ((make_atom(GROUP, rest), exponent),)


def _absorbed(coefficient: float, powers: Iterable[tuple[Atom, Scalar]]) -> float:
    """A number without the size or sign that one of the open factors can take up."""
    for atom, exponent in powers:
        if atom.code in (GROUP, ABS) and atom.operands[0].homogeneous:
            coefficient = math.copysign(1.0, coefficient)
        elif atom.code in ODD and is_odd(exponent) and _takes_sign(atom):
            coefficient = abs(coefficient)
    return coefficient


def _takes_sign(atom: Atom) -> bool:
    """Whether a change of sign makes no difference to an odd function's open operand."""
    return _has_phase(atom) or scale(-1.0, atom.operands[0]) is atom.operands[0]


def _has_phase(atom: Atom) -> bool:
    """Whether a sine has an open constant beside its argument."""
    last = atom.operands[0].terms[-1]
    return atom.code == SIN and last[0] is None and not last[1].powers


def _angle(atom: Atom) -> Form | None:
    """The closed u of sin(u + C)."""
    if atom.code != SIN or atom.closed or not _has_phase(atom):
        return None
    angle = make_form(atom.operands[0].terms[:-1])
    return angle if angle.closed and angle.terms else None
