"""The laws of the Feynman lectures with the units of their columns, and the benchmark on them."""

import json
from fractions import Fraction

import pytest

from scalesr.errors import DataError
from scalesr.estimators.units import dimensions_of
from scalesr.evidence.dimensions import units_length
from scalesr_bench.cli import main
from scalesr_bench.units.measure import UnitSettings
from scalesr_bench.units.problems import PROBLEMS, exponents_of, target_exponents, units_of, written


@pytest.mark.parametrize("name", list(PROBLEMS))
def test_every_law_is_dimensionally_right_in_its_units(name):
    """The units of the target follow from how the law scales; pint and the evidence's own rules then agree."""
    pytest.importorskip("pint")
    problem = PROBLEMS[name]
    units = units_of(problem)
    dimensions = dimensions_of(list(units.items()), problem.names, "target")
    assert units_length(problem.expression, dimensions) < float("inf")


def test_a_wrong_unit_is_seen():
    problem = PROBLEMS["I.13.12"]
    units = {name: unit for name, unit in units_of(problem).items() if name != "target"}
    with pytest.raises(DataError, match="does not scale with m as a law does"):
        target_exponents(problem, units | {"r1": "m2"})


def test_units_are_read_and_written():
    assert exponents_of("kg m/s2") == tuple(Fraction(one) for one in (1, 1, -2, 0, 0))
    assert exponents_of("m3/kg/s2") == tuple(Fraction(one) for one in (3, -1, -2, 0, 0))
    assert exponents_of("1/s") == tuple(Fraction(one) for one in (0, 0, -1, 0, 0))
    assert written(exponents_of("V/m")) == "m^(1)*kg^(1)*s^(-3)*A^(-1)"
    assert written(exponents_of("1")) == "1"


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(DataError, match=r"There is no law 'I\.0' of Feynman"):
        UnitSettings(names=("I.0",))
    with pytest.raises(DataError, match="Rows are 5 or more"):
        UnitSettings(n_rows=2)
    assert len(UnitSettings(every=3).laws) == 34


def test_the_suite_runs_in_both_ways_and_resumes(tmp_path, capsys):
    pytest.importorskip("pint")
    runs, told = tmp_path / "runs.jsonl", tmp_path / "told.json"
    arguments = ["units", "--laws", "I.12.1", "--max-work", "5", "--runs", str(runs), "--json", str(told)]
    for _ in range(2):  # the second finds both runs in the log
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0
    assert len(runs.read_text().splitlines()) == 2
    summary = json.loads(told.read_text())["summary"]
    assert summary["with"]["laws"] == summary["without"]["laws"] == 1
    assert summary["with"]["dimensionally_wrong"] == 0
    assert "Laws with units and without" in capsys.readouterr().out
