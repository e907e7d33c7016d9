"""The two grammars: ours for all problems, and SPL's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scalesr.expr.operators import Operator, Operators
from scalesr.kernels.codes import ADD, DIV, MUL, NEG, OPEN, POW, POWI, SUB, VARIABLE
from scalesr.search.mcts.config import MCTS
from scalesr.search.mcts.grammar import A, B, Packed, Production, ProductionRules, packed

C: Packed = (packed(OPEN),)
TIMES: Packed = (packed(MUL),)

SHARES = {ADD: 3.0, SUB: 2.0, MUL: 2.0, DIV: 2.0, POW: 0.5}  # of the binary operators; others 1
VARIABLE_POWERS = (2, 3)
POWERS = (2, 3)  # of whole expressions; higher ones are powers of powers


@dataclass(frozen=True, slots=True)
class _Style:
    """What one non-terminal's productions are made of."""

    left: int
    inside: int  # what functions apply to; equal to `left` where they may not be used at all
    functions: tuple[Operator, ...]
    coefficients: bool


def default_grammar(
    operators: Operators, n_variables: int, *, nested: bool = False, coefficients: bool = True
) -> ProductionRules:
    """One grammar for all problems.

    Sums, differences, products, quotients, C, variables, integer powers, and functions of an
    argument in which functions occur only if `nested`. With `coefficients` every term of a sum,
    every argument and the whole formula are multiplied by an open constant, so that differences
    are sums, and C stands only for constant terms and exponents.
    """
    scaled = coefficients and "*" in operators
    functions = tuple(row for row in operators if row.arity == 1 and row.code not in (NEG, POWI))
    outer = _Style(A, A if nested else B, functions, scaled)
    made = list(_productions(outer, operators, n_variables))
    if not nested:
        made += _productions(_Style(B, B, (), scaled), operators, n_variables)
    return ProductionRules(tuple(made), frame=(C, TIMES) if scaled else ((), ()))


def _productions(style: _Style, operators: Operators, n_variables: int) -> Iterator[Production]:
    yield from _leaves(style, operators, n_variables)
    yield from _binaries(style, operators, n_variables)
    yield from _unaries(style, operators)


def _leaves(style: _Style, operators: Operators, n_variables: int) -> Iterator[Production]:
    powers = VARIABLE_POWERS if "powi" in operators else ()
    power_share = MCTS.power_share if powers else 0.0
    yield Production(style.left, (), (C,), MCTS.leaf_share * MCTS.constant_share)
    for column in range(n_variables):
        x = packed(VARIABLE, column)
        plain = MCTS.leaf_share * (1 - MCTS.constant_share - power_share) / n_variables
        yield Production(style.left, (), ((x,),), plain)
        for power in powers:
            weight = MCTS.leaf_share * power_share / n_variables / len(powers)
            yield Production(style.left, (), ((x, packed(POWI, power)),), weight)


def _binaries(style: _Style, operators: Operators, n_variables: int) -> Iterator[Production]:
    rows = [row for row in operators if row.arity == 2 and not (row.code == SUB and style.coefficients)]
    total = sum(SHARES.get(row.code, 1.0) for row in rows)
    for row in rows:
        weight = MCTS.binary_share * SHARES.get(row.code, 1.0) / total
        if row.code == POW:
            yield from _real_powers(style, n_variables, weight)
        else:
            scaled = style.coefficients and row.code not in (MUL, DIV)
            yield _binary(style.left, row.code, scaled=scaled, weight=weight)


def _real_powers(style: _Style, n_variables: int, weight: float) -> Iterator[Production]:
    """u^C, and u^v where there are several variables."""
    if style.left == B:  # a real power is a function
        return
    several = n_variables > 1
    yield Production(A, (style.inside,), ((), (*C, packed(POW))), weight / 2 if several else weight)
    if several:
        yield Production(A, (style.inside, style.inside), ((), (), (packed(POW),)), weight / 2)


def _unaries(style: _Style, operators: Operators) -> Iterator[Production]:
    powers = POWERS if "powi" in operators else ()
    signs = ("neg",) if "neg" in operators and not style.coefficients else ()
    n_rows = len(powers) + len(signs) + len(style.functions)
    for power in powers:
        yield Production(style.left, (style.left,), ((), (packed(POWI, power),)), MCTS.unary_share / n_rows)
    for _ in signs:
        yield Production(style.left, (style.left,), ((), (packed(NEG),)), MCTS.unary_share / n_rows)
    for row in style.functions:
        yield _unary(style, row.code, MCTS.unary_share / n_rows)


def _binary(left: int, code: int, *, scaled: bool, weight: float = 1.0) -> Production:
    if scaled:
        return Production(left, (left, left), (C, TIMES + C, (*TIMES, packed(code))), weight)
    return Production(left, (left, left), ((), (), (packed(code),)), weight)


def _unary(style: _Style, code: int, weight: float = 1.0) -> Production:
    if style.coefficients:
        return Production(style.left, (style.inside,), (C, (*TIMES, packed(code))), weight)
    return Production(style.left, (style.inside,), ((), (packed(code),)), weight)


def spl_grammar(operators: Operators, n_variables: int) -> ProductionRules:
    """SPL's grammar, made general: A -> A+A, A-A, A*A, A/A, C, A*C, x, exp(A), f(B), and B likewise.

    B, the argument of all functions but exp, has arithmetic only. Every production is equally likely.
    """
    made: list[Production] = []
    for left in (A, B):
        made += [_binary(left, row.code, scaled=False) for row in operators if row.arity == 2]
        made.append(Production(left, (), (C,)))
        made.append(Production(left, (left,), ((), C + TIMES)))
        made += [Production(left, (), ((packed(VARIABLE, column),),)) for column in range(n_variables)]
    for row in operators:
        if row.arity == 1 and row.code != POWI:
            made.append(_unary(_Style(A, A if row.name == "exp" else B, (), coefficients=False), row.code))
    return ProductionRules(tuple(made))
