import itertools

import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr.search.linear.design import basis, gains, losses, make_design, without
from scalesr.search.linear.library import make_library
from scalesr.search.linear.search import LinearSearch

PHYSICS = Operators("physics")


def table(n_rows, n_variables, low, high, seed=0):
    return np.random.default_rng(seed).uniform(low, high, (n_rows, n_variables))


def law_sweep(law, n_rows, low, high, *, noise=0.0, known=True, seed=0, groups=((),)):
    """Rows of a law such as "2*x0 + x1"; each group multiplies y by its own number."""
    rng = np.random.default_rng(seed)
    formula = parse(law)
    X = [rng.uniform(low, high, (n_rows, max(formula.n_columns, 1))) for _ in groups]
    y = [(place + 1) * evaluate(formula, part) for place, part in enumerate(X)]
    level = noise * float(np.std(np.concatenate(y)))
    y = [part + level * rng.standard_normal(n_rows) for part in y]
    return Sweep.from_groups(X, y, noise=level if known else None)


def run(sweep, budget=None, search=None, **options):
    found = (search or LinearSearch()).search(sweep, budget or Budget(), rng=np.random.default_rng(0), **options)
    assert found.best is not None
    return found


def is_form(skeleton, text):
    return canonical_key(skeleton.expression) == canonical_key(parse(text))


POLYNOMIAL = "C*x0^4 + C*x0^3 + C*x1^2 + C*x1"
LAWS = [
    ("x0^3 + x0^2 + x0", "C*x0^3 + C*x0^2 + C*x0", -1, 1),
    ("x0^6 + x0^5 + x0^4 + x0^3 + x0^2 + x0", "C*x0^6 + C*x0^5 + C*x0^4 + C*x0^3 + C*x0^2 + C*x0", -1, 1),
    ("sin(x0^2)*cos(x0) - 1", "C*sin(x0^2)*cos(x0) + C", -1, 1),
    ("sqrt(x0)", "C*sqrt(x0)", 0, 4),
    ("log(x0 + 1) + log(x0^2 + 1)", "C*log(x0 + 1) + C*log(x0^2 + 1)", 0, 2),
    ("x0^4 - x0^3 + x1^2/2 - x1", POLYNOMIAL, -3, 3),
    ("2.5*x0^4 - 1.3*x0^3 + 0.5*x1^2 - 1.7*x1", POLYNOMIAL, -3, 3),
    ("8*x0^2 + 8*x1^3 - 15", "C*x0^2 + C*x1^3 + C", -3, 3),
    ("0.2*x0^3 + 0.5*x1^3 - 1.2*x1 - 0.5*x0", "C*x0^3 + C*x1^3 + C*x1 + C*x0", -3, 3),
    ("1.5*exp(x0) + 5*cos(x1)", "C*exp(x0) + C*cos(x1)", -3, 3),
    ("sin(x0) + sin(x1^2)", "C*sin(x0) + C*sin(x1^2)", 0, 1),
    ("2*sin(x0)*cos(x1)", "C*sin(x0)*cos(x1)", 0, 1),
    ("3*x0*x1/x2 + 2", "C*x0*x1/x2 + C", 1, 3),
]


@pytest.mark.parametrize("n_rows", [20, 200])
@pytest.mark.parametrize(("law", "form", "low", "high"), LAWS)
def test_an_exact_law_in_the_library_is_found_at_rounding_level(law, form, low, high, n_rows):
    best = run(law_sweep(law, n_rows, low, high)).best
    assert is_form(best, form)
    assert best.within_noise
    assert best.error < 1e-14


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("law", "form", "low", "high"), LAWS[5:])
def test_noise_of_one_per_cent_does_not_change_the_support(law, form, low, high, known):
    best = run(law_sweep(law, 200, low, high, noise=0.01, known=known)).best
    assert is_form(best, form)
    assert best.within_noise is known


@pytest.mark.parametrize("law", ["0.3*x0*sin(2*pi*x0)", "sin(3*x0)/(x0^2 + 2)", "exp(sin(3*x0))"])
@pytest.mark.parametrize("n_rows", [20, 200])
def test_a_law_outside_the_library_is_not_claimed(law, n_rows):
    found = run(law_sweep(law, n_rows, -1, 1))
    assert not any(skeleton.within_noise for skeleton in found.skeletons)
    assert found.sentence == "No formula that was tried fits within the noise."


