"""The policy's network: what is rewarded becomes more probable, and probabilities are those of sampling."""

import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.sampling import lessons, sample
from scalesr.search.policy.training import Training
from scalesr.search.policy.vocabulary import Vocabulary, padded
from tests.search.policy.sequences import PAPER


def test_a_step_raises_the_probability_of_what_was_rewarded():
    pytest.importorskip("torch")
    from scalesr.search.policy.network import Policy, one_thread

    vocabulary, rules, rng = Vocabulary.over(PAPER, 1), SequenceRules(), np.random.default_rng(0)
    policy = Policy(vocabulary, Training(device="cpu", entropy_weight=0.0), rng)
    taught = lessons(sample(policy, vocabulary, rules, 2, rng), vocabulary, rules)
    before = policy.log_probabilities(taught)
    with one_thread():
        for _ in range(5):
            policy.learn(taught, np.array([1.0, 0.0]))
    assert policy.log_probabilities(taught)[0] > before[0] + 0.01


def test_probabilities_are_those_of_sampling():
    pytest.importorskip("torch")
    from scalesr.search.policy.network import Policy

    vocabulary, rng = Vocabulary.over(Operators("+", "sin"), 1), np.random.default_rng(0)
    rules = SequenceRules(min_length=1, max_length=3, max_constants=1)
    policy = Policy(vocabulary, Training(device="cpu", learning_rate=0.1), rng)
    policy.learn(lessons(padded([[1, 2]], vocabulary, 3), vocabulary, rules), np.array([1.0]))  # no longer the prior
    drawn = sample(policy, vocabulary, rules, 20_000, rng)
    rows, counts = np.unique(drawn, axis=0, return_counts=True)
    probabilities = np.exp(policy.log_probabilities(lessons(rows, vocabulary, rules)))
    np.testing.assert_allclose(probabilities.sum(), 1, atol=1e-5)  # all there is has been drawn
    np.testing.assert_allclose(counts / 20_000, probabilities, atol=0.015)


def test_entropy_keeps_the_policy_open():
    pytest.importorskip("torch")
    from scalesr.search.policy.network import Policy, one_thread

    vocabulary, rules = Vocabulary.over(PAPER, 1), SequenceRules()
    left = []
    for weight in (0.0, 100.0):
        rng = np.random.default_rng(0)
        policy = Policy(vocabulary, Training(device="cpu", learning_rate=0.01, entropy_weight=weight), rng)
        taught = lessons(sample(policy, vocabulary, rules, 1, rng), vocabulary, rules)
        with one_thread():
            for _ in range(20):
                policy.learn(taught, np.array([1.0]))
        left.append(policy.log_probabilities(taught)[0])
    assert left[1] < left[0] - 1
