import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr_bench.problems.listing import read_listing
from scalesr_bench.problems.problem import Sampling


def test_a_line_gives_name_formula_ranges_and_rows():
    (problem,) = read_listing("own", "  A-1 | x*sin(t) | x z [-1, 2e0]; t [0.5, 1] | 20 even")
    assert problem.key == "own/A-1"
    assert problem.names == ("x", "z", "t")
    assert problem.box == ((-1, 2), (-1, 2), (0.5, 1))
    assert problem.sampling == Sampling(20, "even")


def test_an_outside_function_is_taken_off():
    (problem,) = read_listing("own", "B | asin(x/2) | x [0, 1]", Sampling(7))
    assert problem.values(np.array([[1.0]])) == pytest.approx(np.arcsin(0.5))
    assert problem.sampling == Sampling(7)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A | x", "name | formula"),
        ("A | x | x 0, 1", "Ranges are written"),
        ("A | x | x [2, 1]", "needs a range"),
        ("A | x | x [0, 1] | many", "Rows are written"),
    ],
)
def test_a_bad_line_is_refused_with_a_reason(line, message):
    with pytest.raises(DataError, match=message):
        read_listing("own", line)
