"""The reliability diagram shows the numbers that were measured."""

import numpy as np
import pytest

from scalesr_bench.figures.calibration import reliability_figure
from scalesr_bench.verdict.calibration import Claim, reliability

pytest.importorskip("matplotlib")

BINS = reliability([*[Claim(0.95, True)] * 8, *[Claim(0.95, False)] * 2, *[Claim(0.25, False)] * 4])


def test_the_diagram_has_shares_with_intervals_and_counts():
    shares, counts = reliability_figure({"m": BINS}).axes
    (line,) = [line for line in shares.get_lines() if np.array_equal(line.get_xdata(), [0.25, 0.95])]
    assert list(line.get_ydata()) == [0.0, 0.8]
    assert [text.get_text() for text in shares.get_legend().get_texts()] == ["as many as said", "m"]
    assert [(bar.get_x(), bar.get_height()) for bar in counts.patches] == [(0.2, 4), (0.9, 10)]


def test_methods_stand_beside_each_other():
    _, counts = reliability_figure({"m": BINS, "n": BINS}).axes
    assert len({bar.get_x() for bar in counts.patches}) == 4
    assert len({bar.get_facecolor() for bar in counts.patches}) == 2
