"""Growth: many pre-order sequences written side by side, one token of each at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.vocabulary import Tokens, Vocabulary

RowIndices = NDArray[np.int64]  # indices of sequences that are not whole yet


@dataclass(frozen=True, slots=True, eq=False)
class TokenFamily:
    """What the next token of each row stands under."""

    rows: RowIndices  # (rows,)
    place: NDArray[np.int64]  # (rows,) of the parent in its sequence, 0 for a root
    parent: Tokens  # (rows,) `none` for a root
    sibling: Tokens  # (rows,) root of the first operand for a second one, else `none`


class Growth:
    """Sequences in the making; all that are not whole have the same length."""

    def __init__(self, vocabulary: Vocabulary, rules: SequenceRules, n_rows: int) -> None:
        shape = (n_rows, rules.max_length)
        self.tokens = np.full(shape, vocabulary.none)
        self._vocabulary, self._rules = vocabulary, rules
        self._length = 0
        self._missing = np.zeros(shape, np.int64)  # operands that each token still waits for
        self._in_trigonometric = np.zeros(shape, dtype=bool)
        self._n_gaps = np.ones(n_rows, np.int64)  # operands missing in all
        self._n_constants = np.zeros(n_rows, np.int64)
        self._has_variable = np.zeros(n_rows, dtype=bool)
        self._arity_prior = _arity_prior(vocabulary)

    def family(self) -> TokenFamily:
        """The place where each unfinished sequence goes on; no rows when all are whole."""
        rows = np.flatnonzero(self._n_gaps)
        if self._length == 0:
            nothing = np.full(len(rows), self._vocabulary.none)
            return TokenFamily(rows, np.zeros_like(rows), nothing, nothing)
        waits = self._missing[rows, : self._length] > 0
        place = self._length - 1 - np.argmax(waits[:, ::-1], axis=1)  # the last that waits is the parent
        parent = self.tokens[rows, place]
        is_second = (self._vocabulary.arity[parent] == 2) & (self._missing[rows, place] == 1)
        first_operand = self.tokens[rows, np.minimum(place + 1, self._length - 1)]
        return TokenFamily(rows, place, parent, np.where(is_second, first_operand, self._vocabulary.none))

    def prior(self, family: TokenFamily) -> NDArray[np.float64]:  # (rows, tokens)
        """Logits before anything is learned; minus infinity where a rule forbids the token."""
        forbidden = self._forbidden_below(family) | self._forbidden_by_length(family.rows)
        forbidden |= self._forbidden_constants(family)
        stuck = forbidden.all(axis=1)  # too few operators for the rules: a variable is the way out
        forbidden[np.ix_(stuck, self._vocabulary.is_variable)] = False
        return np.where(forbidden, -np.inf, self._arity_prior + self._length_prior(family.rows))

    def write(self, family: TokenFamily, chosen: Tokens) -> None:
        """Put the next token into each row."""
        rows, vocabulary = family.rows, self._vocabulary
        if self._length:
            self._missing[rows, family.place] -= 1
        self.tokens[rows, self._length] = chosen
        self._missing[rows, self._length] = vocabulary.arity[chosen]
        self._n_gaps[rows] += vocabulary.arity[chosen] - 1
        self._n_constants[rows] += vocabulary.is_constant[chosen]
        self._has_variable[rows] |= vocabulary.is_variable[chosen]
        inside = self._in_trigonometric[rows, family.place] | vocabulary.is_trigonometric[chosen]
        self._in_trigonometric[rows, self._length] = inside
        self._length += 1

    def _forbidden_below(self, family: TokenFamily) -> NDArray[np.bool_]:
        vocabulary = self._vocabulary
        inside = self._in_trigonometric[family.rows, family.place]
        nested = inside[:, np.newaxis] & vocabulary.is_trigonometric
        return np.asarray(vocabulary.is_inverse[family.parent] | nested)

    def _forbidden_by_length(self, rows: RowIndices) -> NDArray[np.bool_]:
        """Operators that leave no room for their operands, leaves that end a sequence too early."""
        arity, gaps = self._vocabulary.arity[:-1], self._n_gaps[rows, np.newaxis]
        too_long = self._length + gaps + arity > self._rules.max_length
        too_short = (gaps == 1) & (arity == 0) & (self._length + 1 < self._rules.min_length)
        return np.asarray(too_long | too_short)

    def _forbidden_constants(self, family: TokenFamily) -> NDArray[np.bool_]:
        vocabulary, rows = self._vocabulary, family.rows
        alone = vocabulary.arity[family.parent] == 1
        alone |= vocabulary.is_constant[family.sibling]
        last_chance = (self._n_gaps[rows] == 1) & ~self._has_variable[rows]
        refused = alone | last_chance | (self._n_constants[rows] >= self._rules.max_constants)
        return np.asarray(refused[:, np.newaxis] & vocabulary.is_constant[:-1])

    def _length_prior(self, rows: RowIndices) -> NDArray[np.float64]:
        """A bell curve on the length that a sequence would have if leaves alone came after the token.

        It holds the last leaf back before the usual length, and operators that lead beyond it.
        """
        arity = self._vocabulary.arity[:-1]
        shortest = self._length + self._n_gaps[rows, np.newaxis] + arity
        away = (shortest - self._rules.usual_length) / self._rules.length_deviation
        ends_early = (arity == 0) & (self._n_gaps[rows, np.newaxis] == 1) & (away < 0)
        return np.where(ends_early | ((arity > 0) & (away > 0)), -0.5 * away**2, 0.0)


def _arity_prior(vocabulary: Vocabulary) -> NDArray[np.float64]:
    """Logits that make every number of operands equally likely."""
    arity = vocabulary.arity[:-1]
    return -np.log(np.bincount(arity)[arity])
