"""Values and derivatives of formulas on the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.expr.expression import Expression
from scalesr.expr.programs import columns_of, pack, program_of, require_closed, require_columns
from scalesr.expr.threads import share_out
from scalesr.kernels.evaluate import evaluate_programs
from scalesr.kernels.table import table
from scalesr.kernels.tape import gradient_by_variables, jacobian_by_constants, values_and_jacobian


def evaluate(expr: Expression, X: ArrayLike) -> NDArray[np.float64]:
    """Values of a formula on the rows of X (rows, columns); NaN or inf where it has none."""
    columns = _checked_columns(expr, X)
    values = np.empty(columns.shape[1])
    evaluate_programs.call(table(), *program_of(expr), columns, values[np.newaxis])
    return values


def evaluate_many(exprs: Sequence[Expression], X: ArrayLike, *, n_threads: int = 1) -> NDArray[np.float64]:
    """Values of many formulas (formulas, rows); the result does not depend on `n_threads`."""
    columns = columns_of(X)
    for expr in exprs:
        require_closed(expr)
        require_columns(expr, columns.shape[0])
    values = np.empty((len(exprs), columns.shape[1]))
    addresses = table()

    def work(share: slice) -> None:
        evaluate_programs.call(addresses, *pack(exprs[share]), columns, values[share])

    share_out(work, len(exprs), n_threads)
    return values


def jacobian(expr: Expression, X: ArrayLike) -> NDArray[np.float64]:
    """Derivatives of a closed formula by each of its constants, (rows, constants)."""
    columns = _checked_columns(expr, X)
    values = np.empty(columns.shape[1])
    by_constant = np.empty((len(expr.constants), columns.shape[1]))
    jacobian_by_constants.call(
        values_and_jacobian.address, table(), expr.codes, expr.args, expr.constants, columns, values, by_constant
    )
    return by_constant.T


def gradient(expr: Expression, X: ArrayLike) -> NDArray[np.float64]:
    """Derivatives of a closed formula by each column of X, (rows, columns)."""
    columns = _checked_columns(expr, X)
    by_column = np.zeros(columns.shape)
    gradient_by_variables.call(table(), expr.codes, expr.args, expr.constants, columns, by_column)
    return by_column.T


def _checked_columns(expr: Expression, X: ArrayLike) -> NDArray[np.float64]:
    require_closed(expr)
    columns = columns_of(X)
    require_columns(expr, columns.shape[0])
    return columns
