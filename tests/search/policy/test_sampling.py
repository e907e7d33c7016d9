"""What is drawn obeys every rule, and what does not obey is noticed."""

import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.sampling import lessons, obey, sample
from scalesr.search.policy.vocabulary import Vocabulary, padded
from tests.search.policy.sequences import PAPER, WIDE, Indifferent, check_rules, tree_of


@pytest.mark.parametrize(
    ("operators", "n_variables", "rules"),
    [
        (PAPER, 1, SequenceRules()),
        (WIDE, 3, SequenceRules()),
        (WIDE, 2, SequenceRules(min_length=6, max_length=9, max_constants=2)),
        (PAPER, 1, SequenceRules(min_length=1, max_length=12, max_constants=0, usual_length=4, length_deviation=1)),
        (Operators("sin", "+"), 1, SequenceRules(min_length=20, max_length=30)),
    ],
)
def test_every_sequence_obeys_every_rule(operators, n_variables, rules):
    vocabulary = Vocabulary.over(operators, n_variables)
    tokens = sample(Indifferent(vocabulary), vocabulary, rules, 1500, np.random.default_rng(0))
    for row in tokens:
        check_rules(tree_of(vocabulary, row), rules)
    assert obey(lessons(tokens, vocabulary, rules)).all()
    assert len(np.unique(tokens, axis=0)) > 150


def test_operators_that_cannot_reach_the_least_length_end_in_a_variable():
    vocabulary = Vocabulary.over(Operators("sin"), 1)
    tokens = sample(Indifferent(vocabulary), vocabulary, SequenceRules(), 5, np.random.default_rng(0))
    assert {str(vocabulary.expression(row)) for row in tokens} == {"sin(x0)"}


def test_the_soft_prior_moves_the_length():
    vocabulary = Vocabulary.over(PAPER, 1)

    def mean_length(usual: float) -> float:
        rules = SequenceRules(usual_length=usual, length_deviation=2)
        tokens = sample(Indifferent(vocabulary), vocabulary, rules, 500, np.random.default_rng(0))
        return float((tokens != vocabulary.none).sum(axis=1).mean())

    assert 4 < mean_length(6) < 10 < mean_length(12) < 18 < mean_length(25) < 30


@pytest.mark.parametrize(
    "broken",
    ["log(exp(x0*x0))", "exp(log(x0*x0))", "sin(x0 + x0*cos(x0))", "x0 + x0*(C + C)", "x0 + x0*exp(C)", "x0 + x0",
     "C + (C + C*x0)", "sqrt((x0*x0)^2)", "C*(C*C)"],
)  # fmt: skip
def test_a_broken_rule_is_noticed(broken):
    vocabulary, rules = Vocabulary.over(WIDE, 1), SequenceRules(max_constants=2)
    texts = ["x0 + x0*x0", "sin(x0 + C*exp(x0))", broken]
    rows = padded([vocabulary.sequence(parse(text)) for text in texts], vocabulary, rules.max_length)
    assert obey(lessons(rows, vocabulary, rules)).tolist() == [True, True, False]
