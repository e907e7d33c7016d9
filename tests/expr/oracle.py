"""What every built-in operator means, written a second time and with other libraries."""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import mpmath
import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.expr.fold import fold
from scalesr.expr.operators import BY_CODE, BY_NAME, Operator
from scalesr.kernels.codes import FIRST_CUSTOM, POWI, VARIABLE

EXACT: Final[dict[str, Callable[..., Any]]] = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "/": python.truediv,
    "^": mpmath.power,
    "min": min,
    "max": max,
    "neg": python.neg,
    "powi": mpmath.power,
    "sqrt": mpmath.sqrt,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "exp": mpmath.exp,
    "log": mpmath.log,
    "tanh": mpmath.tanh,
    "asin": mpmath.asin,
    "acos": mpmath.acos,
    "atan": mpmath.atan,
    "abs": abs,
}
ARRAYS: Final[dict[str, Callable[..., Any]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.float_power,
    "min": np.minimum,
    "max": np.maximum,
    "neg": np.negative,
    "powi": np.float_power,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "abs": np.abs,
}


def values(expr: Expression, columns: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The formula on arrays, one per column; NaN and inf where it is not defined."""
    return _parts(expr, columns)[-1]


def is_defined(expr: Expression, columns: Sequence[NDArray[np.float64]]) -> bool:
    """Whether every part of the formula is a finite number in every row."""
    return all(np.isfinite(part).all() for part in _parts(expr, columns))


def _parts(expr: Expression, columns: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """The values of every subtree, the whole formula's last."""
    parts: list[NDArray[np.float64]] = []

    def kept(found: Any) -> Any:
        parts.append(np.broadcast_to(np.asarray(found, np.float64), np.shape(columns[0])))
        return found

    def node(node: Any, kids: list[Any]) -> Any:
        operands = [*kids, float(node.power)] if node.code == POWI else kids
        return kept(ARRAYS[BY_CODE[node.code].name](*operands))

    with np.errstate(all="ignore"):
        fold(expr, leaf=lambda leaf: kept(columns[leaf.index] if leaf.code == VARIABLE else leaf.value), node=node)
    return parts


@contextmanager
def registered(row: Operator) -> Iterator[Operator]:
    """The table with one more row, for as long as the block lasts."""
    BY_NAME[row.name] = BY_CODE[row.code] = row
    try:
        yield row
    finally:
        del BY_NAME[row.name], BY_CODE[row.code]


def custom_row(name: str = "square_it", arity: int = 1, **fields: Any) -> Operator:
    """A row as a user's operator has one, without a kernel behind it."""
    operands = ", ".join(f"{{{place}}}" for place in range(arity))
    upright = name.replace("_", r"\_")
    latex = rf"\operatorname{{{{{upright}}}}}\left({operands}\right)"
    code = FIRST_CUSTOM + 200 + arity - 1
    return Operator(name, code, arity, f"{name}({operands})", latex, **({"derivative": ()} | fields))
