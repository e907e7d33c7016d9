"""Families: which canonical family a sequence of productions is in, told without writing its formula down.

Each production joins the normal forms of what its slots hold, and what it makes of them is
remembered: sequences share most of their parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node
from scalesr.expr.normal_form.build import NO_FORM, Factors, join_factors, leaf_factors, product_form
from scalesr.expr.normal_form.form import Form, forget_if_full, remembered
from scalesr.expr.normal_form.readable import readable
from scalesr.expr.operators import BY_CODE
from scalesr.kernels.codes import LAST_LEAF
from scalesr.search.mcts.grammar import Packed, ProductionRules, to_expression, unpacked

NO_NUMBER: Final = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A family of functions by its canonical key, as a sequence of productions has led to it."""

    key: str
    form: Form | None  # None where a formula has no normal form and stays as it is
    grammar: ProductionRules
    sequence: Sequence[int]

    def representative(self) -> Expression:
        """The canonical skeleton, with as few constants as are known to do."""
        return self.written() if self.form is None else readable(self.form)

    def written(self) -> Expression:
        """The skeleton as the productions write it."""
        return to_expression(self.grammar.nodes(self.sequence))


def families_of(grammar: ProductionRules, sequences: Sequence[Sequence[int]]) -> list[Family]:
    """The family of each complete sequence of productions."""
    return [_family(grammar, sequence) for sequence in sequences]


def _family(grammar: ProductionRules, sequence: Sequence[int]) -> Family:
    forget_if_full()
    try:
        form = product_form(_factors(grammar, sequence))
    except NO_FORM:
        return Family(canonical_key(to_expression(grammar.nodes(sequence))), None, grammar, sequence)
    return Family(form.key, form, grammar, sequence)


def _factors(grammar: ProductionRules, sequence: Sequence[int]) -> Factors:
    """A formula as a product; from the last production to the first, so that operands come before what joins them."""
    blocks, pushes = grammar.blocks, grammar.pushes
    made: list[Factors] = []
    for p in reversed(sequence):
        operands = tuple([made.pop() for _ in pushes[p]])
        made.append(_applied(blocks[p], operands))
    return _applied(grammar.frame, (made[0],))


@remembered
def _applied(blocks: tuple[Packed, ...], operands: tuple[Factors, ...]) -> Factors:
    """Postfix nodes with operands between their blocks, as a product."""
    made: list[Factors] = []
    for place, block in enumerate(blocks):
        made += operands[place - 1 : place] if place else ()
        for code, arg in map(unpacked, block):
            if code <= LAST_LEAF:
                made.append(leaf_factors(Leaf(code, arg, NO_NUMBER)))
            else:
                first = len(made) - BY_CODE[code].arity
                made[first:] = [join_factors(Node(code, arg), made[first:])]
    return made[0]
