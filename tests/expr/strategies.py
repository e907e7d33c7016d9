"""Hypothesis strategies for random formulas over the table of operators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from scalesr.expr.expression import MAX_POWER, Expression, apply, constant, open_constant, variable
from scalesr.expr.numerals import PI_POWERS, Numeral
from scalesr.expr.operators import BY_CODE, Operator, operator

NUMERALS: st.SearchStrategy[float] = st.builds(
    lambda top, bottom, power, is_root, sign: sign * Numeral(top, bottom, power, is_root).value,
    st.integers(1, 99), st.integers(1, 99), st.sampled_from([0, *PI_POWERS]), st.booleans(), st.sampled_from([1, -1]),
)  # fmt: skip
# Every double that is a number, with the ones people write drawn often.
NUMBERS: st.SearchStrategy[float] = st.one_of(
    st.integers(-12, 12).map(float),
    st.sampled_from([0.5, -0.0, 1e-34, -1e300, 5e-324, 1e15, 1e16, 1e22, 0.1, 6.02214076e23, 123456.789]),
    NUMERALS,
    st.floats(allow_nan=False, allow_infinity=False),
)
MODERATE: st.SearchStrategy[float] = st.floats(0.125, 4.0).map(lambda value: round(value, 3))
POWERS: st.SearchStrategy[int] = st.one_of(st.integers(-4, 5), st.integers(-MAX_POWER, MAX_POWER))
SMALL_POWERS: st.SearchStrategy[int] = st.integers(-3, 4)


def built_in() -> list[Operator]:
    """Every row of the table that comes with the package."""
    return [row for row in BY_CODE.values() if not row.is_custom]


@st.composite
def expressions(
    draw: st.DrawFn,
    n_variables: int = 2,
    max_nodes: int = 15,
    operators: Iterable[str | Operator] | None = None,
    open_constants: bool = False,
    constants: st.SearchStrategy[float] = NUMBERS,
    powers: st.SearchStrategy[int] = POWERS,
) -> Expression:
    """A random formula of at most `max_nodes` nodes; `operators` are names or rows, all built-in ones by default."""
    rows = (
        built_in() if operators is None else [row if isinstance(row, Operator) else operator(row) for row in operators]
    )
    leaves = _leaves(n_variables, open_constants, constants)

    def tree(budget: int) -> Expression:
        fitting = [row for row in rows if row.arity < budget]
        if not fitting or draw(st.integers(0, 4)) == 0:
            return draw(leaves)
        row = draw(st.sampled_from(fitting))
        if row.arity == 1:
            return apply(row.name, tree(budget - 1), power=draw(powers) if row.name == "powi" else 0)
        left = draw(st.integers(1, budget - 2))
        return apply(row.name, tree(left), tree(budget - 1 - left))

    return tree(draw(st.integers(1, max_nodes)))


def _leaves(
    n_variables: int, open_constants: bool, constants: st.SearchStrategy[float]
) -> st.SearchStrategy[Expression]:
    kinds: list[Any] = [constants.map(constant)]
    if n_variables:
        kinds += [st.integers(0, n_variables - 1).map(variable)]
    if open_constants:
        kinds += [st.builds(open_constant)]
    return st.one_of(kinds)
