"""Sums as factors: their common factor, leading coefficient and, where it is free, their scale."""

from __future__ import annotations

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
    remembered,
)
from scalesr.expr.normal_form.monomials import merged, product, quotient
from scalesr.expr.normal_form.numbers import Scalar, times
from scalesr.kernels.codes import ABS


@remembered
def common_factor(form: Form) -> Monomial:
    """The largest closed monomial that divides every term, so that no exponent stays negative.

    Of groups and absolute values only what all terms share is taken: a denominator of one term is not a factor of
    the others.
    """
    exponents: dict[Atom, list[Scalar]] = {}
    for _, monomial in form.terms:
        for atom, exponent in monomial.powers:
            if atom.closed:
                exponents.setdefault(atom, []).append(exponent)
    shared = ((atom, _shared(found, len(form.terms), atom.code)) for atom, found in exponents.items())
    return make_monomial(merged((atom, exponent) for atom, exponent in shared if exponent))


def _shared(found: list[Scalar], n_terms: int, code: int) -> float:
    numbers = [exponent for exponent in found if exponent is not None]
    if len(numbers) < len(found):
        return 0.0
    numbers += [0.0] * (n_terms - len(numbers))
    if code not in (GROUP, ABS):
        return min(numbers)
    return max(numbers) if max(numbers) < 0 else max(min(numbers), 0.0)


def without_factor(form: Form, factor: Monomial) -> Form:
    """Each term divided by a monomial that is a common factor."""
    if not factor.powers:
        return form
    return make_form([(coefficient, quotient(monomial, factor)) for coefficient, monomial in form.terms])


def times_monomial(form: Form, factor: Monomial) -> tuple[Term, ...]:
    """Each term times a monomial: undoes `without_factor`."""
    return tuple((coefficient, product(monomial, factor)) for coefficient, monomial in form.terms)


def scaled(form: Form, factor: float) -> Form:
    """Each coefficient times a number."""
    if factor == 1.0:
        return form
    return make_form([(times(coefficient, factor), monomial) for coefficient, monomial in form.terms])


def divided_by(form: Form, divisor: float) -> Form:
    """Each coefficient divided by a number."""
    if divisor == 1.0:
        return form
    return make_form([(c if c is None else c / divisor, monomial) for c, monomial in form.terms])


def leading(form: Form) -> float:
    """The first coefficient that is a number; 1 if all are open."""
    return next((coefficient for coefficient, _ in form.terms if coefficient is not None), 1.0)


def primitive(form: Form) -> tuple[float, Powers, Form]:
    """A sum as number x common factor x sum with leading coefficient 1."""
    factor = common_factor(form)
    rest = without_factor(form, factor)
    lead = leading(rest)
    return lead, factor.powers, divided_by(rest, lead)


def vector_term(form: Form) -> Term:
    """The term C x form, for a closed form."""
    if len(form.terms) == 1:
        return None, form.terms[0][1]
    _, factor, rest = primitive(form)
    return None, make_monomial(merged((*factor, (make_atom(GROUP, rest), 1.0))))


def term_vector(monomial: Monomial) -> tuple[Term, ...]:
    """The closed terms under one open coefficient: undoes `vector_term`."""
    for place, (atom, exponent) in enumerate(monomial.powers):
        if atom.code == GROUP and exponent == 1.0:
            rest = make_monomial(monomial.powers[:place] + monomial.powers[place + 1 :])
            return times_monomial(atom.operands[0], rest)
    return ((1.0, monomial),)


def group_factor(form: Form) -> tuple[Scalar, Powers]:
    """A form as coefficient x powers: itself if it has one term, else a group."""
    if len(form.terms) == 1:
        coefficient, monomial = form.terms[0]
        return coefficient, monomial.powers
    lead, factor, rest = primitive(form)
    return lead, (*factor, (make_atom(GROUP, rest), 1.0))
