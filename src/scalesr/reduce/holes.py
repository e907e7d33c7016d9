"""Holes: a law with one part taken out, and what the rows say that part should have been.

The part is a function of one or two arguments: columns, or formulas that several columns enter as. With
all else held, each row of the table tells a value of it: to first order its own value there, moved by the
residual over the slope of the law in it. Such rows are a smaller problem with a noise of their own, and
whatever solves it goes back into the hole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.constants import UNKNOWN_SIZE
from scalesr.evidence.criterion import PER_SYMBOL, structure_length
from scalesr.evidence.residual_tests import low_polynomials, ranks
from scalesr.expr.evaluate import evaluate, evaluate_many, gradient
from scalesr.expr.expression import Expression, apply, constant, join, leaf_of, variable
from scalesr.expr.fold import Node, fold
from scalesr.expr.printing import to_text
from scalesr.expr.substitute import substitute
from scalesr.kernels.codes import ADD, DIV, MUL, NEG, SUB
from scalesr.records.dataset import Dataset
from scalesr.reduce.config import REDUCE

Floats = NDArray[np.float64]

PARALLEL: Final = 1e-4  # sine of the angle between gradients of one direction, of which rounding leaves the square


@dataclass(frozen=True, slots=True)
class Hole:
    """A law in which one more column, the last, stands in the place of a part; the part, and what it depends on."""

    frame: Expression
    part: Expression
    arguments: tuple[Expression, ...]
    n_columns: int  # of the table

    def filled(self, part: Expression) -> Expression:
        """The law with another part, which is a formula over the columns of the table."""
        return substitute(self.frame, {self.n_columns: part})

    @property
    def excess(self) -> float:
        """What the part costs to write beyond its arguments and what joins them: the most that another one saves."""
        least = sum(structure_length(one) for one in self.arguments) + (len(self.arguments) - 1) * PER_SYMBOL
        return structure_length(self.part) - least + len(self.part.constants) * UNKNOWN_SIZE


@dataclass(frozen=True, slots=True, eq=False)
class HoleProblem:
    """What the rows say of a part: a problem of its own, and how much of it the part does not explain."""

    data: Dataset
    lack: float  # nats that low polynomials of the arguments gain over the part


def holes(law: Expression, table: Floats) -> list[Hole]:
    """Every part of a law that depends on few arguments; operands of a sum or a product may be one part together."""
    some = table[:: max(len(table) // REDUCE.rows_of_gradients, 1)]
    tree, used, n_columns = _tree(law), law.variables, table.shape[1]
    found: dict[tuple[Expression, tuple[Expression, ...]], Hole] = {}
    for size in range(1, min(REDUCE.columns_of_a_part, len(used)) + 1):
        for columns in combinations(used, size):
            for frame, inside in _taken_out(tree, _only(columns), n_columns):
                for hole in _with_arguments(frame, inside, some):
                    is_whole = hole.frame == variable(n_columns) and len(used) == len(hole.arguments)
                    if hole.part.variables and not is_whole:
                        found.setdefault((hole.frame, hole.arguments), hole)
    return list(found.values())


def told_of(hole: Hole, data: Dataset) -> HoleProblem | None:
    """What each row says of a part; None where most rows say nothing: no value, or no slope of the law in the part."""
    with np.errstate(all="ignore"):
        columns = evaluate_many(hole.arguments, data.table)
        values = evaluate(hole.part, data.table)
        table = np.column_stack([data.table, values])
        slopes = gradient(hole.frame, table)[:, hole.n_columns]
        off = (data.y - evaluate(hole.frame, table)) / slopes
        weights = slopes**2 * (1.0 if data.weights is None else data.weights)
        weights /= weights.max()
    usable = np.isfinite(weights) & np.isfinite(off) & np.isfinite(values) & np.isfinite(columns).all(axis=0)
    usable &= np.nan_to_num(weights) >= REDUCE.least_weight_of_a_part
    if np.count_nonzero(usable) * 2 < data.n_rows:
        return None
    names = tuple(to_text(one, data.names) for one in hole.arguments)
    kept = np.ascontiguousarray(columns[:, usable])
    rows = Dataset(kept, (values + off)[usable], names, data.target, weights[usable])
    return HoleProblem(rows, _lack(off[usable], weights[usable], kept))


def _lack(off: Floats, weights: Floats, columns: Floats) -> float:
    """What low polynomials of the columns gain over what is there, in nats."""
    roots = np.sqrt(weights)
    basis = low_polynomials(ranks(columns), len(off) // EVIDENCE.rows_per_direction)
    design = np.column_stack([np.ones(len(off)), basis]) * roots[:, np.newaxis]
    target = off * roots
    left = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
    before, after = float(target @ target), float(left @ left)
    if before == 0 or after == 0:
        return 0.0
    gain = 0.5 * len(off) * math.log(before / after) - 0.5 * float(design.shape[1]) * math.log(len(off))
    return max(gain, 0.0)


class _Tree(NamedTuple):
    """A formula whose sums and products have any number of operands, each with a sign or a power of 1 or -1."""

    kind: Literal["sum", "product", "other"]
    operands: tuple[tuple[int, _Tree], ...]
    node: Node | None
    leaf: Expression | None
    columns: frozenset[int]


def _with_arguments(frame: Expression, inside: _Tree, table: Floats) -> Iterator[Hole]:
    """A part as a function of its columns, where these are few, and of formulas that they enter as."""
    part, n_columns = _formula(inside), table.shape[1]
    columns = [variable(column) for column in part.variables]
    if len(columns) <= REDUCE.arguments_of_a_part:
        yield Hole(frame, part, tuple(columns), n_columns)
    if len(columns) == 1:
        return
    for entering in _pairings(part):
        slopes = gradient(entering, table)[:, entering.variables]
        others = tuple(one for one in columns if one.variables[0] not in entering.variables)
        if len(others) >= REDUCE.arguments_of_a_part:
            continue

        def is_inside(one: _Tree, entering: Expression = entering, slopes: Floats = slopes) -> bool:
            if not one.columns & set(entering.variables):
                return not one.columns
            return _agree(gradient(_formula(one), table)[:, entering.variables], slopes)

        if is_inside(inside):
            yield Hole(frame, part, (entering, *others), n_columns)
        elif not others and inside.kind != "other":
            for inner, kept in _taken_out(inside, is_inside, n_columns):
                if kept.columns:
                    yield Hole(substitute(frame, {n_columns: inner}), _formula(kept), (entering,), n_columns)


def _pairings(part: Expression) -> list[Expression]:
    """Formulas that two or more columns may enter as: parts of the part, the largest first, then plain pairs."""
    inner = [one for one in _subtrees(part) if len(one.variables) > 1]
    found = sorted(inner, key=lambda one: -len(one.variables))
    for first, second in combinations(part.variables, 2):
        found += [apply(name, variable(first), variable(second)) for name in ("*", "/", "-", "+")]
    return list(dict.fromkeys(found))


def _agree(slopes: Floats, others: Floats) -> bool:
    """Whether gradients (rows, columns) have one direction on all rows."""
    with np.errstate(all="ignore"):  # slopes may be infinite, or beyond the range of floats together
        sizes = np.linalg.norm(slopes, axis=1) * np.linalg.norm(others, axis=1)
    if not (np.isfinite(sizes).all() and sizes.any()):
        return False
    with np.errstate(all="ignore"):
        cosines = np.abs((slopes * others).sum(axis=1)) / sizes
    return bool((np.nan_to_num(cosines, nan=1.0) >= np.sqrt(1 - PARALLEL**2)).all())


def _subtrees(expr: Expression) -> list[Expression]:
    """All operands within a formula but leaves."""
    found: list[Expression] = []

    def node(node: Node, operands: list[Expression]) -> Expression:
        found.append(join(node.code, operands, power=node.power))
        return found[-1]

    fold(expr, leaf_of, node)
    return found


def _tree(expr: Expression) -> _Tree:
    """A formula with its sums and products flattened."""
    return fold(expr, lambda leaf: _of_leaf(leaf_of(leaf)), _of_node)


def _of_leaf(leaf: Expression) -> _Tree:
    return _Tree("other", (), None, leaf, frozenset(leaf.variables))


def _of_node(node: Node, operands: list[_Tree]) -> _Tree:
    columns = frozenset[int]().union(*(operand.columns for operand in operands))
    if node.code in (ADD, SUB, NEG):
        signs = (-1,) if node.code == NEG else (1, -1 if node.code == SUB else 1)
        return _Tree("sum", _flat("sum", signs, operands), None, None, columns)
    if node.code in (MUL, DIV):
        powers = (1, -1 if node.code == DIV else 1)
        return _Tree("product", _flat("product", powers, operands), None, None, columns)
    return _Tree("other", tuple((1, operand) for operand in operands), node, None, columns)


def _flat(kind: str, signs: Sequence[int], operands: Sequence[_Tree]) -> tuple[tuple[int, _Tree], ...]:
    """The operands of a sum or product, with those of operands of the same kind in their place."""
    found: list[tuple[int, _Tree]] = []
    for sign, operand in zip(signs, operands, strict=True):
        if operand.kind == kind:
            found += [(sign * inner, one) for inner, one in operand.operands]
        else:
            found.append((sign, operand))
    return tuple(found)


def _formula(tree: _Tree) -> Expression:
    """The formula that a tree stands for."""
    if tree.leaf is not None:
        return tree.leaf
    if tree.node is not None:
        return join(tree.node.code, [_formula(one) for _, one in tree.operands], power=tree.node.power)
    return _joined(tree.kind, [(sign, _formula(one)) for sign, one in tree.operands])


def _joined(kind: str, operands: Sequence[tuple[int, Expression]]) -> Expression:
    """A sum of operands with their signs, or a product of them with powers of 1 and -1."""
    forth, back = (ADD, SUB) if kind == "sum" else (MUL, DIV)
    ordered = sorted(operands, key=lambda pair: -pair[0])
    first, whole = ordered[0]
    if first < 0:
        whole = join(NEG, [whole]) if kind == "sum" else join(DIV, [constant(1.0), whole])
    for sign, one in ordered[1:]:
        whole = join(forth if sign > 0 else back, [whole, one])
    return whole


def _only(columns: Sequence[int]) -> Callable[[_Tree], bool]:
    """Whether a tree depends on no other columns than these."""
    within = frozenset(columns)
    return lambda tree: tree.columns <= within


def _taken_out(tree: _Tree, is_inside: Callable[[_Tree], bool], n_columns: int) -> Iterator[tuple[Expression, _Tree]]:
    """Frames with a hole and what was in it, for the largest parts that are inside; constants go with them."""
    hole = variable(n_columns)
    if tree.columns and is_inside(tree):
        yield hole, tree
        return
    inside = [tree.kind != "other" and is_inside(one) for _, one in tree.operands]
    taken = tuple(pair for pair, is_in in zip(tree.operands, inside, strict=True) if is_in)
    if any(one.columns for _, one in taken):
        columns = frozenset[int]().union(*(one.columns for _, one in taken))
        outside = [(s, _formula(one)) for (s, one), is_in in zip(tree.operands, inside, strict=True) if not is_in]
        yield _joined(tree.kind, [(1, hole), *outside]), _Tree(tree.kind, taken, None, None, columns)
    for place, (_, operand) in enumerate(tree.operands):
        if inside[place]:
            continue
        for frame, part in _taken_out(operand, is_inside, n_columns):
            yield _with_operand(tree, place, frame), part


def _with_operand(tree: _Tree, place: int, operand: Expression) -> Expression:
    """The formula of a tree with another operand in one place."""
    operands = [operand if k == place else _formula(one) for k, (_, one) in enumerate(tree.operands)]
    if tree.node is not None:
        return join(tree.node.code, operands, power=tree.node.power)
    return _joined(tree.kind, [(sign, one) for (sign, _), one in zip(tree.operands, operands, strict=True)])
