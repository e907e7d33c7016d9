"""Ways to write a closed sum as a product plus a rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from scalesr.expr.normal_form.closed_products import closed_multiply, sum_bases
from scalesr.expr.normal_form.form import Form, Monomial, Term, make_form, make_monomial, number, power_of
from scalesr.expr.normal_form.groups import common_factor, divided_by, leading, without_factor
from scalesr.expr.normal_form.rational import common_denominator

_MAX_TERMS = 40  # of a sum that is written as a product
_MAX_PARTIAL = 10  # of one in which factors of some of the terms are looked for


class Factored(NamedTuple):
    """coefficient x factors + rest."""

    coefficient: float
    factors: tuple[tuple[Form, float], ...]
    rest: Form


def factorings(form: Form) -> Iterator[Factored]:
    """Products that equal a closed sum, or part of it."""
    if not form.closed or not 2 <= len(form.terms) <= _MAX_TERMS:
        return
    yield from _one_fraction(form)
    yield from _common(form)
    yield from _powers(form)
    if len(form.terms) <= _MAX_PARTIAL:
        yield from _partial(form)


def _one_fraction(form: Form) -> Iterator[Factored]:
    below = common_denominator(form)
    if below.powers:
        above = closed_multiply(form, make_form(((1.0, below),)))
        denominators = tuple((power_of(atom), -(power or 0.0)) for atom, power in below.powers)
        yield Factored(1.0, ((above, 1.0), *denominators), number(0.0))


def _common(form: Form) -> Iterator[Factored]:
    factor = common_factor(form)
    size = abs(leading(form))
    if any(abs(c or 0.0) != size for c, _ in form.terms):
        size = 1.0
    above = make_monomial(tuple(item for item in factor.powers if (item[1] or 0.0) > 0))
    for part in (factor, above) if above is not factor else (factor,):
        if part.powers or size != 1.0:
            yield _split(form, list(form.terms), size, part)


def _powers(form: Form) -> Iterator[Factored]:
    size, bases = sum_bases(form)
    if len(bases) > 1 or bases[0][1] > 1:
        yield Factored(size, tuple((base, float(power)) for base, power in bases), number(0.0))


def _partial(form: Form) -> Iterator[Factored]:
    """A factor of some of the terms: a number, or a power of an atom."""
    sizes = Counter(abs(c or 0.0) for c, _ in form.terms)
    for size, count in sizes.items():
        if count > 1 and size != 1.0:
            inside = [term for term in form.terms if abs(term[0] or 0.0) == size]
            yield _split(form, inside, size, make_monomial(()))
    atoms = Counter(atom for _, monomial in form.terms for atom, _ in monomial.powers)
    for atom, count in atoms.items():
        inside = [term for term in form.terms if any(a is atom for a, _ in term[1].powers)]
        factor = common_factor(make_form(inside))
        above = make_monomial(tuple(item for item in factor.powers if (item[1] or 0.0) > 0))
        if count > 1 and above.powers:
            yield _split(form, inside, 1.0, above)
        elif count > 1 and factor.powers:
            yield _split(form, inside, 1.0, factor)


def _split(form: Form, inside: list[Term], size: float, factor: Monomial) -> Factored:
    part = without_factor(make_form(inside), factor)
    if all((c or 0.0) < 0 for c, _ in part.terms):
        size = -size
    part = divided_by(part, size)
    rest = make_form([term for term in form.terms if term not in inside])
    return Factored(size, ((make_form(((1.0, factor),)), 1.0), (part, 1.0)), rest)
