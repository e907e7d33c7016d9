import math

import numpy as np
import pytest

from scalesr.search.mcts.policy import choose_action, uct_scores
from scalesr.search.mcts.reward import absolute_error, relative_error, reward, squared_error


def test_the_upper_confidence_score_has_the_values_worked_out_by_hand():
    scores = uct_scores(np.array([3.0, 0.5]), np.array([4, 1]), 5, weight=1 / math.sqrt(2))
    assert scores == pytest.approx([0.75 + math.sqrt(math.log(5) / 8), 0.5 + math.sqrt(math.log(5) / 2)])
    assert scores == pytest.approx([1.198527, 1.397061], abs=1e-5)


def test_the_best_child_has_its_share_and_the_rest_is_spread_evenly():
    scores = np.array([0.1, 0.9, 0.3, 0.2])
    draws = (np.arange(10_000) + 0.5) / 10_000
    counts = np.bincount([choose_action(scores, draw, greed=0.8) for draw in draws], minlength=4)
    assert counts.tolist() == [500, 8500, 500, 500]


def test_a_draw_just_below_one_is_still_a_child():
    assert choose_action(np.zeros(3), np.nextafter(1, 0), greed=0.8) in range(3)


def test_the_reward_falls_with_error_and_size_and_is_0_without_values():
    assert reward(0.0, 0, eta=0.9999) == 1.0
    assert reward(1.0, 10, eta=0.9999) == pytest.approx(0.9999**10 / 2)
    assert reward(math.inf, 3, eta=0.9) == 0.0
    assert reward(math.nan, 3, eta=0.9) == 0.0


def test_the_absolute_and_the_squared_error_depend_on_the_units_of_y():
    assert relative_error(0.5, 100.0) == 0.5
    assert absolute_error(0.5, 100.0) == 50.0
    assert squared_error(0.5, 100.0) == 2500.0
