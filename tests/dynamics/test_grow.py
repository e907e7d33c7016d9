import numpy as np
import pytest

from scalesr.dynamics.choose import Contest
from scalesr.dynamics.grow import grown
from scalesr.dynamics.length import form_length
from scalesr.dynamics.residuals import autocorrelation, residual_tests
from scalesr.dynamics.segments import cut
from scalesr.dynamics.system import system_of
from scalesr.dynamics.terms import is_sum_of_products, weighted_terms
from scalesr.expr.evaluate import evaluate
from scalesr.expr.printing import to_text
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from tests.dynamics.systems import runs_of

NAMES = ["x", "y"]
BRUSSELATOR = ["1 - 3*x + x^2*y", "2*x - x^2*y"]


@pytest.fixture(scope="module")
def data():
    return runs_of(BRUSSELATOR, NAMES, starts=((0.5, 3), (0.5, 3)), duration=8, noise=0.02)


@pytest.fixture
def contest(data):
    tables = [Dataset.from_table(data.all_states, column, names=NAMES) for column in data.all_states.T]
    return Contest(cut(data, 60, 50, rng=np.random.default_rng(0)), 2, tables, Stop())


@pytest.mark.parametrize(
    "start",
    [
        ["1 - 3*x + x^2*y + 0.01*y^2", "2*x - x^2*y - 0.02*x*y + 0.01"],  # with terms too many
        ["1 - 2.9*x + x^2*y", "1.9*x - 0.97*x^2*y"],
        ["1 - 3*x + x^2*y", "2*x - 0.9*x^2*y - 0.1*y^2"],  # with a wrong term
    ],
)
def test_trajectories_choose_the_terms_of_the_law(contest, start):
    best = contest.shot(system_of([parse(law, NAMES) for law in start]))
    found = grown(best, contest, [0, 1], 3)
    terms = [{to_text(term, NAMES) for _, term in weighted_terms(law.expression)} for law in found.system.laws]
    assert terms == [{"1", "x", "x^2*y"}, {"x", "x^2*y"}]
    assert found.errors == pytest.approx(0.02 * np.std(contest.segments.states, axis=(0, 1)), rel=0.2)


def test_residuals_of_a_right_law_are_noise_and_of_a_wrong_one_are_not(contest):
    noise = 0.02 * np.std(contest.segments.states, axis=(0, 1))
    right = contest.shot(system_of([parse(law, NAMES) for law in BRUSSELATOR]))
    wrong = contest.shot(system_of([parse("1 - 2*x + x*y", NAMES), parse("2*x - x*y", NAMES)]))
    counts = contest.segments.counts
    assert all(test.is_noise for test in residual_tests(right, counts, noise))
    assert not any(test.is_noise for test in residual_tests(wrong, counts, noise))
    assert max(test.z for test in residual_tests(wrong, counts, 10 * noise)) > 5  # by structure alone


def test_autocorrelation_is_measured_in_standard_errors():
    rng = np.random.default_rng(0)
    counts = np.ones((200, 50), bool)
    found = [autocorrelation(rng.normal(size=(1, 50)), counts[:1]) for _ in range(400)]
    assert np.std(found) == pytest.approx(1.0, abs=0.15)
    assert autocorrelation(np.cumsum(rng.normal(size=(200, 50)), axis=1), counts) > 50


@pytest.mark.parametrize(
    ("law", "terms"),
    [
        ("3*x - 2*(y - x)/4", {"x": 3.5, "y": -0.5}),
        ("-(x*y*2 + 1)", {"x*y": -2.0, "1": -1.0}),
        ("x*(1 - y)", {"x*(1 - y)": 1.0}),
    ],
)
def test_a_law_is_split_into_weighted_terms(law, terms):
    found = weighted_terms(parse(law, NAMES))
    assert {to_text(term, NAMES): factor for factor, term in found} == pytest.approx(terms)
    X = np.random.default_rng(0).normal(size=(20, 2))
    total = sum(factor * evaluate(term, X) for factor, term in found)
    assert total == pytest.approx(evaluate(parse(law, NAMES), X))


def test_sums_of_products_are_told_from_others():
    assert is_sum_of_products(parse("1 - 3*x + 2*x^2*y", NAMES))
    assert not is_sum_of_products(parse("1 - 3*x/(1 + y)", NAMES))
    assert not is_sum_of_products(parse("sin(x)", NAMES))


def test_a_product_costs_its_factors_and_a_function_more():
    costs = [form_length(parse(law, NAMES), 2) for law in ("1.5", "2*x", "2*x*y", "2*x^2*y", "2*x + y", "sin(x)")]
    assert costs[:4] == pytest.approx([k * np.log(3) for k in (1, 2, 3, 4)])
    assert costs[4] == pytest.approx(4 * np.log(3))
    assert costs[5] > costs[3]
