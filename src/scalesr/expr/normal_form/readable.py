"""Form -> Expression: the tree a person would write for a normal form.

Positive terms come first and negative ones are subtracted; negative powers are divided by; an
exponent 0.5 is a root; sin/cos is tan; exp of a logarithm times something is a power. Closed sums
are written as products where that is shorter.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from scalesr.expr.expression import MAX_POWER, Expression
from scalesr.expr.normal_form.factoring import Factored, factorings
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
from scalesr.expr.normal_form.groups import scaled
from scalesr.expr.normal_form.monomials import merged
from scalesr.expr.normal_form.numbers import Scalar, is_whole
from scalesr.expr.normal_form.pieces import FEW_DIGITS, Piece, chained, constant_piece, cost, joined, to_expression
from scalesr.expr.normal_form.spellings import spellings
from scalesr.kernels.codes import ADD, COS, DIV, EXP, LOG, MUL, NEG, POW, POWI, SIN, SQRT, SUB, TAN, VARIABLE


def readable(form: Form) -> Expression:
    """The formula that a form is written as."""
    return to_expression(sum_piece(form))


@remembered
def sum_piece(form: Form) -> Piece:
    """The shortest known way to write a form."""
    best = _plain(form)
    for factored in factorings(form):
        other = _factored_piece(factored)
        if cost(other) < cost(best):
            best = other
    return best


def _plain(form: Form) -> Piece:
    """Terms one after the other, a positive one first if there is one."""
    if not form.terms:
        return constant_piece(0.0)
    first = min(range(len(form.terms)), key=lambda place: _start_order(*form.terms[place]))
    piece = _term_piece(*form.terms[first])
    for place, term in enumerate(form.terms):
        if place != first:
            piece = _plus_term(piece, *term)
    return piece


def _start_order(coefficient: Scalar, monomial: Monomial) -> int:
    """What a sum had better start with: no sign, else a number that has one anyway."""
    if not _is_negative(coefficient):
        return 0
    return 2 if coefficient == -1.0 and monomial.powers else 1


def _is_negative(coefficient: Scalar) -> bool:
    return coefficient is not None and coefficient < 0


def _plus_term(piece: Piece, coefficient: Scalar, monomial: Monomial) -> Piece:
    if coefficient is not None and coefficient < 0:
        return joined(SUB, piece, _term_piece(-coefficient, monomial))
    return joined(ADD, piece, _term_piece(coefficient, monomial))


def _factored_piece(factored: Factored) -> Piece:
    """coefficient x factors + rest."""
    coefficient, factors, rest = factored
    above: list[Piece] = []
    below: list[Piece] = []
    for form, exponent in factors:
        if len(form.terms) == 1 and exponent == 1.0:
            coefficient *= form.terms[0][0] or 0.0
            here = _factors(form.terms[0][1].powers, divide=False)
            above, below = above + here[0], below + here[1]
        else:
            (below if exponent < 0 else above).append(_raised(sum_piece(form), abs(exponent)))
    if not rest.terms:
        return _product(coefficient, above, below)
    if coefficient < 0:
        return joined(SUB, sum_piece(rest), _product(-coefficient, above, below))
    if all(_is_negative(c) for c, _ in rest.terms):
        return joined(SUB, _product(coefficient, above, below), sum_piece(scaled(rest, -1.0)))
    return joined(ADD, _product(coefficient, above, below), sum_piece(rest))


@remembered
def _term_piece(coefficient: Scalar, monomial: Monomial) -> Piece:
    """The shortest way to write a term."""
    if coefficient == 0.5 and len(monomial.powers) == 1:
        ((atom, exponent),) = monomial.powers
        if atom.code == LOG and exponent == 1.0:
            return joined(LOG, joined(SQRT, sum_piece(atom.operands[0])))
    pieces = [
        _product(c, *_factors(powers, divide=divide))
        for divide in (False, True)
        for c, powers in spellings(coefficient, monomial)
    ]
    nodes, digits = cost(pieces[0])
    best = min(pieces, key=cost)
    return best if cost(best) < (nodes, digits - FEW_DIGITS) else pieces[0]


def _product(coefficient: Scalar, above: list[Piece], below: list[Piece]) -> Piece:
    """Coefficient x factors above the bar / factors below it."""
    divisor = _divisor(coefficient) if above else None
    if coefficient == -1.0 and above:
        above = [joined(NEG, above[0]), *above[1:]]
    elif divisor is not None:
        below = [constant_piece(divisor), *below]
    elif coefficient != 1.0 or not above:
        above = [constant_piece(coefficient), *above]
    piece = chained(MUL, above)
    return joined(DIV, piece, chained(MUL, below)) if below else piece


def _divisor(coefficient: Scalar) -> float | None:
    """The number to divide by instead of multiplying by `coefficient`, if it is shorter to write."""
    if coefficient is None or abs(coefficient) >= 1:
        return None
    inverse = float(f"{1 / coefficient:.12g}")
    shorter = len(repr(inverse)) < len(repr(coefficient))
    return inverse if shorter and 1 / inverse == coefficient else None


def _factors(powers: Powers, *, divide: bool) -> tuple[list[Piece], list[Piece]]:
    """Factors above and below the bar; exp(-u) may be divided by as exp(u)."""
    above: list[Piece] = []
    below: list[Piece] = []
    exponents = [(exponent, atom.operands[0].terms[0][1]) for atom, exponent in powers if atom.code == EXP]
    for atom, exponent in _with_tangents(tuple(item for item in powers if item[0].code != EXP)):
        if exponent is not None and exponent < 0:
            below.append(_raised(_atom_piece(atom), -exponent))
        else:
            above.append(_raised(_atom_piece(atom), exponent))
    if divide and len(exponents) == 1 and exponents[0][0] == -1.0:
        return above, below + _exponentials([(1.0, exponents[0][1])])
    return above + _exponentials(exponents), below


def _with_tangents(powers: Powers) -> Powers:
    """sin(u)^a/cos(u)^a as tan(u)^a, as far as both go."""
    done = powers
    for atom, exponent in powers:
        cosine = next((e for a, e in powers if a.code == COS and a.operands == atom.operands), None)
        if atom.code != SIN or not atom.closed or exponent is None or cosine is None or exponent * cosine >= 0:
            continue
        if not (is_whole(exponent) and is_whole(cosine)):
            continue
        shared = math.copysign(min(abs(exponent), abs(cosine)), exponent)
        tangent = (make_atom(TAN, *atom.operands), shared)
        done = merged((*done, (atom, -shared), (make_atom(COS, *atom.operands), shared), tangent))
    return done


def _exponentials(terms: Iterable[Term]) -> list[Piece]:
    """exp of a sum, with the terms u*log(a) as powers a^u."""
    plain: dict[Monomial, Scalar] = {}
    powers: dict[Form, list[Term]] = {}
    for coefficient, monomial in terms:
        base = next((a for a, e in monomial.powers if a.code == LOG and e == 1.0), None)
        if base is None:
            plain[monomial] = coefficient
        else:
            rest = tuple(item for item in monomial.powers if item[0] is not base)
            powers.setdefault(base.operands[0], []).append((coefficient, make_monomial(rest)))
    pieces = [_power(base, exponent, plain) for base, exponent in powers.items()]
    return [*pieces, _exponential(make_form([(c, m) for m, c in plain.items()]))] if plain else pieces


def _power(base: Form, exponent: list[Term], plain: dict[Monomial, Scalar]) -> Piece:
    """base^exponent; a factor exp(c*u) beside base^(k*u) goes into the base."""
    weight, monomial = exponent[0]
    beside = plain.get(monomial)
    if len(exponent) == 1 and weight is not None and beside is not None and abs(beside / weight) < 100:
        del plain[monomial]
        base = scaled(base, float(f"{math.exp(beside / weight):.15g}"))
    return joined(POW, sum_piece(base), sum_piece(make_form(exponent)))


def _exponential(form: Form) -> Piece:
    """exp of a form, or a power of the number that is shorter to write than its logarithm: 2^x."""
    ((coefficient, monomial), *others) = form.terms
    plain = joined(EXP, sum_piece(form))
    if others or coefficient is None or abs(coefficient) > 100 or coefficient == 1.0:
        return plain
    base = float(f"{math.exp(coefficient):.15g}")
    power = joined(POW, constant_piece(base), _term_piece(1.0, monomial))
    return power if cost(power)[1] + FEW_DIGITS < cost(plain)[1] else plain


def _raised(base: Piece, exponent: Scalar) -> Piece:
    if exponent == 1.0:
        return base
    if exponent == 0.5:
        return joined(SQRT, base)
    if exponent is not None and is_whole(exponent) and abs(exponent) <= MAX_POWER:
        return joined(POWI, base, power=int(exponent))
    return joined(POW, base, constant_piece(exponent))


def _atom_piece(atom: Atom) -> Piece:
    if atom.code == VARIABLE:
        return ((VARIABLE, atom.index, 0.0),)
    if atom.code == GROUP:
        return sum_piece(atom.operands[0])
    return joined(atom.code, *(sum_piece(form) for form in atom.operands))
