import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import apply
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.search.linear import select_terms, select_whole

TERMS = [
    parse(text)
    for text in ("x0*x1", "sin(3*x0)", "exp(x1)*x0", "x0^2", "1/x1", "sqrt(x0*x1)", "log(x0)*x1", "cos(x0 + x1)")
]


def data_of(law, *, n_rows=300, noise=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0.5, 3, (n_rows, 2))
    y = evaluate(parse(law), X)
    return Dataset.from_table(X, y + noise * y.std() * rng.standard_normal(n_rows))


def numbers_of(formula):
    return sorted(formula.constants[np.abs(formula.constants) > 0].round(6).tolist())


def test_the_terms_of_an_exact_sum_are_chosen_with_their_coefficients():
    data = data_of("2*x0*x1 - 0.5*sin(3*x0) + 4")
    best = select_terms(TERMS, data)[0]
    np.testing.assert_allclose(evaluate(best, data.table), data.y, rtol=1e-12)
    assert numbers_of(best) == [-0.5, 2.0, 3.0, 4.0]


def test_noise_does_not_bring_in_terms_that_carry_nothing():
    best = select_terms(TERMS, data_of("3*exp(x1)*x0 + log(x0)*x1", noise=0.01, n_rows=2000))[0]
    assert len(best.constants) == 2


def test_terms_without_values_or_given_twice_do_no_harm():
    data = data_of("2*x0*x1")
    best = select_terms([parse("sqrt(0 - x0)"), *TERMS, parse("x1*x0"), parse("2")], data)[0]
    assert numbers_of(best) == [2.0]
    np.testing.assert_allclose(evaluate(best, data.table), data.y, rtol=1e-13)


def test_without_useful_terms_the_mean_is_left():
    rng = np.random.default_rng(0)
    data = Dataset.from_table(rng.uniform(1, 2, (200, 2)), 5 + rng.standard_normal(200))
    best = select_terms(TERMS, data)[0]
    assert not best.variables
    np.testing.assert_allclose(best.constants, data.y.mean())


def test_more_terms_than_rows_can_tell_apart_still_give_a_short_sum():
    many = [parse(f"sin({k}*x0)") for k in range(1, 60)]
    data = data_of("2*sin(7*x0)", n_rows=40)
    assert numbers_of(select_terms(many, data)[0]) == [2.0, 7.0]


def test_a_whole_library_is_reduced_to_the_terms_that_the_rows_miss():
    X = np.random.default_rng(0).uniform(0.5, 3, (600, 4))
    a, b, c, d = X.T
    data = Dataset.from_table(X, 2 * np.sin(a) * b - 0.5 * c**2 + 3 / d)
    functions = ["x{}", "x{}^2", "1/x{}", "sin(x{})", "exp(-x{})"]
    singles = [parse(text.format(j)) for j in range(4) for text in functions]
    terms = singles + [apply("*", f, g) for f in singles[:5] for g in singles[5:10]]
    (best, *_) = select_whole(terms, data, Stop())
    np.testing.assert_allclose(evaluate(best, X), data.y, rtol=1e-9)
    assert len(best.variables) == 4
    assert best.n_nodes < 30


def test_more_terms_than_the_rows_can_bear_are_refused():
    X = np.random.default_rng(0).uniform(0.5, 3, (20, 1))
    terms = [parse(f"sin({k}*x0)") for k in range(1, 15)]
    assert select_whole(terms, Dataset.from_table(X, X[:, 0]), Stop()) == []
