import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.generator.choose import quick_generator
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.reduce.dimension_reduction import reduce_dimension
from scalesr.reduce.reduction import Transformation, applied, untouched
from scalesr.reduce.relevance import bring_back, drop_irrelevant, left_out

PHYSICS = Operators("physics")


def learn(data):
    return quick_generator(data, rng=np.random.default_rng(0))


def table(text, names, *, n_rows=600, noise=0.0, idle=0):
    rng = np.random.default_rng(1)
    law = parse(text, names=names.split())
    X = rng.uniform(1, 3, (n_rows, len(names.split())))
    y = evaluate(law, X)
    y = y + noise * y.std() * rng.standard_normal(n_rows)
    extra = rng.uniform(-2, 5, (n_rows, idle))
    return Dataset.from_table(np.hstack([X, extra]), y, names=[*names.split(), *(f"idle{j}" for j in range(idle))])


def step(here, operators=PHYSICS, **options):
    return reduce_dimension(
        here, operators=operators, learn=learn, rng=np.random.default_rng(0), stop=Stop(), **options
    )


def test_shrinking_ends_in_the_one_combination_that_matters():
    here, said = untouched(table("m*c^2*exp(a/b)", "m c a b")), []
    while here.data.n_variables > 1 and (found := step(here)).reduction is not None:
        here = found.reduction
        said.append(found.sentence)
    assert here.data.n_variables == 1
    np.testing.assert_allclose(evaluate(here.factor, _original()) * here.data.y, _law(), rtol=1e-10)


def _original():
    return table("m*c^2*exp(a/b)", "m c a b").table


def _law():
    return table("m*c^2*exp(a/b)", "m c a b").y


def test_a_move_that_rows_object_to_is_not_made():
    found = step(untouched(table("sin(a*b) + a^2", "a b")))
    assert found.reduction is None
    assert found.error < 0.05


def test_a_factor_is_confirmed_under_noise_of_a_table_of_the_usual_size():
    """Rows are divided by the factor, so those where it is small have to count less."""
    found = step(untouched(table("m^3*sin(a*b)", "m a b", noise=0.1)), is_noisy=True)
    assert "m^3" in found.sentence


def test_a_known_problem_gives_way_to_another_one_and_is_met_where_there_is_none():
    here = untouched(table("sin(a - b)*exp(c/d)", "a b c d"))
    first = step(here).reduction
    second = step(here, known={first.key}).reduction
    assert second.key != first.key
    alone = untouched(table("sin(a - b)", "a b"))
    only = step(alone).reduction
    assert step(alone, known={only.key}).reduction.key == only.key


def test_noise_does_not_hide_a_difference():
    found = step(untouched(table("sin(a - b)", "a b", noise=0.05)))
    assert found.reduction is not None
    assert found.reduction.data.names == ("a - b",)


def test_columns_that_do_not_matter_are_dropped_and_named():
    data = table("a*sin(b)", "a b", idle=3, noise=0.02)
    found = drop_irrelevant(untouched(data), learn=learn, rng=np.random.default_rng(0), stop=Stop())
    assert found.reduction.data.names == ("a", "b")
    assert "idle0, idle1, idle2" in found.sentence


@pytest.mark.parametrize("share", [0.15, 0.4])
def test_a_column_with_a_slight_effect_is_kept(share):
    data = table(f"a^2 + {share}*b", "a b", noise=0.01)
    found = drop_irrelevant(untouched(data), learn=learn, rng=np.random.default_rng(0), stop=Stop())
    assert found.reduction.data.names == ("a", "b")


@pytest.mark.parametrize("seed", range(2))
def test_a_corner_that_few_rows_describe_does_not_hide_a_symmetry(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.uniform(*limits, 240) for limits in ((50, 200), (1, 20), (0.2, 1.5), (0, 8))])
    law = parse("a/(1 + (a - b)/b*exp(-c*d))", names=["a", "b", "c", "d"])
    here = untouched(Dataset.from_table(X, evaluate(law, X), names=["a", "b", "c", "d"]))
    while here.data.n_variables > 1 and (found := step(here)).reduction is not None:
        here = found.reduction
    assert set(here.data.names) == {"d*c", "b/a"}


def test_a_column_left_out_for_a_small_effect_is_taken_back_when_the_large_ones_are_divided_out():
    rng = np.random.default_rng(0)
    X = rng.uniform([0.1, 0.1, 350, 250, 0], [1, 2, 600, 340, 1], (100, 5))
    y = 5.67e-8 * X[:, 0] * X[:, 1] * (X[:, 2] ** 4 - X[:, 3] ** 4)
    names = ["a", "b", "hot", "cold", "idle"]
    whole = untouched(Dataset.from_table(X, y + 0.01 * y.std() * rng.standard_normal(100), names=names))
    smaller = applied(Transformation((0, 1, 3, 4), (), parse("x0*x1"), 0.0), whole)
    back = bring_back(smaller, whole, learn=learn, rng=rng, stop=Stop())
    assert back.reduction.data.names == ("hot", "cold")
    assert back.sentence.startswith("cold taken back")
    assert back.rejected[0].startswith("idle: error")
    assert left_out(back.reduction, whole) == [4]
    np.testing.assert_array_equal(back.reduction.data.y, smaller.data.y)


def test_a_column_may_enter_through_a_function_of_it():
    assert step(untouched(table("exp(r*cos(2*t))", "r t"))).reduction is None  # it is not its own cosine here
    found = step(untouched(table("exp(r*cos(t))", "r t")))
    assert found.reduction.data.names == ("cos(t)*r",)
    found = step(untouched(table("exp(r^2)/sin(t)", "r t")))
    assert found.sentence == "the target is proportional to 1/sin(t)"
    found = step(untouched(table("log(1 + a*exp(b))", "a b")))
    assert found.reduction.data.names == ("exp(b)*a",)


def test_a_move_needs_no_operator_that_is_not_given():
    here = untouched(table("exp(r*cos(t))", "r t"))
    assert step(here, Operators("+", "*", "/", "exp")).reduction is None
    here = untouched(table("exp(a/b)", "a b"))
    assert step(here, Operators("+", "*", "exp")).reduction is None
    assert step(here, Operators("/", "exp")).reduction.data.names == ("b/a",)


def test_a_factor_is_guessed_where_too_little_is_learned_for_derivatives():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(*limits, 240) for limits in ((1, 5), (0.1, 1), (0, 5), (1, 3), (0, 1.5))])
    law = parse("a*exp(-g*t)*cos(w*t + phi)", names=["a", "g", "t", "w", "phi"])
    found = step(untouched(Dataset.from_table(X, evaluate(law, X), names=["a", "g", "t", "w", "phi"])))
    assert found.sentence == "the target is proportional to a"
    assert any(note.startswith("the target is proportional to 1/a") for note in found.rejected)


def test_columns_that_do_not_matter_go_and_stay_out_where_rows_are_clean():
    here = untouched(table("1/(exp(a*b/c) - 0.5)", "a b c", n_rows=1600, idle=3))
    relevant = drop_irrelevant(here, learn=learn, rng=np.random.default_rng(0), stop=Stop()).reduction
    assert relevant.data.names == ("a", "b", "c")
    smaller = step(relevant).reduction
    back = bring_back(smaller, here, learn=learn, rng=np.random.default_rng(0), stop=Stop())
    assert back.sentence == "Nothing to take back."
    assert len(back.rejected) == 3
