"""Forms of grouped laws: constants that differ are variables behind the columns, shared ones are open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scalesr.expr.expression import Expression, open_constant, variable
from scalesr.expr.substitute import substitute
from scalesr.kernels.codes import CONSTANT, OPEN, VARIABLE


def with_letters(skeleton: Expression, places: Sequence[int], n_columns: int) -> Expression:
    """A skeleton whose open constants at some places, counted from the left, are variables from `n_columns` on."""
    letters = {place: n_columns + number for number, place in enumerate(places)}
    codes, args = skeleton.codes.copy(), skeleton.args.copy()
    constants: list[float] = []
    place = -1
    for node in range(skeleton.n_nodes):
        if skeleton.codes[node] == OPEN:
            place += 1
            if place in letters:
                codes[node], args[node] = VARIABLE, letters[place]
                continue
        elif not _is_constant(skeleton, node):
            continue
        args[node] = len(constants)
        constants.append(float(skeleton.constants[skeleton.args[node]]))
    return Expression(codes, args, np.array(constants, np.float64))


def in_one_group(form: Expression, n_columns: int) -> Expression | None:
    """The form with its letters open; None where a letter occurs twice, so that this would be two constants."""
    letters = letters_of(form, n_columns)
    if len(set(letters)) < len(letters):
        return None
    return substitute(form, {letter: open_constant() for letter in letters})


def letters_of(form: Expression, n_columns: int) -> list[int]:
    """The variables that are letters, from left to right, as often as they occur."""
    used = form.args[form.codes == VARIABLE].tolist()
    return [index for index in used if index >= n_columns]


def numbered(form: Expression, n_columns: int) -> tuple[Expression, list[int]]:
    """The form with its letters numbered without gaps, and the old number of each, both from 0."""
    kept = sorted(set(letters_of(form, n_columns)))
    moved = {letter: variable(n_columns + place) for place, letter in enumerate(kept)}
    return substitute(form, moved), [letter - n_columns for letter in kept]


def _is_constant(skeleton: Expression, node: int) -> bool:
    return bool(skeleton.codes[node] == CONSTANT)
