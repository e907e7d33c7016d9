import numpy as np
import pytest

from scalesr.pipeline import discover
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Verdict


def run(X, y) -> Discovery:
    return discover(Dataset.from_table(X, y), Settings(time_limit=None), rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("shape", "law"),
    [
        ((400, 300), lambda x: 2 * x[3] - 1.5 * x[7]),
        ((60, 200), lambda x: 2 * x[3] - 1.5 * x[7]),
        ((500, 100), lambda x: x[5] * np.sin(x[17]) + x[40]),
    ],
    ids=["a sum", "fewer rows than columns", "a product"],
)
def test_an_exact_law_in_few_of_many_columns_is_found(shape, law):
    X = np.random.default_rng(1).normal(size=shape)
    found = run(X, law(X.T))
    assert found.verdict is Verdict.EXACT
    fresh = np.random.default_rng(2).normal(size=(50, shape[1]))
    np.testing.assert_allclose(found.equation.predict(fresh), law(fresh.T), rtol=1e-9, atol=1e-9)


def test_with_noise_the_columns_that_are_left_out_are_named_with_the_evidence():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 30))
    y = 2 * X[:, 3] - 1.5 * X[:, 7]
    found = run(X, y + 0.01 * y.std() * rng.normal(size=200))
    assert found.equation.expression.variables == (3, 7)
    assert any("28 columns left out" in step.summary for step in found.trace)
