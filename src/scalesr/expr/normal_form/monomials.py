"""Products of powers without any rule beyond adding exponents."""

from __future__ import annotations

from collections.abc import Iterable

from scalesr.expr.normal_form.form import Atom, Monomial, Powers, make_monomial, remembered
from scalesr.expr.normal_form.numbers import Scalar, plus, tidy


def merged(powers: Iterable[tuple[Atom, Scalar]]) -> Powers:
    """Powers with the exponents of equal closed atoms added, sorted by key; open atoms stay apart."""
    table: dict[str, tuple[Atom, Scalar]] = {}
    apart: list[tuple[Atom, Scalar]] = []
    for atom, exponent in powers:
        if not atom.closed:
            apart.append((atom, exponent))
        elif atom.key in table:
            table[atom.key] = (atom, tidy(plus(table[atom.key][1], exponent)))
        else:
            table[atom.key] = (atom, exponent)
    kept = [item for item in table.values() if item[1] != 0.0]
    return tuple(sorted(kept + apart, key=_order))


def _order(item: tuple[Atom, Scalar]) -> tuple[str, float]:
    atom, exponent = item
    return atom.key, float("inf") if exponent is None else exponent


@remembered
def product(first: Monomial, second: Monomial) -> Monomial:
    """Product of two monomials."""
    if not first.powers:
        return second
    if not second.powers:
        return first
    return make_monomial(merged(first.powers + second.powers))


def raised(powers: Powers, exponent: float) -> Powers:
    """Each power raised; the caller knows that this is sound."""
    return tuple((atom, None if power is None else tidy(power * exponent)) for atom, power in powers)


def quotient(whole: Monomial, part: Monomial) -> Monomial:
    """A monomial divided by a closed one."""
    return product(whole, make_monomial(raised(part.powers, -1.0))) if part.powers else whole
