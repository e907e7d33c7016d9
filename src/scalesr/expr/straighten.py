"""Parts of a law that are straight lines on the rows, written as such.

A search on curves with an error finds functions that bend no more than the error hides: a tangent
over a small range, say. On the rows such a part is a line with as many constants or fewer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant, join, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import DIV, MUL, VARIABLE

Floats = NDArray[np.float64]

LINE_NODES = 5  # of C*x + C
STRAIGHT = 0.05  # of its standard deviation: how far a part may be from a line to be tried as one
N_ROWS = 300  # that tell how straight a part is


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a formula, and the same with one part of its own straightened, in every way."""

    whole: Expression
    variants: tuple[Expression, ...] = ()


def straightened(expr: Expression, table: Floats) -> list[Expression]:
    """The closed formula with one of its parts in one variable replaced by a line, wherever it is nearly one."""
    rows = table[:: -(-len(table) // N_ROWS)]

    def leaf(leaf: Leaf) -> _Part:
        return _Part(variable(leaf.index) if leaf.code == VARIABLE else constant(leaf.value))

    def node(node: Node, operands: list[_Part]) -> _Part:
        wholes = [operand.whole for operand in operands]
        whole = join(node.code, wholes, power=node.power)
        inner = [
            join(node.code, [*wholes[:place], variant, *wholes[place + 1 :]], power=node.power)
            for place, operand in enumerate(operands)
            for variant in operand.variants
        ]
        if (line := _line(whole, rows)) is not None:
            inner.append(line)
        elif node.code == DIV and (below := _line(join(DIV, [constant(1.0), wholes[1]]), rows)) is not None:
            inner.append(join(MUL, [wholes[0], below]))
        return _Part(whole, tuple(inner))

    return list(fold(expr, leaf, node).variants)


def _line(part: Expression, rows: Floats) -> Expression | None:
    """The line that a part nearly is; None for what bends, and for what is no longer than a line."""
    if len(part.variables) != 1 or part.n_nodes <= LINE_NODES:
        return None
    x, values = rows[:, part.variables[0]], evaluate(part, rows)
    if not np.isfinite(values).all() or np.ptp(x) == 0:
        return None
    with np.errstate(all="ignore"):
        slope = float(np.cov(x, values)[0, 1] / x.var(ddof=1))
        level = float(values.mean() - slope * x.mean())
        bend = float((values - slope * x - level).std())
    if not np.isfinite([slope, level, bend]).all() or bend > STRAIGHT * float(values.std()):
        return None
    return apply("+", apply("*", constant(slope), variable(part.variables[0])), constant(level))
