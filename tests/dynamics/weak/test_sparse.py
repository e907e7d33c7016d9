import numpy as np
import pytest

from scalesr.dynamics.noise import noise_of_states
from scalesr.dynamics.trajectories import Trajectory, whole_trajectories
from scalesr.dynamics.weak.bumps import bumps
from scalesr.dynamics.weak.candidates import weak_candidates
from scalesr.dynamics.weak.equations import weak_equations
from scalesr.dynamics.weak.library import degree_of, monomials, weighted_sum
from scalesr.dynamics.weak.smooth import smooth_runs
from scalesr.dynamics.weak.sparse import Normal, best_subsets, shortest
from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.expr.printing import to_text
from scalesr.expr.text import parse
from tests.dynamics.systems import runs_of

T = np.linspace(0, 6, 150)
NAMES = ["x", "y"]


@pytest.mark.parametrize("order", [1, 2])
def test_integration_by_parts_takes_a_state_to_the_integral_of_its_derivative(order):
    rule = bumps(T, order=order)
    derivative = np.cos(T) if order == 1 else -np.sin(T)
    assert rule.left @ np.sin(T) == pytest.approx(rule.right @ derivative, abs=2e-4)


def test_left_sides_have_independent_noise():
    rule = bumps(np.sort(np.random.default_rng(0).uniform(0, 6, 80)))
    assert rule.left @ rule.left.T == pytest.approx(np.eye(len(rule.left)), abs=1e-8)


@pytest.mark.parametrize("times", [T, np.sort(np.random.default_rng(2).uniform(0, 6, 150))])
def test_smoothing_leaves_less_than_half_of_the_noise_and_clean_states_alone(times):
    truth = np.stack([np.sin(times), np.cos(2 * times)], axis=1)
    noisy = truth + 0.02 * np.random.default_rng(1).normal(size=truth.shape)
    data = whole_trajectories([Trajectory(times, noisy, np.empty((150, 0)))], NAMES)
    found = smooth_runs(data, noise_of_states(data))[0]
    assert np.sqrt(np.mean((found - truth) ** 2)) < 0.01
    assert np.array_equal(smooth_runs(data, np.zeros(2))[0], noisy)


def test_the_terms_of_a_sum_are_found_among_many():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(300, 30))
    left = 2 * columns[:, 3] - columns[:, 7] + 0.5 * columns[:, 20] + 0.1 * rng.normal(size=300)
    normal = Normal.of(columns / 0.1, left / 0.1, np.full(30, 6.0))
    assert best_subsets(normal, 3)[0] == shortest(normal) == {3, 7, 20}
    assert normal.coefficients({3, 7, 20}) == pytest.approx([2, -1, 0.5], abs=0.03)


def test_terms_that_have_to_stay_stay():
    columns = np.random.default_rng(0).normal(size=(200, 5))
    normal = Normal.of(columns, 3 * columns[:, 1], np.full(5, 4.0), frozenset({4}))
    assert all(4 in subset for subset in best_subsets(normal, 5))
    assert {1, 4} == best_subsets(normal, 1)[0]


def test_products_come_by_degree_and_sums_of_them_have_their_values():
    terms = monomials([0, 1], 3)
    assert [degree_of(term) for term in terms] == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    law = weighted_sum([2.0, -3.0], [terms[0], terms[4]])
    assert evaluate(law, np.array([[2.0, 5.0]]))[0] == pytest.approx(2 - 3 * 2 * 5)


def test_runs_too_short_for_a_test_function_have_no_candidates():
    data = whole_trajectories([Trajectory(T[:9], np.sin(T[:9])[:, np.newaxis], np.empty((9, 0)))], ["x"])
    assert weak_equations(data, smooth_runs(data, np.zeros(1))) is None
    assert weak_candidates(data, [0], np.zeros(1), Operators("physics")) == [()]


def forms(data, *operators):
    found = weak_candidates(data, range(data.n_states), noise_of_states(data), Operators(*operators or ["physics"]))
    return [[to_text(law.skeleton(), NAMES) for law in laws] for laws in found]


def test_saturation_is_proposed_from_noisy_runs():
    laws = ["x - 0.2*x^2 - 1.2*x*y/(1 + x)", "0.9*x*y/(1 + x) - 0.5*y"]
    first, second = forms(runs_of(laws, NAMES, starts=((0.5, 5), (0.3, 3)), duration=15, noise=0.01))
    assert any("/(C" in form and "x^2" in form for form in first)
    assert any(form.count("C") == 3 for form in second)  # two factors and the constant of the saturation


def test_functions_that_the_operators_lack_are_not_proposed():
    data = runs_of(["y", "-2*sin(x)"], NAMES, starts=((-2, 2), (-1, 1)), duration=8, noise=0.01)
    assert any("sin" in form for form in forms(data)[1])
    assert not any("sin" in form or "/" in form for form in forms(data, "+", "-", "*")[1])


def test_a_law_that_is_a_sum_of_products_is_proposed_as_one():
    law = parse("x - x*y", NAMES)
    data = runs_of(["x - x*y", "x*y - y"], NAMES, starts=((0.5, 2), (0.5, 2)), duration=8, noise=0.01)
    found = weak_candidates(data, [0, 1], noise_of_states(data), Operators("physics"))[0][0]
    table = data.all_states
    off = evaluate(found, table) - evaluate(law, table)
    assert np.sqrt(np.mean(off**2)) < 0.03 * evaluate(law, table).std()


def test_exponentials_that_overflow_far_from_zero_do_no_harm():
    states = 300 + 0.3 * np.exp(-T)[:, np.newaxis] + 1e-3 * np.random.default_rng(0).normal(size=(150, 1))
    data = whole_trajectories([Trajectory(T, states, np.empty((150, 0)))], ["x"])
    found = weak_candidates(data, [0], noise_of_states(data), Operators("physics"))[0]
    assert all(np.isfinite(law.constants).all() for law in found)
