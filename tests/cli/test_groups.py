"""`scalesr fit --groups`, `predict` and `calibrate`."""

import json
import re

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.estimators.regressor import ScaleSRRegressor
from tests.cli.test_fit import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rng = np.random.default_rng(3)
    lines = ["sample,t,c"]
    for place in range(12):
        height = rng.uniform(1, 4)
        lines += [
            f"s{place},{t:.3f},{height * np.exp(-0.7 * t) + 1 + 0.01 * rng.normal():.5f}" for t in rng.uniform(0, 4, 6)
        ]
    folder = tmp_path_factory.mktemp("groups")
    (folder / "decay.csv").write_text("\n".join([*lines, ",1.0,2.0"]) + "\n")
    (folder / "new.csv").write_text("sample,t,c\nq1,0.0,4\nq1,1,2.48976\nq2,0,3\nq2,2,1.4932\n")
    return folder


def test_a_law_of_groups_from_the_command_line(folder, capsys):
    options = ("--target", "c", "--groups", "sample", "--max-work", 150)
    law, told = folder / "law.json", folder / "told.json"
    code, out, err = run(capsys, "fit", folder / "decay.csv", *options, "--save", law, "--json", told)
    assert code == 0, err
    assert re.search(r"c = a\*exp\(-0\.(69|70?)\d*\*t\) \+ 1", out)
    assert "sample             a        +-" in out
    assert "1 of 73 rows has a missing or infinite cell" in err
    values = json.loads(told.read_text())
    assert values["groups"]["by"] == "sample"
    assert len(values["groups"]["groups"]) == 12
    assert set(values["groups"]["groups"][0]["constants"]["a"]) == {"value", "standard_error"}
    code, out, err = run(capsys, "predict", law, folder / "decay.csv", "-q")
    assert code == 0
    assert out.splitlines()[-1] == '""'  # of the row without a group
    code, _, err = run(capsys, "predict", law, folder / "new.csv")
    assert code == 2
    assert "There is no sample 'q1' among the 12 groups" in err
    code, out, err = run(capsys, "calibrate", law, folder / "new.csv", "--save", folder / "more.json")
    assert code == 0, err
    assert [line.split()[0] for line in out.splitlines()] == ["sample", "q1", "q2"]
    code, out, err = run(capsys, "predict", folder / "more.json", folder / "new.csv", "-q")
    assert code == 0
    np.testing.assert_allclose([float(line) for line in out.split()[1:]], [4, 2.49, 3, 1.49], atol=0.03)


def test_a_column_of_groups_that_is_not_there_is_told(folder, capsys):
    code, _, err = run(capsys, "fit", folder / "decay.csv", "--target", "c", "--groups", "kind")
    assert code == 2
    assert "has no column 'kind'" in err


def test_a_law_without_groups_is_not_calibrated(folder, capsys):
    law = folder / "plain.json"
    assert run(capsys, "fit", folder / "decay.csv", "--target", "c", "--max-work", 2, "--save", law, "-q")[0] in (0, 1)
    code, _, err = run(capsys, "calibrate", law, folder / "new.csv")
    assert code == 2
    assert "fitted without groups" in err


def test_a_file_that_fails_costs_no_constants_and_no_other_file(folder, capsys, tmp_path, monkeypatch):
    law = folder / "two.json"
    options = ("--target", "c", "--groups", "sample", "--max-work", 150, "--save", law, "-q")
    assert run(capsys, "fit", folder / "decay.csv", *options)[0] == 0

    def full(model, path):
        raise DataError(f"{path} cannot be written: no space.")

    monkeypatch.setattr(ScaleSRRegressor, "save", full)
    files = ("--save", tmp_path / "more.json", "--json", tmp_path / "told.json")
    code, out, err = run(capsys, "calibrate", law, folder / "new.csv", *files)
    assert code == 2
    assert "more.json cannot be written" in err
    assert [line.split()[0] for line in out.splitlines()] == ["sample", "q1", "q2"]
    assert json.loads((tmp_path / "told.json").read_text())["groups"]["by"] == "sample"
