from __future__ import annotations

import math

import numpy as np
import pytest

from scalesr.evidence.information import spacing, target_information

RNG_SEED = 5


def test_the_spacing_of_rounded_numbers_is_their_step() -> None:
    y = np.random.default_rng(RNG_SEED).normal(size=200)
    assert spacing(np.round(y, 2)) == pytest.approx(0.01)
    assert spacing(np.round(5 * y) * 5) == pytest.approx(5)
    assert spacing(y) == 0


def test_a_coin_tells_log_two_per_row_and_a_rare_event_less() -> None:
    coins = np.random.default_rng(RNG_SEED).integers(0, 2, 400).astype(float)
    rare = np.zeros(400)
    rare[17] = 1
    assert target_information(coins, 1e-16) <= 400 * math.log(2) + 1e-9
    assert target_information(rare, 1e-16) < 10


def test_levels_tell_their_values_and_which_row_has_which() -> None:
    rng = np.random.default_rng(RNG_SEED)
    levels = rng.normal(size=4)[rng.integers(0, 4, 1000)]
    assert target_information(levels, 1e-16) < 1000 * math.log(4) + 4 * 37


def test_a_row_of_full_precision_tells_some_thirty_nats() -> None:
    y = np.random.default_rng(RNG_SEED).normal(size=100)
    assert 30 < target_information(y, 1e-16) / 100 < 40
