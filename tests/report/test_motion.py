from __future__ import annotations

import numpy as np
import pytest

from scalesr import ScaleSRDynamics
from scalesr.report import write_motion_report
from scalesr.report.motion import motion_page
from tests.report.test_page import Reader

pytest.importorskip("matplotlib")

T = np.linspace(0, 3, 31)
COMMAND = "scalesr dynamics runs.csv --time t && echo '<done>'"


@pytest.fixture(scope="module")
def decay() -> tuple[ScaleSRDynamics, list[np.ndarray]]:
    runs = [start * np.exp(-2 * T)[:, np.newaxis] for start in (1.0, 2.0, 3.0, 0.5, 1.5, 2.5, 4.0)]
    return ScaleSRDynamics(random_state=0, time_limit=None, max_work=200).fit(runs, T, states=["<b>x"]), runs


def test_laws_verdicts_trajectories_settings_and_command_are_on_a_page_that_loads_nothing(decay, tmp_path):
    model, runs = decay
    write_motion_report(tmp_path / "out.html", model, model.compare(runs, T), command=COMMAND)
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    read = Reader(page)
    assert len(read.ids) == len(set(read.ids))
    assert {"script", "img", "link", "iframe", "b"}.isdisjoint(read.tags)
    assert read.tags.count("svg") >= 2  # over time, and the front
    for part in ("d<b>x/dt", "exact", COMMAND, "random_state", "7 trajectories, 217 points", "2 are not"):
        assert part in read.text


def test_points_where_a_simulation_has_no_value_are_counted(decay):
    model, runs = decay
    curves = [(times, measured, np.where(times[:, np.newaxis] > 2, np.nan, measured + 0.5)) for times, measured, _ in
              model.compare(runs[:1], T)]  # fmt: skip
    read = Reader(motion_page(model, curves, command=COMMAND))
    assert "1 trajectory, 31 points" in read.text
    assert "0.5" in read.words
    assert "10" in read.words


def test_simulations_that_are_off_by_more_than_can_be_squared_are_told(decay):
    model, runs = decay
    curves = [(times, measured, measured + 1e200) for times, measured, _ in model.compare(runs[:1], T)]
    assert "1e+200" in Reader(motion_page(model, curves, command=COMMAND)).text
