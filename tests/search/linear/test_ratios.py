import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.linear import RatioSearch
from scalesr.search.linear.growth import Grower
from scalesr.search.linear.monomials import laurent_exponents, monomial, monomial_values, polynomial_exponents

LAWS = [
    ("(x0 + x1)/(1 + x0*x1/x2^2)", 1, 5),
    ("1/(1/x0 + x2/x1)", 1, 5),
    ("(x0*x1 + x2*x3)/(x0 + x2)", 1, 5),
    ("3*x0/(2 + x0)", 0.1, 10),
    ("x0/(x1^2 - x2^2 + 30)", 1, 5),
    ("(x0 - x1)/(x0 + x1)", -2, 5),
    ("x0*x1/(x2^2 + x3^2)", 1, 3),
]


def ratio_sweep(law, low, high, *, n_rows=1500, noise=0.0):
    formula = parse(law)
    rng = np.random.default_rng(0)
    X = rng.uniform(low, high, (n_rows, formula.n_columns))
    y = evaluate(formula, X)
    level = noise * y.std()
    return Sweep.from_groups([X], [y + level * rng.standard_normal(n_rows)], noise=level)


def search(sweep, operators="physics"):
    return RatioSearch(Operators(operators)).search(sweep, Budget(), rng=np.random.default_rng(0))


@pytest.mark.parametrize(("law", "low", "high"), LAWS)
def test_an_exact_ratio_is_found_at_rounding_level_and_short(law, low, high):
    sweep = ratio_sweep(law, low, high)
    best = search(sweep).best
    fresh = np.random.default_rng(9).uniform(max(low, 0.3), high, (500, sweep.n_variables))
    np.testing.assert_allclose(evaluate(best.in_group(0), fresh), evaluate(parse(law), fresh), rtol=1e-9)
    assert best.expression.n_open <= 4
    assert best.within_noise


@pytest.mark.parametrize("noise", [0.01, 0.1])
@pytest.mark.parametrize("place", [1, 3, 4, 6])
def test_the_form_of_a_ratio_is_found_under_noise_and_its_constants_are_not_biased(place, noise):
    law, low, high = LAWS[place]
    sweep = ratio_sweep(law, low, high, noise=noise, n_rows=3000)
    best = search(sweep).best
    truth = evaluate(parse(law), sweep.columns.T)
    assert np.std(evaluate(best.in_group(0), sweep.columns.T) - truth) < 0.1 * noise * truth.std()
    assert best.expression.n_open <= 3


@pytest.mark.parametrize("law", ["exp(x0/x1)", "sin(x0)*x1", "log(x0 + x1)"])
def test_what_is_no_ratio_is_not_claimed(law):
    assert not any(skeleton.within_noise for skeleton in search(ratio_sweep(law, 1, 5)).skeletons)


def test_monomials_that_depend_on_each_other_do_not_pass_for_a_law():
    rng = np.random.default_rng(0)
    column = rng.uniform(1, 3, 400)
    sweep = Sweep.from_groups([np.column_stack([column, column**2])], [np.sin(5 * column)], noise=0.0)
    assert not any(skeleton.within_noise for skeleton in search(sweep).skeletons)


def test_rows_with_zeros_and_few_rows_do_no_harm():
    X = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 0.0], [3.0, 5.0]])
    for n_rows in (1, 2, 4):
        search(Sweep.from_groups([X[:n_rows]], [X[:n_rows, 0]]))
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, (300, 2)).astype(float)
    best = search(Sweep.from_groups([codes], [codes[:, 0] / (1 + codes[:, 1])], noise=0.0)).best
    assert best.error < 1e-13


def test_ratios_need_division_and_one_group():
    sweep = ratio_sweep("3*x0/(2 + x0)", 1, 5)
    assert search(sweep, "*").best is None
    two = Sweep.from_groups([sweep.columns.T] * 2, [sweep.y] * 2)
    assert search(two).best is None


def test_monomials_are_those_that_can_be_counted():
    assert len(polynomial_exponents(3, 2)) == 10
    assert len(laurent_exponents(2, 2)) == 13  # 1; x, y and inverses; their squares; four products
    exponents = laurent_exponents(3, 3)
    X = np.random.default_rng(0).uniform(1, 2, (5, 3))
    for one, values in zip(exponents, monomial_values(exponents, X.T), strict=True):
        np.testing.assert_allclose(values, np.prod(X ** np.array(one), axis=1))
        np.testing.assert_allclose(evaluate(monomial(one), X), values)


def test_the_shortest_way_to_write_a_ratio_is_taken():
    best = search(ratio_sweep("1/(1/x0 + x2/x1)", 1, 5)).best
    assert canonical_key(best.expression) == canonical_key(parse("C*x0*x1/(x0*x2 + C*x1)"))


def test_a_wrong_term_of_a_ratio_is_exchanged_for_the_right_one():
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 3, (400, 2))
    y = evaluate(parse("2/(1 + 3*x0*x1 + 4*x1)"), X)
    sweep = Sweep.from_groups([X], [y + 0.05 * y.std() * rng.standard_normal(400)])
    grower = Grower(polynomial_exponents(2, 2), sweep)
    one, other, product, square = (grower.exponents.index(each) for each in ((0, 0), (0, 1), (1, 1), (2, 0)))
    mended = grower.exchanged(grower.fitted((one,), (square, other)), Stop())
    assert (mended.above, set(mended.below)) == ((one,), {product, other})
