import numpy as np
import pytest

from scalesr.expr.text import parse
from scalesr_bench.form_judge import judge_noisy, relative_error
from scalesr_bench.problems.listing import read_listing

LAW, WAVE, POWER = read_listing(
    "own",
    """
    A | 2.5*x*exp(-y) + 1 | x y [1, 3]
    B | 5.5*sin((x - 1)*(y - 1)) | x y [-3, 3]
    C | x^y | x y [1, 2]
    """,
)


def judge(text, problem=LAW):
    return judge_noisy(parse(text, problem.names), problem, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("2.5*x*exp(-y) + 1", LAW),
        ("2.6*x*exp(-1.01*y) + 0.97", LAW),
        ("1.02 + x/(0.39*exp(y))", LAW),
        ("2.45*x^1.01*exp(-y) + 1.01", LAW),
        ("5.4*sin(1.01*x*y - 0.99*x - y + 1.02)", WAVE),
        ("5.5*cos(x*y - x - y - 0.57)", WAVE),
        ("1.01*x^y", POWER),
        ("exp(0.99*y*log(x))", POWER),
    ],
)
def test_the_law_with_slightly_wrong_constants_is_recovered(text, problem):
    assert judge(text, problem).recovered


def test_a_constant_that_is_off_by_more_than_5_percent_is_not():
    verdict = judge("2.7*x*exp(-y) + 1")
    assert verdict.form
    assert not verdict.recovered


@pytest.mark.parametrize(
    "text",
    [
        "2.5*x*exp(-y) + 1 + 0.003*y",  # a term that the law does not have
        "2.5*x*exp(-y + 0.01*x) + 1",
        "2.5*x*exp(-y)",
        "3.1*x/(y + 0.2)^2 + 1",
        "7",
    ],
)
def test_another_form_is_not_recovered_however_close(text):
    verdict = judge(text)
    assert not verdict.form
    assert not verdict.recovered


def test_a_column_that_does_not_matter_is_another_form():
    (wide,) = read_listing("own", "A | 2.5*x | x z [1, 3]")
    assert judge("2.5*x", wide).recovered
    assert not judge("2.5*x + 1e-3*z", wide).form


def test_the_papers_error_is_relative_with_a_floor():
    truth = np.array([0.0, 2.0])
    assert relative_error(np.array([0.01, 2.2]), truth) == pytest.approx((1e-4 / 1e-4 + 0.04 / 4.0001) / 2)
    assert relative_error(np.array([np.nan, 1.0]), truth) == np.inf
