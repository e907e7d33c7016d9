"""Reductions: the formulas that a bred one may be without a part that carries nothing."""

from __future__ import annotations

from collections.abc import Iterator

from scalesr.expr.expression import Expression
from scalesr.expr.simpler import simpler, unwrapped
from scalesr.kernels.codes import OPEN, POW, POWI, SQRT, VARIABLE
from scalesr.search.genetic.symbols import Symbols
from scalesr.search.genetic.trees import replaced, skeleton, subtree


def reductions(expr: Expression, symbols: Symbols) -> list[Expression]:
    """Formulas with one operator less, or with an open exponent made a whole number or a root."""
    smaller = [*simpler(expr), *unwrapped(expr), *_whole_powers(expr, symbols)]
    return [form for form in smaller if form.variables]


def _whole_powers(expr: Expression, symbols: Symbols) -> Iterator[Expression]:
    codes = expr.codes.tolist()
    powers = [node for node in symbols.unary if node[0] in (POWI, SQRT)]
    for root, code in enumerate(codes):
        if code == POW and codes[root - 1] == OPEN:
            base = subtree(expr, root - 2)
            for power in powers:
                yield replaced(expr, root, replaced(skeleton([(VARIABLE, 0), power]), 0, base))
