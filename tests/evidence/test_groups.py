"""What constants of groups cost."""

import numpy as np
import pytest

from scalesr.evidence.constants import constants_cost
from scalesr.evidence.groups import own_cost


def squares(errors):
    return (np.asarray(errors, float) ** 2)[:, np.newaxis, np.newaxis]


def test_values_of_like_size_are_cheaper_than_values_of_any_size():
    rng = np.random.default_rng(0)
    like, any_size = rng.normal(10, 1, (50, 1)), np.exp(rng.uniform(-12, 12, (50, 1)))
    errors = squares(np.full(50, 0.1))
    alone = sum(constants_cost(value, errors[0]) for value in like)
    assert own_cost(like, errors) < alone - 100
    wide = squares(0.01 * any_size[:, 0])
    assert own_cost(any_size, wide) == pytest.approx(
        sum(constants_cost(value, error) for value, error in zip(any_size, wide, strict=True)), abs=1.0
    )


def test_units_do_not_matter():
    rng = np.random.default_rng(1)
    values, errors = rng.normal(3, 1, (30, 1)), rng.uniform(0.01, 0.1, 30)
    assert own_cost(values, squares(errors)) == pytest.approx(own_cost(1e9 * values, squares(1e9 * errors)), rel=1e-9)


def test_values_that_are_equal_within_their_errors_cost_little_each():
    rng = np.random.default_rng(2)
    values = 5 + 0.1 * rng.standard_normal((200, 1))
    assert own_cost(values, squares(np.full(200, 0.1))) < 0.8 * 200


def test_letters_are_told_one_given_those_before():
    """Two constants that are known together far better than alone cost more digits."""
    values = np.tile([2.0, 3.0], (10, 1)) + np.arange(10)[:, np.newaxis]
    alone = np.tile(np.diag([0.01, 0.01]), (10, 1, 1))
    together = np.tile(np.array([[0.01, 0.00999], [0.00999, 0.01]]), (10, 1, 1))
    assert own_cost(values, together) > own_cost(values, alone) + 10


def test_a_constant_that_is_not_told_has_its_price():
    values = np.arange(1.0, 11.0)[:, np.newaxis]
    errors = squares(np.full(10, 0.1))
    untold = errors.copy()
    untold[3] = np.nan
    assert np.isfinite(own_cost(values, untold))
