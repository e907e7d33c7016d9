import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.generator.choose import quick_generator
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.reduce.sparse import sparse_laws
from scalesr.reduce.sparse.powers import power_products
from scalesr.reduce.sparse.targets import LOGARITHM, SQUARE, TargetView
from scalesr.search.linear import LinearSearch, RatioSearch

PHYSICS = Operators("physics")


def looks(data, operators=PHYSICS, stop=None, learn=lambda _: None):
    return sparse_laws(
        data,
        operators=operators,
        linear=LinearSearch(operators),
        screen=LinearSearch.quick(operators),
        ratios=RatioSearch(operators),
        stop=stop or Stop(),
        rng=np.random.default_rng(0),
        learn=learn,
    )


def found_laws(data, operators=PHYSICS):
    return list(looks(data, operators))[-1]


def data_of(law, low, high, *, n_rows=300, noise=0.0, extra=0, seed=0):
    rng = np.random.default_rng(seed)
    formula = parse(law)
    X = rng.uniform(low, high, (n_rows, formula.n_columns + extra))
    y = evaluate(formula, X)
    return Dataset.from_table(X, y + noise * y.std() * rng.standard_normal(n_rows))


def is_right(found, law, low, high, *, tolerance=1e-9):
    """Whether a law has the values of the truth on fresh rows."""
    truth = parse(law)
    X = np.random.default_rng(99).uniform(low, high, (500, max(truth.n_columns, found.n_columns)))
    y = evaluate(truth, X)
    return bool(np.abs(evaluate(found, X) - y).max() < tolerance * np.abs(y).max())


LAWS = [
    ("2*x0^2*x1/x2^3", 0.5, 3),
    ("-3*x0^3/x1", -2, 2.5),
    ("sqrt(x0*x1/x2)", 1, 5),
    ("1.7*x0^0.426*x1", 0.5, 3),
    ("3*x0*sin(x1)*exp(-x2)", 0.5, 3),
    ("x0*x1/(1 + x2)", 1, 5),
    ("x0*x1 + 2*sin(x1) - 1", -2, 2),
    ("sqrt((x0 - x1)^2 + (x2 - x3)^2)", 1, 5),
    ("-sqrt(x0^2 + x1^2)", 1, 5),
    ("1/(2*x0 + 3/x1)", 0.5, 3),
    ("x0/sqrt(1 - x1^2/(2 + x2)^2)", 1.1, 1.9),
    ("3*exp(-x0^2/x1)", 0.5, 3),
    ("x0^x1", 1, 2),
    ("log(x0 + x1^2)", 0.5, 3),
    ("sin(0.3*x0 + 0.2*x1^2)", 0.5, 2),
    ("(x0 + x1)/(1 + x0*x1/x2^2)", 1, 5),
    ("(x0 - x1*x2)^2/(x0^2 + x1)", 1, 2),
]


@pytest.mark.parametrize(("law", "low", "high"), LAWS)
def test_a_plain_law_is_found_exactly_and_ends_the_looks(law, low, high):
    best = found_laws(data_of(law, low, high))[0]
    assert is_right(best.expression, law, low, high)
    assert best.origin.startswith("sparse law")


def test_weak_columns_are_left_out_of_a_power_product():
    best = found_laws(data_of("2*x0^2*x1", 1, 3, extra=3))[0]
    assert best.expression.variables == (0, 1)


@pytest.mark.parametrize("noise", [0.01, 0.1])
@pytest.mark.parametrize("law", ["2*x0^2*x1/x2^3", "4*x0*x1*sin(x2)", "3*x0*x1/(x0 + 2*x1)", "2*x0^3 - 4*x1 + 5"])
def test_noise_leaves_the_form_findable(law, noise):
    data = data_of(law, 1, 3, n_rows=800, noise=noise)
    best = found_laws(data)[0].expression
    truth = evaluate(parse(law), data.table)
    assert np.std(evaluate(best, data.table) - truth) < 0.1 * noise * truth.std()
    assert len(best.constants) <= 3


def test_fractions_are_part_of_the_form_and_other_exponents_are_constants():
    whole = found_laws(data_of("5*x0^2/sqrt(x1)", 1, 3))[0].expression
    assert len(whole.constants) == 1
    real = found_laws(data_of("5*x0^2.137", 1, 3))[0].expression
    np.testing.assert_allclose(sorted(real.constants), [2.137, 5.0])


def test_what_no_plain_law_fits_is_approximated_and_ranked():
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, (500, 2))
    y = np.tanh(X @ rng.normal(size=(2, 8)) * 3 + rng.normal(size=8)) @ rng.normal(size=8)
    found = found_laws(Dataset.from_table(X, y))
    errors = [np.std(evaluate(one.expression, X) - y) for one in found]
    assert 1 < len(found) <= 10
    assert 1e-6 * y.std() < errors[0] < 0.5 * y.std()


def test_only_the_operators_allowed_are_used():
    data = data_of("sqrt(x0^2 + x1^2)", 1, 5)
    for proposal in found_laws(data, Operators("+", "*")):
        assert not any(name in str(proposal.expression) for name in ("sqrt", "/", "exp", "sin", "^0"))


def test_looks_give_more_and_more_and_a_deadline_ends_them():
    data = data_of("sin(3*x0*x1) + x1", 1, 3)
    assert len(list(looks(data))) > 2
    assert len(list(looks(data, stop=Stop(seconds=0.0)))) == 1


