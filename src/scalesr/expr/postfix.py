"""Postfix: a formula in the making, one node after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scalesr.errors import FormulaError
from scalesr.expr.expression import MAX_NODES, Expression
from scalesr.kernels.codes import CONSTANT, OPEN, VARIABLE


class TooLarge(FormulaError):
    """A formula with more than MAX_NODES nodes."""

    def __init__(self) -> None:
        super().__init__(f"The formula has more than {MAX_NODES} nodes, the most there can be; split it.")


@dataclass(slots=True)
class Postfix:
    """Lists that become an Expression; operands come before their operator."""

    codes: list[int] = field(default_factory=list)
    args: list[int] = field(default_factory=list)
    constants: list[float] = field(default_factory=list)

    def variable(self, column: int) -> None:
        self._node(VARIABLE, column)

    def constant(self, value: float) -> None:
        self._node(CONSTANT, len(self.constants))
        self.constants.append(value)

    def open_constant(self) -> None:
        self._node(OPEN, len(self.constants))
        self.constants.append(np.nan)

    def operator(self, code: int, power: int = 0) -> None:
        self._node(code, power)

    def drop_constant(self) -> float:
        """Take back the last node, a constant; its value."""
        self.codes.pop()
        self.args.pop()
        return self.constants.pop()

    def expression(self) -> Expression:
        """The formula, checked to be one whole tree."""
        return Expression.from_arrays(self.codes, self.args, self.constants)

    def _node(self, code: int, arg: int) -> None:
        if len(self.codes) >= MAX_NODES:
            raise TooLarge
        self.codes.append(code)
        self.args.append(arg)
