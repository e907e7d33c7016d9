"""Additions to formulas are those that the rows ask for, with the amounts that a fit would find."""

from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Groups, fit
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.search.evolution.growth import AdditionProposer, Terms, bare, grown, simple_terms
from scalesr.search.evolution.population import Alphabet, Islands
from scalesr.search.genetic.variation import SizeLimits

N_ROWS = 300


def rows(law: str, *, noise: float = 0.02, n_rows: int = N_ROWS, roots: bool = False) -> Groups:
    rng = np.random.default_rng(5)
    columns = rng.uniform(0.5, 2.0, (3, n_rows))
    y = evaluate(parse(law, ["a", "b", "c"]), columns.T)
    y = y + noise * y.std() * rng.normal(size=n_rows)
    return Groups(columns, np.array([0, n_rows]), y, rng.uniform(0.5, 1.5, n_rows) if roots else np.empty(0))


def fitted(skeleton: str, given: Groups) -> Expression:
    weights = given.roots**2 if len(given.roots) else None
    done = fit(parse(skeleton, ["a", "b", "c"]), given.columns.T, given.y, weights=weights)
    assert done.ok
    return done.expression


def same_form(one: Expression, text: str) -> bool:
    return canonical_key(one.skeleton()) == canonical_key(parse(text, ["a", "b", "c"]).skeleton())


@pytest.mark.parametrize(
    ("law", "known", "expected"),
    [
        ("sqrt(a + 0.4*b^2)", "C*sqrt(a + C)", "sqrt(a + C + C*b^2)"),
        ("a*exp(-0.5*b) + 0.7*sin(c)", "C*a*exp(C*b) + C", "C*a*exp(C*b) + sin(c)"),
        ("a/(1 + 0.3*b*c)", "C*a", "a*(C + C*b*c)"),
    ],
)
def test_what_a_formula_lacks_is_among_the_first_additions(law: str, known: str, expected: str) -> None:
    given = rows(law)
    found = grown(fitted(known, given), Terms.over(given, Operators("physics")), N_ROWS)
    assert any(same_form(one, expected) for one in found[:8]), [str(one) for one in found[:8]]


@pytest.mark.parametrize("roots", [False, True])
def test_with_the_best_addition_a_sum_is_complete(roots: bool) -> None:
    given = rows("a + 0.25*b*c", noise=0.0, roots=roots)
    best = grown(fitted("C*a + C", given), Terms.over(given, Operators("+", "*")), N_ROWS)[0]
    assert str(best) == "x0 + x1*x2"


def test_nothing_is_added_to_a_law_that_leaves_noise_alone() -> None:
    given = rows("a/(b + c)", noise=0.1)
    found = grown(fitted("C*a/(b + C*c)", given), Terms.over(given, Operators("physics")), N_ROWS)
    assert len(found) <= 2  # of some thousand directions one or two gain their price by chance


def test_parts_without_a_value_or_a_slope_take_no_additions() -> None:
    given = rows("a + b")
    for text in ("log(a - 3) + b", "1e200*exp(700*a)*b", "3 + 0*a"):
        assert (
            grown(parse(text, ["a", "b", "c"]), Terms.over(given, Operators("physics")), N_ROWS) == [] or text[0] == "3"
        )


def test_additions_keep_to_the_limits_of_the_population() -> None:
    given = rows("a*exp(-0.5*b) + 0.7*sin(c)", noise=0.0)
    limits = SizeLimits(max_nodes=12, max_open=3, nesting=0)
    operators = Operators("physics")
    islands = Islands(Alphabet.over(operators), limits, 3, given, seed=1)
    islands.place([parse("x0"), parse("x0*x1")], 0, None)
    proposer = AdditionProposer(islands, operators)
    found = [proposer.additions(0, islands.totals, limits.max_nodes) for _ in range(3)]
    assert [bool(some) for some in found] == [True, True, False]  # each of the two members once
    assert all(limits.allow(one.skeleton()) for some in found for one in some)
    assert not any("sin(" in str(one) for some in found for one in some)


def test_terms_use_no_operator_that_was_not_given() -> None:
    assert simple_terms(2, Operators("+", "*")) == [parse(text) for text in ("x0", "x1", "x0*x1")]


def test_terms_that_have_no_value_on_some_row_are_left_out() -> None:
    columns = np.array([[-1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    terms = Terms.over(Groups(columns, np.array([0, 3]), np.zeros(3), np.empty(0)), Operators("physics"))
    texts = {str(form) for form in terms.forms}
    assert "x0" in texts
    assert not texts & {"log(x0)", "sqrt(x0)", "x1"}


@pytest.mark.parametrize(
    ("law", "left"),
    [
        ("3 + 2*x0*5 + (x1 + 4)*7", "x0 + x1"),
        ("x0/x1*2 + 1", "x0/x1"),
        ("sin(x0)*3", "sin(x0)"),
        ("2 + (x0 - 1)", "x0 - 1"),
    ],
)
def test_bare_sums_have_neither_factors_nor_a_summand(law: str, left: str) -> None:
    assert str(bare(parse(law))) == left
