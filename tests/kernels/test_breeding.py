"""Bred formulas are whole trees within their limits, no form comes twice, and a niche only gets better."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Groups
from scalesr.expr.operators import Operators
from scalesr.expr.programs import are_sound
from scalesr.expr.text import parse
from scalesr.kernels.breeding import breed
from scalesr.kernels.codes import ADD, MUL, OPEN
from scalesr.search.evolution.population import Alphabet, Islands, Lines, wrapped_lines
from scalesr.search.genetic.trees import nesting
from scalesr.search.genetic.variation import SizeLimits

LIMITS = SizeLimits(max_nodes=15, max_open=6, nesting=1)
N_VARIABLES = 3


def rows(n_rows: int = 80) -> Groups:
    rng = np.random.default_rng(0)
    columns = rng.uniform(0.5, 2.0, (N_VARIABLES, n_rows))
    y = columns[0] / (1 + columns[1] * columns[2])
    return Groups(columns, np.array([0, n_rows]), y, np.empty(0))


def population(operators: str = "physics") -> Islands:
    return Islands(Alphabet.over(Operators(*operators.split(","))), LIMITS, N_VARIABLES, rows(), seed=7)


def formulas_of(lines: Lines, n_formulas: int) -> list[Expression]:
    wrapped = wrapped_lines(lines, n_formulas, LIMITS.max_open)
    return [wrapped.expression(place, wrapped.guesses[:, 0]) for place in range(n_formulas)]


@pytest.mark.parametrize("operators", ["physics", "+,*", "exp,log", "+,-,*,/,^"])
def test_children_are_whole_formulas_within_the_limits(operators: str) -> None:
    bred = population(operators)
    for generation in range(12):
        bred.advance(generation % 4, LIMITS.max_nodes, None)
    known = np.flatnonzero(np.isfinite(bred.totals))
    assert len(known) > 0
    lines = Lines(len(known), LIMITS.max_nodes)
    for mine, members in zip(lines.arrays, bred.members.arrays, strict=True):
        mine[:] = members[known]
    assert are_sound(wrapped_lines(lines, len(known), LIMITS.max_open).programs)
    for formula in formulas_of(lines, len(known)):
        assert formula.variables
        assert len(formula.constants) <= LIMITS.max_open + 1  # the summand comes along always
        assert nesting(formula) <= 2  # one island in four may nest functions, as far as the limits go
    assert (lines.sizes <= LIMITS.max_nodes).all()


def test_members_err_as_the_arrays_say() -> None:
    bred, given = population(), rows()
    for generation in range(8):
        bred.advance(generation % 4, LIMITS.max_nodes, None)
    for formula in bred.best(20, np.where(np.isfinite(bred.totals), bred.totals, np.inf)):
        left = given.y - evaluate(formula, given.columns.T)
        assert (np.abs(bred.totals - left @ left) <= 1e-6 * (left @ left) + 1e-12).any()


def test_a_niche_never_gets_worse() -> None:
    bred = population()
    before = np.full(LIMITS.max_nodes, np.inf)
    for _ in range(15):
        bred.advance(0, LIMITS.max_nodes, None)
        now = bred.totals_by_size(0)
        assert (now <= before).all()
        before = now
    assert before[4] < before[0]  # five nodes do better than one


def test_no_form_is_bred_twice_whatever_the_order_of_its_summands() -> None:
    signs = Alphabet.over(Operators("+", "*", "-"))
    empty, lines = Islands(signs, LIMITS, 2, rows(), seed=1), Lines(201, LIMITS.max_nodes)
    forms: NDArray[np.int64] = np.zeros(1 << 12, np.int64)
    shape = np.array([0, 1, LIMITS.max_nodes, 12, 5, LIMITS.max_open, 1, 2])
    seen: list[object] = []
    for seed in range(3):
        made = breed.call(
            np.array([seed]), *empty.members.arrays, empty.totals, forms, signs.unary, signs.unary_args, signs.binary,
            shape, 0.0, *lines.arrays,
        )  # fmt: skip
        seen += [unordered(lines.codes[line], lines.args[line], lines.sizes[line]) for line in range(made)]
    assert len(seen) > 100
    assert len(set(seen)) == len(seen)


def unordered(codes: NDArray[np.int32], args: NDArray[np.int32], n_nodes: int) -> object:
    """A tree of binary operators in which summands and factors have one order."""
    waiting: list[object] = []
    for code, arg in zip(codes[:n_nodes].tolist(), args[:n_nodes].tolist(), strict=True):
        if code <= OPEN:
            waiting.append((code, arg))
        else:
            right, left = waiting.pop(), waiting.pop()
            both = tuple(sorted((left, right), key=repr)) if code in (ADD, MUL) else (left, right)
            waiting.append((code, both))
    return waiting[0]


def test_every_term_has_a_factor_and_the_sum_a_summand() -> None:
    lines = Lines(3, LIMITS.max_nodes)
    for line, text in enumerate(["x0 + sin(x1)", "x0/x1 - 2*x2", "-x0"]):
        lines.put(line, parse(text))
    wrapped = wrapped_lines(lines, 3, LIMITS.max_open)
    assert np.diff(wrapped.programs.constant_starts).tolist() == [3, 3, 2]
    for line, text in enumerate(["1*x0 + 1*sin(x1)", "1*(x0/x1) + 2*x2", "1*x0"]):
        constants = wrapped.guesses[:, 0].copy()
        own = wrapped.expression(line, constants)
        x = np.random.default_rng(1).uniform(0.5, 2.0, (9, 3))
        assert np.allclose(evaluate(own, x), evaluate(parse(text), x))
