"""Filling: a frame with formulas in its holes as one law that remembers which of its parts are whose.

A hole that is used twice has its constants once: the places at which one of them stands in the law are tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.associate import associated
from scalesr.expr.expression import Expression
from scalesr.expr.frame import Frame
from scalesr.expr.signs import with_signs_before_terms
from scalesr.expr.substitute import substitute
from scalesr.records.discovery import Part
from scalesr.records.equation import Equation

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Filling:
    """A frame's own formula and one for each hole that has one; what is open in them has a value, in this order."""

    frame: Frame
    law: Expression  # the frame's own formula; the constants of it that were read as numbers are closed
    parts: tuple[Expression | None, ...]  # over the arguments of their holes
    values: Floats

    @property
    def pieces(self) -> tuple[Expression | None, ...]:
        """All formulas that may have constants."""
        return (self.law, *self.parts)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Where the values of each piece begin and end."""
        counts = [0 if piece is None else piece.n_open for piece in self.pieces]
        return (0, *(int(end) for end in np.cumsum(counts)))

    @cached_property
    def skeleton(self) -> Expression:
        """The law over the columns of the table and, after these, one for each use of a hole without a formula."""
        return associated(self.frame.filled(self.parts, self.law))

    @cached_property
    def places(self) -> Places:
        """Which of the values each open constant of the skeleton is."""
        numbered = [
            None if piece is None else piece.bind(np.arange(low, high))
            for piece, (low, high) in zip(self.pieces, pairwise(self.ends), strict=True)
        ]
        law = associated(self.frame.filled(numbered[1:], numbered[0]))
        return law.constants[self.skeleton.open_indices].astype(np.int64)

    @property
    def is_tied(self) -> bool:
        """Whether a constant stands at several places."""
        return len(np.unique(self.places)) < len(self.places)

    @property
    def closed_law(self) -> Expression:
        """The law with its values."""
        return self.skeleton.bind(self.values[self.places])

    def closed(self, number: int) -> Expression | None:
        """One of the pieces with its values."""
        piece = self.pieces[number]
        return None if piece is None else piece.bind(self.values[slice(*self.ends[number : number + 2])])

    def with_values(self, values: Floats) -> Filling:
        """The same formulas with other numbers."""
        return replace(self, values=np.asarray(values, np.float64))

    def with_piece(self, number: int, piece: Expression | None, values: Floats) -> Filling:
        """Another formula, with its numbers, in the place of one of the pieces; None takes one out."""
        low, high = self.ends[number : number + 2]
        pieces = [*self.pieces[:number], piece, *self.pieces[number + 1 :]]
        whole = np.concatenate([self.values[:low], values, self.values[high:]])
        return Filling(self.frame, pieces[0] or self.law, tuple(pieces[1:]), whole)

    def told(self, covariance: Floats) -> tuple[Part, ...]:
        """What is in every hole; `covariance` is that of the skeleton's open constants."""
        first = [int(np.flatnonzero(self.places == place)[0]) for place in range(len(self.values))]
        return tuple(
            self._part(hole, covariance[np.ix_(first, first)])
            for hole, part in enumerate(self.parts)
            if part is not None
        )

    def _part(self, hole: int, covariance: Floats) -> Part:
        own = slice(*self.ends[hole + 1 : hole + 3])
        skeleton = substitute(_formula(self.parts[hole]), dict(enumerate(self.frame.arguments(hole))))
        errors = np.zeros((len(skeleton.constants),) * 2)
        errors[np.ix_(skeleton.open_indices, skeleton.open_indices)] = covariance[own, own]
        expression, signs = with_signs_before_terms(skeleton.bind(self.values[own]))
        return Part(self.frame.title(hole), Equation(expression, self.frame.names, errors * np.outer(signs, signs)))


def empty(frame: Frame) -> Filling:
    """A frame without any hole filled, its own constants one."""
    return Filling(frame, frame.law, (None,) * len(frame.holes), np.ones(frame.law.n_open))


def filled(begun: Filling, forms: Sequence[Expression]) -> Filling:
    """A filling with closed formulas in its empty holes, all their constants open and with these values."""
    waiting = list(forms)
    for number, part in enumerate(begun.parts, start=1):
        if part is None:
            form = waiting.pop(0)
            begun = begun.with_piece(number, form.skeleton(), form.constants)
    return begun


def _formula(part: Expression | None) -> Expression:
    if part is None:
        raise ValueError("This hole has no formula.")
    return part
