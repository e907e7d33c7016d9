"""The grammar of the complete search: sums of products of factors, a free coefficient on every term.

    sum     =  term + ... + term (+ C)        every term carries a coefficient C, which costs nothing
    term    =  factor * ... * factor
    factor  =  v,  v^k,  sqrt(v),  v^C,  f(sum),  f(sum)^k,  (sum)^k,  sqrt(sum),  (sum)^C

A size counts operators, variables and added constants; coefficients and the products that attach
them are free. Arguments of functions hold no functions unless nesting is allowed; a power is not a
function. Families that differ only in how constants are written appear once or more here; the
canonical form tells which are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, pairwise, product

import numpy as np

from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import ADD, CONSTANT, MUL, OPEN, POW, POWI, SQRT, VARIABLE

Piece = tuple[tuple[int, ...], tuple[int, ...]]  # codes and args in postfix order, constants not yet numbered

COEFFICIENT: Piece = ((OPEN,), (0,))
POSITIVE_POWERS = (2, 3, 4, 5, 6)
NEGATIVE_POWERS = (-1, -2, -3)
POWERS_OF_SUMS = (2, 3)
POWERS_OF_FUNCTIONS = (2, -1)
MAX_TERMS = 4
MAX_FACTORS = 3
NOT_FUNCTIONS = {"neg", "powi", "sqrt"}


class Grammar:
    """All skeletons over a set of operators and a number of variables, by size."""

    def __init__(self, operators: Operators, n_variables: int, *, nested: bool = False) -> None:
        self._names = set(operators.names)
        self._functions = frozenset(row.code for row in operators if row.arity == 1 and row.name not in NOT_FUNCTIONS)
        self._variables: list[Piece] = [((VARIABLE,), (j,)) for j in range(n_variables)]
        self._nested = nested
        # one memory per grammar: the recursion below asks for the same lists again and again
        self._factors = lru_cache(maxsize=None)(self._list_factors)
        self._terms = lru_cache(maxsize=None)(self._list_terms)
        self._sums = lru_cache(maxsize=None)(self._list_sums)

    def skeletons(self, size: int) -> Iterator[Expression]:
        """Every skeleton of a size, some of them equal families."""
        if size == 1:
            yield as_expression(COEFFICIENT)
        for piece in self._sums(size, True):
            yield as_expression(piece)

    @cached_property
    def _powers(self) -> tuple[int, ...]:
        positive = POSITIVE_POWERS if self._names & {"*", "powi"} else ()
        return positive + (NEGATIVE_POWERS if self._names & {"/", "powi"} else ())

    def _list_factors(self, size: int, functions: bool) -> list[Piece]:
        found: list[Piece] = []
        if size == 1:
            found += self._variables
        if size == 2:
            found += [power(v, k) for v in self._variables for k in self._powers]
            found += [unary(SQRT, v) for v in self._variables if "sqrt" in self._names]
        if size == 3 and "^" in self._names:
            found += [real_power(v) for v in self._variables]
        if functions and size >= 2:
            arguments = self._sums(size - 1, self._nested)
            found += [unary(code, argument) for code in sorted(self._functions) for argument in arguments]
        if functions and size >= 3:
            found += self._powers_of_functions(size)
        if size >= 4:
            found += self._powers_of_sums(size, functions)
        return found

    def _powers_of_functions(self, size: int) -> list[Piece]:
        arguments = self._sums(size - 2, self._nested)
        exponents = [k for k in POWERS_OF_FUNCTIONS if k in self._powers]
        return [power(unary(code, a), k) for code in sorted(self._functions) for a in arguments for k in exponents]

    def _powers_of_sums(self, size: int, functions: bool) -> list[Piece]:
        bases = [base for base in self._sums(size - 1, functions) if base[0][-1] == ADD]
        longer = [base for base in self._sums(size - 2, functions) if base[0][-1] == ADD]
        found: list[Piece] = []
        if "/" in self._names:
            found += [power(base, -1) for base in bases]
            found += [power(base, -2) for base in longer]
        if self._names & {"*", "powi"}:
            found += [power(base, k) for k in POWERS_OF_SUMS for base in bases]
        if "sqrt" in self._names:
            found += [unary(SQRT, base) for base in bases]
            found += [power(unary(SQRT, base), -1) for base in longer if "/" in self._names]
        if "^" in self._names:
            found += [real_power(base) for base in longer]
        return found

    def _list_terms(self, size: int, functions: bool) -> list[Piece]:
        found = list(self._factors(size, functions))
        if "*" in self._names or "/" in self._names:
            for n in range(2, MAX_FACTORS + 1):
                for sizes in partitions(size - (n - 1), n):
                    lists = [self._factors(part, functions) for part in sizes]
                    found += [fold_pieces(MUL, choice) for choice in unordered(sizes, lists)]
        if "/" in self._names:
            found += self._quotients(size, functions)
        return found

    def _quotients(self, size: int, functions: bool) -> list[Piece]:
        """A factor divided by a sum or by a factor with a function in it, which counts as one operator."""
        found: list[Piece] = []
        for top_size in range(1, size - 2):
            rest = size - 1 - top_size
            bottoms = [piece for piece in self._sums(rest, functions) if piece[0][-1] == ADD]
            bottoms += [piece for piece in self._factors(rest, functions) if not self._functions.isdisjoint(piece[0])]
            tops = self._factors(top_size, functions)
            found += [binary(MUL, top, power(bottom, -1)) for top in tops for bottom in bottoms]
        return found

    def _list_sums(self, size: int, functions: bool) -> list[Piece]:
        found = [times_coefficient(term) for term in self._terms(size, functions)] if size >= 1 else []
        if "+" not in self._names:
            return found
        for n in range(2, MAX_TERMS + 1):
            for sizes in partitions(size - (n - 1), n):
                lists = [self._terms(part, functions) for part in sizes]
                found += [
                    fold_pieces(ADD, [times_coefficient(t) for t in choice]) for choice in unordered(sizes, lists)
                ]
        if size >= 3:
            found += [
                binary(ADD, whole, COEFFICIENT) for whole in self._sums(size - 2, functions) if not shifted(whole)
            ]
        return found


def unary(code: int, operand: Piece, arg: int = 0) -> Piece:
    """An operator of one operand."""
    return (*operand[0], code), (*operand[1], arg)


def binary(code: int, left: Piece, right: Piece) -> Piece:
    """An operator of two operands."""
    return (*left[0], *right[0], code), (*left[1], *right[1], 0)


def power(base: Piece, exponent: int) -> Piece:
    """An integer power."""
    return unary(POWI, base, exponent)


def real_power(base: Piece) -> Piece:
    """A power with an open exponent."""
    return binary(POW, base, COEFFICIENT)


def times_coefficient(term: Piece) -> Piece:
    """A term with its coefficient."""
    return binary(MUL, COEFFICIENT, term)


def fold_pieces(code: int, parts: Sequence[Piece]) -> Piece:
    """Join several pieces by one operator, from the left."""
    whole = parts[0]
    for part in parts[1:]:
        whole = binary(code, whole, part)
    return whole


def shifted(piece: Piece) -> bool:
    """Whether a sum ends in an added constant."""
    return len(piece[0]) > 1 and piece[0][-1] == ADD and piece[0][-2] == OPEN


def partitions(total: int, n: int, least: int = 1) -> Iterator[tuple[int, ...]]:
    """Ways to write `total` as n ascending positive numbers."""
    if n == 1:
        if total >= least:
            yield (total,)
        return
    for first in range(least, total // n + 1):
        for rest in partitions(total - first, n - 1, first):
            yield (first, *rest)


def unordered(sizes: tuple[int, ...], lists: list[list[Piece]]) -> Iterator[tuple[Piece, ...]]:
    """One piece per list, each unordered choice once; equal pieces only if they hold constants of their own."""
    runs: list[list[tuple[Piece, ...]]] = []
    start = 0
    while start < len(sizes):
        length = sizes.count(sizes[start])
        runs.append([c for c in combinations_with_replacement(lists[start], length) if not _pointless(c)])
        start += length
    for choice in product(*runs):
        yield tuple(piece for run in choice for piece in run)


def _pointless(choice: tuple[Piece, ...]) -> bool:
    """Whether two equal pieces without constants stand side by side."""
    return any(a == b and OPEN not in a[0] for a, b in pairwise(choice))


def as_expression(piece: Piece) -> Expression:
    """The formula of a piece, its constants numbered from left to right."""
    codes = np.array(piece[0], np.int32)
    args = np.array(piece[1], np.int32)
    is_constant = (codes == OPEN) | (codes == CONSTANT)
    n = int(np.count_nonzero(is_constant))
    args[is_constant] = np.arange(n)
    return Expression(codes, args, np.full(n, np.nan))
