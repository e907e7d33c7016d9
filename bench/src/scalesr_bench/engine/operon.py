"""Our formulas in pyoperon, the fastest peer; it computes in single precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import MissingExtra
from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels import codes


def has_operon() -> bool:
    """Whether the comparison can be made."""
    return find_spec("pyoperon") is not None


class Operon:
    """One table, ready for pyoperon."""

    def __init__(self, X: NDArray[np.float64]) -> None:  # (rows, columns)
        if not has_operon():
            raise MissingExtra("The comparison needs pyoperon: pip install 'scalesr-bench[rivals]'")
        import pyoperon

        self._operon = pyoperon
        self._dataset = pyoperon.Dataset(np.asfortranarray(X))
        self._range = pyoperon.Range(0, len(X))
        self._hashes = [column.Hash for column in self._dataset.Variables]
        self._types = _node_types(pyoperon.NodeType)

    def tree(self, expr: Expression) -> Any:
        """The same formula; pyoperon's postfix order puts the last operand first."""

        def leaf(leaf: Leaf) -> list[Any]:
            if leaf.code != codes.VARIABLE:
                return [self._operon.Node.Constant(leaf.value)]
            node = self._operon.Node.Variable(1.0)
            node.HashValue = self._hashes[leaf.index]
            return [node]

        def join(node: Node, kids: list[list[Any]]) -> list[Any]:
            return [part for kid in reversed(kids) for part in kid] + [self._operon.Node(self._types[node.code])]

        return self._operon.Tree(fold(expr, leaf=leaf, node=join)).UpdateNodes()

    def evaluate(self, tree: Any) -> NDArray[np.float32]:  # (rows,)
        """One call per tree."""
        values: NDArray[np.float32] = self._operon.Evaluate(tree, self._dataset, self._range)
        return values

    def batch(self, trees: Sequence[Any]) -> Callable[[], None]:
        """One call for all trees, on one thread, into an array made beforehand."""
        result = np.empty((len(trees), self._range.Size), np.float32)
        return lambda: self._operon.EvaluateTrees(trees, self._dataset, self._range, result, 1)


def _node_types(kinds: Any) -> dict[int, Any]:
    return {
        codes.ADD: kinds.Add,
        codes.SUB: kinds.Sub,
        codes.MUL: kinds.Mul,
        codes.DIV: kinds.Div,
        codes.SQRT: kinds.Sqrt,
        codes.SIN: kinds.Sin,
        codes.COS: kinds.Cos,
        codes.EXP: kinds.Exp,
        codes.LOG: kinds.Log,
        codes.TANH: kinds.Tanh,
    }