@pytest.mark.parametrize("law", ["sin(x0 + x0^3/9)", "exp(x0/3)/(x0 + 9)", "cos(x0/3)*exp(x0/5)", "1/(x0^2 + 9)"])
def test_a_very_smooth_curve_is_not_taken_for_its_expansion(law):
    found = run(law_sweep(law, 200, -1, 1))
    assert not any(skeleton.within_noise for skeleton in found.skeletons)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("n_rows", "n_variables"), [(10, 1), (20, 2), (200, 1), (200, 3)])
def test_pure_noise_is_described_by_a_constant(n_rows, n_variables, known):
    for seed in range(5):
        X = table(n_rows, n_variables, 0.1, 2, seed)
        y = np.random.default_rng(seed + 50).standard_normal(n_rows)
        best = run(Sweep.from_groups([X], [y], noise=1.0 if known else None)).best
        assert is_form(best, "C")
        assert best.within_noise is known


def test_of_collinear_terms_the_simplest_is_taken():
    X = table(50, 1, -1e-5, 1e-5)  # sin(x), tan(x), tanh(x) and exp(x) - 1 are x here
    assert is_form(run(Sweep.from_groups([X], [3 * X[:, 0]], noise=0.0)).best, "C*x0")
    twice = np.column_stack([X, X])
    assert run(Sweep.from_groups([twice], [3 * X[:, 0]], noise=0.0)).best.complexity == 2


def test_a_constant_variable_does_no_harm():
    X = table(60, 2, 1, 2)
    X[:, 1] = 5.0
    assert is_form(run(Sweep.from_groups([X], [X[:, 0] ** 2 + 1], noise=0.0)).best, "C*x0^2 + C")


