import numpy as np
import pytest

from scalesr.expr.text import parse
from scalesr_bench.judge import agrees, is_same_form, judge_law, size
from scalesr_bench.problems.listing import read_listing

LAW = read_listing("own", "A | 2.5*x*exp(-y) + 1 | x y [1, 3]")[0]


@pytest.fixture
def no_algebra(monkeypatch):
    """Sympy may take minutes and all memory on long formulas: it is not to be asked about them."""

    def refuse(*_, **__):
        raise AssertionError("sympy was asked")

    monkeypatch.setattr("scalesr.expr.sympy_bridge.to_sympy", refuse)


def judge(text, problem=LAW):
    return judge_law(parse(text, problem.names), problem, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    "text", ["2.5*x*exp(-y) + 1", "1 + x/(0.4*exp(y))", "2.50000000001*x/exp(y) + 1", "exp(log(x) - y)*2.5 + 1"]
)
def test_the_law_in_any_form_is_recovered(text):
    assert judge(text).recovered


def test_rounded_constants_are_symbolically_the_law():
    verdict = judge("2.5004*x*exp(-y) + 0.9999")
    assert not verdict.numeric
    assert verdict.symbolic
    assert verdict.recovered


@pytest.mark.parametrize("text", ["2.6*x*exp(-y) + 1", "2.5*x*exp(-y) + 1 + 0.01*y", "x/(y + 0.2) + 1"])
def test_another_law_is_not_recovered(text):
    verdict = judge(text)
    assert not verdict.numeric
    assert not verdict.recovered


def test_a_bloated_law_is_exact_and_too_large():
    waves = " + ".join(f"1e-9*sin({k}*x)*cos(y + {k})" for k in range(1, 4))
    verdict = judge(f"2.5*x*exp(-y) + 1 + {waves}")
    assert verdict.numeric
    assert not verdict.size


def test_rounding_that_changes_what_a_formula_says_does_not_make_it_the_law():
    fast = read_listing("own", "A | sin(100*x) + y | x y [1, 3]")[0]
    assert judge("sin(100.001*x) + y", fast).recovered
    assert not judge("sin(100.4*x) + y", fast).recovered


def test_a_form_that_holds_for_positive_numbers_is_not_the_law_of_a_box_with_others():
    both = read_listing("own", "A | x*y | x y [-3, 3]")[0]
    for text in ("abs(x)*y", "sqrt(x^2)*y", "exp(log(x) + log(y))"):
        assert not judge(text, both).recovered


def test_a_huge_formula_is_judged_by_its_values_alone(no_algebra):
    waves = "*".join(f"(1 + 1e-13*sin({k}*x + y)*exp(cos(x/{k})))" for k in range(1, 40))
    verdict = judge(f"(2.5*x*exp(-y) + 1)*{waves}")
    assert verdict.too_large
    assert verdict.numeric
    assert not verdict.recovered


def test_a_long_law_is_not_too_large_for_a_formula_of_its_length():
    terms = " + ".join(f"{k}.5*x{k}*sin(x{k + 1})" for k in range(1, 31))
    long = read_listing("own", f"A | {terms} | {' '.join(f'x{k}' for k in range(1, 32))} [1, 3]")[0]
    verdict = judge(f"{terms} + 0", long)
    assert not verdict.too_large
    assert verdict.recovered


def test_agreement_allows_rounding_and_no_more():
    truth = 1e6 + 1e-3 * np.sin(np.arange(100.0))
    assert agrees(truth * (1 + 1e-16), truth)
    assert not agrees(truth + 1e-5, truth)
    assert not agrees(np.full(100, np.nan), truth)
    assert not agrees(np.full(100, np.inf), truth)


def test_factors_of_one_do_not_count():
    assert size(parse("1.0000000001*x0^3 + 0.9999999999*x0")) == size(parse("x0^3 + x0"))
    assert size(parse("x0^3 + x0 + 1e-12")) > size(parse("x0^3 + x0"))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("sin(x0)^2", "1 - cos(x0)^2", True),
        ("cos(x0)", "sin(x0 + 1.5707963267948966)", True),
        ("x0^x1", "exp(x1*log(x0))", True),
        ("(x0 + 1)^2", "x0^2 + 2*x0 + 1", True),
        ("3*x0 + 2", "3*x0 + 7", True),  # up to a constant
        ("2.5004*x0", "2.5*x0", True),  # rounding
        ("1.99999*x0^3 + x1", "2*x0^3 + x1", True),
        ("(x0 - x1)*(x0 + x1)", "x0^2 - x1^2", True),
        ("exp(x0)*exp(x1)", "exp(x0 + x1)", True),
        ("log(x0*x1)", "log(x0) + log(x1)", True),
        ("1/(1 + exp(-x0))", "exp(x0)/(1 + exp(x0))", True),
        ("sqrt(x0^2*x1)", "x0*sqrt(x1)", True),
        ("x0/(x1/x2)", "x0*x2/x1", True),
        ("2*sin(x0)*cos(x0)", "sin(2*x0)", True),
        ("-sin(x0 - 1)", "sin(1 - x0)", True),
        ("cos(x0)", "-sin(x0 - 1.5707963267948966)", True),
        ("cos(x0)", "sin(x0 + 1.5708)", True),  # a quarter turn to five digits
        ("x0*cos(x1)", "-x0*sin(x1 - 1.571)", True),
        ("abs(x0)*x1", "x0*x1", True),  # where all is positive
        ("log(x0^2)", "2*log(x0)", True),
        ("tanh(x0)", "(exp(2*x0) - 1)/(exp(2*x0) + 1)", True),
        ("exp(-x0)*x1", "x1/exp(x0)", True),
        ("sin(x0)", "sin(2*x0)", False),
        ("cos(x0)", "sin(x0 + 1.58)", False),
        ("abs(x0 - x1)", "x0 - x1", False),
        ("log(x0)*log(x1)", "log(x0*x1)", False),
        ("x0/(x1 + 1)", "x0/x1", False),
        ("2.53*x0 + x1", "2.5*x0 + x1", False),
        ("exp(x0*x1)", "exp(x0 + x1)", False),
        ("x0^x1", "x1^x0", False),
        ("cos(x0)", "sin(x0 + 1.5)", False),
        ("sin(x0)", "x0 - x0^3/6 + x0^5/120", False),
        ("sqrt(x0^2 + x1^2)", "x0 + x1", False),
        ("log(x0 + x1)", "log(x0) + log(x1)", False),
        ("x0^2", "x0^2.1", False),
        ("x0 + x1", "x0 - x1", False),
    ],
)
def test_forms_are_compared_by_algebra(first, second, same):
    assert is_same_form(parse(first), parse(second), positive=True) is same


def test_long_sums_that_differ_are_told_apart_without_algebra(no_algebra):
    one = parse(" + ".join(f"0.{i}3*sin(x{i})*cos(x{i + 1})*x{i + 2}^2" for i in range(1, 9)))
    other = parse(" + ".join(f"0.{i}4*cos(x{i})*sin(x{i + 1})/x{i + 2}" for i in range(1, 9)))
    assert not is_same_form(one, other)
