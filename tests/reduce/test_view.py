import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import constant
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.reduce.reduction import Transformation, applied, untouched
from scalesr.reduce.view import has_heavy_tails, logarithmic_view, reciprocal_view

PHYSICS = Operators("physics")


def start(law, *, weights=None, n=800):
    X = np.random.default_rng(0).uniform(0.5, 3, (n, 2))
    return untouched(Dataset.from_table(X, law(*X.T), weights=weights))


def pole(x, y):
    return 1 / (x - y)


def test_a_target_beside_a_pole_is_seen_through_its_reciprocal():
    here = start(pole)
    viewed = reciprocal_view(here, PHYSICS)
    np.testing.assert_allclose(viewed.reduction.data.y, 1 / here.data.y)
    law = viewed.reduction.restore(parse("x0 - x1"))
    np.testing.assert_allclose(evaluate(law, here.data.table), here.data.y, rtol=1e-12)


def test_factors_before_and_after_the_view_stand_where_they_belong():
    here = start(lambda x, y: 1000 * x / (x - y))
    scaled = applied(Transformation((), (), constant(1000.0), 0.0), here)
    viewed = reciprocal_view(scaled, PHYSICS).reduction
    divided = applied(Transformation((), (), parse("1/x0"), 0.0), viewed)  # 1/y is (x - y)/x
    law = divided.restore(parse("x0 - x1"))
    np.testing.assert_allclose(evaluate(law, here.data.table), here.data.y, rtol=1e-9)


def test_rows_count_as_they_did_before():
    weights = np.random.default_rng(1).uniform(0.5, 2, 800)
    here = start(pole, weights=weights)
    viewed = reciprocal_view(here, PHYSICS)
    assert (viewed.reduction.data.weights > 0).all()
    np.testing.assert_allclose(viewed.slopes, 1 / here.data.y**2)


@pytest.mark.parametrize(
    "law",
    [
        lambda x, y: x * y,  # no heavy tails
        lambda x, y: np.exp(3 * x) * 0 + 1 / np.random.default_rng(3).normal(size=len(x)),  # nothing is learned
        lambda x, y: (x * y - 2) / (x - y),  # zeros beside poles
    ],
)
def test_other_targets_stay_as_they_are(law):
    assert reciprocal_view(start(law), PHYSICS) is None


def test_operators_without_division_have_no_reciprocal():
    assert reciprocal_view(start(pole), Operators("+", "*")) is None


def test_heavy_tails_are_those_of_few_rows():
    rng = np.random.default_rng(0)
    assert not has_heavy_tails(rng.normal(size=1000))
    assert not has_heavy_tails(np.ones(10))
    assert has_heavy_tails(1 / rng.normal(size=1000))


def test_a_law_of_the_logarithm_is_led_back_through_all_that_came_before():
    here = start(lambda x, y: 3 * x * np.exp(y * (1 - np.exp(-x))))
    divided = applied(Transformation((), (), parse("3*x0"), 0.0), here)
    logged = logarithmic_view(divided, PHYSICS)
    inner = applied(Transformation((1,), (), parse("x1"), 0.0), logged)
    assert inner.data.n_variables == 1
    assert inner.key != applied(Transformation((1,), (), parse("x1"), 0.0), divided).key
    law = inner.restore(parse("1 - exp(-x0)"))
    np.testing.assert_allclose(evaluate(law, here.data.table), here.data.y, rtol=1e-12)


def test_a_target_of_either_sign_or_operators_without_exp_have_no_logarithmic_view():
    assert logarithmic_view(start(lambda x, y: x - y), PHYSICS) is None
    assert logarithmic_view(start(lambda x, y: x + y), Operators("+", "*", "/")) is None
