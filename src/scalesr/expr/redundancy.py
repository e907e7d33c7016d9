"""Open constants that change nothing: found by the rank of the Jacobian, and removed.

C*exp(x + C) has two open constants and is a family of one dimension. The rank of the derivatives
with respect to the constants, at generic values of them, is that dimension.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import FormulaError
from scalesr.expr.evaluate import jacobian
from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.normal_form.pieces import Piece, constant_piece, joined, to_expression
from scalesr.kernels.codes import ADD, CONSTANT, DIV, MUL, NEG, OPEN, SUB, VARIABLE

N_DRAWS: Final = 6  # of generic constants; the largest rank counts
N_ROWS: Final = 60  # of generic rows, if none are given
_TINY: Final = 1e-9  # singular value, of the largest: derivatives are exact up to about 1e-14
_LARGEST: Final = 1e100  # derivative that counts as finite
_SEED: Final = 20230604  # the same skeleton always gets the same answer


def family_rank(skeleton: Expression, X: ArrayLike | None = None) -> int:
    """Dimension of the family of functions, on the rows of X (rows, columns) or on generic ones.

    Draws on which the formula or a derivative is not finite on enough rows are ignored; without any
    other draw every constant counts.
    """
    rng = np.random.default_rng(_SEED)
    rows = _generic_rows(skeleton, rng) if X is None else np.asarray(X, np.float64)
    ranks = [_rank(skeleton.bind(_generic_constants(skeleton, rng)), skeleton, rows) for _ in range(N_DRAWS)]
    known = [rank for rank in ranks if rank is not None]
    return max(known) if known else skeleton.n_open


def _generic_rows(skeleton: Expression, rng: np.random.Generator) -> NDArray[np.float64]:
    """Rows of which half are positive, as roots and logarithms need."""
    rows = rng.uniform(0.3, 2.0, (N_ROWS, max(skeleton.n_columns, 1)))
    rows[::2] *= rng.choice([-1.0, 1.0], rows[::2].shape)
    return rows


def _generic_constants(skeleton: Expression, rng: np.random.Generator) -> NDArray[np.float64]:
    signs: NDArray[np.float64] = rng.choice([-1.0, 1.0, 1.0, 1.0], skeleton.n_open)
    return signs * rng.uniform(0.4, 1.7, skeleton.n_open)


def _rank(closed: Expression, skeleton: Expression, rows: NDArray[np.float64]) -> int | None:
    """Numerical rank by the open constants, or None if too few rows are finite."""
    with np.errstate(all="ignore"):
        derivatives = jacobian(closed, rows)[:, skeleton.open_indices]
    derivatives = derivatives[(np.abs(derivatives) < _LARGEST).all(axis=1)]
    if len(derivatives) < min(len(rows), skeleton.n_open + 2):
        return None
    lengths = np.linalg.norm(derivatives, axis=0)
    if not lengths.any():
        return 0
    values = np.linalg.svd(derivatives / np.where(lengths > 0, lengths, 1.0), compute_uv=False)
    return int(np.count_nonzero(values > _TINY * values[0]))


class Removal(NamedTuple):
    """Where an open constant stands: its depth, and the value that removes it there."""

    depth: int
    neutral: float  # 0 as a summand, else 1


def redundant_constants(skeleton: Expression, X: ArrayLike | None = None) -> tuple[int, ...]:
    """Places, counted from the left, of open constants that can be fixed with no loss of dimension.

    The deepest go first, so that C*exp(x + C) loses the summand and C/(C + C*x) the factor of x.
    """
    return tuple(sorted(_fixed_values(skeleton, X)))


def remove_redundant(
    skeleton: Expression, X: ArrayLike | None = None, *, constants: ArrayLike | None = None
) -> Expression:
    """The skeleton with its redundant constants removed: factors become 1, summands 0.

    Under a root or a logarithm a removed factor takes its sign along. If `constants` are given, a
    fit for example, removed factors become -1 where theirs is negative.
    """
    fixed = _fixed_values(skeleton, X)
    if constants is not None:
        given = np.asarray(constants, np.float64).ravel()
        if len(given) != skeleton.n_open:
            raise FormulaError(f"This skeleton has {skeleton.n_open} open constants; {len(given)} values were given.")
        fixed = {place: value * (-1.0 if given[place] < 0 else 1.0) for place, value in fixed.items()}
    return _without_neutral(_with_fixed(skeleton, fixed)) if fixed else skeleton


def _fixed_values(skeleton: Expression, X: ArrayLike | None) -> dict[int, float]:
    """Redundant constants and the values that remove them."""
    rank = family_rank(skeleton, X)
    places = removals(skeleton)
    fixed: dict[int, float] = {}
    for place in sorted(places, key=lambda place: (-places[place].depth, place)):
        if skeleton.n_open - len(fixed) <= rank:
            break
        trial = {**fixed, place: places[place].neutral}
        if family_rank(_with_fixed(skeleton, trial), X) == rank:
            fixed = trial
    return fixed


def removals(skeleton: Expression) -> dict[int, Removal]:
    """How each open constant would be removed, by its place, counted from the left."""
    order = {index: place for place, index in enumerate(skeleton.open_indices.tolist())}

    def leaf(leaf: Leaf) -> dict[int, Removal]:
        return {order[leaf.index]: Removal(0, 1.0)} if leaf.code == OPEN else {}

    def node(node: Node, kids: list[dict[int, Removal]]) -> dict[int, Removal]:
        is_sum = node.code in (ADD, SUB)
        return {
            place: Removal(found.depth + 1, 0.0 if is_sum and found.depth == 0 else found.neutral)
            for kid in kids
            for place, found in kid.items()
        }

    return fold(skeleton, leaf, node)


def _with_fixed(skeleton: Expression, values: dict[int, float]) -> Expression:
    """The skeleton with some of its open constants closed."""
    codes, constants = skeleton.codes.copy(), skeleton.constants.copy()
    nodes = np.flatnonzero(skeleton.codes == OPEN)
    for place, value in values.items():
        codes[nodes[place]] = CONSTANT
        constants[skeleton.args[nodes[place]]] = value
    return Expression(codes, skeleton.args, constants)


def _without_neutral(expr: Expression) -> Expression:
    """The same formula without factors 1 and summands 0."""
    return to_expression(fold(expr, _leaf, _node))


def _leaf(leaf: Leaf) -> Piece:
    if leaf.code == VARIABLE:
        return ((VARIABLE, leaf.index, 0.0),)
    return constant_piece(None if leaf.code == OPEN else leaf.value)


def _node(node: Node, kids: list[Piece]) -> Piece:
    code = node.code
    if code in (ADD, SUB) and kids[1] == constant_piece(0.0):
        return kids[0]
    if code in (ADD, SUB) and kids[0] == constant_piece(0.0):
        return kids[1] if code == ADD else joined(NEG, kids[1])
    if code in (MUL, DIV) and kids[1] == constant_piece(1.0):
        return kids[0]
    if code in (MUL, DIV) and kids[1] == constant_piece(-1.0):
        return joined(NEG, kids[0])
    if code == MUL and kids[0] == constant_piece(1.0):
        return kids[1]
    if code == MUL and kids[0] == constant_piece(-1.0):
        return joined(NEG, kids[1])
    return joined(code, *kids, power=node.power)
