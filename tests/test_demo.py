import contextlib
import io
import json

import numpy as np
import pytest

from scalesr.cli import main
from scalesr.demo.tables import RANGES, SINKING, demo_tables, kepler_file
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.tables import read_columns, read_labels


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """What the demo prints, and what it stores by table."""
    path = tmp_path_factory.mktemp("demo") / "new" / "laws.json"
    with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit) as stop:
        main(["demo", "--json", str(path)])
    assert stop.value.code == 0
    return out.getvalue(), {line["table"]: line for line in json.loads(path.read_text())}


def test_the_demo_prints_laws_verdicts_and_where_the_time_went(demo):
    out, stored = demo
    for word in ("Kepler", "a          P", "law        P = ", "law        v = ", "verdict    ", "time       "):
        assert word in out
    assert out.count("verdict    ") == len(stored) == 2
    assert all(sum(line["seconds_per_stage"].values()) <= line["seconds"] for line in stored.values())


def test_the_demo_finds_keplers_law_as_well_as_keplers_figures_allow(demo):
    law = parse(demo[1]["kepler"]["law"], ["a"])
    neptune, half = evaluate(law, np.array([[30.07], [15.035]]))
    assert neptune == pytest.approx(60190, rel=0.015)  # days, of a planet that Kepler never saw
    assert np.log2(neptune / half) == pytest.approx(1.5, abs=0.01)
    assert demo[1]["kepler"]["verdict"] in ("within noise", "approximate")


def test_the_demo_finds_the_law_that_its_second_table_was_made_from(demo):
    found = demo[1]["sinking"]
    low, high = np.array(list(RANGES.values())).T
    fresh = np.random.default_rng(1).uniform(low, high, (2000, len(RANGES)))
    law, truth = (evaluate(parse(text, list(RANGES)), fresh) for text in (found["law"], SINKING))
    assert np.abs(law - truth).max() < 1e-6 * truth.std()
    assert found["verdict"] == "exact"


def test_the_made_table_follows_the_law_that_is_printed():
    table = demo_tables(seed=3)[1]
    r, d, s, m, g = table.data.columns
    assert "v = 2*g*r^2*(d - s)/(9*m)" in table.origin
    assert np.allclose(table.data.y, 2 / 9 * g * r**2 * (d - s) / m)


def test_the_figures_are_keplers():
    assert read_labels(kepler_file(), "planet") == ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn"]
    assert read_columns(kepler_file(), ["a", "P"]).shape == (6, 2)
