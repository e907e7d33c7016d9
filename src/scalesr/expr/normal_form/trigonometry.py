"""sin^2 + cos^2 = 1 inside a sum, for closed arguments."""

from __future__ import annotations

from collections.abc import Mapping

from scalesr.expr.normal_form.form import Atom, Monomial, make_atom, make_monomial
from scalesr.expr.normal_form.monomials import product
from scalesr.expr.normal_form.numbers import close
from scalesr.kernels.codes import COS, SIN

_TINY = 1e-12


def without_sine_squares(vector: Mapping[Monomial, float]) -> dict[Monomial, float]:
    """The same sum with q sin^2 written as q - q cos^2."""
    done: dict[Monomial, float] = {}
    waiting = list(vector.items())
    while waiting:
        monomial, value = waiting.pop()
        sine = _find(monomial, SIN, (2.0,))
        if sine is None:
            total = done.get(monomial, 0.0) + value
            done[monomial] = total if abs(total) > _TINY * abs(value) else 0.0
        else:
            rest = _times_power(monomial, sine, -2.0)
            waiting += [(rest, value), (_times_power(rest, _partner(sine, COS), 2.0), -value)]
    return {monomial: value for monomial, value in done.items() if value}


def with_sine_squares(vector: Mapping[Monomial, float]) -> dict[Monomial, float]:
    """The same sum with every pair q - q cos^2 written as q sin^2."""
    done = dict(vector)
    for monomial, value in vector.items():
        cosine = _find(monomial, COS, (1.0, 2.0))
        if cosine is None or monomial not in done:
            continue
        rest = _times_power(monomial, cosine, -2.0)
        if rest in done and close(done[rest], -value):
            del done[monomial], done[rest]
            done[_times_power(rest, _partner(cosine, SIN), 2.0)] = -value
    return done


def _find(monomial: Monomial, code: int, exponents: tuple[float, ...]) -> Atom | None:
    """A closed sine or cosine that has one of these exponents."""
    return next((a for a, e in monomial.powers if a.code == code and a.closed and e in exponents), None)


def _times_power(monomial: Monomial, atom: Atom, exponent: float) -> Monomial:
    return product(monomial, make_monomial(((atom, exponent),)))


def _partner(atom: Atom, code: int) -> Atom:
    return make_atom(code, *atom.operands)