@pytest.mark.parametrize("n_rows", [1, 2, 3, 4, 5])
def test_few_rows_give_few_terms(n_rows):
    X = table(n_rows, 2, 0.5, 2)
    found = run(Sweep.from_groups([X], [np.sin(7 * X[:, 0]) + X[:, 1]], noise=0.0))
    assert max(skeleton.expression.n_open for skeleton in found.skeletons) <= max(n_rows // 2, 1)
    assert not any(skeleton.within_noise for skeleton in found.skeletons)


@pytest.mark.parametrize("x", [1e-34, 1e-12, 1e12, 1e30])
@pytest.mark.parametrize("y", [1e-34, 1.0, 1e30])
def test_magnitudes_do_not_matter(x, y):
    X = table(50, 1, -1, 2)
    sweep = Sweep.from_groups([x * X], [y * (3 + 2 * X[:, 0] + 0.5 * X[:, 0] ** 3)], noise=0.0)
    best = run(sweep).best
    assert is_form(best, "C*x0^3 + C*x0 + C")
    np.testing.assert_allclose(sorted(best.constants[0]), sorted([0.5 * y / x**3, 2 * y / x, 3 * y]), rtol=1e-9)


def test_ten_variables():
    law = "2*x0*x3 - x5^2 + sin(x9)"
    assert is_form(run(law_sweep(law, 200, 0.5, 3)).best, "C*x0*x3 + C*x5^2 + C*sin(x9)")
    assert is_form(run(law_sweep(law, 400, 0.5, 3, noise=0.01)).best, "C*x0*x3 + C*x5^2 + C*sin(x9)")


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_groups_share_the_terms_and_have_coefficients_of_their_own(noise):
    rng = np.random.default_rng(1)
    numbers = np.array([[2.0, 1.0], [0.5, -3.0], [0.0, 2.0]])
    X = [rng.uniform(-2, 2, (n, 1)) for n in (40, 80, 60)]
    y = [a * part[:, 0] ** 2 + b * np.sin(part[:, 0]) for (a, b), part in zip(numbers, X, strict=True)]
    y = [part + noise * rng.standard_normal(len(part)) for part in y]
    best = run(Sweep.from_groups(X, y, noise=noise)).best
    assert is_form(best, "C*x0^2 + C*sin(x0)")
    np.testing.assert_allclose(best.constants, numbers, atol=1e-12 + 2 * noise)


def test_more_groups_than_the_selection_looks_at():
    sweep = law_sweep("x0^2 + 3*exp(x0)", 30, -2, 2, noise=0.001, groups=range(40))
    best = run(sweep).best
    assert is_form(best, "C*x0^2 + C*exp(x0)")
    assert best.constants.shape == (40, 2)


def test_a_group_of_one_row_does_not_stop_the_others():
    X = [table(1, 1, -2, 2, 1), table(50, 1, -2, 2, 2)]
    y = [2 * part[:, 0] ** 2 + np.sin(part[:, 0]) for part in X]
    assert is_form(run(Sweep.from_groups(X, y, noise=0.0)).best, "C*x0^2 + C*sin(x0)")


def test_a_weak_term_shows_on_all_rows_though_not_on_a_few():
    sweep = law_sweep("x0^2 + 0.009*sin(x1)", 6000, -3, 3, noise=0.02, seed=3)
    assert make_design(sweep, make_library(sweep, PHYSICS)).n_rows < 2000
    assert is_form(run(sweep).best, "C*x0^2 + C*sin(x1)")


def test_only_the_given_operators_are_used():
    sweep = law_sweep("exp(x0) + x1", 100, 0.5, 2)
    found = run(sweep, search=LinearSearch(Operators("+", "-", "*")))
    assert not any(skeleton.within_noise for skeleton in found.skeletons)
    assert not any("exp" in str(skeleton.expression) or "/" in str(skeleton.expression) for skeleton in found.skeletons)
    assert run(sweep, search=LinearSearch(Operators("+", "exp"))).best.within_noise


def test_the_library_is_bounded_and_has_values_everywhere():
    for n_variables, low in itertools.product((1, 2, 3, 5, 10), (-2, 0.5)):
        X = table(40, n_variables, low, 2)
        sweep = Sweep.from_groups([X], [X[:, 0]])
        library = make_library(sweep, PHYSICS)
        assert len(set(library.terms)) == len(library.terms) < 1500
        singles = [term for term in library.terms if len(term.variables) == 1]
        assert all(np.isfinite(evaluate(term, X)).all() for term in singles)


def test_gains_and_losses_are_those_of_least_squares():
    sweep = law_sweep("x0^2 + sin(x1)", 60, -2, 2, noise=0.1, groups=range(2))
    design = make_design(sweep, make_library(sweep, PHYSICS))

    def rss(support):
        total = 0.0
        for group in range(2):
            X, y = sweep.group(group)
            columns = np.column_stack([evaluate(design.terms[term], X) for term in support])
            total += np.sum((y - columns @ np.linalg.lstsq(columns, y, rcond=None)[0]) ** 2)
        return total

    found = basis(design, (0, 1, 5))
    assert found.rss == pytest.approx(rss((0, 1, 5)))
    assert gains(design, found)[9] == pytest.approx(rss((0, 1, 5)) - rss((0, 1, 5, 9)))
    for place, loss in enumerate(losses(found)):
        rest = [term for term in found.support if term != found.support[place]]
        assert loss == pytest.approx(rss(rest) - rss((0, 1, 5)))
        assert without(found, [place]).rss == pytest.approx(rss(rest))


@pytest.mark.parametrize("budget", [Budget(n_fits=0), Budget(n_fits=5), Budget(seconds=0.0), Budget(target_error=0.5)])
def test_a_budget_ends_the_search(budget):
    sweep = law_sweep("sin(3*x0)*x1 + x1^2", 100, -2, 2)
    found = LinearSearch().search(sweep, budget, rng=np.random.default_rng(0))
    assert found.ended != "The search came to its end."
    if budget.n_fits is not None:
        assert found.n_fits <= budget.n_fits + 20


def test_the_result_depends_on_nothing_but_the_sweep():
    sweep = law_sweep("sin(3*x0)*x1 + x1^2", 100, -2, 2, noise=0.01)
    first = run(sweep)
    second = LinearSearch(n_threads=2).search(sweep, Budget(), rng=np.random.default_rng(9))
    assert [str(s.expression) for s in first.skeletons] == [str(s.expression) for s in second.skeletons]
    assert [s.score for s in first.skeletons] == [s.score for s in second.skeletons]


def test_progress_is_reported():
    seen = []
    run(law_sweep("x0^2 + sin(x1)", 50, -2, 2), progress=seen.append)
    assert seen
    assert seen[-1].stage == "linear laws"
    assert seen[-1].error < 1e-12
