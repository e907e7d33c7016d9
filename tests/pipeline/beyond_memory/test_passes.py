"""What passes add up is what the whole table in memory gives."""

import tracemalloc

import numpy as np
import pytest

from scalesr import parse
from scalesr.evidence.likelihood import Shape, Sums, explain, explain_sums
from scalesr.expr.evaluate import evaluate
from scalesr.pipeline.beyond_memory.bins import bins_of
from scalesr.pipeline.beyond_memory.classes import Classes
from scalesr.pipeline.beyond_memory.law_sums import trial_of
from scalesr.pipeline.beyond_memory.passes import converge, read_all
from scalesr.pipeline.beyond_memory.rows import StreamRows, random_keys
from scalesr.pipeline.beyond_memory.sample import EXTREMES, draw_sample
from tests.pipeline.beyond_memory.streams import NAMES, made_up, whole


def quiet(what, n_rows):
    pass


def law(x, z):
    return 2.345 * np.exp(-0.7 * x) + z**2


def ready(stream, n_sample=2000, start=(2.0, -0.5)):
    rows = StreamRows(stream, NAMES, "y")
    sample = draw_sample(rows, n_sample, quiet)
    trial = trial_of(parse("C*exp(C*x)+z^2", NAMES), np.array(start), "test", sample.data, may_be_exact=False)
    return trial, rows, sample, bins_of(sample.data.columns, NAMES, (0, 1))


def test_the_sample_does_not_depend_on_how_the_rows_come_and_covers_the_box():
    drawn = [draw_sample(StreamRows(made_up(law, 30_000, batch=size), NAMES, "y"), 500, quiet) for size in (1000, 7000)]
    assert np.array_equal(drawn[0].data.columns, drawn[1].data.columns)
    rows = whole(made_up(law, 30_000))
    seen = rows[:, random_keys(np.arange(30_000, dtype=np.uint64), 0) >= np.uint64(int(0.2 * 2**64))]
    cells = np.vstack([drawn[0].data.columns, drawn[0].data.y])
    for column, chosen in zip(seen, cells, strict=True):
        assert set(np.sort(column)[:EXTREMES]) <= set(chosen)
        assert set(np.sort(column)[-EXTREMES:]) <= set(chosen)
    assert 500 <= drawn[0].data.n_rows <= 500 + 6 * EXTREMES
    assert set(map(tuple, cells.T)) <= set(map(tuple, seen.T))  # none of those that are held back
    assert drawn[0].mean == pytest.approx(rows[2].mean(), rel=1e-12)
    assert drawn[0].std == pytest.approx(rows[2].std(), rel=1e-12)


def test_a_sample_that_is_large_enough_is_the_whole_table():
    sample = draw_sample(StreamRows(made_up(law, 900), NAMES, "y"), 1000, quiet)
    assert sample.is_all
    assert sorted(sample.data.y) == sorted(whole(made_up(law, 900))[2])


def test_constants_and_their_errors_are_those_of_a_fit_in_memory():
    stream = made_up(law, 40_000, noise=0.1)
    (found,) = converge([ready(stream)[0]], (), *ready(stream)[1:], quiet)
    x, z, y = whole(stream)
    expected = np.array([2.0, -0.5])
    for _ in range(30):  # Gauss-Newton by numpy alone
        values = expected[0] * np.exp(expected[1] * x)
        slopes = np.column_stack([values / expected[0], values * x])
        expected = expected + np.linalg.lstsq(slopes, y - z**2 - values, rcond=None)[0]
    left = y - z**2 - expected[0] * np.exp(expected[1] * x)
    covariance = np.linalg.inv(slopes.T @ slopes) * (left @ left) / (len(y) - 2)
    errors = np.sqrt(np.diag(covariance))
    assert found.converged
    assert np.abs(found.values - expected).max() < 1e-3 * errors.min()
    assert found.sums.covariance() == pytest.approx(covariance, rel=1e-3)
    assert found.sums.losses.n_rows == 40_000
    assert found.sums.losses.loss == pytest.approx(0.01, rel=0.05)


