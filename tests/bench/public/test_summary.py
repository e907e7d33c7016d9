import numpy as np
import pytest

from scalesr_bench.public.runs import PublicRun, held_rows
from scalesr_bench.public.summary import by_method, by_table, sign_flip_test

RNG = np.random.default_rng(0)
Y = RNG.normal(size=200)


def runs(method, errors, *, n_nodes=5, table="t", **rest):
    """Two splits of 100 rows each."""
    return [
        PublicRun(
            method, table, split, 0, 100, 3, 1.0 + split, tuple(errors[split::2]), tuple(-Y[split::2]), n_nodes=n_nodes,
            **rest,
        )
        for split in range(2)
    ]  # fmt: skip


def test_every_row_is_held_out_once_and_by_the_seed():
    held = np.array([held_rows(23, split, 5, 0) for split in range(5)])
    assert (held.sum(axis=0) == 1).all()
    assert set(held.sum(axis=1)) == {4, 5}
    assert not np.array_equal(held[0], held_rows(23, 0, 5, 1))


def test_r2_is_over_all_rows_and_a_line_is_beside_it(rng):
    good, poor = 0.1 * rng.normal(size=200), 0.8 * rng.normal(size=200)
    lines = by_table([*runs("own", good), *runs("linear", poor, n_nodes=13), *runs("bad", 3 * poor)])
    own, linear, bad = lines
    assert own.r2 == pytest.approx(1 - (good**2).sum() / (Y**2).sum())
    assert (own.n_rows, own.n_variables, own.n_nodes, own.median_seconds) == (200, 3, 5, 1.5)
    assert own.beside_linear == pytest.approx(own.r2 - linear.r2)
    assert own.least_r2 <= own.r2
    assert own.is_above_linear
    assert not own.is_below_linear
    assert bad.is_below_linear
    assert (linear.beside_linear, linear.p_value) == (None, None)


def test_a_difference_by_chance_is_neither_above_nor_below(rng):
    own, _ = by_table([*runs("own", rng.normal(size=200)), *runs("linear", rng.normal(size=200))])
    assert not own.is_above_linear
    assert not own.is_below_linear
    assert own.p_value > 0.05


def test_without_a_line_nothing_is_compared():
    (own,) = by_table(runs("own", 0.1 * Y))
    assert (own.beside_linear, own.p_value) == (None, None)


def test_methods_are_counted_over_tables():
    all_runs = [
        *runs("own", 0.1 * Y, table="a"), *runs("linear", 0.5 * Y, table="a"),
        *runs("own", 0.3 * Y, table="b", n_nodes=9, failed=True), *runs("linear", 0.1 * Y, table="b"),
    ]  # fmt: skip
    own, linear = by_method(by_table(all_runs), all_runs)
    assert (own.method, own.n_tables, own.n_runs, own.median_nodes, own.n_failed) == ("own", 2, 4, 7, 2)
    assert own.median_r2 == pytest.approx((0.99 + 0.91) / 2)
    assert (own.n_above_linear, own.n_below_linear) == (1, 1)
    assert linear.n_above_linear == 0


def test_the_sign_flip_test_is_right_about_its_level(rng):
    p_values = np.array([sign_flip_test(rng.normal(size=30)) for _ in range(200)])
    assert 0.01 < np.mean(p_values < 0.05) < 0.12
    assert sign_flip_test(rng.normal(0.8, 1, size=50)) < 0.01
    assert sign_flip_test(np.zeros(9)) == 1.0
