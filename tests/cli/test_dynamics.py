import json

import numpy as np
import pytest

import scalesr
from scalesr.cli import main

T = np.linspace(0, 3, 41)


def write_table(path, header="t,run,x"):
    lines = [header]
    for run, start in enumerate((1.0, 2.0, 3.0, 0.5, 1.5, 2.5)):
        lines += [f"{t},{run},{start * np.exp(-2 * t):.15g}" for t in T]
    path.write_text("\n".join(lines) + "\n")


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(["dynamics", *map(str, arguments)])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


def test_a_table_becomes_its_law_a_picture_and_a_file(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    write_table(tmp_path / "decay.csv")
    options = ["--time", "t", "--trajectory", "run", "--states", "x", "--time-limit", "20", "--quiet"]
    paths = [
        "--plot",
        tmp_path / "decay.svg",
        "--report",
        tmp_path / "decay.html",
        "--save",
        tmp_path / "law.json",
        "--json",
        tmp_path / "found.json",
    ]
    code, out, err = run(capsys, tmp_path / "decay.csv", *options, *paths)
    assert (code, err) == (0, "")
    assert "dx/dt = -2*x" in out
    assert "x: Exact" in out
    assert "<svg" in (tmp_path / "decay.svg").read_text()
    assert "<title>The laws of x</title>" in (tmp_path / "decay.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "found.json").read_text())["laws"][0]["law"] == "-2*x"
    assert str(scalesr.load(tmp_path / "law.json")) == "dx/dt = -2*x"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--time", "when"], "no column 'when'"),
        (["--states", "x"], "column of times"),
        (["--time", "t", "--states", "x"], "do not increase"),
        (["--time", "t", "--trajectory", "run", "--kind", "pde"], "kind='pde'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, tmp_path, options, message):
    write_table(tmp_path / "decay.csv")
    code, _, err = run(capsys, tmp_path / "decay.csv", "--quiet", *options)
    assert code == 2
    assert message in err


def test_a_picture_needs_a_known_ending(tmp_path):
    from scalesr.errors import DataError
    from scalesr.report.trajectories import write_trajectories

    with pytest.raises(DataError, match="does not end in"):
        write_trajectories(tmp_path / "a.txt", [(T, T[:, np.newaxis], T[:, np.newaxis])], ["x"])
