"""Formulas and tables as the flat arrays that kernels take."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import DataError, FormulaError
from scalesr.expr.expression import MAX_POWER, Expression
from scalesr.expr.operators import BY_CODE
from scalesr.kernels.codes import CONSTANT, OPEN, VARIABLE
from scalesr.kernels.sound import SOUND, first_unsound
from scalesr.masks import require_unmasked


class Programs(NamedTuple):
    """Many formulas one after another; formula p has nodes starts[p] to starts[p + 1].

    The arrays are read-only, as those of a formula are, so that kernels meet one array type.
    """

    codes: NDArray[np.int32]
    args: NDArray[np.int32]
    starts: NDArray[np.int64]  # (formulas + 1,)
    constants: NDArray[np.float64]
    constant_starts: NDArray[np.int64]  # (formulas + 1,)


def program_of(expr: Expression) -> Programs:
    """One formula as arrays, worked out once."""
    known: Programs | None = expr.memo.get("program")
    if known is None:
        ends = np.array([0, len(expr.codes)]), np.array([0, len(expr.constants)])
        for array in ends:
            array.setflags(write=False)
        known = expr.memo["program"] = Programs(expr.codes, expr.args, ends[0], expr.constants, ends[1])
    return known


def pack(exprs: Sequence[Expression]) -> Programs:
    """Formulas laid end to end."""
    if len(exprs) == 1:
        return program_of(exprs[0])
    packed = Programs(
        np.concatenate([np.empty(0, np.int32), *(expr.codes for expr in exprs)]),
        np.concatenate([np.empty(0, np.int32), *(expr.args for expr in exprs)]),
        _starts([len(expr.codes) for expr in exprs]),
        np.concatenate([np.empty(0), *(expr.constants for expr in exprs)]),
        _starts([len(expr.constants) for expr in exprs]),
    )
    for array in packed:
        array.setflags(write=False)
    return packed


def columns_of(X: ArrayLike) -> NDArray[np.float64]:
    """A table (rows, columns) as contiguous columns; free of copies when X is in Fortran order."""
    require_unmasked(X, "the table X")
    table = np.asarray(X, np.float64)
    if table.ndim == 1:
        table = table[:, np.newaxis]
    if table.ndim != 2:
        raise DataError(f"A table has rows and columns; this array has {table.ndim} dimensions.")
    columns = np.ascontiguousarray(table.T)
    return columns if columns.flags.writeable else columns.copy()  # kernels are compiled for one array type


def require_columns(expr: Expression, n_columns: int) -> None:
    """Refuse a formula that is none, and a table that lacks a column it uses: the door of compiled code."""
    needed = expr.memo.get("n_columns")
    if needed is None:
        if not are_sound(program_of(expr)):
            raise FormulaError("The arrays of this formula are not one whole tree; build it with parse() or apply().")
        needed = expr.memo["n_columns"] = expr.n_columns
    if needed > n_columns:
        raise DataError(f"The formula {expr} uses column {needed - 1} (from 0); the table has {n_columns} columns.")


def are_sound(programs: Programs) -> bool:
    """Whether compiled code may be handed these arrays: whole trees of known operators, constants in order."""
    return int(first_unsound.call(*programs, _known_codes(len(BY_CODE)), MAX_POWER)) == SOUND


@cache
def _known_codes(n_operators: int) -> NDArray[np.bool_]:
    """Which codes there are, worked out again when an operator has been defined."""
    del n_operators
    known = np.zeros(1 + max(BY_CODE), np.bool_)
    known[[VARIABLE, CONSTANT, OPEN, *BY_CODE]] = True
    known.setflags(write=False)
    return known


def require_closed(expr: Expression) -> None:
    """Refuse a skeleton where values are needed."""
    is_open = expr.memo.get("is_open")
    if is_open is None:
        is_open = expr.memo["is_open"] = expr.n_open > 0
    if is_open:
        raise FormulaError(f"{expr} has open constants; give them values with bind() or fit() first.")


def _starts(lengths: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
