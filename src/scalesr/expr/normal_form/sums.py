"""Addition: like terms, and what several terms of one sum imply together."""

from __future__ import annotations

from collections.abc import Iterable

from scalesr.expr.normal_form.form import (
    OPEN_LOG,
    SQUARE,
    VECTOR,
    Form,
    Monomial,
    Term,
    make_atom,
    make_form,
    make_monomial,
    remembered,
)
from scalesr.expr.normal_form.groups import vector_term
from scalesr.expr.normal_form.monomials import merged
from scalesr.expr.normal_form.numbers import plus
from scalesr.expr.normal_form.spans import reduced
from scalesr.kernels.codes import LOG


@remembered
def add(first: Form, second: Form) -> Form:
    """Sum of two forms."""
    return collect(first.terms + second.terms)


def collect(terms: Iterable[Term]) -> Form:
    """The sum of terms, each of them in normal form."""
    table: dict[str, Term] = {}
    apart: list[Term] = []
    flags = 0
    for term in terms:
        coefficient, monomial = term
        flags |= monomial.flags
        if not monomial.closed:
            apart.append(term)
        elif monomial.key in table:
            table[monomial.key] = (plus(table[monomial.key][0], coefficient), monomial)
        else:
            table[monomial.key] = term
    kept = [term for term in table.values() if term[0] != 0.0] + apart
    if len(kept) > 1:
        if flags & (VECTOR | SQUARE):
            kept = reduced(kept)
        if flags & OPEN_LOG:
            kept = _into_logarithms(kept)
    return make_form(kept)


@remembered
def freed(form: Form) -> Form:
    """All multiples of a flat form: its numbers come under one open coefficient."""
    fixed = form.fixed
    return collect((vector_term(make_form(fixed)), *form.free)) if fixed else form


def _into_logarithms(terms: list[Term]) -> list[Term]:
    """Let the scale inside an open logarithm take up the constant beside it.

    C + log(C*x + C) is log(C*x + C). The sign of C*x is then free too, which C + log(x + C) did
    not have: the result is the larger family.
    """
    kept = list(terms)
    for term in terms:
        operand, rest = _logarithm(term[1])
        if operand is None or not operand.flat or len(operand.terms) < 2:
            continue
        beside = next((other for other in kept if other[1] is rest), None)
        if beside is not None and (operand.homogeneous or beside[0] is None):
            kept.remove(beside)
            kept.remove(term)
            powers = merged((*rest.powers, (make_atom(LOG, freed(operand)), 1.0)))
            kept.append((term[0], make_monomial(powers)))
    return kept


def _logarithm(monomial: Monomial) -> tuple[Form | None, Monomial]:
    """The operand of an open logarithm in the monomial, and the other factors if they are closed."""
    for place, (atom, exponent) in enumerate(monomial.powers):
        if atom.code == LOG and not atom.closed and exponent == 1.0:
            rest = make_monomial(monomial.powers[:place] + monomial.powers[place + 1 :])
            return (atom.operands[0], rest) if rest.closed else (None, rest)
    return None, monomial
