"""Other ways to spell one term: its number or sign taken into one of its factors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from scalesr.expr.normal_form.form import GROUP, Atom, Form, Monomial, Powers, make_atom, make_form, power_of, single
from scalesr.expr.normal_form.groups import scaled
from scalesr.expr.normal_form.numbers import Scalar, is_odd
from scalesr.kernels.codes import COS, EXP, ODD, SIN

_ODD: Final = (*ODD, GROUP)
_SMALL: Final = 1e-9


def spellings(coefficient: Scalar, monomial: Monomial) -> Iterator[tuple[Scalar, Powers]]:
    """The term as it is, and with its coefficient inside a root, an exponential or an odd function."""
    yield coefficient, monomial.powers
    if coefficient is None or coefficient == 1.0 or not _SMALL < abs(coefficient) < 1.0 / _SMALL:
        return
    for place, (atom, exponent) in enumerate(monomial.powers):
        before, after = monomial.powers[:place], monomial.powers[place + 1 :]
        if coefficient < 0 and atom.code in _ODD and is_odd(exponent):
            yield -coefficient, tuple((_turned(other, atom), power) for other, power in monomial.powers)
        elif coefficient > 0 and exponent is not None and abs(exponent) == 0.5:
            inside = atom.operands[0] if atom.code == GROUP else power_of(atom)
            whole = make_atom(GROUP, _times(inside, coefficient ** (1.0 / exponent)))
            yield 1.0, (*before, (whole, exponent), *after)
        elif coefficient > 0 and atom.code == EXP:
            offset = make_atom(EXP, single(1.0))
            yield 1.0, (*monomial.powers, (offset, _short(math.log(coefficient))))
            return


def _turned(atom: Atom, odd: Atom) -> Atom:
    """The odd atom with its operand turned, and a cosine of the same operand too, which is even."""
    if atom is odd or (atom.code == COS and odd.code == SIN and atom.operands == odd.operands):
        return make_atom(atom.code, scaled(atom.operands[0], -1.0))
    return atom


def _times(form: Form, factor: float) -> Form:
    """A form times a number, without the digits that rounding leaves."""
    factor = _short(factor)
    return make_form([(None if c is None else _short(c * factor), monomial) for c, monomial in form.terms])


def _short(value: float) -> float:
    return float(f"{value:.15g}")
