import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr_bench.problems.registry import SUITES
from scalesr_bench.samplers import even_rows, log_uniform_rows, standard_rows, uniform_rows, with_noise


def test_uniform_rows_fill_their_box_and_repeat_with_the_seed():
    box = [(-1.0, 1.0), (10.0, 20.0)]
    X = uniform_rows(box, 4000, rng=np.random.default_rng(5))
    assert X.shape == (4000, 2)
    for column, (low, high) in zip(X.T, box, strict=True):
        assert low <= column.min() < low + 0.01 * (high - low)
        assert high - 0.01 * (high - low) < column.max() <= high
    assert np.array_equal(X, uniform_rows(box, 4000, rng=np.random.default_rng(5)))


def test_standard_rows_are_those_of_the_literature():
    rng = np.random.default_rng(0)
    assert standard_rows(SUITES["nguyen"][0], rng=rng).shape == (20, 1)
    assert standard_rows(SUITES["paper"][0], rng=rng).shape == (8000, 2)
    even = standard_rows(SUITES["rational"][0], rng=rng)
    assert np.allclose(even[:, 0], np.linspace(-1, 1, 20))
    with pytest.raises(DataError, match="say how many"):
        standard_rows(SUITES["feynman"][0], rng=rng)
    assert standard_rows(SUITES["feynman"][1], 30, rng=rng).shape == (30, 2)


def test_even_rows_are_for_one_variable():
    with pytest.raises(DataError, match="one variable"):
        even_rows([(0.0, 1.0), (0.0, 1.0)], 20)


def test_noise_is_a_share_of_the_standard_deviation():
    y = 100 + 3 * np.sin(np.arange(20_000.0))
    errors = with_noise(y, 0.1, rng=np.random.default_rng(2)) - y
    assert errors.std() == pytest.approx(0.1 * y.std(), rel=0.02)
    assert with_noise(y, 0.0, rng=np.random.default_rng(2)) is y


def test_log_uniform_rows_give_every_power_of_ten_its_share():
    X = log_uniform_rows([(1e-3, 1e3), (1.0, 10.0)], 6000, rng=np.random.default_rng(1))
    shares = np.histogram(np.log10(X[:, 0]), bins=6, range=(-3, 3))[0] / 6000
    assert shares == pytest.approx([1 / 6] * 6, abs=0.02)
    assert np.median(X[:, 1]) == pytest.approx(np.sqrt(10), rel=0.05)


def test_log_uniform_rows_need_a_box_above_zero():
    with pytest.raises(DataError, match="above 0"):
        log_uniform_rows([(0.0, 1.0)], 5, rng=np.random.default_rng(0))
