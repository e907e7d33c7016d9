import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr_bench.scaling import (
    ScalePoint,
    as_json,
    chart,
    from_json,
    measure_point,
    measure_scaling,
    scale_points,
)

STUB = "tests.bench.stub_method:plane"


def test_points_cover_rows_variables_and_the_largest_of_both():
    points = scale_points(methods=["default"], seed=0, time_limit=9.0)
    sizes = [(point.n_rows, point.n_variables) for point in points]
    assert {rows for rows, _ in sizes} == {1_000, 10_000, 100_000, 1_000_000}
    assert {variables for rows, variables in sizes if rows == 10_000} == set(range(2, 11))
    assert sizes[-1] == (1_000_000, 10)
    assert len(set(sizes)) == len(sizes)


def test_a_law_has_all_variables_and_repeats():
    point = ScalePoint("default", 1000, 7, seed=3, time_limit=1.0)
    assert len(point.problem.expression.variables) == 7
    assert point.problem == ScalePoint("paper", 10, 7, seed=3, time_limit=9.0).problem


def test_a_point_measures_time_and_memory():
    line = measure_point(ScalePoint(STUB, 1000, 2, seed=0, time_limit=5.0))
    assert (line.n_rows, line.n_variables, line.verdict) == (1000, 2, "within noise")
    assert not line.is_right
    assert line.seconds > 0
    assert 10 * 2**20 < line.idle_bytes <= line.peak_bytes < 8 * 2**30


def test_the_peak_of_a_large_table_is_its_own():
    point = ScalePoint(STUB, 1_000_000, 2, seed=0, time_limit=5.0)
    held = np.ones(2**26)  # 512 MiB that this process has and the measured one has not
    told = []
    (line,) = measure_scaling([point], progress=told.append)
    assert told == [point]
    assert line.peak_bytes - line.idle_bytes > 20 * 2**20  # the table alone has 24 MB
    assert line.peak_bytes < held.nbytes


def test_a_chart_has_bars_in_the_order_of_the_values():
    lines = chart(["a", "bb", "c"], [1.0, 100.0, 10.0])
    lengths = [line.count("█") for line in lines]
    assert lengths[0] == 1
    assert lengths[2] - lengths[0] == np.ceil((lengths[1] - lengths[0]) / 2)
    assert chart(["only"], [0.0]) == ["only █"]


def test_stored_points_are_read_back_as_they_were():
    line = measure_point(ScalePoint(STUB, 100, 2, seed=0, time_limit=5.0))
    assert from_json({"points": as_json([line])}) == [line]
    with pytest.raises(DataError, match="points"):
        from_json({"settings": {}})