def test_the_same_rows_give_the_same_laws():
    data = data_of("sin(3*x0*x1) + x1", 1, 3, n_rows=200)
    first, second = ([str(one.expression) for one in found_laws(data)] for _ in range(2))
    assert first == second


@pytest.mark.parametrize("n_rows", [1, 2, 3, 6])
def test_few_rows_are_no_trouble(n_rows):
    data = data_of("x0*x1", 1, 3, n_rows=n_rows)
    for proposals in looks(data):
        assert all(np.isfinite(evaluate(one.expression, data.table)).all() for one in proposals)


def test_constant_and_zero_targets_and_columns_with_zeros_are_no_trouble():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (100, 2)).astype(float)
    assert found_laws(Dataset.from_table(X, np.full(100, 3.0)))[0].expression.constants.tolist() == [3.0]
    assert not evaluate(found_laws(Dataset.from_table(X, np.zeros(100)))[0].expression, X).any()
    best = found_laws(Dataset.from_table(X, X[:, 0] * X[:, 1] + 2 * X[:, 0]))[0].expression
    np.testing.assert_allclose(evaluate(best, X), X[:, 0] * X[:, 1] + 2 * X[:, 0], atol=1e-12)


def test_weights_decide_which_rows_the_law_fits():
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 3, (400, 1))
    wrong = np.arange(400) % 4 == 0
    y = 2 * X[:, 0] + np.where(wrong, rng.normal(size=400), 0.0)
    weights = np.where(wrong, 0.0, 1.0)
    laws = found_laws(Dataset.from_table(X, y, weights=weights))
    right = [one for one in laws if one.expression.constants.size == 1]
    np.testing.assert_allclose(right[0].expression.constants, [2.0], rtol=1e-9)


@pytest.mark.parametrize(
    "law", ["asin(x0*x1/x2)", "acos(x0*x1/x2)", "atan(x0*x1^2/x2)", "asin(0.2*x0*sin(x1))", "exp(-x0*x1/x2)"]
)
def test_an_outermost_function_of_a_product_is_found(law):
    low, high = (0.5, 0.7) if law.startswith("a") else (0.5, 3)
    assert is_right(found_laws(data_of(law, low, high))[0].expression, law, low, high)


def test_a_square_forgives_values_that_noise_made_negative_and_no_others():
    rng = np.random.default_rng(0)
    off = rng.uniform(-4, 4, 4000)
    size = np.abs(off) + 0.02 * rng.standard_normal(4000)
    assert (size < 0).any()
    X = np.zeros((4000, 1))
    assert SQUARE.view(TargetView(Dataset.from_table(X, size), None)) is not None
    assert SQUARE.view(TargetView(Dataset.from_table(X, off), None)) is None


def test_a_target_with_noise_is_transformed_without_bias():
    """Logarithms of noisy values are too small on average; those along the tangent are not."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 3, 4000)
    true = np.exp(-x)
    y = true + 0.05 * rng.standard_normal(4000)
    view = LOGARITHM.view(TargetView(Dataset.from_table(x[:, np.newaxis], y), true * (1 + 0.05 * np.sin(5 * x))))
    slope, level = np.polyfit(view.rows.columns[0], view.rows.y, 1, w=np.sqrt(view.rows.weights))
    assert LOGARITHM.view(TargetView(Dataset.from_table(x[:, np.newaxis], y), None)) is None
    assert abs(slope + 1) < 0.02
    assert abs(level) < 0.01


def test_rows_without_a_transformed_value_are_left_out_if_they_are_few():
    expected = np.linspace(-0.05, 1, 100)
    rows = Dataset.from_table(np.arange(100.0)[:, np.newaxis], expected)
    assert LOGARITHM.view(TargetView(rows, expected)).rows.n_rows == 95
    assert LOGARITHM.view(TargetView(rows, expected - 0.5)) is None


def test_an_exponential_of_a_sum_is_found_under_noise_that_goes_below_zero():
    rng = np.random.default_rng(1)
    X = rng.uniform([0.1, 0.5, 0.05], [0.6, 4, 0.3], (400, 3))
    y = evaluate(parse("exp(-x0*x1 - x2*x1^2)"), X) + 0.02 * rng.standard_normal(400)
    assert (y < 0).any()
    *_, best = looks(Dataset.from_table(X, y), learn=lambda data: quick_generator(data, rng=np.random.default_rng(0)))
    assert is_right(best[0].expression, "exp(-x0*x1 - x2*x1^2)", 0.05, 4, tolerance=0.02)


def test_powers_that_are_played_off_against_each_other_are_no_laws():
    """Fitted to the target itself, they went to thousands, which no whole power may be."""
    X = np.random.default_rng(0).uniform([0.1, 0.1, 350, 250], [1, 2, 600, 340], (240, 4))
    y = evaluate(parse("5.67e-8*x0*x1*(x2^4 - x3^4)"), X)
    for candidate in power_products(TargetView(Dataset.from_table(X, y), None), PHYSICS):
        assert candidate.form.args.max() <= 1000


def test_inverse_squares_of_two_variables_are_terms_of_few_rows_too():
    law = "sqrt(x0^2 + (x1*x2 - 1/(x1*x3))^2)"
    best = found_laws(data_of(law, 0.5, 2, n_rows=240))[0].expression
    assert is_right(best, law, 0.5, 2)
