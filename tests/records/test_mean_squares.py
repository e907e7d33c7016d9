import math

import numpy as np
import pytest

from scalesr.records.mean_squares import root_mean_square, root_mean_square_error, standard_deviation


@pytest.mark.parametrize("size", [1.0, 1e-300, 1e160, 1e300])
def test_numbers_of_any_size_have_the_error_of_numbers_of_usual_size(size):
    values, others = np.array([1.0, -2.0, 4.0]), np.array([1.5, -2.0, 2.0])
    assert root_mean_square(size * values) == pytest.approx(size * math.sqrt(7))
    assert root_mean_square_error(size * values, size * others) == pytest.approx(size * math.sqrt(4.25 / 3))
    assert standard_deviation(size * values) == pytest.approx(size * math.sqrt(6))


def test_nothing_errs_by_nothing_and_too_much_by_more_than_a_number():
    nothing = np.zeros(0), np.zeros(3)
    assert [root_mean_square(one) for one in nothing] == [root_mean_square_error(one, one) for one in nothing] == [0, 0]
    assert standard_deviation(nothing[1]) == 0
    assert root_mean_square_error(np.array([1.7e308]), np.array([-1.7e308])) == math.inf
