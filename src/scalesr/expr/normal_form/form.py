"""Form, Monomial and Atom: a formula as a sum of coefficient x product of powers.

All three are interned: equal ones are the same object, so that results can be remembered by
identity. Keys spell numbers with 12 digits; like terms are matched by key, values stay exact.
"Closed" means without any open constant inside. Open things with equal keys are not equal
functions: each open constant is free on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final, ParamSpec, TypeVar, cast

from scalesr.expr.normal_form.numbers import Scalar, is_even, scalar_text
from scalesr.kernels.codes import ABS, ADD, COS, EXP, LOG, ODD, SIN, VARIABLE

GROUP: Final = ADD  # the code of an atom that is a sum

# What a monomial holds that the rules of sums and products must look at.
SPECIAL: Final = 1  # a sum or an absolute value as a factor
VECTOR: Final = 2  # a closed sum as a factor: several functions under one open coefficient
SQUARE: Final = 4  # a closed sin or cos to another power than 1
OPEN_LOG: Final = 8
RESCALED: Final = 16  # an open factor that can take up a change of the coefficient

Powers = tuple[tuple["Atom", Scalar], ...]
Term = tuple[Scalar, "Monomial"]

MAX_FORMS: Final = 100_000  # kept before everything remembered is dropped

P = ParamSpec("P")
R = TypeVar("R")

_memories: list[Callable[[], None]] = []


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Keep the results of a function until `forget_if_full` drops them."""
    keeping = lru_cache(maxsize=None)(function)
    _memories.append(keeping.cache_clear)
    return cast("Callable[P, R]", keeping)


class Atom:
    """A base of powers: a variable, a function of forms, or a form (a group)."""

    __slots__ = ("closed", "code", "index", "key", "nonnegative", "operands")

    def __init__(self, code: int, index: int, operands: tuple[Form, ...]) -> None:
        self.code = code
        self.index = index
        self.operands = operands
        self.closed = all(form.closed for form in operands)
        self.nonnegative = code in (EXP, ABS) or (code == GROUP and operands[0].nonnegative)
        if code == VARIABLE:
            self.key = f"${index:02d}"
        else:
            inside = ",".join(form.key for form in operands)
            self.key = f"({inside})" if code == GROUP else f"{code}[{inside}]"

    def __repr__(self) -> str:
        return f"Atom({self.key})"


class Monomial:
    """A product of powers of atoms, sorted by key; open atoms may repeat."""

    __slots__ = ("closed", "flags", "key", "powers", "rank")

    def __init__(self, powers: Powers) -> None:
        self.powers = powers
        self.closed = True
        degree = 0.0
        flags = 0
        pieces = []
        for atom, exponent in powers:
            text = "1" if exponent == 1.0 else scalar_text(exponent)
            pieces.append(atom.key if text == "1" else f"{atom.key}^{text}")
            if atom.code == VARIABLE:
                degree += 1.0 if exponent is None else exponent
            else:
                flags |= _flags(atom, exponent)
            if exponent is None or not atom.closed:
                self.closed = False
        self.flags = flags
        self.key = "*".join(pieces)
        self.rank = (not powers, -degree, self.key)

    def __repr__(self) -> str:
        return f"Monomial({self.key})"


class Form:
    """A sum of terms (coefficient, monomial), sorted by rank; no term is zero."""

    __slots__ = ("closed", "flags", "flat", "key", "terms")

    def __init__(self, terms: tuple[Term, ...]) -> None:
        self.terms = terms
        self.flat = True  # open constants, if any, only as coefficients
        self.closed = True
        self.flags = 0
        pieces = []
        for coefficient, monomial in terms:
            if coefficient is None:
                self.closed = False
            self.flags |= monomial.flags
            if not monomial.closed:
                self.flat = self.closed = False
            text = "1" if coefficient == 1.0 else scalar_text(coefficient)
            pieces.append(monomial.key if text == "1" and monomial.key else f"{text}*{monomial.key}")
        self.key = "+".join(pieces)

    def __repr__(self) -> str:
        return f"Form({self.key})"

    @property
    def is_constant(self) -> bool:
        return not self.terms or (len(self.terms) == 1 and not self.terms[0][1].powers)

    @property
    def fixed(self) -> tuple[Term, ...]:
        """Terms whose coefficient is a number."""
        return tuple(term for term in self.terms if term[0] is not None)

    @property
    def free(self) -> tuple[Term, ...]:
        """Terms whose coefficient is open."""
        return tuple(term for term in self.terms if term[0] is None)

    @property
    def nonnegative(self) -> bool:
        """Whether every term is a positive number times even powers, so that the sum is never negative."""
        return all(coefficient is not None and coefficient > 0 and _is_square(m) for coefficient, m in self.terms)

    @property
    def homogeneous(self) -> bool:
        """Whether all coefficients are open, so that any multiple is in the same family."""
        return all(term[0] is None for term in self.terms)


def _is_square(monomial: Monomial) -> bool:
    return all(atom.nonnegative or is_even(exponent) for atom, exponent in monomial.powers)


def _flags(atom: Atom, exponent: Scalar) -> int:
    code = atom.code
    flags = 0
    if code in (GROUP, ABS):
        flags = SPECIAL
        if atom.closed and code == GROUP and exponent == 1.0:
            flags |= VECTOR
        if not atom.closed or exponent is None:
            flags |= RESCALED
    elif atom.closed:
        if code in (SIN, COS) and exponent != 1.0:
            flags = SQUARE
    elif code == LOG and exponent == 1.0:
        flags = OPEN_LOG
    elif (code in ODD and not is_even(exponent)) or (code == EXP and atom.operands[0].flags & RESCALED):
        flags = RESCALED
    return flags


@remembered
def _atom(code: int, index: int, operands: tuple[Form, ...]) -> Atom:
    return Atom(code, index, operands)


def make_atom(code: int, *operands: Form, index: int = 0) -> Atom:
    """The atom with this code and these operands."""
    return _atom(code, index, operands)


@remembered
def make_monomial(powers: Powers) -> Monomial:
    """The monomial with these powers, which are sorted by key."""
    return Monomial(powers)


@cache
def _interned(terms: tuple[Term, ...]) -> Form:
    return Form(terms)


def forget_if_full() -> None:
    """Drop everything remembered if it is much; only between formulas, as equal forms are told by identity."""
    if _interned.cache_info().currsize > MAX_FORMS:
        _interned.cache_clear()
        for forget in _memories:
            forget()


def make_form(terms: Sequence[Term]) -> Form:
    """The form with these terms, in any order."""
    return _interned(tuple(terms) if len(terms) < 2 else tuple(sorted(terms, key=_term_order)))


def _term_order(term: Term) -> tuple[bool, float, str, float]:
    coefficient, monomial = term
    return (*monomial.rank, float("inf") if coefficient is None else coefficient)


def single(coefficient: Scalar, powers: Powers = ()) -> Form:
    """The form with one term; the powers are sorted by key."""
    return make_form(((coefficient, make_monomial(powers)),))


def number(value: Scalar) -> Form:
    """The form that is one number, or one open constant."""
    return make_form(()) if value == 0.0 else single(value)


def power_of(atom: Atom, exponent: Scalar = 1.0) -> Form:
    """The form that is one power of one atom."""
    return single(1.0, ((atom, exponent),))


def variable_form(column: int) -> Form:
    """The form that is one variable."""
    return power_of(make_atom(VARIABLE, index=column))
