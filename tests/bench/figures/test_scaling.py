"""The figure of scaling shows the numbers that were measured."""

from dataclasses import dataclass

import numpy as np
import pytest

from scalesr_bench.figures.scaling import scaling_figure

pytest.importorskip("matplotlib")


@dataclass(frozen=True)
class Point:
    n_rows: int
    n_variables: int
    seconds: float
    peak_bytes: int
    is_right: bool = True
    method: str = "default"


POINTS = [
    Point(10_000, 3, 0.5, 3 * 2**20), Point(1_000, 3, 0.2, 2**20), Point(10_000, 5, 7.0, 5 * 2**20, is_right=False),
]  # fmt: skip


def lines_of(axes):
    return {line.get_label(): line for line in axes.get_lines() if not line.get_label().startswith("_")}


def test_each_part_has_the_measured_numbers_in_order():
    rows, variables, memory = scaling_figure(POINTS).axes
    np.testing.assert_array_equal(lines_of(rows)["3 variables"].get_xydata(), [[1_000, 0.2], [10_000, 0.5]])
    np.testing.assert_array_equal(lines_of(variables)["10,000 rows"].get_xydata(), [[3, 0.5], [5, 7.0]])
    np.testing.assert_array_equal(lines_of(memory)["3 variables"].get_xydata(), [[1_000, 1], [10_000, 3]])
    assert list(lines_of(rows)) == ["3 variables"]  # five variables were measured at one number of rows


def test_a_missed_law_has_an_open_mark():
    marks = [line for line in scaling_figure(POINTS).axes[1].get_lines() if line.get_marker() == "o"]
    is_open = {float(mark.get_ydata()[0]): mark.get_markerfacecolor() != mark.get_color() for mark in marks}
    assert is_open == {0.5: False, 7.0: True}


def test_methods_have_lines_of_their_own():
    other = [Point(p.n_rows, p.n_variables, 2 * p.seconds, p.peak_bytes, method="no-plain") for p in POINTS]
    drawn = lines_of(scaling_figure([*POINTS, *other]).axes[0])
    assert set(drawn) == {"3 variables, default", "3 variables, no-plain"}
    assert len({line.get_linestyle() for line in drawn.values()}) == 2


def test_a_single_table_is_drawn_too():
    assert len(lines_of(scaling_figure(POINTS[:1]).axes[0])) == 1
