"""Tokens and formulas are two ways to write the same thing."""

import numpy as np
import pytest

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.sampling import sample
from scalesr.search.policy.vocabulary import Vocabulary
from tests.search.policy.sequences import PAPER, WIDE, Indifferent


def test_tokens_and_formulas_are_the_same_thing():
    vocabulary = Vocabulary.over(WIDE, 3)
    tokens = sample(Indifferent(vocabulary), vocabulary, SequenceRules(), 1000, np.random.default_rng(0))
    for row in tokens:
        expr = vocabulary.expression(row)
        assert expr == Expression.from_arrays(expr.codes, expr.args, expr.constants)
        assert vocabulary.sequence(expr) == [token for token in row.tolist() if token != vocabulary.none]


def test_operands_keep_their_order_and_numbers_become_open():
    vocabulary = Vocabulary.over(WIDE, 2)
    expr = parse("2*x0^3 - sin(x1)/x0^1.5")
    assert str(vocabulary.expression(vocabulary.sequence(expr))) == "C*x0^3 - sin(x1)/x0^C"


def test_a_formula_without_tokens_is_refused():
    vocabulary = Vocabulary.over(PAPER, 1)
    assert not vocabulary.knows(parse("x0^2"))
    with pytest.raises(FormulaError, match="without a token"):
        vocabulary.sequence(parse("x0 + x1"))


@pytest.mark.parametrize("tokens", [[], [0], [0, 8], [8, 8], [0, 8, 8, 8]])
def test_tokens_that_are_no_formula_are_refused(tokens):
    with pytest.raises(FormulaError, match="not one whole formula"):
        Vocabulary.over(PAPER, 1).expression(tokens)
