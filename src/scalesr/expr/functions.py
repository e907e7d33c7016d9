"""Formulas as functions of torch tensors or JAX arrays, the door to both libraries for this.

No source code is made and run: the table's templates name the library's function for each operator.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, Final

from scalesr.errors import FormulaError, MissingExtra, OperatorError
from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.operators import BY_CODE, Operator
from scalesr.kernels.codes import POWI, VARIABLE

ArrayFunction = Callable[[Any], Any]  # (rows, columns) -> (rows,)

_CALL: Final = re.compile(r"\w+\.(\w+)\(")
_INFIX: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "neg": operator.neg,
}


def torch_function(expr: Expression) -> ArrayFunction:
    """The formula as a function of a tensor (rows, columns), to be differentiated or put into a network."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("A function of tensors needs torch: pip install 'scalesr[torch]'.") from error

    def number(value: float, X: Any) -> Any:
        return torch.tensor(value, dtype=X.dtype, device=X.device)

    return array_function(expr, torch, lambda row: row.torch, number)


def jax_function(expr: Expression) -> ArrayFunction:
    """The formula as a function of a JAX array (rows, columns), for jit, grad and vmap."""
    try:
        import jax.numpy as library
    except ImportError as error:
        raise MissingExtra("A function of JAX arrays needs JAX: pip install jax.") from error
    return array_function(expr, library, lambda row: row.numpy, lambda value, X: library.asarray(value, dtype=X.dtype))


def array_function(
    expr: Expression, library: Any, template: Callable[[Operator], str], number: Callable[[float, Any], Any]
) -> ArrayFunction:
    """The formula with the functions of a library that `template` names; `number` makes one of its numbers."""
    if expr.n_open:
        raise FormulaError(f"The formula has {expr.n_open} open constants; give them values with bind() first.")
    functions = {code: _function(BY_CODE[code], library, template) for code in set(expr.codes.tolist()) & set(BY_CODE)}

    def law(X: Any) -> Any:
        def leaf(one: Leaf) -> Any:
            return X[..., one.index] if one.code == VARIABLE else number(one.value, X)

        def node(one: Node, operands: list[Any]) -> Any:
            if one.code == POWI:
                operands = [operands[0], number(float(one.power), X)]
            return functions[one.code](*operands)

        return fold(expr, leaf=leaf, node=node) + 0 * X[..., 0]  # a law without variables has a value per row too

    return law


def _function(row: Operator, library: Any, template: Callable[[Operator], str]) -> Callable[..., Any]:
    if row.name in _INFIX:
        return _INFIX[row.name]
    called = _CALL.match(template(row))
    if called is None:
        raise OperatorError(f"Operator {row.name!r} has no template for this library; give its row one to export it.")
    found: Callable[..., Any] = getattr(library, called[1])
    return found
