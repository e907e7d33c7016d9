"""What is learned from: the best share of what was drawn."""

import numpy as np
import pytest

from scalesr.search.policy.training import Training, elite, risk_seeking_weights


def test_only_the_best_share_is_learned_from_and_the_least_of_it_is_the_baseline():
    rewards = np.array([0.1, 0.9, 0.5, 0.7, 0.0, 0.2, 0.3, 0.6])
    best = elite(rewards, 0.5)
    assert best.tolist() == [1, 3, 7, 2]
    np.testing.assert_allclose(risk_seeking_weights(rewards[best]), np.array([0.4, 0.2, 0.1, 0.0]) / 4)


def test_a_training_that_learns_from_nothing_is_refused():
    with pytest.raises(ValueError, match="share"):
        Training(epsilon=0)
