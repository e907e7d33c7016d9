"""One representative for all skeletons that describe the same family of functions.

Each open constant C is free on its own, so C + C, 2*C and exp(C) are C, and C*(x + C*y) is
C*x + C*y. The representative has as few open constants as the rules find, and its family always
contains those of all skeletons it stands for. It is larger than one of them in three ways:
- limits: C/(C + C*x) becomes C/(x + C), whose constants must grow without bound to reach C;
- signs: exp(C + x) becomes C*exp(x), and C*sqrt(x + C) becomes C*sqrt(C*x + C), which also covers
  C*sqrt(C - x). Only this last rule, for sums under roots, real powers and logarithms, can add an
  open constant. The dimension of the family stays the same;
- places: x/x becomes 1, which has a value at 0.
The sign of an open factor of a single product under a root, a power or a logarithm is dropped:
log(C*x) becomes log(x) + C and (C*x)^C becomes C*x^C, as if C*x were positive.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from scalesr.expr.expression import Expression
from scalesr.expr.normal_form.build import NO_FORM, normal_form
from scalesr.expr.normal_form.form import Form
from scalesr.expr.normal_form.readable import readable

_MAX_ROUNDS = 4


def canonical_key(skeleton: Expression) -> str:
    """A text that skeletons share if they are found to be one family; numbers count with 12 digits."""
    form = _form(skeleton)
    return _as_written(skeleton) if form is None else form.key


def canonical_keys(skeletons: Iterable[Expression]) -> list[str]:
    """`canonical_key` of each skeleton, about one and a half times as fast."""
    with no_collecting():
        return [canonical_key(skeleton) for skeleton in skeletons]


@contextmanager
def no_collecting() -> Iterator[None]:
    """A block without searches for cyclic garbage: normal forms have no cycles, and there are many."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


def canonical(skeleton: Expression) -> Expression:
    """The representative of a skeleton's family; that of a closed formula has the same values."""
    written = skeleton
    with suppress(*NO_FORM):  # then the last one that could be written stands
        for _ in range(_MAX_ROUNDS):
            form = normal_form(written)
            written = readable(form)
            if normal_form(written).key == form.key:
                break
    return written


def _form(skeleton: Expression) -> Form | None:
    """The normal form, or None if there is none: a number would not be real, or the formula is too large."""
    try:
        return normal_form(skeleton)
    except NO_FORM:
        return None


def _as_written(expr: Expression) -> str:
    return f"as written: {expr.codes.tolist()} {expr.args.tolist()} {expr.constants.tolist()}"
