import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.generator.choose import quick_generator
from scalesr.records.dataset import Dataset
from scalesr.records.precision import WIDE
from scalesr.reduce.leading import confirmed, leading
from scalesr.reduce.reduction import Reduction, untouched


def rows(law, n_rows: int, n_columns: int, *, noise: float = 0.0, seed: int = 1) -> Reduction:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    y = law(X.T)
    return untouched(Dataset.from_table(X, y + noise * y.std() * rng.normal(size=n_rows)))


def learn(data: Dataset):
    return quick_generator(data, rng=np.random.default_rng(0))


LAWS = {
    "a sum": (lambda x: 2 * x[3] - 1.5 * x[7], 500, 300, 0.01, {3, 7}),
    "a sum, few rows": (lambda x: 2 * x[3] - 1.5 * x[7], 48, 200, 0.01, {3, 7}),
    "a term with a product": (lambda x: x[5] * np.sin(x[17]) + x[40], 500, 100, 0.0, {5, 17, 40}),
    "a product of three": (lambda x: x[5] * x[17] * x[40], 500, 100, 0.01, {5, 17, 40}),
    "even functions": (lambda x: np.cos(x[8]) + np.exp(-(x[30] ** 2)), 500, 100, 0.05, {8, 30}),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_columns_of_a_law_lead(name):
    law, n_rows, n_columns, noise, used = LAWS[name]
    found = leading(rows(law, n_rows, n_columns, noise=noise))
    assert used <= set(found.places)
    assert len(found.places) <= len(used) + 2


def test_a_law_of_the_leading_columns_is_one_of_the_table():
    start = rows(lambda x: 2 * x[3] - 1.5 * x[7], 100, 50)
    few = leading(start).reduction
    texts = {name: f"x{place}" for place, name in enumerate(few.data.names)}
    law = few.restore(parse(f"2*{texts['x3']} - 1.5*{texts['x7']}"))
    np.testing.assert_allclose(evaluate(law, start.data.table), start.data.y, rtol=1e-12, atol=1e-12)


def test_columns_lead_by_chance_only_rarely():
    sentences = [leading(rows(lambda x: x[0], 200, 60, noise=1e6, seed=seed)).sentence for seed in range(40)]
    assert sum("the target clearly depends on none" in sentence for sentence in sentences) >= 39


def test_few_columns_are_all_looked_at():
    start = rows(lambda x: x[0], 50, WIDE)
    assert leading(start).reduction is start


def test_other_columns_are_left_out_when_unseen_rows_do_not_call_for_them():
    start = rows(lambda x: 2 * x[3] - 1.5 * x[7], 400, 100, noise=0.01)
    found = confirmed(start, leading(start), learn=learn, rng=np.random.default_rng(0))
    assert found.is_enough
    assert set(found.reduction.data.names) == {"x3", "x7"}


def test_a_column_behind_a_strong_one_is_still_taken_in():
    start = rows(lambda x: np.sin(3 * x[5] * x[17]) + 0.05 * x[9], 800, 60)
    first = leading(start)
    assert 9 not in first.places
    found = confirmed(start, first, learn=learn, rng=np.random.default_rng(0))
    assert {5, 9, 17} <= set(found.places)
    assert found.is_enough


def test_columns_that_tell_something_only_together_are_not_left_out():
    start = rows(lambda x: x.sum(axis=0), 600, 100, noise=0.1)
    assert not confirmed(start, leading(start), learn=learn, rng=np.random.default_rng(0)).is_enough


def test_weightless_rows_do_not_lead():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 40))
    y = np.where(np.arange(300) < 150, X[:, 3], 50 * X[:, 9])
    data = Dataset.from_table(X, y, weights=(np.arange(300) < 150).astype(float))
    assert leading(untouched(data)).places[0] == 3
