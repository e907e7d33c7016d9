import numpy as np

from scalesr_bench.problems.no_law import tables_without_law
from scalesr_bench.samplers import uniform_rows

TABLES = tables_without_law(seed=0)
SMOOTH = [table for table in TABLES if not table.is_noise]


def test_there_are_a_hundred_smooth_functions_and_targets_of_noise():
    assert len(SMOOTH) == 100
    assert len(TABLES) - len(SMOOTH) == 20
    assert {len(table.names) for table in TABLES} == {1, 2, 3}
    assert len({table.key for table in TABLES}) == 120
    assert tables_without_law(seed=0) == TABLES


def test_values_repeat_and_differ_between_tables_and_seeds():
    X = np.random.default_rng(0).uniform(1, 2, (50, 1))
    first = SMOOTH[0]
    assert np.array_equal(first.values(X), tables_without_law(seed=0)[0].values(X))
    assert not np.allclose(first.values(X), SMOOTH[3].values(X))
    assert not np.allclose(first.values(X), tables_without_law(seed=1)[0].values(X))


def test_smooth_functions_are_smooth_and_no_polynomial_of_low_degree():
    for table in (table for table in SMOOTH if len(table.names) == 1):
        low, high = table.box[0]
        x = np.linspace(low, high, 2001)
        y = table.values(x[:, np.newaxis])
        assert np.abs(np.diff(y)).max() < 0.05 * y.std(), table.key
        fitted = np.polynomial.Polynomial.fit(x, y, 6)(x)
        assert np.sqrt(np.mean((fitted - y) ** 2)) > 1e-5 * y.std(), table.key


def test_the_columns_tell_nothing_of_noise():
    noise = TABLES[-1]
    assert noise.is_noise
    assert not noise.values(uniform_rows(noise.box, 10, rng=np.random.default_rng(0))).any()
