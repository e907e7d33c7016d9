import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import variable
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.reduce.reduction import untouched
from scalesr.reduce.waves import with_waves


def waved(law, *ranges, n=1200):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(low, high, n) for low, high in ranges])
    start = untouched(Dataset.from_table(X, law(*X.T)))
    found = with_waves(start, Operators("physics"), Stop())
    return start.data, found.reduction


def test_a_wave_becomes_a_column_and_the_law_of_it_a_law_of_the_rows():
    data, after = waved(lambda x, y: y * np.sin(30 * x) + y**2, (0, 5), (-2, 2))
    assert len(after.columns) == 2
    sign = np.sign(np.corrcoef(after.data.columns.prod(axis=0), data.y - data.columns[1] ** 2)[0, 1])
    law = after.restore(parse(f"{sign}*x0*x1 + x1^2"))
    np.testing.assert_allclose(evaluate(law, data.table), data.y, atol=1e-9)


@pytest.mark.parametrize(
    ("law", "n_columns"),
    [
        (lambda x, w: 1.7 * np.cos(8.6 * x) * np.sin(3.9 * w), 2),
        (lambda x, w: 1.7 * np.cos(8.6 * x + 0.3) * np.cos(3.9 * w - 1.1), 2),
    ],
)
def test_two_waves_of_a_product_become_its_factors(law, n_columns):
    data, after = waved(law, (-10, 10), (-10, 10))
    assert len(after.columns) == n_columns
    product = np.prod(after.data.columns, axis=0)
    assert abs(np.corrcoef(product, data.y)[0, 1]) == pytest.approx(1, abs=1e-12)


def test_three_factors_are_found_among_four_waves():
    data, after = waved(lambda x, y, z: np.sin(5 * x) * np.cos(7 * y + 1) * np.sin(6 * z), (0, 3), (0, 3), (0, 3))
    assert len(after.columns) == 3
    assert abs(np.corrcoef(np.prod(after.data.columns, axis=0), data.y)[0, 1]) == pytest.approx(1, abs=1e-9)


def test_quarter_turns_are_written_as_sines_and_cosines():
    _, after = waved(lambda x: 2 * np.sin(30 * x), (0, 5))
    assert after.data.n_variables == 1
    assert str(after.columns[0]).startswith("sin(")
    assert len(after.columns[0].constants) == 1


@pytest.mark.parametrize("shift", [1.0, -1.0])
def test_a_wave_is_a_sine_where_its_phase_is_a_simple_number_then(shift):
    _, after = waved(lambda x: np.sin(7 * x + shift), (0, 10))
    written = after.text(variable(0))
    assert written.startswith("sin(")
    assert "1.57" not in written
    assert "0.57" not in written
