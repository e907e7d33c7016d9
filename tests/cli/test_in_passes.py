"""`scalesr fit` on folders of Parquet."""

import json

import numpy as np
import pandas as pd
import pytest

from scalesr.cli import main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    return stop.value.code, capsys.readouterr()


@pytest.fixture
def folder(tmp_path, rng):
    pytest.importorskip("pyarrow")
    place = tmp_path / "parts"
    place.mkdir()
    for part in range(3):
        x, z = rng.uniform(1, 3, (2, 2000))
        frame = pd.DataFrame({"x": x, "z": z, "note": "n", "y": x * z + np.where(z > 0, 0.5, 0)})
        frame.to_parquet(place / f"{part}.parquet")
    return place


def test_a_folder_is_read_in_passes(capsys, tmp_path, folder):
    options = [
        "--target",
        "y",
        "--sample-rows",
        "500",
        "--max-work",
        "300",
        "--json",
        "-",
        "--save",
        tmp_path / "l.json",
    ]
    code, (printed, told) = run(capsys, "fit", folder, *options)
    found = json.loads(printed)
    assert code == 0
    assert found["law"] == "x*z + 1/2" or found["law"] == "x*z + 0.5"
    assert "On all 6000 rows" in found["reason"].replace(",", "")
    assert found["notes"] == ["note: no numbers, left out."]
    assert "read in passes" in told
    code, (printed, _) = run(capsys, "predict", tmp_path / "l.json", folder / "0.parquet")
    assert code == 0
    assert printed.count("\n") == 2001


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--target COLUMN"),
        (["--target", "note"], "holds no numbers"),
        (["--target", "y", "--features", "w"], "has no column 'w'"),
        (["--target", "y", "--template", "f(x)*z"], "template needs a table in memory"),
        (["--target", "y", "--constraint", "positive"], "constraints needs a table in memory"),
        (["--target", "y", "--weights", "z"], "--weights needs a table in memory"),
        (["--target", "y", "--missing", "error"], "--missing error needs a table in memory"),
    ],
)
def test_what_does_not_go_with_passes_is_said(capsys, folder, options, message):
    code, (printed, told) = run(capsys, "fit", folder, *options)
    assert (code, printed) == (2, "")
    assert message in told
