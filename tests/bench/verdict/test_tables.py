import numpy as np

from scalesr_bench.verdict.tables import LAW, ROWS, verdict_table

TABLES = [verdict_table(LAW, 0, place) for place in range(40)]


def test_tables_of_laws_have_all_kinds_of_noise_and_numbers_of_rows():
    assert {table.noise_kind for table in TABLES} == {"", "constant", "proportional", "counts", "outliers"}
    counts = [table.data.n_rows for table in TABLES]
    assert ROWS[0] <= min(counts) < 50
    assert 500 < max(counts) <= ROWS[1]
    assert all((table.noise > 0) == bool(table.noise_kind) for table in TABLES)
    assert {len(table.drawn.extra) for table in TABLES} == {0, 1, 2, 3}


def test_fresh_rows_follow_the_same_law_in_the_same_columns():
    for table in TABLES:
        if not table.noise_kind:
            np.testing.assert_allclose(table.drawn.source.values(table.fresh), table.fresh_y)
            np.testing.assert_allclose(table.drawn.source.values(table.data.table), table.data.y)


def test_counts_are_30_to_1000_on_average():
    means = [table.fresh_y.mean() for table in TABLES if table.noise_kind == "counts"]
    assert means
    assert all(20 < mean < 1300 for mean in means)  # the mean of some rows


def test_a_table_follows_its_seed():
    again = verdict_table(LAW, 0, 5)
    np.testing.assert_array_equal(again.data.y, TABLES[5].data.y)
    np.testing.assert_array_equal(again.fresh_y, TABLES[5].fresh_y)
    assert verdict_table(LAW, 1, 5).truth != TABLES[5].truth
