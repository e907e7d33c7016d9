import numpy as np
import pytest

from scalesr import parse
from scalesr.records.curves import Curves, Line
from scalesr.records.sweep import Sweep


def test_curves_are_some_of_the_rows_in_order_with_the_formula_beside():
    rng = np.random.default_rng(0)
    x = [rng.uniform(0, 1, 200) for _ in range(7)]
    sweep = Sweep.from_groups(x, [g + 2 * v for g, v in enumerate(x)], names=["v"])
    curves = Curves.of(sweep, "y", formulas=[parse(f"{g} + 2*v", names=["v"]) for g in range(7)])
    assert (curves.x, curves.y, len(curves.lines)) == ("v", "y", 4)
    for group, line in enumerate(curves.lines):
        assert len(line.x) == len(line.y) == len(line.formula) == 40
        assert list(line.x) == sorted(line.x)
        assert np.array(line.y) == pytest.approx(group + 2 * np.array(line.x), abs=1e-4)
        assert line.formula == pytest.approx(line.y, abs=1e-4)


def test_curves_of_few_rows_are_all_of_them():
    curves = Curves.of(Sweep.from_groups([[2.0, 1.0]], [[4.0, 3.0]]), "C1", x="a")
    assert [(curves.x, line.x, line.y, line.formula) for line in curves.lines] == [("a", (1.0, 2.0), (3.0, 4.0), ())]


def test_the_caption_says_what_a_picture_shows():
    one, three = Line((1.0,), (2.0,)), (Line((1.0,), (2.0,), (2.0,)),) * 3
    assert Curves("v", "C1", (one,)).caption == "C1 along v at one setting of the others"
    assert Curves("v", "y", three).caption == "y along v at 3 settings of the others; lines: the formula"
