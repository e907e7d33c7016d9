"""Closed fractions: division by the denominator and partial fractions, one step at a time.

A step rewrites one monomial as a sum of simpler ones. With u = 1/(x + 1): x*u is 1 - u, u/x is
1/x - u, and a product of denominators that differ by a number is the difference of fractions.
"""

from __future__ import annotations

import math

from scalesr.expr.normal_form.form import GROUP, Atom, Form, Monomial, Powers, Term, make_form, make_monomial
from scalesr.expr.normal_form.monomials import merged, product, quotient
from scalesr.expr.normal_form.numbers import Scalar, close, is_whole, tidy

Step = list[tuple[float, Monomial]]

_TINY = 1e-12
_MAX_QUOTIENT = 6.0  # degree of the quotient up to which a fraction is divided


def division_step(monomial: Monomial) -> Step | None:
    """The monomial as a sum of simpler ones, or None if it has no fraction to divide."""
    denominators = [atom for atom, power in monomial.powers if _is_denominator(atom, power)]
    for atom in denominators:
        step = _long_division(monomial, atom) or _split_off_power(monomial, atom)
        if step is not None:
            return step
    for place, atom in enumerate(denominators):
        for other in denominators[place + 1 :]:
            step = _partial_fractions(monomial, atom, other)
            if step is not None:
                return step
    return None


def _is_denominator(atom: Atom, power: Scalar) -> bool:
    return atom.code == GROUP and power is not None and power < 0 and is_whole(power)


def common_denominator(form: Form) -> Monomial:
    """The product of all sums that terms are divided by."""
    highest: dict[str, tuple[Atom, float]] = {}
    for _, monomial in form.terms:
        for atom, power in monomial.powers:
            if power is not None and _is_denominator(atom, power) and -power > highest.get(atom.key, (atom, 0.0))[1]:
                highest[atom.key] = (atom, -power)
    return make_monomial(merged(highest.values()))


def _long_division(monomial: Monomial, atom: Atom) -> Step | None:
    """m*q/S with S = m + r as q - r*q/S, where m is the highest term of S."""
    highest = highest_term(atom.operands[0])
    return _exchange(monomial, atom, highest) if highest[1].powers else None


def _divides(power: Scalar, available: Scalar) -> bool:
    return power is not None and available is not None and 0 < power <= available <= power + _MAX_QUOTIENT


def highest_term(form: Form) -> Term:
    """The term of highest degree."""
    return min(form.terms, key=_highest_first)


def term_root(term: Term, degree: int) -> Term | None:
    """The root of a term that is not negative, or of any term for an odd degree."""
    coefficient, monomial = term[0] or 0.0, term[1]
    if coefficient < 0 and degree % 2 == 0:
        return None
    powers = tuple((atom, tidy((power or 0.0) / degree)) for atom, power in monomial.powers)
    return math.copysign(abs(coefficient) ** (1 / degree), coefficient), make_monomial(powers)


def term_quotient(term: Term, divisor: Term) -> Term | None:
    """A term divided by another, if no power becomes negative."""
    powers = quotient(term[1], divisor[1])
    if any(power is None or power < 0 for _, power in powers.powers):
        return None
    return (term[0] or 0.0) / (divisor[0] or 1.0), powers


def _highest_first(term: Term) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Total degree, then the exponents of the atoms in order: products keep this order, so division ends."""
    powers = tuple((atom.key, -(power or 0.0)) for atom, power in term[1].powers)
    return sum(power for _, power in powers), powers


def _split_off_power(monomial: Monomial, atom: Atom) -> Step | None:
    """r*q/(x*S) with S = r + t, x in every term of t, as q/x - t*q/(x*S)."""
    for below, power in monomial.powers:
        if power is None or power >= 0 or below is atom:
            continue
        beside = [term for term in atom.operands[0].terms if not _has(term[1], below)]
        if not beside or len(beside) == len(atom.operands[0].terms):
            continue
        step = _exchange(monomial, atom, min(beside, key=_highest_first))
        if step is not None:
            return step
    return None


def _exchange(monomial: Monomial, atom: Atom, term: Term) -> Step | None:
    """term*q/S as q - (the other terms of S)*q/S, if the monomial is divisible by the term."""
    weight, divisor = term
    rest = dict(monomial.powers)
    if weight is None or not all(_divides(power, rest.get(a)) for a, power in divisor.powers):
        return None
    part = quotient(monomial, divisor)
    others = [(-(c or 0.0) / weight, product(part, m)) for c, m in atom.operands[0].terms if m is not divisor]
    return [(1.0 / weight, _times_atom(part, atom)), *others]


def _has(monomial: Monomial, atom: Atom) -> bool:
    return any(a is atom and power is not None and power > 0 for a, power in monomial.powers)


def _partial_fractions(monomial: Monomial, first: Atom, second: Atom) -> Step | None:
    """1/(S*T) with S - k*T = r, a number, as (1/T - k/S)/r."""
    ours = {m: c or 0.0 for c, m in first.operands[0].terms}
    theirs = {m: c or 0.0 for c, m in second.operands[0].terms}
    constant = make_monomial(())
    here, there = ours.pop(constant, 0.0), theirs.pop(constant, 0.0)
    if ours.keys() != theirs.keys():
        return None
    ratios = [ours[m] / theirs[m] for m in ours]
    if not all(close(ratio, ratios[0]) for ratio in ratios):
        return None
    left = here - ratios[0] * there
    if abs(left) <= _TINY * abs(here):
        return None
    return [(1.0 / left, _times_atom(monomial, first)), (-ratios[0] / left, _times_atom(monomial, second))]


def _times_atom(monomial: Monomial, atom: Atom) -> Monomial:
    return product(monomial, make_monomial(((atom, 1.0),)))


def linear_factors(form: Form) -> tuple[Form, ...]:
    """A sum a^2 + b*a + c in one atom as (a - r)*(a - s) if the roots are short numbers, else itself."""
    parts = _quadratic(form)
    if parts is None:
        return (form,)
    powers, linear, constant = parts
    discriminant = linear * linear - 4 * constant
    if discriminant < 0:
        return (form,)
    root = math.sqrt(discriminant)
    roots = [(-linear + root) / 2, (-linear - root) / 2]
    if not all(close(value, round(value, 4)) or abs(value) < 1e-12 for value in roots):
        return (form,)
    base = make_monomial(powers)
    return tuple(_minus(base, round(value, 4)) for value in roots)


def _quadratic(form: Form) -> tuple[Powers, float, float] | None:
    """Base, b and c of base^2 + b*base + c."""
    lead, highest = highest_term(form)
    if len(highest.powers) != 1 or not close(lead or 0.0, 1.0):
        return None
    ((atom, power),) = highest.powers
    base = ((atom, (power or 0.0) / 2),)
    others = {m: c or 0.0 for c, m in form.terms if m is not highest}
    constant = others.pop(make_monomial(()), 0.0)
    linear = others.pop(make_monomial(base), 0.0)
    return None if others or not constant or not is_whole(base[0][1]) else (base, linear, constant)


def _minus(base: Monomial, value: float) -> Form:
    terms = [(1.0, base)] if value == 0.0 else [(1.0, base), (-value, make_monomial(()))]
    return make_form(terms)