def test_constants_that_are_far_off_are_found_and_a_step_that_overshoots_comes_back():
    stream = made_up(law, 20_000, noise=0.1)
    trial, *rest = ready(stream, start=(3.0, -0.9))
    (found,) = converge([trial], (), *rest, quiet)
    assert found.converged
    assert found.values == pytest.approx([2.345, -0.7], rel=0.01)
    rows = StreamRows(made_up(lambda x, z: 1 / (2 + x), 20_000, noise=0.1), NAMES, "y")
    sample = draw_sample(rows, 2000, quiet)
    bins = bins_of(sample.data.columns, NAMES, (0,))
    trial = trial_of(parse("1/(C+x)", NAMES), np.array([9.0]), "test", sample.data, may_be_exact=False)
    (first,) = read_all([trial], (), rows, sample, bins, quiet)
    assert trial.values + first.step() < -3  # beyond the pole
    (found,) = converge([trial], (), rows, sample, bins, quiet)
    assert found.sums.variance < first.variance
    assert not found.converged  # which is said, and makes the law approximate


def test_constants_that_depend_on_each_other_nearly_keep_their_digits():
    """The columns agree in seven digits, so that plain normal equations would have none left."""
    stream = made_up(lambda x, z: 3 * x + 2 * (x + 1e-7 * z), 20_000)
    rows = StreamRows(stream, NAMES, "y")
    sample = draw_sample(rows, 2000, quiet)
    trial = trial_of(parse("C*x+C*(x+0.0000001*z)", NAMES), np.array([1.0, 1.0]), "t", sample.data, may_be_exact=False)
    (found,) = converge([trial], (), rows, sample, bins_of(sample.data.columns, NAMES, (0, 1)), quiet)
    assert found.values == pytest.approx([3, 2], rel=1e-6)


@pytest.mark.parametrize("share", [0.0, 0.02])
def test_the_likelihood_from_classes_is_that_of_the_rows(rng, share):
    residual = 0.3 * rng.normal(size=50_000)
    residual[: int(share * len(residual))] *= 40
    classes = Classes(0.3)
    for part in np.split(residual, 10):
        classes.add(part**2)
    shape = Shape("constant")
    sums = Sums(
        classes.means, classes.total, classes.median, classes.largest**0.5, shape.price(len(residual)), 0.0,
        classes.counts,
    )  # fmt: skip
    binned = explain_sums(sums, shape, 3)
    by_rows = explain(residual, np.full(len(residual), 1.0), 3, rounding=0.0)
    assert by_rows.noise.kind == "constant"
    assert binned.cost == pytest.approx(by_rows.cost, abs=1.0)  # nats, of tens of thousands
    assert binned.noise.scale == pytest.approx(by_rows.noise.scale, rel=1e-3)
    assert binned.noise.outliers == pytest.approx(by_rows.noise.outliers, rel=1e-2)


def test_bins_see_a_trend_that_is_a_small_part_of_the_noise_and_none_where_there_is_none():
    flat, tilted = (
        made_up(law, 400_000, noise=0.1),
        made_up(lambda x, z: law(x, z) + 0.003 * (z > 2.5), 400_000, noise=0.1),
    )
    for stream, is_seen in ((flat, False), (tilted, True)):
        trial, *rest = ready(stream)
        (found,) = converge([trial], (), *rest, quiet)
        probability, where = found.sums.binned.structure(2)
        assert (probability < 1e-4) is is_seen
        assert not is_seen or "z" in where


def test_the_largest_residuals_are_kept():
    stream = made_up(law, 20_000, noise=0.1)
    trial, rows, sample, bins = ready(stream)
    (sums,) = read_all([trial], (), rows, sample, bins, quiet)
    x, z, y = whole(stream)
    left = np.abs(y - evaluate(trial.expression, np.column_stack([x, z])))
    _, worst = sums.worst.rows()
    assert set(worst[2]) == set(y[np.argsort(-left)[: worst.shape[1]]])


def test_memory_does_not_grow_with_the_rows():
    def peak(n_rows):
        trial, *rest = ready(made_up(law, n_rows, noise=0.1))
        tracemalloc.start()
        draw_sample(rest[0], 2000, quiet)
        read_all([trial], (), *rest, quiet)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(400_000) < 1.2 * peak(100_000)
