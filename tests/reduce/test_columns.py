import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.reduce.columns import drop_idle
from scalesr.reduce.reduction import applied, untouched
from scalesr.reduce.scale import rescaling

rng = np.random.default_rng(0)


def test_constant_and_repeated_columns_are_left_out_with_the_reason(rng):
    a, b = rng.uniform(1, 2, (2, 40))
    data = Dataset.from_table(np.column_stack([a, np.full(40, 7.0), 3 * a, b]), a + b, names="abcd")
    here, why = drop_idle(untouched(data))
    assert here.data.names == ("a", "d")
    assert why == ("b is 7 in every row", "c repeats a")


def test_one_column_stays_even_if_all_are_idle():
    here, why = drop_idle(untouched(Dataset.from_table(np.ones((9, 2)), np.arange(9.0))))
    assert here.data.n_variables == 1
    assert len(why) == 1


def test_real_units_come_near_one_and_a_law_finds_its_way_back(rng):
    X = np.column_stack([rng.uniform(1, 9, 50) * 1e-34, rng.uniform(1, 9, 50) * 1e30, rng.uniform(1, 9, 50)])
    data = Dataset.from_table(X, 3e12 * X[:, 0] * X[:, 2], names="hmx")
    transformation = rescaling(data)
    assert transformation is not None
    here = applied(transformation, untouched(data))
    assert here is not None
    assert np.all((np.abs(here.data.columns) > 0.05) & (np.abs(here.data.columns) < 20))
    scale = here.data.y / (here.data.columns[0] * here.data.columns[2])
    law = here.restore(parse(f"{float(scale[0])!r}*x0*x2"))
    np.testing.assert_allclose(evaluate(law, data.table), data.y, rtol=1e-12)


def test_usual_units_stay_as_they_are(rng):
    assert rescaling(Dataset.from_table(rng.uniform(0.1, 100, (20, 2)), rng.uniform(-5, 5, 20))) is None


def test_repeated_columns_among_many_are_those_whose_ratio_is_constant(rng):
    X = rng.normal(size=(30, 200))
    X[:, 150], X[:, 151], X[0, 3] = -2 * X[:, 7], 5 * X[:, 3], 0.0
    X[:, 152] = X[:, 9]
    X[17, 152] += 1e-6  # almost a twin
    here, why = drop_idle(untouched(Dataset.from_table(X, X[:, 0])))
    assert why == ("x150 repeats x7",)
    assert here.data.n_variables == 199
