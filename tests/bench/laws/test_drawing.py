import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.records.oracle import Oracle
from scalesr_bench.laws.drawing import N_ROWS, asked_table, draw_table
from scalesr_bench.laws.suites import suite_of
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.no_law import tables_without_law

LINE, EVEN, OPEN = read_listing(
    "own",
    """
    line | 2*x - y | x [0, 1]; y [10, 20] | 400
    even | x^2     | x [0, 1]             | 21 even
    open | x + y   | x y [1, 2]
    """,
)


def test_a_table_holds_the_law_on_its_usual_rows():
    drawn = draw_table(LINE, seed=0)
    assert (drawn.data.n_rows, drawn.data.names, drawn.extra, drawn.noise.level) == (400, ("x", "y"), (), 0)
    x, y = drawn.data.columns
    assert np.allclose(drawn.data.y, 2 * x - y)
    assert np.array_equal(drawn.data.y, draw_table(LINE, seed=0).data.y)
    assert not np.array_equal(drawn.data.y, draw_table(LINE, seed=1).data.y)
    assert draw_table(OPEN, seed=0).data.n_rows == N_ROWS
    assert draw_table(OPEN, seed=0, n_rows=30).data.n_rows == 30
    assert np.allclose(draw_table(EVEN, seed=0).data.columns[0], np.linspace(0, 1, 21))


def test_noise_leaves_the_rows_and_has_the_stated_size():
    clean, noisy = draw_table(LINE, seed=0, n_rows=5000), draw_table(LINE, seed=0, n_rows=5000, noise=0.1)
    assert np.array_equal(clean.data.columns, noisy.data.columns)
    errors = noisy.data.y - clean.data.y
    assert errors.std() == pytest.approx(0.1 * clean.data.y.std(), rel=0.05)
    assert noisy.noise.level == pytest.approx(0.1 * clean.data.y.std())


@pytest.mark.parametrize("problem", [LINE, EVEN])
def test_columns_that_do_not_matter_stand_among_the_others(problem):
    places = set()
    for seed in range(8):
        drawn = draw_table(problem, seed=seed, n_extra=3)
        assert drawn.extra == tuple(name for name in drawn.data.names if name.startswith("extra"))
        assert len(drawn.extra) == 3
        assert np.array_equal(np.sort(drawn.data.y), np.sort(draw_table(problem, seed=seed).data.y))
        assert np.allclose(drawn.source.values(drawn.data.table), drawn.data.y)
        places.add(drawn.data.names.index("x"))
    assert len(places) > 1


def test_columns_that_do_not_matter_have_the_ranges_of_those_that_do():
    drawn = draw_table(LINE, seed=0, n_extra=2)
    lows = sorted(float(drawn.data.columns[drawn.data.names.index(name)].min()) for name in drawn.extra)
    assert lows == pytest.approx([0, 10], abs=0.1)


def test_a_table_without_a_law_takes_no_extra_columns():
    with pytest.raises(DataError, match="Extra columns are for laws"):
        draw_table(tables_without_law()[0], seed=0, n_extra=1)


def test_noise_alone_has_a_spread_of_one():
    drawn = draw_table(tables_without_law()[-1], seed=0)
    assert drawn.data.std == pytest.approx(1, rel=0.1)


def test_an_oracle_answers_with_the_law_and_counts():
    oracle = draw_table(LINE, seed=0, n_extra=2).oracle()
    drawn = draw_table(LINE, seed=0, n_extra=2)
    assert np.allclose(oracle(drawn.data.table[:9]), drawn.data.y[:9])
    oracle(drawn.data.table[:4])
    assert oracle.n_asked == 13


def test_a_table_without_rows_is_asked_for_in_the_box_and_counted():
    drawn = draw_table(LINE, seed=0, n_extra=1)
    truth = drawn.oracle()
    data, rest = asked_table(drawn, Oracle(truth, 1000))
    assert (data.n_rows, data.names, truth.n_asked, rest.budget) == (400, drawn.data.names, 400, 600)
    np.testing.assert_array_equal(data.y, drawn.source.values(data.table))
    low, high = np.array(drawn.source.box).T
    assert ((data.table >= low) & (data.table <= high)).all()
    assert not np.isin(data.columns[0], drawn.data.columns[0]).any()  # none of the drawn rows
    again, _ = asked_table(drawn, Oracle(drawn.oracle()))
    np.testing.assert_array_equal(again.table, data.table)


def test_an_oracle_has_the_noise_of_the_rows():
    drawn = draw_table(LINE, seed=0, noise=0.1, n_rows=4000)
    oracle = drawn.oracle()
    X = drawn.data.table
    errors = oracle(X) - drawn.source.values(X)
    assert errors.std() == pytest.approx(drawn.noise.level, rel=0.05)
    assert not np.array_equal(oracle(X), oracle(X))


def test_noise_of_srbench_is_a_share_of_the_root_mean_square():
    law = next(problem for problem in suite_of("srbench") if problem.name == "II.11.28")  # far from 0, small spread
    clean, noisy = draw_table(law, seed=0), draw_table(law, seed=0, noise=0.1)
    size = np.sqrt(np.mean(clean.data.y**2))
    assert (noisy.data.y - clean.data.y).std() == pytest.approx(0.1 * size, rel=0.05)
    assert size > 2 * clean.data.y.std()


def test_noise_of_empirical_laws_is_a_share_of_each_value():
    law = next(problem for problem in suite_of("empirical") if problem.name == "newton")
    clean, noisy = draw_table(law, seed=0), draw_table(law, seed=0, noise=0.1)
    assert (noisy.data.y / clean.data.y - 1).std() == pytest.approx(0.1, rel=0.1)
    asked = noisy.oracle()(clean.data.table)
    assert (asked / clean.data.y - 1).std() == pytest.approx(0.1, rel=0.1)


def test_measured_rows_are_as_they_are_and_near_their_law():
    for law in suite_of("real"):
        drawn = draw_table(law, seed=0, noise=0.5)
        np.testing.assert_array_equal(drawn.data.y, draw_table(law, seed=1).data.y)
        error = drawn.data.y - law.values(drawn.data.table)
        assert error.std() < 0.4 * drawn.data.y.std(), law.name
        assert drawn.noise.level > 0
        low, high = law.box[0]
        assert (drawn.data.columns.min(), drawn.data.columns.max()) == (low, high), law.name
