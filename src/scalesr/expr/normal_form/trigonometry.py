"""sin^2 + cos^2 = 1 inside a sum, for closed arguments."""

from __future__ import annotations

from scalesr.expr.normal_form.form import Atom, Monomial, make_atom, make_monomial
from scalesr.expr.normal_form.monomials import product
from scalesr.expr.normal_form.numbers import close
from scalesr.kernels.codes import COS, SIN

Vector = dict[Monomial, float]

_TINY = 1e-12


def without_sine_squares(vector: Vector) -> Vector:
    """The same sum with q sin^2 written as q - q cos^2, if q cos^2 is there too or the power is 2."""
    return _without(_without(vector, only_pairs=True), only_pairs=False)


def _without(vector: Vector, *, only_pairs: bool) -> Vector:
    done = dict(vector)
    for monomial in vector:
        for sine, power in monomial.powers:
            if sine.code != SIN or not sine.closed or monomial not in done:
                continue
            rest = _times_power(monomial, sine, -2.0)
            other = _times_power(rest, _partner(sine, COS), 2.0)
            if other in done or (power == 2.0 and not only_pairs):
                value = done.pop(monomial)
                _add(done, rest, value)
                _add(done, other, -value)
    return done


def with_sine_squares(vector: Vector) -> Vector:
    """The same sum with every pair q - q cos^2 written as q sin^2."""
    done = dict(vector)
    cosines = {atom: None for monomial in vector for atom, _ in monomial.powers if atom.code == COS and atom.closed}
    for rest in vector:
        for cosine in cosines:
            other = _times_power(rest, cosine, 2.0)
            if rest in done and other in done and close(done[rest], -done[other]):
                value = done.pop(rest)
                del done[other]
                _add(done, _times_power(rest, _partner(cosine, SIN), 2.0), value)
    return done


def _add(vector: Vector, monomial: Monomial, value: float) -> None:
    total = vector.get(monomial, 0.0) + value
    if abs(total) > _TINY * abs(value):
        vector[monomial] = total
    else:
        vector.pop(monomial, None)


def _times_power(monomial: Monomial, atom: Atom, exponent: float) -> Monomial:
    return product(monomial, make_monomial(((atom, exponent),)))


def _partner(atom: Atom, code: int) -> Atom:
    return make_atom(code, *atom.operands)
