"""Reduction: a formula is better without the parts that carry nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scalesr.expr.expression import Expression
from scalesr.kernels.codes import LAST_LEAF, OPEN, POW, POWI, SQRT, VARIABLE
from scalesr.search.genetic.symbols import Symbols
from scalesr.search.genetic.trees import replaced, skeleton, starts, subtree, with_constants_folded
from scalesr.search.scoring import Scorer

N_BEST: Final = 2  # skeletons that are reduced


def reductions(expr: Expression, symbols: Symbols) -> Iterator[Expression]:
    """Formulas with one operator less, or with an open exponent made a whole number or a root."""
    codes, first, arities = expr.codes.tolist(), starts(expr), expr.arities()
    for root, code in enumerate(codes):
        if code <= LAST_LEAF:
            continue
        right = root - 1
        yield with_constants_folded(replaced(expr, root, subtree(expr, right)))
        if arities[root] == 2:
            yield with_constants_folded(replaced(expr, root, subtree(expr, first[right] - 1)))
        if code == POW and codes[right] == OPEN:
            base = subtree(expr, right - 1)
            for power in symbols.unary:
                if power[0] in (POWI, SQRT):
                    yield replaced(expr, root, replaced(skeleton([(VARIABLE, 0), power]), 0, base))


def reduce_best(scorer: Scorer, symbols: Symbols, tried: set[Expression]) -> None:
    """Score the reductions of the best skeletons, and of what becomes the best by it, but not of those `tried`."""
    while waiting := [best for best in _best(scorer) if best not in tried]:
        tried.update(waiting)
        scorer.score([form for best in waiting for form in reductions(best, symbols) if form.variables])


def _best(scorer: Scorer) -> list[Expression]:
    return [skeleton.expression for skeleton in scorer.ranking().skeletons[:N_BEST]]
