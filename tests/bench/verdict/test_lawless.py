import numpy as np
import pytest

from scalesr_bench.verdict.lawless import LAWLESS, N_FRESH, lawless_table


@pytest.mark.parametrize("kind", LAWLESS)
def test_a_table_follows_its_seed_and_has_fresh_rows_of_the_same_process(kind):
    table, again = lawless_table(kind, 0, 3), lawless_table(kind, 0, 3)
    np.testing.assert_array_equal(table.data.table, again.data.table)
    np.testing.assert_array_equal(table.fresh_y, again.fresh_y)
    assert table.fresh.shape == (N_FRESH, table.data.n_variables)
    other = lawless_table(kind, 0, 4)
    assert other.data.n_rows != table.data.n_rows or not np.array_equal(other.data.y, table.data.y)


def test_levels_have_arbitrary_values_that_a_line_does_not_tell():
    table = lawless_table("levels", 0, 0)
    level, x = table.data.columns
    slopes = np.array([np.median((table.data.y / x)[level == k]) for k in np.unique(level)])
    assert len(slopes) >= 3
    np.testing.assert_allclose(table.data.y, slopes[level.astype(int)] * x)
    line = np.polyval(np.polyfit(np.unique(level), slopes, 1), np.unique(level))
    assert np.abs(line - slopes).max() > 0.1


def test_nothing_tells_coins_dice_and_rare_events():
    for kind in ("coin flips", "small integers", "rare events"):
        table = lawless_table(kind, 0, 0)
        correlations = np.corrcoef(np.column_stack([table.fresh, table.fresh_y]).T)[-1, :-1]
        assert np.abs(correlations).max() < 0.12  # of 2000 rows


def test_rare_events_are_rare_and_there():
    for place in range(5):
        assert 1 <= lawless_table("rare events", 0, place).data.y.sum() <= 3


def test_a_grid_has_each_node_once():
    data = lawless_table("grid", 0, 0).data
    assert len(np.unique(data.table, axis=0)) == data.n_rows


def test_a_median_is_one_of_its_columns():
    data = lawless_table("median", 0, 0).data
    assert (np.sort(data.table, axis=1)[:, 1] == data.y).all()
