import json

import pytest

from scalesr.bench.bundled import bundled
from scalesr.cli import main
from scalesr.tables import read_columns, read_labels


def demo(capsys, *options):
    with pytest.raises(SystemExit) as stop:
        main(["demo", *options])
    assert stop.value.code == 0
    return capsys.readouterr().out


def test_the_demo_prints_the_law_its_error_bars_and_its_residual(capsys):
    out = demo(capsys)
    for word in ("Mercury", "Saturn", "C*a^C", "P = ", "±", "residual", "ms"):
        assert word in out


def test_the_demo_finds_keplers_law_as_well_as_keplers_figures_allow(capsys):
    result = json.loads(demo(capsys, "--json", "-"))
    year, exponent = result["constants"]
    year_error, exponent_error = result["standard_errors"]
    assert exponent == pytest.approx(1.5, abs=3 * exponent_error)
    assert year == pytest.approx(365.25, abs=3 * year_error)
    assert exponent_error == pytest.approx(0.00107, rel=0.01)


def test_the_demo_writes_json_to_a_file(capsys, tmp_path):
    out = demo(capsys, "--json", str(tmp_path / "new" / "law.json"))
    assert "Saturn" in out
    assert json.loads((tmp_path / "new" / "law.json").read_text())["skeleton"] == "C*a^C"


def test_the_figures_are_keplers():
    assert read_labels(bundled("kepler"), "planet") == ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn"]
    assert read_columns(bundled("kepler"), ["a", "P"]).shape == (6, 2)
