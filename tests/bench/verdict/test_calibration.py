import pytest

from scalesr_bench.verdict.calibration import Claim, expected_calibration_error, reliability


def claims(probability, n_right, n):
    return [Claim(probability, place < n_right) for place in range(n)]


def test_bins_hold_the_claims_of_a_tenth():
    first, last = reliability([*claims(0.15, 1, 4), *claims(1.0, 2, 2), *claims(0.95, 0, 2)])
    assert (first.low, first.high, first.n_claims, first.share_right) == (0.1, 0.2, 4, 0.25)
    assert (last.low, last.high, last.n_claims, last.share_right) == (0.9, 1.0, 4, 0.5)
    assert last.mean_probability == pytest.approx(0.975)
    assert last.least < 0.5 < last.most


def test_the_expected_error_is_that_of_the_bins_by_their_claims():
    assert expected_calibration_error([*claims(0.9, 9, 10), *claims(0.3, 3, 10)]) == pytest.approx(0)
    assert expected_calibration_error([*claims(0.95, 0, 30), *claims(0.5, 5, 10)]) == pytest.approx(0.95 * 0.75)
    assert expected_calibration_error([]) is None
