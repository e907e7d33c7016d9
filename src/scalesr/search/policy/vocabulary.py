"""Vocabulary: the tokens of pre-order sequences, and the way to formulas and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression
from scalesr.expr.fold import fold
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import CONSTANT, COS, EXP, LOG, NEG, OPEN, POWI, SIN, SQRT, TAN, VARIABLE

Tokens = NDArray[np.int64]
Symbol = tuple[int, int]  # a code of the kernels, and a column or an exponent

POWERS: Final = (2, 3)
TRIGONOMETRIC: Final = (SIN, COS, TAN)
INVERSES: Final[tuple[tuple[Symbol, Symbol], ...]] = (
    ((EXP, 0), (LOG, 0)),
    ((SQRT, 0), (POWI, 2)),
    ((NEG, 0), (NEG, 0)),
    ((POWI, -1), (POWI, -1)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Facts about each token, one line each. Make one with `over`.

    The number behind the last token, `none`, fills the end of sequences and stands for the parent
    of a root and the sibling of a first operand; it has its own line where an array says so.
    """

    symbols: tuple[Symbol, ...]
    token: dict[Symbol, int]
    arity: NDArray[np.int64]  # (tokens + 1,)
    is_variable: NDArray[np.bool_]  # (tokens,)
    is_constant: NDArray[np.bool_]  # (tokens + 1,)
    is_trigonometric: NDArray[np.bool_]  # (tokens,)
    is_inverse: NDArray[np.bool_]  # (tokens + 1, tokens) of a parent and its operand

    @classmethod
    def over(cls, operators: Operators, n_variables: int, *, powers: tuple[int, ...] = POWERS) -> Vocabulary:
        """The tokens of an operator set: its members, each integer power, each variable, one constant."""
        symbols: list[Symbol] = []
        arity: list[int] = []
        for row in operators:
            members = [(POWI, power) for power in powers] if row.code == POWI else [(row.code, 0)]
            symbols += members
            arity += [row.arity] * len(members)
        leaves = [*((VARIABLE, column) for column in range(n_variables)), (OPEN, 0)]
        symbols += leaves
        arity += [0] * len(leaves)
        codes = np.array([code for code, _ in symbols])
        return cls(
            tuple(symbols),
            {symbol: token for token, symbol in enumerate(symbols)},
            np.array([*arity, 0]),
            codes == VARIABLE,
            np.append(codes == OPEN, False),
            np.isin(codes, TRIGONOMETRIC),
            _inverse_pairs(symbols),
        )

    @property
    def n_tokens(self) -> int:
        return len(self.symbols)

    @property
    def none(self) -> int:
        return len(self.symbols)

    def knows(self, expr: Expression) -> bool:
        """Whether every node of a formula has a token; numbers count as open constants."""
        pairs = zip(expr.codes.tolist(), expr.args.tolist(), strict=True)
        return all(_symbol(code, arg) in self.token for code, arg in pairs)

    def sequence(self, expr: Expression) -> list[int]:
        """The tokens of a formula in pre-order, every constant open."""
        if not self.knows(expr):
            raise FormulaError(f"{expr} has an operator or a variable without a token; add it to the operators.")
        return fold(
            expr,
            leaf=lambda leaf: [self.token[_symbol(leaf.code, leaf.index)]],
            node=lambda node, kids: [self.token[node.code, node.power], *(t for kid in kids for t in kid)],
        )

    def expression(self, sequence: Tokens | list[int]) -> Expression:
        """The skeleton of one whole pre-order sequence; what follows its end must be `none`."""
        given = np.asarray(sequence)
        postfix: list[int] = []
        waiting: list[list[int]] = []  # operators, and how many operands each still lacks
        arity, none = self.arity.tolist(), self.none
        tokens = given[given != none].tolist()
        for place, token in enumerate(tokens):
            if place and not waiting:
                break
            if arity[token]:
                waiting.append([token, arity[token]])
                continue
            postfix.append(token)
            _close(postfix, waiting)
        if waiting or not tokens or len(postfix) != len(tokens):
            raise FormulaError(f"The tokens {given.tolist()} are not one whole formula in pre-order.")
        return self._skeleton(postfix)

    def _skeleton(self, postfix: list[int]) -> Expression:
        codes, args = np.array([self.symbols[token] for token in postfix], np.int32).T.copy()
        is_open = codes == OPEN
        n_open = int(np.count_nonzero(is_open))
        args[is_open] = np.arange(n_open)
        return Expression(codes, args, np.full(n_open, np.nan))


def padded(sequences: list[list[int]], vocabulary: Vocabulary, length: int) -> Tokens:
    """Sequences as the rows of one array (sequences, length)."""
    rows = np.full((len(sequences), length), vocabulary.none)
    for row, sequence in zip(rows, sequences, strict=True):
        row[: len(sequence)] = sequence
    return rows


def _close(postfix: list[int], waiting: list[list[int]]) -> None:
    """Note that an operand is whole, and write down every operator that it completes."""
    while waiting:
        waiting[-1][1] -= 1
        if waiting[-1][1]:
            break
        postfix.append(waiting.pop()[0])


def _symbol(code: int, arg: int) -> Symbol:
    return (OPEN, 0) if code in (CONSTANT, OPEN) else (code, arg)


def _inverse_pairs(symbols: list[Symbol]) -> NDArray[np.bool_]:
    found = np.zeros((len(symbols) + 1, len(symbols)), dtype=bool)
    for one, other in INVERSES:
        if one in symbols and other in symbols:
            a, b = symbols.index(one), symbols.index(other)
            found[a, b] = found[b, a] = True
    return found
