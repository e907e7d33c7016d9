"""The figure of recovery shows the shares that were measured."""

import numpy as np
import pytest

from scalesr_bench.figures.recovery import recovery_figure
from scalesr_bench.laws.runs import LawRun
from scalesr_bench.laws.summary import summarise

pytest.importorskip("matplotlib")


def run(finding, rows, *, method="m", kind="", noise=0.0):
    return LawRun(method, "s", "p", "x", noise, 0, finding, 9, 1.0, noise_kind=kind, given_rows=rows)


def curves(figure):
    (axes,) = figure.axes
    return {one.get_label(): one.lines[0].get_xydata() for one in axes.containers}


def test_a_line_has_the_shares_by_rows_in_order():
    runs = [run("right", 100), run("form", 10), run("right", 10), run("right", 100, kind="counts", noise=0.1)]
    found = curves(recovery_figure(summarise(runs)))
    assert list(found) == ["noise 0", "noise 0.1 counts"]
    np.testing.assert_allclose(found["noise 0"], [[10, 0.5], [100, 1.0]])
    np.testing.assert_allclose(found["noise 0.1 counts"], [[100, 1.0]])


def test_methods_have_lines_of_their_own_and_usual_rows_none():
    runs = [run("right", 10), run("form", 10, method="n"), run("right", None)]
    found = curves(recovery_figure(summarise(runs)))
    assert list(found) == ["m, noise 0", "n, noise 0"]
    np.testing.assert_allclose(found["n, noise 0"], [[10, 0.0]])
