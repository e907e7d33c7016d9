import pytest

from scalesr_bench.rates import wilson


def test_wilson_intervals_are_those_of_the_textbook():
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-4)  # Newcombe 1998, method 3
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0, 20)[0] == 0
    assert wilson(20, 20)[1] == 1
