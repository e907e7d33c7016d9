"""Random rewrites of formulas that keep their values, and of skeletons that keep their family.

A rule takes a tree and returns another one, or None where it does not apply. No rule copies a part
with open constants, as the copies would be free of each other. Rules for skeletons may change the
family by limits and signs, as `canonical` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.postfix import Postfix
from scalesr.kernels.codes import (
    ADD,
    CONSTANT,
    COS,
    DIV,
    EXP,
    LOG,
    MUL,
    NEG,
    OPEN,
    POW,
    POWI,
    SIN,
    SQRT,
    SUB,
    TAN,
    TANH,
    VARIABLE,
)  # fmt: skip


class NestedFormula(NamedTuple):
    """A formula as a nested record, easy to take apart."""

    code: int
    arg: int = 0  # column or integer exponent
    value: float = 0.0
    kids: tuple[NestedFormula, ...] = ()

    @property
    def is_closed(self) -> bool:
        return self.code != OPEN and all(kid.is_closed for kid in self.kids)


Rule = Callable[[NestedFormula, np.random.Generator], NestedFormula | None]


def rewritten(expr: Expression, n_steps: int, rng: np.random.Generator) -> Expression:
    """The formula after some random rewrites at random places."""
    tree = _tree(expr)
    rules = CLOSED_RULES + SKELETON_RULES if expr.n_open else CLOSED_RULES
    done = 0
    for _ in range(50 * n_steps):
        rule = rules[rng.integers(len(rules))]
        changed = _apply_at(tree, int(rng.integers(_size(tree))), rule, rng)
        if changed is not None:
            tree, done = changed, done + 1
        if done == n_steps:
            break
    return _expression(tree)


def _tree(expr: Expression) -> NestedFormula:
    def leaf(leaf: Leaf) -> NestedFormula:
        return NestedFormula(
            leaf.code, leaf.index if leaf.code == VARIABLE else 0, leaf.value if leaf.code == CONSTANT else 0.0
        )

    def node(node: Node, kids: list[NestedFormula]) -> NestedFormula:
        return NestedFormula(node.code, node.power, kids=tuple(kids))

    return fold(expr, leaf, node)


def _expression(tree: NestedFormula) -> Expression:
    made = Postfix()

    def write(part: NestedFormula) -> None:
        for kid in part.kids:
            write(kid)
        if part.code == CONSTANT:
            made.constant(part.value)
        elif part.code == OPEN:
            made.open_constant()
        elif part.code == VARIABLE:
            made.variable(part.arg)
        else:
            made.operator(part.code, part.arg)

    write(tree)
    return made.expression()


def _size(tree: NestedFormula) -> int:
    return 1 + sum(_size(kid) for kid in tree.kids)


def _apply_at(tree: NestedFormula, place: int, rule: Rule, rng: np.random.Generator) -> NestedFormula | None:
    """The tree with a rule applied to the part that is `place`-th from the root, in prefix order."""
    if place == 0:
        return rule(tree, rng)
    place -= 1
    for index, kid in enumerate(tree.kids):
        if place < _size(kid):
            changed = _apply_at(kid, place, rule, rng)
            if changed is None:
                return None
            return tree._replace(kids=(*tree.kids[:index], changed, *tree.kids[index + 1 :]))
        place -= _size(kid)
    return None


def _number(value: float) -> NestedFormula:
    return NestedFormula(CONSTANT, value=value)


def _of(code: int, *kids: NestedFormula, power: int = 0) -> NestedFormula:
    return NestedFormula(code, power, kids=kids)


_C: Final = NestedFormula(OPEN)


def _some_function(rng: np.random.Generator) -> NestedFormula:
    """A part that is never zero and finite everywhere."""
    column = NestedFormula(VARIABLE, int(rng.integers(2)))
    return _of(EXP, column) if rng.random() < 0.5 else _of(ADD, _of(POWI, column, power=2), _number(1.0))


# Rules for any formula.


def _commute(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    return tree._replace(kids=tree.kids[::-1]) if tree.code in (ADD, MUL) else None


def _associate(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    """(a + b) + c as a + (b + c), and the same for products."""
    if tree.code not in (ADD, MUL) or tree.kids[0].code != tree.code:
        return None
    (first, second), third = tree.kids[0].kids, tree.kids[1]
    return _of(tree.code, first, _of(tree.code, second, third))


def _subtract(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    """a - b as a + (-1)*b or -(b - a), and a + b as a - (-b)."""
    if tree.code == ADD:
        return _of(SUB, tree.kids[0], _of(NEG, tree.kids[1]))
    if tree.code != SUB:
        return None
    first, second = tree.kids
    if rng.random() < 0.5:
        return _of(ADD, first, _of(MUL, _number(-1.0), second))
    return _of(NEG, _of(SUB, second, first))


def _negate_twice(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    return _of(NEG, _of(NEG, tree))


def _times_one(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    part = _some_function(rng)
    return _of(DIV, _of(MUL, tree, part), part)


def _plus_zero(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    part = _some_function(rng)
    return _of(SUB, _of(ADD, tree, part), part)


def _split_power(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    if tree.code != POWI or tree.arg < 2 or not tree.kids[0].is_closed:
        return None
    base = tree.kids[0]
    rest = base if tree.arg == 2 else _of(POWI, base, power=tree.arg - 1)
    return _of(MUL, base, rest)


def _reciprocal(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    if tree.code == DIV:
        return _of(MUL, tree.kids[0], _of(POWI, tree.kids[1], power=-1))
    if tree.code == POWI and tree.arg < 0:
        return _of(DIV, _number(1.0), _of(POWI, tree.kids[0], power=-tree.arg))
    return None


def _divide_twice(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    """a/(b*c) as a/b/c."""
    if tree.code != DIV or tree.kids[1].code != MUL:
        return None
    above, (first, second) = tree.kids[0], tree.kids[1].kids
    return _of(DIV, _of(DIV, above, first), second)


def _distribute(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    """a*(b + c) as a*b + a*c and (b + c)/a as b/a + c/a, for a closed a."""
    if tree.code == MUL and tree.kids[0].is_closed and tree.kids[1].code in (ADD, SUB):
        factor, inner = tree.kids
        return _of(inner.code, _of(MUL, factor, inner.kids[0]), _of(MUL, factor, inner.kids[1]))
    if tree.code == DIV and tree.kids[1].is_closed and tree.kids[0].code in (ADD, SUB):
        inner, divisor = tree.kids
        return _of(inner.code, _of(DIV, inner.kids[0], divisor), _of(DIV, inner.kids[1], divisor))
    return None


def _split_exponential(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    if tree.code != EXP:
        return None
    inner = tree.kids[0]
    if inner.code == ADD:
        return _of(MUL, _of(EXP, inner.kids[0]), _of(EXP, inner.kids[1]))
    return _of(DIV, _number(1.0), _of(EXP, _of(NEG, inner)))


def _join_exponentials(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    if tree.code != MUL or tree.kids[0].code != EXP or tree.kids[1].code != EXP:
        return None
    return _of(EXP, _of(ADD, tree.kids[0].kids[0], tree.kids[1].kids[0]))


def _reflect(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    """sin(a) as -sin(-a), cos(a) as cos(-a)."""
    if tree.code == COS:
        return _of(COS, _of(NEG, tree.kids[0]))
    if tree.code in (SIN, TAN, TANH):
        return _of(NEG, _of(tree.code, _of(NEG, tree.kids[0])))
    return None


def _expand_tangent(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    if tree.code != TAN or not tree.kids[0].is_closed:
        return None
    return _of(DIV, _of(SIN, tree.kids[0]), _of(COS, tree.kids[0]))


def _root_as_power(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    return _of(POW, tree.kids[0], _number(0.5)) if tree.code == SQRT else None


def _logarithm(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    """log(a) as -log(1/a), or any a as log(exp(a))."""
    if tree.code == LOG:
        return _of(NEG, _of(LOG, _of(DIV, _number(1.0), tree.kids[0])))
    return _of(LOG, _of(EXP, tree)) if tree.code in (SIN, COS, TANH, VARIABLE) else None


def _split_number(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    if tree.code != CONSTANT:
        return None
    part = float(rng.integers(1, 4))
    if rng.random() < 0.5:
        return _of(ADD, _number(tree.value - part), _number(part))
    return _of(MUL, _number(tree.value / part), _number(part))


def _times_pythagoras(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    column = NestedFormula(VARIABLE, int(rng.integers(2)))
    sine, cosine = (_of(POWI, _of(code, column), power=2) for code in (SIN, COS))
    return _of(MUL, tree, _of(ADD, sine, cosine)) if tree.is_closed else None


# Rules for skeletons.


def _absorb(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    """C as C + 2, 3*C, C + C, C*C, -C or C/2."""
    if tree.code != OPEN:
        return None
    value = _number(float(rng.integers(2, 5)))
    forms = (
        _of(ADD, _C, value), _of(MUL, value, _C), _of(ADD, _C, _C), _of(MUL, _C, _C), _of(NEG, _C), _of(DIV, _C, value),
    )  # fmt: skip
    return forms[rng.integers(len(forms))]


def _open_factor(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    """C*a as a/C, or as 2*C*a."""
    if tree.code != MUL or tree.kids[0].code != OPEN:
        return None
    if rng.random() < 0.5:
        return _of(DIV, tree.kids[1], _C)
    return _of(MUL, _of(MUL, _number(2.0), _C), tree.kids[1])


def _pull_out(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    """C*a + b, with b of a free scale, as C*(a + b)."""
    if tree.code != ADD or not all(_has_free_scale(kid) for kid in tree.kids):
        return None
    first, second = tree.kids
    inner = first.kids[1] if first.code == MUL else _number(1.0)
    return _of(MUL, _C, _of(ADD, inner, second))


def _has_free_scale(tree: NestedFormula) -> bool:
    return tree.code == OPEN or (tree.code == MUL and tree.kids[0].code == OPEN)


def _shift_phase(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    """sin(a + C) as cos(a + C) or sin(C - a)."""
    if tree.code not in (SIN, COS) or tree.kids[0].code != ADD or tree.kids[0].kids[1].code != OPEN:
        return None
    if rng.random() < 0.5:
        return _of(SIN + COS - tree.code, tree.kids[0])
    return _of(tree.code, _of(SUB, _C, tree.kids[0].kids[0]))


def _scale_exponential(tree: NestedFormula, _rng: np.random.Generator) -> NestedFormula | None:
    """C*exp(a) as exp(a + C), and exp(C*a) as C^a."""
    if tree.code == MUL and tree.kids[0].code == OPEN and tree.kids[1].code == EXP:
        return _of(EXP, _of(ADD, tree.kids[1].kids[0], _C))
    if tree.code == EXP and tree.kids[0].code == MUL and tree.kids[0].kids[0].code == OPEN:
        return _of(POW, _C, tree.kids[0].kids[1])
    return None


def _scale_fraction(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    """C/(a + C) as 1/(C*a + C) or C/(C*a + 1)."""
    if tree.code != DIV or tree.kids[0].code != OPEN or tree.kids[1].code != ADD or tree.kids[1].kids[1].code != OPEN:
        return None
    inner = tree.kids[1].kids[0]
    if rng.random() < 0.5:
        return _of(DIV, _number(1.0), _of(ADD, _of(MUL, _C, inner), _C))
    return _of(DIV, _C, _of(ADD, _of(MUL, _C, inner), _number(1.0)))


def _scale_root(tree: NestedFormula, rng: np.random.Generator) -> NestedFormula | None:
    """C*sqrt(a + C) as C*sqrt(C*a + 1) or C*sqrt(C - a)."""
    if tree.code != MUL or tree.kids[0].code != OPEN or tree.kids[1].code != SQRT:
        return None
    inner = tree.kids[1].kids[0]
    if inner.code != ADD or inner.kids[1].code != OPEN:
        return None
    if rng.random() < 0.5:
        return _of(MUL, _C, _of(SQRT, _of(ADD, _of(MUL, _C, inner.kids[0]), _number(1.0))))
    return _of(MUL, _C, _of(SQRT, _of(SUB, _C, inner.kids[0])))


CLOSED_RULES: Final[tuple[Rule, ...]] = (
    _commute, _associate, _subtract, _negate_twice, _times_one, _plus_zero, _split_power, _reciprocal, _divide_twice,
    _distribute, _split_exponential, _join_exponentials, _reflect, _expand_tangent, _root_as_power, _logarithm,
    _split_number, _times_pythagoras,
)  # fmt: skip
SKELETON_RULES: Final[tuple[Rule, ...]] = (
    _absorb, _open_factor, _pull_out, _shift_phase, _scale_exponential, _scale_fraction, _scale_root,
)  # fmt: skip
